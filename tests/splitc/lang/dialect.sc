/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C as programs of the 1990s write it, mixed with Split-C: implicit int, old
 * definitions, gnu89's extern inline, raw newlines in strings, tentative definitions.
 */
#include "check.h"
#include <math.h>
#include <string.h>

#ifndef T3D
#error "programs of the time ask for a machine"
#endif

int tentative;
int tentative;
static counter;
typedef int *global int_far;
typedef struct { double value; int_far where; } record;
struct { int a; int *global g; } unnamed, *to_unnamed = &unnamed;
enum { RED, GREEN } colour;
int_far heads[4] = { NULL, 0 };
int (*global matrix)[3], plain_one = 3, *usual = &plain_one;
record table[2] = { { 1.5, NULL }, { 2.5 } };
int square[2][3];

extern inline int twice(int x)
{
    return 2 * x;
}

extern inline int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* Called by its address, so that it must exist; defined before it is declared, and after. */
int extern inline there(int *global p)
{
    return *p;
}
int (*by_address)(int *global) = there;
int before(int *global p);
extern inline int before(int *global p) { return *p - 1; }
extern inline int thrice(int x) { return x; }
int thrice(int x) { return 3 * x; }
extern inline struct kept { int x; } *keep(int *global p)
{
    static struct kept kept;
    kept.x = *p;
    return &kept;
}

old_style(p, n)
    int *global p;
{
    return p[n];
}

static double far_sum(double *global a, int n)
{
    double sum = 0;
    while (n-- > 0)
        sum += a[n];
    return sum;
}

static int apply(int (*f)(int *global, int), int *global p)
{
    return f(p, 1);
}

static int at(int *global p, int i)
{
    return p ? p[i] : -1;
}

static int *global pick(int which, int *global a, int *b)
{
    return which ? a : b;
}

int values[4];
double doubles[4];

static void declarations()
{
    int *global a = toglobal(PROCS - 1, values), plain = 7, *global b = a + 1, *local = values;
    record r = { 3.5, local }, *global far = toglobal(MYPROC, table);
    int k;
    for (k = 0; k < 4; k++)
        values[k] = 10 * MYPROC + k, doubles[k] = k / 2.0;
    barrier();
    CHECK(*a == 10 * (PROCS - 1) && *b == *a + 1 && plain == 7);
    CHECK(r.value == 3.5 && *r.where == 10 * MYPROC);
    CHECK(far->value == 1.5 && far[1].value == 2.5 && !far->where);
    far->where = a;
    CHECK(far->where == a && *far->where == *a && *table[0].where == *a);
    to_unnamed->g = b;
    unnamed.a = *to_unnamed->g;
    CHECK(unnamed.a == *b && heads[0] == NULL && !heads[3]);
    heads[2] = local;
    CHECK(*heads[2] == values[0] && heads[2] == toglobal(MYPROC, values));
    matrix = (int (*global)[3])toglobal(0, square);
    if (MYPROC == 0)
        square[1][2] = 42;
    barrier();
    CHECK(matrix[1][2] == 42 && (*(matrix + 1))[2] == 42 && sizeof *matrix == 3 * sizeof(int));
    CHECK(usual == &plain_one && colour == RED && tentative == counter);
}

static void expressions()
{
    int *global g = toglobal(PROCS - 1, values);
    double *global d = toglobal(PROCS - 1, doubles);
    int text = strlen("two
lines");
    __typeof__(*g) same = *g;
    __typeof__(g) again = g;
    CHECK(text == 9 && same == *again);
    CHECK(old_style(g, 2) == g[2] && apply(at, g) == g[1] && at(NULL, 0) == -1 && at(0, 3) == -1);
    CHECK(far_sum(d, 4) == 3.0 && sqrt(d[2]) == 1.0 && fabs(-d[1]) == 0.5);
    CHECK(*pick(1, g, values) == *g && *pick(0, g, values + 1) == values[1]);
    CHECK((g[0], g[1]) == g[1] && (*g > 0 ? g[1] : g[2] - 1) == g[1] && -*g == 0 - g[0] && ~g[1] == -g[1] - 1);
    CHECK(({ int t = *g; t + 1; }) == *g + 1);
    CHECK(factorial(5) == 120 && by_address(g) == *g && before(g) == *g - 1 && thrice(2) == 6 && keep(g)->x == *g);
    CHECK(twice(*g) == *g + *g && values[*g - *g] == values[0] && (char)g[3] == (char)(values[3] - values[0] + g[0]));
    CHECK((void *global)g == (void *global)(char *global)g && (long)(int *)toglobal(MYPROC, values) == (long)values);
    switch (g[1] - *g) {
    case 1: counter += g[1]; break;
    default: CHECK(0);
    }
    CHECK(counter == g[1]);
    barrier();
}

splitc_main(argc, argv)
    int argc;
    char **argv;
{
    declarations();
    expressions();
    on_one {
        printf("dialect: right\n");
    }
}
