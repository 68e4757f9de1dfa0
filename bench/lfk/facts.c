/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is known of the kernels beforehand (version lfk537 of August 1995, whose checksums the paper prints): spans and
 * their weights, repetitions, flops, and the checksums. A sum weighs each element with its place, so that exchanged
 * ones show.
 */
#include "lfk.h"

#define AT(member) (int)(offsetof(struct lfk, member) / sizeof(double))

/* name, flops; {span, weight, repetitions, checksum} long, medium, short; sums */
const struct lfk_fact lfk_facts[LFK_KERNELS] = {
    {"hydro fragment",
     5,
     {{1001, 1, 700, 31618.78258448952}, {101, 2, 8000, 324.76178628137}, {27, 1, 22400, 23.83222659124563}},
     {{AT(x), 1, 0}}},
    {"incomplete Cholesky conjugate gradient",
     4,
     {{101, 1, 6700, 1070.3616523085323}, {101, 2, 8000, 1070.3616523085323}, {15, 1, 36800, 26.286782237427058}},
     {{AT(x), 2, 0}}},
    {"inner product",
     2,
     {{1001, 1, 900, 3.9140054768099826}, {101, 2, 10600, 0.3948929370875636}, {27, 1, 29600, 0.10555606580531002}},
     {{AT(q), 0, 1}}},
    {"banded linear equations",
     2,
     {{1001, 1, 1400, 0.3752617360834779}, {101, 2, 14000, 0.3752617360834779}, {27, 1, 30400, 0.3752617360834779}},
     {{AT(v), 0, 3}}},
    {"tri-diagonal elimination below diagonal",
     2,
     {{1001, 1, 1000, 1841.801852138921}, {101, 2, 11000, 18.579808303224098}, {27, 1, 32000, 1.2880742321669258}},
     {{AT(x) + 1, 1, -1}}},
    {"general linear recurrence",
     2,
     {{64, 1, 300, 491.03778635360305}, {32, 2, 1400, 26.742224940521734}, {8, 1, 16800, 0.6793925387902925}},
     {{AT(w), 1, 0}}},
    {"equation of state fragment",
     16,
     {{995, 1, 400, 35238.75091722816}, {101, 2, 4400, 366.3259728975291}, {21, 1, 16000, 16.427716935524494}},
     {{AT(x), 1, 0}}},
    {"ADI integration",
     36,
     {{100, 1, 1000, 93890.25711240387}, {100, 2, 1200, 93890.25711240387}, {14, 1, 7200, 1851.562576045717}},
     {{AT(u1), 10, 0}, {AT(u2), 10, 0}, {AT(u3), 10, 0}}},
    {"integrate predictors",
     17,
     {{101, 1, 3600, 73419.73634737772}, {101, 2, 4200, 73419.73634737772}, {15, 1, 20800, 1621.8366535738417}},
     {{AT(px), 15, 0}}},
    {"difference predictors",
     9,
     {{101, 1, 3400, 45717.73610808831}, {101, 2, 3800, 45717.73610808831}, {15, 1, 20000, 1032.693259403904}},
     {{AT(px), 15, 0}}},
    {"first sum (prefix sum)",
     1,
     {{1001, 1, 1100, 20905895.530869342}, {101, 2, 12800, 21472.695484505002}, {27, 1, 36800, 409.6874671752857}},
     {{AT(x) + 1, 1, -1}}},
    {"first difference",
     1,
     {{1000, 1, 1200, 0.010553858226429305},
      {100, 2, 13600, 0.0010534294529549182},
      {26, 1, 38400, -0.0005852073010469}},
     {{AT(x), 1, -1}}},
    {"2-D particle in cell",
     7,
     {{64, 1, 3600, 45614594609.59529}, {32, 2, 8200, 30307123384.69383}, {8, 1, 24800, 8753599111.023836}},
     {{AT(p), 8, 0}, {AT(h), 8, 0}}},
    {"1-D particle in cell",
     11,
     {{1001, 1, 200, 2178331706.2516}, {101, 2, 2000, 23107401.197908435}, {27, 1, 6400, 1994388.0114661271}},
     {{AT(vx), 1, 0}, {AT(xx), 1, 0}, {AT(rh), 0, 67}}},
    {"casual Fortran",
     33,
     {{101, 1, 100, 36425.33261378357}, {101, 2, 200, 36425.33261378357}, {15, 1, 800, 706.636136102458}},
     {{AT(vy), 7, 0}, {AT(vs), 7, 0}}},
    {"Monte Carlo search loop",
     0,
     {{75, 1, 2500, 282576.0}, {40, 2, 5400, 324041.0}, {15, 1, 11200, 257616.0}},
     {{0, 0, 0}}},
    {"implicit conditional computation",
     9,
     {{101, 1, 3500, 695.8699540776172}, {101, 2, 4000, 695.8699540776172}, {15, 1, 20800, 20.042747922835275}},
     {{AT(vxne), 1, 0}, {AT(vxnd), 1, 0}, {AT(xnm), 0, 1}}},
    {"2-D explicit hydrodynamics",
     44,
     {{100, 1, 200, 46931.417225052915}, {100, 2, 200, 46931.417225052915}, {14, 1, 1600, 606.6634686902364}},
     {{AT(zr), 7, 0}, {AT(zz), 7, 0}}},
    {"general linear recurrence equations",
     6,
     {{101, 1, 3900, 332.52182042090277}, {101, 2, 4600, 332.52182042090277}, {15, 1, 22400, 7.778588278869347}},
     {{AT(b5), 1, 0}, {AT(stb5), 0, 1}}},
    {"discrete ordinates transport",
     26,
     {{1000, 1, 100, 19670696.691558413}, {100, 2, 1600, 20221.06286908892}, {26, 1, 5600, 386.78973886204227}},
     {{AT(xx) + 1, 1, 0}}},
    {"matrix*matrix product",
     2,
     {{101, 1, 100, 31373302.948660284}, {50, 2, 200, 15334930.681339223}, {20, 1, 800, 9802300.408477524}},
     {{AT(px), 25, 0}}},
    {"Planckian distribution",
     17,
     {{101, 1, 1100, 183.77131961138062}, {101, 2, 1400, 183.77131961138062}, {15, 1, 6400, 3.820863047741066}},
     {{AT(w), 1, 0}}},
    {"2-D implicit hydrodynamics",
     11,
     {{100, 1, 800, 18877.834266657046}, {100, 2, 1000, 18877.834266657046}, {14, 1, 5600, 303.33875369945974}},
     {{AT(za), 7, 0}}},
    {"location of first minimum", 1, {{1001, 1, 500, 500.0}, {101, 2, 6200, 50.0}, {27, 1, 18400, 13.0}}, {{0, 0, 0}}},
};

/* Iterations that count in one repetition. */
static int credited(int kernel, int n)
{
    static const struct {
        int less, times;
    } rule[LFK_KERNELS] = {[1] = {4, 1},  [4] = {1, 1},    [7] = {1, 2},  [10] = {1, 1}, [14] = {1, 5},
                           [17] = {1, 5}, [20] = {0, 625}, [22] = {1, 5}, [23] = {1, 1}};

    if (kernel == 4)
        return ((n - 5) / 5 + 1) * 3;
    if (kernel == 6)
        return n * ((n - 1) / 2);
    return (n - rule[kernel - 1].less) * (rule[kernel - 1].times ? rule[kernel - 1].times : 1);
}

double lfk_flops(int kernel, const struct lfk_run *run, const struct lfk *m)
{
    if (kernel == 16)
        return 2.0 * (double)m->k2 + 10.0 * (double)m->k3;
    return (double)lfk_facts[kernel - 1].flops * credited(kernel, run->span) * run->loop;
}

static double weighed(const struct lfk *m, const struct lfk_sum *s, int span)
{
    const double *const v = (const double *)m + s->from;
    const int n = s->per * span + s->more;
    double sum = 0;

    for (int k = 0; k < n; k++)
        sum += (k + 1) * v[k];
    return sum;
}

double lfk_checksum(int kernel, const struct lfk_run *run, const struct lfk *m)
{
    double sum = 0;

    if (kernel == 24)
        return m->m;
    if (kernel == 16)
        return (double)(m->k3 + m->k2 + m->j5 + m->m);
    for (int i = 0; i < 3; i++)
        sum += weighed(m, &lfk_facts[kernel - 1].sums[i], run->span);
    return sum;
}

double lfk_precision(double got, double right)
{
    const double larger = fmax(fabs(got), fabs(right)), smaller = fmin(fabs(got), fabs(right));
    double digits;

    if (got == right)
        return LFK_EXACT;
    if (!isfinite(got) || signbit(got) != signbit(right))
        return 0;
    digits = 1 - log10(1 - smaller / larger);
    return digits < LFK_EXACT ? digits : LFK_EXACT;
}
