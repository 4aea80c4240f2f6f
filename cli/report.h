/* report.h - one list of named values, printed as a table for people or as one JSON object. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <sito/sito.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct report {
    bool json, empty;
};

void report_begin(struct report *r, bool json);
void report_end(struct report *r);

/* Names are those of the JSON; in the table an underscore is a blank. */
void report_text(struct report *r, const char *name, const char *value); /* NULL: null, left out */
void report_count(struct report *r, const char *name, uint64_t value);
void report_bytes(struct report *r, const char *name, uint64_t value);
void report_rate(struct report *r, const char *name, double value);
void report_real(struct report *r, const char *name, double value);
void report_bool(struct report *r, const char *name, bool value);
void report_abilities(struct report *r, const char *name, unsigned can);

/* The fields of sito_info, for every command that reports on a filter. */
void report_info(struct report *r, const sito_info *info);

/* A JSON string; what is no UTF-8 becomes U+FFFD. */
void json_string(const char *text, size_t length);
bool is_utf8(const char *text, size_t length);

/* The words of a set of SITO_CAN_*: number i, 0 past the last. */
unsigned ability_at(size_t i, const char **word);

#endif
