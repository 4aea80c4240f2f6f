/* letters.h - what is a letter, and what is its small form; the same on every machine and in every
 * locale. */
#ifndef HYPHEN_LETTERS_H
#define HYPHEN_LETTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool is_letter(uint32_t c); /* marks that sit on letters count as such */
bool is_mark(uint32_t c);   /* Unicode's category M */
uint32_t small_letter(uint32_t c);

/* Call `each` with all capitals and their small letters, in order. */
void capitals_each(void (*each)(void *self, uint32_t capital, uint32_t small), void *self);

/* The word in small letters, into `to`, which has room for 2 * n bytes. Returns its length; 0 if
 * the word is no UTF-8. */
size_t fold_word(const char *word, size_t n, char *to);

#endif
