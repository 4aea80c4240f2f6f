/*
 * rate.c - the exact false-positive rate of a Bloom filter.
 *
 * The classical (1 - e^(-kn/m))^k takes the share of set bits for a constant and the stranger's k
 * draws for distinct cells. Both are wrong by terms of order k^2/m: 15 to 35 % in small tables.
 *
 * Exactly: the stranger's k draws hit D distinct cells, and all of them must have been touched by N
 * = kn draws. If the number of draws were Poisson with mean z, each cell were touched
 * independently, and the answer
 *
 *     f(z) = E[(1 - e^(-z/m))^D].
 *
 * For exactly N draws it is N! [z^N] e^z f(z): Cauchy's integral of e^z f(z) / z^(N+1), here around
 * the circle |z| = N, where the integrand is largest on the real axis and falls off like a bell of
 * width 1/sqrt(N). Nothing cancels, and the trapezoidal rule on a bell is accurate to the last
 * digits.
 */
#include "core/filter.h"

#include <complex.h>
#include <math.h>

#include "core/rate.h"

/* One cell is touched by the first draw, and 0 times the logarithm of 0 would be no number. */
double touched(double m, double n) { return n > 0 ? -expm1(n * log1p(-1 / m)) : 0; }

double hash_rate(uint64_t n) { return fmin((double)n * 0x1p-64, BELOW_ONE); }

double with_hash_rate(double rate, uint64_t n) { return rate + (1 - rate) * hash_rate(n); }

void distinct_draws(double m, unsigned k, double *share) {
    share[0] = 1;
    for (unsigned d = 1; d <= k; d++) share[d] = 0;
    for (unsigned draw = 1; draw <= k; draw++) {
        for (unsigned d = draw; d > 0; d--)
            share[d] = share[d] * (d / m) + share[d - 1] * fmax(0, 1 - (d - 1) / m);
        share[0] = 0;
    }
}

/* 1 - e^-w, also for small w. */
static double complex touched_at(double complex w) {
    double a = -creal(w), b = -cimag(w), half = sin(b / 2);
    return -(expm1(a) * cos(b) - 2 * half * half + I * (exp(a) * sin(b)));
}

static double complex poisson_rate(double complex z, double m, const double *share, unsigned k) {
    double complex p = touched_at(z / m), sum = 0;
    for (unsigned d = k; d > 0; d--) sum = (sum + share[d]) * p;
    return sum;
}

/* log(N! e^N / N^N): Stirling's series where N is large, for log-gamma would lose digits. */
static double log_stirling(double N) {
    if (N < 50) return lgamma(N + 1) - N * log(N) + N;
    double r = 1 / N;
    return 0.5 * log(2 * 3.14159265358979323846 * N) + r / 12 - r * r * r / 360;
}

/* P(X = j): the factorial and the power cancel first, for both may be beyond any double. */
static double poisson_at(double mean, double j) {
    if (!(j > 0)) return exp(-mean);
    double over = mean / j;
    return exp(j * (log(over) - over + 1) - log_stirling(j));
}

/* Each term is the last one times a ratio below 1, going away from the mean on either side. */
double poisson_tail(double mean, double j) {
    if (!(mean > 0)) return 0;
    double sum = 0, term = poisson_at(mean, mean < j ? j : j - 1);
    if (mean < j)
        for (double i = j; term > sum * 0x1p-60; i++, term *= mean / i) sum += term;
    else
        for (double i = j - 1; term > sum * 0x1p-60; term *= i / mean, i--) sum += term;
    return fmin(1, mean < j ? sum : 1 - sum);
}

double log_choose(double n, double k) {
    if (k <= 0 || k >= n) return 0;
    /* N! = sqrt(...) (N/e)^N: the powers apart, for they would cancel. */
    double rest = n - k;
    return log_stirling(n) - log_stirling(k) - log_stirling(rest) - k * log(k / n) -
           rest * log1p(-k / n);
}

double one_table_rate(uint64_t m, uint64_t n, unsigned k) {
    if (n == 0) return 0;
    const double pi = 3.14159265358979323846;
    double share[HASHES_MAX + 1], N = (double)n * k, cells = (double)m;
    distinct_draws(cells, k, share);
    /* Beyond `reach` the bell is below e^-60 of its height. Small N: the whole circle. */
    double reach = fmin(pi, sqrt(120 / N) * 1.1);
    int steps = N < 500 ? 400 : 48;
    double step = reach / steps, sum = 0;
    for (int i = 0; i <= steps; i++) {
        double angle = i * step, half = sin(angle / 2);
        double complex bell = cexp(N * (-2 * half * half + I * (sin(angle) - angle)));
        double value = creal(bell * poisson_rate(N * cexp(I * angle), cells, share, k));
        sum += i == 0 || i == steps ? value / 2 : value;
    }
    double rate = sum * step / pi * exp(log_stirling(N));
    return fmin(1, fmax(0, rate));
}
