# plot.gp - the tables of data/ as pictures. Called by run:  gnuplot -e "data='DIR'; out='DIR'" plot.gp

set terminal svg size 860,440 background rgb 'white' font 'sans-serif,14' name 'hyphenation'
set datafile separator tab
set datafile columnheaders
set datafile missing NaN # so that rows of another kind do not cut a line
set key outside right top reverse Left
set grid xtics ytics lt 1 lc rgb '#e4e4e4'
set style data yerrorlines

colour(name) = name eq 'bloom' ? 0x009e73 : name eq 'cuckoo' ? 0x0072b2 : name eq 'block' ? 0xd55e00 : name eq 'fuse' ? 0xcc79a7 : 0x666666
table(name) = data . '/' . name . '.tsv'
kinds = 'bloom cuckoo block fuse'
of(kind, y) = strcol('guard') eq kind ? y : NaN # y where the row is meant, else nothing
at(place, kind, y) = strcol('store') eq place ? of(kind, y) : NaN
line(what, kind) = system(sprintf("awk -F'\t' '$1 == \"%s\" && $2 == \"%s\" { print $4, $5, $3 }' %s", what, kind, table('trends')))

# The thesis's regression, as a function of the percentage: through the mean rate (10.5 with all twenty).
set xlabel 'rate asked of the guard, %'
set xrange [0:21]

# ---- figures 5.1, 5.3, 5.5 ----

set output out . '/startup.svg'
set title 'Start-up: making the guard of 1,753 exceptions (means, 95 % intervals)'
set ylabel 'µs'
set yrange [0:*]
plot for [k in kinds] table('startup') using 'percent':(of(k, column('guard_us'))):'guard_95' \
     title k lc rgb colour(k) pt 7 ps 0.4 lw 1.5, \
     for [k in 'bloom cuckoo'] [1:20] word(line('guard_us', k), 1) + word(line('guard_us', k), 2) * (x - 10.5) \
     with lines lc rgb colour(k) dt 2 lw 1.5 title k . ', regression'

# ---- figures 5.2, 5.4, 5.6 ----

set output out . '/running.svg'
set title 'All words of the list, exceptions in memory (means, 95 % intervals)'
set ylabel 'ms'
plot for [k in kinds] table('running') using 'percent':(at('memory', k, column('ms'))):'ms_95' \
     title k lc rgb colour(k) pt 7 ps 0.4 lw 1.5, \
     for [k in 'bloom cuckoo'] [1:20] word(line('words_ms', k), 1) + word(line('words_ms', k), 2) * (x - 10.5) \
     with lines lc rgb colour(k) dt 2 lw 1.5 title k . ', regression', \
     table('running') using (1):(at('memory', 'none', column('ms'))):(19):(0) with vectors nohead lc rgb '#000000' lw 2 title 'no guard', \
     table('running') using (1):(strcol('store') eq '-' ? column('ms') : NaN):(19):(0) with vectors nohead lc rgb '#999999' lw 2 title 'no exceptions'

# ---- where exceptions are kept ----

set terminal svg size 960,420 background rgb 'white' font 'sans-serif,14' name 'hyphenation'
set output out . '/stores.svg'
set logscale y
set yrange [50:200000]
set format y '10^{%L}'
set multiplot layout 1,4 margins 0.07,0.83,0.15,0.82 spacing 0.02 title 'Time of a word by where 1,753 exceptions are kept'
set ylabel 'ns'
do for [place in 'memory warm cold remote'] {
    set title place
    if (place ne 'memory') { unset ylabel; set format y '' }
    if (place eq 'remote') { set key on outside right top reverse Left } else { set key off }
    plot for [k in kinds] table('stores') using 'percent':(column('exceptions') == 1753 ? at(place, k, column('ns_a_word')) : NaN):'ns_95' \
         title k lc rgb colour(k) pt 7 ps 0.4 lw 1.5, \
         table('stores') using (1):(column('exceptions') == 1753 ? at(place, 'none', column('ns_a_word')) : NaN):(19):(0) \
         with vectors nohead lc rgb '#000000' lw 2 title 'no guard'
}
unset multiplot

# ---- how many exceptions ----

set terminal svg size 860,440 background rgb 'white' font 'sans-serif,14' name 'hyphenation'
set output out . '/sizes.svg'
set key on outside right top reverse Left
set title 'Time of a word by the number of exceptions, guards at 1 %'
set xlabel 'exceptions'
set ylabel 'ns'
set logscale x
set format x '10^{%L}'
set format y '10^{%L}'
set xrange [1000:*]
percent_of(place, kind) = strcol('store') eq place && strcol('guard') eq kind && (kind eq 'none' || column('percent') == 1)
plot for [k in 'none ' . kinds] table('stores') using 'exceptions':(percent_of('warm', k) ? column('ns_a_word') : NaN):'ns_95' \
     title 'warm, ' . (k eq 'none' ? 'no guard' : k) lc rgb colour(k) pt 7 ps 0.6 lw 1.5, \
     for [k in 'none ' . kinds] table('stores') using 'exceptions':(percent_of('memory', k) ? column('ns_a_word') : NaN):'ns_95' \
     title 'memory, ' . (k eq 'none' ? 'no guard' : k) lc rgb colour(k) pt 6 ps 0.6 lw 1.5 dt 2
