/* SPDX-License-Identifier: BSD-3-Clause */
/* Data, then order, then a flag: whoever sees the flag sees the data. Every way of sending data, of ordering it and of
 * sending the flag that the standard lets one combine, round the ring of all PEs. */
#include "../../check.h"

#define WORDS 300
#define ROUNDS 25

static long data[WORDS], acknowledged;
static uint64_t flag;
static shmem_ctx_t ctx;

/* --- data: `source` holds the same number in every word --- */

typedef void sender(long *source, int pe);

static void by_p(long *source, int pe)
{
    for (int i = 0; i < WORDS; i++)
        shmem_long_p(&data[i], source[i], pe);
}

static void by_put(long *source, int pe)
{
    shmem_long_put(data, source, WORDS, pe);
}

static void by_put_nbi(long *source, int pe)
{
    shmem_putmem_nbi(data, source, sizeof data, pe);
}

static void by_iput(long *source, int pe)
{
    shmem_long_iput(data, source, 2, 2, WORDS / 2, pe);
    shmem_long_iput(data + 1, source + 1, 2, 2, WORDS / 2, pe);
}

static void by_ibput(long *source, int pe)
{
    shmem_ibput64(data, source, 10, 10, 10, WORDS / 10, pe);
}

static void by_atomic_set(long *source, int pe)
{
    for (int i = 0; i < WORDS; i++)
        shmem_long_atomic_set(&data[i], source[i], pe);
}

static void by_atomic_add(long *source, int pe)
{
    for (int i = 0; i < WORDS; i++)
        shmem_long_atomic_add(&data[i], source[i] == 1 ? 1 - shmem_long_g(&data[i], pe) : 1, pe);
}

/* --- order --- */

static void by_fence(int pe)
{
    (void)pe;
    shmem_fence();
}

static void by_quiet(int pe)
{
    (void)pe;
    shmem_quiet();
}

static void by_pe_quiet(int pe)
{
    shmem_pe_quiet(&pe, 1);
}

/* --- flags: monotonic round numbers --- */

typedef void raiser(uint64_t round, int pe);

static void flag_by_p(uint64_t round, int pe)
{
    shmem_uint64_p(&flag, round, pe);
}

static void flag_by_putmem(uint64_t round, int pe)
{
    shmem_putmem(&flag, &round, sizeof round, pe);
}

static void flag_by_inc(uint64_t round, int pe)
{
    (void)round;
    shmem_uint64_atomic_inc(&flag, pe);
}

static void flag_by_fetch_add(uint64_t round, int pe)
{
    uint64_t old = shmem_uint64_atomic_fetch_add(&flag, 1, pe);
    CHECK(old == round - 1, "the flag was %llu, expected %llu", (unsigned long long)old, (unsigned long long)round - 1);
}

static void flag_by_signal_set(uint64_t round, int pe)
{
    shmem_signal_set(&flag, round, pe);
}

static void flag_by_put_signal(uint64_t round, int pe)
{
    shmem_long_put_signal(&acknowledged, &acknowledged, 0, &flag, round, SHMEM_SIGNAL_SET, pe);
}

/* --- the receiver's side --- */

static void await_flag(uint64_t round)
{
    switch (round % 4) {
    case 0:
        shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, round);
        break;
    case 1:
        while (!shmem_uint64_test(&flag, SHMEM_CMP_EQ, round))
            continue;
        break;
    case 2:
        CHECK(shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, round) == round, "the signal is not %llu",
              (unsigned long long)round);
        break;
    default:
        CHECK(shmem_uint64_wait_until_any(&flag, 1, NULL, SHMEM_CMP_EQ, round) == 0, "wait_until_any is not 0");
    }
}

#define ROW(f) {#f, f}
static const struct {
    const char *name;
    sender *send;
} senders[] = {
    ROW(by_p), ROW(by_put), ROW(by_put_nbi), ROW(by_iput), ROW(by_ibput), ROW(by_atomic_set), ROW(by_atomic_add),
};
static const struct {
    const char *name;
    void (*order)(int pe);
} orders[] = {
    ROW(by_fence),
    ROW(by_quiet),
    ROW(by_pe_quiet),
};
static const struct {
    const char *name;
    raiser *raise;
} flags[] = {
    ROW(flag_by_p),         ROW(flag_by_putmem),     ROW(flag_by_inc),
    ROW(flag_by_fetch_add), ROW(flag_by_signal_set), ROW(flag_by_put_signal),
};

static void run(size_t s, size_t o, size_t f)
{
    long source[WORDS];

    flag = 0;
    acknowledged = 0;
    shmem_barrier_all();
    for (long round = 1, rounds = check_network() ? 4 : ROUNDS; round <= rounds; round++) {
        for (int i = 0; i < WORDS; i++)
            source[i] = round;
        senders[s].send(source, check_next());
        orders[o].order(check_next());
        flags[f].raise((uint64_t)round, check_next());
        await_flag((uint64_t)round);
        for (int i = 0; i < WORDS; i++)
            if (!CHECK(data[i] == round, "%s, %s, %s: flag %ld is up, but word %d is %ld", senders[s].name,
                       orders[o].name, flags[f].name, round, i, data[i]))
                break;
        shmem_long_p(&acknowledged, round, check_previous());
        shmem_long_wait_until(&acknowledged, SHMEM_CMP_GE, round);
        shmem_quiet();
    }
    shmem_barrier_all();
}

/* The same on a context of our own, whose fence orders its operations. */
static void run_in_context(void)
{
    long source[WORDS];

    flag = 0;
    acknowledged = 0;
    shmem_barrier_all();
    for (long round = 1, rounds = check_network() ? 4 : ROUNDS; round <= rounds; round++) {
        for (int i = 0; i < WORDS; i++)
            source[i] = -round;
        shmem_ctx_long_put_nbi(ctx, data, source, WORDS, check_next());
        shmem_ctx_fence(ctx);
        shmem_ctx_uint64_atomic_set(ctx, &flag, (uint64_t)round, check_next());
        shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, (uint64_t)round);
        CHECK(data[0] == -round && data[WORDS - 1] == -round, "context: flag %ld is up, but words are %ld and %ld",
              round, data[0], data[WORDS - 1]);
        shmem_long_p(&acknowledged, round, check_previous());
        shmem_long_wait_until(&acknowledged, SHMEM_CMP_GE, round);
        shmem_ctx_quiet(ctx);
    }
    shmem_barrier_all();
}

int main(void)
{
    int status;

    check_start();
    status = shmem_ctx_create(0, &ctx);
    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    for (size_t s = 0; s < CHECK_COUNT(senders); s++)
        for (size_t o = 0; o < CHECK_COUNT(orders); o++)
            for (size_t f = 0; f < CHECK_COUNT(flags); f++)
                run(s, o, f);
    run_in_context();
    shmem_ctx_destroy(ctx);
    return check_finish();
}
