/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums and products of arbitrary floating-point numbers: rounding may differ from any serial order, but all PEs must
 * see the same bits, also when the call is repeated, and the result must be close to the true one. */
#include "typed.h"
#include <math.h>

static const size_t sizes[] = {1, 2, 7, 64, 1000, 20000};
static double *source, *dest, *all;

static double value(int pe, size_t i)
{
    uint64_t r = check_mix((uint64_t)pe * 1315423911u + i);
    return ldexp((double)(int64_t)r, (int)(r % 40) - 80);
}

static void compare_bits(size_t n, const char *what)
{
    size_t shown = n < 100 ? n : 100, from = n - shown;

    /* all PEs' last hundred results, to everybody */
    shmem_double_fcollect(SHMEM_TEAM_WORLD, all, dest + from, shown);
    for (int pe = 0; pe < check_npes; pe++)
        for (size_t i = 0; i < shown; i++)
            CHECK(memcmp(&all[(size_t)pe * shown + i], &dest[from + i], sizeof(double)) == 0,
                  "%s of %zu: element %zu is %.17g here and %.17g on PE %d", what, n, from + i, dest[from + i],
                  all[(size_t)pe * shown + i], pe);
}

static void sum(size_t n)
{
    double *first = malloc(n * sizeof *first);

    REQUIRE(first != NULL, "malloc of %zu doubles returned NULL", n);
    for (size_t i = 0; i < n; i++)
        source[i] = value(check_me, i);
    shmem_barrier_all();
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, dest, source, n);
    for (size_t i = 0; i < n; i++) {
        long double true_sum = 0, size = 0;
        for (int pe = 0; pe < check_npes; pe++) {
            true_sum += value(pe, i);
            size += fabs(value(pe, i));
        }
        CHECK(fabsl(dest[i] - true_sum) <= size * check_npes * 0x1p-53L,
              "sum of %zu: element %zu is %.17g, expected %.17Lg", n, i, dest[i], true_sum);
    }
    memcpy(first, dest, n * sizeof *first);
    compare_bits(n, "sum");
    shmem_barrier_all();
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, dest, source, n);
    CHECK(memcmp(first, dest, n * sizeof *first) == 0, "sum of %zu differs when repeated", n);
    shmem_barrier_all();
    free(first);
}

static void product(size_t n)
{
    for (size_t i = 0; i < n; i++)
        source[i] = 1 + value(check_me, i) * 0x1p-40;
    shmem_barrier_all();
    shmem_double_prod_reduce(SHMEM_TEAM_WORLD, dest, source, n);
    compare_bits(n, "product");
    shmem_barrier_all();
}

int main(void)
{
    check_start();
    size_t most = sizes[CHECK_COUNT(sizes) - 1];

    source = typed_symmetric(most * sizeof *source);
    dest = typed_symmetric(most * sizeof *dest);
    all = typed_symmetric(100 * (size_t)check_npes * sizeof *all);
    for (size_t s = 0; s < CHECK_COUNT(sizes); s++) {
        sum(sizes[s]);
        product(sizes[s]);
    }
    return check_finish();
}
