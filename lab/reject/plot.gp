# plot.gp - the tables of data/ as pictures. Called by run:  gnuplot -e "data='DIR'; out='DIR'" plot.gp

set terminal svg size 860,440 background rgb 'white' font 'sans-serif,14' name 'reject'
set datafile separator tab
set datafile columnheaders
set datafile missing NaN # so that rows of another kind do not cut a line
set key outside right top reverse Left
set grid xtics ytics lt 1 lc rgb '#e4e4e4'
set style data linespoints

colour(name) = name eq 'exact' ? 0x666666 : name eq 'exact-cuckoo' ? 0x000000 : name eq 'compact' ? 0xe69f00 : \
               name eq 'bloom' ? 0x009e73 : name eq 'parted' ? 0x56b4e9 : name eq 'block' ? 0xd55e00 : \
               name eq 'counting' ? 0xcc79a7 : 0x0072b2
table(name) = data . '/' . name . '.tsv'
of(kind, y) = strcol('kind') eq kind ? y : NaN # y where the row is meant, else nothing

# ---- time of a question by the share of strangers ----

kinds = 'exact compact counting cuckoo parted bloom block'
set xlabel 'strangers, %'
set logscale y
set format y '%g'
do for [name in 'near far'] {
    set yrange [*:*] # or the count would leave out what lies beyond
    stats table(name) using 'nkeys' nooutput
    set output out . '/' . name . '.svg'
    set yrange [1:250]
    set multiplot layout 1,2 margins 0.08,0.82,0.16,0.82 spacing 0.08 title sprintf('Time of a question by the share of strangers (%g million keys, 1 %%)', STATS_max / 1e6)
    set title 'one by one'
    set ylabel 'ns'
    set key off
    plot for [k in kinds] table(name) using (100 * column('strangers')):(of(k, column('ns'))) \
         title k lc rgb colour(k) pt 7 ps 0.6 lw 2
    set title 'batched'
    unset ylabel
    set key on outside right top reverse Left
    plot for [k in kinds] table(name) using (100 * column('strangers')):(of(k, column('many_ns'))) \
         title k lc rgb colour(k) pt 7 ps 0.6 lw 2
    unset multiplot
}

# ---- time to reject by size ----

set output out . '/sizes.svg'
set title 'Time to reject a stranger, one by one, by the number of keys'
set xlabel 'keys'
set ylabel 'ns'
set xrange [1000:*]
set logscale x
set format x '10^{%L}'
set yrange [*:*]
plot for [k in 'exact exact-cuckoo compact bloom block'] table('sizes') using 'nkeys':(of(k, column('stranger_ns'))) \
     title k lc rgb colour(k) pt 7 ps 0.6 lw 2, \
     for [k in 'exact bloom'] table('sizes') using 'nkeys':(of(k, column('raw_plain_ns'))) \
     title 'a raw read, size of ' . k lc rgb colour(k) pt 6 ps 0.6 dt 2
