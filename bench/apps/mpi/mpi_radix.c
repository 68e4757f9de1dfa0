/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Radix sort in MPI (common/radix.h): counts by a collective call, keys by one-sided puts of single keys or of each
 * digit's keys.
 */
#include "../common/face_mpi.h"
#include "../common/radix.h"

static struct radix own;
static MPI_Win window[2]; /* of own.part */

/* Where the next key of a digit goes, and how many fit there before the next rank's part begins. */
static struct target {
    long at, room;
    int rank;
} target[DIGITS];

static void aim(void)
{
    for (int d = 0; d < DIGITS; d++) {
        const long at = own.place[d] % keys.n;

        target[d] = (struct target){.at = at, .room = keys.n - at, .rank = (int)(own.place[d] / keys.n)};
    }
}

static void share_counts(void)
{
    MPI_Allgather(own.count, DIGITS, MPI_UINT32_T, own.counts, DIGITS, MPI_UINT32_T, MPI_COMM_WORLD);
}

static void arrive(int to)
{
    MPI_Win_flush_all(window[to]);
    app_barrier();
}

static void move_small(const uint32_t *from, int to, int pass)
{
    aim();
    app_phase(APP_COMMUNICATION);
    for (long i = 0; i < keys.n; i++) {
        struct target *const t = &target[keys_digit(from[i], pass)];

        MPI_Put(&from[i], 1, MPI_UINT32_T, t->rank, t->at++, 1, MPI_UINT32_T, window[to]);
        if (--t->room == 0)
            *t = (struct target){.at = 0, .room = keys.n, .rank = t->rank + 1};
    }
    arrive(to);
}

static void move_bulk(const uint32_t *from, int to, int pass)
{
    const uint32_t *run = own.grouped;

    aim();
    radix_group(&own, from, pass);
    app_phase(APP_COMMUNICATION);
    for (int d = 0; d < DIGITS; d++) {
        struct target t = target[d];
        long left = own.count[d];

        while (left > 0) {
            const int n = (int)(left < t.room ? left : t.room);

            MPI_Put(run, n, MPI_UINT32_T, t.rank, t.at, n, MPI_UINT32_T, window[to]);
            run += n;
            left -= n;
            t = (struct target){.at = 0, .room = keys.n, .rank = t.rank + 1};
        }
    }
    arrive(to);
}

static void small(void)
{
    radix_sort(&own, share_counts, move_small);
}

static void large(void)
{
    radix_sort(&own, share_counts, move_bulk);
}

static const char *setup(void)
{
    const char *const why = keys_setup();

    if (why)
        return why;
    own.counts = app_alloc(sizeof *own.counts * DIGITS * (size_t)app_job.npes);
    for (int i = 0; i < 2; i++)
        own.part[i] = app_window(sizeof(uint32_t) * (size_t)keys.n, sizeof(uint32_t), &window[i]);
    own.grouped = app_alloc(sizeof *own.grouped * (size_t)keys.n);
    return NULL;
}

static const struct app_case cases[] = {
    {"small transfers", &keys_radix_problem, NULL, small},
    {"large transfers", &keys_radix_problem, NULL, large},
};
const struct app_program app_program = {.name = "mpi_radix",
                                        .purpose = "radix sort in MPI",
                                        .own = keys_options,
                                        .ncases = 2,
                                        .cases = cases,
                                        .setup = setup,
                                        .seconds = 12,
                                        .quick_seconds = 2};
