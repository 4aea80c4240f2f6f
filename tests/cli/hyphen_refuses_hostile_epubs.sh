#!/bin/bash
# Files that lie: cut short, flipped, overlapping, too large, of a form that is not known, or no books at all. Each is refused
# with its reason, or else comes out sound; nothing is left behind.
. "$(dirname "$0")/lib"

cat >make.py <<'PY'
import io, random, struct, warnings, zipfile, zlib
warnings.simplefilter('ignore')
CONTAINER = b'<container><rootfiles><rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
OPF = (b'<package><metadata><dc:language>en</dc:language></metadata><manifest>'
       b'<item href="a.xhtml" media-type="application/xhtml+xml"/></manifest></package>')
PAGE = b'<html><body>' + b'<p>The hyphenation of words</p>' * 20 + b'</body></html>'
BOOK = {'mimetype': b'application/epub+zip', 'META-INF/container.xml': CONTAINER, 'a.opf': OPF, 'a.xhtml': PAGE}

def made(entries, tamper=None):
    f = io.BytesIO()
    with zipfile.ZipFile(f, 'w') as z:
        for name, data in entries:
            z.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED if name != 'mimetype' else zipfile.ZIP_STORED)
    return bytearray(f.getvalue())

def book(**more):
    return made([*BOOK.items(), *more.get('more', [])])

def put(data, at, form, *values): data[at:at + struct.calcsize(form)] = struct.pack(form, *values); return data
def central(data, name): return data.rindex(b'PK\1\2', 0, data.rindex(name))
def local(data, name): return data.rindex(b'PK\3\4', 0, data.index(name))
end = lambda data: data.rindex(b'PK\5\6')

cases = []
def case(name, data, said): cases.append((name, data, said)); open(name, 'wb').write(data)

good = book()
open('good.epub', 'wb').write(good)
case('duplicate', book(more=[('a.xhtml', PAGE)]), 'is there twice')
case('root', book(more=[('/etc/passwd', b'')]), 'begins at the root')
case('leads', book(more=[('x/../../y', b'')]), 'leads out')
case('backslash', book(more=[('x\\y', b'')]).replace(b'x/y', b'x\\y'), 'is no path')
case('nul', book(more=[('x#y', b'')]).replace(b'x#y', b'x\0y'), 'is no path')
case('prefix', bytearray(b'PK\3\4junk') + good, 'its directory is not where it should be')
case('suffix', good + b'junk', 'cut short')
case('cut', good[:-30], 'cut short')
case('no-directory', good[:200], 'cut short')
d = bytearray(good); case('outside', put(d, central(d, b'a.xhtml') + 42, '<I', len(d) - 40), 'lies outside')
d = bytearray(good); case('elsewhere', put(d, central(d, b'a.xhtml') + 42, '<I', 5), 'is not where')
d = bytearray(good); case('beyond', put(d, central(d, b'a.xhtml') + 20, '<I', 1 << 30), 'lies outside')
d = bytearray(good); case('other-size', put(d, central(d, b'a.xhtml') + 24, '<I', len(PAGE) - 1), 'another size')
d = bytearray(good); put(d, local(d, b'a.xhtml') + 22, '<I', len(PAGE) - 1)
case('short-size', put(d, central(d, b'a.xhtml') + 24, '<I', len(PAGE) - 1), 'lies about its size')
d = bytearray(good); put(d, local(d, b'a.xhtml') + 22, '<I', len(PAGE) + 1)
case('long-size', put(d, central(d, b'a.xhtml') + 24, '<I', len(PAGE) + 1), 'lies about its size')
d = bytearray(good); put(d, local(d, b'a.xhtml') + 22, '<I', 4 << 20)
case('huge-size', put(d, central(d, b'a.xhtml') + 24, '<I', 4 << 20), 'lies about its size')
d = bytearray(good); put(d, local(d, b'a.xhtml') + 14, '<I', 1)
case('checksum', put(d, central(d, b'a.xhtml') + 16, '<I', 1), 'is damaged')
d = bytearray(good); case('method', put(d, central(d, b'a.xhtml') + 10, '<H', 0), 'lies about its size')
d = bytearray(good); put(d, local(d, b'a.xhtml') + 8, '<H', 12)
case('unknown-method', put(d, central(d, b'a.xhtml') + 10, '<H', 12), 'packed in an unknown way')
d = bytearray(good); case('cipher', put(d, central(d, b'a.xhtml') + 8, '<H', 1), 'under a cipher')
d = bytearray(good); case('zip64-size', put(d, central(d, b'a.xhtml') + 24, '<I', 0xffffffff), 'ZIP64')
d = bytearray(good); case('zip64-count', put(d, end(d) + 8, '<HH', 0xffff, 0xffff), 'ZIP64')
d = bytearray(good); case('zip64-locator', d[:end(d)] + b'PK\6\7' + bytes(16) + d[end(d):], 'ZIP64')
d = bytearray(good); case('volumes', put(d, end(d) + 4, '<H', 1), 'several volumes')
d = bytearray(good); case('fewer', put(d, end(d) + 8, '<HH', 3, 3), 'more entries than it says')
d = bytearray(good); case('more', put(d, end(d) + 8, '<HH', 5, 5), 'ends before its last entry')
d = bytearray(good); case('name', d[:local(d, b'a.xhtml') + 30] + b'b' + d[local(d, b'a.xhtml') + 31:], 'another name')
# Two entries of the directory for the same bytes: a bomb in little room.
d = book(more=[('b.xhtml', b'')]); at = local(d, b'a.xhtml')
case('overlap', put(d, central(d, b'b.xhtml') + 42, '<I', at), 'another name')
inner = made([('b.xhtml', b'x')])[:40]
d = made([*BOOK.items(), ('k.bin', b'')]); f = io.BytesIO()
with zipfile.ZipFile(f, 'w') as z:
    for name, data in BOOK.items(): z.writestr(zipfile.ZipInfo(name), data)
    z.writestr(zipfile.ZipInfo('holds.bin'), inner)
    z.writestr(zipfile.ZipInfo('b.xhtml'), b'x')
d = bytearray(f.getvalue()); c = central(d, b'b.xhtml')
put(d, c + 10, '<H', 8); put(d, c + 20, '<I', struct.unpack('<I', inner[18:22])[0]); put(d, c + 42, '<I', d.index(inner))
put(d, c + 10, '<H', struct.unpack('<H', inner[8:10])[0]); put(d, c + 16, '<I', struct.unpack('<I', inner[14:18])[0]); put(d, c + 24, '<I', struct.unpack('<I', inner[22:26])[0])
case('nested', d, 'overlaps another')
case('bomb', made([*list(BOOK.items())[:3], ('a.xhtml', bytes(65 << 20))]), 'more than 64 MiB')
d = made([*list(BOOK.items())[:2], ('a.opf', OPF.replace(b'</manifest>', b''.join(
    b'<item href="doc%02d" media-type="application/xhtml+xml"/>' % i for i in range(17)))), *[('doc%02d' % i, random.Random(i).randbytes(70000)) for i in range(17)]])
for i in range(17): put(d, d.index(b'doc%02d' % i) - 8, '<I', 63 << 20); put(d, d.rindex(b'doc%02d' % i) - 22, '<I', 63 << 20)
case('many-bombs', d, 'more than 1 GiB')
case('no-type', made(list(BOOK.items())[1:]), 'no EPUB: it has no mimetype')
case('other-type', made([('mimetype', b'application/zip'), *list(BOOK.items())[1:]]), 'its mimetype is another')
case('no-container', made([x for x in BOOK.items() if 'META' not in x[0]]), 'container.xml is missing')
case('no-package', made([x for x in BOOK.items() if x[0] != 'a.opf']), 'the package it names is missing')
case('empty-container', made([(k, v if 'META' not in k else b'<container/>') for k, v in BOOK.items()]), 'names no package')
case('wide-package', made([(k, v if k != 'a.opf' else OPF.decode().encode('utf-16')) for k, v in BOOK.items()]), 'UTF-16')

# Any byte flipped, any length: refused, or sound.
rng = random.Random(1)
for i in range(60):
    d = bytearray(good)
    for _ in range(rng.randrange(1, 4)): d[rng.randrange(4, len(d))] ^= 1 << rng.randrange(8)
    open(f'flip{i}', 'wb').write(d if i % 3 else d[:rng.randrange(4, len(d))])
with open('cases', 'w') as f: f.write(''.join(f'{name}\t{said}\n' for name, data, said in cases))
PY
python3 make.py
exits 0 hyphen good.epub -o out.epub
rm out.epub
while IFS=$'\t' read -r name said; do
    exits 2 hyphen "$name" -o out.epub
    says "$name: "
    says "$said"
    exits 2 hyphen <"$name"
    [ ! -s out ] || fail "$name: something was written"
    none out.epub
done <cases
[ "$(wc -l <cases)" -gt 30 ] || fail 'cases are missing'
for file in flip*; do
    status=0
    "$SITO" hyphen -l en "$file" -o out.epub 2>err || status=$?
    case $status in
    0) unzip -tq out.epub >unzip.out 2>&1 || fail "$file: $(cat unzip.out)" && rm out.epub ;;
    2) says "$file: " && none out.epub ;;
    *) fail "$file: exit status $status" ;;
    esac
done
no_drafts
