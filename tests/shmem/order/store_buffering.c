/* SPDX-License-Identifier: BSD-3-Clause */
/* The store-buffering litmus test: two PEs each write their own word, quiet, and read the other's. At least one must
 * see the other's write, since quiet completes a put for all PEs; without a full fence in it both may read 0. */
#include "../../check.h"

#define ROUNDS 4000
#define SPIN 300

static long words[2][ROUNDS];  /* side 0 and 1 of a pair, both at the pair's home PE */
static long seen[ROUNDS];      /* what the own side read */
static long partners[ROUNDS];  /* a copy of the partner's */
static volatile long progress; /* round the owner has reached */
static shmem_ctx_t ctx;

struct way {
    const char *name;
    void (*write)(long *word, int pe);
    void (*complete)(int pe);
    long (*read)(long *word, int pe);
};

static void write_p(long *word, int pe)
{
    shmem_long_p(word, 1, pe);
}

static void write_nbi(long *word, int pe)
{
    static const long one = 1;
    shmem_putmem_nbi(word, &one, sizeof one, pe);
}

static void write_set(long *word, int pe)
{
    shmem_long_atomic_set(word, 1, pe);
}

static void write_ctx(long *word, int pe)
{
    shmem_ctx_long_p(ctx, word, 1, pe);
}

static void write_signal(long *word, int pe)
{
    shmem_signal_set((uint64_t *)word, 1, pe);
}

static void complete_all(int pe)
{
    (void)pe;
    shmem_quiet();
}

static void complete_pe(int pe)
{
    shmem_pe_quiet(&pe, 1);
}

static void complete_ctx(int pe)
{
    (void)pe;
    shmem_ctx_quiet(ctx);
}

static long read_g(long *word, int pe)
{
    return shmem_long_g(word, pe);
}

static long read_get(long *word, int pe)
{
    long value;
    shmem_getmem(&value, word, sizeof value, pe);
    return value;
}

static long read_fetch(long *word, int pe)
{
    return shmem_long_atomic_fetch(word, pe);
}

static long read_ctx(long *word, int pe)
{
    return shmem_ctx_long_g(ctx, word, pe);
}

static const struct way ways[] = {
    {"p, quiet, g", write_p, complete_all, read_g},
    {"p, pe_quiet, get", write_p, complete_pe, read_get},
    {"put_nbi, quiet, get", write_nbi, complete_all, read_get},
    {"atomic set, quiet, fetch", write_set, complete_all, read_fetch},
    {"context p, context quiet, context g", write_ctx, complete_ctx, read_ctx},
    {"signal_set, quiet, g", write_signal, complete_all, read_g},
};

/* Both sides start a round as nearly together as can be had without waiting for long. */
static void meet(long round, int partner)
{
    progress = round;
    for (int i = 0; i < SPIN && shmem_long_g((const long *)&progress, partner) < round; i++)
        continue;
}

static void run(const struct way *way, int partner, int home)
{
    int side = check_me > partner;
    long rounds = check_rounds(ROUNDS);

    memset(words, 0, sizeof words);
    progress = 0;
    shmem_barrier_all();
    for (long round = 0; round < rounds && partner < check_npes; round++) {
        meet(round, partner);
        way->write(&words[side][round], home);
        way->complete(home);
        seen[round] = way->read(&words[!side][round], home);
    }
    shmem_barrier_all();
    if (partner < check_npes)
        shmem_long_get(partners, seen, (size_t)rounds, partner);
    for (long round = 0; round < rounds && partner < check_npes; round++)
        if (!CHECK(seen[round] || partners[round], "%s, round %ld, home %d: PEs %d and %d both read 0", way->name,
                   round, home, check_me, partner))
            break;
    shmem_barrier_all();
}

int main(void)
{
    int status, partner;

    check_start();
    status = shmem_ctx_create(0, &ctx);
    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    partner = check_me ^ 1;
    for (size_t i = 0; i < CHECK_COUNT(ways); i++) {
        int first = check_me & ~1;
        run(&ways[i], partner, i % 2 && first + 1 < check_npes ? first + 1 : first);
    }
    shmem_ctx_destroy(ctx);
    return check_finish();
}
