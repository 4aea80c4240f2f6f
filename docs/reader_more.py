"""Kinds that reader.py has no room for. Of each: the sizes of its segments, None if no image has these numbers, and
whether a key of hash x may be inside; `numbers` are param[0..3] and extra[0..2]."""
import reader_ribbon as ribbon
from xxh3 import M64, number

FUSE = 10

def bits(cells, at, n):  # n bits of a little-endian string
    return number(cells, at // 8, n // 8 + 2) >> at % 8 & (1 << n) - 1

def fuse_table(n, a):  # pieces, slots of each, segments to begin in, slots of each
    pieces = -(-n // (9 * 2 ** (18 if a == 3 else 16)))
    size = n // pieces // (64 if pieces > 1 else 1) * (64 if pieces > 1 else 1)
    root = max(r for r in range(1, 400) if r ** 3 <= size * (6 if a == 3 else 11))
    starts = [s for s in range(root - root // 8, root + root // 8 + 1) if s + a - 1 <= size]
    start = min(starts, key=lambda s: size % (s + a - 1)) if starts else 1
    return pieces, size, start, size // (start + a - 1)

def fuse_sizes(n, numbers):
    b, a, salt = numbers[0], numbers[1], numbers[4]
    fits = 8 <= n <= 2 ** 51 and 4 <= b <= 32 and a in (3, 4) and salt < 4
    if not fits or any(numbers[2:4]) or any(numbers[5:]): return None
    return [(n * b + 7) // 8, fuse_table(n, a)[0]]

def in_fuse(n, numbers, segments, x):
    b, a, salt = numbers[0], numbers[1], numbers[4]
    pieces, size, starts, length = fuse_table(n, a)
    x ^= salt * 0x9E3779B97F4A7C15 & M64
    x = (x ^ x >> 32) * 0xBF58476D1CE4E5B9 & M64
    x = (x ^ x >> 29) * 0x94D049BB133111EB & M64
    x ^= x >> 32
    piece = x * pieces >> 64
    attempt = segments[1][piece]
    d = (x ^ attempt * 0xD6E8FEB86659FD93 & M64) * 0x9E3779B97F4A7C15 & M64
    d ^= d >> 32
    y = d * 0xD1342543DE82EF95 & M64
    y ^= y >> 32
    total = d & (1 << b) - 1
    for j in range(a):
        slot = piece * size + ((d >> 32) * starts >> 32) * length + j * length + ((y >> 16 * j & 0xFFFF) * length >> 16)
        total ^= bits(segments[0], slot * b, b)
    return attempt != 0 and total == 0

MORE = {FUSE: (fuse_sizes, in_fuse), ribbon.RIBBON: (ribbon.sizes, ribbon.maybe)}
