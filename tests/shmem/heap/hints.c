/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_malloc_with_hints: every hint, none and those that nobody knows give ordinary blocks, on which atomics and
 * signals work. */
#include "heap.h"

static void use(long hints)
{
    size_t n = 1000;
    uint64_t *p = shmem_malloc_with_hints(n * sizeof *p, hints);

    REQUIRE(p != NULL, "shmem_malloc_with_hints(%zu, %ld) returned NULL", n * sizeof *p, hints);
    heap_same(p, "malloc_with_hints");
    CHECK((uintptr_t)p % _Alignof(max_align_t) == 0, "block with hints %ld lies at %p", hints, (void *)p);
    memset(p, 0, n * sizeof *p);
    shmem_barrier_all();
    for (int pe = 0; pe < check_npes; pe++)
        shmem_uint64_atomic_add(&p[n - 1], 3, pe);
    shmem_putmem_signal(p + 1, p + 2, 8, p, (uint64_t)check_me + 1, SHMEM_SIGNAL_SET, check_next());
    shmem_barrier_all();
    CHECK(p[n - 1] == 3u * (uint64_t)check_npes, "hints %ld: sum is %llu, expected %d", hints,
          (unsigned long long)p[n - 1], 3 * check_npes);
    CHECK(shmem_signal_fetch(p) == (uint64_t)check_previous() + 1, "hints %ld: signal is %llu, expected %d", hints,
          (unsigned long long)shmem_signal_fetch(p), check_previous() + 1);
    shmem_free(p);
}

int main(void)
{
    static const long hints[] = {0,
                                 SHMEM_MALLOC_ATOMICS_REMOTE,
                                 SHMEM_MALLOC_SIGNAL_REMOTE,
                                 SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE,
                                 -2,
                                 1l << 40,
                                 LONG_MIN,
                                 -1};
    check_start();
    heap_start();
    for (size_t i = 0; i < CHECK_COUNT(hints); i++)
        use(hints[i]);
    CHECK(shmem_malloc_with_hints(0, 0) == NULL, "malloc_with_hints of 0 bytes is not NULL on PE %d", check_me);
    return check_finish();
}
