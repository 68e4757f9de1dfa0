/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_malloc and shmem_free: the same offsets on all PEs, alignment for any type, disjoint and reachable blocks of
 * all kinds of sizes, nothing for size 0, and freeing NULL. */
#include "heap.h"

enum { BLOCKS = 40 };

static size_t size_of(int i)
{
    return i % 3 == 0 ? (size_t)1 << (i / 2) : i % 3 == 1 ? (size_t)i * 7 + 1 : (size_t)i * 1000 - 1;
}

int main(void)
{
    unsigned char *block[BLOCKS];
    check_start();
    heap_start();
    for (int i = 0; i < BLOCKS; i++) {
        size_t size = size_of(i);
        block[i] = shmem_malloc(size);
        REQUIRE(block[i] != NULL, "shmem_malloc(%zu) returned NULL", size);
        heap_same(block[i], "malloc");
        CHECK((uintptr_t)block[i] % _Alignof(max_align_t) == 0, "shmem_malloc(%zu) returned %p, not aligned to %zu",
              size, (void *)block[i], _Alignof(max_align_t));
        CHECK(shmem_addr_accessible(block[i], check_next()), "block %d of %zu is not accessible on PE %d", i, size,
              check_next());
        heap_usable(block[i], size, "malloc");
        check_fill(block[i], size, (uint64_t)(i * 100 + check_me));
    }
    for (int i = 0; i < BLOCKS; i++)
        check_verify(block[i], size_of(i), (uint64_t)(i * 100 + check_me), "block kept beside the others");
    for (int i = 0; i < BLOCKS; i += 2)
        shmem_free(block[i]);
    for (int i = 1; i < BLOCKS; i += 2)
        check_verify(block[i], size_of(i), (uint64_t)(i * 100 + check_me), "block after its neighbours were freed");
    for (int i = 1; i < BLOCKS; i += 2)
        shmem_free(block[i]);
    CHECK(shmem_malloc(0) == NULL, "shmem_malloc(0) did not return NULL on PE %d", check_me);
    shmem_free(NULL);
    shmem_free(heap_base);
    return check_finish();
}
