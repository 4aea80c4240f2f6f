/*
 * fuzz_image.c - any bytes as an image. The library is built with FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION,
 * so sums do not count and the fuzzer gets behind them.
 *
 * What is accepted goes through every call of exercise.h: it may answer anything, but every call ends, what
 * is added is found, and what is written is taken back.
 *
 * SITO_SEEDS=FOLDER in the environment writes a small image of each kind and form into FOLDER, and ends.
 */
#include "cuckoo.h"
#include "exercise.h"

static const sito_key secret = {.id = 7, .bytes = "fifteen letters"};

static void write_seed(const char *folder, sito_plan plan, unsigned variant) {
    char path[4096];
    if (variant & 1) plan.key = &secret, plan.seed = 0;
    sito_filter *f = filled(&plan, 0, plan.nkeys < 8 ? (size_t)plan.nkeys : 8);
    if (variant & 2 && sito_set_note(f, "testtest", "note", 4) != SITO_OK) give_up("no note");
    snprintf(path, sizeof path, "%s/%s-%u", folder, plan.kind, variant);
    if (sito_save(f, path) != SITO_OK) give_up("cannot write a seed");
    sito_free(f);
}

/* Values of 5 bits, marked and not. */
static void write_map_seed(const char *folder, unsigned tag_bits, unsigned arity) {
    enum { N = 30 };
    char path[4096];
    uint64_t hashes[N];
    uint32_t values[N];
    sito_plan plan = {.kind = SITO_FUSE, .nkeys = N, .value_bits = 5, .seed = 42};
    sito_filter *f;
    plan.tag_bits = tag_bits, plan.arity = arity;
    for (uint32_t i = 0; i < N; i++) hashes[i] = mixed(i), values[i] = i;
    if (sito_fuse_build(&plan, NULL, hashes, values, N, &f) != SITO_OK) give_up("no map");
    snprintf(path, sizeof path, "%s/map-%u-%u", folder, tag_bits, arity);
    if (sito_save(f, path) != SITO_OK) give_up("cannot write a seed");
    sito_free(f);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const char *folder = getenv("SITO_SEEDS"), *kind;
    if (!folder) return 0;
    EACH_KIND(kind)
    for (unsigned variant = 0; variant < 8; variant++)
        write_seed(folder, plan_for(kind, variant & 4 ? 200 : 8, 42), variant);
    for (unsigned form = 0; form < FORMS; form++) {
        sito_plan plan = table_of(form_no(form), 16, 9, 42);
        plan.nkeys = 4;
        plan.max_moves = 3;
        write_seed(folder, plan, 8 + 4 * form);
    }
    for (unsigned tag_bits = 0; tag_bits <= 3; tag_bits += 3)
        for (unsigned arity = 3; arity <= 4; arity++) write_map_seed(folder, tag_bits, arity);
    exit(0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    /* With the key, without it, and for images that never had one. */
    const sito_how ways[] = {{.flags = SITO_NOKEY}, {.key = &secret}};
    for (size_t i = 0; i < 2; i++) {
        const char *wrong = exercise_image(bytes, len, &ways[i], NULL);
        if (wrong) give_up(wrong);
    }
    return 0;
}
