#!/bin/bash
# By a pattern file, a compiled one and an installed one; what is no word passes unchanged; exceptions are learned,
# and the reads of the store are the words that passed its guard.
. "$(dirname "$0")/lib"

printf 'hy3ph\nhe2n\nhena4\nhen5at\n1na\nn2at\n1tio\n2io\no2n\n' >knuth.txt
printf 'hyphenation\nHYPHENATION\nbroken\377hyphenation\n\nlast' | exits 0 hyphen --patterns knuth.txt --words
prints 'hy-phen-ation\nHY-PHEN-ATION\nbroken\377hyphenation\n\nlast'
exits 0 hyphen --patterns knuth.txt --compile knuth.image
echo hyphenation | exits 0 hyphen --patterns knuth.image
prints 'hy\302\255phen\302\255ation\n'
cp out once
exits 0 hyphen --patterns knuth.image once
same out once
exits 0 hyphen --patterns knuth.txt --strip once
prints 'hyphenation\n'
printf '<p title="hyphenation">Hyphenation hyphenation</p><pre>hyphenation</pre>' >page.html
exits 0 hyphen --patterns knuth.txt --mark=- --no-caps page.html
prints '<p title="hyphenation">Hyphenation hy-phen-ation</p><pre>hyphenation</pre>'
# Words are left alone in a list as they are in text.
printf 'hyphenation\nHyphenation\n\303\204hyphenation\nhyphena\n' >list
for words in '' --words; do
    # shellcheck disable=SC2086 # none, or one
    exits 0 hyphen --patterns knuth.txt --mark=- --no-caps $words list
    prints 'hy-phen-ation\nHyphenation\n\303\204hyphenation\nhy-phena\n'
    # shellcheck disable=SC2086
    exits 0 hyphen --patterns knuth.txt --mark=- --min-word 8 $words list
    prints 'hy-phen-ation\nHy-phen-ation\n\303\204hy-phen-ation\nhyphena\n'
    # shellcheck disable=SC2086
    exits 0 hyphen --patterns knuth.txt --mark=- --min-word 12 $words list
    prints 'hyphenation\nHyphenation\n\303\204hy-phen-ation\nhyphena\n'
done
exits 0 hyphen --patterns knuth.txt --left 3 --mark=- --html once
exits 0 hyphen --patterns knuth.txt --explain hyphenation
grep -q 'hen5at' out || fail 'not explained'
grep -qx 'hy-phen-ation' out || fail 'no answer'
printf 'asszonnyal\n' | exits 0 hyphen -l hu --words
prints 'asz-szony-nyal\n'
# As libhyphen has it, and as the manual says: the right distance does not reach the first letter.
printf 'amor\n\303\251mor\n' | exits 0 hyphen -l pt-BR --words --left 1 --right 9
prints 'a-mor\n\303\251mor\n'
# Patterns know no marks; who reads a text does. In a list the answers are the patterns'.
printf 'Kleinsta\314\210dte\n' >marks
exits 0 hyphen -l de --mark=- marks
prints 'Klein-sta\314\210d-te\n'
exits 0 hyphen -l de --words marks
prints 'Klein-sta-\314\210d-te\n'
printf 'Kleinsta-\314\210d-te\n' >own
exits 0 hyphen -l de --mark=- --exceptions own marks
prints 'Kleinsta\314\210d-te\n'
exits 0 hyphen --list
grep -q '^en-US ' out || fail 'en-US is not listed'

for guard in none bloom cuckoo block counting; do
    rm -f store store.guard
    printf 'hyphen-ation\nTab-le\n' | exits 0 hyphen learn store --guard $guard -r 5%
    printf 'pro-ject\n' | exits 0 hyphen learn store
    printf 'table\n' | exits 0 hyphen forget store
    printf 'table\n' | exits 1 hyphen forget store
    printf 'Hyphenation\ntable\nproject\nother\n' | exits 0 hyphen --patterns knuth.txt --words --exceptions store --guard $guard --stats
    prints 'Hyphen-ation\ntable\npro-ject\nother\n'
    python3 -c 'import json
s = json.load(open("err"))
assert s["asked"] == 4 and s["found"] == 2 and s["store_reads"] == s["passed"] == 4 - s["reads_saved"], s'
done

# A guard that does not exist is refused, also where there is nothing to guard.
for words in --words --strip --list '--exceptions store' 'learn new'; do
    # shellcheck disable=SC2086
    exits 2 hyphen --patterns knuth.txt --guard nope $words <<<table
    says 'there is no kind `nope`'
done

printf 'a1b\nb12c\n' >bad.txt
exits 2 hyphen --patterns bad.txt
says 'bad.txt:2: two digits'
exits 2 hyphen -l xx
says 'no patterns for xx'
exits 2 hyphen --patterns knuth.txt --exceptions missing
says 'missing: No such file'
no_drafts

# Lists of other systems: the end of a line and blanks are no letters. Soft hyphens stay as they are.
printf 'table\r\nhyphenation \nhy\302\255phenation\n' >list
exits 0 hyphen --words list
prints 'ta-ble\r\nhy-phen-ation \nhy\302\255phenation\n'

# A page is one when it is packed, too.
printf '<p class="hyphenation">' | gzip >page.html.gz
exits 0 hyphen --mark=- page.html.gz
prints '<p class="hyphenation">'

# Patterns given by hand are for the language that the page names.
printf '1h\n' >my.pat.txt
printf '<html lang="en"><p>hyphenation' >page.html
exits 0 hyphen --patterns my.pat.txt --mark=- page.html
prints '<html lang="en"><p>hyp-henation'

# Taking soft hyphens away needs no patterns.
printf 'hy\302\255phen' >soft
exits 0 hyphen --strip -l xx soft
prints 'hyphen'
