/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_realloc: contents kept up to the smaller size, growing in place and moving, shrinking, from NULL, to nothing,
 * and an impossible size that must leave the block as it was. */
#include "heap.h"

static uint64_t seed_here(int step)
{
    return (uint64_t)(step * 1000 + check_me);
}

static void grow_and_shrink(void)
{
    static const size_t sizes[] = {1, 10, 16, 17, 100, 4000, 70000, 1 << 20, 300, 299, 1, 5000000, 8};
    unsigned char *p = NULL, *wall = NULL;
    size_t old = 0;

    for (size_t i = 0; i < CHECK_COUNT(sizes); i++) {
        size_t size = sizes[i], kept = old < size ? old : size;

        p = shmem_realloc(p, size);
        REQUIRE(p != NULL, "shmem_realloc from %zu to %zu returned NULL", old, size);
        heap_same(p, "realloc");
        if (i > 0)
            check_verify(p, kept, seed_here((int)i - 1), "contents after realloc");
        heap_usable(p, size, "realloc");
        check_fill(p, size, seed_here((int)i));
        old = size;
        /* every other time something lies behind the block, so that it can't grow where it is */
        shmem_free(wall);
        wall = i % 2 ? shmem_malloc(16) : NULL;
    }
    shmem_free(wall);
    CHECK(shmem_realloc(p, 0) == NULL, "shmem_realloc to 0 did not return NULL on PE %d", check_me);
}

static void impossible(void)
{
    unsigned char *p = shmem_malloc(500), *q;

    REQUIRE(p != NULL, "shmem_malloc(500) returned NULL on PE %d", check_me);
    check_fill(p, 500, seed_here(99));
    q = shmem_realloc(p, (size_t)1 << 50);
    CHECK(q == NULL, "shmem_realloc to 2^50 bytes returned %p", (void *)q);
    check_verify(p, 500, seed_here(99), "block after a realloc that failed");
    heap_usable(p, 500, "block after a realloc that failed");
    shmem_free(p);
}

static void aligned_block(void)
{
    unsigned char *p = shmem_align(4096, 100);

    REQUIRE(p != NULL, "shmem_align(4096, 100) returned NULL on PE %d", check_me);
    check_fill(p, 100, seed_here(7));
    p = shmem_realloc(p, 100000);
    REQUIRE(p != NULL, "shmem_realloc of an aligned block returned NULL on PE %d", check_me);
    check_verify(p, 100, seed_here(7), "aligned block after realloc");
    shmem_free(p);
}

int main(void)
{
    check_start();
    heap_start();
    for (int round = 0; round < 3; round++) {
        grow_and_shrink();
        impossible();
        aligned_block();
    }
    return check_finish();
}
