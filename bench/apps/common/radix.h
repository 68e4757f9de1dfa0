/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Radix sort, least significant digit first: in each pass all processes count their digits, learn the others' counts
 * and so where in the whole array each of their keys belongs; the keys go there, one by one or a digit's run at once.
 * Process p holds the p-th part of the array, keys.n of it. What languages share of that is here.
 */
#ifndef BENCH_APP_RADIX_H
#define BENCH_APP_RADIX_H

#include "keys_local.h"

struct radix {
    uint32_t *counts,
        *part[2]; /* of the language: all processes' counts; a pass moves the keys from one to the other */
    uint32_t count[DIGITS];
    long place[DIGITS];  /* in the whole array, of this process's first key of each digit */
    uint32_t begin[DIGITS], *grouped; /* keys by digit: where they begin, themselves */
};

/* From the counts of all processes, one after another. */
KEYS_LOCAL void radix_places(struct radix *r)
{
    long sum = 0;

    for (int d = 0; d < DIGITS; d++)
        for (int p = 0; p < app_job.npes; p++) {
            if (p == app_job.me)
                r->place[d] = sum;
            sum += r->counts[p * DIGITS + d];
        }
}

/* After it, begin[d] is where digit d's keys end. */
KEYS_LOCAL void radix_group(struct radix *r, const uint32_t *k, int pass)
{
    keys_begins(r->count, r->begin, DIGITS);
    keys_group(k, keys.n, pass, r->begin, r->grouped);
}

/* A run: `share` brings each process's counts to all, `move` the keys to their places in r->part[to]. */
KEYS_LOCAL void radix_sort(struct radix *r, void (*share)(void), void (*move)(const uint32_t *from, int to, int pass))
{
    const uint32_t *from = keys.in;

    for (int pass = 0; pass < PASSES; pass++) {
        keys_count(from, keys.n, pass, r->count);
        app_phase(APP_COMMUNICATION);
        share();
        app_phase(APP_LOCAL);
        radix_places(r);
        move(from, pass % 2, pass);
        app_phase(APP_LOCAL);
        from = r->part[pass % 2];
    }
    keys.out = from;
    keys.nout = keys.n;
}

#endif
