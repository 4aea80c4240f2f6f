/*
 * reseal.h - make the sums of a tampered image right again, so that what is behind them gets tested.
 *
 * The header's sum covers bytes 0..119 and the note area; one sum stands for every 64 KiB of the padded
 * cells; the last one for the table of those. An image too short for its own claims is left as it is
 * from there on: the validator sees that before any sum.
 */
#ifndef TESTS_RESEAL_H
#define TESTS_RESEAL_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "keys.h"

static inline void reseal(uint8_t *bytes, size_t len) {
    if (len < 128) return;
    uint64_t cells_at = 128 + (read_le(bytes + 28, 4) + 63) / 64 * 64;
    if (cells_at > len) return;
    XXH3_state_t *sum = XXH3_createState();
    if (!sum) give_up("no memory");
    XXH3_64bits_reset(sum);
    XXH3_64bits_update(sum, bytes, 120);
    XXH3_64bits_update(sum, bytes + 128, (size_t)cells_at - 128);
    write_le(bytes + 120, 8, XXH3_64bits_digest(sum));
    XXH3_freeState(sum);

    uint64_t claimed = read_le(bytes + 72, 8);
    if (claimed > len - cells_at) return;
    uint64_t padded = (claimed + 63) / 64 * 64;
    uint64_t pieces = (padded + 65535) / 65536;
    if (padded > len - cells_at || 8 * (pieces + 1) > len - cells_at - padded) return;
    uint8_t *cells = bytes + cells_at, *table = cells + padded;
    for (uint64_t i = 0; i < pieces; i++) {
        uint64_t left = padded - 65536 * i;
        write_le(table + 8 * i, 8,
                 XXH3_64bits(cells + 65536 * i, left < 65536 ? (size_t)left : 65536));
    }
    write_le(table + 8 * pieces, 8, XXH3_64bits(table, (size_t)(8 * pieces)));
}

#endif
