/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the tests of failure mitigation: dying, and meeting without the dead. */
#ifndef TESTS_MPI_FT_H
#define TESTS_MPI_FT_H

#include <signal.h>

#include "mpi/mcheck.h"

static inline void ft_start(void)
{
    MPI_Init(NULL, NULL);
    mc_identify();
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
}

static inline _Noreturn void ft_die(void)
{
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

static inline int ft_class(int code)
{
    int class = code;

    MPI_Error_class(code, &class);
    return class;
}

/* Until this process knows that rank is dead. */
static inline void ft_await_death(MPI_Comm comm, int rank)
{
    MPI_Group all, failed;
    int there = MPI_UNDEFINED;

    MPI_Comm_group(comm, &all);
    while (there == MPI_UNDEFINED) {
        MPIX_Comm_get_failed(comm, &failed);
        MPI_Group_translate_ranks(all, 1, &rank, failed, &there);
        if (failed != MPI_GROUP_EMPTY)
            MPI_Group_free(&failed);
        usleep(200);
    }
    MPI_Group_free(&all);
}

/* Those who live fail when one of them does. */
static inline int ft_finish(void)
{
    int flag = check_failures == 0;

    MPIX_Comm_failure_ack(MPI_COMM_WORLD);
    MPIX_Comm_agree(MPI_COMM_WORLD, &flag);
    if (check_failures)
        fprintf(stderr, "FAIL: %ld checks failed on rank %d of %d\n", check_failures, mc_rank, mc_size);
    MPI_Finalize();
    return !flag || check_failures != 0;
}

#endif
