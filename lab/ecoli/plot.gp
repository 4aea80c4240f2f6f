# plot.gp - the tables of data/ as pictures. Called by run:  gnuplot -e "data='DIR'; out='DIR'" plot.gp

set terminal svg size 760,440 background rgb 'white' font 'sans-serif,14' name 'ecoli'
set datafile separator tab
set datafile columnheaders
set datafile missing NaN # so that rows of another kind do not cut a line
set key outside right top reverse Left
set grid xtics ytics lt 1 lc rgb '#e4e4e4'
set style data linespoints
set logscale x 10
set xtics (10, 20, 50, 100, 200)
set xrange [8:250]
set xlabel 'k'

colours = '0x666666 0xe69f00 0x009e73 0x0072b2 0xd55e00 0xcc79a7 0x56b4e9'
colour(i) = int(word(colours, i))
if_row(name, value, x) = strcol(name) eq value ? x : NaN

set output out . '/moves.svg'
set title 'Tags moved for a k-mer, table 95 % full'
set ylabel 'moves a k-mer'
set yrange [0:1.05]
rules = 'random emptier path'
at_95(g, r, x) = strcol('genome') eq g && strcol('rule') eq r && strcol('table') eq '95%' ? x : NaN
plot for [i=1:3] data . '/rules.tsv' using 'k':(at_95('536', word(rules, i), column('moves'))) title word(rules, i) . ', strain 536' \
     lc rgb colour(i) pt 7 ps 0.6, \
     for [i=1:3] data . '/rules.tsv' using 'k':(at_95('K-12', word(rules, i), column('moves'))) title word(rules, i) . ', K-12' \
     lc rgb colour(i) pt 4 ps 0.9 dt 2

set output out . '/search.svg'
set title 'From letters to answers, k-mers of strain 536'
set ylabel 'ns a k-mer'
set logscale y 10
set yrange [1:1e8]
set format y '10^{%L}'
kinds = '"cuckoo, bucket" bloom block fuse ribbon exact'
plot for [i=1:6] data . '/kinds.tsv' using 'k':(if_row('kind', word(kinds, i), column('stream_ns'))) title word(kinds, i) \
     lc rgb colour(i + 1) pt 7 ps 0.6, \
     data . '/scan.tsv' using 'k':(if_row('which', 'random', column('ns'))) title 'memmem, random letters' lc rgb colour(1) pt 4 ps 0.9, \
     data . '/scan.tsv' using 'k':(if_row('which', 'inside', column('ns'))) title 'memmem, of the genome' lc rgb colour(1) pt 6 ps 0.9 dt 2

set output out . '/peers.svg'
set title 'Whole processes: index strain 536, then ask for K-12'
set ylabel 'ms'
set yrange [30:100000]
of(who, task, x) = strcol('who') eq who && strcol('task')[1:3] eq task ? x : NaN
who = '"sito block" "sito cuckoo" jellyfish "jellyfish bc" kmc'
plot for [i=1:5] data . '/peers.tsv' using 'k':(of(word(who, i), 'bui', column('ms_cpu'))) title word(who, i) . ', build' \
     lc rgb colour(i + 1) pt 7 ps 0.6, \
     for [i in '1 2 3 5'] data . '/peers.tsv' using 'k':(of(word(who, i + 0), 'ask', column('ms_cpu'))) title word(who, i + 0) . ', ask' \
     lc rgb colour(i + 1) pt 4 ps 0.9 dt 2
