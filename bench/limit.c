/* limit.c - what is the least a question can cost on this machine? One random line of 64 bytes, of
 * arrays as large as filters are: plainly, and asked for ahead; on small pages and on huge ones.
 * JSON lines, and a table of the trials on stderr. Sizes in bytes: limit SIZE... */
#define ROUNDS 61
#include "limit.h"

static void print_trials(const struct limit *l) {
    fprintf(stderr, "%.4g MB, ns a line, least of %d\n%12s%8s", (double)l->nlines * 64 / 1e6,
            LIMIT_TRIALS, "ahead", "plain");
    for (int way = 1; way < LIMIT_WAYS; way++) fprintf(stderr, "%8zu", limit_ahead[way]);
    for (int p = 0; p < 2; p++) {
        fprintf(stderr, "\n%12s", l->pages[p].name);
        for (int way = 0; way < LIMIT_WAYS; way++) fprintf(stderr, "%8.2f", l->pages[p].tried[way]);
    }
    fprintf(stderr, "\n");
}

static void measure(uint64_t bytes) {
    struct limit *l = limit_new(bytes);
    print_trials(l);
    for (int r = 0; r < ROUNDS; r++) limit_round(l, r);
    for (struct limit_pages *p = l->pages; p < l->pages + 2; p++) {
        char ahead[32];
        snprintf(ahead, sizeof ahead, "read, %zu ahead", p->ahead);
        report("limit", p->name, "read, plain", bytes, &p->plain);
        report("limit", p->name, ahead, bytes, &p->best);
    }
    report("limit", "machine", "plain raw read", bytes, limit_plain(l));
    report("limit", "machine", "best raw read", bytes, limit_best(l));
    fflush(stdout);
    limit_free(l);
}

int main(int argc, char **argv) {
    static const uint64_t usual[] = {1000000, 12500000, 125000000, 1250000000};
    int nsizes = argc > 1 ? argc - 1 : (int)(sizeof usual / sizeof *usual);
    uint64_t room = free_bytes();
    pin();
    for (int i = 0; i < nsizes; i++) {
        uint64_t bytes = argc > 1 ? number(argv[1 + i]) : usual[i];
        if (!room || bytes < room / 3) measure(bytes);
        else fprintf(stderr, "limit: no room for %" PRIu64 " bytes twice\n", bytes);
    }
    return 0;
}
