/* SPDX-License-Identifier: BSD-3-Clause */
/* For launcher.py: processes end in one way or another; rank 1 is the one who dies. */
#include "ft.h"

static void go_on(void)
{
    int flag = 1;

    ft_await_death(MPI_COMM_WORLD, 1);
    MPIX_Comm_failure_ack(MPI_COMM_WORLD);
    if (MPIX_Comm_agree(MPI_COMM_WORLD, &flag) == MPI_SUCCESS)
        printf("rank %d has survived\n", mc_rank);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "outside") == 0 && argc > 1) {
        const char *job = getenv("MPT_JOB"), *pe = job ? strrchr(job, ':') : NULL;

        if (pe && atoi(pe + 1) == 2) { /* it has not called MPI_Init */
            sleep(20);
            return 0;
        }
        MPI_Session session;

        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
        if (pe && atoi(pe + 1) == 1)
            ft_die();
        sleep(20);
        return 0;
    }
    ft_start();
    if (strcmp(what, "all") == 0)
        ft_die();
    if (strcmp(what, "abort") == 0 && mc_rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (mc_rank == 1) {
        if (strncmp(what, "exit", 4) == 0)
            exit(atoi(what + 4));
        ft_die();
    }
    if (strcmp(what, "fatal") == 0)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    if (strcmp(what, "fatal") == 0 || strcmp(what, "abort") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    go_on();
    MPI_Finalize();
    if (strcmp(what, "late") == 0) { /* one dies when it has finalized, while another goes on for a while */
        if (mc_rank == 2)
            ft_die();
        usleep(300000);
        puts("it has gone on");
    }
    return strcmp(what, "status") == 0 && mc_rank == 2 ? 5 : 0;
}
