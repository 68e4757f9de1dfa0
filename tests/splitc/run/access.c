/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accesses through global pointers as scc writes them, to every kind of memory a processor has: globals, the symmetric
 * heap, malloc's (when linked with the front) and the stack; blocking ones, gets, puts and stores, of several sizes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sccheck.h"
#include "split-c/split-c.h"

struct body {
    double at[3];
    char name[5];
};

enum { N = 40 };

static int global_int[N];
static struct body global_body;
static int (*part)[4];
SC_STATIC_ARRAY(part, sc_rows(101) * sizeof(int[4]))

/* Write i of each processor is to its right neighbour. */
static void pass_round(int *mine, int n)
{
    int right = (MYPROC + 1) % PROCS, left = (MYPROC + PROCS - 1) % PROCS;
    void **where = all_malloc(sizeof *where);
    struct sc_global to;

    *where = mine;
    barrier();
    to = sc_global_of(right, SC_READ(void *, sc_global_of(right, where)));
    for (int i = 0; i < n; i++)
        mine[i] = -1;
    barrier();
    for (int i = 0; i < n; i++)
        switch (i % 3) {
        case 0:
            SC_WRITE(int, sc_plus(to, i * (long)sizeof(int)), MYPROC * 1000 + i);
            break;
        case 1:
            SC_PUT(int, sc_plus(to, i * (long)sizeof(int)), MYPROC * 1000 + i);
            break;
        default:
            SC_STORE(int, sc_plus(to, i * (long)sizeof(int)), MYPROC * 1000 + i);
        }
    sync();
    all_store_sync();
    for (int i = 0; i < n; i++)
        CHECK(mine[i] == left * 1000 + i);
    for (int i = 0; i < n; i++) {
        int got = 0;

        SC_GET(int, &got, sc_plus(to, i * (long)sizeof(int)));
        sync();
        CHECK(got == MYPROC * 1000 + i);
        CHECK(SC_READ(int, sc_plus(to, i * (long)sizeof(int))) == MYPROC * 1000 + i);
    }
    barrier();
    all_free(where);
}

static void structs(void)
{
    struct body b = {{MYPROC, 2, 3}, "abcd"}, c;
    int right = (MYPROC + 1) % PROCS, left = (MYPROC + PROCS - 1) % PROCS;
    struct sc_global there = sc_global_of(right, &global_body);

    SC_WRITE(struct body, there, b);
    c = SC_READ(struct body, there);
    CHECK(c.at[0] == MYPROC && strcmp(c.name, "abcd") == 0);
    SC_PUT(double, sc_plus(there, offsetof(struct body, at[2])), 7.5);
    barrier();
    CHECK(global_body.at[0] == left && global_body.at[2] == 7.5);
    barrier();
    CHECK(SC_UPDATE(double, sc_plus(there, offsetof(struct body, at[2])), double x = 2, sc_old_ * x) == 15);
    CHECK(SC_UPDATE_OLD(double, sc_plus(there, offsetof(struct body, at[2])), , sc_old_ + 1) == 15);
    barrier();
    CHECK(global_body.at[2] == 16);
}

static void spread(void)
{
    int *row;

    for (int i = 0; i < 101; i++)
        if (i % PROCS == MYPROC) {
            row = sc_check_local(sc_from_spread(sc_element(part, i, sizeof *part)), __FILE__, __LINE__);
            CHECK(row == part[i / PROCS] && row[3] == 0);
            for (int j = 0; j < 4; j++)
                row[j] = i * 4 + j;
        }
    barrier();
    for (int i = 0; i < 101; i++)
        CHECK(SC_READ(int, sc_plus(sc_from_spread(sc_element(part, i, sizeof *part)), 12)) == i * 4 + 3);
    for (int i = -7; i < 30; i++) {
        struct sc_spread a = sc_element(part, 50, sizeof *part), b = sc_spread_plus(a, i, sizeof *part);

        CHECK(sc_spread_equal(b, sc_element(part, 50 + i, sizeof *part)));
        CHECK(sc_spread_minus(b, a, sizeof *part) == i);
        CHECK((sc_spread_compare(b, a) > 0) == (i > 0) && (sc_spread_compare(b, a) < 0) == (i < 0));
    }
}

static void automatic(int n)
{
    long *mine SC_AUTO = sc_auto(sc_rows((sc_size)n) * sizeof *mine, "mine");

    for (int i = MYPROC; i < n; i += PROCS)
        mine[i / PROCS] = i;
    barrier();
    for (int i = 0; i < n; i++)
        CHECK(SC_READ(long, sc_from_spread(sc_element(mine, i, sizeof *mine))) == i);
}

static void counted(void)
{
    static char text[3][64];
    int right = (MYPROC + 1) % PROCS;

    for (int round = 0; round < 50; round++) {
        char mine[64];

        memset(mine, 'a' + round % 26, sizeof mine);
        barrier();
        reset_store_sync();
        barrier();
        bulk_store(sc_global_of(right, text[round % 3]), mine, 40);
        bulk_store(sc_global_of(right, text[round % 3] + 40), mine, 24);
        store_sync(64);
        CHECK(memcmp(text[round % 3], mine, sizeof mine) == 0);
        if (round % 5 == 0)
            all_store_sync();
    }
}

/* Stores to memory that is reached in different ways count together. */
static void mixed_ways(void)
{
    int on_stack[8] = {0}, *own = malloc(sizeof on_stack), right = (MYPROC + 1) % PROCS;
    static int fixed[8], *stack_at, *own_at;

    stack_at = on_stack;
    own_at = own;
    for (int round = 1; round <= 100; round++) {
        barrier();
        int *there = SC_READ(int *, sc_global_of(right, &stack_at)),
            *heap = SC_READ(int *, sc_global_of(right, &own_at));

        reset_store_sync();
        barrier();
        for (int i = 0; i < 8; i++) {
            SC_STORE(int, sc_plus(sc_global_of(right, there), i * (long)sizeof(int)), round);
            SC_STORE(int, sc_plus(sc_global_of(right, fixed), i * (long)sizeof(int)), round);
            SC_STORE(int, sc_plus(sc_global_of(right, heap), i * (long)sizeof(int)), round);
        }
        if (round % 3)
            store_sync(3 * sizeof on_stack);
        else
            all_store_sync();
        for (int i = 0; i < 8; i++)
            CHECK(on_stack[i] == round && fixed[i] == round && own[i] == round);
    }
    barrier();
    free(own);
}

static void blocks(void)
{
    enum { BIG = 300000 };
    char *big = all_malloc(BIG), *here = malloc(BIG);
    int right = (MYPROC + 1) % PROCS, left = (MYPROC + PROCS - 1) % PROCS;

    for (size_t n = 1; n < BIG; n = n * 7 + 3) {
        memset(here, (int)(n + (size_t)MYPROC) & 127, n);
        bulk_write(sc_global_of(right, big), here, n);
        barrier();
        CHECK(big[0] == (char)((n + (size_t)left) & 127) && big[n - 1] == big[0]);
        memset(here, 0, n);
        bulk_get(here, sc_global_of(right, big), n);
        sync();
        CHECK(is_sync() && here[n - 1] == (char)((n + (size_t)MYPROC) & 127));
        barrier();
        bulk_put(sc_global_of(right, big), "x", 1);
        sync();
        barrier();
        bulk_read(here, sc_global_of(left, big), 1);
        CHECK(here[0] == 'x' && big[0] == 'x');
        barrier();
    }
    free(here);
    all_free(big);
}

static int splitc_main(void)
{
    int on_stack[N], *heap = all_malloc(N * sizeof *heap), *own = malloc(N * sizeof *own), *large = malloc(1 << 20);

    pass_round(global_int, N);
    pass_round(heap, N);
    pass_round(on_stack, N);
    pass_round(own, N);
    pass_round(large, N);
    structs();
    spread();
    automatic(77);
    automatic(5);
    counted();
    mixed_ways();
    blocks();
    CHECK(is_local(sc_toglobal(on_stack)) != NULL && sc_equal(sc_global_of(0, NULL), sc_global_of(PROCS - 1, NULL)));
    barrier();
    free(own);
    free(large);
    all_free(heap);
    return check_status();
}
SC_MAIN_INT(splitc_main())
