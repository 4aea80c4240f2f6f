"""Kinds that reader.py has no room for. Of each: the sizes of its segments, None if no image has these numbers, and
whether a key of hash x may be inside; `numbers` are param[0..3] and extra[0..2]."""
import reader_ribbon as ribbon
from xxh3 import M64, number

FUSE = 10

def bits(cells, at, n):  # n bits of a little-endian string
    return number(cells, at // 8, n // 8 + 2) >> at % 8 & (1 << n) - 1

def fuse_table(n, a):  # pieces, slots of each, segments to begin in, slots of each, has pairs
    pieces = -(-n // (9 * 2 ** 18 if a == 3 else 3 * 2 ** 18))
    size = n // pieces // (64 if pieces > 1 else 1) * (64 if pieces > 1 else 1)
    paired = a == 4 and size >= 2 ** 17
    more, group, cube = (2, 16, 2) if paired else (a - 1, 1, 6 if a == 3 else 11)
    root = max(r for r in range(1, 400) if r ** 3 <= size * cube)
    length = lambda s: size // (s + more) // group * group
    starts = [s for s in range(root - root // 8, root + root // 8 + 1) if s + more <= size]
    start = min(starts, key=lambda s: size - (s + more) * length(s)) if starts else 1
    return pieces, size, start, length(start), paired

def fuse_sizes(n, numbers):
    mark, a, value, _, salt = numbers[:5]
    fits = 8 <= n <= 2 ** 51 and (4 <= mark or value) and mark + value <= 32 and a in (3, 4) and salt < 4
    if not fits or numbers[3] or any(numbers[5:]): return None
    return [(n * (mark + value) + 7) // 8, fuse_table(n, a)[0]]

def fuse_value(n, numbers, segments, x):  # None: surely not inside
    b, a, salt = numbers[0] + numbers[2], numbers[1], numbers[4]
    pieces, size, starts, length, paired = fuse_table(n, a)
    x ^= salt * 0x9E3779B97F4A7C15 & M64
    x = (x ^ x >> 32) * 0xBF58476D1CE4E5B9 & M64
    x = (x ^ x >> 29) * 0x94D049BB133111EB & M64
    x ^= x >> 32
    piece = x * pieces >> 64
    attempt = segments[1][piece]
    d = ((x ^ attempt * 0xD6E8FEB9) * 0x9E3779B97F4A7C15 & M64) >> 6
    y = d * 0xD1342543DE82EF95 & M64
    y ^= y >> 32
    share = lambda j, span: (y >> 16 * j & 0xFFFF) * span >> 16
    slots = [j * length + share(j, length) for j in range(a)]
    if paired: slots = [slots[0], slots[0] ^ 1 + share(1, 15), slots[2] - length, slots[3] - length]
    total = d & (1 << b) - 1
    for slot in slots:
        total ^= bits(segments[0], (piece * size + ((d >> 26) * starts >> 32) * length + slot) * b, b)
    return total >> numbers[0] if attempt and total % (1 << numbers[0]) == 0 else None

def in_fuse(*where):
    return fuse_value(*where) is not None

MORE = {FUSE: (fuse_sizes, in_fuse), ribbon.RIBBON: (ribbon.sizes, ribbon.maybe)}
