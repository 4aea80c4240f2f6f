/* cmd_help.c - sito help [COMMAND]: for people, or with --man for man. */
#include "options.h"
#include "talk.h"

int cmd_help(struct options *o) {
    if (o->noperands == 0) {
        (o->man ? man_all : help_all)(stdout);
        return DONE;
    }
    const char *name = o->operands[0];
    const struct command *c = command_named(name);
    if (c && o->noperands == 1) {
        (o->man ? man_command : help_command)(c, stdout);
        return DONE;
    }
    char help[] = "--help", man[] = "--man";
    char *words[] = {(char *)name, o->noperands > 1 ? o->operands[1] : help, help, NULL};
    if (o->noperands == 1) words[2] = NULL;
    if (o->man) words[1] = man, words[2] = NULL; /* one page, with all of its commands */
    if (!c) run_application(name, words);
    if (c) return complain("help: `%s` has no commands of its own", name), TROUBLE;
    complain("there is no command `%s`; `sito help` lists those there are", name);
    return TROUBLE;
}
