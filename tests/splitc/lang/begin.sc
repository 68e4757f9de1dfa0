/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How objects begin: global and spread pointers of static storage, in structures
 * and arrays, with and without their braces; names for types of spread arrays.
 */
#include "check.h"

typedef int row[23]::;
typedef double tiles[3][2]::[4];
struct end {
    int *global g;
    int n;
};
struct pair {
    struct end a, b;
    union {
        int *spread s;
        long l;
    };
    int tail[2];
};

int x = 11, y[3] = { 1, 2, 3 };
row R;
tiles T, U;
int *global gx = &x, *global gy = { y + 1 }, *global gn = { NULL };
static int *spread first = R;
int *global const fixed = &y[2];
int *global several[] = { &x, NULL, [4] = y, &y[1] };
struct end one = { &x, 5 }, ends[] = { y, 1, &y[1], 2, { .n = 3, .g = &y[2] } };
static struct pair pairs[2] = { &x, 1, y, 2, [0].s = R, 7, 8, [1].b.g = &y[2], 9, [1].tail[1] = 6 };
struct pair nested = { .b = { y }, .a.g = &x, 4, .s = &R[2] };

static int sum(row A, int n)
{
    int i, s = 0;
    for (i = 0; i < n; i++)
        s += A[i];
    return s;
}

static void shapes(int n, int b)
{
    typedef int blocks[n]::[b];
    blocks A;
    typedef int line[b];
    int i, k, rows = n;
    int (*spread S)[b] = A;
    line *spread L = A;
    n = b = 1; /* the sizes stay what they were */
    for_my_1D(i, rows)
        for (k = 0; k < 3; k++)
            tolocal(A[i])[k] = 10 * i + k;
    barrier();
    for (i = 0; i < rows; i++)
        for (k = 0; k < 3; k++)
            CHECK(A[i][k] == 10 * i + k && S[i][k] == A[i][k] && L[i][k] == A[i][k]);
    CHECK(sizeof A == rows * 3 * sizeof(int) && sizeof S[0] == 3 * sizeof(int) && S + rows - A == rows);
    barrier();
}

static int second(int n, int (*global m)[n], int A[n]::[n])
{
    n = 1;
    return m[1][0] + A[1][2];
}

static void sizes_of_parameters()
{
    static int m[3][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    int A[3]::[3];
    A[1][2] = 70;
    barrier();
    CHECK(second(3, m, A) == 74);
    barrier();
}

static int calls(void)
{
    static int *global here = &x, *spread there = &R[1];
    static struct end kept[2] = { { &y[0], 3 } };
    here++;
    kept[0].n++;
    CHECK(toproc(there) == 1 % PROCS);
    return here - gx + *kept[0].g + kept[0].n + (kept[1].g == NULL);
}

splitc_main()
{
    int i, *global list[3] = { gx, &y[1] }, *global braced = { &x };
    struct pair local = { gx, 1, .s = R, 2, 3 };
    CHECK(*gx == 11 && gx == &x && toproc(gx) == MYPROC && *gy == 2 && !gn && *fixed == 3 && braced == gx);
    CHECK(first == R && *several[0] == 11 && !several[1] && !several[3] && *several[4] == 1 && *several[5] == 2);
    CHECK(sizeof several / sizeof *several == 6 && sizeof ends / sizeof *ends == 3);
    CHECK(one.g == gx && one.n == 5 && *ends[0].g == 1 && ends[1].n == 2 && *ends[1].g == 2 && *ends[2].g == 3);
    CHECK(pairs[0].a.g == gx && *pairs[0].b.g == 1 && pairs[0].b.n == 2 && pairs[0].s == R && pairs[0].tail[1] == 8);
    CHECK(*pairs[1].b.g == 3 && pairs[1].b.n == 9 && !pairs[1].s && pairs[1].tail[0] == 0 && pairs[1].tail[1] == 6);
    CHECK(nested.a.g == gx && nested.a.n == 4 && *nested.b.g == 1 && nested.s == &R[2] && nested.tail[0] == 0);
    CHECK(*list[0] == 11 && *list[1] == 2 && !list[2] && local.a.g == gx && local.s == first && local.tail[1] == 3);
    for_my_1D(i, 23) R[i] = i;
    for (i = 0; i < 6; i++)
        if (toproc(&T[i / 2][i % 2]) == MYPROC)
            tolocal(T[i / 2][i % 2])[3] = i;
    barrier();
    CHECK(sum(R, 23) == 22 * 23 / 2 && T[2][1][3] == 5 && T[1][0][3] == 2 && sizeof T == sizeof U && sizeof(row) == 23 * sizeof(int));
    shapes(5, 3);
    sizes_of_parameters();
    i = calls();
    CHECK(i == 1 + 1 + 4 + 1 && calls() == i + 2);
    on_one printf("begin: right\n");
}
