/* inputs.h - what a command is to read and to write, looked at before it begins. */
#ifndef KMER_INPUTS_H
#define KMER_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

/* What to call it in a message. */
const char *input_name(const char *path);

/* DONE, or TROUBLE after a complaint: standard input can be read once. */
int check_inputs(char **inputs, size_t n);

/* Also of files that are not there yet. */
bool same_file(const char *a, const char *b);

#endif
