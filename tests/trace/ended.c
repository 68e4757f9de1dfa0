/* SPDX-License-Identifier: BSD-3-Clause */
/* For ended.py: messages and barriers, and then PE 1 ends as the first argument says, in a region. */
#include <mpi.h>
#include <mpt/trace.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void end(const char *how)
{
    int none;

    if (strcmp(how, "killed") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(how, "fault") == 0)
        raise(SIGSEGV);
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 5);
    if (strcmp(how, "hangs") == 0)
        MPI_Recv(&none, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int me, n, got;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    mpt_region_begin("work");
    for (int i = 0; i < 10; i++)
        MPI_Sendrecv(&i, 1, MPI_INT, (me + 1) % n, i, &got, 1, MPI_INT, (me + n - 1) % n, i, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    mpt_region_end();
    mpt_region_begin("end");
    if (me == 1) {
        nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL); /* the others have come to the barrier */
        end(argv[1]);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* the others wait here */
    mpt_region_end();
    MPI_Finalize();
    return 0;
}
