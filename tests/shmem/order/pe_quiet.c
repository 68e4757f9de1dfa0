/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_pe_quiet and its context form complete everything to the PEs listed: nonblocking puts and gets and fetching
 * atomics. Lists may be empty, name a PE twice, or name all in any order. */
#include "../../check.h"

#define BYTES 20000
#define LARGEST_JOB 256

static unsigned char *target, *results;
static uint64_t counter, fetched[LARGEST_JOB];
static shmem_ctx_t ctx;

static void issue(int pe, unsigned char *source, uint64_t seed, bool own_context)
{
    shmem_ctx_t c = own_context ? ctx : SHMEM_CTX_DEFAULT;

    check_fill(source, BYTES, seed + (uint64_t)pe);
    shmem_ctx_putmem_nbi(c, target + (size_t)check_me * BYTES, source, BYTES, pe);
    shmem_ctx_uint64_atomic_fetch_add_nbi(c, &fetched[pe], &counter, 1, pe);
}

static void complete(const int *pes, size_t n, bool own_context)
{
    if (own_context)
        shmem_ctx_pe_quiet(ctx, pes, n);
    else
        shmem_pe_quiet(pes, n);
}

static void verify_put(int pe, uint64_t seed)
{
    static unsigned char copy[BYTES];

    shmem_getmem(copy, target + (size_t)check_me * BYTES, BYTES, pe);
    check_verify(copy, BYTES, seed + (uint64_t)pe, "put to a PE named in pe_quiet");
    CHECK(fetched[pe] != UINT64_MAX, "the fetch from PE %d is not there", pe);
}

static void run(const int *pes, size_t n, bool own_context, uint64_t seed)
{
    unsigned char *sources = malloc((size_t)check_npes * BYTES);

    REQUIRE(sources, "no memory for sources");
    for (int pe = 0; pe < check_npes; pe++) {
        fetched[pe] = UINT64_MAX;
        issue(pe, sources + (size_t)pe * BYTES, seed, own_context);
    }
    complete(pes, n, own_context);
    for (size_t i = 0; i < n; i++)
        verify_put(pes[i], seed);
    for (size_t i = 0; i < n; i++)
        shmem_ctx_getmem_nbi(own_context ? ctx : SHMEM_CTX_DEFAULT, results + (size_t)pes[i] * BYTES,
                             target + (size_t)check_me * BYTES, BYTES, pes[i]);
    complete(pes, n, own_context);
    for (size_t i = 0; i < n; i++)
        check_verify(results + (size_t)pes[i] * BYTES, BYTES, seed + (uint64_t)pes[i], "get from a PE in pe_quiet");
    shmem_quiet();
    shmem_ctx_quiet(ctx);
    free(sources);
}

int main(void)
{
    int pes[LARGEST_JOB + 2], status;
    uint64_t expected = 0;

    check_start();
    if (check_npes > LARGEST_JOB)
        check_skip("more PEs than this test has room for");
    target = shmem_malloc((size_t)check_npes * BYTES);
    results = malloc((size_t)check_npes * BYTES);
    status = shmem_ctx_create(0, &ctx);
    REQUIRE(target && results && status == 0, "no memory or no context (%d)", status);
    shmem_pe_quiet(pes, 0);
    for (int trial = 0; trial < 8; trial++) {
        size_t n = 0;
        for (int pe = check_npes - 1; pe >= 0; pe--)
            if (trial >= 6 || (pe + trial) % 3 != 0)
                pes[n++] = pe;
        if (n > 0)
            pes[n++] = pes[0];
        run(pes, n, trial % 2, 1000u * (uint64_t)trial);
        expected += (uint64_t)check_npes;
    }
    shmem_barrier_all();
    CHECK(counter == expected, "the counter is %llu, expected %llu", (unsigned long long)counter,
          (unsigned long long)expected);
    shmem_ctx_destroy(ctx);
    free(results);
    shmem_free(target);
    return check_finish();
}
