/*
 * vectors.c - what must come out the same on every machine, printed: run it natively and under qemu on a
 * big-endian machine, and compare. With --walks, what the machine has: its instruction sets, each held
 * against the portable one. Plain C, no test library.
 */
#include "cases.h"
#include "cuckoo.h"

#include <inttypes.h>
#include <sito/fuse.h>
#include <sito/linear.h>

#include "kernels.h"
#include "levels.h"

/* Whole bytes of the small ones, so that a difference can be read. */
static void print_bytes(const image *im) {
    for (size_t i = 0; i < im->len; i++)
        printf("%s%02x", i % 32 ? "" : i ? "\n    " : "    ", im->bytes[i]);
    printf("\n");
}

static void print_hashes(void) {
    sito_plan fast = {.kind = SITO_BLOOM, .nkeys = 10, .seed = 42},
              keyed = {.kind = SITO_BLOOM, .nkeys = 10};
    uint8_t text[300];
    keyed.key = &case_key;
    for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)mixed(i);
    for (size_t len = 0; len <= sizeof text; len += len < 40 ? 1 : 13)
        printf("hash of %zu bytes: %016" PRIx64 " %016" PRIx64 "\n", len,
               sito_hash_plan(&fast, text, len), sito_hash_plan(&keyed, text, len));
}

static void print_plans(const char *kind) {
    for (uint64_t n = 1; n <= 1000000000; n *= 10)
        for (double fpr = 0.1; fpr > 1e-6; fpr /= 10) {
            sito_plan plan = plan_for(kind, n, 42);
            plan.fpr = fpr;
            sito_rc rc = sito_plan_solve(&plan);
            printf("%s plan %" PRIu64 " %.0e: %d, %" PRIu64 " bytes, %" PRIu64
                   " cells, k %u, tag %u, %.6e\n",
                   kind, n, fpr, rc, plan.bytes, plan.ncells, plan.nhashes, plan.tag_bits,
                   plan.real_fpr);
        }
}

/* The image is opened again and asked: right bytes that are read wrongly would not show otherwise. */
static void print_answers(const char *kind, const image *im, const struct image_case *c) {
    sito_how how = {.key = c->keyed ? &case_key : NULL};
    sito_filter *copy = NULL, *view = NULL;
    const char *why = "";
    sito_rc rc = sito_from_image(im->bytes, im->len, &how, &copy, &why);
    if (rc == SITO_OK) rc = sito_view(im->bytes, im->len, &how, &view, &why);
    if (rc == SITO_OK) rc = sito_check(view, &why);
    uint64_t missing = 0, wrong = 0, differ = 0;
    sito_info info = {0};
    if (rc == SITO_OK) rc = sito_look(copy, &info);
    for (uint64_t i = 0; rc == SITO_OK && i < c->keys; i++) missing += !maybe_no(copy, i);
    for (uint64_t i = 0; rc == SITO_OK && i < 20000; i++) {
        wrong += maybe_no(copy, 2000000 + i);
        differ += maybe_no(copy, 2000000 + i) != maybe_no(view, 2000000 + i);
    }
    printf("%s %s: opened %d, %" PRIu64 " missing, %" PRIu64 " wrong, %" PRIu64
           " differ, fill %.6f, now %.6e\n",
           kind, c->name, rc, missing, wrong, differ, info.fill, info.present_fpr);
    sito_free(copy);
    sito_free(view);
}

/* Counters of every width, some saturated: counted up and down, and merged. */
static void print_counters(void) {
    for (unsigned bits = 2; bits <= 16; bits++) {
        sito_plan plan = {.kind = SITO_COUNTING,
                          .nkeys = 300,
                          .ncells = 997,
                          .nhashes = 3,
                          .cell_bits = bits,
                          .seed = 42};
        sito_filter *a = filled(&plan, 0, 300), *b = filled(&plan, 200, 300);
        uint64_t gone = 0;
        double saturated = 0;
        sito_info info;
        for (uint64_t i = 0; i < 100; i++) gone += remove_no(a, i) == 1;
        if (sito_merge(a, b) != SITO_OK || sito_look(a, &info) != SITO_OK ||
            sito_fact(a, "saturated", &saturated) != SITO_OK)
            give_up("counters cannot be merged");
        image im = image_of(a);
        printf("counters of %u bits: %016" PRIx64 ", %" PRIu64 " gone, %.0f saturated, fill %.6f\n",
               bits, digest_of(&im), gone, saturated, info.fill);
        free(im.bytes);
        sito_free(a);
        sito_free(b);
    }
}

/* Cuckoo tables of every form, crowded until some keys were refused, thinned out, and opened again. */
static void print_form(struct form form, unsigned tag_bits) {
    sito_plan plan = table_of(form, 120, tag_bits, 42);
    plan.max_moves = is(form.rule, "path") ? 4 : 500; /* or the search would be most of the work */
    sito_filter *f = new_filter(&plan), *again = NULL;
    uint64_t refused = 0, gone = 0, found = 0;
    double moves = 0;
    for (uint64_t i = 0; i < 125; i++) refused += add_no(f, i) < 0;
    for (uint64_t i = 0; i < 40; i++) gone += remove_no(f, i) == 1;
    for (uint64_t i = 300; i < 330; i++) refused += add_no(f, i) < 0;
    image im = image_of(f);
    if (sito_from_image(im.bytes, im.len, NULL, &again, NULL) != SITO_OK ||
        sito_fact(again, "moves", &moves) != SITO_OK)
        give_up("a cuckoo filter cannot be opened again");
    for (uint64_t i = 0; i < 2000; i++) found += maybe_no(again, i);
    printf("cuckoo, " FORM ", %u bits: %016" PRIx64 ", %" PRIu64 " refused, %" PRIu64
           " gone, %" PRIu64 " found, %.0f moves\n",
           OF_FORM(form), tag_bits, digest_of(&im), refused, gone, found, moves);
    if (tag_bits == 12) print_bytes(&im);
    free(im.bytes);
    sito_free(f);
    sito_free(again);
}

static void print_forms(void) {
    struct form form;
    EACH_FORM(form)
    for (unsigned tag_bits = 5; tag_bits <= 32; tag_bits += tag_bits < 12 ? 7 : 5)
        print_form(form, tag_bits);
}

/* Eight bits a key and sixteen; added alone, in batches and shared; merged and folded. */
static void print_blocks(void) {
    for (unsigned k = 8; k <= 16; k += 8)
        for (uint64_t nblocks = 2; nblocks <= 4096; nblocks *= 2) {
            sito_plan plan = {.kind = SITO_BLOCK,
                              .nkeys = 20 * nblocks,
                              .ncells = 512 * nblocks,
                              .nhashes = k,
                              .seed = 42};
            sito_filter *a = filled(&plan, 0, 5 * nblocks), *b = filled(&plan, 0, 0);
            uint64_t *hashes = malloc(5 * nblocks * sizeof *hashes);
            if (!hashes) give_up("no memory");
            for (uint64_t i = 0; i < 5 * nblocks; i++) hashes[i] = hash_no(a, 5 * nblocks + i);
            if (sito_add_many(b, hashes, 5 * nblocks, NULL, NULL) != SITO_OK)
                give_up("keys were refused");
            for (uint64_t i = 0; i < 5 * nblocks; i++)
                if (sito_add_shared(b, mixed(i)) < 0) give_up("a key was refused");
            if (sito_merge(a, b) != SITO_OK) give_up("no merge");
            image im = image_of(a);
            if (sito_fold(a, 1) != SITO_OK) give_up("no fold");
            image half = image_of(a);
            printf("%" PRIu64 " blocks of %u bits a key: %016" PRIx64 ", folded %016" PRIx64 "\n",
                   nblocks, k, digest_of(&im), digest_of(&half));
            free(im.bytes);
            free(half.bytes);
            free(hashes);
            sito_free(a);
            sito_free(b);
        }
}

/* Levels of every width on both scales: put, faded, merged, and read back. */
static void print_levels(void) {
    for (unsigned bits = 1; bits <= 16; bits++)
        for (unsigned geometric = 0; geometric < 2; geometric++) {
            sito_plan plan = {.kind = SITO_LINEAR,
                              .nkeys = 300,
                              .ncells = 997,
                              .nhashes = 3,
                              .cell_bits = bits,
                              .scale = geometric ? "geometric" : "linear",
                              .seed = 42};
            sito_filter *a = filled(&plan, 0, 50), *b = filled(&plan, 40, 50);
            double sum = 0;
            for (uint64_t i = 0; i < 200; i++) {
                numbered key = key_no(i);
                if (sito_linear_put(i % 2 ? a : b, key.bytes, 8,
                                    (double)(mixed(i) >> 11) * 0x1p-53) < 0)
                    give_up("a confidence was refused");
            }
            if (sito_linear_fade(b, 9, 10) != SITO_OK || sito_merge(a, b) != SITO_OK)
                give_up("levels cannot be merged");
            for (uint64_t i = 0; i < 200; i++) {
                numbered key = key_no(i);
                sum += sito_linear_get(a, key.bytes, 8) + sito_linear_get_mid(a, key.bytes, 8);
            }
            image im = image_of(a);
            printf("levels of %u bits, %s: %016" PRIx64 ", sum %.12f\n", bits, plan.scale,
                   digest_of(&im), sum);
            free(im.bytes);
            sito_free(a);
            sito_free(b);
        }
}

/* Three slots a key and four, narrow marks and wide ones, one piece and two. */
static void print_fuses(void) {
    for (unsigned arity = 3; arity <= 4; arity++)
        for (uint64_t n = 2; n <= 800000; n = n * 4 + 3)
            for (unsigned bits = 4; bits <= 32; bits += n < 1000 ? 4 : n < 100000 ? 14 : 32) {
                sito_plan plan = {
                    .kind = SITO_FUSE, .nkeys = n, .tag_bits = bits, .arity = arity, .seed = 42};
                sito_filter *f = filled(&plan, 0, n);
                image im = image_of(f);
                uint64_t found = 0;
                for (uint64_t i = n; i < n + 1000; i++) found += maybe_no(f, i);
                printf("fuse of %" PRIu64 " keys, %u-wise, %u bits: %016" PRIx64 ", %" PRIu64 "\n",
                       n, arity, bits, digest_of(&im), found);
                free(im.bytes);
                sito_free(f);
            }
}

/* Values of every width, marked and not; asked of the image, opened again. */
static void print_values(void) {
    enum { MOST = 900000 };
    uint64_t *hashes = malloc(MOST * sizeof *hashes);
    uint32_t *values = malloc(MOST * sizeof *values), value;
    if (!hashes || !values) give_up("no memory");
    for (uint64_t n = 2; n <= MOST; n = n < 100000 ? n * 9 + 3 : n * 5)
        for (unsigned bits = 1; bits <= 32; bits += n < 1000 ? 3 : 13) {
            sito_plan plan = {.kind = SITO_FUSE, .nkeys = n, .value_bits = bits, .seed = 42};
            plan.tag_bits = bits % 2 ? 0 : (32 - bits) / 2;
            plan.arity = bits % 3 ? 4 : 3;
            for (uint64_t i = 0; i < n; i++) {
                hashes[i] = mixed(i);
                values[i] = (uint32_t)(mixed(~i) >> (64 - bits));
            }
            sito_filter *f, *copy = NULL;
            if (sito_fuse_build(&plan, NULL, hashes, values, n, &f) != SITO_OK)
                give_up("values cannot be built");
            image im = image_of(f);
            uint64_t right = 0, noise = 0;
            if (sito_from_image(im.bytes, im.len, NULL, &copy, NULL) != SITO_OK)
                give_up("values cannot be opened");
            for (uint64_t i = 0; i < n; i++)
                right += sito_fuse_get_hash(copy, hashes[i], &value) == 1 && value == values[i];
            for (uint64_t i = n; i < n + 1000; i++)
                if (sito_fuse_get_hash(copy, mixed(i), &value) == 1) noise = noise * 31 + value;
            printf("%" PRIu64 " keys with %u bits: %016" PRIx64 ", %" PRIu64 " right, %016" PRIx64
                   "\n",
                   n, bits, digest_of(&im), right, noise);
            free(im.bytes);
            sito_free(f);
            sito_free(copy);
        }
    free(hashes);
    free(values);
}

static void print_walks(void) {
    const struct cpu_kernels *set;
    for (size_t i = 0; (set = cpu_at(i)) != NULL; i++) {
        struct kernel_tally tally = {0};
        const char *wrong = set->is_here() ? set_differs(set, &tally) : NULL;
        if (!wrong && set->is_here()) wrong = level_kernel_differs(set->levels);
        if (wrong) give_up(wrong);
        if (set->is_here()) puts(set->name);
    }
}

int main(int argc, char **argv) {
    const char *kind;
    if (argc == 2 && is(argv[1], "--walks")) return print_walks(), 0;
    print_hashes();
    EACH_KIND(kind) {
        print_plans(kind);
        for (size_t i = 0; i < IMAGE_CASES; i++) {
            image im = image_of_case(kind, &image_cases[i]);
            printf("%s %s: %zu bytes, %016" PRIx64 "\n", kind, image_cases[i].name, im.len,
                   digest_of(&im));
            if (im.len <= 1500 && image_cases[i].keys <= 20) print_bytes(&im);
            print_answers(kind, &im, &image_cases[i]);
            free(im.bytes);
        }
    }
    print_counters();
    print_levels();
    print_forms();
    print_blocks();
    print_fuses();
    print_values();
    return 0;
}
