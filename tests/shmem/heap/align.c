/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_align: every power of two from a pointer's size to 4 MiB (tasks: 2 MiB), odd sizes, the same offsets on all PEs
 * and the alignment true on each; blocks do not touch each other. */
#include "heap.h"

enum { LOW = 3, HIGH = 22 };

int main(void)
{
    unsigned char *block[HIGH + 1][2];
    int high;

    check_start();
    heap_start();
    high = heap_tasks() ? HIGH - 1 : HIGH;
    CHECK(high == HIGH || !shmem_align(2ul * HEAP_TASKS_ALIGNMENT, 64), "more than tasks have, on PE %d", check_me);
    for (int log = LOW; log <= high; log++)
        for (int k = 0; k < 2; k++) {
            size_t alignment = (size_t)1 << log, size = k ? 100 : 3 * (size_t)log + 1;
            unsigned char *p = shmem_align(alignment, size);

            REQUIRE(p != NULL, "shmem_align(%zu, %zu) returned NULL", alignment, size);
            CHECK((uintptr_t)p % alignment == 0, "shmem_align(%zu, %zu) returned %p", alignment, size, (void *)p);
            heap_same(p, "align");
            heap_usable(p, size, "align");
            check_fill(p, size, (uint64_t)(log * 2 + k + check_me * 64));
            block[log][k] = p;
        }
    for (int log = LOW; log <= high; log++)
        for (int k = 0; k < 2; k++)
            check_verify(block[log][k], k ? 100 : 3 * (size_t)log + 1, (uint64_t)(log * 2 + k + check_me * 64),
                         "aligned block");
    for (int log = high; log >= LOW; log--) {
        shmem_free(block[log][1]);
        shmem_free(block[log][0]);
    }
    CHECK(shmem_align(64, 0) == NULL, "shmem_align(64, 0) did not return NULL on PE %d", check_me);
    return check_finish();
}
