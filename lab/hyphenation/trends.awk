# trends.awk - straight lines through the means of startup.tsv and running.tsv: does the rate matter?
#
# Least squares over the rates; slope_95 is half the width of its 95 % interval, from how far the means lie off the line. The last
# columns are the least and the greatest mean, and the line's change from 1 to 20 % as a share of the mean.
BEGIN { FS = OFS = "\t" }
FNR == 1 {
    for (i = 1; i <= NF; i++) column[$i] = i
    what = "whole_us" in column && FILENAME ~ /startup/ ? "startup" : "running"
    next
}
$column["guard"] ~ /^no/ { next }
what == "startup" {
    take("guard_us", $column["guard"], $column["percent"], $column["guard_us"])
    take("start_us", $column["guard"], $column["percent"], $column["whole_us"])
}
what == "running" && $column["store"] == "memory" { take("words_ms", $column["guard"], $column["percent"], $column["ms"]) }

function take(unit, guard, x, y,    k) {
    k = unit OFS guard
    if (!(k in n)) order[++nseries] = k
    n[k]++
    sx[k] += x; sy[k] += y; sxx[k] += x * x; sxy[k] += x * y; syy[k] += y * y
    if (n[k] == 1 || y < least[k]) { least[k] = y; least_at[k] = x }
    if (n[k] == 1 || y > most[k]) { most[k] = y; most_at[k] = x }
}
# Student's 97.5 % point, near enough from 1 degree of freedom on.
function student(free) {
    if (free == 1) return 12.71
    if (free == 2) return 4.303
    if (free == 3) return 3.182
    return 1.96 + 2.4 / free + 3 / free ^ 2
}
END {
    print "what", "guard", "rates", "mean", "slope_a_point", "slope_95", "trend", "change_1_to_20", "least", "least_at", "most", "most_at"
    for (s = 1; s <= nseries; s++) {
        k = order[s]
        spread = sxx[k] - sx[k] ^ 2 / n[k]
        slope = spread > 0 ? (sxy[k] - sx[k] * sy[k] / n[k]) / spread : 0
        rest = syy[k] - sy[k] ^ 2 / n[k] - slope ^ 2 * spread
        half = n[k] > 2 && rest > 0 ? student(n[k] - 2) * sqrt(rest / (n[k] - 2) / spread) : 0
        trend = n[k] < 3 ? "-" : slope > half ? "rises" : -slope > half ? "falls" : "none"
        printf "%s\t%d\t%.4g\t%.4g\t%.4g\t%s\t%+.1f%%\t%.4g\t%d\t%.4g\t%d\n", k, n[k], sy[k] / n[k], slope, half, trend, \
               100 * 19 * slope / (sy[k] / n[k]), least[k], least_at[k], most[k], most_at[k]
    }
}
