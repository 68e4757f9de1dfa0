/* SPDX-License-Identifier: BSD-3-Clause */
/* Hundreds of nonblocking puts and gets of mixed sizes in flight to all PEs at once, on two contexts; one quiet for
 * each completes them, after which sources may be reused and what was got may be read. */
#include "../../check.h"

#define PIECES 64
#define LARGEST 8192
#define ROUNDS 3

static unsigned char *memory, *sources, *results;
static shmem_ctx_t ctx;

static size_t piece_bytes(int i)
{
    return (size_t)(check_mix((uint64_t)i) % LARGEST);
}

static unsigned char *place(unsigned char *base, int pe, int i)
{
    return base + ((size_t)pe * PIECES + (size_t)i) * LARGEST;
}

static uint64_t seed(int from, int to, int i, int round)
{
    return (((uint64_t)from * 64 + (uint64_t)to) * PIECES + (uint64_t)i) * ROUNDS + (uint64_t)round;
}

static void put_all(int round)
{
    for (int i = 0; i < PIECES; i++)
        for (int pe = 0; pe < check_npes; pe++) {
            unsigned char *source = place(sources, pe, i);
            check_fill(source, piece_bytes(i), seed(check_me, pe, i, round));
            if (i % 2)
                shmem_putmem_nbi(place(memory, check_me, i), source, piece_bytes(i), pe);
            else
                shmem_ctx_putmem_nbi(ctx, place(memory, check_me, i), source, piece_bytes(i), pe);
        }
    shmem_quiet();
    shmem_ctx_quiet(ctx);
    memset(sources, 0, (size_t)check_npes * PIECES * LARGEST);
}

static void get_all(int round)
{
    for (int i = 0; i < PIECES; i++)
        for (int pe = 0; pe < check_npes; pe++) {
            unsigned char *from = place(memory, check_me, i), *to = place(results, pe, i);
            if (i % 2)
                shmem_getmem_nbi(to, from, piece_bytes(i), pe);
            else
                shmem_ctx_getmem_nbi(ctx, to, from, piece_bytes(i), pe);
        }
    shmem_quiet();
    shmem_ctx_quiet(ctx);
    for (int i = 0; i < PIECES; i++)
        for (int pe = 0; pe < check_npes; pe++)
            if (!check_verify(place(results, pe, i), piece_bytes(i), seed(check_me, pe, i, round), "got back"))
                return;
}

static void verify_arrivals(int round)
{
    for (int i = 0; i < PIECES; i++)
        for (int pe = 0; pe < check_npes; pe++)
            if (!check_verify(place(memory, pe, i), piece_bytes(i), seed(pe, check_me, i, round), "arrived"))
                return;
}

int main(void)
{
    size_t bytes;
    int status;

    check_start();
    bytes = (size_t)check_npes * PIECES * LARGEST;
    memory = shmem_malloc(bytes);
    sources = malloc(bytes);
    results = malloc(bytes);
    REQUIRE(memory && sources && results, "no memory for 3 x %zu bytes", bytes);
    status = shmem_ctx_create(0, &ctx);
    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    for (int round = 0; round < ROUNDS; round++) {
        put_all(round);
        shmem_barrier_all();
        verify_arrivals(round);
        get_all(round);
        shmem_barrier_all();
    }
    shmem_ctx_destroy(ctx);
    free(results);
    free(sources);
    shmem_free(memory);
    return check_finish();
}
