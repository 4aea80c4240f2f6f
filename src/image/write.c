/* write.c - the image goes out in one pass: header, note, cells as they are, then their sums. */
#include "core/memory.h"
#include "core/share.h"
#include "image/layout.h"

static struct head head_of(const sito_filter *f) {
    struct head h = {.kind = f->kind, .shape = f->shape, .note_bytes = (uint32_t)f->note_bytes};
    memcpy(h.extra, f->extra, sizeof h.extra);
    layout_of(&h);
    return h;
}

uint64_t sito_image_bytes(const sito_filter *f) { return f ? head_of(f).image_bytes : 0; }

static uint64_t double_bits(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static void fill_header(const sito_filter *f, const struct head *h, uint8_t *p) {
    memcpy(p + AT_MAGIC, SITO_MAGIC, 8);
    put16(p + AT_MAJOR, FORMAT_MAJOR);
    put16(p + AT_MINOR, FORMAT_MINOR);
    put32(p + AT_FLAGS_WRITE, f->flags_write);
    put32(p + AT_FLAGS_IGNORE, f->flags_ignore);
    put16(p + AT_KIND, f->kind->id);
    put16(p + AT_HASH, f->hash.id);
    put32(p + AT_NOTE_BYTES, h->note_bytes);
    put64(p + AT_SEED, f->hash.seed);
    put64(p + AT_CHECK, f->hash.check);
    put64(p + AT_NKEYS, keys_of(f));
    put64(p + AT_CAPACITY, f->capacity);
    put64(p + AT_WANTED, double_bits(f->wanted_fpr));
    put64(p + AT_CELL_BYTES, h->cell_bytes);
    put64(p + AT_NCELLS, f->shape.ncells);
    for (int i = 0; i < 4; i++) put16(p + AT_PARAMS + 2 * i, f->shape.param[i]);
    for (int i = 0; i < 3; i++) put64(p + AT_EXTRA + 8 * i, f->extra[i]);
    if (f->note_bytes) memcpy(p + HEADER_BYTES, f->note, f->note_bytes);
    put64(p + AT_SUM, header_sum(p, h->cells_at));
}

/* Cells on their way out: each piece of 64 KiB leaves its sum behind. */
struct outflow {
    sito_rc (*put)(void *self, const void *bytes, size_t n);
    void *self;
    XXH3_state_t piece;
    uint64_t in_piece;
    uint8_t *next_sum;
};

static void close_piece(struct outflow *o) {
    put64(o->next_sum, XXH3_64bits_digest(&o->piece));
    o->next_sum += 8;
    o->in_piece = 0;
    XXH3_64bits_reset(&o->piece);
}

static sito_rc flow(struct outflow *o, const uint8_t *bytes, uint64_t n) {
    while (n) {
        uint64_t part = least(n, PIECE_BYTES - o->in_piece);
        XXH3_64bits_update(&o->piece, bytes, (size_t)part);
        sito_rc rc = o->put(o->self, bytes, (size_t)part);
        if (rc != SITO_OK) return rc;
        bytes += part, n -= part, o->in_piece += part;
        if (o->in_piece == PIECE_BYTES) close_piece(o);
    }
    return SITO_OK;
}

sito_rc sito_write(const sito_filter *f, sito_rc (*put)(void *self, const void *bytes, size_t n),
                   void *self) {
    if (!f || !put) return SITO_EINVAL;
    static const uint8_t zeros[CELLS_ALIGN];
    uint8_t front[HEADER_BYTES + OWNER_BYTES + SITO_NOTE_MAX + CELLS_ALIGN] = {0};
    struct head h = head_of(f);
    uint64_t sums_bytes = 8 * (h.npieces + 1);
    uint8_t *sums = (uint8_t *)take(&f->mem, sums_bytes, false);
    if (!sums) return SITO_ENOMEM;

    struct outflow out = {.put = put, .self = self, .next_sum = sums};
    XXH3_64bits_reset(&out.piece);
    fill_header(f, &h, front);
    sito_rc rc = put(self, front, (size_t)h.cells_at);
    for (int i = 0; i < SEGMENTS && rc == SITO_OK; i++) {
        rc = flow(&out, f->seg[i].at, h.segment[i]);
        if (rc == SITO_OK)
            rc = flow(&out, zeros, rounded_up(h.segment[i], CELLS_ALIGN) - h.segment[i]);
    }
    if (rc == SITO_OK) {
        if (out.in_piece) close_piece(&out);
        put64(out.next_sum, XXH3_64bits(sums, (size_t)(8 * h.npieces)));
        /* Cells that were never verified must not get sums that say they are sound. */
        bool unseen = f->home == IMAGE_MAPPED || f->home == IMAGE_BORROWED;
        if (unseen && memcmp(sums, f->image + h.sums_at, (size_t)sums_bytes) != 0)
            rc = SITO_EDAMAGED;
    }
    if (rc == SITO_OK) rc = put(self, sums, (size_t)sums_bytes);
    give(&f->mem, sums, sums_bytes);
    return rc;
}

/* ---- the note ---- */

sito_rc sito_set_note(sito_filter *f, const char owner[8], const void *bytes, size_t n) {
    if (!f || !owner || (!bytes && n) || n > SITO_NOTE_MAX) return SITO_EINVAL;
    if (f->read_only) return SITO_EUNABLE;
    if (f->note && memcmp(f->note, owner, OWNER_BYTES) != 0) return SITO_EFULL;
    uint8_t *note = NULL;
    if (n) {
        note = (uint8_t *)take(&f->mem, OWNER_BYTES + n, false);
        if (!note) return SITO_ENOMEM;
        memcpy(note, owner, OWNER_BYTES);
        memcpy(note + OWNER_BYTES, bytes, n);
    }
    give(&f->mem, f->note, f->note_bytes);
    f->note = note;
    f->note_bytes = n ? OWNER_BYTES + n : 0;
    return SITO_OK;
}

const void *sito_note(const sito_filter *f, const char owner[8], size_t *n) {
    if (!f || !owner || !f->note || memcmp(f->note, owner, OWNER_BYTES) != 0) return NULL;
    if (n) *n = f->note_bytes - OWNER_BYTES;
    return f->note + OWNER_BYTES;
}
