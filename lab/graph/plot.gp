# plot.gp - the tables of data/ as pictures. Called by run:  gnuplot -e "data='DIR'; out='DIR'" plot.gp

set terminal svg size 720,440 background rgb 'white' font 'sans-serif,14' name 'graph'
set datafile separator tab
set datafile columnheaders
set datafile missing NaN
set key outside right top reverse Left
set grid xtics ytics lt 1 lc rgb '#e4e4e4'

colour(i) = i == 1 ? 0x009e73 : i == 2 ? 0x0072b2 : i == 3 ? 0x56b4e9 : 0xd55e00
ways = 'sparse dict dict-cuckoo prop'
if_way(w, x) = strcol('way') eq w ? x : NaN
times = data . '/times.tsv'

set output out . '/ratios.svg'
set title "Bellman-Ford's time, in times that of the tuples"
set xlabel 'edges'
set ylabel 'times the tuples'
set logscale xy 10
set format x '10^{%L}'
set yrange [1:1000]
plot for [i=1:4] times using 'edges':(if_way(word(ways, i), column('ratio'))) with points title word(ways, i) \
     lc rgb colour(i) pt 7 ps 0.9, \
     for [w in '1 2 4'] times using 'edges':(if_way(word(ways, w + 0), column('slide_ratio'))) with points \
     title word(ways, w + 0) . ', slide' lc rgb colour(w + 0) pt 4 ps 0.9
