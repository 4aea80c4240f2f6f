# plot.gp - the tables of data/ as pictures. Called by run:  gnuplot -e "data='DIR'; out='DIR'" plot.gp

set terminal svg size 720,440 background rgb 'white' font 'sans-serif,14' name 'relocations'
set datafile separator tab
set datafile columnheaders
set datafile missing NaN # so that rows of another rule do not cut a line
set key outside right top reverse Left
set grid xtics ytics lt 1 lc rgb '#e4e4e4'
set style data linespoints

colour(name) = name eq 'random' ? 0xd55e00 : name eq 'emptier' ? 0xe69f00 : name eq 'path' ? 0x0072b2 : \
               name eq 'bloom' ? 0x009e73 : name eq 'counting' ? 0xcc79a7 : 0x0072b2
rules = 'random emptier path'
table(name) = data . '/' . name . '.tsv'
picture(name) = out . '/' . name . '.svg'
# x where the row is meant, else nothing.
if_rule(r, x) = strcol('rule') eq r ? x : NaN
if_kind(k, x) = strcol('kind') eq k ? x : NaN

# The sizes that this run had: of the sweeps, of the times, of the lookups far from the cache.
stats table('buckets') using 'slots' nooutput
slots = STATS_max
stats table('times') using 'slots' nooutput
largest = STATS_max
stats table('equal-far') using 'keys' nooutput
nkeys = STATS_max
stats table('partner') using 'slots' nooutput
modelled = STATS_max < 2**20 ? 2**16 : 2**20
power(n) = sprintf('2^{%d}', log(n) / log(2) + 0.5)

# ---- moves by load: the loads stand side by side in a row, so turn it ----

turned(rule) = sprintf("< awk -F'\\t' 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; print \"load\\tmoves\"; next } \
    $1 == \"%s\" && $4 == 12 && $5 == %d { for (i = 1; i <= NF; i++) if (name[i] ~ /^moves_[0-9.]+$/ && $i > 0) \
    print substr(name[i], 7) \"\\t\" $i }' %s", rule, slots, table('rules'))

set output picture('moves')
set title 'Tags moved by an insert, from empty to that load (' . power(slots) . ' slots, 12-bit tags)'
set xlabel 'load, %'
set ylabel 'moves an insert'
set logscale y
set format y '%g'
set yrange [0.0005:2]
plot for [r in rules] turned(r) using 1:2 title r lc rgb colour(r) pt 7 ps 0.6 lw 2, \
     turned('random') using 1:($2 * 0.65) with lines title 'random less 35 %' lc rgb '#888888' dt 2

# ---- moves by size ----

set output picture('sizes')
set title 'Tags moved by an insert, from empty to 95 %, tables of all sizes'
set xlabel 'slots'
set logscale x 2
set format x '2^{%L}'
set yrange [0.05:2]
moves(r, tag) = if_rule(r, column('tag_bits') == tag ? column('moves_95') : NaN)
plot for [r in rules] table('rules') using 'slots':(moves(r, 12)) title r lc rgb colour(r) pt 7 ps 0.6 lw 2, \
     for [r in rules] table('rules') using 'slots':(moves(r, 8)) with points title r . ', 8 bits' lc rgb colour(r) pt 4, \
     for [r in rules] table('rules') using 'slots':(moves(r, 16)) with points title r . ', 16 bits' lc rgb colour(r) pt 8

# ---- first refusal by the limit of moves ----

set output picture('limits')
set title 'Load at the first refused key (' . power(slots) . ' slots, 12-bit tags)'
set xlabel 'max\_moves, the longest chain tried'
set ylabel 'load, %'
unset logscale
set logscale x 10
set format x '%g'
set autoscale y
plot for [r in rules] table('limits') using 'max_moves':(if_rule(r, 100 * column('first_mean'))) \
     title r lc rgb colour(r) pt 7 ps 0.6 lw 2

# ---- insert time by load ----

set output picture('times')
set title 'Time of an insert on the way to that load (' . power(largest) . ' slots)'
set xlabel 'load, %'
set ylabel 'ns'
unset logscale
set logscale y
set format x '%g'
at_largest(r, x) = if_rule(r, column('slots') == largest ? x : NaN)
plot for [r in rules] table('times') using (100 * column('load')):(at_largest(r, column('insert_ns'))) \
     title r lc rgb colour(r) pt 7 ps 0.6 lw 2, \
     for [r in rules] table('times') using (100 * column('load')):(at_largest(r, column('insert_many_ns'))) \
     title r . ', in batches' lc rgb colour(r) pt 6 ps 0.6 dt 2

# ---- space and lookups at equal rate ----

set output picture('space')
set title 'Bits a key at a measured rate'
set xlabel 'false positives, %'
set ylabel 'bits a key'
unset logscale
set logscale x 10
set xrange [30:0.005]
set yrange [4:24]
cuckoo(layout, bucket, load, x) = strcol('kind') eq 'cuckoo' && strcol('layout') eq layout && column('bucket') == bucket && \
    column('load') == load ? x : NaN
rate_of(x) = 100 * column('rate')
plot table('equal') using (rate_of(0)):(if_kind('bloom', column('bits'))) title 'bloom' lc rgb colour('bloom') pt 7 ps 0.6 lw 2, \
     table('equal') using (rate_of(0)):(cuckoo('bucket', 4, 0.95, column('bits'))) title 'cuckoo, bucket, 95 %' lc rgb 0x0072b2 pt 7 ps 0.6 lw 2, \
     table('equal') using (rate_of(0)):(cuckoo('sorted', 4, 0.95, column('bits'))) title 'cuckoo, sorted, 95 %' lc rgb 0x56b4e9 pt 7 ps 0.6, \
     table('equal') using (rate_of(0)):(cuckoo('window', 2, 0.95, column('bits'))) title 'cuckoo, window of 2, 95 %' lc rgb 0x332288 pt 7 ps 0.6, \
     table('equal') using (rate_of(0)):(cuckoo('window', 4, 0.99, column('bits'))) title 'cuckoo, window of 4, 99 %' lc rgb 0x888888 pt 7 ps 0.6

set output picture('lookups')
set title sprintf('Time of a lookup at a measured rate (%.2g million keys, in batches)', nkeys / 1e6)
set ylabel 'ns'
set yrange [0:*]
set xrange [5:0.005]
# At 95 % all three hold as many keys.
kinds = 'bloom counting cuckoo'
same(k, x) = k eq 'cuckoo' ? cuckoo('bucket', 4, 0.95, x) : if_kind(k, x)
plot for [k in kinds] table('equal-far') using (rate_of(0)):(same(k, column('inside_many_ns'))) \
     title k . ', inside' lc rgb colour(k) pt 7 ps 0.6 lw 2, \
     for [k in kinds] table('equal-far') using (rate_of(0)):(same(k, column('stranger_many_ns'))) \
     title k . ', stranger' lc rgb colour(k) pt 6 ps 0.6 dt 2

# ---- partners ----

set output picture('partner')
set title 'Load at the first refused key, by partner (' . power(modelled) . ' slots)'
set xlabel 'tag bits'
set ylabel 'load, %'
unset logscale
set xrange [6:18]
set xtics (8, 12, 16)
set autoscale y
partners = "'xor tag' 'xor h(tag)' 'linear h(tag) - i' 'h(tag) - i'"
partner(p, r) = strcol('partner') eq p && strcol('rule') eq r && column('slots') == modelled ? 100 * column('first_mean') : NaN
plot for [i=1:4] table('partner') using 'tag_bits':(partner(word(partners, i), 'path')) title word(partners, i) . ', path' lc i pt 7 ps 0.7 lw 2, \
     for [i=1:4] table('partner') using 'tag_bits':(partner(word(partners, i), 'random')) title word(partners, i) . ', random' lc i pt 6 ps 0.7 dt 2
