/* SPDX-License-Identifier: BSD-3-Clause */
/* An exhausted heap: NULL on all PEs alike, never an abort; all of it is there again after freeing, in one piece, and
 * the untouched rest of the heap costs no memory. */
#include "heap.h"

enum { MOST = 100000 };

/* Blocks of `size` bytes until there are no more. Returns their number. */
static int fill_up(void **block, size_t size)
{
    int n = 0;

    while (n < MOST && (block[n] = shmem_malloc(size)) != NULL)
        n++;
    heap_same(NULL, "the block that did not fit");
    return n;
}

static void free_all(void **block, int n)
{
    for (int i = 0; i < n; i += 2)
        shmem_free(block[i]);
    for (int i = 1; i < n; i += 2)
        shmem_free(block[i]);
}

/* Largest single block, to a page. */
static size_t largest(void)
{
    size_t low = 0, high = (size_t)1 << 44;

    while (high - low > 4096) {
        size_t middle = low + (high - low) / 2;
        void *p = shmem_malloc(middle);
        if (p)
            low = middle;
        else
            high = middle;
        shmem_free(p);
    }
    return low;
}

int main(void)
{
    static void *block[MOST];
    static const size_t far_too_much[] = {(size_t)1 << 45, (size_t)1 << 60, SIZE_MAX, SIZE_MAX - 4095,
                                          SIZE_MAX / 2 + 1};
    check_start();
    heap_start();
    for (size_t i = 0; i < CHECK_COUNT(far_too_much); i++) {
        void *p = shmem_malloc(far_too_much[i]);
        CHECK(p == NULL, "shmem_malloc(%zu) returned %p", far_too_much[i], p);
        p = shmem_align(4096, far_too_much[i]);
        CHECK(p == NULL, "shmem_align(4096, %zu) returned %p", far_too_much[i], p);
    }
    size_t most = largest();
    size_t size = most / 200;
    CHECK(most >= 1 << 20, "the largest block of a fresh heap is %zu bytes", most);
    int first = fill_up(block, size);
    CHECK(first >= 100, "%d blocks of 1/200 of the heap fit", first);
    heap_usable(block[first - 1], size, "last block of the heap");
    free_all(block, first);
    int second = fill_up(block, size);
    CHECK(second == first, "%d blocks fit at first, %d after freeing them all", first, second);
    free_all(block, second);
    size_t again = largest();
    CHECK(again == most, "the largest block was %zu, now it is %zu", most, again);
    return check_finish();
}
