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
    if (c) {
        (o->man ? man_command : help_command)(c, stdout);
        return DONE;
    }
    char *words[] = {(char *)name, (char *)"--help", NULL};
    if (!o->man) run_application(name, words);
    complain("there is no command `%s`; `sito help` lists those there are", name);
    return TROUBLE;
}
