/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sample sort in SHMEM (common/sample.h): with puts of single keys, and with one put of all keys for a PE.
 */
#include "../common/sample.h"

#include <shmem.h>

static struct sample own;
static uint32_t *samples, *splitters, *incoming, *place, *received; /* symmetric */

/* Each PE's samples come to PE 0, its choice goes to all. */
static void choose_splitters(void)
{
    keys_take_samples(keys.in, keys.n, own.mine);
    app_phase(APP_COMMUNICATION);
    shmem_putmem(samples + app_job.me * SAMPLES, own.mine, sizeof own.mine, 0);
    shmem_barrier_all();
    if (app_job.me == 0) {
        app_phase(APP_LOCAL);
        keys_choose(samples, own.other, app_job.npes, splitters);
        app_phase(APP_COMMUNICATION);
    }
    shmem_barrier_all();
    if (app_job.me != 0)
        shmem_getmem(splitters, splitters, sizeof *splitters * (size_t)(app_job.npes - 1), 0);
}

/* After this place[d] is where this PE's keys begin on PE d. Returns how many come here. */
static uint32_t agree_places(void)
{
    uint32_t n;

    for (int p = 0; p < app_job.npes; p++)
        shmem_uint32_p(incoming + app_job.me, own.count[p], p);
    shmem_barrier_all();
    n = keys_begins(incoming, incoming, app_job.npes);
    sample_fits(n);
    for (int p = 0; p < app_job.npes; p++)
        shmem_uint32_p(place + app_job.me, incoming[p], p);
    shmem_barrier_all();
    return n;
}

static uint32_t begin(void)
{
    choose_splitters();
    app_phase(APP_LOCAL);
    keys_parts(keys.in, keys.n, splitters, app_job.npes, own.part, own.count);
    app_phase(APP_COMMUNICATION);
    return agree_places();
}

static void end(uint32_t n)
{
    shmem_barrier_all();
    app_phase(APP_LOCAL);
    keys.nout = n;
    keys.out = keys_sort(received, own.other, n);
}

static void small(void)
{
    const uint32_t n = begin(), *const key = keys.in;
    const uint16_t *const part = own.part;
    const long count = keys.n;
    uint32_t *to[app_job.npes];

    for (int p = 0; p < app_job.npes; p++)
        to[p] = received + place[p];
    for (long i = 0; i < count; i++)
        shmem_uint32_p(to[part[i]]++, key[i], part[i]);
    end(n);
}

static void bulk(void)
{
    const uint32_t n = begin();

    app_phase(APP_LOCAL);
    sample_group(&own);
    app_phase(APP_COMMUNICATION);
    for (int i = 0; i < app_job.npes; i++) {
        const int p = (app_job.me + i) % app_job.npes;

        shmem_putmem(received + place[p], own.grouped + own.begin[p] - own.count[p], sizeof(uint32_t) * own.count[p],
                     p);
    }
    end(n);
}

static const char *setup(void)
{
    const char *const why = keys_setup();
    const size_t words = sizeof(uint32_t) * (size_t)app_job.npes;

    if (why)
        return why;
    sample_alloc(&own);
    samples = shmem_malloc(words * SAMPLES);
    splitters = shmem_malloc(words);
    incoming = shmem_malloc(words);
    place = shmem_malloc(words);
    received = shmem_malloc(sizeof *received * sample_room());
    if (!samples || !splitters || !incoming || !place || !received)
        return "the symmetric heap is too small: raise SHMEM_SYMMETRIC_SIZE";
    return NULL;
}

static const struct app_case cases[] = {
    {"small messages", &keys_sample_problem, NULL, small},
    {"bulk transfers", &keys_sample_problem, NULL, bulk},
};
const struct app_program app_program = {.name = "shmem_sample",
                                        .purpose = "sample sort in SHMEM",
                                        .own = keys_options,
                                        .ncases = 2,
                                        .cases = cases,
                                        .setup = setup,
                                        .seconds = 12,
                                        .quick_seconds = 2};
