/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sample sort in MPI (common/sample.h): keys go by one-sided puts of single keys, or by one put of all keys for a rank;
 * what precedes them are collective calls.
 */
#include "../common/face_mpi.h"
#include "../common/sample.h"

static struct sample own;
static uint32_t *samples, *splitters, *incoming, *place, *received;
static MPI_Win window; /* of received */

/* After this place[d] is where this rank's keys begin on rank d. Returns how many come here. */
static uint32_t agree_places(void)
{
    uint32_t n;

    MPI_Alltoall(own.count, 1, MPI_UINT32_T, incoming, 1, MPI_UINT32_T, MPI_COMM_WORLD);
    n = keys_begins(incoming, incoming, app_job.npes);
    sample_fits(n);
    MPI_Alltoall(incoming, 1, MPI_UINT32_T, place, 1, MPI_UINT32_T, MPI_COMM_WORLD);
    return n;
}

static uint32_t begin(void)
{
    keys_take_samples(keys.in, keys.n, own.mine);
    app_phase(APP_COMMUNICATION);
    MPI_Gather(own.mine, SAMPLES, MPI_UINT32_T, samples, SAMPLES, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    if (app_job.me == 0) {
        app_phase(APP_LOCAL);
        keys_choose(samples, own.other, app_job.npes, splitters);
        app_phase(APP_COMMUNICATION);
    }
    MPI_Bcast(splitters, app_job.npes - 1, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    app_phase(APP_LOCAL);
    keys_parts(keys.in, keys.n, splitters, app_job.npes, own.part, own.count);
    app_phase(APP_COMMUNICATION);
    return agree_places();
}

static void end(uint32_t n)
{
    MPI_Win_flush_all(window);
    app_barrier();
    app_phase(APP_LOCAL);
    keys.nout = n;
    keys.out = keys_sort(received, own.other, n);
}

static void small(void)
{
    const uint32_t n = begin();

    for (long i = 0; i < keys.n; i++) {
        const int p = own.part[i];

        MPI_Put(&keys.in[i], 1, MPI_UINT32_T, p, place[p]++, 1, MPI_UINT32_T, window);
    }
    end(n);
}

static void bulk(void)
{
    const uint32_t n = begin();

    app_phase(APP_LOCAL);
    sample_group(&own);
    app_phase(APP_COMMUNICATION);
    for (int i = 0; i < app_job.npes; i++) {
        const int p = (app_job.me + i) % app_job.npes, count = (int)own.count[p];

        MPI_Put(own.grouped + own.begin[p] - count, count, MPI_UINT32_T, p, place[p], count, MPI_UINT32_T, window);
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
    samples = app_alloc(words * SAMPLES);
    splitters = app_alloc(words);
    incoming = app_alloc(words);
    place = app_alloc(words);
    received = app_window(sizeof *received * sample_room(), sizeof *received, &window);
    return NULL;
}

static const struct app_case cases[] = {
    {"small messages", &keys_sample_problem, NULL, small},
    {"bulk transfers", &keys_sample_problem, NULL, bulk},
};
const struct app_program app_program = {.name = "mpi_sample",
                                        .purpose = "sample sort in MPI",
                                        .own = keys_options,
                                        .ncases = 2,
                                        .cases = cases,
                                        .setup = setup,
                                        .seconds = 12,
                                        .quick_seconds = 2};
