/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The library's calls: reductions, scans and broadcasts of all types, atomic operations, functions at the owner, locks,
 * memory of spread arrays, and the statements of control.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sccheck.h"
#include "split-c/split-c.h"

static int word, under_lock, ran_at[16];
static long long_word;
static splitc_lock_t lock_word;

#define CHECK_SUMS(T, p)                                                                                             \
    do {                                                                                                             \
        T mine = (T)(MYPROC + 1), all = (T)(PROCS * (PROCS + 1) / 2), so_far = (T)((MYPROC + 1) * (MYPROC + 2) / 2); \
                                                                                                                     \
        CHECK(all_reduce_to_all_##p##add(mine) == all);                                                              \
        CHECK(all_reduce_to_one_##p##add(mine) == (MYPROC == 0 ? all : 0));                                          \
        CHECK(all_scan_##p##add(mine) == so_far);                                                                    \
        CHECK(all_reduce_to_all_##p##max(mine) == (T)PROCS);                                                         \
        CHECK(all_reduce_to_all_##p##min(mine) == 1);                                                                \
        CHECK(all_scan_##p##max(mine) == mine && all_scan_##p##min(mine) == 1);                                      \
        CHECK(all_reduce_to_all_##p##mult((T)2) == (T)(1L << PROCS));                                                \
    } while (0)

#define CHECK_BITS(T, p)                                                                     \
    do {                                                                                     \
        CHECK(all_reduce_to_all_##p## or ((T)1 << MYPROC) == (T)((1L << PROCS) - 1));        \
        CHECK(all_reduce_to_all_##p## xor ((T)1) == (T)(PROCS & 1));                         \
        CHECK(all_reduce_to_all_##p## and (~((T)1 << MYPROC)) == (T)(~((1L << PROCS) - 1))); \
        CHECK(all_scan_##p## or ((T)1 << MYPROC) == (T)((2L << MYPROC) - 1));                \
    } while (0)

struct big {
    int value[50];
};

static void values(void)
{
    struct big b, c;

    CHECK_SUMS(int, );
    CHECK_SUMS(unsigned, u);
    CHECK_SUMS(long, l);
    CHECK_SUMS(float, f);
    CHECK_SUMS(double, d);
    CHECK_BITS(int, );
    CHECK_BITS(unsigned, u);
    CHECK_BITS(long, l);
    CHECK(all_reduce_to_all_min(-MYPROC) == 1 - PROCS && all_reduce_to_all_umax(MYPROC ? 5u : ~0u) == ~0u);
    CHECK(all_bcast_i(MYPROC + 7) == 7 && all_bcast_d(MYPROC + 0.5) == 0.5 && all_bcast(MYPROC + 3L) == 3);
    for (int i = 0; i < 50; i++)
        b.value[i] = MYPROC * 100 + i;
    c = all_bcast(b);
    CHECK(c.value[0] == 0 && c.value[49] == 49);
}

static long add_here(int *p, long a, long b)
{
    ran_at[MYPROC]++;
    *p += (int)(a * b);
    return *p;
}

static long all_eight(int *p, long a, long b, int *c, char d, long e, long f, unsigned g, long h)
{
    return a + b * 2 + *c * 3 + d * 4 + e * 5 + f * 6 + (long)g * 7 + h * 8 + (p == &word);
}

static void nothing(int *p)
{
    *p = -1;
}

static void atomics(void)
{
    struct sc_global p = sc_global_of(0, &word), l = sc_global_of(PROCS - 1, &long_word);
    long got;

    for (int i = 0; i < 1000; i++)
        fetch_add(p, 1);
    fetch_add_l(l, 1L << 40);
    barrier();
    CHECK(MYPROC != 0 || word == 1000 * PROCS);
    CHECK(MYPROC != PROCS - 1 || long_word == (1L << 40) * PROCS);
    barrier();
    on_one word = 0;
    barrier();
    got = test_and_set(p) == 0;
    CHECK(all_reduce_to_all_add((int)got) == 1);
    barrier();
    on_one CHECK(exchange(p, 50) == 1 && cmp_swap(p, 49, 1) == 50 && cmp_swap(p, 50, 0) == 50 && word == 0);
    barrier();
    for (int i = 0; i < 20; i++) {
        got = atomic(add_here, p, 2, 3);
        CHECK(got >= 6 && got <= 120L * PROCS && got % 6 == 0);
    }
    barrier();
    on_one CHECK(word == 120 * PROCS && ran_at[0] == 20 * PROCS);
    CHECK(atomic(all_eight, p, 1, 1, &word, 1, 1, 1, 1, 1) == 34 + 360L * PROCS);
    barrier();
    on_one atomic(nothing, l);
    barrier();
    on_proc(PROCS - 1)
    {
        CHECK((int)long_word == -1);
        CHECK(PROCS == 1 || ran_at[MYPROC] == 0);
    }
}

static void locks(void)
{
    struct sc_global lock = sc_global_of(PROCS - 1, &lock_word), shared = sc_global_of(0, &under_lock);

    for (int i = 0; i < 200; i++) {
        splitc_lock(lock);
        SC_UPDATE(int, shared, , sc_old_ + 1);
        splitc_unlock(lock);
    }
    barrier();
    on_one CHECK(under_lock == 200 * PROCS && splitc_trylock(lock));
    barrier();
    CHECK(MYPROC == 0 || !splitc_trylock(lock));
    barrier();
    on_one splitc_unlock(lock);
}

static void memory(void)
{
    struct sc_spread a = all_spread_malloc(100, 24), own[10];
    double start = get_seconds();
    int n = 0, i, j;

    for_my_1D(i, 100) SC_WRITE(int, sc_from_spread(sc_spread_plus(a, i, 24)), i);
    for_my_2D(i, j, 10, 10) n += SC_READ(int, sc_from_spread(sc_spread_plus(a, i * 10 + j, 24)));
    CHECK(all_reduce_to_all_add(n) == 4950);
    all_spread_free(a);
    for (int round = 0; round < 3; round++) {
        for (i = 0; i < 10; i++) {
            own[i] = spread_malloc(30, 8 + 4 * (size_t)i);
            for (j = 0; j < 30; j++)
                SC_WRITE(int, sc_from_spread(sc_spread_plus(own[i], j, 8 + 4 * (size_t)i)),
                         MYPROC * 10000 + i * 100 + j);
        }
        barrier();
        for (i = 0; i < 10; i++) {
            for (j = 0; j < 30; j++)
                CHECK(SC_READ(int, sc_from_spread(sc_spread_plus(own[i], j, 8 + 4 * (size_t)i))) ==
                      MYPROC * 10000 + i * 100 + j);
            spread_free(own[i]);
        }
    }
    own[0] = all_bcast(spread_malloc(PROCS, 8)); /* freed by another one */
    on_proc(PROCS - 1)
    {
        spread_free(own[0]);
    }
    barrier();
    CHECK(get_seconds() >= start && PROCSLOG == (PROCS & (PROCS - 1) ? -1 : __builtin_ctz((unsigned)PROCS)));
}

static void splitc_main(int argc, char **argv)
{
    CHECK(argc >= 1 && argv[0]);
    values();
    atomics();
    locks();
    memory();
    if (check_status() != 0)
        exit(1);
}
SC_MAIN_VOID(splitc_main(argc, argv))
