/* cmd_check.c - sito check: whole and sound? Silent if so; the exit status is the answer. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "report.h"
#include "store.h"
#include "talk.h"

static sito_rc check(const char *path, const char **why) {
    const sito_how how = {.flags = SITO_NOKEY};
    sito_filter *f = NULL;
    struct stat st;
    errno = 0;
    if (stat(path, &st)) return *why = strerror(errno), SITO_EIO;
    if (S_ISDIR(st.st_mode)) return *why = "is a directory", SITO_EIO;
    if (!S_ISREG(st.st_mode)) return *why = "not a regular file", SITO_EIO;
    sito_rc rc = sito_open(path, &how, &f, why);
    if (rc == SITO_OK) rc = sito_check(f, why);
    if (rc == SITO_EIO && errno) *why = strerror(errno);
    if (rc != SITO_OK && !*why) *why = sito_strerror(rc);
    sito_free(f);
    return rc;
}

static void report_check(const char *path, sito_rc rc, const char *why) {
    struct report r;
    report_begin(&r, true);
    report_text(&r, "file", path);
    report_bool(&r, "sound", rc == SITO_OK);
    if (rc != SITO_OK) report_text(&r, "why", why);
    report_end(&r);
}

/* A flipped version byte looks like another format: either way this file cannot be vouched for. */
static bool is_refused(sito_rc rc) { return rc == SITO_EDAMAGED || rc == SITO_EVERSION; }

int cmd_check(struct options *o) {
    int worst = DONE;
    for (size_t i = 0; i < o->noperands; i++) {
        const char *path = o->operands[i], *why = NULL;
        const sito_rc rc = check(path, &why);
        if (stop_asked()) return STOPPED;
        const int outcome = rc == SITO_OK ? DONE : is_refused(rc) ? NOTHING : TROUBLE;
        if (outcome != DONE) complain("%s: %s", path, why);
        if (o->json) report_check(path, rc, why);
        else if (outcome == DONE && o->verbose) complain("%s: sound", path);
        if (outcome > worst) worst = outcome;
    }
    return worst;
}
