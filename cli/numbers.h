/* numbers.h - numbers as people write them: 10M, 1e6, 64MiB, 1%, 0.01; and back again. */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Each returns false and a reason that reads well after the number, and leaves *out alone. */
bool parse_count(const char *text, uint64_t *out,
                 const char **why); /* 10k, 1.5M, 2Gi, 1e6; not 0 */
bool parse_bytes(const char *text, uint64_t *out, const char **why); /* the same and 64MiB, 1GB */
bool parse_rate(const char *text, double *out, const char **why);    /* 1%, 0.01, 1e-6; in (0, 1) */
bool parse_share(const char *text, double *out, const char **why);   /* 0.5, 1, 1e-3; 0 to 1 */
bool parse_fraction(const char *text, uint32_t out[2], const char **why); /* 9/10; below 1 */
bool parse_seed(const char *text, uint64_t *out, const char **why); /* decimal or 0x...; not 0 */

enum { NUMBER_ROOM = 48 };

/* For people: "117.0 KiB", "1 % (1 in 100)", "102,401". All return `room`. */
const char *human_bytes(uint64_t bytes, char room[NUMBER_ROOM]);
const char *human_rate(double rate, char room[NUMBER_ROOM]);
const char *human_count(uint64_t count, char room[NUMBER_ROOM]);

/* The shortest decimal that reads back as the same double. */
const char *exact_real(double value, char room[NUMBER_ROOM]);

#endif
