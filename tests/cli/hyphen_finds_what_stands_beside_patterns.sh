#!/bin/bash
# hyph-TAG.pat.txt has no room for exceptions and distances: those are in hyph-TAG.hyp.txt beside it and in the
# header of hyph-TAG.tex, as TeX Live lays them out. A folder for drafts is not needed.
. "$(dirname "$0")/lib"

mkdir -p txt tex
printf 'a1b\n1t1\n' >txt/hyph-qq.pat.txt
breaks() { # WORD WANTED
    echo "$1" >word
    HYPHEN_PATH=txt exits 0 hyphen -l qq --words word
    prints "$2\n"
    exits 0 hyphen --patterns txt/hyph-qq.pat.txt --words word
    prints "$2\n"
}
breaks cabotata ca-bo-t-ata
breaks ototot ot-o-tot
printf '%% hyphenmins:\n%%     typesetting:\n%%         left: 1\n%%         right: 5\n\\patterns{a1b 1t1}\n' >tex/hyph-qq.tex
breaks ototot o-totot
breaks tabletata t-a-bletata
printf 'ototot\ntab-letata\n' >txt/hyph-qq.hyp.txt
breaks tabletata tab-letata
breaks ototot ototot
(
    export TMPDIR=/nowhere
    breaks ototot ototot
    breaks tabletata tab-letata
)
printf 'ot-otot\n' >list
echo ototot >word
TMPDIR=/nowhere exits 0 hyphen --patterns txt/hyph-qq.pat.txt --right 2 --exceptions list --words word
prints 'ot-otot\n'
no_drafts

# What can be no distance does not count, so what is compiled can be opened.
rm txt/hyph-qq.hyp.txt
for number in 0 1001 4294967295; do
    sed -i "s/left: .*/left: $number/; s/right: .*/right: $number/" tex/hyph-qq.tex
    breaks ototot ot-o-tot
    for patterns in txt/hyph-qq.pat.txt tex/hyph-qq.tex; do
        exits 0 hyphen --patterns $patterns --compile compiled
        exits 0 hyphen --patterns compiled --words word
        prints 'ot-o-tot\n'
    done
done
# Exceptions have comments, like other lists of them; what is none is told by its own file and line.
printf '%% ototot\n%% tab\noto-tot\n' >txt/hyph-qq.hyp.txt
breaks ototot oto-tot
printf 'oto-tot\n\377\n' >txt/hyph-qq.hyp.txt
exits 2 hyphen --patterns txt/hyph-qq.pat.txt --words word
says 'txt/hyph-qq.hyp.txt:2: not UTF-8'
exits 2 hyphen --patterns txt/hyph-qq.pat.txt --compile new
none new
