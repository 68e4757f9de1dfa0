/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Types of every kind behind global pointers, and global pointers in every place
 * where C has a value.
 */
#include "check.h"
#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>

typedef struct { int a[3][4]; char name[8]; } anonymous;
typedef struct node { int x; struct node *global next; union { long l; double d; }; } node;
typedef int *spread stride;
enum level { LOW = 3, HIGH };
struct both { int *global g; double d; int *spread s; };

anonymous place;
node nodes[3];
int spots[40]::, plain_spots[8];
long double wide;
double complex turn;
unsigned char octet;
_Bool flag;
enum level level;
int fixed = 12;
volatile int shaky;
short *global remembered;
int (*operation)(int *global, int);

static int plus(int *global p, int n)
{
    return *p + n;
}

static struct both make(int *global g, double d, int *spread s)
{
    struct both b = { .d = d, .s = s, .g = g };
    return b;
}

static double total(struct both b, ...)
{
    va_list list;
    va_start(list, b);
    int *global p = va_arg(list, int *global);
    int n = va_arg(list, int);
    va_end(list);
    return *b.g + b.d + *b.s + *p + n;
}

static int rows(int n, int (*global m)[n])
{
    return m[1][n - 1] + (*m)[0] + *m[1] + sizeof *m / sizeof **m;
}

/* Names of types that mean something else inside, and words of Split-C as names. */
typedef struct {
    int first, rest;
} Node;
Node kinds[2];
static int hidden(Node *global Node, int stride)
{
    typedef int level;
    level *global l = &Node->first;
    {
        int level = 2;
        return Node->rest + (Node + (stride != 0))->rest + l[0] + level;
    }
}
static int *global, spread;
static int take(int *global, int n);
static int take(int *global spread, int n)
{
    return *spread + n;
}
#define KIND(x) _Generic((x), int *global: 1, int *: 2, int *spread: 3, struct both: 4, default: 5)

static void names(void)
{
    Node *global k = toglobal(PROCS - 1, kinds);
    struct both b = { 0 };
    if (MYPROC == PROCS - 1)
        kinds[0] = (Node){ 3, 4 }, kinds[1] = (Node){ 5, 6 };
    global = &spread;
    *global = 7;
    barrier();
    CHECK(hidden(k, 1) == 4 + 6 + 3 + 2 && take(global, 1) == 8 && take(&k->first, 2) == 5 && spread * *global == 49);
    CHECK(KIND(&k->first) == 1 && KIND(global) == 2 && KIND(spots) == 3 && KIND(b) == 4 && KIND(k) == 5);
    CHECK(*_Generic(k, int *global: global, default: &k->rest) == 4);
    barrier();
}

static void types(void)
{
    int there = PROCS - 1, i, j;
    anonymous *global a = toglobal(there, &place), copy;
    char *global c;
    if (MYPROC == 0) {
        for (i = 0; i < 3; i++)
            for (j = 0; j < 4; j++)
                a->a[i][j] = 10 * i + j;
        a->name[0] = 'x', a->name[1] = 0;
        *(long double *global)toglobal(there, &wide) = 1.25L;
        *(double complex *global)toglobal(there, &turn) = 1 + 2 * I;
        *toglobal(there, &octet) = 44;
        *toglobal(there, &flag) = 2;
        *toglobal(there, &level) = HIGH;
        *toglobal(there, &shaky) -= 4;
        toglobal(there, nodes)[1].d = 0.75;
    }
    barrier();
    c = a->name;
    copy = *a;
    CHECK(*c == 'x' && !c[1] && a->a[2][3] == 23 && *(a->a[1] + 2) == 12 && **a->a == 0 && copy.a[2][1] == 21);
    CHECK(*toglobal(there, &wide) == 1.25L && cimag(*toglobal(there, &turn)) == 2 && *toglobal(there, &octet) == 44);
    CHECK(*toglobal(there, &flag) == 1 && *toglobal(there, &level) == HIGH && *toglobal(there, &fixed) == 12);
    CHECK(*toglobal(there, &shaky) == -4 && toglobal(there, nodes)[1].d == 0.75 && LOW == 3);
    CHECK(rows(4, a->a) == 13 + 0 + 10 + 4 && rows(4, place.a) >= 4);
    barrier();
}

static void chains(void)
{
    int right = (MYPROC + 1) % PROCS, n = 0;
    node *global p = toglobal(right, nodes), *global *pp = &p, *global q, *global r;
    p->x = 5;
    p->next = &nodes[2];
    p->next->x = 6;
    p->next->next = p;
    (*pp)->next->next->x += 2;
    CHECK(p->x == 7 && p->next->next->next->x == 6 && (*pp)->next == &nodes[2] && nodes[2].next == *pp);
    q = r = nodes;
    CHECK(q == nodes && r - nodes == 0 && &nodes[2] - q == 2 && nodes == q && (q ? q : p) == q);
    r = n ? p : nodes;
    CHECK(r == nodes && toproc(r) == MYPROC && (n ? NULL : p) == p && (r ?: p) == r);
    r = &nodes[1]; /* nobody else's just now */
    *r = *q;
    for (q = p; q && n < 5; q = q->next)
        n++;
    CHECK(n == 5);
    barrier();
}

static void places(void)
{
    int i, *global g = toglobal(PROCS - 1, plain_spots), *global list[3] = { g, NULL, plain_spots };
    stride s = spots, stripes[2] = { &spots[1] };
    struct both b = make(g, 0.5, &spots[2]), *global far = &b, array[2] = { { g, 1.5, s }, { 0, 2.5 } };
    bool any = g;
    static int *global kept;
    kept = kept ? kept : g;
    for_my_1D(i, 40) spots[i] = i;
    if (MYPROC == PROCS - 1)
        for (i = 0; i < 8; i++)
            plain_spots[i] = i + 1;
    barrier();
    CHECK(any && *list[0] == 1 && !list[1] && list[2] == &plain_spots[0] && *kept++ == 1 && *kept == 2);
    CHECK(*stripes[0] == 1 && !stripes[1] && stripes[0][3] == 4 && *array[0].s == 0 && array[1].g == NULL);
    CHECK(total(b, g + 1, 10) == 1 + 0.5 + 2 + 2 + 10 && far->d == 0.5 && *far->g == 1 && *(far->s + 1) == 3);
    CHECK(total((struct both){ g, 1, s + 5 }, list[0], 0) == 1 + 1 + 5 + 1 && make(g, 1, s).g == g);
    operation = plus;
    CHECK(operation(g, 3) == 4 && (*operation)(g + 1, 3) == 5 && plus(list[0], g[2]) == 4);
    for (int *global w = g, *global e = g + 4; w < e; w++)
        CHECK(*w == w - g + 1);
    for (stride t = spots; t < spots + 5; ++t)
        CHECK(*t == t - spots);
    i = 0;
    do
        i += *g++;
    while (*g < 5);
    CHECK(i == 10 && g[-1] == 4);
    switch (*g) {
    case 5: i = g[1]; break;
    }
    CHECK(i == 6 && remembered == 0 && sizeof spots[0] == sizeof(int) && sizeof b == sizeof(struct both));
    CHECK((long)tolocal(&spots[MYPROC]) != 0 && &spots[PROCS] - PROCS == spots && (i, g) == g);
    barrier();
}

splitc_main()
{
    types();
    chains();
    places();
    names();
    on_one printf("mixed: right\n");
}
