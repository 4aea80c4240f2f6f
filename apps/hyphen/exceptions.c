/* exceptions.c - lists of exceptions become a store and its guard. */
#define _GNU_SOURCE
#include "exceptions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "letters.h"

static const char owner[8] = "hyphens";

static bool say(char why[WHY_ROOM], const char *name, const char *what) {
    snprintf(why, WHY_ROOM, "%.300s: %.200s", name, what);
    return false;
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
    *e = (struct entry){NULL, (uint32_t)length, (uint32_t)l->entries.n};
    return true;
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool words_parse(struct word_list *l, const char *name, const char *bytes, size_t n,
                 char why[WHY_ROOM]) {
    const char *s = bytes, *end = bytes + n;
    const bool tex = memmem(bytes, n, "\\hyphenation", 12) != NULL;
    bool inside = !tex;
    for (size_t line = 1, length; s < end; s += length) {
        length = 1;
        if (*s == '\n') {
            line++;
        } else if (*s == '%') {
            const char *stop = memchr(s, '\n', (size_t)(end - s));
            length = (size_t)((stop ? stop : end) - s);
        } else if (is_space(*s)) {
        } else if (!inside) {
            if (*s == '\\' && end - s > 12 && !memcmp(s, "\\hyphenation", 12)) {
                const char *brace = memchr(s, '{', (size_t)(end - s));
                if (!brace) break;
                length = (size_t)(brace + 1 - s), inside = true;
            }
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

/* Kinds that keep whole keys take them one by one; all others are built of hashes. */
static sito_rc build_guard(const struct word_list *l, const sito_plan *wish, uint64_t nkeys,
                           sito_filter **out) {
    const struct entry *entries = l->entries.items;
    const size_t n = l->entries.n;
    char word[STORE_WORD];
    sito_plan plan = *wish;
    plan.nkeys = nkeys ? nkeys : 1;
    if (plan.fpr <= 0 && !plan.ncells) plan.fpr = 0.01;
    sito_rc rc = sito_plan_solve(&plan);
    if (rc != SITO_OK) return rc;
    if (sito_abilities(plan.kind) & SITO_CAN_BUILD) {
        uint64_t *hashes = malloc((n + 1) * sizeof *hashes);
        if (!hashes) return SITO_ENOMEM;
        for (size_t i = 0; i < n; i++) {
            const size_t length = entry_word(&entries[i], word);
            hashes[i] = sito_hash_plan(&plan, word, length);
        }
        rc = sito_build(&plan, NULL, hashes, n, out);
        free(hashes);
        return rc;
    }
    rc = sito_new(&plan, NULL, out);
    for (size_t i = 0; rc == SITO_OK && i < n; i++) {
        const size_t length = entry_word(&entries[i], word);
        const int answer = sito_add(*out, word, length);
        if (answer < 0) rc = answer, sito_free(*out), *out = NULL;
    }
    return rc;
}

/* ---- asking ---- */

bool exceptions_find(struct exceptions *x, const char *word, size_t n, struct entry *out) {
    x->asked++;
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

static uint64_t new_id(void) {
    uint64_t id = 0;
    if (getrandom(&id, sizeof id, 0) != sizeof id) id = (uint64_t)getpid() << 32 ^ (uintptr_t)&id;
    return id;
}

static bool guard_for(struct exceptions *x, const struct word_list *l, const sito_plan *guard,
                      char why[WHY_ROOM]) {
    if (!guard->kind) return true;
    const sito_rc rc = build_guard(l, guard, l->entries.n, &x->guard);
    return rc == SITO_OK || say(why, guard->kind, sito_strerror(rc));
}

bool exceptions_make(struct exceptions *x, struct word_list *l, const sito_plan *guard,
                     char why[WHY_ROOM]) {
    const char *folder = getenv("TMPDIR");
    memset(x, 0, sizeof *x);
    x->store.fd = -1;
    settle(l);
    const int fd = open(folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) return say(why, folder ? folder : "/tmp", strerror(errno));
    if (!store_write(fd, l->entries.items, l->entries.n, new_id())) {
        close(fd);
        return say(why, folder ? folder : "/tmp", strerror(errno));
    }
    const char *trouble = store_open(&x->store, fd);
    if (trouble) say(why, "exceptions", trouble);
    if (!trouble && guard_for(x, l, guard, why)) return true;
    exceptions_close(x);
    return false;
}

/* ---- learned stores ---- */

static void guard_path(const char *path, char to[4096]) { snprintf(to, 4096, "%s.guard", path); }

bool exceptions_open(struct exceptions *x, const char *path, const sito_plan *guard,
                     char why[WHY_ROOM]) {
    char beside[4096];
    size_t n = 0;
    memset(x, 0, sizeof *x);
    x->store.fd = -1;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return say(why, path, strerror(errno));
    const char *trouble = store_open(&x->store, fd);
    if (trouble) {
        exceptions_close(x);
        return say(why, path, trouble);
    }
    guard_path(path, beside);
    if (guard && sito_open(beside, NULL, &x->guard, NULL) == SITO_OK) {
        const void *note = sito_note(x->guard, owner, &n);
        sito_info info;
        const bool wanted = !guard->kind || (sito_look(x->guard, &info) == SITO_OK &&
                                             !strcmp(info.kind, guard->kind) && guard->fpr <= 0);
        if (note && n == sizeof x->store.id && !memcmp(note, &x->store.id, n) && wanted)
            return true;
        sito_free(x->guard); /* of another state of the store: it could deny a word */
        x->guard = NULL;
    }
    if (!guard || !guard->kind) return true;
    struct word_list l = {0};
    bool fine = words_add_store(&l, path, why);
    if (fine) settle(&l), fine = guard_for(x, &l, guard, why);
    words_free(&l);
    if (!fine) exceptions_close(x);
    return fine;
}

static bool save_store(const char *path, const struct word_list *l, uint64_t id,
                       char why[WHY_ROOM]) {
    char draft[4096];
    if ((size_t)snprintf(draft, sizeof draft, "%s.XXXXXX", path) >= sizeof draft)
        return say(why, path, "the name is too long");
    const int fd = mkostemp(draft, O_CLOEXEC);
    if (fd < 0) return say(why, path, strerror(errno));
    bool fine = store_write(fd, l->entries.items, l->entries.n, id) && fchmod(fd, 0644) == 0 &&
                fsync(fd) == 0;
    if (close(fd) != 0) fine = false;
    if (fine && rename(draft, path) == 0) return true;
    say(why, path, strerror(errno));
    unlink(draft);
    return false;
}

static bool save_guard(const char *path, sito_filter *f, uint64_t id, char why[WHY_ROOM]) {
    char beside[4096];
    guard_path(path, beside);
    sito_rc rc = sito_set_note(f, owner, &id, sizeof id);
    if (rc == SITO_OK) rc = sito_save(f, beside);
    return rc == SITO_OK || say(why, beside, sito_strerror(rc));
}

/* Change a guard by the words that came or went. False: it has to be made anew. */
static bool change_guard(sito_filter *f, const struct word_list *change, const bool *counts,
                         bool learn) {
    const struct entry *entries = change->entries.items;
    sito_info info;
    char word[STORE_WORD];
    for (size_t i = 0; i < change->entries.n; i++) {
        if (!counts[i]) continue;
        const size_t n = entry_word(&entries[i], word);
        if ((learn ? sito_add : sito_remove)(f, word, n) < 0) return false;
    }
    return sito_look(f, &info) == SITO_OK && (!info.capacity || info.nkeys <= info.capacity);
}

static int64_t change_store(const char *path, struct word_list *change, const sito_plan *wish,
                            bool learn, char why[WHY_ROOM]) {
    static const sito_plan none = {0};
    struct exceptions x = {0};
    struct word_list all = {0};
    struct entry found;
    char word[STORE_WORD];
    int64_t changed = 0;
    const bool there = store_is_one(path);
    if (!there && (!learn || access(path, F_OK) == 0))
        return say(why, path, there ? "" : "no store of exceptions"), -1;
    if (there && !exceptions_open(&x, path, &none, why)) return -1;
    settle(change);
    bool *counts = calloc(change->entries.n + 1, sizeof *counts);
    bool fine = counts && (!there || words_add_store(&all, path, why));
    for (size_t i = 0; fine && i < change->entries.n; i++) {
        const struct entry *e = (struct entry *)change->entries.items + i;
        const size_t n = entry_word(e, word);
        counts[i] = (there && store_find(&x.store, word, n, &found) > 0) != learn;
        changed += counts[i];
        if (learn) fine = add_word(&all, path, 0, e->text, e->bytes, why);
    }
    if (fine) settle(&all);
    if (fine && !learn) {
        struct entry *kept = all.entries.items;
        size_t n = 0;
        for (size_t i = 0, j = 0; i < all.entries.n; i++) {
            const struct entry *gone = change->entries.items;
            while (j < change->entries.n && store_order(&gone[j], &kept[i]) < 0) j++;
            if (j < change->entries.n && store_order(&gone[j], &kept[i]) == 0) continue;
            kept[n++] = kept[i];
        }
        all.entries.n = n;
    }
    const uint64_t id = new_id();
    if (fine && x.guard) {
        sito_info info;
        sito_plan like = {0};
        sito_look(x.guard, &info);
        const unsigned needs = learn ? SITO_CAN_ADD : SITO_CAN_REMOVE;
        /* A guard that cannot forget may keep what is gone: it only passes a word too many. */
        bool good = info.can & needs ? change_guard(x.guard, change, counts, learn) : !learn;
        if (!good) {
            like.kind = info.kind, like.fpr = info.wanted_fpr;
            sito_filter *anew = NULL;
            const sito_rc rc = build_guard(&all, &like, all.entries.n + all.entries.n / 4, &anew);
            if (rc != SITO_OK) fine = say(why, info.kind, sito_strerror(rc));
            else sito_free(x.guard), x.guard = anew;
        }
    } else if (fine && !there && wish && wish->kind) {
        const sito_rc rc = build_guard(&all, wish, all.entries.n + all.entries.n / 4, &x.guard);
        if (rc != SITO_OK) fine = say(why, wish->kind, sito_strerror(rc));
    }
    /* The guard first: until the store follows, its id does not fit and it is not used. */
    if (fine && x.guard) fine = save_guard(path, x.guard, id, why);
    if (fine) fine = save_store(path, &all, id, why);
    free(counts);
    words_free(&all);
    if (there) exceptions_close(&x);
    else sito_free(x.guard);
    return fine ? changed : -1;
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
    const int lock = lock_folder(path, why);
    if (lock < 0) return -1;
    const int64_t changed = change_store(path, l, guard, learn, why);
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
