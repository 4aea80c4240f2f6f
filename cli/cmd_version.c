/* cmd_version.c - sito version. */
#include <stdio.h>
#include <string.h>

#include "report.h"
#include "store.h"
#include "talk.h"

int cmd_version(struct options *o) {
    if (o->json) {
        struct report r;
        report_begin(&r, true);
        report_text(&r, "version", SITO_VERSION);
        report_text(&r, "library", sito_version());
        report_end(&r);
    } else if (strcmp(SITO_VERSION, sito_version())) {
        printf("sito %s (library %s)\n", SITO_VERSION, sito_version());
    } else {
        puts("sito " SITO_VERSION);
    }
    return DONE;
}
