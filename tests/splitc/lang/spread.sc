/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Spread pointers and spread arrays: static, extern, automatic and as parameters,
 * of blocks, of two dimensions, counted over the processors and back.
 */
#include "check.h"

int ones[37]::;
double blocks[PROCS]::[5];
extern int grid[4][6]::[2][3];
int grid[4][6]::[2][3];
static struct pair {
    int a, b;
} pairs[20]::;

static int sum_of(int n, int A[n]::)
{
    int i, sum = 0;
    for (i = 0; i < n; i++)
        sum += A[i];
    return sum;
}

static void fill_grid(int v, int w, int q, int r, int X[v][w]::[q][r])
{
    int i, j, k, l;
    for (i = 0; i < v; i++)
        for (j = 0; j < w; j++)
            if (toproc(&X[i][j]) == MYPROC) {
                int (*part)[r] = tolocal(X[i][j]);
                for (k = 0; k < q; k++)
                    for (l = 0; l < r; l++)
                        part[k][l] = ((i * 10 + j) * 10 + k) * 10 + l;
            }
    barrier();
    for (i = 0; i < v; i++)
        for (j = 0; j < w; j++)
            for (k = 0; k < q; k++)
                for (l = 0; l < r; l++)
                    CHECK(X[i][j][k][l] == ((i * 10 + j) * 10 + k) * 10 + l);
    barrier();
}

static void elements(void)
{
    int i;
    for_my_1D(i, 37)
        ones[i] = i + 1;
    barrier();
    for (i = 0; i < 37; i++)
        CHECK(ones[i] == i + 1 && toproc(&ones[i]) == i % PROCS);
    CHECK(sum_of(37, ones) == 37 * 38 / 2);
    CHECK(sizeof ones == 37 * sizeof(int) && sizeof blocks == PROCS * 5 * sizeof(double));
    CHECK(sizeof blocks[0] == 5 * sizeof(double) && sizeof grid == 4 * 6 * 2 * 3 * sizeof(int));
    barrier();
    on_one for (i = 0; i < 20; i++) {
        pairs[i].a = i;
        pairs[i].b := 2 * i;
        sync();
    }
    barrier();
    for (i = 0; i < 20; i++)
        CHECK(pairs[i].b == 2 * pairs[i].a && pairs[i].a == i);
    barrier();
}

static void pointers(void)
{
    int *spread s = ones, *spread t;
    double *spread d, *mine;
    int i;
    for (i = 0; i < 37; i++, s++)
        CHECK(*s == i + 1 && toproc(s) == i % PROCS);
    CHECK(s - ones == 37 && s > ones && ones < s && s == &ones[36] + 1);
    s -= 30;
    CHECK(*s == 8 && s[-3] == 5 && *(s + 2) == 10 && *--s == 7 && *s++ == 7 && *s == 8);
    t = &ones[7];
    CHECK(t == s && t - 7 == ones && !(t != s) && t);
    barrier();
    on_one *t += 100;
    barrier();
    CHECK(ones[7] == 108);
    d = all_spread_malloc(PROCS, 8 * sizeof(double));
    mine = (double *)(d + MYPROC);
    for (i = 0; i < 8; i++)
        mine[i] = MYPROC + i / 8.0;
    barrier();
    for (i = 0; i < PROCS; i++) {
        double *global g = d + i;
        CHECK(*(d + i) == i && g[3] == i + 0.375 && *((double *global)(d + i) + 5) == i + 0.625);
    }
    barrier();
    all_spread_free(d);
}

static void automatic(int rows, int columns)
{
    int index[PROCS]::[columns], i, k;
    double line[rows]::;
    static int counts[PROCS]::;
    int *mine = tolocal(index[MYPROC]);
    for (k = 0; k < columns; k++)
        mine[k] = 100 * MYPROC + k;
    for_my_1D(i, rows)
        line[i] = i / 2.0;
    counts[MYPROC]++;
    barrier();
    for (i = 0; i < PROCS; i++)
        for (k = 0; k < columns; k++)
            CHECK(index[i][k] == 100 * i + k);
    for (i = 0; i < rows; i++)
        CHECK(line[i] == i / 2.0);
    CHECK(counts[(MYPROC + 1) % PROCS] == rows - 9);
    barrier();
}

static void blocks_at_work(void)
{
    int i, k;
    double *local = tolocal(blocks[MYPROC]), got[5];
    int (*spread X)[2][3] = grid;
    for (k = 0; k < 5; k++)
        local[k] = 10 * MYPROC + k;
    barrier();
    for (i = 0; i < PROCS; i++) {
        bulk_read(got, blocks[i], sizeof got);
        for (k = 0; k < 5; k++)
            CHECK(got[k] == 10 * i + k && blocks[i][k] == got[k]);
    }
    barrier();
    blocks[(MYPROC + 1) % PROCS][2] = 0.5;
    barrier();
    CHECK(local[2] == 0.5);
    fill_grid(4, 6, 2, 3, grid);
    fill_grid(4, 6, 2, 3, X);
    CHECK((*(X + 7))[1][2] == 1112 && X[7][1][2] == 1112);
}

splitc_main()
{
    elements();
    pointers();
    automatic(10, 3);
    automatic(11, 5);
    blocks_at_work();
    on_one printf("spread: right\n");
}
