/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Jumps in the random sequence, by squaring, so that each PE makes its own part of it.
 */
#include "npb.h"

uint64_t npb_random_power(uint64_t n)
{
    uint64_t power = 1;

    for (uint64_t square = NPB_RANDOM_A; n > 0; n >>= 1) {
        if (n & 1)
            power = npb_random_times(power, square);
        square = npb_random_times(square, square);
    }
    return power;
}

uint64_t npb_random_skip(uint64_t x, uint64_t n)
{
    return npb_random_times(npb_random_power(n), x);
}
