# judge.awk - the paper's statements, each with the figure it comes to in both readings.
# Called by run:  awk -f judge.awk text-5 text-6 authors-5 authors-6 capacity-text capacity-authors
BEGIN { FS = OFS = "\t" }
FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i; next }

function get(name) { return $(at[name]) }
function beyond(off) { return off < 0 ? -off : off + 0 }
function off(what, name,    x) {
    x = beyond(get(name))
    points[r, what]++
    if (x > 3) three[r, what]++
    if (x > worst[r, what]) worst[r, what] = x
}

{ r = get("reading") }
"eqm" in at {
    f = get("figure"); b = get("b"); k = get("k"); n = get("n")
    if (f == 5 || k > 1) { # k = 1 is not in the figure
        off("mean", "mean_off"); off("eqm", "eqm_off"); off("bits", "bits_off"); off("cells", "cells_off")
    }
    full = r == "text" ? get("bits") : get("cells")
    if (f == 5) {
        if (n == 70) { mean[r, b] = get("mean"); sigma[r, b] = get("deviation"); eqm[r, b] = get("eqm"); share[r, b] = full }
        if (b > 12 && (!((r, "most") in high) || full > high[r, "most"])) high[r, "most"] = full
        if (b > 12 && (!((r, "least") in low) || full < low[r, "least"])) low[r, "least"] = full
        if (b < 5 && full > narrow[r]) narrow[r] = full
        if (b >= 5 && b <= 12 && get("eqm") > between[r]) between[r] = get("eqm")
    } else if (n == 70) {
        bias[r, k] = get("mean"); spread[r, k] = get("deviation"); by_k[r, k] = get("eqm"); full_k[r, k] = full
        if (k >= 4 && k <= 12 && get("eqm") > inside[r]) inside[r] = get("eqm")
        if (k > 1 && (!(r in best) || get("eqm") < by_k[r, best[r]])) best[r] = k
    }
}
"elements" in at { fits[r, get("b"), get("occupancy")] = get("elements") }

# Mean and sample deviation over k.
function over_k(a, r, from,    k, n, s, q) {
    for (k = from; k <= 16; k++) { n++; s += a[r, k]; q += a[r, k] * a[r, k] }
    return sprintf("%.4f +- %.4f", s / n, sqrt((q - s * s / n) / (n - 1)))
}
function each(format, x, y) { return sprintf(format, x) OFS sprintf(format, y) }
END {
    print "number", "statement", "text", "authors"
    print 1, "elements at 50 % occupancy, b = 4 (paper: about 100)", each("%.1f", fits["text", 4, 50], fits["authors", 4, 50])
    print 1, "the same, b = 5", each("%.1f", fits["text", 5, 50], fits["authors", 5, 50])
    print 2, "largest occupancy at b > 12 (paper: over 50 %)", each("%.4f", high["text", "most"], high["authors", "most"])
    print 2, "least occupancy at b > 12", each("%.4f", low["text", "least"], low["authors", "least"])
    print 3, "mean estimate at b = 1, n = 70 (paper: over-estimated)", each("%.4f", mean["text", 1], mean["authors", 1])
    print 3, "the same, b = 2", each("%.4f", mean["text", 2], mean["authors", 2])
    print 3, "the same, b = 3", each("%.4f", mean["text", 3], mean["authors", 3])
    print 4, "largest EQM for 5 <= b <= 12 (paper: near 0)", each("%.3g", between["text"], between["authors"])
    print 4, "EQM at b = 4, n = 70", each("%.3g", eqm["text", 4], eqm["authors", 4])
    print 4, "EQM at b = 16, n = 70", each("%.3g", eqm["text", 16], eqm["authors", 16])
    print 5, "largest occupancy at b < 5 (paper: below 50 %)", each("%.4f", narrow["text"], narrow["authors"])
    print 6, "deviation at b = 1, n = 70 (paper: 0)", each("%.4f", sigma["text", 1], sigma["authors", 1])
    print 6, "deviation at b = 2 (uniform: 0.2887)", each("%.4f", sigma["text", 2], sigma["authors", 2])
    print 6, "deviation at b = 5", each("%.4f", sigma["text", 5], sigma["authors", 5])
    print 7, "mean over k = 2..16, n = 70, b = 8 (paper: 0.5074 +- 0.0051)", over_k(bias, "text", 2), over_k(bias, "authors", 2)
    print 7, "mean over k = 1..16", over_k(bias, "text", 1), over_k(bias, "authors", 1)
    print 7, "deviation over k = 2..16 (paper: 0.2882 +- 0.0007)", over_k(spread, "text", 2), over_k(spread, "authors", 2)
    print 7, "deviation over k = 1..16", over_k(spread, "text", 1), over_k(spread, "authors", 1)
    print 8, "largest EQM for 4 <= k <= 12, n = 70 (paper: < 0.0005)", each("%.3g", inside["text"], inside["authors"])
    print 8, "EQM at k = 3, n = 70", each("%.3g", by_k["text", 3], by_k["authors", 3])
    print 8, "EQM at k = 13, n = 70", each("%.3g", by_k["text", 13], by_k["authors", 13])
    print 9, "k of the least EQM, n = 70 (equation 2: 5.07)", each("%d", best["text"], best["authors"])
    print 9, "least EQM", each("%.3g", by_k["text", best["text"]], by_k["authors", best["authors"]])
    print 9, "EQM at k = 5", each("%.3g", by_k["text", 5], by_k["authors", 5])
    print 10, "occupancy at k = 16, n = 70", each("%.4f", full_k["text", 16], full_k["authors", 16])
    split("mean eqm bits cells", what, " ")
    for (i = 1; i <= 4; i++) {
        w = what[i]
        print "-", "closed form, " w ": points", points["text", w] + 0, points["authors", w] + 0
        print "-", "closed form, " w ": beyond 3 standard errors", three["text", w] + 0, three["authors", w] + 0
        print "-", "closed form, " w ": farthest, in standard errors", each("%.2f", worst["text", w], worst["authors", w])
    }
}
