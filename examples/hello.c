/* hello.c - might this key be in the set? */
#include <sito/sito.h>
#include <stdio.h>

int main(void) {
    sito_plan plan = {.nkeys = 1000, .fpr = 0.01};
    sito_filter *f;
    if (sito_new(&plan, NULL, &f) != SITO_OK) return 1;
    sito_add(f, "heron", 5);
    printf("heron: %s\n", sito_maybe(f, "heron", 5) ? "perhaps" : "no");
    printf("stork: %s\n", sito_maybe(f, "stork", 5) ? "perhaps" : "no");
    sito_free(f);
    return 0;
}
