/* dictionary.c - the kind that never errs: words with their counts and a number each; saved, mapped
 * from the file, asked and listed. */
#include <sito/exact.h>
#include <sito/sito.h>
#include <stdio.h>
#include <string.h>

static int show(void *self, const void *key, size_t len, uint64_t count, uint64_t value) {
    (void)self;
    printf("  %-6.*s seen %llu times, page %llu\n", (int)len, (const char *)key,
           (unsigned long long)count, (unsigned long long)value);
    return 0;
}

int main(void) {
    static const char *const words[] = {"heron", "stork", "heron", "crane", "heron"};
    static const char path[] = "dictionary.sito";
    sito_plan plan = {.kind = SITO_EXACT, .nkeys = 10};
    sito_filter *f, *mapped;
    const char *why = "";
    if (sito_new(&plan, NULL, &f) != SITO_OK) return 1;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sito_add(f, words[i], strlen(words[i])) < 0) return 1;
    sito_exact_put(f, "stork", 5, 42);
    sito_remove(f, "crane", 5);

    sito_how how = {.flags = SITO_MAP};
    if (sito_save(f, path) != SITO_OK) return 1;
    if (sito_open(path, &how, &mapped, &why) != SITO_OK) return fprintf(stderr, "%s\n", why), 1;
    uint64_t page = 0;
    printf("from the file, %llu bytes:\n", (unsigned long long)sito_image_bytes(mapped));
    sito_exact_each(mapped, show, NULL);
    printf("crane: %s\n", sito_maybe(mapped, "crane", 5) ? "there" : "not there, for certain");
    int found = sito_exact_get(mapped, "stork", 5, &page);
    sito_free(mapped);
    sito_free(f);
    remove(path);
    return found == 1 && page == 42 ? 0 : 1;
}
