/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions and scans of 100,000 and more elements, whose algorithm may differ from that of a few words: odd counts,
 * in place and not, doubles, bytes and integers. */
#include "typed.h"

enum { LARGE = 100000 };

static const size_t sizes[] = {LARGE, LARGE + 1, 65537, 4097};

static void sum_doubles(double *source, double *dest, size_t n, bool in_place)
{
    double *target = in_place ? source : dest;
    long members = check_npes, wrong = 0;

    for (size_t i = 0; i < n; i++) {
        source[i] = (double)(i % 1000) + check_me;
        dest[i] = -1;
    }
    shmem_barrier_all();
    CHECK(shmem_double_sum_reduce(SHMEM_TEAM_WORLD, target, source, n) == 0, "sum of %zu doubles: nonzero", n);
    for (size_t i = 0; i < n; i++)
        wrong += target[i] != (double)(i % 1000) * (double)members + (double)(members * (members - 1) / 2);
    CHECK(wrong == 0, "sum of %zu doubles: %ld wrong", n, wrong);
}

static void xor_bytes(uint8_t *source, uint8_t *dest, size_t n)
{
    size_t wrong = 0;

    check_fill(source, n, (uint64_t)check_me);
    shmem_barrier_all();
    CHECK(shmem_uint8_xor_reduce(SHMEM_TEAM_WORLD, dest, source, n) == 0, "xor of %zu bytes: nonzero", n);
    for (size_t i = 0; i < n; i++) {
        unsigned char expected = 0;
        for (int pe = 0; pe < check_npes; pe++)
            expected ^= check_pattern((uint64_t)pe, i);
        wrong += dest[i] != expected;
    }
    CHECK(wrong == 0, "xor of %zu bytes: %zu wrong", n, wrong);
}

static void max_ints(int *source, int *dest, size_t n)
{
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++)
        source[i] = (int)i % check_npes == check_me ? (int)i : -(int)i;
    shmem_barrier_all();
    CHECK(shmem_int_max_reduce(SHMEM_TEAM_WORLD, dest, source, n) == 0, "max of %zu ints: nonzero", n);
    for (size_t i = 0; i < n; i++)
        wrong += dest[i] != (int)i;
    CHECK(wrong == 0, "max of %zu ints: %zu wrong", n, wrong);
}

/* Exclusive, then inclusive in place. */
static void scan_longs(long *source, long *dest, size_t n)
{
    long before = (long)check_me * (check_me - 1) / 2;
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++)
        source[i] = check_me + (long)i;
    shmem_barrier_all();
    CHECK(shmem_long_sum_exscan(SHMEM_TEAM_WORLD, dest, source, n) == 0, "exscan of %zu longs: nonzero", n);
    for (size_t i = 0; i < n; i++)
        wrong += dest[i] != before + (long)i * check_me;
    CHECK(wrong == 0, "exscan of %zu longs: %zu wrong", n, wrong);
    wrong = 0;
    shmem_barrier_all();
    CHECK(shmem_long_sum_inscan(SHMEM_TEAM_WORLD, source, source, n) == 0, "inscan of %zu longs: nonzero", n);
    for (size_t i = 0; i < n; i++)
        wrong += source[i] != before + check_me + (long)i * (check_me + 1);
    CHECK(wrong == 0, "inscan of %zu longs: %zu wrong", n, wrong);
}

int main(void)
{
    check_start();
    void *source = typed_symmetric((LARGE + 1) * sizeof(double)), *dest = typed_symmetric((LARGE + 1) * sizeof(double));

    for (size_t s = 0; s < CHECK_COUNT(sizes); s++) {
        sum_doubles(source, dest, sizes[s], s % 2);
        max_ints(source, dest, sizes[s]);
        scan_longs(source, dest, sizes[s]);
    }
    xor_bytes(source, dest, 4097);
    xor_bytes(source, dest, 65537);
    return check_finish();
}
