/* options.c - the two tables: every command, every option. See options.h for who reads them. */
#include "options.h"

#include <string.h>

#define ANY ((size_t)-1)

static const struct command commands[] = {
    {"build", "-o FILE [INPUT...]", "make a filter from keys",
     "Reads keys, one a line, and writes a filter of them: without -k a `bloom`. The\n"
     "keys are a set: one that stands twice is stored once. Only an `aged` filter of a\n"
     "given size or window takes them as they come: one that comes again is young\n"
     "again.\n"
     "\n"
     "Of the number of keys (-n), the rate (-r) and the size (--max-bytes, --cells)\n"
     "two determine the third; without a rate it is 1 %. With neither -n nor a size,\n"
     "the filter is sized by its input: by its distinct keys; but in regular files of\n"
     "more than a million lines by these, which are counted first, unless the kind\n"
     "is `compact`, `counting`, `cuckoo`, `linear`, `fuse` or `ribbon`, or has layers\n"
     "of `cuckoo`: give -n if many repeat. A stream that cannot be read twice costs 8\n"
     "bytes a key meanwhile; kinds that can `remove` up to 32 as they build.\n"
     "\n"
     "If more keys come than were planned, nothing is written and the exit status is\n"
     "3. With --partial the filter is written all the same (status 3 too): with a\n"
     "higher rate, or, in kinds that fill up, with as many keys as found room.\n"
     "\n"
     "If there is a FILE, it is replaced when all is done, after any `add` or `remove`\n"
     "to it that has begun.\n"
     "\n"
     "For `-k linear` a line is a key, a tab and its confidence, 0 to 1; a key alone\n"
     "has 1. Of a key that comes twice the higher counts. With -n and --max-bytes the\n"
     "filter takes the cells and hashes that make the least error.\n"
     "\n"
     "With `-k fuse --values` a line is a key, a tab and its value, a number of up to\n"
     "32 bits, less those of a mark. Without -r or --tag-bits there are no marks: then\n"
     "strangers get values too, which mean nothing. A key that comes twice must have\n"
     "one value.",
     "sito build -o words.sito /usr/share/dict/words\n"
     "sito build -k compact -r 0.1% -n 10M -o seen.sito keys.gz more.zst\n"
     "printf 'heron\\t0.9\\nstork\\t0.25\\n' | sito build -k linear -o birds.sito\n"
     "sito build -k fuse --values -r 1% -o shards.sito shards.tsv\n"
     "cut -f1 log | sito build -o users.sito",
     COMPLETE_FILES, 0, ANY, cmd_build},
    {"query", "FILE [INPUT...]", "print the keys that may be inside",
     "Prints the keys that may be inside, in the order they were asked. With -v the\n"
     "keys that surely are not: those are proven, the others are right but for the\n"
     "false-positive rate that `sito info` tells.\n"
     "\n"
     "The whole file is verified before the first answer; --map skips that and\n"
     "answers straight from the file. The exit status is 0 if a key was printed (or\n"
     "counted), 1 if none was.\n"
     "\n"
     "With --levels each key of a `linear` filter is followed by a tab and its\n"
     "confidence, the middle of its level: lines that `sito build -k linear` takes.\n"
     "\n"
     "With --values each key asked is followed by a tab and the value that a `fuse`\n"
     "filter has for it, or by a - if its mark tells that it is not inside; the exit\n"
     "status is 1 if all are followed by that.",
     "sito query words.sito text.txt\n"
     "printf 'heron\\nhreon\\n' | sito query -v words.sito\n"
     "sito query -c --map words.sito text.txt.gz",
     COMPLETE_FILES, 1, ANY, cmd_query},
    {"add", "FILE [INPUT...]", "add keys to a filter file",
     "Adds keys to FILE and replaces it when all are in, so that readers see the old\n"
     "file or the new one. A second `add` or `remove` waits for the first.\n"
     "\n"
     "In kinds that can `remove`, a key added twice must be removed twice. If a key\n"
     "finds no room, or there are more keys than the filter was planned for, nothing\n"
     "is written and the exit status is 3; with --partial, what found room is.\n"
     "\n"
     "For a `linear` filter a line is a key, a tab and its confidence, 0 to 1; a key\n"
     "alone has 1. A known key keeps the higher one.",
     "sito add seen.sito today.txt\n"
     "sito add --no-wait seen.sito <today.txt",
     COMPLETE_FILES, 1, ANY, cmd_add},
    {"remove", "FILE [INPUT...]", "take keys out of a filter file",
     "Takes one copy of each key out of FILE. Remove only what was added: a key that\n"
     "merely looks as if it were inside may take another's place away. The exit\n"
     "status is 1, and FILE is left alone, if no key was there.",
     "sito remove seen.sito expired.txt", COMPLETE_FILES, 1, ANY, cmd_remove},
    {"count", "FILE [INPUT...]", "print how often each key was added",
     "Prints the count, a tab and the key for each key asked. A count is never below\n"
     "the truth. Where all counters of a key are saturated there is none to tell: a\n"
     "question mark stands in its place, or null with --json, which prints an object a\n"
     "line, one for each key. Kinds that cannot count refuse: see `sito kinds`.",
     "sito count seen.sito keys.txt", COMPLETE_FILES, 1, ANY, cmd_count},
    {"merge", "FILE... -o FILE", "make one filter of several",
     "Everything in any of the filters is in the result. They must have the same\n"
     "kind, shape, hash and seed, as filters built with `--like` have. Keyed filters\n"
     "are merged without their key. The result may replace one of its parts: then it\n"
     "waits for an `add` or `remove` there, as these wait for each other.\n"
     "\n"
     "Build the first for all the keys (-n), not for its own. A result that errs more\n"
     "than was planned is written too, and a line on standard error tells.",
     "sito build -n 1M -o a.sito a.txt\n"
     "sito build --like a.sito -o b.sito b.txt\n"
     "sito merge a.sito b.sito -o both.sito",
     COMPLETE_FILES, 1, ANY, cmd_merge},
    {"plan", "[N [RATE]]", "what would a filter cost, and what would it promise?",
     "Shows, for every kind or with -k for one, the size and the false-positive rate\n"
     "of a filter for N keys. Of keys, rate and size any two give the third; without a\n"
     "rate it is 1 %. With --json: a list of objects, or with -k a single one.\n"
     "\n"
     "With `-k counting` it also tells how likely a counter is to overflow once all\n"
     "keys are in: the Poisson tail, and the bound of Fan et al. A counter at its\n"
     "largest value is saturated: it is never counted down again, so no key is lost,\n"
     "but the cell is. How many are, `sito info` shows.\n"
     "\n"
     "With `-k linear` it tells the mean squared error of confidences read back, if\n"
     "they are uniform in 0 to 1, and how many will be over-estimated.",
     "sito plan 10M 1%\n"
     "sito plan 10M 0.1% -k compact\n"
     "sito plan 10M -k counting --cell-bits 3\n"
     "sito plan 70 -k linear --max-bytes 512\n"
     "sito plan -n 10M --max-bytes 8MiB",
     NULL, 0, 2, cmd_plan},
    {"info", "FILE", "what is this filter?",
     "Shows the kind, size, keys and rates of a filter, and every figure its kind\n"
     "keeps. A keyed filter is looked at without its key.",
     "sito info words.sito\n"
     "sito info --json words.sito | jq .present_fpr",
     COMPLETE_FILES, 1, 1, cmd_info},
    {"check", "FILE...", "is this filter file whole and sound?",
     "Verifies every checksum and every invariant. Silent if all is well; the exit\n"
     "status is 1 if a file is damaged, or of a format that this sito does not know;\n"
     "2 if one cannot be read. With --json there is an object a line, one for each\n"
     "file.",
     "sito check *.sito && echo sound", COMPLETE_FILES, 1, ANY, cmd_check},
    {"kinds", "", "the kinds of filters, and what each can",
     "Lists the catalogue: what can be added to, removed from, counted, merged, grown\n"
     "past its plan, built at once, written by several threads, or mapped.",
     "sito kinds", NULL, 0, 0, cmd_kinds},
    {"bench", "[N...]", "how fast is each kind on this machine?",
     "Makes filters of N keys (1M) of 8 bytes, asks them, and shows nanoseconds a key\n"
     "beside the machine's limit: one random read of as many bytes. Building is at\n"
     "once, from hashes; exact kinds add key by key. Questions one by one go from key\n"
     "bytes to answer; in batches their hashes are there already. -k takes several\n"
     "kinds, parted by commas; without it all are measured.\n"
     "\n"
     "With --reject: the time of a question when 0 to 100 % of them are strangers.\n"
     "\n"
     "All is CPU time of one thread that stays on one core, the least of nine rounds\n"
     "in which the kinds take turns. JSON is one object a line.",
     "sito bench\n"
     "sito bench -k bloom,block -r 0.1% 1M 10M\n"
     "sito bench -k cuckoo --layout sorted --json\n"
     "sito bench --reject --export md",
     NULL, 0, ANY, cmd_bench},
    {"hyphen", "[FILE...]", "where may words break? text in, soft hyphens out",
     "Reads plain text or HTML (by the file's name, or with --html) and writes it with\n"
     "a soft hyphen at each place where a word may break. Tags, code, pre, script,\n"
     "style, addresses, words with digits and bytes that are no UTF-8 pass unchanged;\n"
     "so do words that have soft hyphens already. lang= chooses another language.\n"
     "\n"
     "Of an EPUB (known by its first bytes) the XHTML documents are hyphenated, in the\n"
     "book's own language unless -l names one. Everything else in it stays as it is:\n"
     "tables of contents and encrypted documents too. A file that is damaged, or has a\n"
     "document of more than 64 MiB, is refused. Signatures do not hold for the new\n"
     "book, which is told.\n"
     "\n"
     "Patterns are hyph-utf8 text, TeX's \\patterns or libhyphen's .dic files, found\n"
     "by language (-l) in /usr/share/hyphen, in TeX Live, or in HYPHEN_PATH. Under\n"
     "TeX's the breaks follow TeX's rules, under .dic files libhyphen's: --right\n"
     "does not reach a break behind a first letter of one byte there, as in a-mor.\n"
     "To hyph-TAG.pat.txt belong the exceptions in hyph-TAG.hyp.txt beside it and the\n"
     "least distances that the comments of hyph-TAG.tex state, there or in ../tex.\n"
     "\n"
     "Exceptions are words with hyphens, one a line or in \\hyphenation{}. They lie\n"
     "in a sorted file; a filter in memory, the guard, tells which words need not be\n"
     "looked up. `sito hyphen learn STORE [FILE...]` keeps such a file and its guard,\n"
     "STORE.guard, of the --guard and -r that were given when it was made; `forget`\n"
     "takes words out again: exit status 1 if none of them was there. --stats counts,\n"
     "on stderr, as JSON.",
     "sito hyphen -l de book.html >out.html\n"
     "sito hyphen book.epub -o out.epub\n"
     "printf 'hyphenation\\n' | sito hyphen --words\n"
     "sito hyphen --exceptions mine.txt --guard cuckoo -r 1% --stats <in >out\n"
     "echo 'ta-ble' | sito hyphen learn my.store\n"
     "sito hyphen -l hu --explain asszonnyal",
     COMPLETE_FILES, 0, ANY, cmd_hyphen},
    {"help", "[COMMAND]", "this help, or that of a command",
     "Shows what a command does, its options and an example. With --man it prints\n"
     "the source (scdoc) of the manual page instead.",
     "sito help build\n"
     "sito help --man build | scdoc >sito-build.1",
     COMPLETE_COMMANDS, 0, 2, cmd_help},
    {"version", "", "the version of this command and of its library",
     "Prints the version of the command, and that of the library if it differs.", "sito version",
     NULL, 0, 0, cmd_version},
    {"completion", "SHELL", "print the completion script of bash, zsh or fish",
     "Prints a script that teaches the shell to complete `sito` command lines.",
     "sito completion bash >~/.local/share/bash-completion/completions/sito\n"
     "sito completion zsh >~/.zfunc/_sito\n"
     "sito completion fish >~/.config/fish/completions/sito.fish",
     "bash zsh fish", 1, 1, cmd_completion},
};

#define AT(member) offsetof(struct options, member)
#define KEYED " build query add remove count "
#define READS " build query add remove count "
#define PLANS " build plan bench "

static const struct option options[] = {
    {'o', "output", "FILE", "the file to write; -: standard output", TEXT, AT(output),
     " build merge hyphen ", COMPLETE_FILES},
    {'k', "kind", "KIND", "kind of filter, see `sito kinds`", TEXT, AT(wish.kind), PLANS,
     COMPLETE_KINDS},
    {'r', "rate", "RATE", "false-positive rate wanted: 0.01, 1%, 1e-6", RATE, AT(wish.fpr),
     PLANS "hyphen ", NULL},
    {'n', "keys", "N", "distinct keys expected: 5000, 10M, 1e6", COUNT, AT(wish.nkeys), PLANS,
     NULL},
    {0, "max-bytes", "SIZE", "at most this size, or the size to solve for: 64MiB", BYTES,
     AT(wish.max_bytes), PLANS, NULL},
    {'v', "invert", NULL, "print the keys that surely are not inside", FLAG, AT(invert), " query ",
     NULL},
    {'c', "count", NULL, "print only how many", FLAG, AT(count), " query ", NULL},
    {0, "levels", NULL, "print each key's confidence behind it (linear)", FLAG, AT(levels),
     " query ", NULL},
    {0, "values", NULL, "lines are a key, a tab and its value; print these (fuse)", FLAG,
     AT(values), " build query ", NULL},
    {'0', "null", NULL, "keys end in a NUL byte, not in a newline; output too", FLAG, AT(nul),
     READS, NULL},
    {0, "like", "FILE", "same kind, shape, hash and seed as FILE: to merge later", TEXT, AT(like),
     " build ", COMPLETE_FILES},
    {0, "key-file", "FILE", "secret of the keyed hash: 16 bytes, or 32 hex digits", TEXT,
     AT(key_file), KEYED, COMPLETE_FILES},
    {0, "seed", "SEED", "seed of the fast hash (drawn at random)", SEED, AT(wish.seed), " build ",
     NULL},
    {0, "threads", "N", "threads at work (as many as processors, up to 4)", COUNT32,
     AT(wish.threads), " build query ", NULL},
    {0, "map", NULL, "answer straight from the file, its cells unverified", FLAG, AT(map),
     " query count ", NULL},
    {0, "partial", NULL, "write what can be had even if a promise cannot be met", FLAG, AT(partial),
     " build add ", NULL},
    {0, "no-wait", NULL, "if another process writes FILE: exit 2 at once", FLAG, AT(no_wait),
     " add remove ", NULL},
    {0, "hashes", "K", "positions a key (bloom, parted, linear, ...)", COUNT32, AT(wish.nhashes),
     PLANS, NULL},
    {0, "cells", "N", "exactly so many bits, cells or slots", COUNT, AT(wish.ncells), PLANS, NULL},
    {0, "cell-bits", "BITS", "bits a cell (counting: 2 to 16, or 4; linear: 1 to 16)", COUNT32,
     AT(wish.cell_bits), PLANS, NULL},
    {0, "tag-bits", "BITS", "bits a mark (compact, cuckoo, fuse, ribbon)", COUNT32,
     AT(wish.tag_bits), PLANS, NULL},
    {0, "rule", "RULE", "relocation: random, emptier, path (cuckoo)", TEXT, AT(wish.rule), PLANS,
     "random emptier path"},
    {0, "layout", "LAYOUT", "buckets: bucket, sorted, window (cuckoo)", TEXT, AT(wish.layout),
     PLANS, "bucket sorted window"},
    {0, "bucket", "SLOTS", "slots a bucket: 1, 2, 4, 8 (cuckoo)", COUNT32, AT(wish.bucket), PLANS,
     "1 2 4 8"},
    {0, "max-moves", "N", "limit of relocations (cuckoo)", COUNT32, AT(wish.max_moves), PLANS,
     NULL},
    {0, "scale", "SCALE", "levels: linear, geometric (linear)", TEXT, AT(wish.scale), PLANS,
     "linear geometric"},
    {0, "fade", "P/Q", "factor of the geometric scale (linear; 9/10)", FRACTION, AT(wish.fade_p),
     PLANS, NULL},
    {0, "layer", "KIND", "layers: tags, cuckoo, bloom, block (scalable)", TEXT, AT(wish.layer),
     PLANS, "tags cuckoo bloom block"},
    {0, "window", "N", "how many of the last keys are remembered (aged)", COUNT, AT(wish.window),
     PLANS, NULL},
    {0, "arity", "N", "cells a key: 3 or 4 (fuse)", COUNT32, AT(wish.arity), PLANS, "3 4"},
    {0, "value-bits", "BITS", "bits of a value: 1 to 32 (fuse; as the largest needs)", COUNT32,
     AT(wish.value_bits), " build plan ", NULL},
    {0, "reject", NULL, "the time to reject, by the share of strangers asked for", FLAG, AT(reject),
     " bench ", NULL},
    {0, "quick", NULL, "three short rounds, and 100k keys if N is not given", FLAG, AT(quick),
     " bench ", NULL},
    {0, "export", "FORM", "print the figures as json, csv or md (Markdown)", TEXT, AT(export),
     " bench ", "json csv md"},
    {'l', "lang", "TAG", "language of the text: en-US, de, pt-BR, ... (en-US)", TEXT, AT(lang),
     " hyphen ", NULL},
    {0, "patterns", "FILE", "a pattern file, or a compiled one, in place of -l", TEXT, AT(patterns),
     " hyphen ", COMPLETE_FILES},
    {0, "list", NULL, "list the pattern files that are installed", FLAG, AT(list), " hyphen ",
     NULL},
    {0, "compile", "FILE", "only write the patterns compiled, to be mapped later", TEXT,
     AT(compile), " hyphen ", COMPLETE_FILES},
    {0, "words", NULL, "one word a line, in and out; changed spellings are shown", FLAG, AT(words),
     " hyphen ", NULL},
    {0, "html", NULL, "the input is HTML or XHTML, whatever its name", FLAG, AT(html), " hyphen ",
     NULL},
    {0, "mark", "TEXT", "what stands at a break (a soft hyphen; with --words -)", TEXT, AT(mark),
     " hyphen ", NULL},
    {0, "strip", NULL, "take soft hyphens out, and set none", FLAG, AT(strip), " hyphen ", NULL},
    {0, "left", "N", "at least N letters before a break (as the patterns say)", COUNT32, AT(left),
     " hyphen ", NULL},
    {0, "right", "N", "the same behind a break; under .dic not after letter 1", COUNT32, AT(right),
     " hyphen ", NULL},
    {0, "min-word", "N", "leave words of less than N letters alone", COUNT32, AT(min_word),
     " hyphen ", NULL},
    {0, "no-caps", NULL, "leave words that begin with a capital alone", FLAG, AT(no_caps),
     " hyphen ", NULL},
    {0, "exceptions", "FILE", "words with their breaks; may stand several times", TEXTS,
     AT(exceptions), " hyphen ", COMPLETE_FILES},
    {0, "guard", "KIND", "kind of the filter before exceptions, or none (bloom)", TEXT, AT(guard),
     " hyphen ", COMPLETE_KINDS},
    {0, "stats", NULL, "count words, breaks and reads of exceptions, on stderr", FLAG, AT(stats),
     " hyphen ", NULL},
    {0, "explain", "WORD", "show the patterns that occur in WORD", TEXT, AT(explain), " hyphen ",
     NULL},
    {0, "json", NULL, "report as JSON on standard output", FLAG, AT(json),
     " build query add remove count merge plan info check kinds bench version ", NULL},
    {'V', "verbose", NULL, "say what was done, even if stderr is no terminal", FLAG, AT(verbose),
     " build add remove merge check hyphen ", NULL},
    {0, "man", NULL, "print the manual page's source (scdoc)", FLAG, AT(man), " help ", NULL},
    {'h', "help", NULL, "this help", FLAG, AT(help), "*", NULL},
};

const struct command *command_at(size_t i) {
    return i < sizeof commands / sizeof *commands ? &commands[i] : NULL;
}

const struct option *option_at(size_t i) {
    return i < sizeof options / sizeof *options ? &options[i] : NULL;
}

const struct command *command_named(const char *name) {
    for (size_t i = 0; command_at(i); i++)
        if (!strcmp(commands[i].name, name)) return &commands[i];
    return NULL;
}

bool option_fits(const struct option *option, const struct command *command) {
    const size_t n = strlen(command->name);
    if (*option->commands == '*') return true;
    for (const char *p = option->commands; (p = strstr(p, command->name)); p++)
        if (p[-1] == ' ' && p[n] == ' ') return true;
    return false;
}
