/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The local phases of the sorts. A header so that each language's own compiler compiles it; not every program uses all.
 */
#ifndef BENCH_APP_KEYS_LOCAL_H
#define BENCH_APP_KEYS_LOCAL_H

#include "keys.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS) /* values of one */
#define PASSES 3                 /* that 32 bits need */
#define SAMPLES 64               /* of each process */

#define KEYS_LOCAL static __attribute__((unused))

static inline unsigned keys_digit(uint32_t key, int pass)
{
    return key >> (pass * DIGIT_BITS) & (DIGITS - 1);
}

KEYS_LOCAL void keys_count(const uint32_t *k, long n, int pass, uint32_t *count)
{
    memset(count, 0, sizeof *count * DIGITS);
    for (long i = 0; i < n; i++)
        count[keys_digit(k[i], pass)]++;
}

/* Where each digit's keys begin, from how many there are; returns their sum. */
KEYS_LOCAL uint32_t keys_begins(const uint32_t *count, uint32_t *begin, int n)
{
    uint32_t sum = 0;

    for (int d = 0; d < n; d++) {
        const uint32_t c = count[d];

        begin[d] = sum;
        sum += c;
    }
    return sum;
}

/* Moves all keys to where their digits begin, in their order; begin[d] ends behind digit d's. */
KEYS_LOCAL void keys_group(const uint32_t *from, long n, int pass, uint32_t *begin, uint32_t *to)
{
    for (long i = 0; i < n; i++)
        to[begin[keys_digit(from[i], pass)]++] = from[i];
}

/* Sorts; the result is in `k` or `other`, whichever is returned. */
KEYS_LOCAL uint32_t *keys_sort(uint32_t *k, uint32_t *other, long n)
{
    static uint32_t count[DIGITS];

    for (int pass = 0; pass < PASSES; pass++) {
        uint32_t *const from = k;

        keys_count(k, n, pass, count);
        keys_begins(count, count, DIGITS);
        keys_group(k, n, pass, count, other);
        k = other;
        other = from;
    }
    return k;
}

/* ---- sample sort ---- */

KEYS_LOCAL void keys_take_samples(const uint32_t *k, long n, uint32_t *samples)
{
    for (long i = 0; i < SAMPLES; i++)
        samples[i] = k[i * n / SAMPLES];
}

/* The parts - 1 keys that divide all samples evenly; sorts the samples, with room for them at `other`. */
KEYS_LOCAL void keys_choose(uint32_t *samples, uint32_t *other, int parts, uint32_t *splitters)
{
    const uint32_t *const s = keys_sort(samples, other, (long)parts * SAMPLES);

    for (int i = 1; i < parts; i++)
        splitters[i - 1] = s[i * SAMPLES];
}

/* Each key's part: how many splitters are not above it. Counts them. */
KEYS_LOCAL void keys_parts(const uint32_t *k, long n, const uint32_t *splitters, int parts, uint16_t *part,
                           uint32_t *count)
{
    memset(count, 0, sizeof *count * (size_t)parts);
    for (long i = 0; i < n; i++) {
        int low = 0, left = parts - 1;

        while (left > 0) {
            const int half = (left + 1) / 2;

            low += splitters[low + half - 1] <= k[i] ? half : 0;
            left -= half;
        }
        part[i] = (uint16_t)low;
        count[low]++;
    }
}

#endif
