/*
 * graph.c - where should Bellman-Ford fetch an edge's weight from?
 *
 *     graph times ROUNDS SCALE     random graphs of the lecture's five sizes; CPU time, least of ROUNDS
 *     graph cycles SCALE           the same with one negative cycle: is it found?
 *
 * SCALE divides the vertices, and its square the edges: as dense a graph, but smaller.
 *
 * All ways walk the same lists of neighbours, and differ only in the weight:
 *   tuple        it stands beside the neighbour
 *   sparse       a compressed matrix: a search by halving in the vertex's column
 *   dict         an `exact` table from the pair of vertices to the weight
 *   dict-cuckoo  the same in `exact-cuckoo`
 *   prop         an `exact` table from the pair to the edge's own `exact` table, from "weight" to a number elsewhere
 *
 * A weight is c + h(u) - h(v), c from 0 to 999: three in ten are negative, and around any cycle the h cancel.
 */
#include "bench.h"

#include <sito/exact.h>
#include <sito/sito.h>
#include <stdbool.h>
#include <string.h>

enum { SEED = 1958, HEIGHTS = 2000 };

struct edge {
    uint32_t to;
    int32_t weight;
};

struct graph {
    uint32_t nvertices, nedges;
    uint32_t
        *first;   /* the edges of u are number first[u] to first[u + 1] - 1, by rising neighbour */
    uint32_t *to; /* what all ways walk */
    struct edge *edges;
    uint32_t *rows; /* the matrix: its own copy, as a library keeps it */
    int32_t *values;
    sito_filter *pairs, *cuckoo_pairs, *properties;
    sito_filter **props;
    int64_t *boxes; /* a property may be anything, so its dictionary holds a pointer */
};

static void fine(int rc) {
    if (rc >= 0) return;
    fprintf(stderr, "graph: %s\n", sito_strerror(rc));
    exit(1);
}

static void *room(uint64_t n, size_t each) { return must(calloc(n ? n : 1, each)); }

/* ---- a random graph ---- */

/* Each pair of different vertices in turn, with the chance that leaves exactly nedges in the end. */
static void draw_edges(struct graph *g, uint64_t *dice) {
    uint64_t pairs_left = (uint64_t)g->nvertices * (g->nvertices - 1), wanted = g->nedges;
    uint32_t n = 0;
    for (uint32_t u = 0; u < g->nvertices; u++) {
        g->first[u] = n;
        for (uint32_t v = 0; v < g->nvertices; v++) {
            if (u == v) continue;
            if (next_random(dice) % pairs_left-- >= wanted) continue;
            wanted--;
            g->to[n++] = v;
        }
    }
    g->first[g->nvertices] = n;
}

static void draw_weights(struct graph *g, uint64_t *dice) {
    int32_t *height = room(g->nvertices, sizeof *height);
    for (uint32_t u = 0; u < g->nvertices; u++) height[u] = (int32_t)(next_random(dice) % HEIGHTS);
    for (uint32_t u = 0; u < g->nvertices; u++)
        for (uint32_t e = g->first[u]; e < g->first[u + 1]; e++)
            g->edges[e] = (struct edge){g->to[e], (int32_t)(next_random(dice) % 1000) + height[u] -
                                                      height[g->to[e]]};
    free(height);
}

/* Three vertices in a ring, each edge of which is now a way down: where there are such three. */
static bool bend_into_a_cycle(struct graph *g) {
    for (uint32_t a = 0; a < g->nvertices; a++)
        for (uint32_t e = g->first[a]; e < g->first[a + 1]; e++)
            for (uint32_t f = g->first[g->to[e]]; f < g->first[g->to[e] + 1]; f++)
                for (uint32_t b = g->first[g->to[f]]; b < g->first[g->to[f] + 1]; b++)
                    if (g->to[b] == a) {
                        g->edges[b].weight = -g->edges[e].weight - g->edges[f].weight - 1;
                        return true;
                    }
    return false;
}

/* ---- the ways to keep weights ---- */

struct pair {
    int64_t from, to;
};

static struct pair pair_of(uint32_t u, uint32_t v) { return (struct pair){u, v}; }

static sito_filter *dictionary(const char *kind, uint64_t n) {
    sito_plan plan = {.kind = kind, .nkeys = n, .seed = SEED};
    sito_filter *f;
    fine(sito_new(&plan, NULL, &f));
    return f;
}

static void keep_weights(struct graph *g) {
    g->pairs = dictionary(SITO_EXACT, g->nedges);
    g->cuckoo_pairs = dictionary(SITO_EXACT_CUCKOO, g->nedges);
    g->properties = dictionary(SITO_EXACT, g->nedges);
    for (uint32_t u = 0; u < g->nvertices; u++)
        for (uint32_t e = g->first[u]; e < g->first[u + 1]; e++) {
            struct pair p = pair_of(u, g->to[e]);
            uint64_t weight = (uint64_t)(int64_t)g->edges[e].weight;
            g->rows[e] = g->to[e];
            g->values[e] = g->edges[e].weight;
            g->boxes[e] = g->edges[e].weight;
            g->props[e] = dictionary(SITO_EXACT, 1);
            fine(sito_exact_put(g->pairs, &p, sizeof p, weight));
            fine(sito_exact_put(g->cuckoo_pairs, &p, sizeof p, weight));
            fine(sito_exact_put(g->props[e], "weight", 6, (uintptr_t)&g->boxes[e]));
            fine(sito_exact_put(g->properties, &p, sizeof p, (uintptr_t)g->props[e]));
        }
}

static struct graph make(uint32_t nvertices, uint32_t nedges, bool cycle) {
    struct graph g = {.nvertices = nvertices, .nedges = nedges};
    uint64_t dice = SEED;
    g.first = room(nvertices + 1, sizeof *g.first);
    g.to = room(nedges, sizeof *g.to);
    g.edges = room(nedges, sizeof *g.edges);
    g.rows = room(nedges, sizeof *g.rows);
    g.values = room(nedges, sizeof *g.values);
    g.props = room(nedges, sizeof(sito_filter *));
    g.boxes = room(nedges, sizeof *g.boxes);
    draw_edges(&g, &dice);
    draw_weights(&g, &dice);
    if (cycle && !bend_into_a_cycle(&g))
        fputs("graph: no three vertices in a ring\n", stderr), exit(1);
    keep_weights(&g);
    return g;
}

static void unmake(struct graph *g) {
    for (uint32_t e = 0; e < g->nedges; e++) sito_free(g->props[e]);
    sito_free(g->pairs);
    sito_free(g->cuckoo_pairs);
    sito_free(g->properties);
    free(g->first), free(g->to), free(g->edges), free(g->rows), free(g->values);
    free(g->props), free(g->boxes);
}

/* ---- an edge -> its weight: here the ways part ---- */

typedef int64_t weigh(const struct graph *g, uint32_t u, uint32_t e);

static inline int64_t by_tuple(const struct graph *g, uint32_t u, uint32_t e) {
    (void)u;
    return g->edges[e].weight;
}

static inline int64_t by_matrix(const struct graph *g, uint32_t u, uint32_t e) {
    uint32_t low = g->first[u], high = g->first[u + 1], v = g->to[e];
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (g->rows[mid] < v) low = mid + 1;
        else high = mid;
    }
    return g->values[low];
}

static inline uint64_t looked_up(const sito_filter *f, const void *key, size_t len) {
    uint64_t value;
    if (sito_exact_get(f, key, len, &value) == 1) return value;
    fputs("graph: an edge was forgotten\n", stderr);
    exit(1);
}

static inline int64_t by_dict(const struct graph *g, uint32_t u, uint32_t e) {
    struct pair p = pair_of(u, g->to[e]);
    return (int64_t)looked_up(g->pairs, &p, sizeof p);
}

static inline int64_t by_cuckoo(const struct graph *g, uint32_t u, uint32_t e) {
    struct pair p = pair_of(u, g->to[e]);
    return (int64_t)looked_up(g->cuckoo_pairs, &p, sizeof p);
}

static inline int64_t by_prop(const struct graph *g, uint32_t u, uint32_t e) {
    struct pair p = pair_of(u, g->to[e]);
    const sito_filter *props =
        (const sito_filter *)(uintptr_t)looked_up(g->properties, &p, sizeof p);
    return *(const int64_t *)(uintptr_t)looked_up(props, "weight", 6);
}

/* ---- Bellman-Ford ---- */

static const int64_t far_away = INT64_MAX / 4;

/* Every edge again and again until none shortens a way: how many passes. If the pass numbered V still does, some way has
 * no end, and the answer is 0. */
static inline uint32_t shortest(const struct graph *g, int64_t *distance, weigh *weight) {
    for (uint32_t v = 0; v < g->nvertices; v++) distance[v] = far_away;
    distance[0] = 0;
    for (uint32_t pass = 1; pass <= g->nvertices; pass++) {
        bool shorter = false;
        for (uint32_t u = 0; u < g->nvertices; u++) {
            int64_t here = distance[u];
            if (here == far_away) continue;
            for (uint32_t e = g->first[u]; e < g->first[u + 1]; e++) {
                int64_t there = here + weight(g, u, e);
                if (there < distance[g->to[e]]) distance[g->to[e]] = there, shorter = true;
            }
        }
        if (!shorter) return pass;
    }
    return 0;
}

/* One loop a way, with its weight inside: no call in between. */
static uint32_t tuple_way(const struct graph *g, int64_t *d) { return shortest(g, d, by_tuple); }
static uint32_t sparse_way(const struct graph *g, int64_t *d) { return shortest(g, d, by_matrix); }
static uint32_t dict_way(const struct graph *g, int64_t *d) { return shortest(g, d, by_dict); }
static uint32_t cuckoo_way(const struct graph *g, int64_t *d) { return shortest(g, d, by_cuckoo); }
static uint32_t prop_way(const struct graph *g, int64_t *d) { return shortest(g, d, by_prop); }

enum { TUPLE, SPARSE, DICT, CUCKOO, PROP, NWAYS };

static const struct {
    const char *name;
    uint32_t (*run)(const struct graph *g, int64_t *distance);
} ways[NWAYS] = {{"tuple", tuple_way},
                 {"sparse", sparse_way},
                 {"dict", dict_way},
                 {"dict-cuckoo", cuckoo_way},
                 {"prop", prop_way}};

/* No edge shortens a way, and every way ends with an edge that is as long as it says: then all are shortest. */
static bool proven(const struct graph *g, const int64_t *distance) {
    uint8_t *tight = room(g->nvertices, 1);
    bool good = distance[0] == 0;
    for (uint32_t u = 0; u < g->nvertices; u++)
        for (uint32_t e = g->first[u]; distance[u] < far_away && e < g->first[u + 1]; e++) {
            int64_t by_here = distance[u] + g->edges[e].weight;
            good = good && distance[g->to[e]] <= by_here;
            if (distance[g->to[e]] == by_here) tight[g->to[e]] = 1;
        }
    for (uint32_t v = 1; v < g->nvertices; v++)
        good = good && (distance[v] == far_away || tight[v]);
    free(tight);
    return good;
}

/* ---- the lecture's sizes ---- */

static const struct {
    uint32_t nvertices, nedges;
    double ms[NWAYS]; /* as on the slide; the lecture has no cuckoo */
} slide[] = {{214, 45576, {.058, .480, 2.2, 0, 14}},
             {1024, 387396, {.48, 13, 30, 0, 214}},
             {3125, 1274018, {1.7, 50, 117, 0, 907}},
             {1000, 151680, {.16, 4.2, 7.7, 0, 73}},
             {1000, 998980, {1.1, 17, 86, 0, 760}}};

static struct graph make_scaled(size_t s, uint32_t scale, bool cycle) {
    uint32_t nvertices = slide[s].nvertices / scale, nedges = slide[s].nedges / (scale * scale),
             most = nvertices * (nvertices - 1);
    return make(nvertices, nedges < most ? nedges : most, cycle);
}

static double least(double a, double b) { return a < b ? a : b; }

static void time_graph(size_t s, uint64_t rounds, uint32_t scale) {
    struct graph g = make_scaled(s, scale, false);
    int64_t *truth = room(g.nvertices, sizeof *truth), *distance = room(g.nvertices, sizeof *truth);
    uint32_t passes = shortest(&g, truth, by_tuple), negative = 0;
    if (passes == 0 || !proven(&g, truth)) fputs("graph: not the shortest ways\n", stderr), exit(1);
    for (uint32_t e = 0; e < g.nedges; e++) negative += g.edges[e].weight < 0;
    double ms[NWAYS];
    for (size_t w = 0; w < NWAYS; w++) ms[w] = 1e300;
    for (uint64_t round = 0; round < rounds; round++)
        for (size_t w = 0; w < NWAYS; w++) {
            double begin = thread_ns();
            ways[w].run(&g, distance);
            ms[w] = least(ms[w], 1e-6 * (thread_ns() - begin));
            if (memcmp(distance, truth, g.nvertices * sizeof *truth) == 0) continue;
            fprintf(stderr, "graph: %s finds other ways\n", ways[w].name);
            exit(1);
        }
    for (size_t w = 0; w < NWAYS; w++) {
        printf("%u\t%u\t%.3f\t%s\t%u\t%.3f\t%.2f\t%.1f", g.nvertices, g.nedges,
               (double)negative / g.nedges, ways[w].name, passes, ms[w],
               1e6 * ms[w] / passes / g.nedges, ms[w] / ms[TUPLE]);
        if (slide[s].ms[w] > 0)
            printf("\t%g\t%.1f\n", slide[s].ms[w], slide[s].ms[w] / slide[s].ms[TUPLE]);
        else puts("\t-\t-");
    }
    fflush(stdout);
    free(truth), free(distance);
    unmake(&g);
}

static void find_cycle(size_t s, uint32_t scale) {
    struct graph g = make_scaled(s, scale, true);
    int64_t *distance = room(g.nvertices, sizeof *distance);
    printf("%u\t%u", g.nvertices, g.nedges);
    for (size_t w = 0; w < NWAYS; w++)
        printf("\t%s", ways[w].run(&g, distance) == 0 ? "found" : "missed");
    putchar('\n');
    fflush(stdout);
    free(distance);
    unmake(&g);
}

int main(int argc, char **argv) {
    enum { SIZES = sizeof slide / sizeof *slide };
    pin();
    if (argc == 4 && strcmp(argv[1], "times") == 0) {
        puts(
            "vertices\tedges\tnegative\tway\tpasses\tms\tns_an_edge\tratio\tslide_ms\tslide_ratio");
        for (size_t s = 0; s < SIZES; s++)
            time_graph(s, strtoull(argv[2], NULL, 10), (uint32_t)strtoul(argv[3], NULL, 10));
    } else if (argc == 3 && strcmp(argv[1], "cycles") == 0) {
        puts("vertices\tedges\ttuple\tsparse\tdict\tdict-cuckoo\tprop");
        for (size_t s = 0; s < SIZES; s++) find_cycle(s, (uint32_t)strtoul(argv[2], NULL, 10));
    } else return fputs("usage: graph times ROUNDS SCALE | cycles SCALE\n", stderr), 2;
    return 0;
}
