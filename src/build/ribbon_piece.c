/* ribbon_piece.c - who stays, who is bumped. */
#include "build/ribbon_piece.h"

/* With so many equations open, the next 64 rows hold them all but once in some hundred times; more
 * are not even tried. */
enum { OPEN_MAX_TRY = 60 };

static bool will_fit(const struct ribbon_piece *p, const struct ribbon_bucket *b, size_t from) {
    return p->kernel->most_open(b->met, (int)b->before.n, (int)from) <= OPEN_MAX_TRY;
}

static bool sweep(struct ribbon_piece *p, struct ribbon_bucket *b, uint64_t at, size_t from,
                  unsigned nrows) {
    p->open = b->before;
    struct ribbon_keys keys = {b->coef, b->tag, b->met, (unsigned)from, (unsigned)b->n, p->bits};
    return p->kernel->sweep(&p->open, p->rows, at * RIBBON_BUCKET, nrows, keys);
}

static struct ribbon_bucket *bucket_no(struct ribbon_piece *p, uint64_t i) {
    return &p->two[i % 2];
}

/* Can what is open be met in the next 64 rows, if nothing is added? If not, the bucket before has
 * kept too much. */
static bool is_sound(struct ribbon_piece *p, struct ribbon_bucket *b, uint64_t at) {
    return sweep(p, b, at, b->n, RIBBON_WIDTH);
}

/* The least code, this one or above, that can be met: then true. Bumping all can, or what was open
 * when the bucket began was not sound. */
static bool settle_bucket(struct ribbon_piece *p, struct ribbon_bucket *b, uint64_t at,
                          unsigned code) {
    for (b->code = code; b->code < RIBBON_CODES; b->code++) {
        size_t from = ribbon_first_kept(b, b->code);
        if (b->code < RIBBON_CODES - 1 && !will_fit(p, b, from)) continue;
        if (sweep(p, b, at, from, RIBBON_BUCKET)) return true;
        if (at && !is_sound(p, b, at)) return false;
    }
    return false;
}

/* The bucket before keeps less, until what it leaves open is sound. */
static void make_sound(struct ribbon_piece *p, struct ribbon_bucket *b) {
    struct ribbon_bucket *last = bucket_no(p, p->nbuckets - 1);
    while (last->code < RIBBON_CODES - 1) {
        settle_bucket(p, last, p->nbuckets - 1, last->code + 1);
        b->before = p->open;
        if (is_sound(p, b, p->nbuckets)) return;
    }
}

void ribbon_piece_begin(struct ribbon_piece *p) {
    p->nbuckets = 0;
    memset(&p->open, 0, sizeof p->open);
}

struct ribbon_bucket *ribbon_piece_next(struct ribbon_piece *p) {
    return bucket_no(p, p->nbuckets);
}

static void write_equations(struct ribbon_bucket *b, unsigned bits) {
    uint64_t tag_mask = ((uint64_t)1 << bits) - 1;
    for (size_t i = 0; i < b->n; i++) {
        struct equation e = equation_of(b->hash[i]);
        b->coef[i] = turned_to(e.coef, b->start[i] % RIBBON_WIDTH);
        b->tag[i] = e.tag & tag_mask;
    }
}

void ribbon_piece_take(struct ribbon_piece *p) {
    struct ribbon_bucket *b = bucket_no(p, p->nbuckets);
    write_equations(b, p->bits);
    b->before = p->open;
    unsigned code = b->crowded ? RIBBON_CODES - 1 : 0;
    if (!settle_bucket(p, b, p->nbuckets, code)) {
        make_sound(p, b);
        settle_bucket(p, b, p->nbuckets, code);
    }
    if (p->nbuckets) p->settled(p->self, p->nbuckets - 1, bucket_no(p, p->nbuckets - 1));
    p->nbuckets++;
}

uint64_t ribbon_piece_end(struct ribbon_piece *p) {
    struct ribbon_bucket *b = bucket_no(p, p->nbuckets);
    b->before = p->open;
    b->n = 0;
    memset(b->met, 0, sizeof b->met);
    if (!is_sound(p, b, p->nbuckets) && p->nbuckets) make_sound(p, b);
    if (p->nbuckets) p->settled(p->self, p->nbuckets - 1, bucket_no(p, p->nbuckets - 1));
    return p->nbuckets * RIBBON_BUCKET + RIBBON_WIDTH;
}
