/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Making and walking the chains of chase.h, and the clock to express their steps in.
 */
#include "chase.h"

#include "common/bench.h"

#include <stdlib.h>

static uint64_t random_below(uint64_t *state, uint64_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % n;
}

static void shuffle(uint32_t *v, size_t n, uint64_t *state)
{
    for (size_t i = n; i > 1; i--) {
        const size_t k = random_below(state, i);
        const uint32_t kept = v[i - 1];

        v[i - 1] = v[k];
        v[k] = kept;
    }
}

/* Line number `line` of each page in turn, pages in a new order each time; a page never follows itself. */
static size_t one_of_each(uint32_t *order, size_t at, uint32_t *pages, size_t n, uint32_t line, uint64_t *state)
{
    const uint32_t last = at ? order[at - 1] / CHASE_PAGE : UINT32_MAX;

    shuffle(pages, n, state);
    if (n > 1 && pages[0] == last) {
        pages[0] = pages[n - 1];
        pages[n - 1] = last;
    }
    for (size_t p = 0; p < n; p++)
        order[at++] = pages[p] * CHASE_PAGE + (line + 37 * pages[p]) % CHASE_PAGE;
    return at;
}

static size_t all_of_page(uint32_t *order, size_t at, uint32_t page, uint64_t *state)
{
    for (uint32_t i = 0; i < CHASE_PAGE; i++)
        order[at + i] = page * CHASE_PAGE + i;
    shuffle(order + at, CHASE_PAGE, state);
    return at + CHASE_PAGE;
}

void chase_link(uint64_t *base, size_t lines, enum chase_order order)
{
    const size_t n = lines / CHASE_PAGE;
    uint32_t *walk = malloc(lines * sizeof *walk), *pages = malloc(n * sizeof *pages);
    uint64_t state = 1;
    size_t at = 0;

    if (!walk || !pages)
        abort();
    for (size_t p = 0; p < n; p++)
        pages[p] = (uint32_t)p;
    for (size_t i = 0; i < lines * CHASE_LINE; i++)
        base[i] = 0;
    if (order == CHASE_IN_PAGE) {
        shuffle(pages, n, &state);
        for (size_t p = 0; p < n; p++)
            at = all_of_page(walk, at, pages[p], &state);
    }
    for (uint32_t k = 0; order == CHASE_OUT_OF_PAGE && k < CHASE_PAGE; k++)
        at = one_of_each(walk, at, pages, n, k, &state);
    for (; order == CHASE_AHEAD && at < lines; at++)
        walk[at] = (uint32_t)at;
    for (size_t i = 0; i < lines; i++)
        base[walk[i] * CHASE_LINE] = walk[(i + 1) % lines];
    free(pages);
    free(walk);
}

void chase_list(const uint64_t *base, uint32_t *list, size_t n)
{
    uint64_t at = 0;

    for (size_t i = 0; i < n; i++, at = base[at * CHASE_LINE])
        list[i] = (uint32_t)at;
}

bool chase_whole(const uint64_t *base, size_t lines)
{
    uint64_t at = 0;

    for (size_t i = 1; i < lines; i++) {
        at = base[at * CHASE_LINE];
        if (at == 0 || at >= lines)
            return false;
    }
    return base[at * CHASE_LINE] == 0;
}

uint64_t chase_words(const uint64_t *base, uint64_t at, long steps)
{
    for (long i = 0; i < steps; i++)
        at = base[at * CHASE_LINE];
    return at;
}

/* The other seven words are 0, but no compiler knows. */
uint64_t chase_lines(const uint64_t *base, uint64_t at, long steps)
{
    for (long i = 0; i < steps; i++) {
        const uint64_t *const l = base + at * CHASE_LINE;

        at = l[0] + ((l[1] + l[2]) + (l[3] + l[4])) + ((l[5] + l[6]) + l[7]);
    }
    return at;
}

/* Additions of registers that wait for each other take one period each; the fastest of some tries is undisturbed. */
double chase_clock(void)
{
    enum { TRIES = 30, ADDITIONS = 64 << 10 };
    double best = 0;

    for (int i = 0; i < TRIES; i++) {
        const int64_t start = bench_now();
        uint64_t sum = 1, one = 1;
        double rate;

        for (int k = 0; k < ADDITIONS / 8; k++)
#if defined(__x86_64__)
            __asm__ volatile("add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
                             "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0"
                             : "+r"(sum)
                             : "r"(one));
#elif defined(__aarch64__)
            __asm__ volatile("add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\t"
                             "add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1"
                             : "+r"(sum)
                             : "r"(one));
#else
            for (int u = 0; u < 8; u++) {
                sum += one;
                __asm__ volatile("" : "+r"(sum));
            }
#endif
        bench_use((long)sum);
        rate = ADDITIONS / (double)(bench_now() - start);
        best = rate > best ? rate : best;
    }
    return best;
}
