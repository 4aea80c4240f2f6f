#!/usr/bin/env python3
"""Write letters.inc: which code points are letters, which of these are marks, and the small letter of each capital.

    apps/hyphen/letters.py >apps/hyphen/letters.inc
"""
import sys
import unicodedata

LAST = 0x110000


def runs(members):
    """(first, last) of each run of numbers that follow each other"""
    first = last = None
    for n in members:
        if last is not None and n == last + 1:
            last = n
            continue
        if last is not None:
            yield first, last
        first = last = n
    yield first, last


def capitals():
    """(first, last, step, how far to the small letter), as few as there can be"""
    found = []
    for c in range(LAST):
        small = chr(c).lower()
        # A capital whose small letter takes two code points has its first: the second is a mark.
        if small == chr(c):
            continue
        far = ord(small[0]) - c
        for step in 1, 2:
            if found and found[-1][3] == far and found[-1][1] + step == c and found[-1][2] in (0, step):
                found[-1][1:3] = c, step
                break
        else:
            found.append([c, c, 0, far])
    return found


def print_runs(name, categories):
    print(f"static const struct run {name}[] = {{")
    for first, last in runs(c for c in range(LAST) if unicodedata.category(chr(c))[0] in categories):
        print(f"    {{{first:#x}, {last:#x}}},")
    print("};\n")


print(f"/* Made by letters.py of Unicode {unicodedata.unidata_version}. */")
print_runs("letters", "LM")
print_runs("marks", "M")
print("static const struct capital capitals[] = {")
for first, last, step, far in capitals():
    print(f"    {{{first:#x}, {last:#x}, {max(step, 1)}, {far}}},")
print("};")
