/* cmd_kinds.c - sito kinds: the catalogue, and what each kind can. */
#include <stdio.h>
#include <string.h>

#include "report.h"
#include "store.h"
#include "talk.h"

static void print_json(void) {
    const char *kind;
    for (size_t i = 0; (kind = sito_kind_at(i)); i++) {
        struct report r;
        putchar(i ? ',' : '[');
        report_begin(&r, true);
        report_text(&r, "kind", kind);
        report_text(&r, "what", sito_kind_what(kind));
        report_abilities(&r, "can", sito_abilities(kind));
        report_end(&r);
    }
    puts("]");
}

/* One column an ability, so that the eye can run down it. */
static void print_row(const char *kind, unsigned can, const char *what) {
    const char *word;
    printf("%-13s", kind);
    for (size_t i = 0; ability_at(i, &word); i++)
        printf("%-*s", (int)strlen(word) + 1, can & ability_at(i, &word) ? word : "-");
    printf(" %s\n", what);
}

int cmd_kinds(struct options *o) {
    const char *kind;
    if (o->json) print_json();
    else
        for (size_t i = 0; (kind = sito_kind_at(i)); i++)
            print_row(kind, sito_abilities(kind), sito_kind_what(kind));
    return DONE;
}
