/*
 * merge_nodes.c - a join across machines that sends only the rows that can match.
 *
 * Two nodes hold customers, a third holds orders. The nodes' filters, OR-ed, are bit for bit the
 * filter of all customers; the third sends only orders whose customer may be among them.
 */
#include <sito/sito.h>
#include <stdio.h>

enum { EACH = 5000, ORDERS = 100000 };

static size_t name(char *to, int customer) { return (size_t)sprintf(to, "customer-%d", customer); }

static bool fill(sito_filter *f, int from) {
    char key[32];
    for (int i = from; i < from + EACH; i++)
        if (sito_add(f, key, name(key, i)) < 0) return false;
    return true;
}

int main(void) {
    sito_plan plan = {.nkeys = 2 * EACH, .fpr = 0.01, .needs = SITO_CAN_MERGE}, same;
    sito_filter *north, *south;
    sito_info info;
    if (sito_new(&plan, NULL, &north) != SITO_OK) return 1;
    /* Only filters of one shape and seed can be merged: the second node plans by the first. */
    if (sito_plan_like(north, &same) != SITO_OK || sito_new(&same, NULL, &south) != SITO_OK)
        return 1;
    if (!fill(north, 0) || !fill(south, EACH)) return 1;
    if (sito_merge(north, south) != SITO_OK || sito_look(north, &info) != SITO_OK) return 1;

    int sent = 0, needless = 0;
    char key[32];
    for (int i = 0; i < ORDERS; i++) {
        int customer = i % (20 * EACH); /* a tenth of them are ours */
        if (!sito_maybe(north, key, name(key, customer))) continue;
        sent++;
        needless += customer >= 2 * EACH;
    }
    printf("filter of both nodes: %llu bytes, %.2f %% false positives now\n",
           (unsigned long long)info.bytes, info.present_fpr * 100);
    printf("%d of %d orders sent, %d of them needlessly; none is missing\n", sent, ORDERS,
           needless);
    sito_free(north);
    sito_free(south);
    return sent - needless == ORDERS / 10 ? 0 : 1;
}
