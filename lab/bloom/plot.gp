# plot.gp - the tables of data/ as pictures. Called by run:  gnuplot -e "data='DIR'; out='DIR'" plot.gp

set terminal svg size 720,440 background rgb 'white' font 'sans-serif,14' name 'bloom'
set datafile separator tab
set datafile columnheaders
set datafile missing NaN
set key outside right top reverse Left
set grid xtics ytics lt 1 lc rgb '#e4e4e4'
set style data linespoints

table(name) = data . '/' . name . '.tsv'
picture(name) = out . '/' . name . '.svg'
colour(i) = i == 1 ? 0x009e73 : i == 2 ? 0xe69f00 : i == 3 ? 0x0072b2 : i == 4 ? 0x56b4e9 : i == 5 ? 0xcc79a7 : 0xd55e00
kinds = "bloom block cuckoo 'cuckoo, windows' fuse ribbon"
if_kind(k, x) = strcol('kind') eq k ? x : NaN

# ---- space by rate, and how far above the least ----

set output picture('bound')
set title 'Bits a key by rate, and the least that is possible'
set xlabel 'false positives'
set ylabel 'bits a key'
set logscale x 10
set format x '10^{%L}'
set xrange [0.3:1e-6]
set yrange [0:32]
plot for [i=1:6] table('bound') using 'exact_rate':(if_kind(word(kinds, i), column('bits_a_key'))) \
     title word(kinds, i) lc rgb colour(i) pt 7 ps 0.4 lw 1.5, \
     [0.3:1e-6] log(1 / x) / log(2) with lines title 'log_2(1/rate)' lc rgb '#444444' dt 2 lw 2

set output picture('over')
set title 'Space above the least possible, by rate'
set ylabel 'times log_2(1/rate)'
set yrange [0.95:2]
plot for [i=1:6] table('bound') using 'exact_rate':(if_kind(word(kinds, i), column('over_least'))) \
     title word(kinds, i) lc rgb colour(i) pt 7 ps 0.4 lw 1.5, \
     [0.3:1e-6] 1 with lines notitle lc rgb '#444444' dt 2

# ---- what the approximation leaves out ----

set output picture('excess')
set title 'Exact rate above (1 - e^{-kn/m})^k, m = k n / ln 2'
set xlabel 'keys'
set ylabel 'excess, %'
set xrange [*:*]
set autoscale y
set logscale xy 10
set format y '%g'
at_k(k, x) = column('k') == k ? 100 * x : NaN
plot for [k in '1 4 7 10'] table('powers') using 'n':(at_k(k + 0, column('one_excess'))) title 'one table, k = ' . k lc rgb colour(k / 3 + 1) pt 7 ps 0.5, \
     for [k in '4 7 10'] table('powers') using 'n':(at_k(k + 0, column('tables_excess'))) title 'k tables, k = ' . k lc rgb colour(k / 3 + 1) pt 6 ps 0.5 dt 2

# ---- whole numbers for k ----

set output picture('rounding')
set title 'What a whole k costs: rate above that of the best k (a million keys)'
set xlabel 'bits a key'
set ylabel 'excess, %'
unset logscale
set format x '%g'
set xrange [2:24]
set yrange [0:10]
if_million(x) = column('n') == 1000000 ? 100 * x : NaN
plot table('rounding') using 'bits_a_key':(if_million(column('down_cost'))) title 'rounded down' lc rgb colour(6) pt 7 ps 0.5, \
     table('rounding') using 'bits_a_key':(if_million(column('up_cost'))) title 'rounded up' lc rgb colour(3) pt 7 ps 0.5, \
     table('rounding') using 'bits_a_key':(if_million(column('nearest_cost'))) title 'to the nearest' lc rgb colour(1) pt 7 ps 0.5
