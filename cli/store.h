/* store.h - filter files: opened, locked, saved; the secret of keyed ones; and what to say when the
 * library says no. */
#ifndef CLI_STORE_H
#define CLI_STORE_H

#include <sito/sito.h>

#include "hasher.h"
#include "options.h"

/* Complain about `file` (NULL: nothing in particular) and return the exit status that `rc` stands
 * for. */
int refused(const char *file, sito_rc rc, const char *why);

/* The secret in --key-file. `*key` is NULL without that option; else it points to `room`, which
 * forget_secret() wipes. DONE, or TROUBLE after a complaint. */
int read_secret(const struct options *o, sito_key *room, const sito_key **key);
void forget_secret(sito_key *room);

/* What a file's header says of itself, sound or not: of interest beside a filter that opened. */
struct head {
    unsigned major, minor;
    bool keyed;
    uint64_t key_id; /* of a keyed one */
};
bool read_head(const char *path, struct head *out); /* false, and errno, if there is none to read */

/* Open a filter file; DONE and *out, or an exit status after a complaint. `flags` as in sito_how.
 * The file says under which id its secret goes, so that of `key` need not be known. */
int open_filter(const char *path, unsigned flags, const sito_key *key, sito_filter **out);

/* The same with --key-file and --map, for commands that ask. */
int open_to_ask(const struct options *o, sito_filter **out);

/* The same for commands that change it, behind a lock on the file that lasts until this process
 * ends; and SITO_CAN_ADD or SITO_CAN_REMOVE is what they will do. `hasher` gets the filter's hash.
 */
int open_to_change(const struct options *o, unsigned can, sito_filter **out, struct hasher *hasher);

/* DONE if its keys are what people type: an index that `sito NAME` made would answer every such key
 * with a no that proves nothing. */
int check_keys_are_lines(const char *path, const sito_filter *f);

/* DONE if both have keys of the same sort: lines, or what one application makes of them. */
int check_keys_are_alike(const char *path, const sito_filter *f, const char *path2,
                         const sito_filter *g);

/* Can a filter be written there? Asked before the work begins. */
int check_target(const char *path);

/* DONE unless it is one of the inputs (none: stdin), by whatever name: it would take its place, or
 * grow while it is read. */
int check_output(const char *output, char **inputs, size_t n);

/* If it may take the place of an input, which others may be adding to: wait for them, and let them
 * wait. */
int lock_output(const char *output, char **inputs, size_t n);

/* Write the filter: atomically to a file, behind its lock if there is one by that name; plainly to a
 * pipe or device; "-" to stdout. */
int save_filter(const sito_filter *f, const char *path);

/* The complaint where sito_plan_like() says no. TROUBLE. */
int not_alike(const char *file, sito_rc rc);

/* exact kinds answer by the key itself, all others by its hash. */
bool kind_keeps_keys(const char *kind);
bool keeps_keys(const sito_filter *f);

/* Is there a number of keys beyond which a promise breaks, and is `f`, of which this is known, beyond
 * it? Kinds that grow, or forget, have none. */
bool over_plan(const sito_filter *f, const sito_info *info);

#endif
