#!/bin/bash
# Tags without an end, ends without a begin, comments in scripts: what is text is found, in its language, and in
# a time that grows with the page. There are no patterns for xx, so its words are left alone.
. "$(dirname "$0")/lib"

printf 'hy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\no2n\n' >knuth.txt
# becomes WANTED: the page, with a - at each break; a second run gives the same bytes.
becomes() {
    exits 0 hyphen -l en --patterns knuth.txt --mark=- --html page
    printf '%s\n' "$1" | cmp - out || fail "not: $1"
    exits 0 hyphen -l en --patterns knuth.txt --html page
    cp out once
    exits 0 hyphen -l en --patterns knuth.txt --html once
    same out once
}
page() { printf '%s\n' "$1" >page; }

page '<p lang="xx">hyphenation <b>hyphenation<p>hyphenation</p>'
becomes '<p lang="xx">hyphenation <b>hyphenation<p>hy-phen-ation</p>'
page '<ul><LI lang=xx>hyphenation<ul><li>hyphenation<li>hyphenation</ul>hyphenation<li>hyphenation</ul>'
becomes '<ul><LI lang=xx>hyphenation<ul><li>hyphenation<li>hyphenation</ul>hyphenation<li>hy-phen-ation</ul>'
page '<dl><dt lang=xx>hyphenation<dd>hyphenation</dl><table><tr lang=xx><td>hyphenation<tr><td lang=xx>hyphenation<th>hyphenation'
becomes '<dl><dt lang=xx>hyphenation<dd>hy-phen-ation</dl><table><tr lang=xx><td>hyphenation<tr><td lang=xx>hyphenation<th>hy-phen-ation'
page '<p>hyphenation<pre>a<p>hyphenation</pre>hyphenation'
becomes '<p>hy-phen-ation<pre>a<p>hyphenation</pre>hy-phen-ation'
page '<p lang=xx>a<o:p></o:p>hyphenation</br>hyphenation</i></P>hyphenation'
becomes '<p lang=xx>a<o:p></o:p>hyphenation</br>hyphenation</i></P>hy-phen-ation'
page '<script>x="<!--"</script><p>hyphenation</p><style><![CDATA[</STYLE >hyphenation'
becomes '<script>x="<!--"</script><p>hy-phen-ation</p><style><![CDATA[</STYLE >hy-phen-ation'
page '<script>s="</scripts"; </script><p>hyphenation</p><style></stylesheet>hyphenation</style/>hyphenation'
becomes '<script>s="</scripts"; </script><p>hy-phen-ation</p><style></stylesheet>hyphenation</style/>hy-phen-ation'
page '<!-->hyphenation<!--->hyphenation<!---->hyphenation<!-- > hyphenation -->hyphenation'
becomes '<!-->hy-phen-ation<!--->hy-phen-ation<!---->hy-phen-ation<!-- > hyphenation -->hy-phen-ation'
page '<code-block>hyphenation</code-block><m:code>hyphenation</m:code><code>hyphenation</code-block></code>hyphenation'
becomes '<code-block>hy-phen-ation</code-block><m:code>hyphenation</m:code><code>hyphenation</code-block></code>hy-phen-ation'
page '<?php a > hyphenation ?>hyphenation<?a>hyphenation<?b > hyphenation?>hyphenation<?>hyphenation<?c>hyphenation'
becomes '<?php a > hyphenation ?>hy-phen-ation<?a>hy-phen-ation<?b > hyphenation?>hy-phen-ation<?>hy-phen-ation<?c>hy-phen-ation'
page 'hyphenation&nbsp;hyphenation hyphenation&thisisnoentitybutalongwordwithasignatitsend;hyphenation'
becomes 'hy-phen-ation&nbsp;hy-phen-ation hyphenation&thisisnoentitybutalongwordwithasignatitsend;hyphenation'

page '<svg:style>a<b/></svg:style>hyphenation<style>a<b/></style>hyphenation<p><svg:script>x</svg:script>hyphenation'
becomes '<svg:style>a<b/></svg:style>hy-phen-ation<style>a<b/></style>hy-phen-ation<p><svg:script>x</svg:script>hy-phen-ation'
page '<head><title>hyphenation</title><meta a=b><body>hyphenation'
becomes '<head><title>hyphenation</title><meta a=b><body>hy-phen-ation'
page '<html><HEAD><link a=b><style>x</style><p>hyphenation'
becomes '<html><HEAD><link a=b><style>x</style><p>hy-phen-ation'
page '<head><script>"<p>"</script>hyphenation</head>hyphenation<p>hyphenation'
becomes '<head><script>"<p>"</script>hyphenation</head>hy-phen-ation<p>hy-phen-ation'
python3 -c "print('<p>hyphenation<code>' + '<b>' * 1000 + '</code>hyphenation')" >page
becomes "$(sed 's/hyphenation/hy-phen-ation/g' page)"

# However many languages nobody has patterns for, one that has some gets them.
mkdir patterns
cp knuth.txt patterns/hyph-aa.pat.txt
python3 -c "print(''.join(f'<p lang=x{i}>hyphenation</p>' for i in range(40)) + '<p lang=aa>hyphenation</p>')" >page
export HYPHEN_PATH=$PWD/patterns
becomes "$(sed 's/aa>hyphenation/aa>hy-phen-ation/' page)"

# And of one whose patterns cannot be read is told once.
: >patterns/hyph-bad.pat.txt
python3 -c "print(''.join(f'<p lang=x{i}>text</p>' + '<p lang=bad>text</p>' * (i > 20) for i in range(40)))" >page
becomes "$(cat page)"
[ "$(grep -c 'hyph-bad.pat.txt:1: no patterns' err)" = 1 ] || fail 'it is told over and over'
# Nor once a tag, if many lead to it.
python3 -c "print(''.join(f'<p lang=bad-{i}>text</p>' for i in range(200)))" >page
becomes "$(cat page)"
[ "$(grep -c 'hyph-bad.pat.txt:1: no patterns' err)" = 1 ] || fail 'it is told for each tag'

# All of as many languages as have patterns get them.
rm patterns/hyph-bad.pat.txt
for n in {10..49}; do cp knuth.txt "patterns/hyph-q$n.pat.txt"; done
python3 -c "print(''.join(f'<p lang=q{i}>hyphenation</p><p lang=q{i}-x>hyphenation</p>' for i in range(10, 50)) * 2)" >page
becomes "$(sed 's/hyphenation/hy-phen-ation/g' page)"
exits 0 hyphen -l en --patterns knuth.txt --html --stats page
grep -q '"words": 160, "breaks": 320,' err || fail 'breaks of some languages are not counted'
unset HYPHEN_PATH

# Borders between reads fall anywhere in it.
python3 - <<'end'
page = ('<p lang="xx">hyphenation<!---><p>hyphenation</p><script>"<!--"</scripts</script><?a > hyphenation?></br>'
        '<code-block>hyphenation</code-block><code>hyphenation</code>&amp;hyphenation\n') * 9973
open('page', 'w').write(page)
wanted = page
for before in '<p>', '<code-block>', '&amp;':
    wanted = wanted.replace(before + 'hyphenation', before + 'hy-phen-ation')
open('wanted', 'w').write(wanted)
end
exits 0 hyphen -l en --patterns knuth.txt --mark=- --html page
same out wanted

# Each takes minutes if an end is looked for in all that is there.
for text in '"&" * 4000000' '"<p>text</br>\n" * 400000' '"<b>text</i></div></h1>\n" * 400000' \
    '"<p><div>" + "<b><p>text</p>\n" * 100000' '"<?a>text " * 400000' \
    '"".join(f"<x{i}>" for i in range(500)) * 800 + "</zz>" * 400000'; do
    python3 -c "print($text)" >page
    exits 0 hyphen -l en --patterns knuth.txt --html page
    same out page
done
no_drafts
