/* SPDX-License-Identifier: BSD-3-Clause */
/* One program, two interfaces: ranks of MPI_COMM_WORLD are OpenSHMEM's PEs of the same numbers, puts and messages
 * travel between the same processes, symmetric memory serves as message buffer and as window, and either side may start
 * and end first (MIX_ORDER: 0 MPI first and last, 1 SHMEM first and last, 2 crossed). */
#include <shmem.h>

#include "mcheck.h"

enum { WORDS = 4096 };
static long global[WORDS]; /* symmetric: a global of the program */

static void start(int order)
{
    if (order == 1 || order == 2)
        shmem_init();
    MPI_Init(NULL, NULL);
    if (order == 0)
        shmem_init();
    mc_identify();
}

static void puts_and_messages(void)
{
    const int next = (mc_rank + 1) % mc_size, previous = (mc_rank + mc_size - 1) % mc_size;
    long *heap = shmem_calloc(WORDS, sizeof *heap);
    long flag = -1;

    for (int round = 0; round < 50; round++) {
        /* A put, then a message that says so: with quiet between them the data is there when the message is. */
        shmem_long_p(&heap[round], mc_rank * 1000 + round, next);
        shmem_quiet();
        OK(MPI_Sendrecv(&(long){round}, 1, MPI_LONG, next, 7, &flag, 1, MPI_LONG, previous, 7, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
        CHECK(flag == round, "message of round %d says %ld", round, flag);
        CHECK(heap[round] == previous * 1000 + round, "word of round %d is %ld", round, heap[round]);
    }
    shmem_free(heap);
}

/* Large messages from and to symmetric memory; reductions of both libraries in turn. */
static void buffers_and_collectives(void)
{
    const int next = (mc_rank + 1) % mc_size, previous = (mc_rank + mc_size - 1) % mc_size;
    static long in, out;
    long *heap = shmem_malloc(2 * 65536), sum = 0;

    for (int i = 0; i < WORDS; i++)
        global[i] = mc_rank * 10000L + i;
    OK(MPI_Sendrecv(global, WORDS, MPI_LONG, next, 1, heap, WORDS, MPI_LONG, previous, 1, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE));
    for (int i = 0; i < WORDS; i++)
        if (!CHECK(heap[i] == previous * 10000L + i, "word %d is %ld", i, heap[i]))
            break;
    for (int i = 0; i < 20; i++) {
        in = mc_rank + i;
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &out, &in, 1);
        OK(MPI_Allreduce(&in, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
        CHECK(sum == out && sum == (long)mc_size * (mc_size - 1) / 2 + (long)i * mc_size, "sums are %ld and %ld", sum,
              out);
        shmem_barrier_all();
    }
    shmem_free(heap);
}

/* A window over symmetric memory: MPI_Put by one, shmem_g by another. */
static void windows(void)
{
    const int next = (mc_rank + 1) % mc_size, previous = (mc_rank + mc_size - 1) % mc_size;
    long *heap = shmem_calloc(16, sizeof *heap), mine = 77 + mc_rank;
    MPI_Win win;

    OK(MPI_Win_create(heap, 16 * sizeof *heap, sizeof *heap, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OK(MPI_Win_fence(0, win));
    OK(MPI_Put(&mine, 1, MPI_LONG, next, 3, 1, MPI_LONG, win));
    OK(MPI_Win_fence(0, win));
    CHECK(heap[3] == 77 + previous, "the window holds %ld", heap[3]);
    CHECK(shmem_long_g(&heap[3], next) == 77 + mc_rank, "shmem_g reads %ld", shmem_long_g(&heap[3], next));
    OK(MPI_Win_free(&win));
    shmem_barrier_all();
    shmem_free(heap);
}

int main(void)
{
    const int order = getenv("MIX_ORDER") ? atoi(getenv("MIX_ORDER")) : 0;
    int failed;

    start(order);
    CHECK(shmem_my_pe() == mc_rank && shmem_n_pes() == mc_size, "PE %d of %d is rank %d of %d", shmem_my_pe(),
          shmem_n_pes(), mc_rank, mc_size);
    puts_and_messages();
    buffers_and_collectives();
    windows();
    if (order == 0 || order == 2)
        shmem_finalize();
    failed = mc_finish();
    if (order == 1) {
        shmem_barrier_all(); /* still works: SHMEM has not ended */
        shmem_finalize();
    }
    return failed;
}
