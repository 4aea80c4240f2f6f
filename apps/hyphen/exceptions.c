/* exceptions.c - lists of exceptions become a store and its guard. */
#define _GNU_SOURCE
#include "exceptions.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../src/core/owner.h"
#include "letters.h"

static const char owner[8] = "hyphens";

static bool say(char why[WHY_ROOM], const char *name, const char *what) {
    snprintf(why, WHY_ROOM, "%.300s: %.200s", name, what);
    return false;
}

static uint64_t new_id(void) {
    uint64_t id = 0;
    if (getrandom(&id, sizeof id, 0) != sizeof id) id = (uint64_t)getpid() << 32 ^ (uintptr_t)&id;
    return id;
}

/* ---- lists ---- */

static bool add_word(struct word_list *l, const char *name, size_t line, const char *s, size_t n,
                     char why[WHY_ROOM]) {
    char small[2 * STORE_WORD];
    const size_t length = n <= STORE_WORD ? fold_word(s, n, small) : 0;
    if (!length || length > STORE_WORD) {
        snprintf(why, WHY_ROOM, "%s:%zu: %s", name, line,
                 n > STORE_WORD ? "a word of more than 1000 bytes" : "not UTF-8");
        return false;
    }
    size_t hyphens = 0;
    for (size_t i = 0; i < length; i++) hyphens += small[i] == '-';
    if (hyphens == length) {
        snprintf(why, WHY_ROOM, "%s:%zu: hyphens without a word", name, line);
        return false;
    }
    char *text = grow(&l->text, length, 1);
    struct entry *e = grow(&l->entries, 1, sizeof *e);
    if (!text || !e) return say(why, name, "out of memory");
    memcpy(text, small, length);
    *e = (struct entry){NULL, (uint32_t)length, 0};
    return true;
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static size_t comment_length(const char *s, const char *end) {
    const char *stop = memchr(s, '\n', (size_t)(end - s));
    return (size_t)((stop ? stop : end) - s);
}

/* If \hyphenation stands here: behind its brace, which blanks and comments may part from it. Else
 * NULL. */
static const char *behind_brace(const char *s, const char *end) {
    if (end - s <= 12 || memcmp(s, "\\hyphenation", 12) != 0) return NULL;
    for (s += 12; s < end && (is_space(*s) || *s == '%');)
        s += *s == '%' ? comment_length(s, end) : 1;
    return s < end && *s == '{' ? s + 1 : NULL;
}

/* Is it TeX's, not a plain list whose comments may tell of \hyphenation? */
static bool is_tex(const char *s, const char *end) {
    for (; s < end; s += *s == '%' ? comment_length(s, end) : 1)
        if (behind_brace(s, end)) return true;
    return false;
}

bool words_parse(struct word_list *l, const char *name, const char *bytes, size_t n,
                 char why[WHY_ROOM]) {
    const char *s = bytes, *end = bytes + n;
    if (n >= 3 && !memcmp(s, "\xef\xbb\xbf", 3)) s += 3;
    const bool tex = is_tex(s, end);
    bool inside = !tex;
    for (size_t line = 1, length; s < end; s += length) {
        length = 1;
        if (*s == '\n') {
            line++;
        } else if (*s == '%') {
            length = comment_length(s, end);
        } else if (is_space(*s)) {
        } else if (!inside) {
            const char *begin = behind_brace(s, end);
            if (!begin) continue;
            length = (size_t)(begin - s), inside = true;
            for (size_t i = 0; i < length; i++) line += s[i] == '\n';
        } else if (tex && *s == '}') {
            inside = false;
        } else {
            while (s + length < end && !is_space(s[length]) && s[length] != '%' &&
                   !(tex && s[length] == '}'))
                length++;
            if (!add_word(l, name, line, s, length, why)) return false;
        }
    }
    return true;
}

bool words_read(struct word_list *l, const char *path, char why[WHY_ROOM]) {
    size_t n;
    if (store_is_one(path)) return words_add_store(l, path, why);
    char *bytes = read_whole(path, &n);
    if (!bytes) return say(why, path, strerror(errno));
    const bool fine = words_parse(l, path, bytes, n, why);
    free(bytes);
    return fine;
}

static bool add_entry(void *self, const struct entry *e) {
    char why[WHY_ROOM];
    return add_word(self, "", 0, e->text, e->bytes, why);
}

bool words_add_store(struct word_list *l, const char *path, char why[WHY_ROOM]) {
    struct store s;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return say(why, path, strerror(errno));
    const char *trouble = store_open(&s, fd);
    if (!trouble && !store_each(&s, add_entry, l)) trouble = "it is damaged or cannot be read";
    store_close(&s);
    return trouble ? say(why, path, trouble) : true;
}

void words_free(struct word_list *l) {
    free(l->text.items), free(l->entries.items);
    memset(l, 0, sizeof *l);
}

/* Offsets become pointers, and the list a sorted set. */
static void settle(struct word_list *l) {
    struct entry *entries = l->entries.items;
    const char *text = l->text.items;
    for (size_t i = 0; i < l->entries.n; i++) {
        entries[i].text = text;
        text += entries[i].bytes;
    }
    l->entries.n = store_sort(entries, l->entries.n);
}

/* ---- the guard ---- */

/* The words of a store on their way into a filter: as hashes, or one by one. */
struct intake {
    const sito_plan *plan;
    sito_filter *filter;
    uint64_t *hashes, n, room;
    sito_rc rc;
};

static bool take_hash(void *self, const struct entry *e) {
    struct intake *in = self;
    char word[STORE_WORD];
    if (in->n == in->room) return false;
    in->hashes[in->n++] = sito_hash_plan(in->plan, word, entry_word(e, word));
    return true;
}

static bool take_word(void *self, const struct entry *e) {
    struct intake *in = self;
    char word[STORE_WORD];
    const int answer = sito_add(in->filter, word, entry_word(e, word));
    if (answer < 0) in->rc = answer;
    return answer >= 0;
}

/* Kinds that keep whole keys take them one by one; all others are built of hashes. */
static sito_rc build_guard(struct store *s, const sito_plan *wish, uint64_t nkeys,
                           sito_filter **out) {
    sito_plan plan = *wish;
    plan.nkeys = nkeys ? nkeys : 1;
    if (plan.fpr <= 0 && !plan.ncells) plan.fpr = 0.01;
    sito_rc rc = sito_plan_solve(&plan);
    if (rc != SITO_OK) return rc;
    struct intake in = {.plan = &plan, .room = s->nwords, .rc = SITO_EDAMAGED};
    if (sito_abilities(plan.kind) & SITO_CAN_BUILD) {
        in.hashes = malloc((in.room + 1) * sizeof *in.hashes);
        if (!in.hashes) return SITO_ENOMEM;
        rc = in.rc;
        if (store_each(s, take_hash, &in)) rc = sito_build(&plan, NULL, in.hashes, in.n, out);
        free(in.hashes);
        return rc;
    }
    rc = sito_new(&plan, NULL, &in.filter);
    if (rc != SITO_OK) return rc;
    if (store_each(s, take_word, &in)) return *out = in.filter, SITO_OK;
    sito_free(in.filter);
    return in.rc;
}

static const char *reason(sito_rc rc) {
    return rc == SITO_EIO ? strerror(errno) : sito_strerror(rc);
}

/* ---- asking ---- */

bool exceptions_find(struct exceptions *x, const char *word, size_t n, struct entry *out) {
    x->asked++;
    /* The store does not see hyphens, the guard does: no entry is a word that has one. */
    if (memchr(word, '-', n)) return false;
    if (x->guard && !sito_maybe(x->guard, word, n)) return false;
    x->passed++;
    const int answer = store_find(&x->store, word, n, out);
    if (answer < 0) x->unreadable = true;
    if (answer > 0) x->found++;
    return answer > 0;
}

void exceptions_close(struct exceptions *x) {
    store_close(&x->store);
    sito_free(x->guard);
    x->guard = NULL;
}

static bool guard_for(struct exceptions *x, const sito_plan *guard, char why[WHY_ROOM]) {
    if (!guard->kind) return true;
    const sito_rc rc = build_guard(&x->store, guard, x->store.nwords, &x->guard);
    return rc == SITO_OK || say(why, guard->kind, reason(rc));
}

/* On disk, where there may be more of it than memory; in memory if no folder can be written to. */
static int nameless_file(void) {
    const char *folder = getenv("TMPDIR");
    const int fd = open(folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return fd >= 0 ? fd : memfd_create("exceptions", MFD_CLOEXEC);
}

bool exceptions_make(struct exceptions *x, struct word_list *l, const sito_plan *guard,
                     char why[WHY_ROOM]) {
    struct store_writer to;
    bool fine = true;
    memset(x, 0, sizeof *x);
    x->store.fd = -1;
    settle(l);
    const int fd = nameless_file();
    if (fd < 0) return say(why, "exceptions", strerror(errno));
    store_begin(&to, fd, new_id());
    for (size_t i = 0; fine && i < l->entries.n; i++)
        fine = store_put(&to, (struct entry *)l->entries.items + i);
    if (!store_end(&to, fine)) {
        say(why, "exceptions", strerror(errno));
        close(fd);
        return false;
    }
    const char *trouble = store_open(&x->store, fd);
    if (trouble) say(why, "exceptions", trouble);
    if (!trouble && guard_for(x, guard, why)) return true;
    exceptions_close(x);
    return false;
}

/* ---- learned stores ---- */

/* A link is followed: the store it names changes, not the link, and the guard lies beside that
 * store. A link that leads nowhere gives way to a new store. */
static const char *behind_link(const char *path, char to[PATH_MAX]) {
    struct stat about;
    const bool link = lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
    return link && realpath(path, to) ? to : path;
}

enum { GUARD_ROOM = PATH_MAX + sizeof ".guard" };

static void guard_path(const char *path, char to[GUARD_ROOM]) {
    char real[PATH_MAX];
    snprintf(to, GUARD_ROOM, "%s.guard", behind_link(path, real));
}

/* The guard beside a store, or NULL. One of another state of the store could deny a word. */
static sito_filter *guard_beside(const char *path, uint64_t id, bool *fits) {
    char beside[GUARD_ROOM];
    size_t n = 0;
    sito_filter *f;
    guard_path(path, beside);
    if (sito_open(beside, NULL, &f, NULL) != SITO_OK) return NULL;
    const void *note = sito_note(f, owner, &n);
    *fits = note && n == sizeof id && !memcmp(note, &id, n);
    return f;
}

/* Would this guard do for one who asks for `wish`? */
static bool serves(const sito_filter *f, const sito_plan *wish) {
    sito_info info;
    return !wish->kind ||
           (sito_look(f, &info) == SITO_OK && !strcmp(info.kind, wish->kind) && wish->fpr <= 0);
}

bool exceptions_open(struct exceptions *x, const char *path, const sito_plan *guard,
                     char why[WHY_ROOM]) {
    bool fits = false;
    memset(x, 0, sizeof *x);
    x->store.fd = -1;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return say(why, path, strerror(errno));
    const char *trouble = store_open(&x->store, fd);
    if (trouble) {
        exceptions_close(x);
        return say(why, path, trouble);
    }
    if (!guard) return true;
    x->guard = guard_beside(path, x->store.id, &fits);
    if (x->guard && fits && serves(x->guard, guard)) return true;
    sito_free(x->guard);
    x->guard = NULL;
    if (!guard->kind || guard_for(x, guard, why)) return true;
    exceptions_close(x);
    return false;
}

static bool save_guard(const char *path, sito_filter *f, uint64_t id, char why[WHY_ROOM]) {
    char beside[GUARD_ROOM];
    guard_path(path, beside);
    sito_rc rc = sito_set_note(f, owner, &id, sizeof id);
    if (rc == SITO_OK) rc = sito_save(f, beside);
    return rc == SITO_OK || say(why, beside, reason(rc));
}

/* Words that come or go, on their way past the old store into the new one. */
struct passing {
    const struct entry *entries;
    size_t n, at;
    bool learn, *counts; /* of each: is it new, or was it there to go? */
    int64_t changed;
    struct store_writer *to;
};

/* The next word of the change, which the old store has or has not. */
static bool pass(struct passing *p, bool known) {
    const struct entry *e = &p->entries[p->at];
    p->counts[p->at++] = known != p->learn;
    p->changed += known != p->learn;
    return !p->learn || store_put(p->to, e);
}

static bool pass_old(void *self, const struct entry *old) {
    struct passing *p = self;
    int order = 1;
    while (p->at < p->n && (order = store_order(&p->entries[p->at], old)) < 0)
        if (!pass(p, false)) return false;
    return p->at < p->n && order == 0 ? pass(p, true) : store_put(p->to, old);
}

/* Change a guard by the words that came or went. False: it has to be made anew. */
static bool change_guard(sito_filter *f, const struct passing *p) {
    sito_info info;
    char word[STORE_WORD];
    sito_look(f, &info);
    /* A guard that cannot forget may keep what is gone: it only passes a word too many. That holds
     * too for one that does not count, where two words may share what one remove takes away. */
    if (!p->learn && !(info.can & SITO_CAN_REMOVE && info.can & SITO_CAN_COUNT)) return true;
    /* An aged filter makes room for a word by forgetting another. */
    if (p->learn && (!(info.can & SITO_CAN_ADD) || !strcmp(info.kind, SITO_AGED))) return false;
    for (size_t i = 0; i < p->n; i++) {
        if (!p->counts[i]) continue;
        const size_t n = entry_word(&p->entries[i], word);
        if ((p->learn ? sito_add : sito_remove)(f, word, n) < 0) return false;
    }
    return sito_look(f, &info) == SITO_OK && (!info.capacity || info.nkeys <= info.capacity);
}

/* The guard of the new store, in place of the old store's; if it is made anew, then with room for a
 * quarter more words. `wish` is for a store that was not there. */
static bool renew_guard(struct exceptions *x, const char *path, int fd, const struct passing *p,
                        const sito_plan *wish, char why[WHY_ROOM]) {
    sito_plan plan = {0};
    sito_info info;
    struct store s;
    bool fits = false;
    if (wish) {
        plan = *wish;
    } else {
        x->guard = guard_beside(path, x->store.id, &fits);
        if (!x->guard || (fits && change_guard(x->guard, p))) return true;
        sito_look(x->guard, &info);
        plan.kind = info.kind, plan.fpr = info.wanted_fpr;
        sito_free(x->guard);
        x->guard = NULL;
    }
    if (!plan.kind) return true;
    const char *trouble = store_open(&s, dup(fd));
    const sito_rc rc =
        trouble ? SITO_EIO : build_guard(&s, &plan, s.nwords + s.nwords / 4, &x->guard);
    store_close(&s);
    return rc == SITO_OK || say(why, plan.kind, reason(rc));
}

/* A new file beside the store. The umask has its say over a new store; the old one's mode and, where
 * we may, its owner and group are taken over before the first byte. */
static int open_draft(const char *path, const struct store *old, char draft[4096]) {
    struct stat about;
    const bool there = old->fd >= 0;
    int fd = -1;
    if (there && fstat(old->fd, &about) != 0) return -1;
    for (int tries = 0; tries < 100; tries++) {
        snprintf(draft, 4096, "%s.%06x", path, (unsigned)(new_id() & 0xffffff));
        fd = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, there ? 0600 : 0666);
        if (fd >= 0 || errno != EEXIST) break;
    }
    if (fd < 0 || !there) return fd;
    take_over(fd, &about);
    return fd;
}

/* The old store with the change, written to `fd`. */
static bool write_changed(struct exceptions *x, struct passing *p, int fd, uint64_t id) {
    struct store_writer to;
    p->to = &to;
    store_begin(&to, fd, id);
    errno = EBADMSG; /* what a block with a wrong sum leaves there */
    bool fine = store_each(&x->store, pass_old, p);
    while (fine && p->at < p->n) fine = pass(p, false);
    return store_end(&to, fine) && fsync(fd) == 0;
}

/* All is written under another name; then the guard, which does not fit and is not used until the
 * store follows; then the store. So whatever fails leaves the old store whole. */
static int64_t change_store(const char *path, struct word_list *change, const sito_plan *wish,
                            bool learn, char why[WHY_ROOM]) {
    struct exceptions x = {.store.fd = -1};
    char draft[4096];
    const bool there = store_is_one(path);
    if (!there && (!learn || access(path, F_OK) == 0))
        return say(why, path, "no store of exceptions"), -1;
    if (!there && errno != ENOENT) return say(why, path, strerror(errno)), -1;
    if (strlen(path) + sizeof ".123456" > sizeof draft)
        return say(why, path, "the name is too long"), -1;
    if (there && !exceptions_open(&x, path, NULL, why)) return -1;
    settle(change);
    struct passing p = {.entries = change->entries.items, .n = change->entries.n, .learn = learn};
    const uint64_t id = new_id();
    p.counts = calloc(p.n + 1, sizeof *p.counts);
    const int fd = p.counts ? open_draft(path, &x.store, draft) : -1;
    bool fine = fd >= 0 && write_changed(&x, &p, fd, id);
    if (!fine) say(why, path, errno == EBADMSG ? "it is damaged" : strerror(errno));
    const bool same = !learn && !p.changed; /* nothing to forget: nothing to write */
    fine = fine && (same || renew_guard(&x, path, fd, &p, there ? NULL : wish, why));
    if (fd >= 0 && close(fd) != 0 && fine) fine = say(why, path, strerror(errno));
    if (fine && !same && x.guard) fine = save_guard(path, x.guard, id, why);
    if (fine && !same && rename(draft, path) != 0) fine = say(why, path, strerror(errno));
    if (fd >= 0 && (!fine || same)) unlink(draft);
    free(p.counts);
    exceptions_close(&x);
    return fine ? p.changed : -1;
}

/* Those who change a store wait for each other. The lock is on its folder: the store itself may not
 * be there yet, and every change replaces it. */
static int lock_folder(const char *path, char why[WHY_ROOM]) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    const size_t n = slash ? (size_t)(slash + 1 - path) : 0;
    if (n >= sizeof folder) return say(why, path, "the name is too long"), -1;
    memcpy(folder, path, n);
    folder[n] = 0;
    const int fd = open(n ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX) == 0) return fd;
    say(why, path, strerror(errno));
    if (fd >= 0) close(fd);
    return -1;
}

static int64_t change_locked(const char *path, struct word_list *l, const sito_plan *guard,
                             bool learn, char why[WHY_ROOM]) {
    char real[PATH_MAX];
    path = behind_link(path, real);
    const int lock = lock_folder(path, why);
    if (lock < 0) return -1;
    int64_t changed = change_store(path, l, guard, learn, why);
    if (changed >= 0 && fsync(lock) != 0) say(why, path, strerror(errno)), changed = -1;
    close(lock);
    return changed;
}

int64_t exceptions_learn(const char *path, struct word_list *l, const sito_plan *guard,
                         char why[WHY_ROOM]) {
    return change_locked(path, l, guard, true, why);
}

int64_t exceptions_forget(const char *path, struct word_list *l, char why[WHY_ROOM]) {
    return change_locked(path, l, NULL, false, why);
}
