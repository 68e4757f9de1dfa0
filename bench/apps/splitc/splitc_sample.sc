/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sample sort in Split-C (common/sample.h): with puts of single keys, with signalling stores of single keys, and with
 * bulk stores of all keys for a processor.
 */
#include <split-c/split-c.h>

#include "../common/sample.h"

static struct sample own;
/* At the same address on all processors. */
static uint32_t *samples, *splitters, *incoming, *place, *received;

/* Each processor's samples come to processor 0, its choice goes to all. */
static void choose_splitters(void)
{
    keys_take_samples(keys.in, keys.n, own.mine);
    app_phase(APP_COMMUNICATION);
    bulk_store(toglobal(0, samples + MYPROC * SAMPLES), own.mine, sizeof own.mine);
    all_store_sync();
    on_one {
        app_phase(APP_LOCAL);
        keys_choose(samples, own.other, PROCS, splitters);
        app_phase(APP_COMMUNICATION);
    }
    barrier();
    if (MYPROC != 0)
        bulk_read(splitters, toglobal(0, splitters), sizeof *splitters * (PROCS - 1));
}

/* After this place[d] is where this processor's keys begin on processor d. Returns how many come here. */
static uint32_t agree_places(void)
{
    uint32_t n;
    int p;

    for (p = 0; p < PROCS; p++)
        *toglobal(p, incoming + MYPROC) :- own.count[p];
    all_store_sync();
    n = keys_begins(incoming, incoming, PROCS);
    sample_fits(n);
    for (p = 0; p < PROCS; p++)
        *toglobal(p, place + MYPROC) :- incoming[p];
    all_store_sync();
    return n;
}

static uint32_t begin(void)
{
    choose_splitters();
    app_phase(APP_LOCAL);
    keys_parts(keys.in, keys.n, splitters, PROCS, own.part, own.count);
    app_phase(APP_COMMUNICATION);
    return agree_places();
}

static void end(uint32_t n)
{
    app_phase(APP_LOCAL);
    keys.nout = n;
    keys.out = keys_sort(received, own.other, n);
}

static void aim(uint32_t *global *to)
{
    int p;

    for (p = 0; p < PROCS; p++)
        to[p] = toglobal(p, received + place[p]);
}

static void small(void)
{
    const uint32_t n = begin(), *const key = keys.in;
    const uint16_t *const part = own.part;
    const long count = keys.n;
    uint32_t *global to[PROCS];
    long i;

    aim(to);
    for (i = 0; i < count; i++)
        *to[part[i]]++ := key[i];
    barrier();
    end(n);
}

static void signalling(void)
{
    const uint32_t n = begin(), *const key = keys.in;
    const uint16_t *const part = own.part;
    const long count = keys.n;
    uint32_t *global to[PROCS];
    long i;

    aim(to);
    for (i = 0; i < count; i++)
        *to[part[i]]++ :- key[i];
    all_store_sync();
    end(n);
}

static void bulk(void)
{
    const uint32_t n = begin();
    int i;

    app_phase(APP_LOCAL);
    sample_group(&own);
    app_phase(APP_COMMUNICATION);
    for (i = 0; i < PROCS; i++) {
        const int p = (MYPROC + i) % PROCS;

        bulk_store(toglobal(p, received + place[p]), own.grouped + own.begin[p] - own.count[p],
                   sizeof(uint32_t) * own.count[p]);
    }
    all_store_sync();
    end(n);
}

static const char *setup(void)
{
    const char *const why = keys_setup();
    const size_t words = sizeof(uint32_t) * PROCS;

    if (why)
        return why;
    sample_alloc(&own);
    samples = all_malloc(words * SAMPLES);
    splitters = all_malloc(words);
    incoming = all_malloc(words);
    place = all_malloc(words);
    received = all_malloc(sizeof *received * sample_room());
    return NULL;
}

static const struct app_case cases[] = {
    {"small messages", &keys_sample_problem, NULL, small},
    {"small messages, signalling", &keys_sample_problem, NULL, signalling},
    {"bulk transfers", &keys_sample_problem, NULL, bulk},
};
const struct app_program app_program = {.name = "splitc_sample", .purpose = "sample sort in Split-C", .own = keys_options,
                                        .ncases = 3, .cases = cases, .setup = setup,
                                        .seconds = 12, .quick_seconds = 2};
