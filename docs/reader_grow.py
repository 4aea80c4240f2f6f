"""Kinds that grow or forget, for reader.py: scalable and aged, as in format.md."""

import math

BLOOM, CUCKOO, BLOCK, SCALABLE, AGED = 4, 7, 9, 13, 14
KINDS = (SCALABLE, AGED)
M64 = (1 << 64) - 1

def up(size, step): return size + -size % step
root = math.isqrt

def ground(n, s):  # keys and even buckets of a first layer that was laid out anew so often
    for _ in range(s): n += n // 2
    even = up(n + n // 16 + n // 512 + 3 * root(n) + 32, 4) // 4
    power = 1 << even.bit_length() - 1
    if 12 * even > 22 * power: power *= 2
    return n, max(even, power + power // 512 + 4)

def ground_hash(n, param, x):  # a hash that finds the key's place there in a cuckoo table
    even, last = ground(n, param[6])[1], ground(n, param[2])[1]
    shift, known = even.bit_length() - 1, param[1] + last.bit_length() - 1
    y, tags = (x >> 64 - known) * even, (1 << known - shift) - 1
    rest = y % (1 << known)
    tag = (rest - (rest >> known - shift - 1)) >> shift
    return ((y >> known) * 2 * (M64 // (2 * even)) + M64 // (4 * even)) >> 32 << 32 | -(-(tag << 32) // tags)

def layer(n, param, i):  # its numbers, and its bytes: ncells, param, size
    kind, width, density, growth = param[:4]
    if kind & 512 and i == 0:
        even, last = ground(n, param[6])[1], ground(n, density)[1]
        width += last.bit_length() - even.bit_length()
        return 4 * even + 1, [width, 2, 2 + 256 * 2, 500], ((4 * even + 1) * width + 7) // 8
    if kind & 512: n = ground(n, density)[0]
    halvings, expansion = 0 if i < 12 else (i - 8) // 4, growth & 255
    keys = n if i == 0 or expansion == 1 else n * (expansion - 1) * expansion ** (i - 1)
    if expansion == 0:
        before, keys = 0, n
        for _ in range(i): before, keys = keys, keys * 21 // 10
        keys -= before
    if kind & 255 == CUCKOO:
        keys += 0 if kind & 256 else keys // 32
        cells, numbers = up(keys + keys // 32 + 2 * root(keys) + 32, 8), [width + halvings, 4, 256 * 2, 500]
        if kind & 256: cells, numbers = up(keys + keys // 16 + keys // 512 + 3 * root(keys) + 32, 4) + 1, [width + halvings, 2, 2 + 256 * 2, 500]
        return cells, numbers, (cells * (width + halvings) + 7) // 8
    if kind == BLOOM:
        cells = up(keys * (density + 373 * halvings) // 256 + 1, 64)
        return cells, [width + halvings, 0, 0, 0], cells // 8
    cells = up(keys * (density + density * halvings // 8) // 256 + 1, 512)
    return cells, [width, 0, 0, 0], cells // 8

def sizes(kind, n, param, extra):  # None: no image has these numbers
    if kind == AGED:
        k, slices, each, shift = param[0], param[0] + param[1], param[2], param[3] & 0x7FFF
        fits = 1 <= k <= 64 and k < slices <= 320 and n and n % (64 * slices) == 0
        fits = fits and each and shift < 48 and (shift == 0 or each >> 15) and extra[1] < slices and not extra[2]
        return [n // 8] if fits and n // 8 <= 1 << 50 else None
    layers, expansion, most = extra[0] + 1, param[3] & 255, param[3] >> 8
    widths = {BLOOM: (1, 64), BLOCK: (8, 16), CUCKOO: (12, 32), CUCKOO + 256: (12, 32), CUCKOO + 768: (12, 32)}.get(param[0])
    if not (widths and 1 <= n <= 1 << 50 and expansion <= 16 and layers <= most <= 32): return None
    if extra[1] and param[0] != CUCKOO: return None
    if not param[0] & 512 and (extra[2] or (param[2] == 0) != (param[0] & 255 == CUCKOO)): return None
    if param[0] & 512 and not (param[1] >= 12 and extra[2] <= param[2] <= 48 and n <= 100000 >= ground(n, param[2])[0] and layer(n, [*param, 0, 0, 0], 0)[1][0] <= 32):
        return None
    all_of_them = [layer(n, [*param, *extra], i) for i in range(layers)]
    for cells, numbers, size in all_of_them:
        width = numbers[0]
        if not widths[0] <= width <= widths[1] or (param[0] == BLOCK and width not in widths): return None
        if size > 1 << 50 or cells < width: return None
    return [32 * layers] + [size for _, _, size in all_of_them]

def in_window(cells, n, param, x):  # k neighbours of the ring, from the youngest, with its bit
    k, slices, youngest, run = param[0], param[0] + param[1], param[5], 0
    size = n // slices
    for age in range(slices):
        s = (youngest + age) % slices
        y = (x + s * 0x9E3779B97F4A7C15) * 0xD1342543DE82EF95 & M64
        at = s * size + ((y ^ y >> 32) * 0x9E3779B97F4A7C15 % (1 << 64) * size >> 64)
        run = run + 1 if cells[at // 8] >> at % 8 & 1 else 0
        if run == k: return True
    return False

def maybe(ask, kind, n, param, hashed, segments, key):  # `ask` is reader.py's, for the layers
    if kind == AGED: return in_window(segments[0], n, param, hashed(key))
    below = (lambda key: ground_hash(n, param, hashed(key))) if param[0] & 512 else hashed
    layers = (layer(n, param, i)[:2] + (cells, hashed if i else below) for i, cells in enumerate(segments[1:]))
    return any(ask(param[0] & 255, cells, numbers, as_hash, [table], key) for cells, numbers, table, as_hash in layers)
