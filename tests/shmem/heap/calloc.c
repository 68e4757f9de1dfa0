/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_calloc: zeroed also where memory was used before, the same on all PEs, NULL for nothing and for products that
 * overflow. */
#include "heap.h"

static void zeroed(size_t count, size_t size)
{
    unsigned char *p = shmem_calloc(count, size);
    size_t bytes = count * size;

    REQUIRE(p != NULL, "shmem_calloc(%zu, %zu) returned NULL", count, size);
    heap_same(p, "calloc");
    CHECK(check_not_byte(p, bytes, 0) == bytes, "shmem_calloc(%zu, %zu): byte %zu is not zero", count, size,
          check_not_byte(p, bytes, 0));
    heap_usable(p, bytes, "calloc");
    memset(p, 0xff, bytes); /* dirt for whoever gets this memory next */
    shmem_free(p);
}

int main(void)
{
    static const size_t sizes[][2] = {{1, 1},    {1, 8},     {3, 5},       {100, 40},
                                      {4096, 1}, {1, 65536}, {1000, 1000}, {17, 16384}};
    check_start();
    heap_start();
    for (int round = 0; round < 3; round++)
        for (size_t i = 0; i < CHECK_COUNT(sizes); i++)
            zeroed(sizes[i][0], sizes[i][1]);
    CHECK(shmem_calloc(0, 8) == NULL, "shmem_calloc(0, 8) did not return NULL on PE %d", check_me);
    CHECK(shmem_calloc(8, 0) == NULL, "shmem_calloc(8, 0) did not return NULL on PE %d", check_me);
    CHECK(shmem_calloc(SIZE_MAX / 2, 3) == NULL, "shmem_calloc of an overflowing product succeeded on PE %d", check_me);
    CHECK(shmem_calloc((size_t)1 << 32, (size_t)1 << 32) == NULL, "shmem_calloc of 2^64 bytes succeeded on PE %d",
          check_me);
    zeroed(64, 64);
    return check_finish();
}
