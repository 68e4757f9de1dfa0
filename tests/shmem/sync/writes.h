/* SPDX-License-Identifier: BSD-3-Clause */
/* Every kind of write there is, by name: each makes the word in the middle of a symmetric array 1 at a PE. The word is
 * also looked at as a signal, and block writes pass over it. */
#ifndef TESTS_SYNC_WRITES_H
#define TESTS_SYNC_WRITES_H

#include "../../check.h"

#define WORDS 512

static long global[WORDS];
static long *word; /* the word waited for is in the middle, so that block writes pass over it */
static const long one = 1;
static uint64_t other_signal;
static long ones[WORDS];
static shmem_ctx_t ctx;

#define WRITE(name, ...)     \
    static void name(int pe) \
    {                        \
        __VA_ARGS__;         \
    }
#define MIDDLE (word + WORDS / 2)
#define SIGNAL ((uint64_t *)MIDDLE)

WRITE(by_p, shmem_long_p(MIDDLE, 1, pe))
WRITE(by_ctx_p, shmem_ctx_long_p(ctx, MIDDLE, 1, pe))
WRITE(by_put, shmem_long_put(MIDDLE, &one, 1, pe))
WRITE(by_putmem, shmem_putmem(MIDDLE, &one, sizeof one, pe))
WRITE(by_put8, shmem_put8(MIDDLE, &one, sizeof one, pe))
WRITE(by_put128, shmem_put128(word, ones, WORDS / 2, pe))
WRITE(by_block, shmem_long_put(word, ones, WORDS, pe))
WRITE(by_nbi, shmem_long_put_nbi(word, ones, WORDS, pe); shmem_quiet())
WRITE(by_ctx_nbi, shmem_ctx_putmem_nbi(ctx, MIDDLE, &one, sizeof one, pe); shmem_ctx_quiet(ctx))
WRITE(by_iput, shmem_long_iput(word, ones, 2, 1, WORDS / 2, pe))
WRITE(by_iput64, shmem_iput64(MIDDLE - 4, ones, 4, 1, 3, pe))
WRITE(by_ibput, shmem_long_ibput(word, ones, 8, 4, 4, WORDS / 8, pe))
WRITE(by_set, shmem_long_atomic_set(MIDDLE, 1, pe))
WRITE(by_inc, shmem_long_atomic_inc(MIDDLE, pe))
WRITE(by_add, shmem_long_atomic_add(MIDDLE, 1, pe))
WRITE(by_fetch_inc, (void)shmem_long_atomic_fetch_inc(MIDDLE, pe))
WRITE(by_fetch_add, (void)shmem_long_atomic_fetch_add(MIDDLE, 1, pe))
WRITE(by_swap, (void)shmem_long_atomic_swap(MIDDLE, 1, pe))
WRITE(by_compare_swap, (void)shmem_long_atomic_compare_swap(MIDDLE, 0, 1, pe))
WRITE(by_or, shmem_uint64_atomic_or(SIGNAL, 1, pe))
WRITE(by_xor, (void)shmem_ctx_uint64_atomic_fetch_xor(ctx, SIGNAL, 1, pe))
WRITE(by_add_nbi, static uint64_t old; shmem_uint64_atomic_fetch_add_nbi(&old, SIGNAL, 1, pe); shmem_quiet())
WRITE(by_signal_set, shmem_signal_set(SIGNAL, 1, pe))
WRITE(by_signal_add, shmem_signal_add(SIGNAL, 1, pe))
WRITE(by_put_signal, shmem_long_put_signal(word, ones, 4, SIGNAL, 1, SHMEM_SIGNAL_SET, pe))
WRITE(by_empty_put_signal, shmem_putmem_signal(word, ones, 0, SIGNAL, 1, SHMEM_SIGNAL_ADD, pe))
WRITE(by_put_signal_nbi, shmem_put64_signal_nbi(word, ones, 4, SIGNAL, 1, SHMEM_SIGNAL_ADD, pe); shmem_quiet())
WRITE(by_signalled_data, shmem_long_put_signal(MIDDLE, &one, 1, &other_signal, 1, SHMEM_SIGNAL_SET, pe))
WRITE(by_store, long *there = shmem_ptr(MIDDLE, pe); if (there) __atomic_store_n(there, 1, __ATOMIC_RELEASE);
      else shmem_long_p(MIDDLE, 1, pe))

#define ROW(name) {#name, name}
static const struct {
    const char *name;
    void (*write)(int pe);
} writes[] = {
    ROW(by_p),
    ROW(by_ctx_p),
    ROW(by_put),
    ROW(by_putmem),
    ROW(by_put8),
    ROW(by_put128),
    ROW(by_block),
    ROW(by_nbi),
    ROW(by_ctx_nbi),
    ROW(by_iput),
    ROW(by_iput64),
    ROW(by_ibput),
    ROW(by_set),
    ROW(by_inc),
    ROW(by_add),
    ROW(by_fetch_inc),
    ROW(by_fetch_add),
    ROW(by_swap),
    ROW(by_compare_swap),
    ROW(by_or),
    ROW(by_xor),
    ROW(by_add_nbi),
    ROW(by_signal_set),
    ROW(by_signal_add),
    ROW(by_put_signal),
    ROW(by_empty_put_signal),
    ROW(by_put_signal_nbi),
    ROW(by_signalled_data),
    ROW(by_store),
};

static long *writes_start(void)
{
    long *heap = shmem_calloc(WORDS, sizeof *heap);
    int status = shmem_ctx_create(0, &ctx);

    REQUIRE(heap && status == 0, "no memory for %d words, or no context (%d)", WORDS, status);
    for (size_t i = 0; i < WORDS; i++)
        ones[i] = 1;
    return heap;
}

static void writes_finish(long *heap)
{
    shmem_ctx_destroy(ctx);
    shmem_free(heap);
}

#endif
