/* cmd_completion.c - sito completion SHELL: a script from the tables of options.c. */
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "talk.h"

static void print_kinds(void) {
    for (size_t i = 0; sito_kind_at(i); i++) printf("%s%s", i ? " " : "", sito_kind_at(i));
}

static void print_commands(void) {
    for (size_t i = 0; command_at(i); i++) printf("%s%s", i ? " " : "", command_at(i)->name);
}

/* The words that `completes` stands for, parted by blanks; none for files. */
static void print_words(const char *completes) {
    if (!strcmp(completes, COMPLETE_KINDS)) print_kinds();
    else if (!strcmp(completes, COMPLETE_COMMANDS)) print_commands();
    else fputs(completes, stdout);
}

static bool is_files(const char *completes) {
    return completes && !strcmp(completes, COMPLETE_FILES);
}

/* 'it''s' is no word in these shells: a quote ends it, stands alone, and begins it again. */
static void print_quoted(const char *text) {
    for (; *text; text++) {
        if (*text == '\'') fputs("'\\''", stdout);
        else putchar(*text);
    }
}

/* ---- bash ---- */

static void bash_reply(const char *completes) {
    if (is_files(completes)) {
        fputs("_sito_files \"$cur\"", stdout);
    } else if (completes) {
        fputs("COMPREPLY=($(compgen -W '", stdout);
        print_words(completes);
        fputs("' -- \"$cur\"))", stdout);
    } else {
        fputs("COMPREPLY=()", stdout);
    }
}

static void bash_command(const struct command *c) {
    const struct option *option;
    printf("    %s) flags='", c->name);
    for (size_t i = 0; (option = option_at(i)); i++)
        if (option_fits(option, c)) printf("--%s ", option->name);
    fputs("'; if [[ $cur != -* ]]; then ", stdout);
    bash_reply(c->completes);
    fputs("; fi ;;\n", stdout);
}

/* An application has options of its own, and tells them when it is asked. */
static void bash_application(void) {
    fputs("_sito_kmer() {\n"
          "    local cur=$1 command=${COMP_WORDS[2]-} words=\n"
          "    if ((COMP_CWORD == 2)); then words=$(sito kmer --words 2>/dev/null)\n"
          "    elif [[ $cur == -* ]]; then words=$(sito kmer --words \"$command\" 2>/dev/null)\n"
          "    else words=$(sito kmer --words \"$command\" \"$2\" 2>/dev/null); fi\n"
          "    if [[ $words ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    else _sito_files \"$cur\"; fi\n"
          "}\n",
          stdout);
}

static void bash(void) {
    const struct option *option;
    fputs("# bash completion of sito, made by `sito completion bash`\n"
          "# shellcheck disable=SC2207 # words are split on purpose\n"
          "_sito_files() { mapfile -t COMPREPLY < <(compgen -f -- \"$1\"); } # names may have "
          "blanks\n",
          stdout);
    bash_application();
    fputs("_sito() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} flags=''\n"
          "    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        COMPREPLY=($(compgen -W '",
          stdout);
    print_commands();
    fputs(" kmer' -- \"$cur\"))\n        return\n    fi\n"
          "    if [[ ${COMP_WORDS[1]} == kmer ]]; then _sito_kmer \"$cur\" \"$prev\"; return; fi\n"
          "    case $prev in\n",
          stdout);
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (!option->argument) continue;
        fputs("    ", stdout);
        if (option->letter) printf("-%c | ", option->letter);
        printf("--%s) ", option->name);
        bash_reply(option->completes);
        fputs("; return ;;\n", stdout);
    }
    fputs("    esac\n    case ${COMP_WORDS[1]} in\n", stdout);
    for (size_t i = 0; command_at(i); i++) bash_command(command_at(i));
    fputs("    *) _sito_files \"$cur\" ;;\n"
          "    esac\n"
          "    if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\")); fi\n"
          "}\n"
          "complete -o filenames -F _sito sito\n",
          stdout);
}

/* ---- zsh ---- */

static void zsh_action(const char *name, const char *completes) {
    printf(":%s:", name);
    if (is_files(completes)) {
        fputs("_files", stdout);
    } else if (completes) {
        putchar('(');
        print_words(completes);
        putchar(')');
    }
}

/* In an option's description brackets and colons would end it. */
static void zsh_help(const char *text) {
    for (; *text; text++) {
        if (strchr("[]:\\", *text)) putchar('\\');
        if (*text == '\'') fputs("'\\''", stdout);
        else putchar(*text);
    }
}

static void zsh_option(const struct option *option) {
    if (option->letter)
        printf("        '(-%c --%s)'{-%c,--%s}'[", option->letter, option->name, option->letter,
               option->name);
    else printf("        '--%s[", option->name);
    zsh_help(option->help);
    putchar(']');
    if (option->argument) zsh_action(option->argument, option->completes);
    fputs("' \\\n", stdout);
}

static void zsh(void) {
    const struct command *c;
    const struct option *option;
    fputs("#compdef sito\n# zsh completion of sito, made by `sito completion zsh`\n_sito() {\n"
          "    local -a commands\n    commands=(\n",
          stdout);
    for (size_t i = 0; (c = command_at(i)); i++) {
        printf("        '%s:", c->name);
        print_quoted(c->what);
        fputs("'\n", stdout);
    }
    fputs("        'kmer:k-mers of genomes and reads'\n    )\n"
          "    if ((CURRENT == 2)); then _describe command commands; return; fi\n"
          "    local command=$words[2]\n"
          "    shift words; ((CURRENT--))\n"
          "    case $command in\n",
          stdout);
    for (size_t i = 0; (c = command_at(i)); i++) {
        printf("    %s) _arguments -s \\\n", c->name);
        for (size_t j = 0; (option = option_at(j)); j++)
            if (option_fits(option, c)) zsh_option(option);
        fputs("        '*", stdout);
        zsh_action("operand", c->completes);
        fputs("' ;;\n", stdout);
    }
    fputs("    kmer) if ((CURRENT == 2)); then compadd -- ${(f)\"$(sito kmer --words "
          "2>/dev/null)\"}\n"
          "        elif [[ $PREFIX == -* ]]; then\n"
          "            compadd -- ${(f)\"$(sito kmer --words $words[2] 2>/dev/null)\"}\n"
          "        else _files; fi ;;\n"
          "    *) _files ;;\n    esac\n}\n"
          "if [[ $funcstack[1] == _sito ]]; then _sito \"$@\"; else compdef _sito sito; fi\n",
          stdout);
}

/* ---- fish ---- */

static void fish_option(const struct option *option, const struct command *c) {
    printf("complete -c sito -n '__fish_seen_subcommand_from %s' -l %s", c->name, option->name);
    if (option->letter) printf(" -s %c", option->letter);
    if (option->argument) fputs(is_files(option->completes) ? " -r -F" : " -x", stdout);
    if (option->completes && !is_files(option->completes)) {
        fputs(" -a '", stdout);
        print_words(option->completes);
        putchar('\'');
    }
    fputs(" -d '", stdout);
    for (const char *p = option->help; *p; p++) {
        if (*p == '\'' || *p == '\\') putchar('\\');
        putchar(*p);
    }
    fputs("'\n", stdout);
}

static void fish(void) {
    const struct command *c;
    const struct option *option;
    fputs("# fish completion of sito, made by `sito completion fish`\n", stdout);
    for (size_t i = 0; (c = command_at(i)); i++) {
        printf("complete -c sito -n __fish_use_subcommand -f -a %s -d '%s'\n", c->name, c->what);
        if (!is_files(c->completes)) {
            printf("complete -c sito -n '__fish_seen_subcommand_from %s' -f", c->name);
            if (c->completes) {
                fputs(" -a '", stdout);
                print_words(c->completes);
                putchar('\'');
            }
            putchar('\n');
        }
        for (size_t j = 0; (option = option_at(j)); j++)
            if (option_fits(option, c)) fish_option(option, c);
    }
}

static void fish_application(void) {
    fputs("complete -c sito -n __fish_use_subcommand -f -a kmer -d 'k-mers of genomes and reads'\n"
          "complete -c sito -n '__fish_seen_subcommand_from kmer' "
          "-a '(sito kmer --words (commandline -opc)[3] 2>/dev/null)'\n",
          stdout);
}

int cmd_completion(struct options *o) {
    const char *shell = o->operands[0];
    if (!strcmp(shell, "bash")) bash();
    else if (!strcmp(shell, "zsh")) zsh();
    else if (!strcmp(shell, "fish")) fish(), fish_application();
    else
        return complain("completion: no script for `%s`; there is bash, zsh and fish", shell),
               TROUBLE;
    return DONE;
}
