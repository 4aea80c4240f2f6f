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
