/*
 * main.c - the `sito` command: finds the command, reads its options, runs it, ends cleanly.
 *
 *     options.c                    every command and option, once
 *     parse.c help.c               read that table, as cmd_completion.c does
 *     input.c source.c             files become keys
 *     lines.c hasher.c hashes.c    keys become hashes
 *     store.c secret.c wish.c      filter files, locked and saved; secrets; plans
 *     draft.c                      other files, written whole or not at all
 *     talk.c report.c numbers.c    messages, progress, signals; answers
 *     speed.c                      a stopwatch
 *     cmd_NAME.c                   what the command NAME does
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "talk.h"

/* ---- sito NAME -> sito-NAME ---- */

void run_application(const char *name, char **argv) {
    static char program[NAME_MAX]; /* argv keeps pointing to it */
    char path[PATH_MAX];
    if (!*name || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") != strlen(name)) return;
    if ((size_t)snprintf(program, sizeof program, "sito-%s", name) >= sizeof program) return;
    argv[0] = program;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    while (n > 0 && path[n - 1] != '/') n--;
    static const char *const folders[] = {"", "../libexec/sito/"}; /* built, installed */
    for (size_t i = 0; n > 0 && i < sizeof folders / sizeof *folders; i++)
        if ((size_t)n + strlen(folders[i]) + strlen(program) < sizeof path) {
            strcpy(stpcpy(path + n, folders[i]), program);
            execv(path, argv);
        }
    execvp(program, argv);
    if (errno != ENOENT) complain("%s: %s", program, strerror(errno));
}

static int no_such_command(const char *name) {
    struct nearest near = {.word = name};
    for (size_t i = 0; command_at(i); i++) nearest_try(&near, command_at(i)->name);
    if (name[0] == '-')
        complain("options follow the command: sito COMMAND %s ...; see `sito help`", name);
    else if (near.best) complain("there is no command `%s`; did you mean %s?", name, near.best);
    else complain("there is no command `%s`; `sito help` lists those there are", name);
    return TROUBLE;
}

/* ---- one command ---- */

static int run(const struct command *command, int argc, char **argv) {
    struct options o;
    memset(&o, 0, sizeof o); /* padding too: --like compares wishes as bytes */
    watch_signals();
    int outcome = parse_options(command, argc, argv, &o);
    if (outcome != DONE) return outcome;
    if (o.help) help_command(command, stdout);
    else outcome = command->run(&o);
    progress_end();
    return outcome;
}

int main(int argc, char **argv) {
    hold_standard_files();
    if (argc < 2) {
        help_short(stderr);
        return TROUBLE;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--version")) name = "version";
    if (!strcmp(name, "--help") || !strcmp(name, "-h")) name = "help";
    const struct command *command = command_named(name);
    if (!command) {
        run_application(name, argv + 1);
        return no_such_command(name);
    }
    return end_output(run(command, argc - 2, argv + 2));
}
