/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs do around their transfers: they write what they send and read what they got. Both are part of the time,
 * so they are as short as loops over memory can be; a message's words are consecutive numbers, whose sum is known
 * without another look at it, so that reading it also tells whether it is the message that was meant.
 */
#include "bench.h"

#include <string.h>

#define WORD sizeof(uint64_t)
#define LANES 4

/* Vectors of 16 bytes, which all compilers have at any level of optimisation; buffers need not be aligned to them. */
typedef uint64_t pair_of __attribute__((vector_size(16), aligned(8), may_alias));

static bool wrong;

uint64_t bench_fresh_value(int from, long round)
{
    return bench_pattern_seed(from, (size_t)round, 0);
}

void bench_fresh_fill(void *at, size_t bytes, uint64_t first)
{
    char *const to = at;
    pair_of v[LANES];
    size_t i = 0;

    for (int k = 0; k < LANES; k++)
        v[k] = (pair_of){first + 2 * (uint64_t)k, first + 2 * (uint64_t)k + 1};
    for (; i + LANES * sizeof v[0] <= bytes; i += LANES * sizeof v[0])
        for (int k = 0; k < LANES; k++) {
            *(pair_of *)(to + i + (size_t)k * sizeof v[0]) = v[k];
            v[k] += 2 * LANES;
        }
    for (; i < bytes; i += WORD) {
        const uint64_t word = first + i / WORD;

        memcpy(to + i, &word, bytes - i < WORD ? bytes - i : WORD);
    }
}

uint64_t bench_fresh_sum(const void *at, size_t bytes)
{
    const char *const from = at;
    pair_of sums[LANES] = {{0}};
    uint64_t sum = 0;
    size_t i = 0;

    for (; i + LANES * sizeof sums[0] <= bytes; i += LANES * sizeof sums[0])
        for (int k = 0; k < LANES; k++)
            sums[k] += *(const pair_of *)(from + i + (size_t)k * sizeof sums[0]);
    for (int k = 0; k < LANES; k++)
        sum += sums[k][0] + sums[k][1];
    for (; i < bytes; i += WORD) {
        uint64_t word = 0;

        memcpy(&word, from + i, bytes - i < WORD ? bytes - i : WORD);
        sum += word;
    }
    return sum;
}

/* Of the words that bench_fresh_fill writes, when consecutive ones are `step` apart. */
static uint64_t sum_of(size_t bytes, uint64_t first, uint64_t step)
{
    const uint64_t n = bytes / WORD, pairs = n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1), rest = bytes % WORD;
    const uint64_t sum = n * first + step * pairs;

    return rest ? sum + ((first + n * step) & ((1ul << 8 * rest) - 1)) : sum;
}

void bench_fresh_compare(uint64_t sum, size_t bytes, uint64_t first, uint64_t step)
{
    if (sum != sum_of(bytes, first, step))
        wrong = true;
}

void bench_fresh_expect(const void *at, size_t bytes, uint64_t first, uint64_t step)
{
    bench_fresh_compare(bench_fresh_sum(at, bytes), bytes, first, step);
}

void bench_fresh_write(void *at, size_t bytes, int from, long round)
{
    bench_fresh_fill(at, bytes, bench_fresh_value(from, round));
    __asm__ volatile("" : : : "memory"); /* the stores happen, whoever reads them */
}

void bench_fresh_read(const void *at, size_t bytes, int from, long round)
{
    bench_fresh_expect(at, bytes, bench_fresh_value(from, round), 1);
}

bool bench_fresh_right(void)
{
    const bool right = !wrong;

    wrong = false;
    return right;
}

size_t bench_next_fresh(size_t bytes)
{
    return bytes >= BENCH_FRESH_LARGEST ? 0 : bytes * (bench_options.quick ? 4 : 2);
}

int bench_fresh_sizes(void)
{
    int n = 0;

    for (size_t bytes = BENCH_FRESH_SMALLEST; bytes; bytes = bench_next_fresh(bytes))
        n++;
    return n;
}
