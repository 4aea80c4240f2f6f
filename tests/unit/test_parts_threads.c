/* test_parts_threads.c - builds in parts whose rounds are short: several of them, and eight of an eighth; a
 * table as by adding one by one, whatever memory is refused. */
#define PARTS_ROUND ((uint64_t)1 << 14)
#define PARTS_LOOK ((size_t)1 << 12)
#define PARTS_WORTH 64
#define NEAR_ONE (((uint64_t)8 << 20) + (256 << 10))
#define NEAR_TWO NEAR_ONE
#include "build/parts.c"
#include "cpu/block_walk.h"

#include "check.h"
#include "memory.h"
#include "no_threads.h"
#include "watcher.h"

enum {
    SEED = 42,
    BLOCKS = 140001,
    FIVE_ROUNDS = 70001,
    EIGHTHS = 300007,
    WHOLE_CHUNKS = 193512,
    PARTS = 35,
    SHIFT = 12
};

/* In all parts, some twice. */
static uint64_t *some_hashes(size_t n) {
    uint64_t *hashes = malloc(n * sizeof *hashes);
    assert_non_null(hashes);
    for (size_t i = 0; i < n; i++) hashes[i] = mixed(i % 9 == 8 ? i / 3 : i);
    return hashes;
}

/* In two parts, so that each has several chunks. */
static uint64_t *crowded_hashes(size_t n) {
    uint64_t *hashes = some_hashes(n);
    for (size_t i = 0; i < n; i++) hashes[i] >>= 5;
    return hashes;
}

/* In the first. Three threads fill three chunks each in the rounds of WHOLE_CHUNKS hashes, to the
 * last place, and all chunks that there are. */
static uint64_t *hashes_in_one_part(size_t n) {
    uint64_t *hashes = some_hashes(n);
    for (size_t i = 0; i < n; i++) hashes[i] >>= 12;
    return hashes;
}

/* Where the table is cut, so close that places are full, and the order matters to who is new. */
static uint64_t *hashes_at_cuts(size_t n) {
    uint64_t *hashes = some_hashes(n), place = UINT64_MAX / BLOCKS;
    for (size_t i = 0; i < n; i++) {
        uint64_t cut = range_begin((1 + hashes[i] % (PARTS - 1)) << SHIFT, BLOCKS);
        hashes[i] = cut - place + mixed(i + n) % (2 * place);
    }
    return hashes;
}

/* Evenly, but for one that comes again and again somewhere in the second round, and soon after. */
static uint64_t *hashes_with_a_crowd(size_t n, size_t at) {
    uint64_t *hashes = some_hashes(n);
    for (size_t i = at; i < at + 3000; i++) hashes[i] = UINT64_MAX;
    for (size_t i = at + 20000; i < at + 26000; i += 2) hashes[i] = i % 5 ? 0 : hashes[n - 1];
    return hashes;
}

static unsigned bits_a_key = 8;

static sito_plan plan_of(size_t n, unsigned threads) {
    return (sito_plan){.kind = SITO_BLOCK,
                       .nkeys = n,
                       .ncells = 512 * BLOCKS,
                       .nhashes = bits_a_key,
                       .seed = SEED,
                       .threads = threads};
}

static image one_by_one(const uint64_t *hashes, size_t n) {
    sito_plan plan = plan_of(n, 1);
    sito_filter *f = filled(&plan, 0, 0);
    for (size_t i = 0; i < n; i++) assert_true(sito_add_hash(f, hashes[i]) >= 0);
    image cells = image_of(f);
    sito_free(f);
    return cells;
}

/* By trays, or straight, whatever this machine is best at. */
static void carry_so(bool straight) {
    static struct cpu_kernels ways[2];
    ways[straight] = *cpu_choose();
    ways[straight].carries_straight = straight;
    cpu_choice = &ways[straight];
}

static void both_ways(void (*test)(void)) {
    for (int straight = 0; straight <= 1; straight++) {
        carry_so(straight);
        test();
    }
    cpu_choose();
}

static void build_on_threads(uint64_t *hashes, size_t n) {
    static const unsigned threads[] = {1, 2, 3, 7, 16};
    image expected = one_by_one(hashes, n);
    for (size_t t = 0; t < 2 * sizeof threads / sizeof *threads; t++) {
        carry_so(t % 2);
        sito_plan plan = plan_of(n, threads[t / 2]);
        sito_filter *f = NULL;
        assert_int_equal(sito_build(&plan, NULL, hashes, n, &f), SITO_OK);
        image got = image_of(f);
        PROMISE(same_image(&got, &expected), "%zu keys, %u threads, %s: others", n, threads[t / 2],
                t % 2 ? "straight" : "by trays");
        free(got.bytes);
        sito_free(f);
    }
    cpu_choose();
    free(expected.bytes);
    free(hashes);
}

static void all_rounds_are_carried(void **state) {
    (void)state;
    assert_true((uint64_t)BLOCKS * 64 > NEAR_ONE); /* else there are no parts */
    build_on_threads(some_hashes(FIVE_ROUNDS), FIVE_ROUNDS);
    build_on_threads(some_hashes(EIGHTHS), EIGHTHS);
    build_on_threads(crowded_hashes(FIVE_ROUNDS), FIVE_ROUNDS);
    build_on_threads(crowded_hashes(EIGHTHS), EIGHTHS);
    build_on_threads(hashes_at_cuts(FIVE_ROUNDS), FIVE_ROUNDS);
    build_on_threads(hashes_in_one_part(WHOLE_CHUNKS), WHOLE_CHUNKS);
    for (size_t at = 40000; at < 100000; at += 5003)
        build_on_threads(hashes_with_a_crowd(EIGHTHS, at), EIGHTHS);
    bits_a_key = 16;
    build_on_threads(hashes_in_one_part(WHOLE_CHUNKS), WHOLE_CHUNKS);
    bits_a_key = 8;
}

#ifdef __GLIBC__
static void threads_that_do_not_start_are_made_up_for(void **state) {
    (void)state;
    struct no_threads was;
    no_threads_begin(&was);
    build_on_threads(some_hashes(EIGHTHS), EIGHTHS);
    no_threads_end(&was);
}
#endif

static void rounds_are_a_third(void **state) {
    (void)state;
    static const struct {
        uint64_t n, round;
    } some[] = {{1, PARTS_ROUND_LEAST},
                {3 * PARTS_ROUND_LEAST - 3, PARTS_ROUND_LEAST},
                {3 * PARTS_ROUND / 2, PARTS_ROUND / 2 + 1},
                {6 * PARTS_ROUND, PARTS_ROUND},
                {16 * PARTS_ROUND, 2 * PARTS_ROUND + 1}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        PROMISE(round_for(some[i].n) == some[i].round, "%llu hashes: %llu a round",
                (unsigned long long)some[i].n, (unsigned long long)round_for(some[i].n));
    for (unsigned t = 1; t <= HANDS_MAX; t++)
        PROMISE(chunk_for(t) && chunk_for(t) % TRAY == 0, "%u threads: %u", t, chunk_for(t));
}

/* Else they would be more than there is room for. */
static void chunks_are_filled_before_others_are_begun(void **state) {
    (void)state;
    enum { CHUNKS = 8, THREE = 3 * CHUNK_LEAST };
    struct carried *c = aligned_alloc(64, sizeof *c);
    uint64_t *room = aligned_alloc(64, CHUNKS * CHUNK_LEAST * sizeof *room);
    uint64_t *hashes = some_hashes(THREE);
    uint32_t next[CHUNKS];
    assert_true(c && room);
    c->room = room, c->next = next;
    for (size_t i = 0; i < THREE; i++) hashes[i] >>= 1; /* all in the first of two parts */
    struct work_of_parts w = {.nplaces = 2};
    carry_begin(c, 2, CHUNK_LEAST);
    carry_step(c, hashes, THREE, &w);
    assert_int_equal(c->used, 2 + 2);
    size_t done = 0;
    for (uint32_t chunk = c->first[0]; chunk != NO_CHUNK; chunk = next[chunk]) {
        assert_int_equal(chunk_count(c, 0, chunk), CHUNK_LEAST);
        lines_settle();
        assert_memory_equal(chunk_at(c, chunk), hashes + done, CHUNK_LEAST * sizeof *hashes);
        done += CHUNK_LEAST;
    }
    assert_int_equal(done, THREE);
    free(hashes);
    free(room);
    free(c);
}

/* ---- straight ---- */

static struct work_of_parts straight_work(sito_filter *f, const sito_plan *plan,
                                          const uint64_t *hashes, size_t n, unsigned nthreads) {
    struct work_of_parts w = {.f = f,
                              .plan = plan,
                              .hashes = hashes,
                              .n = n,
                              .total = n,
                              .round = n,
                              .nplaces = BLOCKS,
                              .shift = SHIFT,
                              .parts = PARTS,
                              .nthreads = nthreads};
    carry_so(true);
    assert_true(room_take(&w) && w.straight);
    cpu_choose();
    return w;
}

/* All that count, each in its part, in the order they came; and none beside its chunk. */
static void hashes_are_where_they_belong(const struct work_of_parts *w, size_t n) {
    size_t done[HANDS_MAX][PARTS] = {{0}};
    for (unsigned t = 0; t < w->carriers; t++) {
        const struct carried *c = &w->carried[t];
        size_t from = n * t / w->nthreads, end = from + c->done;
        assert_int_equal(end, t + 1 == w->carriers ? w->n : n * (t + 1) / w->nthreads);
        for (size_t i = from; i < end; i++) {
            size_t p = range_of(w->hashes[i], BLOCKS) >> SHIFT;
            assert_true(chunk_at(c, c->first[p])[done[t][p]++] == w->hashes[i]);
        }
        for (size_t p = 0; p < PARTS; p++) {
            assert_int_equal(chunk_count(c, p, c->first[p]), done[t][p]);
            assert_true(c->rest[p].at <= c->rest[p].end);
        }
        assert_int_equal(c->used, PARTS);
    }
}

/* And the first that finds no room ends the round, be it the last of a share. */
static void straight_hashes_are_in_their_part(void **state) {
    (void)state;
    enum { CROWD = 150000 };
    sito_plan plan = {0};
    sito_filter f = {.mem = memory_or_default(NULL)};
    for (unsigned threads = 1; threads <= 3; threads++) {
        uint64_t *hashes = some_hashes(EIGHTHS);
        size_t n = EIGHTHS;
        struct work_of_parts w = straight_work(&f, &plan, hashes, n, threads);
        carry_round(&w);
        assert_true(w.straight && w.n == EIGHTHS && w.carriers == threads);
        hashes_are_where_they_belong(&w, n);
        for (size_t i = CROWD; i < EIGHTHS; i += 2) hashes[i] = 0 - (uint64_t)1;
        w.straight = true;
        carry_round(&w);
        PROMISE(!w.straight && w.n > CROWD && w.n < EIGHTHS && w.carriers == 1 + (threads > 1),
                "%u threads: %zu, %u", threads, w.n, w.carriers);
        hashes_are_where_they_belong(&w, n);
        for (size_t more = 0; more <= 1; more++) { /* one part's chunk, full, and one hash more */
            size_t chunk = (size_t)straight_chunk(&w);
            for (size_t i = 0; i < EIGHTHS; i++) hashes[i] = i % 3 ? 0 : mixed(i) >> 20;
            w.straight = true, w.n = n = threads * (chunk + more);
            carry_round(&w);
            assert_int_equal(w.straight, !more);
            assert_int_equal(w.n, more ? chunk : threads * chunk);
            assert_int_equal(w.carriers, more ? 1 : threads);
            hashes_are_where_they_belong(&w, n);
        }
        room_give(&w);
        free(hashes);
    }
}

/* Else parts would be laid over each other. */
static void hashes_go_straight_where_there_is_room(void **state) {
    (void)state;
    sito_filter f = {.mem = memory_or_default(NULL)};
    unsigned ways[2] = {0, 0};
    carry_so(true);
    for (uint64_t n = 1 << 16; n < (uint64_t)1 << 26; n = 5 * n / 2)
        for (uint64_t places = 140001; places < 10000000; places *= 4)
            for (unsigned threads = 1; threads <= HANDS_MAX; threads *= 2) {
                unsigned shift = shift_for(places, places * 64);
                struct work_of_parts w = {.f = &f,
                                          .total = n,
                                          .round = round_for(n),
                                          .nplaces = places,
                                          .shift = shift,
                                          .parts = parts_in(places, shift),
                                          .nthreads = threads};
                assert_true(room_take(&w));
                uint64_t bytes = w.taken / threads - sizeof *w.carried;
                if (w.straight)
                    assert_true(straight_chunk(&w) * w.parts <= bytes / sizeof(uint64_t));
                uint64_t trays = w.each / chunk_for(threads) + w.parts;
                assert_true(trays * (chunk_for(threads) * 8 + 4) <= bytes);
                ways[w.straight]++;
                room_give(&w);
            }
    PROMISE(ways[0] > 10 && ways[1] > 10, "%u by trays, %u straight", ways[0], ways[1]);
    cpu_choose();
}

/* Many threads have more to gain. Nobody sees it in the filter. */
static void a_table_is_near_for_two_that_is_far_for_three(void **state) {
    (void)state;
    enum { N = 1 << 16, BETWEEN = 133000 };
    uint64_t *hashes = hashes_at_cuts(N);
    image first = {0};
    assert_true(BETWEEN * 64 > NEAR_MANY && BETWEEN * 64 <= NEAR_ONE);
    for (unsigned threads = 0; threads <= 3; threads++) {
        books b;
        sito_memory mem = memory_with(&b);
        sito_filter *f = NULL;
        sito_plan plan = plan_of(N, threads);
        plan.ncells = 512 * BETWEEN;
        assert_int_equal(sito_build(&plan, &mem, hashes, N, &f), SITO_OK);
        PROMISE((b.most_bytes > b.live_bytes) == (threads == 3), "%u threads: %zu of %zu bytes",
                threads, b.live_bytes, b.most_bytes);
        image got = image_of(f);
        if (!first.bytes) first = got;
        PROMISE(same_image(&got, &first), "%u threads: another filter", threads);
        if (got.bytes != first.bytes) free(got.bytes);
        sito_free(f);
    }
    free(first.bytes);
    free(hashes);
}

/* ---- parts ---- */

static size_t parts_of(uint64_t nplaces) {
    return parts_in(nplaces, shift_for(nplaces, nplaces * 64));
}

static void parts_are_near_and_not_too_many(void **state) {
    (void)state;
    assert_int_equal(shift_for(BLOCKS, (uint64_t)BLOCKS * 64), SHIFT);
    assert_int_equal(parts_of(BLOCKS), PARTS);
    uint64_t near = PART_BYTES / 64 * PARTS_MAX;
    assert_int_equal(parts_of(near), PARTS_MAX);
    assert_int_equal(parts_of(near + 1), PARTS_MAX / 2 + 1);
    for (unsigned log = 17; log < 58; log++)
        for (int more = -1; more <= 1; more++) {
            uint64_t n = ((uint64_t)1 << log) + (uint64_t)more;
            PROMISE(parts_of(n) >= 32 && parts_of(n) <= PARTS_MAX, "2^%u%+d places: %zu parts", log,
                    more, parts_of(n));
        }
}

/* And so has whoever fills that part. */
static void a_place_has_one_part(void **state) {
    (void)state;
    struct work_of_parts w = {.nplaces = BLOCKS, .shift = SHIFT};
    struct carried *c = aligned_alloc(64, sizeof *c);
    uint64_t room[1];
    uint32_t next[PARTS];
    assert_non_null(c);
    c->room = room, c->next = next;
    for (size_t p = 0; p < PARTS; p++) {
        uint64_t places = least((p + 1) << SHIFT, BLOCKS), first = range_begin(p << SHIFT, BLOCKS);
        uint64_t last = places == BLOCKS ? UINT64_MAX : range_begin(places, BLOCKS) - 1;
        const uint64_t ends[] = {first, first + 1, last - 1, last};
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            carry_begin(c, PARTS, 0);
            carry_step(c, &ends[i], 1, &w);
            PROMISE(c->end[p] == c->tray + p * TRAY + 1 && c->end[p][-1] == ends[i],
                    "end %zu of part %zu is not in it", i, p);
        }
    }
    free(c);
}

/* Else the last part of as many as there may be would be laid beside the tray. */
static void trays_are_where_there_is_room(void **state) {
    (void)state;
    uint8_t *room = aligned_alloc(64, sizeof(struct carried) + TRAY_BYTES);
    uint32_t next[PARTS_MAX];
    assert_non_null(room);
    for (size_t at = 0; at < TRAY_BYTES; at += 64) {
        struct carried *c = (struct carried *)(void *)(room + at);
        c->next = next, c->room = NULL;
        carry_begin(c, PARTS_MAX, 0);
        assert_int_equal((uintptr_t)c->tray % TRAY_BYTES, 0);
        assert_true(c->tray >= c->trays);
        assert_true(c->tray + TRAY * PARTS_MAX <= c->trays + sizeof c->trays / sizeof *c->trays);
    }
    free(room);
}

/* Nobody sees it in the filter: of part p, which has so many keys, all but a piece's share is asked
 * for, and not a line more. */
static void asked_behind(struct work_of_parts *w, size_t p, uint32_t keys) {
    uint32_t next[2] = {NO_CHUNK, NO_CHUNK}, pieces = keys / COMING_PIECE;
    uint64_t lines = PART_BYTES / LINE_BYTES, left;
    for (unsigned t = 0; t < 2; t++) {
        struct carried *c = &w->carried[t];
        c->next = next, c->first[p] = c->last[p] = t;
        c->rest[p].at = chunk_at(c, t) + (t ? keys - keys / 3 : keys / 3);
    }
    assert_true(is_worth_asking(w, p));
    struct coming coming = part_behind(w, p);
    assert_ptr_equal(coming.at, w->f->seg[0].at + (p + 1) * PART_BYTES);
    assert_ptr_equal(coming.end, w->f->seg[0].at + least((p + 2) * PART_BYTES, w->f->seg[0].bytes));
    for (uint32_t i = 0; i < pieces; i++) coming_ask(&coming, COMING_PIECE);
    left = (uint64_t)(coming.end - coming.at) / LINE_BYTES;
    PROMISE(left <= lines / pieces, "%u keys, part %zu: %llu lines left", keys, p,
            (unsigned long long)left);
    PROMISE(coming.step * (keys / 8) <= PART_BYTES + keys / 8, "%u keys: too soon", keys);
    for (int i = 0; i < 3; i++) coming_ask(&coming, COMING_PIECE);
    assert_ptr_equal(coming.at, coming.end);
    w->carriers = 1;
    w->carried[0].rest[p].at = w->carried[0].room + WORTH_ASKING * lines - 1;
    assert_false(is_worth_asking(w, p));
    w->carriers = 2;
}

static void a_part_is_asked_for_before_its_turn(void **state) {
    (void)state;
    static const uint32_t keys[] = {16384, 16385, 40 * COMING_PIECE, 41 * COMING_PIECE - 1,
                                    5000 * COMING_PIECE};
    uint8_t *table = malloc((size_t)BLOCKS * 64);
    struct carried *c = aligned_alloc(64, 2 * sizeof *c);
    uint64_t *room = malloc(5002 * COMING_PIECE * sizeof *room);
    sito_filter f = {.seg[0] = {.at = table, .bytes = (uint64_t)BLOCKS * 64}};
    struct work_of_parts w = {
        .f = &f, .nplaces = BLOCKS, .shift = SHIFT, .parts = PARTS, .carriers = 2, .carried = c};
    assert_true(table && c && room);
    for (unsigned t = 0; t < 2; t++) c[t].room = room, c[t].chunk = 0;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        for (size_t p = 0; p + 1 < PARTS; p++) asked_behind(&w, p, keys[k]);
    free(c);
    free(room);
    free(table);
}

static void a_thread_has_its_share_of_parts_and_keys(void **state) {
    (void)state;
    sito_plan plan = {.threads = 7};
    assert_int_equal(threads_for(&plan, (uint64_t)PARTS_WORTH * 40 * PARTS, PARTS), 7);
    plan.threads = 1000;
    assert_int_equal(threads_for(&plan, (uint64_t)PARTS_WORTH * 40 * PARTS, PARTS), PARTS / 2);
    assert_int_equal(threads_for(&plan, (uint64_t)PARTS_WORTH * 5 * PARTS, PARTS), 5);
    assert_int_equal(threads_for(&plan, (uint64_t)PARTS_WORTH * 999 * 999, 999), HANDS_MAX);
    assert_int_equal(threads_for(&plan, 1, PARTS), 1);
    plan.threads = 0;
    assert_int_equal(threads_for(&plan, (uint64_t)PARTS_WORTH * 40 * PARTS, PARTS), 1);
}

/* ---- short memory, and the watch ---- */

struct peaks {
    size_t least, most; /* bytes that were out at a time */
};

/* Each request of a build is refused once, and then all from it on as well. */
static struct peaks build_refused(const uint64_t *hashes, const image *expected, bool for_ever) {
    struct peaks peaks = {SIZE_MAX, 0};
    bool had_all = false;
    for (size_t at = 1; !had_all; at++) {
        books b;
        sito_memory mem = memory_with(&b);
        b.fail_at = at, b.for_ever = for_ever;
        sito_plan plan = plan_of(EIGHTHS, 3);
        sito_filter *f = NULL;
        sito_rc rc = sito_build(&plan, &mem, hashes, EIGHTHS, &f);
        had_all = b.calls < at;
        b.fail_at = 0;
        PROMISE(rc == SITO_OK || (rc == SITO_ENOMEM && !f && !had_all), "request %zu: %d", at, rc);
        if (f) {
            image got = image_of(f);
            PROMISE(same_image(&got, expected), "another filter without request %zu", at);
            free(got.bytes);
            if (b.most_bytes < peaks.least) peaks.least = b.most_bytes;
            if (b.most_bytes > peaks.most) peaks.most = b.most_bytes;
        }
        sito_free(f);
        PROMISE(b.live == 0 && !b.broken, "request %zu keeps some", at);
    }
    return peaks;
}

/* Without room for an eighth a short round will do, and without room for that none. */
static void short_memory_takes_shorter_rounds_so(void) {
    uint64_t *hashes = hashes_at_cuts(EIGHTHS);
    image expected = one_by_one(hashes, EIGHTHS);
    struct peaks once = build_refused(hashes, &expected, false);
    struct peaks ever = build_refused(hashes, &expected, true);
    PROMISE(once.least < once.most, "no build took less than %zu bytes", once.most);
    size_t short_round = 3 * sizeof(struct carried) + PARTS_ROUND * sizeof *hashes;
    PROMISE(once.least > ever.least + short_round, "%zu bytes, and %zu by adding", once.least,
            ever.least);
    free(expected.bytes);
    free(hashes);
}

static void short_memory_takes_shorter_rounds(void **state) {
    (void)state;
    both_ways(short_memory_takes_shorter_rounds_so);
}

/* A round has work for 16, not for 64. */
static void threads_without_work_have_no_room_so(void) {
    uint64_t *hashes = some_hashes(EIGHTHS);
    books b;
    sito_memory mem = memory_with(&b);
    sito_plan plan = plan_of(EIGHTHS, 64);
    sito_filter *f = NULL;
    assert_int_equal(sito_build(&plan, &mem, hashes, EIGHTHS, &f), SITO_OK);
    size_t most = (size_t)BLOCKS * 64 + 40 * sizeof(struct carried);
    PROMISE(b.most_bytes < most, "%zu bytes", b.most_bytes);
    sito_free(f);
    free(hashes);
}

static void threads_without_work_have_no_room(void **state) {
    (void)state;
    both_ways(threads_without_work_have_no_room_so);
}

/* Three threads carry the first round of an eighth: is more than half of that told on the way? */
struct carrying {
    struct watcher all;
    bool is_told;
};

static int watch_carrying(void *self, uint64_t done, uint64_t total) {
    struct carrying *c = self;
    if (done > total / 32 && done < total / 16) c->is_told = true;
    return watch(&c->all, done, total);
}

static void carrying_is_told_so(void) {
    uint64_t *hashes = some_hashes(EIGHTHS);
    struct carrying c = {.all = {.owner = pthread_self()}};
    sito_plan plan = plan_of(EIGHTHS, 3);
    sito_filter *f = NULL;
    plan.watch = watch_carrying, plan.watch_self = &c;
    assert_int_equal(sito_build(&plan, NULL, hashes, EIGHTHS, &f), SITO_OK);
    assert_true(c.is_told && !c.all.backwards);
    sito_free(f);
    free(hashes);
}

static void carrying_is_told(void **state) {
    (void)state;
    both_ways(carrying_is_told_so);
}

/* From round to round the watch never goes back, and ends a build wherever it says so. */
static void watch_rounds(uint64_t *hashes) {
    struct watcher w = {.owner = pthread_self()};
    sito_plan plan = plan_of(EIGHTHS, 3);
    sito_filter *f = NULL;
    plan.watch = watch, plan.watch_self = &w;
    assert_int_equal(sito_build(&plan, NULL, hashes, EIGHTHS, &f), SITO_OK);
    sito_free(f);
    unsigned calls = w.calls;
    PROMISE(calls > 8 && !w.backwards, "%u calls", calls);
    assert_int_equal(w.last, EIGHTHS);
    for (unsigned stop = 1; stop <= calls; stop += 1 + calls / 9) {
        books b;
        sito_memory mem = memory_with(&b);
        w = (struct watcher){.owner = pthread_self(), .stop_at = stop};
        f = NULL;
        sito_rc rc = sito_build(&plan, &mem, hashes, EIGHTHS, &f);
        PROMISE(w.calls <= stop && !w.backwards, "goes on after call %u", stop);
        PROMISE(w.calls == stop ? rc == SITO_ECANCEL && !f : rc == SITO_OK, "stopped at %u: %d",
                stop, rc);
        sito_free(f);
        PROMISE(b.live == 0 && !b.broken, "stopped at %u", stop);
    }
    free(hashes);
}

static void a_watch_sees_rounds_go_by(void **state) {
    (void)state;
    for (int straight = 0; straight <= 1; straight++) {
        carry_so(straight);
        watch_rounds(some_hashes(EIGHTHS));
        for (size_t at = 40000; at < 60000; at += 4001)
            watch_rounds(hashes_with_a_crowd(EIGHTHS, at));
    }
    cpu_choose();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rounds_are_carried),
#ifdef __GLIBC__
        cmocka_unit_test(threads_that_do_not_start_are_made_up_for),
#endif
        cmocka_unit_test(rounds_are_a_third),
        cmocka_unit_test(chunks_are_filled_before_others_are_begun),
        cmocka_unit_test(a_table_is_near_for_two_that_is_far_for_three),
        cmocka_unit_test(parts_are_near_and_not_too_many),
        cmocka_unit_test(a_place_has_one_part),
        cmocka_unit_test(trays_are_where_there_is_room),
        cmocka_unit_test(a_part_is_asked_for_before_its_turn),
        cmocka_unit_test(a_thread_has_its_share_of_parts_and_keys),
        cmocka_unit_test(short_memory_takes_shorter_rounds),
        cmocka_unit_test(threads_without_work_have_no_room),
        cmocka_unit_test(carrying_is_told),
        cmocka_unit_test(a_watch_sees_rounds_go_by),
        cmocka_unit_test(straight_hashes_are_in_their_part),
        cmocka_unit_test(hashes_go_straight_where_there_is_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
