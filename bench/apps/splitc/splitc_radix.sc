/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Radix sort in Split-C (common/radix.h): with puts of single counts and keys, with signalling stores of them, and with
 * bulk stores of all counts and of each digit's keys.
 */
#include <split-c/split-c.h>

#include "../common/radix.h"

static struct radix own;

static void share_counts_small(void)
{
    int d, p;

    for (p = 0; p < PROCS; p++) {
        uint32_t *global to = toglobal(p, own.counts + MYPROC * DIGITS);

        for (d = 0; d < DIGITS; d++)
            to[d] := own.count[d];
    }
    barrier();
}

static void share_counts_signalling(void)
{
    int d, p;

    for (p = 0; p < PROCS; p++) {
        uint32_t *global to = toglobal(p, own.counts + MYPROC * DIGITS);

        for (d = 0; d < DIGITS; d++)
            to[d] :- own.count[d];
    }
    all_store_sync();
}

static void share_counts_bulk(void)
{
    int p;

    for (p = 0; p < PROCS; p++)
        bulk_store(toglobal(p, own.counts + MYPROC * DIGITS), own.count, sizeof own.count);
    all_store_sync();
}

/* Where the next key of a digit goes, and how many fit there before the next processor's part begins. */
struct target {
    uint32_t *global at;
    long room;
};
static struct target target[DIGITS];

static void aim(uint32_t *to)
{
    int d;

    for (d = 0; d < DIGITS; d++) {
        const long p = own.place[d] / keys.n, at = own.place[d] % keys.n;

        target[d].at = toglobal(p, to + at);
        target[d].room = keys.n - at;
    }
}

/* One key fewer has room where t points; then its digit's keys go on with the next processor. */
static inline void used(struct target *t, uint32_t *to)
{
    if (--t->room == 0) {
        t->at = toglobal(toproc(t->at) + 1, to);
        t->room = keys.n;
    }
}

static void move_small(const uint32_t *from, int part, int pass)
{
    uint32_t *const to = own.part[part];
    const long n = keys.n;
    long i;

    aim(to);
    app_phase(APP_COMMUNICATION);
    for (i = 0; i < n; i++) {
        const uint32_t key = from[i];
        struct target *const t = &target[keys_digit(key, pass)];

        *t->at++ := key;
        used(t, to);
    }
    barrier();
}

static void move_signalling(const uint32_t *from, int part, int pass)
{
    uint32_t *const to = own.part[part];
    const long n = keys.n;
    long i;

    aim(to);
    app_phase(APP_COMMUNICATION);
    for (i = 0; i < n; i++) {
        const uint32_t key = from[i];
        struct target *const t = &target[keys_digit(key, pass)];

        *t->at++ :- key;
        used(t, to);
    }
    all_store_sync();
}

static void move_bulk(const uint32_t *from, int part, int pass)
{
    uint32_t *const to = own.part[part];
    const uint32_t *run = own.grouped;
    int d;

    aim(to);
    radix_group(&own, from, pass);
    app_phase(APP_COMMUNICATION);
    for (d = 0; d < DIGITS; d++) {
        uint32_t *global at = target[d].at;
        long left = own.count[d], room = target[d].room;

        while (left > 0) {
            const long n = left < room ? left : room;

            bulk_store(at, run, sizeof *run * n);
            run += n;
            left -= n;
            at = toglobal(toproc(at) + 1, to);
            room = keys.n;
        }
    }
    all_store_sync();
}

static void small(void)
{
    radix_sort(&own, share_counts_small, move_small);
}

static void signalling(void)
{
    radix_sort(&own, share_counts_signalling, move_signalling);
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
    own.counts = all_malloc(sizeof(uint32_t) * DIGITS * PROCS);
    own.part[0] = all_malloc(sizeof(uint32_t) * keys.n);
    own.part[1] = all_malloc(sizeof(uint32_t) * keys.n);
    own.grouped = app_alloc(sizeof *own.grouped * (size_t)keys.n);
    return NULL;
}

static const struct app_case cases[] = {
    {"small transfers", &keys_radix_problem, NULL, small},
    {"small transfers, signalling", &keys_radix_problem, NULL, signalling},
    {"large transfers", &keys_radix_problem, NULL, large},
};
const struct app_program app_program = {.name = "splitc_radix", .purpose = "radix sort in Split-C", .own = keys_options,
                                        .ncases = 3, .cases = cases, .setup = setup,
                                        .seconds = 12, .quick_seconds = 2};
