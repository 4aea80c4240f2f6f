/*
 * test_tags.c - tags packed to the bit and searched a word at a time, beside a plain array of numbers.
 *
 * All widths, groups of all sizes, groups that begin anywhere. Values are those that trip carries between
 * lanes: none, one, the highest, the highest bit alone, and neighbours that differ in one bit.
 */
#include "check.h"

#include "cells/tags.h"

enum { SLOTS = 40, STEPS = 400 };

struct table {
    struct tags t;
    uint32_t plain[SLOTS];
    uint64_t bytes;
};

static uint32_t some_tag(const struct tags *t, uint64_t dice) {
    uint32_t all = (uint32_t)low_bits(t->bits);
    switch (dice % 8) {
    case 0:
    case 1: return 0;
    case 2: return 1;
    case 3: return all;
    case 4: return (all >> 1) + 1;
    case 5: return all >> 1;
    case 6: return (uint32_t)1 << (dice >> 8) % t->bits;
    default: return (uint32_t)(dice >> 16) & all;
    }
}

/* Just as many bytes as a segment has: a sanitizer sees the next one touched. */
static struct table new_table(unsigned bits, unsigned group, bool sorted) {
    struct table table = {.bytes = tags_bytes(SLOTS, bits, sorted)};
    uint8_t *cells = calloc(1, (size_t)table.bytes + SLOTS_SLACK);
    assert_non_null(cells);
    memset(cells + table.bytes, 0xa5, SLOTS_SLACK);
    table.t = tags_in(cells, bits, group, sorted);
    return table;
}

static void end_of(struct table *table) {
    for (unsigned i = 0; i < SLOTS_SLACK; i++)
        PROMISE(table->t.cells[table->bytes + i] == 0xa5, "byte %u past the end was written", i);
    free(table->t.cells);
}

/* What the array says of a group, beside what the table says. */
static void same_group(const struct table *table, uint64_t start, uint32_t tag) {
    const struct tags *t = &table->t;
    uint32_t all[8];
    unsigned copies = 0, room = 0, first = t->group - 1;
    for (unsigned i = t->group; i-- > 0;) {
        copies += table->plain[start + i] == tag;
        room += table->plain[start + i] == 0;
        if (table->plain[start + i] == tag) first = i;
    }
    struct glance glance = tags_glance(t, start, tag);
    PROMISE(tag_copies(t, start, tag) == copies, "copies: %u bits, group %u", t->bits, t->group);
    PROMISE(tag_there(t, start, tag) == (copies > 0), "there: %u bits, group %u", t->bits,
            t->group);
    PROMISE(tag_copies(t, start, 0) == room, "room: %u bits, group %u", t->bits, t->group);
    PROMISE(glance.there == (copies > 0) && glance.room == room, "glance: %u bits, group %u",
            t->bits, t->group);
    PROMISE(slot_holding(t, start, tag) == start + first, "holding: %u bits, group %u", t->bits,
            t->group);
    tags_read(t, start, all);
    for (unsigned i = 0; i < t->group; i++) {
        PROMISE(all[i] == table->plain[start + i], "read: %u bits, group %u", t->bits, t->group);
        PROMISE(tag_read(t, start + i) == all[i], "one read: %u bits, group %u", t->bits, t->group);
    }
}

static void packed_tags_are_those_of_an_array(void **state) {
    (void)state;
    for (unsigned bits = 4; bits <= 32; bits++)
        for (unsigned group = 1; group <= 8; group *= 2) {
            struct table table = new_table(bits, group, false);
            for (uint64_t step = 0; step < STEPS; step++) {
                uint64_t dice = mixed(step), slot = dice % SLOTS;
                uint32_t tag = some_tag(&table.t, dice >> 8);
                tag_write(&table.t, slot, tag);
                table.plain[slot] = tag;
                uint64_t start = (dice >> 48) % (SLOTS - group + 1);
                same_group(&table, start, tag);
                same_group(&table, start, table.plain[start]);
                same_group(&table, start, some_tag(&table.t, mixed(dice)));
            }
            for (uint64_t start = 0; start + group <= SLOTS; start++)
                same_group(&table, start, table.plain[start + group - 1]);
            end_of(&table);
        }
}

static void sorted_tags_are_those_of_a_rising_array(void **state) {
    (void)state;
    for (unsigned bits = 5; bits <= 32; bits++) {
        struct table table = new_table(bits, 4, true);
        for (uint64_t step = 0; step < STEPS; step++) {
            uint64_t dice = mixed(step), slot = dice % SLOTS, start = slot & ~UINT64_C(3);
            uint32_t tag = some_tag(&table.t, dice >> 8), *four = table.plain + start;
            tag_write(&table.t, slot, tag);
            table.plain[slot] = tag;
            for (unsigned i = 0; i < 3; i++)
                for (unsigned j = 0; j < 3; j++)
                    if (four[j] > four[j + 1]) {
                        uint32_t larger = four[j];
                        four[j] = four[j + 1], four[j + 1] = larger;
                    }
            same_group(&table, start, tag);
            same_group(&table, (dice >> 48) % (SLOTS / 4) * 4, some_tag(&table.t, mixed(dice)));
        }
        for (uint64_t start = 0; start < SLOTS; start += 4)
            for (unsigned i = 0; i < 4; i++) same_group(&table, start, table.plain[start + i]);
        end_of(&table);
    }
}

/* The same four tags are the same bytes, in whatever order they came. */
static void a_sorted_group_does_not_tell_the_order(void **state) {
    (void)state;
    for (unsigned bits = 5; bits <= 32; bits++)
        for (uint64_t round = 0; round < 50; round++) {
            struct table one = new_table(bits, 4, true), other = new_table(bits, 4, true);
            for (unsigned i = 0; i < 4; i++) {
                uint32_t tag = some_tag(&one.t, mixed(4 * round + i));
                uint32_t back = some_tag(&one.t, mixed(4 * round + 3 - i));
                tag_write(&one.t, slot_holding(&one.t, 12, 0), tag);
                tag_write(&other.t, slot_holding(&other.t, 12, 0), back);
            }
            PROMISE(memcmp(one.t.cells, other.t.cells, one.bytes) == 0, "%u bits", bits);
            end_of(&one);
            end_of(&other);
        }
}

/* Every value in every lane, where all of them can be tried. */
static void every_short_tag_is_found_in_every_lane(void **state) {
    (void)state;
    for (unsigned bits = 4; bits <= 8; bits++)
        for (unsigned group = 1; group <= 8; group *= 2)
            for (uint32_t other = 0; other < 1u << bits; other += other < 4 ? 1 : 5) {
                struct table table = new_table(bits, group, false);
                for (unsigned i = 0; i < SLOTS; i++) tag_write(&table.t, i, table.plain[i] = other);
                for (unsigned i = 0; i < group; i++)
                    for (uint32_t tag = 0; tag < 1u << bits; tag++) {
                        tag_write(&table.t, 3 + i, table.plain[3 + i] = tag);
                        same_group(&table, 3, tag);
                        same_group(&table, 3, (tag + 1) & (uint32_t)low_bits(bits));
                        tag_write(&table.t, 3 + i, table.plain[3 + i] = other);
                    }
                end_of(&table);
            }
}

static void rising_nibbles_and_codes_are_one_to_one(void **state) {
    (void)state;
    unsigned sequences = 0;
    uint8_t met[CODES] = {0};
    for (uint32_t a = 0; a < 16; a++)
        for (uint32_t b = a; b < 16; b++)
            for (uint32_t c = b; c < 16; c++)
                for (uint32_t d = c; d < 16; d++, sequences++) {
                    uint32_t four[4] = {a, b, c, d}, again[4];
                    unsigned code = code_of(four);
                    assert_true(code < CODES);
                    PROMISE(!met[code], "two sequences have code %u", code);
                    met[code] = 1;
                    nibbles_of(code, again);
                    assert_memory_equal(four, again, sizeof four);
                }
    assert_int_equal(sequences, CODES);
}

/* No sequence has them; from a damaged image they may come all the same. */
static void codes_of_nobody_are_still_nibbles(void **state) {
    (void)state;
    for (unsigned code = CODES; code < 1u << CODE_BITS; code++) {
        uint32_t four[4];
        nibbles_of(code, four);
        for (unsigned i = 0; i < 4; i++) assert_true(four[i] < 16);
    }
}

static void sizes_are_to_the_bit_and_never_wrap(void **state) {
    (void)state;
    for (unsigned bits = 4; bits <= 32; bits++)
        for (uint64_t slots = 0; slots < 100; slots++) {
            assert_int_equal(tags_bytes(slots, bits, false), (slots * bits + 7) / 8);
            assert_int_equal(tags_bytes(slots, bits, true), (slots * (bits - 1) + 7) / 8);
        }
    for (unsigned bits = 5; bits <= 32; bits++) {
        assert_true(tags_bytes(UINT64_MAX, bits, false) >= UINT64_MAX / 8);
        assert_true(tags_bytes(UINT64_C(1) << 62, bits, true) >= UINT64_MAX / 8);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_tags_are_those_of_an_array),
        cmocka_unit_test(sorted_tags_are_those_of_a_rising_array),
        cmocka_unit_test(a_sorted_group_does_not_tell_the_order),
        cmocka_unit_test(every_short_tag_is_found_in_every_lane),
        cmocka_unit_test(rising_nibbles_and_codes_are_one_to_one),
        cmocka_unit_test(codes_of_nobody_are_still_nibbles),
        cmocka_unit_test(sizes_are_to_the_bit_and_never_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
