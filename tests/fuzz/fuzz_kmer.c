/*
 * fuzz_kmer.c - any bytes as FASTA or FASTQ, in pieces of any size, and as two files of pairs. The pieces'
 * sizes do not matter; k-mers are those of every window by itself; what screening takes out and what it
 * keeps is all there was; packed and cut short, a file is refused. The first four bytes are options, the
 * size of the pieces, k, and where the second file begins.
 *
 * SITO_SEEDS=FOLDER in the environment writes some texts into FOLDER, and ends.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "../cli/talk.h"
#include "fuzz/seeds.h"
#include "kmer/index.h"
#include "kmer/sink.h"

/* Packed files are read as they always are. */
#define intake_open unpack_open
#define intake_rests unpack_rests
#define intake_read unpack_read
#define intake_close unpack_close
#define intake unpack
#include "kmer/intake.c"
#undef intake_open
#undef intake_rests
#undef intake_read
#undef intake_close
#undef intake
#undef KMER_INTAKE_H
#include "kmer/intake.h"

/* ---- silence, and memory in place of files ---- */

static unsigned ncomplaints;

void complain(const char *format, ...) { ncomplaints += *format != 0; }
void remark(const char *format, ...) { (void)format; }
void progress(uint64_t n) { (void)n; }
bool stop_asked(void) { return false; }
bool bytes_come(int fd, int ms) { return (void)fd, (void)ms, true; }
bool await_bytes(int fd) { return (void)fd, true; }
int stop_watch(void *self, uint64_t done, uint64_t total) {
    return (void)self, (int)(done > total);
}
int flush_output(void) { return DONE; }

struct text {
    const char *at;
    size_t n;
};

static struct text files[2]; /* by name: "0" and "1" */
static size_t piece;

struct intake {
    struct text left;
};

struct intake *intake_open(const char *path, const char *name) {
    struct intake *s = malloc(sizeof *s);
    (void)name;
    *s = (struct intake){files[path[0] - '0']};
    return s;
}

bool intake_rests(struct intake *s) { return s->left.n % 2; }

ssize_t intake_read(struct intake *s, char *to, size_t room, const char **why) {
    size_t n = s->left.n < piece ? s->left.n : piece;
    if (n > room) n = room;
    *why = NULL;
    if (n) memcpy(to, s->left.at, n);
    s->left.at += n;
    s->left.n -= n;
    return (ssize_t)n;
}

void intake_close(struct intake *s) { free(s); }

struct sink {
    char *text;
    size_t n, room;
    bool lacks; /* it is open, and not all is written */
} sinks[2];

struct sink *sink_open(const char *path, unsigned level) {
    (void)level;
    sinks[path[0] - '0'].n = 0;
    sinks[path[0] - '0'].lacks = true;
    return &sinks[path[0] - '0'];
}

bool sink_put(struct sink *s, const char *text, size_t n) {
    if (n > s->room - s->n) s->text = realloc(s->text, s->room = 2 * (s->n + n));
    memcpy(s->text + s->n, text, n);
    s->n += n;
    return true;
}

bool sink_finish(struct sink *s) { return s->lacks = false, true; }

bool sink_close(struct sink *s, bool keep) {
    if (keep && (sinks[0].lacks || sinks[1].lacks)) give_up("a name before both are whole");
    if (!keep) s->n = 0;
    s->lacks = false;
    return keep;
}

/* ---- k-mers ---- */

static bool is_base(const struct kmer_way *w, char c) {
    return c && strchr(w->lenient ? "ACGTacgt" : "ACGT", c);
}

static bool is_break(const struct kmer_way *w, char c) {
    return c && strchr(w->lenient ? "NRYKMSWBDHVUnrykmswbdhvu" : "NRYKMSWBDHVU", c);
}

static char turned(char c) { return "TGCA"[strchr("ACGT", c & 0xdf) - "ACGT"]; }

/* The hash of these k letters alone. */
static uint64_t hash_at(const struct kmer_way *w, const char *p) {
    struct kmer_walk walk = {.seq = p, .n = w->k};
    uint64_t hash = 0;
    if (kmer_hashes(w, &walk, &hash, 1) != 1) give_up("a window has no k-mer");
    return hash;
}

static void check_key(const struct kmer_way *w, const char *p) {
    char other[KMER_MOST];
    uint8_t key[KMER_KEY_BYTES], again[KMER_KEY_BYTES];
    if (!w->canonical) return;
    for (size_t i = 0; i < w->k; i++) other[i] = turned(p[w->k - 1 - i]);
    const size_t n = kmer_key(w, p, key);
    if (kmer_key(w, other, again) != n || memcmp(key, again, n)) give_up("strands differ in key");
    if (hash_at(w, p) != hash_at(w, other)) give_up("strands differ in hash");
}

static void check_kmers(const struct kmer_way *w, const char *seq, size_t n) {
    struct kmer_walk walk = {.seq = seq, .n = n}, places = walk;
    uint64_t hashes[40], breaks = 0;
    size_t got = 0, next = 0, run = 0, i = 0;
    const size_t room = 1 + n % 39;
    for (; i < n && (is_base(w, seq[i]) || is_break(w, seq[i])); i++) {
        run = is_base(w, seq[i]) ? run + 1 : 0;
        breaks += run == 0;
        if (run < w->k) continue;
        if (next == got) got = kmer_hashes(w, &walk, hashes, room), next = 0;
        const char *place = seq + i + 1 - w->k;
        if (next == got || hashes[next++] != hash_at(w, place)) give_up("another k-mer");
        if (kmer_place(w, &places) != place) give_up("a k-mer in another place");
        if (i % 8 == 0) check_key(w, place);
    }
    if (next != got || kmer_hashes(w, &walk, hashes, room)) give_up("a k-mer too many");
    if (kmer_place(w, &places)) give_up("a place too many");
    if (walk.bad != (i < n) || places.bad != (i < n)) give_up("a bad letter is taken");
    if (walk.bad && (walk.at != i || places.at != i)) give_up("the bad letter is another");
    if (walk.breaks != breaks || places.breaks != breaks) give_up("other breaks");
}

/* ---- records ---- */

/* What was read, for comparison. */
struct story {
    uint64_t sum, nrecords;
    size_t text;
    int end;
};

static uint64_t stirred(uint64_t sum, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) sum = mixed(sum ^ (uint8_t)text[i]);
    return mixed(sum ^ n);
}

/* A FASTA record's letters are all that its lines have behind the first. */
static void check_lines(const struct record *r, bool lenient) {
    const char *end = r->text + r->ntext, *p = memchr(r->text, '\n', r->ntext);
    size_t n = 0;
    for (p = p ? p + 1 : end; p < end; p++) {
        const bool last = p + 1 == end || p[1] == '\n';
        if (*p == '\n' || (lenient && *p == '\r' && last)) continue;
        if (n == r->n || r->seq[n++] != *p) give_up("other letters than in its lines");
    }
    if (n != r->n) give_up("letters too many");
}

static void check_record(const struct record *r, bool lenient) {
    const char *end = r->text + r->ntext;
    if (!r->ntext || (*r->text != '>' && *r->text != '@')) give_up("a record begins elsewhere");
    if (r->name != r->text + 1 || r->nname > r->ntext - 1) give_up("a name outside");
    if (*r->text == '>') return check_lines(r, lenient);
    if (r->seq < r->text || r->seq + r->n > end) give_up("letters outside");
    if (memchr(r->seq, '\n', r->n) || memchr(r->text, '\n', (size_t)(r->seq - 1 - r->text)))
        give_up("letters of another line");
}

static struct story tell(struct sequences *s, const struct kmer_way *w, bool kmers) {
    struct story story = {0};
    struct record r;
    while ((story.end = sequences_next(s, &r)) > 0) {
        check_record(&r, w->lenient);
        if (r.number != ++story.nrecords) give_up("records are not in order");
        story.sum = stirred(story.sum, r.name, r.nname);
        story.sum = stirred(story.sum, r.seq, r.n);
        story.sum = stirred(story.sum, r.text, r.ntext);
        story.text += r.ntext + (r.text[r.ntext - 1] != '\n');
        if (kmers) check_kmers(w, r.seq, r.n);
    }
    sequences_close(s);
    return story;
}

static bool rests_now_and_then(void *self) { return ++*(unsigned *)self; }

static struct story read_pieces(const char *file, const struct kmer_way *w, size_t size) {
    unsigned rests = 0, before = ncomplaints;
    struct sequences *s = sequences_open(file, w->lenient);
    piece = size;
    sequences_on_rest(s, rests_now_and_then, &rests);
    struct story story = tell(s, w, size > 1);
    if ((story.end < 0) != (ncomplaints > before)) give_up("a complaint too many, or too few");
    return story;
}

static void same_story(const struct story *a, const struct story *b, const char *why) {
    if (a->sum != b->sum || a->nrecords != b->nrecords || a->end != b->end) give_up(why);
}

/* ---- packed ---- */

static size_t pack(const struct text *t, uint8_t *out, size_t room) {
    z_stream z = {.next_in = (void *)(uintptr_t)t->at, .avail_in = (unsigned)t->n};
    z.next_out = out, z.avail_out = (unsigned)room;
    if (deflateInit2(&z, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
        deflate(&z, Z_FINISH) != Z_STREAM_END)
        give_up("cannot pack");
    deflateEnd(&z);
    return room - z.avail_out;
}

/* A file in memory, whose path stays good until it is closed. */
static int file_of(const void *bytes, size_t n, char path[40]) {
    const int fd = memfd_create("file", MFD_CLOEXEC);
    if (fd < 0 || write(fd, bytes, n) != (ssize_t)n) give_up("no file in memory");
    snprintf(path, 40, "/proc/self/fd/%d", fd);
    return fd;
}

/* -1 if it is refused, else how much was in it. */
static ssize_t unpacked(const uint8_t *bytes, size_t n, char *to, size_t room) {
    char path[40];
    const char *why;
    size_t got = 0;
    ssize_t more;
    const int fd = file_of(bytes, n, path);
    struct unpack *s = unpack_open(path, path);
    if (!s) give_up("cannot open it");
    while ((more = unpack_read(s, to + got, room - got, &why)) > 0) got += (size_t)more;
    if (more < 0 && !why) give_up("no reason is given");
    unpack_close(s);
    close(fd);
    return more < 0 ? -1 : (ssize_t)got;
}

static void check_packed(const struct text *t, size_t cut) {
    const size_t room = t->n + t->n / 100 + 100;
    uint8_t *packed = malloc(room);
    char *again = malloc(t->n + 1);
    const size_t n = pack(t, packed, room);
    cut %= n;
    if (unpacked(packed, n, again, t->n + 1) != (ssize_t)t->n || memcmp(again, t->at, t->n))
        give_up("unpacked, it is another text");
    /* Of nothing, or less than the magic, one cannot tell. */
    if (cut > 1 && unpacked(packed, cut, again, t->n + 1) >= 0) give_up("cut short, it is taken");
    free(packed), free(again);
}

/* ---- screening ---- */

static sito_rc put(void *fd, const void *bytes, size_t n) {
    return write(*(int *)fd, bytes, n) == (ssize_t)n ? SITO_OK : SITO_EIO;
}

static char index_path[40];

static int make_index(const struct kmer_way *w) {
    sito_plan plan = {.kind = SITO_BLOCK, .nkeys = 100, .seed = w->seed};
    struct index x = {.way = *w};
    uint64_t hashes[100];
    struct kmer_walk walk = {.seq = "ACGTTGCAACGGATCTTTACGATCGAAATCCTGACAA", .n = 37};
    int fd = file_of("", 0, index_path);
    if (sito_new(&plan, NULL, &x.f) != SITO_OK) give_up("no filter");
    const size_t n = kmer_hashes(w, &walk, hashes, 100);
    if (sito_add_many(x.f, hashes, n, NULL, NULL) != SITO_OK || index_write_note(&x) != SITO_OK ||
        sito_write(x.f, put, &fd) != SITO_OK)
        give_up("no index");
    sito_free(x.f);
    return fd;
}

static int screen(const struct kmer_way *w, bool pairs, bool apart, bool keep, size_t size) {
    char first[] = "0", second[] = "1";
    char *operands[] = {index_path, first, second};
    struct kmer_options o = {.lenient = w->lenient, .keep = keep, .output2 = apart ? "1" : NULL};
    o.common.operands = operands;
    o.common.noperands = pairs ? 3 : 2;
    o.common.output = "0";
    sinks[0].n = sinks[1].n = 0;
    piece = size;
    return kmer_screen(&o.common);
}

/* Both ways together are the whole, of each file where they go apart; or both are refused. */
static void check_screen(const struct kmer_way *w, bool pairs, bool apart,
                         const struct story *all) {
    const size_t second = pairs ? all[1].text : 0;
    const int one = screen(w, pairs, apart, true, 7);
    size_t n[2] = {sinks[0].n, sinks[1].n};
    const int other = screen(w, pairs, apart, false, 1 << 20);
    for (int i = 0; i < 2; i++) n[i] += sinks[i].n;
    if (one != other) give_up("kept it is fine, taken out it is not");
    if (one != DONE && n[0] + n[1]) give_up("it is refused, and written");
    if (one == DONE && (n[1] != (apart ? second : 0) || n[0] + n[1] != all[0].text + second))
        give_up("reads are lost, or written twice");
}

/* ---- the target ---- */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    static const char *const seeds[] = {
        "A\7\4@>a b\nACGTTGCA\nACNNGGAT\n>b\n>c\nAC\n\n>d\r\nacgt",
        "B\3\11A@r1 x\nACGTTGCAACGG\n+\nIIIIIIII>@II\n@r2\nACG\n+r2\n@@@\n",
        "C\20\37h@a\r\nACGTTGCAACGGATCTTTACGATCGAAATCCTGACAA\r\n+\r\n"
        "IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII\r\n@a\nACGTTGCAACG\n+\nIIIIIIIIIII",
        "G\7\3\200@a/1\nACGTTG\n+\nIIIIII\n@b/1\nTTTTT\n+\nIIIII\n"
        "@a/2\nACCCTG\n+\nIIIIII\n@b/2\nGGGGG\n+\nIIIII\n",
        "F\1\50~>long\nACGTTGCAACGGATCTTTACGATCGAAATCCTGACAANNNNNNNNNNACGTTGCAACGGATCTTTACG\n>"
        "p\nMKVL*\n"};
    write_text_seeds("reads", seeds, sizeof seeds / sizeof *seeds);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    if (len < 4) return 0;
    struct kmer_way w;
    struct story story[2];
    const unsigned options = bytes[0], k = bytes[2] < 200 ? 1 + bytes[2] % 40 : bytes[2];
    kmer_way_set(&w, k, options & 1, 5);
    w.lenient = options & 2;
    const char *text = (const char *)bytes + 4;
    const size_t n = len - 4, cut = n * bytes[3] / 255;
    files[0] = (struct text){text, cut};
    files[1] = (struct text){text + cut, n - cut};
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "1" : "0";
        story[i] = read_pieces(name, &w, 1 << 20);
        struct story again = read_pieces(name, &w, 1 + bytes[1] % 40);
        same_story(&story[i], &again, "the size of the pieces matters");
        again = read_pieces(name, &w, 1);
        same_story(&story[i], &again, "the size of the pieces matters");
    }
    const int fd = make_index(&w);
    check_screen(&w, false, false, story);
    check_screen(&w, true, options & 4, story);
    close(fd);
    if (len % 16 == 0) check_packed(&files[0], bytes[1] * 256u + bytes[3]); /* threads take long */
    return 0;
}
