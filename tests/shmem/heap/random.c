/* SPDX-License-Identifier: BSD-3-Clause */
/* A million random allocate, align, realloc, calloc and free steps (fewer with many PEs, where each is a barrier
 * among more PEs than cores): no overlap, no lost contents, the same offsets everywhere, and no leak at the end. */
#include "heap.h"

enum { LIVE = 400, MILLION = 1000000 };

struct block {
    unsigned char *p;
    size_t size;
    uint64_t seed;
};

static struct block live[LIVE];
static int count;
static uint64_t offsets; /* a hash of all answers, compared at the end */
static long hash_said;

/* Both ends carry a pattern: whoever overlaps one destroys it. Small blocks are covered wholly. */
enum { EDGE = 48 };

static void mark(struct block *b)
{
    size_t edge = b->size < EDGE ? b->size : EDGE;

    check_fill(b->p, edge, b->seed);
    check_fill(b->p + b->size - edge, edge, b->seed + (b->size > EDGE));
    if (b->size > EDGE && b->size < 2 * EDGE) /* the ends overlap: one pattern over all */
        check_fill(b->p, b->size, b->seed);
}

static bool intact(const struct block *b, size_t upto)
{
    size_t size = upto < b->size ? upto : b->size;

    if (b->size < 2 * EDGE)
        return check_verify(b->p, size, b->seed, "block");
    return check_verify(b->p, size < EDGE ? size : EDGE, b->seed, "start of a block") &&
           (size < b->size || check_verify(b->p + b->size - EDGE, EDGE, b->seed + 1, "end of a block"));
}

static size_t random_size(uint64_t *r)
{
    uint64_t kind = check_random_below(r, 100);

    if (kind < 60)
        return 1 + check_random_below(r, 256);
    if (kind < 90)
        return 1 + check_random_below(r, 8192);
    return 1 + check_random_below(r, kind < 99 ? 131072 : 2000000);
}

static void note(const void *p)
{
    offsets = check_mix(offsets + (uint64_t)((const char *)p - heap_base));
}

static void allocate(uint64_t *r, long step)
{
    struct block b = {.size = random_size(r), .seed = (uint64_t)step * 2 + (uint64_t)check_me * 0x100000000u};
    uint64_t kind = check_random_below(r, 16);

    if (kind == 0) {
        size_t alignment = (size_t)8 << check_random_below(r, 10);
        b.p = shmem_align(alignment, b.size);
        CHECK((uintptr_t)b.p % alignment == 0, "step %ld: alignment %zu gave %p", step, alignment, (void *)b.p);
    } else if (kind == 1 && b.size < 10000) {
        b.p = shmem_calloc(1, b.size);
        REQUIRE(b.p != NULL, "step %ld: shmem_calloc(%zu) returned NULL", step, b.size);
        CHECK(check_not_byte(b.p, b.size, 0) == b.size, "step %ld: shmem_calloc(%zu) is not zero", step, b.size);
    } else {
        b.p = shmem_malloc(b.size);
    }
    REQUIRE(b.p != NULL, "step %ld: no room for %zu bytes with %d blocks alive", step, b.size, count);
    note(b.p);
    mark(&b);
    live[count++] = b;
}

static void resize(uint64_t *r, int i)
{
    struct block *b = &live[i];
    size_t size = random_size(r), edge = EDGE < size ? EDGE : size;

    b->p = shmem_realloc(b->p, size);
    REQUIRE(b->p != NULL, "no room for %zu bytes with %d blocks alive", size, count);
    intact(&(struct block){b->p, b->size, b->seed}, b->size < edge ? b->size : edge);
    b->size = size;
    note(b->p);
    mark(b);
}

static void release(int i)
{
    intact(&live[i], live[i].size);
    shmem_free(live[i].p);
    live[i] = live[--count];
}

static int by_address(const void *a, const void *b)
{
    const struct block *x = a, *y = b;
    return x->p < y->p ? -1 : x->p > y->p;
}

static void check_disjoint(long step)
{
    static struct block sorted[LIVE];

    memcpy(sorted, live, sizeof sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_address);
    for (int i = 0; i + 1 < count; i++)
        CHECK(sorted[i].p + sorted[i].size <= sorted[i + 1].p, "step %ld: block at %p of %zu overlaps the one at %p",
              step, (void *)sorted[i].p, sorted[i].size, (void *)sorted[i + 1].p);
}

/* Largest block to 1 KiB: equal before and after when nothing leaks and everything joins up again. */
static size_t largest(void)
{
    size_t low = 0, high = (size_t)1 << 42;

    while (high - low > 1024) {
        size_t middle = low + (high - low) / 2;
        void *p = shmem_malloc(middle);
        *(p ? &low : &high) = middle;
        shmem_free(p);
    }
    return low;
}

int main(void)
{
    check_start();
    uint64_t r = check_seed(42);
    long steps = check_rounds(check_npes <= 2 ? MILLION : MILLION / 50) / (check_network() ? 10 : 1);

    heap_start();
    size_t before = largest();
    for (long step = 0; step < steps; step++) {
        uint64_t what = check_random_below(&r, 100);
        uint64_t pick = check_random(&r);

        if (count < LIVE && (count == 0 || what < 48))
            allocate(&r, step);
        else if (what < 55)
            resize(&r, (int)(pick % (uint64_t)count));
        else
            release((int)(pick % (uint64_t)count));
        if (step % 20000 == 0)
            check_disjoint(step);
    }
    hash_said = (long)offsets;
    shmem_barrier_all();
    CHECK(shmem_long_g(&hash_said, check_next()) == hash_said, "PE %d got other offsets in %ld steps", check_next(),
          steps);
    while (count > 0)
        release(count - 1);
    size_t after = largest();
    CHECK(after == before, "largest block was %zu, after %ld steps it is %zu", before, steps, after);
    return check_finish();
}
