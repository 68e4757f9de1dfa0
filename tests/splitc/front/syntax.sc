/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The grammar of Split-C and its lexing traps in one file; parsed and printed again, never run. */
extern int PROCS, MYPROC;
typedef unsigned long size_t;
void *spread all_spread_malloc(int count, size_t bytes);
void sync(void); int printf(const char *, ...);
struct item { int color; double *global gp; double d[4]; };
int A[1024]::;
double B[PROCS]::[16], X[4][5]::[6][7];
struct item P[PROCS]::;
int *global gg; int *spread ss; double *spread *pp; int *global *spread gsp;
int (*spread VB)[3][4];
int lcl(x, y) int x; double *global y; { return x + toproc(y); }
f(int n, int r, double Y[n][r]::[r], int *spread out) {
    int Index[PROCS]::[r];
    int i, x = 1, *q;
    double *global g = (double *global)(B + 1) + 3, v;
    gg = tolocal(ss) ; x := *gg; *gg := x; *gg :- 5; P[i].color := X[1][2][3][4];
    x = x?i:-1; switch (x) { case 1:-1; case 2: default:-1; }
    lbl:-x;
    v = Y[i][1][2] + *(out + MYPROC + 1); *g += 3; ++*g; (*gg)++;
    tolocal(X[1][2])[3][4] = 2; &A[3]; &B[3][2]; B[2]; X[1]; P[1].gp; P[2].d; &P[2].d[1]; ss - ss; gg == ss; x ? gg : ss; x ? gg : 0;
    toglobal(3, &x); tospread(2, &x); is_local(gg); sizeof(double *global); sizeof B[0];
    atomic(lcl, gg, 1);
    q := *gg; (x) := *gg; A[x?1:-1] := 3; ss[2] :- x ? 1:-1;
    printf("a
b
c", x);
    return 1;
}
splitc_main(argc, argv) int argc; char **argv; { f(1, 2, X, ss); }
