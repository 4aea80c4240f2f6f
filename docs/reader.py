#!/usr/bin/env python3
"""A second reader of sito images, written from format.md: to prove the format, not to be fast.

    reader.py [--key HEX] FILE [KEY...]     for each KEY `yes` or `no`, a tab, and the key; exit 0
                                            a reason on stderr if FILE cannot be trusted; exit 2
"""
import math, os, struct, sys, reader_grow as grow
from reader_more import MORE, bits  # kinds that this file has no room for
from xxh3 import M64, left, number, xxh3  # the hash, which has a specification of its own

EXACT, BITMAP, COMPACT, BLOOM, PARTED, COUNTING, CUCKOO, EXACT_CUCKOO, BLOCK = range(1, 10)
LINEAR, BUCKET, SORTED, WINDOW = 12, 0, 1, 2
ODD = (0xC070FEF3, 0xEA6A82B7, 0xC5519BDD, 0x7BE90245, 0x721C9BD5, 0x85C7B0C1, 0xFD33CEBF, 0x48B90A53,
       0x83E986C9, 0x252072EF, 0xD6132339, 0x78297E31, 0xDB5166D7, 0x27C14E4F, 0x2BAE3D77, 0x7032AF05)

def up64(size): return size + -size % 64
def octets(bits): return (bits + 7) // 8
def range_of(x, n): return x * n >> 64
def spread(x): return (x * 0xD1342543DE82EF95 + 0x9E3779B97F4A7C15) & M64
def need(fine, why): fine or sys.exit(print("reader.py:", why, file=sys.stderr) or 2)

def siphash(secret, data):  # SipHash-1-3
    k0, k1 = struct.unpack("<QQ", secret)
    a, b, c, d = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573
    data += bytes(7 - len(data) % 8) + bytes([len(data) & 255])
    words = struct.unpack(f"<{len(data) // 8}Q", data) + (0, 0, 0)
    for step, word in enumerate(words):  # one round a word, three at the end
        c, d = c ^ (255 if step == len(words) - 3 else 0), d ^ word
        a, c = a + b & M64, c + d & M64
        b, d, a = left(b, 13) ^ a, left(d, 16) ^ c, left(a, 32)
        c, a = c + b & M64, a + d & M64
        b, d, c = left(b, 17) ^ c, left(d, 21) ^ a, left(c, 32)
        a ^= word
    return a ^ b ^ c ^ d

# ---- bytes -> image: the checks of format.md, in their order ----
def segment_sizes(kind, n, param, extra):  # None: no image has these numbers
    if kind in MORE: return MORE[kind][0](n, param + extra)
    if kind in grow.KINDS: return grow.sizes(kind, n, param, extra)
    p, q, form, moves = param
    unused = any(param[{EXACT: 0, EXACT_CUCKOO: 0, BITMAP: 0, COUNTING: 2, CUCKOO: 4, LINEAR: 4}.get(kind, 1) :])
    unused |= kind not in (EXACT, EXACT_CUCKOO, CUCKOO) and any(extra)
    sizes, fits = [octets(n)], 1 <= p <= 64 and n >= p  # bloom, parted
    if kind == EXACT or kind == EXACT_CUCKOO:
        sizes, fits = [16 * n, extra[0]], n >= 1 if kind == EXACT else n >= 8 and n % 4 == 0
    elif kind == BITMAP or kind == BLOCK:
        fits = n >= 2 and n & (n - 1) == 0 if kind == BITMAP else n >= 512 and n % 512 == 0 and p in (8, 16)
    elif kind == COMPACT:
        sizes, fits = [n // 8 * (p + 1)], n >= 8 and n % 8 == 0 and 8 <= p <= 64
    elif kind == COUNTING or kind == LINEAR:  # linear's second scale has a factor
        sizes, fits = [octets(n * (q & 255))], fits and 1 + (kind == COUNTING) <= q & 255 <= 16 and q < (512 if kind == LINEAR else 17)
        fits = fits and (1 <= form < moves and math.gcd(form, moves) == 1 if q > 255 else form + moves == 0)
    elif kind == CUCKOO:
        layout, rule, sizes = form & 255, form >> 8, [octets(n * (p - (form & 255 == SORTED)))]
        fits = 4 + (layout == SORTED) <= p <= 32 and q in {BUCKET: (1, 2, 4, 8), SORTED: (4,), WINDOW: (2, 4, 8)}.get(layout, ())
        fits = fits and (n >= 2 * q if layout == WINDOW else n >= q and n % q == 0) and rule <= 2 and moves >= 1
        fits = fits and extra[1] <= min(extra[0], moves) and (rule != 2 or extra[2] == 0)
    return sizes if fits and not unused and max(sizes) <= 1 << 50 else None

def opened(image, secret):
    need(len(image) >= 128, "shorter than a header")
    magic, major, _, refuse, _, _, kind, hash_id, note, seed, tag, _, _, rate, cell_bytes, n, *rest, head_sum = \
        struct.unpack_from("<8sHHIIIHHIQQQQdQQ4H3QQ", image)
    need(magic == b"SITO\r\n\x1a\n", "not a sito image")
    need(major == 1 and refuse == 0, "a format or a feature from the future")
    need(note == 0 or 9 <= note <= 4104, "an impossible note")
    at = 128 + up64(note)
    need(len(image) >= at and xxh3(image[:120] + image[128:at]) == head_sum, "the header is damaged")
    need((EXACT <= kind <= BLOCK or kind == LINEAR or kind in MORE or kind in grow.KINDS) and 1 <= hash_id <= 2, "a kind or a hash from the future")
    need(0 <= rate < 1 and (hash_id == 2 or tag == 0), "an impossible rate or tag")
    sizes = segment_sizes(kind, n, rest[:4], rest[4:])
    need(sizes is not None, "an impossible geometry")
    sums = at + sum(map(up64, sizes))
    pieces, blank, segments = range(at, sums, 1 << 16), image[128 + note : at], []
    need(sums - at == cell_bytes and len(image) == sums + 8 * len(pieces) + 8, "cut off, or too long")
    need(xxh3(image[sums:-8]) == number(image, len(image) - 8), "the table of sums is damaged")
    for i, piece in enumerate(pieces):
        need(xxh3(image[piece : min(piece + (1 << 16), sums)]) == number(image, sums + 8 * i), "the cells are damaged")
    for size in sizes:
        segments.append(image[at : at + size])
        blank += image[at + size : at + up64(size)]
        at += up64(size)
    need(not any(blank), "bytes without meaning are not zero")
    need((hash_id == 2) == (secret is not None), "keyed, and no key was given; or the other way round")
    need(hash_id == 1 or siphash(secret, b"sito key check\0\0" + struct.pack("<Q", seed)) == tag, "another key's")
    return kind, n, rest, (lambda key: siphash(secret, key) if secret else xxh3(key, seed)), segments

# ---- hash -> place -> answer ----
def sorted_tags(cells, bucket, t):  # the 12 bits number the rising sequences of high parts
    low, at, tags = t - 4, bucket * 4 * (t - 1), [0] * 4
    code = bits(cells, at + 4 * low, 12)
    choose = lambda v, s: [v, (v + 1) * v // 2, (v + 2) * (v + 1) * v // 6, (v + 3) * (v + 2) * (v + 1) * v // 24][s]
    for s in (3, 2, 1, 0):
        tags[s] = max(v for v in range(16) if choose(v, s) <= code)
        code -= choose(tags[s], s)
    return [tags[s] << low | bits(cells, at + s * low, low) for s in range(4)]

def in_cuckoo(cells, n, t, b, layout, x):
    tag = 1 + ((x & 0xFFFFFFFF) * ((1 << t) - 1) >> 32)
    into = tag % b if layout == WINDOW else 0
    m, h = (n - into) // b, tag * 0x9E3779B97F4A7C15 & M64
    h = range_of((h ^ h >> 32) * 0xD1342543DE82EF95 & M64, m) | (m + 1 & 1)
    i = range_of(x, m)
    tags = lambda at: sorted_tags(cells, at, t) if layout == SORTED else [bits(cells, (at * b + into + s) * t, t) for s in range(b)]
    return tag in tags(i) or tag in tags((h - i) % m)

def in_block(cells, n, k, x):  # one bit in each of k words
    y, start = x * 0x9E3779B97F4A7C15 & M64, range_of(x, n // 512) * 512
    places = [y >> 8 * i & 63 for i in range(8)] if k == 8 else [((y >> 32) * c & 0xFFFFFFFF) >> 27 for c in ODD]
    return all(bits(cells, start + 512 // k * i + place, 1) for i, place in enumerate(places))

def maybe(kind, n, param, hashed, segments, key):
    if kind in grow.KINDS: return grow.maybe(maybe, kind, n, param, hashed, segments, key)
    x, cells, p = hashed(key), segments[0], param[0]
    if kind in MORE: return MORE[kind][1](n, param, segments, x)
    if kind == CUCKOO: return in_cuckoo(cells, n, p, param[1], param[2] & 255, x)
    if kind == BLOCK: return in_block(cells, n, p, x)
    if kind == EXACT or kind == EXACT_CUCKOO:  # slots up to an empty one, or two buckets of four
        slots = ((range_of(x, n) + i) % n for i in range(n))
        if kind == EXACT_CUCKOO:
            i, j = range_of(x, n // 4), range_of(spread(x), n // 4 - 1)
            slots = [4 * bucket + s for bucket in (i, j + (j >= i)) for s in range(4)]
        for slot in slots:
            slot_hash, ref = struct.unpack_from("<QQ", cells, 16 * slot)
            size = number(segments[1], ref + 3, 4)
            record = segments[1][ref + (15 if size >> 31 else 7) :][: len(key)]
            if ref and (slot_hash, size & 0x7FFFFFFF, record) == (x, len(key), key): return True
            if ref == 0 and kind == EXACT: return False
    elif kind == COMPACT:  # buckets from the hash's place on, up to one that nobody passed
        mark, nbuckets = x & (1 << p) - 1 or 1, n // 8
        for i in range(nbuckets):
            at = (range_of(x, nbuckets) + i) % nbuckets * (p + 1)
            found = any(bits(cells, 8 * at + 8 + s * p, p) == mark for s in range(8))
            if found or cells[at] == 0: return found
    else:  # bitmap, bloom, parted, counting, linear: one cell in each of k tables, or k in one
        start, k, width, all_used = 0, p or 1, param[1] & 255 or 1, True
        for i in range(k):
            size = n // k + (i < n % k) if kind == PARTED else n
            all_used &= bits(cells, (start + range_of(x, size)) * width, width) > 0
            start, x = start + (size if kind == PARTED else 0), spread(x)
        return all_used
    return False

if __name__ == "__main__":
    need(len(sys.argv) > 1, __doc__)
    secret = bytes.fromhex(sys.argv[2]) if sys.argv[1] == "--key" else None
    path, *keys = sys.argv[3 if secret else 1 :]
    need(os.path.isfile(path), "no such file")
    image = opened(open(path, "rb").read(), secret)
    for key in keys: print("yes" if maybe(*image, os.fsencode(key)) else "no", key, sep="\t")
