/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: resource-leak
 * pes: 1 2 3
 *
 * Info objects and error handlers may be made before MPI begins, and freed when it has ended; at exit they are leaks.
 */
#include <mpi.h>

static void on_error(MPI_Session *session, int *code, ...)
{
    (void)session;
    (void)code;
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    MPI_Info info, copy;

    MPI_Info_create(&info);
    MPI_Init(&argc, &argv);
    MPI_Session_create_errhandler(on_error, &handler); // found
    MPI_Info_set(info, "name", "value");
    MPI_Info_dup(info, &copy); // found
    MPI_Finalize();
    MPI_Info_free(&info);
#ifndef WRONG
    MPI_Info_free(&copy);
    MPI_Errhandler_free(&handler);
#endif
    return 0;
}
