/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data of the Livermore kernels as they lie in memory: two areas of arrays and one of scalars, in the order in
 * which the generator fills them. types.f90 says the same to Fortran; lfk_types_bytes() lets the program compare the
 * two.
 */
#ifndef LFK_MEMORY_H
#define LFK_MEMORY_H

#include <stdint.h>

enum { LFK_KERNELS = 24, LFK_SPANS = 3, LFK_AREA1 = 19977, LFK_AREA2 = 34132, LFK_SCALARS = 39 };

/* Indices are Fortran's, less one and in reverse order: p[k][j] is P(j+1,k+1). */
struct lfk {
    /* area 1 */
    double u[1001], v[1001], w[1001], x[1001], y[1001], z[1001], g[1001];
    double du1[101], du2[101], du3[101];
    double grd[1001], dex[1001], xi[1001], ex[1001], ex1[1001], dex1[1001], vx[1001], xx[1001], rx[1001];
    double rh[2048];
    double vsp[101], vstp[101], vxne[101], vxnd[101], ve3[101], vlr[101], vlin[101], b5[101];
    double plan[300], d[300], sa[101], sb[101];
    /* area 2 */
    double p[512][4], px[101][25], cx[101][25], vy[25][101];
    double vh[7][101], vf[7][101], vg[7][101], vs[7][101], za[7][101], zp[7][101], zq[7][101], zr[7][101], zm[7][101],
        zb[7][101], zu[7][101], zv[7][101], zz[7][101];
    double b[64][64], c[64][64], h[64][64];
    double u1[2][101][5], u2[2][101][5], u3[2][101][5];
    /* area 3 */
    double a11, a12, a13, a21, a22, a23, a31, a32, a33, ar, br, c0, cr, di, dk;
    double dm22, dm23, dm24, dm25, dm26, dm27, dm28, dn, e3, e6, expmax, flx;
    double q, qa, r, ri, s, scale, sig, stb5, t, xnc, xnei, xnm;
    /* no generated data */
    int64_t k2, k3; /* kernel 16's counts, over all repetitions */
    int32_t j5, m;
    int32_t e[96], f[96], ix[1001], ir[1001], zone[300];
};

/* Where in area 1, seen as one array, X, Y and Z begin: kernels 1 and 4 run past the end of one into the next. */
enum { LFK_X = 3003, LFK_Y = 4004, LFK_Z = 5005 };

/* One repetition over a span of n; `flat` is area 1 as one array. */
typedef void lfk_kernel(struct lfk *m, double *flat, int n);

#endif
