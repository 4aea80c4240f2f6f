/*
 * check.c - the one validator, for every way bytes come in.
 *
 * What it accepts is safe to ask: the sizes in the header fit each other and the bytes that are
 * there, and the kinds check whatever they follow inside the cells. Sizes are compared, never
 * subtracted from, and nothing is allocated before its size has been compared with what is there.
 */
#include "image/layout.h"

/* A fuzzer cannot guess sums, and would never get past them. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { SUMS_COUNT = 0 };
#else
enum { SUMS_COUNT = 1 };
#endif

bool layout_of(struct head *h) {
    if (!h->kind->sizes(&h->shape, h->extra, h->segment)) return false;
    h->cells_at = rounded_up(HEADER_BYTES + (uint64_t)h->note_bytes, CELLS_ALIGN);
    h->cell_bytes = 0;
    for (int i = 0; i < SEGMENTS; i++)
        h->cell_bytes = sum_of(h->cell_bytes, rounded_up(h->segment[i], CELLS_ALIGN));
    h->sums_at = sum_of(h->cells_at, h->cell_bytes);
    h->npieces = h->cell_bytes / PIECE_BYTES + (h->cell_bytes % PIECE_BYTES != 0);
    h->image_bytes = sum_of(h->sums_at, product_of(h->npieces + 1, 8));
    return h->image_bytes < UINT64_MAX;
}

uint64_t header_sum(const uint8_t *image, uint64_t cells_at) {
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, image, AT_SUM);
    XXH3_64bits_update(&state, image + HEADER_BYTES, (size_t)(cells_at - HEADER_BYTES));
    return XXH3_64bits_digest(&state);
}

static bool is_zero(const uint8_t *p, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        if (p[i]) return false;
    return true;
}

static double as_double(uint64_t bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

sito_rc image_head(const uint8_t *image, uint64_t len, uint64_t at_hand, struct head *h,
                   const char **why) {
    if (len < HEADER_BYTES) return refuse(SITO_EDAMAGED, "shorter than a sito header", why);
    if (memcmp(image, SITO_MAGIC, 8) != 0) return refuse(SITO_EDAMAGED, "not a sito image", why);
    if (get16(image + AT_MAJOR) != FORMAT_MAJOR)
        return refuse(SITO_EVERSION, "a format this sito does not know", why);
    if (get32(image + AT_FLAGS_REFUSE))
        return refuse(SITO_EVERSION, "a feature this sito does not know", why);

    *h = (struct head){.hash_id = get16(image + AT_HASH),
                       .note_bytes = get32(image + AT_NOTE_BYTES)};
    if (h->note_bytes &&
        (h->note_bytes <= OWNER_BYTES || h->note_bytes > OWNER_BYTES + SITO_NOTE_MAX))
        return refuse(SITO_EDAMAGED, "the note has an impossible size", why);
    uint64_t cells_at = rounded_up(HEADER_BYTES + (uint64_t)h->note_bytes, CELLS_ALIGN);
    if (len < cells_at) return refuse(SITO_EDAMAGED, "cut off inside the note", why);
    if (SUMS_COUNT && at_hand >= cells_at && header_sum(image, cells_at) != get64(image + AT_SUM))
        return refuse(SITO_EDAMAGED, "the header's checksum differs", why);

    h->kind = kind_numbered(get16(image + AT_KIND));
    if (!h->kind) return refuse(SITO_EVERSION, "a kind of filter this sito does not know", why);
    if (h->hash_id != HASH_XXH3 && h->hash_id != HASH_SIP13)
        return refuse(SITO_EVERSION, "a hash this sito does not know", why);
    h->flags_write = get32(image + AT_FLAGS_WRITE);
    h->flags_ignore = get32(image + AT_FLAGS_IGNORE);
    h->seed = get64(image + AT_SEED);
    h->check = get64(image + AT_CHECK);
    h->nkeys = get64(image + AT_NKEYS);
    h->capacity = get64(image + AT_CAPACITY);
    h->wanted_fpr = as_double(get64(image + AT_WANTED));
    h->shape.ncells = get64(image + AT_NCELLS);
    for (int i = 0; i < 4; i++) h->shape.param[i] = get16(image + AT_PARAMS + 2 * i);
    for (int i = 0; i < 3; i++) h->extra[i] = get64(image + AT_EXTRA + 8 * i);

    if (h->hash_id == HASH_XXH3 && h->check)
        return refuse(SITO_EDAMAGED, "an unkeyed image has a key's tag", why);
    if (!(h->wanted_fpr >= 0 && h->wanted_fpr < 1))
        return refuse(SITO_EDAMAGED, "an impossible rate", why);
    if (!layout_of(h)) return refuse(SITO_EDAMAGED, "an impossible geometry", why);
    if (get64(image + AT_CELL_BYTES) != h->cell_bytes)
        return refuse(SITO_EDAMAGED, "geometry and size of the cells disagree", why);
    if (len != h->image_bytes)
        return refuse(SITO_EDAMAGED,
                      len < h->image_bytes ? "cut off: shorter than its header says"
                                           : "longer than its header says",
                      why);
    if (at_hand >= cells_at) {
        const uint8_t *note_end = image + HEADER_BYTES + h->note_bytes;
        if (!is_zero(note_end, h->cells_at - HEADER_BYTES - h->note_bytes))
            return refuse(SITO_EDAMAGED, "bytes without meaning are not zero", why);
    }
    return SITO_OK;
}

sito_rc image_sums(const uint8_t *image, const struct head *h, const char **why) {
    const uint8_t *sums = image + h->sums_at, *cells = image + h->cells_at;
    if (SUMS_COUNT && XXH3_64bits(sums, (size_t)(8 * h->npieces)) != get64(sums + 8 * h->npieces))
        return refuse(SITO_EDAMAGED, "the table of checksums is damaged", why);
    for (uint64_t i = 0; SUMS_COUNT && i < h->npieces; i++) {
        uint64_t at = i * PIECE_BYTES, n = least(PIECE_BYTES, h->cell_bytes - at);
        if (XXH3_64bits(cells + at, (size_t)n) != get64(sums + 8 * i))
            return refuse(SITO_EDAMAGED, "a checksum of the cells differs", why);
    }
    for (int i = 0; i < SEGMENTS; i++) {
        uint64_t padded = rounded_up(h->segment[i], CELLS_ALIGN);
        if (!is_zero(cells + h->segment[i], padded - h->segment[i]))
            return refuse(SITO_EDAMAGED, "bytes without meaning are not zero", why);
        cells += padded;
    }
    return SITO_OK;
}

sito_rc sito_check(const sito_filter *f, const char **why) {
    const char *sentence = "";
    if (!why) why = &sentence;
    if (!f) return refuse(SITO_EINVAL, "no filter", why);
    if (f->home == IMAGE_MAPPED || f->home == IMAGE_BORROWED) {
        struct head h;
        sito_rc rc = image_head(f->image, f->image_bytes, f->image_bytes, &h, why);
        if (rc == SITO_OK) rc = image_sums(f->image, &h, why);
        if (rc != SITO_OK) return rc;
    }
    return f->kind->verify(f, why);
}
