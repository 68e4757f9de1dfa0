/* SPDX-License-Identifier: BSD-3-Clause */
/* An atomic set of 8 bytes arrives as one: while some PEs set words whose halves agree, the others fetch, swap and
 * never see halves of two different values. */
#include "../../check.h"

#define ROUNDS 3000

static uint64_t word;
static double real;

static void expect_whole(uint64_t value, const char *call)
{
    CHECK((uint32_t)value == (uint32_t)(value >> 32), "%s saw 0x%016llx, halves of two values", call,
          (unsigned long long)value);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Positive and finite in both halves, so that no conversion can touch the bits. */
static uint64_t value_of(int round)
{
    uint32_t half = (uint32_t)(check_mix((uint64_t)round * 64 + (uint64_t)check_me) & 0x3fffffff);
    return (uint64_t)half << 32 | half;
}

int main(void)
{
    int pe;

    check_start();
    pe = check_npes / 2;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t value = value_of(round);
        double as_real;

        memcpy(&as_real, &value, sizeof as_real);
        if (check_me % 2 == 0) {
            shmem_uint64_atomic_set(&word, value, pe);
            shmem_double_atomic_set(&real, as_real, pe);
        }
        expect_whole(shmem_uint64_atomic_fetch(&word, pe), "shmem_uint64_atomic_fetch");
        expect_whole(bits_of(shmem_double_atomic_fetch(&real, pe)), "shmem_double_atomic_fetch");
        expect_whole(bits_of(shmem_double_atomic_swap(&real, as_real, pe)), "shmem_double_atomic_swap");
    }
    shmem_barrier_all();
    expect_whole(word, "a load");
    return check_finish();
}
