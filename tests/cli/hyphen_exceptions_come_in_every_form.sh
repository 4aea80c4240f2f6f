#!/bin/bash
# --exceptions may be given again and again: lists, TeX's files, learned stores. The later overrides the earlier, and all override
# what came with the patterns; TeX's distances hold for exceptions too; case counts nowhere, but is kept.
. "$(dirname "$0")/lib"

printf '%% hyphenmins:\n%%     typesetting:\n%%         left: 2\n%%         right: 3\n\\patterns{a1b}\n\\hyphenation{ta-ble sta-ble fa-ble}\n' >patterns.tex
printf 'tab-le\npro-ject %% a comment\nQUEU-E-ING\n\303\211-tats-unis\n' >list
printf '%% of another hand\n\\hyphenation{ %% begins here\n  proj-ect\n  sta-b-le}\n\\hyphenation{nev-er never}\n' >list.tex
printf 'PROJE-CT\nfab-le\na-b-out-ed\n' >learned
exits 0 hyphen learn store learned

printf 'table\nstable\nfable\nproject\nqueueing\nnever\nabouted\n' >asked
# under ANSWERS WORD...: what becomes of the words asked, whatever the guard.
under() {
    for guard in none bloom cuckoo fuse exact; do
        exits 0 hyphen --patterns patterns.tex --words --guard $guard "${@:2}" asked
        prints "$1"
    done
}
under 'ta-ble\nsta-ble\nfa-ble\nproject\nqueueing\nnever\nabouted\n'
# tab-le has two letters behind its break, which are too few
under 'table\nsta-ble\nfa-ble\npro-ject\nqueu-e-ing\nnever\nabouted\n' --exceptions list
under 'table\nsta-ble\nfa-ble\nproj-ect\nqueu-e-ing\nnever\nabouted\n' --exceptions list --exceptions list.tex
under 'table\nsta-ble\nfa-ble\npro-ject\nqueu-e-ing\nnever\nabouted\n' --exceptions list.tex --exceptions list
under 'table\nsta-ble\nfable\nproject\nqueu-e-ing\nnever\nab-outed\n' --exceptions list --exceptions list.tex --exceptions store
under 'table\nsta-ble\nfable\nproj-ect\nqueu-e-ing\nnever\nab-outed\n' --exceptions store --exceptions list --exceptions list.tex
# with less distance all breaks are seen; of never and nev-er in one file the later holds
under 'tab-le\nsta-b-le\nfab-le\nproj-ect\nqueu-e-ing\nnever\na-b-out-ed\n' \
    --left 1 --right 2 --exceptions store --exceptions list --exceptions list.tex

printf 'QUEUEING\nQueueing\n\303\251tats\n\303\211TATSUNIS\n\303\251tatsunis\nque-ueing\n' |
    exits 0 hyphen --patterns patterns.tex --words --left 1 --exceptions list --guard cuckoo -r 1%
prints 'QUEU-E-ING\nQueu-e-ing\n\303\251tats\n\303\211-TATS-UNIS\n\303\251-tats-unis\nque-ueing\n'

# A mark of byte order belongs to no word; comments make no list TeX's, and hold no braces that count.
printf '\357\273\277tab-le\nsta-b-le\n' >marked
printf '%% see \\hyphenation{} for more\ntab-le\nsta-b-le %% not \\hyphenation\n' >told
printf '\357\273\277\\hyphenation %% {no}\n\n  {tab-le sta-b-le} fab-le %% \\hyphenation{proj-ect}\n' >braced
for list in marked told braced; do
    under 'tab-le\nsta-b-le\nfa-ble\nproject\nqueueing\nnever\nabouted\n' --right 2 --exceptions $list
    rm -f kept kept.guard
    exits 0 hyphen learn kept $list
    under 'tab-le\nsta-b-le\nfa-ble\nproject\nqueueing\nnever\nabouted\n' --right 2 --exceptions kept
done

printf 'good\n--\n' >bad
exits 2 hyphen --patterns patterns.tex --words --exceptions list --exceptions bad asked
says 'bad:2: hyphens without a word'
printf '\\hyphenation %%\n%%\n{ good -- }\n' >bad
exits 2 hyphen --patterns patterns.tex --words --exceptions bad asked
says 'bad:3: hyphens without a word'
printf 'go\377od\n' >bad
exits 2 hyphen --patterns patterns.tex --words --exceptions bad asked
says 'bad:1: not UTF-8'
printf 'x%.0s' {1..1001} >bad
exits 2 hyphen --patterns patterns.tex --words --exceptions bad asked
says 'bad:1: a word of more than 1000 bytes'
