#!/usr/bin/env python3
"""A second reader of sito images, written from format.md: to prove the format, not to be fast.

    reader.py [--key HEX] FILE [KEY...]     for each KEY `yes` or `no`, a tab, and the key; exit 0
                                            a reason on stderr if FILE cannot be trusted; exit 2
"""
import os, struct, sys

M64 = (1 << 64) - 1
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5, Q1, Q2, Q3 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5, 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D

def number(data, at, size=8): return int.from_bytes(data[at : at + size], "little")
def left(x, by): return (x << by | x >> (64 - by)) & M64
def swapped(x, size): return int.from_bytes(x.to_bytes(size, "little"), "big")
def folded(a, b): return (a * b & M64) ^ (a * b >> 64)
def padded(size): return size + -size % 64  # to a multiple of 64
def spread(x): return (x * 0xD1342543DE82EF95 + 0x9E3779B97F4A7C15) & M64
def need(fine, why): fine or sys.exit(print("reader.py:", why, file=sys.stderr) or 2)

# ---- key -> 64 bits: XXH3-64 and SipHash-1-3 ----
def end(x, a, b, c=None, d=None):
    x = ((x & M64) ^ (x & M64) >> a) * b & M64
    return end(x, c, d) if c else x ^ x >> 32

def xxh3(data, seed=0):
    n, word = len(data), lambda at: number(SECRET, at)
    end64, end3 = lambda x: end(x, 33, P2, 29, P3), lambda x: end(x, 37, 0x165667919E3779F9)
    mix = lambda at, key: folded(number(data, at) ^ (word(key) + seed) & M64,
                                 number(data, at + 8) ^ (word(key + 8) - seed) & M64)
    if n == 0: return end64(seed ^ word(56) ^ word(64))
    if n <= 3:
        x = data[0] << 16 | data[n >> 1] << 24 | data[-1] | n << 8
        return end64(x ^ ((number(SECRET, 0, 4) ^ number(SECRET, 4, 4)) + seed) & M64)
    if n <= 8:
        seed ^= swapped(seed & 0xFFFFFFFF, 4) << 32
        x = (number(data, n - 4, 4) | number(data, 0, 4) << 32) ^ ((word(8) ^ word(16)) - seed) & M64
        x = (x ^ left(x, 49) ^ left(x, 24)) * 0x9FB21C651E98DF25 & M64
        x = (x ^ (x >> 35) + n) * 0x9FB21C651E98DF25 & M64
        return x ^ x >> 28
    if n <= 16:
        low = number(data, 0) ^ ((word(24) ^ word(32)) + seed) & M64
        high = number(data, n - 8) ^ ((word(40) ^ word(48)) - seed) & M64
        return end3(n + swapped(low, 8) + high + folded(low, high))
    if n <= 128:
        return end3(n * P1 + sum(mix(i, 2 * i) + mix(n - i - 16, 2 * i + 16) for i in range(0, (n + 1) // 2, 16)))
    if n <= 240:
        x = end3(n * P1 + sum(mix(16 * i, 16 * i) for i in range(8)))
        return end3(x + sum(mix(16 * i, 16 * i - 125) for i in range(8, n // 16)) + mix(n - 16, 119))
    secret = struct.pack("<24Q", *((word(8 * i) + (-seed if i & 1 else seed)) & M64 for i in range(24)))
    acc, stripes = [Q3, P1, P2, P3, P4, Q2, P5, Q1], (n - 1) // 64
    for s in range(stripes + 1):  # the last one ends with the data, and may overlap the one before
        at, key = (64 * s, s % 16 * 8) if s < stripes else (n - 64, 121)
        for i, value in enumerate(struct.unpack_from("<8Q", data, at)):
            keyed = value ^ number(secret, key + 8 * i)
            acc[i ^ 1] += value
            acc[i] += (keyed & 0xFFFFFFFF) * (keyed >> 32)
        acc = [a & M64 for a in acc]
        if s % 16 == 15 and s < stripes:
            acc = [(a ^ a >> 47 ^ number(secret, 128 + 8 * i)) * Q1 & M64 for i, a in enumerate(acc)]
    acc = [a ^ number(secret, 11 + 8 * i) for i, a in enumerate(acc)]
    return end3(n * P1 + sum(folded(acc[i], acc[i + 1]) for i in range(0, 8, 2)))

def siphash(secret, data):
    k0, k1 = struct.unpack("<QQ", secret)
    a, b, c, d = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573
    data += bytes(7 - len(data) % 8) + bytes([len(data) & 255])
    words = struct.unpack(f"<{len(data) // 8}Q", data)
    for step in range(len(words) + 3):  # one round a word, three at the end
        word = words[step] if step < len(words) else 0
        c, d = c ^ (255 if step == len(words) else 0), d ^ word
        a, c = a + b & M64, c + d & M64
        b, d, a = left(b, 13) ^ a, left(d, 16) ^ c, left(a, 32)
        c, a = c + b & M64, a + d & M64
        b, d, c = left(b, 17) ^ c, left(d, 21) ^ a, left(c, 32)
        a ^= word
    return a ^ b ^ c ^ d

# ---- bytes -> image: the checks of format.md, in their order ----
def opened(image, secret):
    need(len(image) >= 128, "shorter than a header")
    magic, major, _, refuse, _, _, kind, hash_id, note, seed, tag, _, _, rate, cell_bytes, n, p, *rest, head_sum = \
        struct.unpack_from("<8sHHIIIHHIQQQQdQQHHHHQQQQ", image)
    need(magic == b"SITO\r\n\x1a\n", "not a sito image")
    need(major == 1 and refuse == 0, "a format or a feature from the future")
    need(note == 0 or 9 <= note <= 4104, "an impossible note")
    at = 128 + padded(note)
    need(len(image) >= at and xxh3(image[:120] + image[128:at]) == head_sum, "the header is damaged")
    need(kind in (1, 2, 3, 4, 5, 8) and 1 <= hash_id <= 2, "a kind or a hash from the future")
    need(0 <= rate < 1 and (hash_id == 2 or tag == 0), "an impossible rate or tag")
    sizes = [16 * n, rest[3]] if kind in (1, 8) else [n // 8 * (p + 1)] if kind == 3 else [(n + 7) // 8]
    fits = {1: n >= 1 and p == 0, 2: n >= 2 and n & (n - 1) == 0 and p == 0, 3: n >= 8 and n % 8 == 0 and 8 <= p <= 64,
            8: n >= 8 and n % 4 == 0 and p == 0}
    need(fits.get(kind, 1 <= p <= 64 and n >= p) and max(sizes) <= 1 << 50, "an impossible geometry")
    need(not any(rest[: 3 if kind in (1, 8) else 6]), "a number that its kind does not use is not zero")
    sums = at + sum(map(padded, sizes))
    pieces, blank, segments = range(at, sums, 1 << 16), image[128 + note : at], []
    need(sums - at == cell_bytes and len(image) == sums + 8 * len(pieces) + 8, "cut off, or too long")
    need(xxh3(image[sums:-8]) == number(image, len(image) - 8), "the table of sums is damaged")
    for i, piece in enumerate(pieces):
        need(xxh3(image[piece : min(piece + (1 << 16), sums)]) == number(image, sums + 8 * i), "the cells are damaged")
    for size in sizes:
        segments.append(image[at : at + size])
        blank += image[at + size : at + padded(size)]
        at += padded(size)
    need(not any(blank), "bytes without meaning are not zero")
    need((hash_id == 2) == (secret is not None), "keyed, and no key was given; or the other way round")
    need(hash_id == 1 or siphash(secret, b"sito key check\0\0" + struct.pack("<Q", seed)) == tag, "another key's")
    return kind, n, p, (lambda key: siphash(secret, key) if secret else xxh3(key, seed)), segments

# ---- hash -> place -> answer ----
def maybe(kind, n, p, hashed, segments, key):
    x, cells = hashed(key), segments[0]
    if kind in (1, 8):  # exact: slots from the hash's place on, up to an empty one; exact-cuckoo: those of two buckets
        start, a, b = x * n >> 64, x * (n // 4) >> 64, spread(x) * (n // 4 - 1) >> 64
        for i in range(start, start + n) if kind == 1 else [4 * j + s for j in (a, b + (b >= a)) for s in range(4)]:
            slot_hash, ref = struct.unpack_from("<QQ", cells, 16 * (i % n))
            size = number(segments[1], ref + 3, 4)
            record = segments[1][ref + (15 if size >> 31 else 7) :][: len(key)]
            found = ref > 0 and (slot_hash, size & 0x7FFFFFFF, record) == (x, len(key), key)
            if found or (ref == 0 and kind == 1): return found
    elif kind == 3:  # compact: buckets from the hash's place on, up to one that nobody passed
        mark, nbuckets = x & (1 << p) - 1 or 1, n // 8
        for i in range(min(4096, nbuckets)):
            at = ((x * nbuckets >> 64) + i) % nbuckets * (p + 1)
            found = any(number(cells, at + 1, p) >> s * p & (1 << p) - 1 == mark for s in range(8))
            if found or cells[at] == 0: return found
    else:  # bitmap, bloom, parted: one bit in each of k tables, or k in one
        start, k, all_set = 0, p or 1, 1
        for i in range(k):
            size = n // k + (i < n % k) if kind == 5 else n
            j = start + (x * size >> 64)
            all_set &= cells[j // 8] >> j % 8
            start, x = start + (size if kind == 5 else 0), spread(x)
        return all_set
    return False

if __name__ == "__main__":
    need(len(sys.argv) > 1, __doc__)
    secret = bytes.fromhex(sys.argv[2]) if sys.argv[1] == "--key" else None
    path, *keys = sys.argv[3 if secret else 1 :]
    need(os.path.isfile(path), "no such file")
    image = opened(open(path, "rb").read(), secret)
    for key in keys: print("yes" if maybe(*image, os.fsencode(key)) else "no", key, sep="\t")
