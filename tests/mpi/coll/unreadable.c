/* SPDX-License-Identifier: BSD-3-Clause */
/* A long reduction of which one rank cannot read another's data: none may return success, as the part of the result
 * that it had to make is wrong. The last rank's first page cannot be read by anybody; itself it needs only its last
 * piece. */
#include <sys/mman.h>
#include <sys/uio.h>

#include "mcheck.h"

enum { N = 100000, PAGE = 4096 };

static int result[N];

/* May the processes of a user read each other's memory here? */
static int reads_others(const int *mine)
{
    int pids[64], pid = getpid(), got = 0, all;
    const int *theirs[64];
    int next = (mc_rank + 1) % mc_size;
    struct iovec here = {&got, sizeof got}, there;

    OK(MPI_Allgather(&pid, 1, MPI_INT, pids, 1, MPI_INT, MPI_COMM_WORLD));
    OK(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, theirs, sizeof mine, MPI_BYTE, MPI_COMM_WORLD));
    there = (struct iovec){(void *)(uintptr_t)(theirs[next] + N - 1), sizeof got};
    got = process_vm_readv(pids[next], &here, 1, &there, 1, 0) == sizeof got;
    OK(MPI_Allreduce(&got, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD));
    return all;
}

int main(void)
{
    mc_start();
    int *in = mmap(NULL, N * sizeof *in, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    for (int i = 0; i < N; i++)
        in[i] = mc_rank + i;
    if (!reads_others(in))
        mc_skip("processes may not read each other's memory here");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    OK(MPI_Allreduce(in, result, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD)); /* as it should be */
    if (mc_rank == mc_size - 1)
        mprotect(in, PAGE, PROT_NONE);
    CHECK(MPI_Allreduce(in, result, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS,
          "an allreduce succeeds whose vector could not be read");
    CHECK(MPI_Reduce(in, result, N, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD) != MPI_SUCCESS,
          "a reduction succeeds whose vector could not be read");
    if (mc_rank == mc_size - 1)
        mprotect(in, PAGE, PROT_READ | PROT_WRITE);
    OK(MPI_Allreduce(in, result, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(result[0] == mc_size * (mc_size - 1) / 2, "afterwards the sum is %d", result[0]);
    munmap(in, N * sizeof *in);
    return mc_finish();
}
