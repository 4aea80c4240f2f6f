# plot.gp - the tables of data/ as pictures. Called by run:  gnuplot -e "data='DIR'; out='DIR'" plot.gp
# Points are simulated, lines are the closed form.

set terminal svg size 720,440 background rgb 'white' font 'sans-serif,14' name 'fbl'
set datafile separator tab
set datafile columnheaders
set datafile missing NaN
set key outside right top reverse Left
set grid xtics ytics lt 1 lc rgb '#e4e4e4'

table(name) = data . '/' . name . '.tsv'
picture(name) = out . '/' . name . '.svg'
colour(i) = i == 1 ? 0x0072b2 : i == 2 ? 0xe69f00 : i == 3 ? 0x009e73 : i == 4 ? 0xcc79a7 : 0xd55e00
if_n(n, x) = column('n') == n ? x : NaN
named(reading) = reading eq 'text' ? "the text's reading" : "the authors' program"
share(reading) = reading eq 'text' ? 'bits' : 'cells'
readings = 'text authors'
at_share(s, x) = column('occupancy') == s && strcol('elements') ne 'unreachable' ? x : NaN

# ---- figure 4 ----

do for [r in readings] {
    set output picture('figure-4-' . r)
    set title 'Figure 4: elements at a given occupancy, k = 7 (' . named(r) . ')'
    set xlabel 'bits a cell'
    set ylabel 'elements'
    set logscale y
    set xrange [0.5:16.5]
    set xtics 1
    t = table('capacity-' . r)
    plot for [i=1:5] t using 'b':(at_share(20 + 10 * i, column('mean_is_there'))) with lines title sprintf('%d %%', 20 + 10 * i) \
         lc rgb colour(i) lw 1, \
         for [i=1:5] t using 'b':(at_share(20 + 10 * i, column('elements'))) with points notitle lc rgb colour(i) pt 7 ps 0.6
    unset logscale
}

# ---- figures 5 and 6: simulated points on closed lines ----

do for [r in readings] {
    do for [f in '5 6'] {
        x = f eq '5' ? 'b' : 'k'
        from = f eq '5' ? 1 : 2
        t = table(r . '-' . f)
        rule = f eq '5' ? 'k = 7' : 'b = 8'
        set xrange [from - 0.5:16.5]
        set xlabel f eq '5' ? 'bits a cell' : 'hash functions'
        letters = f eq '5' ? 'mean deviation eqm occupancy' : 'eqm occupancy'
        do for [i=1:words(letters)] {
            what = word(letters, i)
            column_of = what eq 'occupancy' ? share(r) : what
            set output picture(sprintf('figure-%s%s-%s', f, word('a b c d', i), r))
            set title sprintf('Figure %s%s: %s, %s (%s)', f, word('a b c d', i), what eq 'eqm' ? 'mean squared error' : what, rule, named(r))
            set ylabel what eq 'eqm' ? 'EQM' : what
            if (what eq 'eqm') { set logscale y; set format y '10^{%L}' } else { unset logscale; set format y '%g' }
            low = what eq 'deviation' ? 5 : 1
            plot for [j=low:5] t using x:(if_n(20 + 10 * j, column(column_of . '_closed'))) with lines title sprintf('n = %d', 20 + 10 * j) \
                 lc rgb colour(j) lw 1, \
                 for [j=low:5] t using x:(if_n(20 + 10 * j, column(column_of))) with points notitle lc rgb colour(j) pt 7 ps 0.5
        }
    }
}
