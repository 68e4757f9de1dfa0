/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Included before a test program: its world becomes that of two jobs. It spawns
 * itself, as many processes again, and the ranks of both take turns, so that a
 * test of what one job does is one of what two do.
 */
#ifndef TESTS_MPI_RMA_TWO_JOBS_H
#define TESTS_MPI_RMA_TWO_JOBS_H

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static MPI_Comm two_jobs_world, two_jobs_parent;

static inline void two_jobs_spawn(int n)
{
    static char path[PATH_MAX];

    if (readlink("/proc/self/exe", path, sizeof path - 1) <= 0 ||
        MPI_Comm_spawn(path, MPI_ARGV_NULL, n, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &two_jobs_parent,
                       MPI_ERRCODES_IGNORE) != MPI_SUCCESS) {
        fprintf(stderr, "FAIL: the second job cannot be spawned\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static inline int two_jobs_init(int wanted, int *provided)
{
    int size, rank, is_child, code = MPI_Init_thread(NULL, NULL, wanted, provided);
    MPI_Comm both;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&two_jobs_parent);
    is_child = two_jobs_parent != MPI_COMM_NULL;
    if (!is_child)
        two_jobs_spawn(size);
    MPI_Intercomm_merge(two_jobs_parent, is_child, &both);
    MPI_Comm_split(both, 0, 2 * rank + is_child, &two_jobs_world);
    MPI_Comm_free(&both);
    return code;
}

static inline int two_jobs_finalize(void)
{
    MPI_Comm_disconnect(&two_jobs_world);
    MPI_Comm_disconnect(&two_jobs_parent);
    return MPI_Finalize();
}

#define MPI_Init(argc, argv) two_jobs_init(MPI_THREAD_SINGLE, &(int){0})
#define MPI_Init_thread(argc, argv, wanted, provided) two_jobs_init(wanted, provided)
#define MPI_Finalize() two_jobs_finalize()
#undef MPI_COMM_WORLD
#define MPI_COMM_WORLD two_jobs_world

#endif
