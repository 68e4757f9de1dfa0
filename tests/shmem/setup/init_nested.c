/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM 1.6: shmem_init and shmem_finalize may be nested; only the last matching finalize ends the library.
 * shmem_query_initialized tells the state at any time, also before and after. */
#include <shmem.h>
#include <stdio.h>

enum { DEPTH = 5 };

static int failures, me = -1;
static long word;

static void check_state(int expected, const char *when)
{
    int seen = -1;

    shmem_query_initialized(&seen);
    if ((seen != 0) == expected)
        return;
    fprintf(stderr, "FAIL PE %d: query_initialized %s is %d, expected %s\n", me, when, seen,
            expected ? "nonzero" : "0");
    failures++;
}

/* The library works: every PE tells its neighbour. */
static void check_alive(int depth)
{
    int n = shmem_n_pes(), previous = (me + n - 1) % n;
    long expected = depth * 1000 + previous;

    shmem_long_p(&word, depth * 1000 + me, (me + 1) % n);
    shmem_barrier_all();
    if (word != expected) {
        fprintf(stderr, "FAIL PE %d: at depth %d word is %ld, expected %ld\n", me, depth, word, expected);
        failures++;
    }
    shmem_barrier_all();
}

int main(void)
{
    int provided, n;
    long *heap = NULL;

    check_state(0, "before shmem_init");
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    check_state(1, "after shmem_init");
    heap = shmem_malloc(sizeof *heap);
    *heap = 4711 + me;
    for (int depth = 2; depth <= DEPTH; depth++) {
        if (depth % 2)
            shmem_init();
        else if (shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) != 0)
            fprintf(stderr, "FAIL PE %d: nested shmem_init_thread is nonzero\n", me), failures++;
        check_state(1, "nested");
        check_alive(depth);
    }
    if (shmem_my_pe() != me || shmem_n_pes() != n)
        fprintf(stderr, "FAIL PE %d of %d: nested init made it PE %d of %d\n", me, n, shmem_my_pe(), shmem_n_pes()),
            failures++;
    for (int depth = DEPTH; depth >= 2; depth--) {
        shmem_finalize();
        check_state(1, "after an inner shmem_finalize");
        check_alive(depth + 100);
    }
    if (shmem_long_g(heap, (me + 1) % n) != 4711 + (me + 1) % n)
        fprintf(stderr, "FAIL PE %d: the heap did not outlive the inner shmem_finalize\n", me), failures++;
    shmem_finalize();
    check_state(0, "after the last shmem_finalize");
    return failures != 0;
}
