"""XXH3-64 in plain Python, written from its specification: for reader.py, where no library is at hand."""
import struct

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

def end(x, a, b, c=None, d=None):
    x = ((x & M64) ^ (x & M64) >> a) * b & M64
    return end(x, c, d) if c else x ^ x >> 32

def xxh3(data, seed=0):
    n, word = len(data), lambda at: number(SECRET, at)
    end64, end3 = lambda x: end(x, 33, P2, 29, P3), lambda x: end(x, 37, 0x165667919E3779F9)
    mix = lambda at, key: folded(number(data, at) ^ (word(key) + seed) & M64,
                                 number(data, at + 8) ^ (word(key + 8) - seed) & M64)
    if n == 0:
        return end64(seed ^ word(56) ^ word(64))
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
