/* consumer.c - somebody else's program: knows what was installed and nothing of this tree. */
#ifdef SITO_TWO_FILES
#include "sito.h"
#else
#include <sito/exact.h>
#include <sito/sito.h>
#endif

#include <stdio.h>
#include <string.h>

static int wrong(const char *what) {
    fprintf(stderr, "consumer: %s\n", what);
    return 1;
}

int main(void) {
    if (strcmp(sito_version(), SITO_VERSION) != 0) return wrong("header and library differ");

    sito_plan plan = {.nkeys = 1000, .fpr = 0.01, .kind = SITO_BLOOM};
    sito_filter *birds, *again;
    if (sito_new(&plan, NULL, &birds) != SITO_OK) return wrong("no filter");
    if (sito_add(birds, "heron", 5) != 1) return wrong("the first key is not new");
    if (sito_save(birds, "birds.sito") != SITO_OK) return wrong("not saved");
    if (sito_open("birds.sito", NULL, &again, NULL) != SITO_OK) return wrong("not opened");
    if (!sito_maybe(again, "heron", 5)) return wrong("forgotten");
    sito_free(again);
    sito_free(birds);

    sito_plan book = {.nkeys = 10, .kind = SITO_EXACT};
    sito_filter *pages;
    uint64_t page = 0;
    if (sito_new(&book, NULL, &pages) != SITO_OK) return wrong("no dictionary");
    if (sito_exact_put(pages, "heron", 5, 42) != 1) return wrong("the first page is not new");
    if (sito_exact_get(pages, "heron", 5, &page) != 1 || page != 42) return wrong("another page");
    sito_free(pages);
    puts("consumer: fine");
    return 0;
}
