#!/bin/bash
# The XHTML documents of an EPUB get soft hyphens, in the languages they state; all else in it stays byte for byte, in its
# order, with its times and attributes; and a second run changes nothing.
. "$(dirname "$0")/lib"

cat >make.py <<'PY'
import io, sys, zipfile
CONTAINER = '''<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<!-- <rootfile full-path="nowhere" media-type="application/oebps-package+xml"/> -->
<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'''
OPF = '''<?xml version="1.0" encoding="utf-8"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>Hyphenation</dc:title>
<dc:language>%s</dc:language><meta property="dcterms:modified">2020-01-01T00:00:00Z</meta></metadata><manifest>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="x" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="a" href="text/one%%20&amp;%%20two.xhtml#top" media-type="application/xhtml+xml"/>
<item id="b" href="./text/../text/b.xhtml" media-type='application/xhtml+xml'/>
<item id="s" href="text/secret.xhtml" media-type="application/xhtml+xml"/>
<item id="w" href="text/wide.xhtml" media-type="application/xhtml+xml"/>
<item id="l" href="text/latin.xhtml" media-type="application/xhtml+xml"/>
<item id="g" href="text/gone.xhtml" media-type="application/xhtml+xml"/>
<item id="p" href="picture.svg" media-type="image/svg+xml"/></manifest><spine toc="x"><itemref idref="a"/></spine></package>'''
PAGE = '''<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:m="http://www.w3.org/1998/Math/MathML"%s>
<head><title>hyphenation</title></head><body><p title="hyphenation">The hyphenation of words.</p><pre>hyphenation</pre>
<p xml:lang="hu">asztalok</p><p lang="xx">hyphenation</p><m:math><m:mtext>hyphenation</m:mtext></m:math></body></html>'''
ENCRYPTION = '''<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">
<enc:EncryptedData><enc:CipherData><enc:CipherReference URI="OEBPS/text/secret.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>'''

def entries(language):
    yield 'mimetype', b'application/epub+zip', zipfile.ZIP_STORED
    yield 'META-INF/', b'', zipfile.ZIP_STORED
    yield 'META-INF/container.xml', CONTAINER.encode(), zipfile.ZIP_DEFLATED
    yield 'META-INF/encryption.xml', ENCRYPTION.encode(), zipfile.ZIP_DEFLATED
    yield 'OEBPS/picture.svg', b'<svg><text>hyphenation</text></svg>' * 50, zipfile.ZIP_DEFLATED
    yield 'OEBPS/text/one & two.xhtml', (PAGE % ' xml:lang="en"').encode(), zipfile.ZIP_DEFLATED
    yield 'OEBPS/text/b.xhtml', (PAGE % '').encode(), zipfile.ZIP_STORED
    yield 'OEBPS/text/secret.xhtml', bytes(range(256)), zipfile.ZIP_STORED
    yield 'OEBPS/text/wide.xhtml', (PAGE % '').replace('UTF-8', 'UTF-16').encode('utf-16'), zipfile.ZIP_DEFLATED
    yield 'OEBPS/text/latin.xhtml', (PAGE % '').replace('UTF-8', 'iso-8859-1').encode(), zipfile.ZIP_DEFLATED
    yield 'OEBPS/not-in-manifest.xhtml', (PAGE % '').encode(), zipfile.ZIP_DEFLATED
    yield 'OEBPS/nav.xhtml', (PAGE % '').encode(), zipfile.ZIP_DEFLATED
    yield 'OEBPS/toc.ncx', b'<ncx><text>hyphenation</text></ncx>', zipfile.ZIP_DEFLATED
    yield 'OEBPS/book.opf', (OPF % language).encode(), zipfile.ZIP_DEFLATED
    yield 'OEBPS/\u00e9t\u00e9.bin', bytes(1000), zipfile.ZIP_BZIP2

def make(path, language='en-US', only=None, stream=False):
    with zipfile.ZipFile(path, 'w') as z:
        z.comment = b'a comment'
        for i, (name, data, method) in enumerate(entries(language)):
            info = zipfile.ZipInfo(name, (2001, 2, 3, 4, 5, 2 * i))
            info.compress_type, info.external_attr, info.create_system = method, (0o100600 + i) << 16, 3
            info.comment = b'of ' + name.encode()
            if i: info.extra = b'\xfe\xca\2\0hi'
            if only is None or only(name): z.writestr(info, data)

class Pipe(io.RawIOBase):  # cannot seek: sizes follow the data
    def __init__(self, f): self.f = f
    def writable(self): return True
    def write(self, b): return self.f.write(b)

if __name__ == '__main__':
    make('book.epub')
    make('german.epub', 'de')
    make('mute.epub', '')
    make('signed.epub')
    with zipfile.ZipFile('signed.epub', 'a') as z: z.writestr('META-INF/signatures.xml', '<signatures/>')
    with open('pipe.epub', 'wb') as f: make(Pipe(f))
    with zipfile.ZipFile('late.epub', 'w', zipfile.ZIP_DEFLATED) as z:
        for name, data, method in reversed(list(entries('en-US'))): z.writestr(name, data)
PY
cat >compare.py <<'PY'
import sys, zipfile, xml.dom.minidom
from make import *
HY, NEW = 'hyphenation', 'hy\u00adphen\u00adation'
def raw(z, i):
    z.fp.seek(i.header_offset)
    head = z.fp.read(30)
    z.fp.read(int.from_bytes(head[26:28], 'little') + int.from_bytes(head[28:30], 'little'))
    return z.fp.read(i.compress_size)
before, after = zipfile.ZipFile(sys.argv[1]), zipfile.ZipFile(sys.argv[2])
assert after.testzip() is None
names = [i.filename for i in before.infolist()]
names.sort(key=lambda name: name != 'mimetype')
assert [i.filename for i in after.infolist()] == names
assert after.comment == before.comment
changed = []
for name in names:
    a, b = before.getinfo(name), after.getinfo(name)
    for what in 'date_time external_attr create_system comment extra'.split(): assert getattr(a, what) == getattr(b, what), (name, what)
    if name != 'mimetype': assert a.compress_type == b.compress_type, name
    if name != 'mimetype' and raw(before, a) != raw(after, b): changed.append(name)
assert sorted(changed) == ['OEBPS/text/b.xhtml', 'OEBPS/text/one & two.xhtml'], changed
for name in changed:
    text = after.read(name).decode()
    xml.dom.minidom.parseString(text)
    assert f'<title>{HY}' in text and f'title="{HY}"' in text and f'The {NEW} of' in text, text
    assert f'<pre>{HY}' in text and f'"xx">{HY}' in text and f'mtext>{HY}' in text, text
    assert 'asz\u00adta\u00adlok' in text, text
    assert text.replace('\u00ad', '').encode() == before.read(name), name
first = open(sys.argv[2], 'rb').read(58)
assert first[26:30] == b'\x08\0\0\0' and first[30:] == b'mimetypeapplication/epub+zip', first
PY

python3 make.py
for book in book late pipe; do
    exits 0 hyphen $book.epub -o out.epub
    quiet
    python3 compare.py $book.epub out.epub
    unzip -tq out.epub >unzip.out || fail "$(cat unzip.out)"
    exits 0 hyphen out.epub -o again.epub
    same out.epub again.epub
    exits 0 hyphen <$book.epub
    same out out.epub
    exits 0 hyphen --strip out.epub -o bare.epub
    exits 0 hyphen bare.epub
    same out out.epub
done

# What is signed is changed as asked, and that is told; unless nothing changes.
exits 0 hyphen signed.epub -o out.epub
says 'signed.epub: it is signed, and its signatures do not hold for the new book'
exits 0 hyphen out.epub -o again.epub
quiet
same out.epub again.epub

# The language of -l goes before the book's own; exceptions are those of the book's language.
exits 0 hyphen german.epub -o a.epub
exits 0 hyphen -l de book.epub -o b.epub
unzip -p a.epub 'OEBPS/text/b.xhtml' >a.xhtml
unzip -p b.epub 'OEBPS/text/b.xhtml' | cmp - a.xhtml || fail '-l is not heeded'
echo 'h-yphenation' >exceptions
exits 0 hyphen --exceptions exceptions --left 1 book.epub -o c.epub
unzip -p c.epub OEBPS/text/one\*.xhtml | grep -q $'h\302\255yphenation' || fail 'the exception is not heeded'
printf 'hyph1e\n' >patterns
exits 0 hyphen --patterns patterns book.epub -o d.epub
unzip -p d.epub OEBPS/text/one\*.xhtml | grep -q $'The hyph\302\255enation' || fail 'the patterns are not heeded'
exits 2 hyphen mute.epub -o e.epub
says 'mute.epub: it does not say its language; give -l'
exits 0 hyphen -l en mute.epub -o f.epub

# What is there is replaced whole; what cannot be is told.
cp book.epub own.epub
chmod 640 own.epub
exits 0 hyphen own.epub -o own.epub
python3 compare.py book.epub own.epub
[ "$(stat -c %a own.epub)" = 640 ] || fail 'its mode is another'
exits 2 hyphen book.epub german.epub -o g.epub
says 'an EPUB goes alone'
exits 2 hyphen --words book.epub
says 'an EPUB goes alone'
exits 2 hyphen book.epub -o missing/h.epub
says 'missing/h.epub: No such file or directory'
exits 2 hyphen book.epub -o /dev/full
says '/dev/full: No space left on device'
echo 'hyphenation' >text
exits 0 hyphen text -o text.out
[ "$(cat text.out)" = $'hy\302\255phen\302\255ation' ] || fail 'no text'
printf 'P' | exits 0 hyphen
prints 'P'
for file in e g missing/h; do none $file.epub; done
no_drafts
