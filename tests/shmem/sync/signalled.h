/* SPDX-License-Identifier: BSD-3-Clause */
/* One judge for every put with signal: a row names a call and the size of its element. Transfers of several lengths
 * go to the next PE, each with its own signal; the receiver waits for nothing but the signal before it compares. */
#ifndef TESTS_SYNC_SIGNALLED_H
#define TESTS_SYNC_SIGNALLED_H

#include "../../check.h"

typedef void signalled_call(void *dest, const void *source, size_t n, uint64_t *sig, uint64_t value, int op, int pe);

struct signalled {
    const char *name;
    size_t size;
    signalled_call *call;
};

#define SIGNALLED_GUARD 16
#define SIGNALLED_GUARD_BYTE 0x3c
#define SIGNALLED_MEMORY 8192

static const size_t signalled_counts[] = {0, 1, 3, 8, 33, 300};
#define SIGNALLED_LENGTHS CHECK_COUNT(signalled_counts)

static uint64_t signalled_signals[SIGNALLED_LENGTHS];
static unsigned char *signalled_target, *signalled_source;
static shmem_ctx_t signalled_ctx;

static inline void signalled_start(void)
{
    int status = shmem_ctx_create(0, &signalled_ctx);

    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    signalled_target = (unsigned char *)shmem_malloc(SIGNALLED_MEMORY);
    signalled_source = (unsigned char *)malloc(SIGNALLED_MEMORY);
    REQUIRE(signalled_target && signalled_source, "no memory for 2 x %d bytes", SIGNALLED_MEMORY);
}

static inline void signalled_finish(void)
{
    shmem_ctx_destroy(signalled_ctx);
    shmem_free(signalled_target);
    free(signalled_source);
}

static inline uint64_t signalled_seed(int pe, size_t row, size_t i)
{
    return ((uint64_t)pe * 1000 + row) * 16 + i;
}

static inline void signalled_send(const struct signalled *s, size_t row, int op)
{
    size_t at = SIGNALLED_GUARD;

    for (size_t i = 0; i < SIGNALLED_LENGTHS; i++) {
        check_fill(signalled_source + at, signalled_counts[i] * s->size, signalled_seed(check_me, row, i));
        s->call(signalled_target + at, signalled_source + at, signalled_counts[i], &signalled_signals[i], 100 + i, op,
                check_next());
        at += signalled_counts[i] * s->size + SIGNALLED_GUARD;
    }
}

/* The waits go backwards: signals of different transfers have no order, and none may depend on another's. */
static inline void signalled_receive(const struct signalled *s, size_t row, uint64_t base)
{
    size_t at = SIGNALLED_GUARD, ends[SIGNALLED_LENGTHS];

    for (size_t i = 0; i < SIGNALLED_LENGTHS; i++) {
        at += signalled_counts[i] * s->size;
        ends[i] = at;
        at += SIGNALLED_GUARD;
    }
    for (size_t i = SIGNALLED_LENGTHS; i-- > 0;) {
        size_t bytes = signalled_counts[i] * s->size;
        uint64_t expected = base + 100 + i;
        uint64_t seen = shmem_signal_wait_until(&signalled_signals[i], SHMEM_CMP_NE, base);

        CHECK(seen == expected, "%s of %zu: the signal is %llu, expected %llu", s->name, signalled_counts[i],
              (unsigned long long)seen, (unsigned long long)expected);
        check_verify(signalled_target + ends[i] - bytes, bytes, signalled_seed(check_previous(), row, i), s->name);
        CHECK(check_not_byte(signalled_target + ends[i], SIGNALLED_GUARD, SIGNALLED_GUARD_BYTE) == SIGNALLED_GUARD,
              "%s of %zu: wrote behind its target", s->name, signalled_counts[i]);
    }
}

static inline void signalled_run(const struct signalled *s, size_t row, int op)
{
    uint64_t base = op == SHMEM_SIGNAL_ADD ? 5000 : 0;

    for (size_t i = 0; i < SIGNALLED_LENGTHS; i++)
        signalled_signals[i] = base;
    memset(signalled_target, SIGNALLED_GUARD_BYTE, SIGNALLED_MEMORY);
    shmem_barrier_all();
    signalled_send(s, row, op);
    signalled_receive(s, row, base);
    shmem_quiet();
    shmem_ctx_quiet(signalled_ctx);
    shmem_barrier_all();
}

static inline void signalled_check(const struct signalled *rows, size_t nrows)
{
    for (size_t row = 0; row < nrows; row++) {
        signalled_run(&rows[row], row, SHMEM_SIGNAL_SET);
        signalled_run(&rows[row], row, SHMEM_SIGNAL_ADD);
    }
}

#endif
