/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals without data: shmem_signal_set and shmem_signal_add, with and without a context, shmem_signal_fetch, and
 * shmem_signal_wait_until, which returns the value that ended the wait, with all six comparisons of
 * unsigned values. */
#include "../../check.h"

#define ADDS 200

static uint64_t global, counter;
static shmem_ctx_t ctx;

struct row {
    int cmp;
    const char *name;
    uint64_t initial, compared, last;
};

static const struct row rows[] = {
    {SHMEM_CMP_EQ, "EQ", 1, 5, 5},          {SHMEM_CMP_NE, "NE", 5, 5, 6},
    {SHMEM_CMP_GT, "GT", 5, 5, 1ull << 63}, {SHMEM_CMP_GE, "GE", 1, INT64_MAX, UINT64_MAX},
    {SHMEM_CMP_LT, "LT", UINT64_MAX, 5, 4}, {SHMEM_CMP_LE, "LE", 1ull << 63, 5, 5},
};

static void expect(uint64_t seen, uint64_t expected, const char *call, const char *row)
{
    CHECK(seen == expected, "%s %s: %llu, expected %llu", call, row, (unsigned long long)seen,
          (unsigned long long)expected);
}

static void wait_for(uint64_t *signal, const struct row *row, bool by_add, bool by_ctx)
{
    uint64_t value = by_add ? row->last - row->initial : row->last;

    *signal = row->initial;
    expect(shmem_signal_fetch(signal), row->initial, "shmem_signal_fetch", row->name);
    shmem_barrier_all();
    if (check_me == 0)
        check_sleep(0.001);
    if (by_add && by_ctx)
        shmem_ctx_signal_add(ctx, signal, value, check_next());
    else if (by_add)
        shmem_signal_add(signal, value, check_next());
    else if (by_ctx)
        shmem_ctx_signal_set(ctx, signal, value, check_next());
    else
        shmem_signal_set(signal, value, check_next());
    expect(shmem_signal_wait_until(signal, row->cmp, row->compared), row->last, "shmem_signal_wait_until", row->name);
    expect(shmem_signal_fetch(signal), row->last, "shmem_signal_fetch", row->name);
    shmem_barrier_all();
}

/* Adds of all PEs to the counter of PE 0 are atomic. */
static void add_together(void)
{
    uint64_t expected = (uint64_t)check_npes * ADDS * 3;

    for (int i = 0; i < ADDS; i++) {
        shmem_signal_add(&counter, 1, 0);
        shmem_ctx_signal_add(ctx, &counter, 2, 0);
    }
    if (check_me == 0)
        expect(shmem_signal_wait_until(&counter, SHMEM_CMP_GE, expected), expected, "sum of", "shmem_signal_add");
}

int main(void)
{
    uint64_t *heap;
    int status;

    check_start();
    status = shmem_ctx_create(0, &ctx);
    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    heap = shmem_calloc(1, sizeof *heap);
    REQUIRE(heap, "no memory for a signal");
    for (size_t i = 0; i < CHECK_COUNT(rows); i++)
        for (int way = 0; way < 8; way++)
            wait_for(way & 4 ? heap : &global, &rows[i], way & 2, way & 1);
    add_together();
    shmem_barrier_all();
    shmem_ctx_destroy(ctx);
    shmem_free(heap);
    return check_finish();
}
