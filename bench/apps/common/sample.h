/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sample sort: every process takes samples, process 0 chooses from them the splitters that divide the keys into a part
 * for each process; each learns how many keys come to it and tells the others where theirs begin; the keys go there,
 * one by one or grouped by part; each sorts what came. What languages share of that is here: the local steps and the
 * room.
 */
#ifndef BENCH_APP_SAMPLE_H
#define BENCH_APP_SAMPLE_H

#include "keys_local.h"

/* Keys that may come to one process: with so many samples, twice its share is many standard deviations away. */
static inline size_t sample_room(void)
{
    return 2 * (size_t)keys.n + 4096;
}

struct sample {
    uint32_t mine[SAMPLES];
    uint16_t *part;                     /* of each key */
    uint32_t *count, *begin;            /* keys for each process; where they begin when grouped */
    uint32_t *grouped, *other;          /* keys by part; room to sort */
};

KEYS_LOCAL void sample_alloc(struct sample *s)
{
    const size_t parts = (size_t)app_job.npes;

    s->part = app_alloc(sizeof *s->part * (size_t)keys.n);
    s->count = app_alloc(sizeof *s->count * parts);
    s->begin = app_alloc(sizeof *s->begin * parts);
    s->grouped = app_alloc(sizeof *s->grouped * (size_t)keys.n);
    s->other = app_alloc(sizeof *s->other * (sample_room() + SAMPLES * parts));
}

/* After it, begin[d] is where process d's keys end. */
KEYS_LOCAL void sample_group(struct sample *s)
{
    uint32_t *const begin = s->begin;

    keys_begins(s->count, begin, app_job.npes);
    for (long i = 0; i < keys.n; i++)
        s->grouped[begin[s->part[i]]++] = keys.in[i];
}

KEYS_LOCAL void sample_fits(uint32_t n)
{
    if (n > sample_room())
        app_fatal("sample sort: %u keys come to process %d, there is room for %zu", n, app_job.me, sample_room());
}

#endif
