/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Radix sort in SHMEM (common/radix.h): with puts of single counts and keys, and with puts of all counts and of each
 * digit's keys.
 */
#include "../common/radix.h"

#include <shmem.h>

static struct radix own;

static void share_counts_small(void)
{
    for (int p = 0; p < app_job.npes; p++)
        for (int d = 0; d < DIGITS; d++)
            shmem_uint32_p(own.counts + app_job.me * DIGITS + d, own.count[d], p);
    shmem_barrier_all();
}

static void share_counts_bulk(void)
{
    for (int p = 0; p < app_job.npes; p++)
        shmem_putmem(own.counts + app_job.me * DIGITS, own.count, sizeof own.count, p);
    shmem_barrier_all();
}

/* Where the next key of a digit goes, and how many fit there before the next PE's part begins. */
static struct target {
    uint32_t *at;
    long room;
    int pe;
} target[DIGITS];

static void aim(uint32_t *to)
{
    for (int d = 0; d < DIGITS; d++) {
        const long at = own.place[d] % keys.n;

        target[d] = (struct target){.at = to + at, .room = keys.n - at, .pe = (int)(own.place[d] / keys.n)};
    }
}

static void move_small(const uint32_t *from, int part, int pass)
{
    uint32_t *const to = own.part[part];
    const long n = keys.n;

    aim(to);
    app_phase(APP_COMMUNICATION);
    for (long i = 0; i < n; i++) {
        const uint32_t key = from[i];
        struct target *const t = &target[keys_digit(key, pass)];

        shmem_uint32_p(t->at++, key, t->pe);
        if (--t->room == 0)
            *t = (struct target){.at = to, .room = n, .pe = t->pe + 1};
    }
    shmem_barrier_all();
}

static void move_bulk(const uint32_t *from, int part, int pass)
{
    uint32_t *const to = own.part[part];
    const uint32_t *run = own.grouped;

    aim(to);
    radix_group(&own, from, pass);
    app_phase(APP_COMMUNICATION);
    for (int d = 0; d < DIGITS; d++) {
        struct target t = target[d];
        long left = own.count[d];

        while (left > 0) {
            const long n = left < t.room ? left : t.room;

            shmem_putmem(t.at, run, sizeof *run * (size_t)n, t.pe);
            run += n;
            left -= n;
            t = (struct target){.at = to, .room = keys.n, .pe = t.pe + 1};
        }
    }
    shmem_barrier_all();
}

static void small(void)
{
    radix_sort(&own, share_counts_small, move_small);
}

static void large(void)
{
    radix_sort(&own, share_counts_bulk, move_bulk);
}

static const char *setup(void)
{
    const char *const why = keys_setup();

    if (why)
        return why;
    own.counts = shmem_malloc(sizeof(uint32_t) * DIGITS * (size_t)app_job.npes);
    own.part[0] = shmem_malloc(sizeof(uint32_t) * (size_t)keys.n);
    own.part[1] = shmem_malloc(sizeof(uint32_t) * (size_t)keys.n);
    own.grouped = app_alloc(sizeof *own.grouped * (size_t)keys.n);
    if (!own.counts || !own.part[0] || !own.part[1])
        return "the symmetric heap is too small: raise SHMEM_SYMMETRIC_SIZE";
    return NULL;
}

static const struct app_case cases[] = {
    {"small transfers", &keys_radix_problem, NULL, small},
    {"large transfers", &keys_radix_problem, NULL, large},
};
const struct app_program app_program = {.name = "shmem_radix",
                                        .purpose = "radix sort in SHMEM",
                                        .own = keys_options,
                                        .ncases = 2,
                                        .cases = cases,
                                        .setup = setup,
                                        .seconds = 12,
                                        .quick_seconds = 2};
