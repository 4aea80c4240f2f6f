"""The ribbon's part of the second reader: section "11 ribbon" of format.md in code."""
M64, STEP, RIBBON = 2**64 - 1, 0x9E3779B97F4A7C15, 11

def stir(x):
    x = (x ^ x >> 32) * 0xD6E8FEB86659FD93 & M64
    x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9 & M64
    return x ^ x >> 32

def root(n):
    r = 0
    while (r + 1) ** 2 <= n: r += 1
    return r

def pieces(buckets): return -(-buckets // 8192)
def rows_of(buckets): return 128 * buckets + 64 * pieces(buckets)

def layers(n, bits, share):
    """(buckets, deep ones, byte of the deep rows, of the others, first bucket), and what the last layer has."""
    found, keys, at, first, rows = [], n, 0, 0, 0
    while keys > 1024:
        k = keys * 5 // 691
        deep = -(-k * share // 65536)
        flat_at = at + rows_of(deep) // 8 * (bits + 1)
        found.append((k, deep, at, flat_at, first))
        here = rows_of(deep) + rows_of(k - deep)
        keys = max(0, keys + k // 32 + 30 * (pieces(deep) + pieces(k - deep)) - here)
        at, first, rows = flat_at + rows_of(k - deep) // 8 * bits, first + k, rows + here
    slack = n // 3600 + root(n) // 4 + 32 * len(found) * (2 if share else 1) + 48 if found else n // 32 + 8
    return found, at, -(-(n + slack) // 64) * 64 - rows, first

def sizes(n, numbers):
    bits, share, *unused = numbers[:4]
    if not 1 <= bits <= 48 or not n or any(unused) or numbers[4] > 64 or numbers[5] > 63: return None
    _, at, rows, buckets = layers(n, bits, share)
    return [at + rows // 8 * (bits + (share > 0)), (buckets + 3) // 4]

def holds(cells, at, start, bits, h):  # the rows that h names, added up, are its tag
    x = h * STEP & M64
    x ^= x >> 32
    wide, coef = x * 0xD1342543DE82EF95, x | 1
    tag, block = (wide ^ wide >> 64) & M64, at + start // 32 * bits * 4
    for c in range(bits):
        words = [cells[block + (i * bits + c) * 4 :][:4] for i in range(3 if start % 32 else 2)]
        named = int.from_bytes(b"".join(words), "little") >> start % 32 & coef
        if (bin(named).count("1") ^ tag >> c) & 1: return False
    return True

def maybe(n, numbers, segments, x):
    bits, share, _, _, attempt, last_attempt, _ = numbers
    cells, codes = segments
    if attempt == 64: return False  # no keys
    found, at, rows, _ = layers(n, bits, share)
    for number, (k, deep, deep_at, flat_at, first) in enumerate(found):
        x = stir(x + (1 if number else 2 * attempt) * STEP & M64)
        start = x * 128 * k >> 64
        bucket = first + start // 128
        if start % 128 < (0, 16, 40, 128)[codes[bucket // 4] >> bucket % 4 * 2 & 3]: continue
        is_deep = start // 128 < deep
        start -= 0 if is_deep else 128 * deep
        start += start // (128 * 8192) * 64  # every piece has 64 rows more
        return holds(cells, deep_at if is_deep else flat_at, start, bits + is_deep, x)
    x = stir(x + (2 * last_attempt + 1) * STEP & M64)
    return holds(cells, at, x * (rows - 63) >> 64, bits + (share > 0), x)
