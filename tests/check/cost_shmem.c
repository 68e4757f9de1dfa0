/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What --check costs for calls of OpenSHMEM that programs make often (cost.h).
 */
#define _GNU_SOURCE
#include <shmem.h>
#include <stdlib.h>

#include "cost.h"

enum { BLOCK = 1 << 12, SOME = 16 };

static int next;
static long *memory, *more, *private, values[BLOCK];

static void p(int i)
{
    shmem_long_p(&memory[i % BLOCK], i, next);
}

static void g(int i)
{
    values[i % BLOCK] = shmem_long_g(&more[i % BLOCK], next);
}

static void put(int i)
{
    shmem_long_put(&memory[i % (BLOCK - SOME)], values, SOME, next);
    shmem_fence();
}

static void get(int i)
{
    shmem_long_get(values, &more[i % (BLOCK - SOME)], SOME, next);
}

static void get_nbi(int i)
{
    shmem_long_get_nbi(&values[i % BLOCK], &more[i % BLOCK], 1, next);
}

static void put_nbi(int i)
{
    shmem_long_put_nbi(&memory[i % (BLOCK - SOME)], values, SOME, next);
    shmem_quiet();
}

static void put_nbi_private(int i)
{
    shmem_long_put_nbi(&memory[i % (BLOCK - SOME)], private, SOME, next);
    shmem_quiet();
}

static void add(int i)
{
    shmem_long_atomic_inc(&memory[i % BLOCK], next);
}

static void sum(int i)
{
    (void)i;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &memory[0], &more[0], SOME);
}

static void barrier(int i)
{
    (void)i;
    shmem_barrier_all();
}

/* The source of a put_nbi is looked at when it is complete, if it may be gone by then. */
static const struct {
    const char *name;
    void (*call)(int i);
    double walks, looks;
} cases[] = {
    {"shmem_long_p", p, 0, 0},
    {"shmem_long_g", g, 0, 0},
    {"shmem_long_put", put, 0, 0},
    {"shmem_long_get", get, 0, 0},
    {"shmem_long_get_nbi", get_nbi, 0, 0},
    {"shmem_long_put_nbi", put_nbi, 0, 0},
    {"shmem_long_put_nbi of private memory", put_nbi_private, 0, 1},
    {"shmem_long_atomic_inc", add, 0, 0},
    {"shmem_long_sum_reduce", sum, 0, 0},
    {"shmem_barrier_all", barrier, 0, 0},
};

int main(void)
{
    int cheap = 1;

    shmem_init();
    next = (shmem_my_pe() + 1) % shmem_n_pes();
    memory = shmem_calloc(BLOCK, sizeof *memory);
    more = shmem_calloc(BLOCK, sizeof *more);
  private
    = malloc(SOME * sizeof *private);
    if (!private)
        return EXIT_FAILURE;
    for (int i = 0; i < SOME; i++)
      private
    [i] = i;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct cost had = cost;

        for (int i = 0; i < ROUNDS; i++)
            cases[k].call(i);
        shmem_quiet();
        cheap &= is_cheap(cases[k].name, had, cases[k].walks, cases[k].looks);
        shmem_barrier_all();
    }
    free(private);
    shmem_free(more);
    shmem_free(memory);
    shmem_finalize();
    return cheap ? EXIT_SUCCESS : EXIT_FAILURE;
}
