/* SPDX-License-Identifier: BSD-3-Clause */
/* Random operations against a model. An actor (a PE, or a thread of one) owns a slice of symmetric memory at every PE
 * and is the only one to write there, so it knows what each byte must be: it keeps a copy, applies every operation to
 * both, and compares what it gets. Slices lie side by side, so that a byte too many spoils a neighbour's. Counters
 * shared by all actors are judged by their sums. A failure prints the seed to repeat it with (CHECK_SEED). */
#ifndef TESTS_THREADS_STRESS_H
#define TESTS_THREADS_STRESS_H

#include "../../check.h"

#define SLICE 8192
#define ARENA (4 * SLICE)

struct actor {
    int number, count; /* of all actors of the job */
    shmem_ctx_t ctx;
    uint64_t seed, random;
    long operations;
    unsigned char *memory; /* symmetric: a slice for each actor, then a counter for each PE's use */
    unsigned char *model;  /* a slice for each PE */
    uint64_t *added;       /* to the counter at each PE */
    unsigned char arena[ARENA]; /* sources in use until the next quiet */
    size_t arena_used;
    int pe; /* target of the current operation */
};

static inline size_t stress_bytes(int actors)
{
    return (size_t)actors * SLICE + sizeof(uint64_t);
}

static inline size_t stress_below(struct actor *a, size_t limit)
{
    return (size_t)check_random_below(&a->random, limit);
}

static inline unsigned char *stress_slice(struct actor *a)
{
    return a->memory + (size_t)a->number * SLICE;
}

static inline unsigned char *stress_model(struct actor *a)
{
    return a->model + (size_t)a->pe * SLICE;
}

static inline uint64_t *stress_counter(struct actor *a)
{
    return (uint64_t *)(a->memory + (size_t)a->count * SLICE);
}

static inline void stress_quiet(struct actor *a)
{
    if (stress_below(a, 2))
        shmem_ctx_quiet(a->ctx);
    else
        for (int pe = 0; pe < check_npes; pe++)
            shmem_ctx_pe_quiet(a->ctx, &pe, 1);
    a->arena_used = 0;
}

/* Random bytes that stay untouched until the next quiet, as nonblocking puts want. */
static inline unsigned char *stress_source(struct actor *a, size_t bytes)
{
    unsigned char *source;

    if (a->arena_used + bytes > ARENA)
        stress_quiet(a);
    source = a->arena + a->arena_used;
    check_fill(source, bytes, check_random(&a->random));
    a->arena_used += bytes;
    return source;
}

static inline bool stress_same(struct actor *a, const char *call, const void *seen, const void *expected, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (((const unsigned char *)seen)[i] != ((const unsigned char *)expected)[i])
            return CHECK(false, "actor %d, operation %ld, seed %llu: %s, PE %d: byte %zu of %zu is 0x%02x, not 0x%02x",
                         a->number, a->operations, (unsigned long long)a->seed, call, a->pe, i, bytes,
                         ((const unsigned char *)seen)[i], ((const unsigned char *)expected)[i]);
    return true;
}

/* Most lengths are short; one in eight may fill the slice. */
static inline size_t stress_length(struct actor *a, size_t offset)
{
    size_t most = SLICE - offset;
    size_t limit = stress_below(a, 8) ? 200 : SLICE;

    return stress_below(a, (most < limit ? most : limit) + 1);
}

/* --- writes; the fence that follows each orders it before the next --- */

static inline void stress_put(struct actor *a)
{
    size_t offset = stress_below(a, SLICE), bytes = stress_length(a, offset);
    unsigned char *source = stress_source(a, bytes);

    if (stress_below(a, 2))
        shmem_ctx_putmem(a->ctx, stress_slice(a) + offset, source, bytes, a->pe);
    else
        shmem_ctx_putmem_nbi(a->ctx, stress_slice(a) + offset, source, bytes, a->pe);
    memcpy(stress_model(a) + offset, source, bytes);
}

static inline void stress_p(struct actor *a)
{
    size_t word = stress_below(a, SLICE / 8), bytes = (size_t)1 << stress_below(a, 4);
    unsigned char *to = stress_slice(a) + 8 * word;
    uint64_t value = check_random(&a->random);

    if (bytes == 1)
        shmem_ctx_uint8_p(a->ctx, to, (uint8_t)value, a->pe);
    else if (bytes == 2)
        shmem_ctx_uint16_p(a->ctx, (uint16_t *)to, (uint16_t)value, a->pe);
    else if (bytes == 4)
        shmem_ctx_uint32_p(a->ctx, (uint32_t *)to, (uint32_t)value, a->pe);
    else
        shmem_ctx_uint64_p(a->ctx, (uint64_t *)to, value, a->pe);
    memcpy(stress_model(a) + 8 * word, &value, bytes);
}

static inline void stress_iput(struct actor *a)
{
    size_t dst = 1 + stress_below(a, 9), sst = 1 + stress_below(a, 3);
    size_t n = stress_below(a, SLICE / 4 / dst < 60 ? SLICE / 4 / dst : 60);
    size_t first = stress_below(a, SLICE / 4 - n * dst);
    unsigned char *source = stress_source(a, 4 * (n * sst + 1));

    shmem_ctx_iput32(a->ctx, stress_slice(a) + 4 * first, source, (ptrdiff_t)dst, (ptrdiff_t)sst, n, a->pe);
    for (size_t i = 0; i < n; i++)
        memcpy(stress_model(a) + 4 * (first + i * dst), source + 4 * i * sst, 4);
}

static inline void stress_ibput(struct actor *a)
{
    size_t bsize = 1 + stress_below(a, 8), dst = bsize + stress_below(a, 5), sst = bsize + stress_below(a, 2);
    size_t n = stress_below(a, 20), first = stress_below(a, SLICE / 8 - n * dst);
    unsigned char *source = stress_source(a, 8 * (n * sst + 1));

    shmem_ctx_ibput64(a->ctx, stress_slice(a) + 8 * first, source, (ptrdiff_t)dst, (ptrdiff_t)sst, bsize, n, a->pe);
    for (size_t i = 0; i < n; i++)
        memcpy(stress_model(a) + 8 * (first + i * dst), source + 8 * i * sst, 8 * bsize);
}

static inline void stress_put_signal(struct actor *a)
{
    size_t offset = 8 + stress_below(a, SLICE - 8), bytes = stress_length(a, offset);
    unsigned char *source = stress_source(a, bytes);
    uint64_t value = check_random(&a->random), signal;

    shmem_ctx_putmem_signal(a->ctx, stress_slice(a) + offset, source, bytes, (uint64_t *)stress_slice(a), value,
                            SHMEM_SIGNAL_ADD, a->pe);
    memcpy(&signal, stress_model(a), sizeof signal);
    signal += value;
    memcpy(stress_model(a), &signal, sizeof signal);
    memcpy(stress_model(a) + offset, source, bytes);
}

static inline void stress_add(struct actor *a)
{
    uint64_t value = check_random(&a->random);

    shmem_ctx_uint64_atomic_add(a->ctx, stress_counter(a), value, a->pe);
    a->added[a->pe] += value;
}

/* --- reads: a quiet first, since a fence orders no fetch --- */

static inline void stress_get(struct actor *a)
{
    unsigned char seen[SLICE];
    size_t offset = stress_below(a, SLICE), bytes = stress_length(a, offset);

    stress_quiet(a);
    if (stress_below(a, 2)) {
        shmem_ctx_getmem(a->ctx, seen, stress_slice(a) + offset, bytes, a->pe);
    } else {
        shmem_ctx_getmem_nbi(a->ctx, seen, stress_slice(a) + offset, bytes, a->pe);
        stress_quiet(a);
    }
    stress_same(a, "getmem", seen, stress_model(a) + offset, bytes);
}

static inline void stress_g(struct actor *a)
{
    size_t word = stress_below(a, SLICE / 8);
    uint64_t seen;
    uint16_t half;

    stress_quiet(a);
    seen = shmem_ctx_uint64_g(a->ctx, (uint64_t *)stress_slice(a) + word, a->pe);
    stress_same(a, "uint64_g", &seen, stress_model(a) + 8 * word, 8);
    half = shmem_ctx_uint16_g(a->ctx, (uint16_t *)stress_slice(a) + word, a->pe);
    stress_same(a, "uint16_g", &half, stress_model(a) + 2 * word, 2);
}

static inline void stress_iget(struct actor *a)
{
    size_t sst = 1 + stress_below(a, 20), n = stress_below(a, 40), first = stress_below(a, SLICE / 8 - n * sst);
    uint64_t seen[40], expected[40];

    stress_quiet(a);
    shmem_ctx_iget64(a->ctx, seen, (uint64_t *)stress_slice(a) + first, 1, (ptrdiff_t)sst, n, a->pe);
    for (size_t i = 0; i < n; i++)
        memcpy(&expected[i], stress_model(a) + 8 * (first + i * sst), 8);
    stress_same(a, "iget64", seen, expected, 8 * n);
}

static inline void stress_fetch(struct actor *a)
{
    size_t word = stress_below(a, SLICE / 8);
    uint64_t *to = (uint64_t *)stress_slice(a) + word, old, seen, value = check_random(&a->random), now;

    stress_quiet(a);
    memcpy(&old, stress_model(a) + 8 * word, 8);
    switch (stress_below(a, 5)) {
    case 0:
        seen = shmem_ctx_uint64_atomic_fetch_add(a->ctx, to, value, a->pe);
        now = old + value;
        break;
    case 1:
        seen = shmem_ctx_uint64_atomic_swap(a->ctx, to, value, a->pe);
        now = value;
        break;
    case 2:
        seen = shmem_ctx_uint64_atomic_compare_swap(a->ctx, to, value % 2 ? old : ~old, value, a->pe);
        now = value % 2 ? value : old;
        break;
    case 3:
        shmem_ctx_uint64_atomic_fetch_xor_nbi(a->ctx, &seen, to, value, a->pe);
        stress_quiet(a);
        now = old ^ value;
        break;
    default:
        seen = shmem_ctx_uint64_atomic_fetch_and(a->ctx, to, value, a->pe);
        now = old & value;
    }
    stress_same(a, "fetching atomic", &seen, &old, 8);
    memcpy(stress_model(a) + 8 * word, &now, 8);
}

static inline void stress_step(struct actor *a)
{
    void (*const operations[])(struct actor *) = {
        stress_put, stress_put, stress_p,   stress_p, stress_iput, stress_ibput, stress_put_signal, stress_add,
        stress_get, stress_get, stress_get, stress_g, stress_iget, stress_fetch, stress_fetch,
    };

    a->pe = (int)stress_below(a, (size_t)check_npes);
    operations[stress_below(a, CHECK_COUNT(operations))](a);
    shmem_ctx_fence(a->ctx);
    a->operations++;
}

/* --- one actor's life; memory is zero at the start, and a barrier of all lies before and after --- */

static inline struct actor *stress_begin(int number, int count, unsigned char *memory, shmem_ctx_t ctx, uint64_t seed)
{
    struct actor *a = (struct actor *)calloc(1, sizeof *a);

    REQUIRE(a, "no memory for an actor");
    a->number = number;
    a->count = count;
    a->memory = memory;
    a->ctx = ctx;
    a->seed = seed;
    a->random = seed + (uint64_t)number * 0x5851f42d4c957f2du;
    a->model = (unsigned char *)calloc((size_t)check_npes, SLICE);
    a->added = (uint64_t *)calloc((size_t)check_npes, sizeof *a->added);
    REQUIRE(a->model && a->added, "no memory for a model");
    return a;
}

static inline void stress_run(struct actor *a, double seconds)
{
    double end = check_seconds() + seconds;

    while (check_seconds() < end && check_failures == 0)
        for (int i = 0; i < 50; i++)
            stress_step(a);
    stress_quiet(a);
}

/* Compares all slices, and returns this actor's part of the sums in `sums`. */
static inline void stress_end(struct actor *a, uint64_t *sums)
{
    unsigned char seen[SLICE];

    for (a->pe = 0; a->pe < check_npes; a->pe++) {
        shmem_getmem(seen, stress_slice(a), SLICE, a->pe);
        stress_same(a, "getmem of all at the end", seen, stress_model(a), SLICE);
        __atomic_fetch_add(&sums[a->pe], a->added[a->pe], __ATOMIC_RELAXED);
    }
    free(a->added);
    free(a->model);
    free(a);
}

/* Collective: the counter at each PE is what all actors added. `sums` is symmetric, one word for each PE. */
static inline void stress_judge_sums(uint64_t *sums, uint64_t *total, const uint64_t *counter)
{
    for (int pe = 0; pe < check_npes; pe++)
        shmem_uint64_atomic_add(total, sums[pe], pe);
    shmem_barrier_all();
    CHECK(*counter == *total, "the shared counter is %llu, expected %llu", (unsigned long long)*counter,
          (unsigned long long)*total);
}

#endif
