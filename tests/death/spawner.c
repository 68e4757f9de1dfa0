/* SPDX-License-Identifier: BSD-3-Clause */
/* For launcher.py: a job of MPI that computes for ever and, asked to `spawn`, first starts another one that does so. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    volatile unsigned long n = 0;
    MPI_Comm parent, children;
    FILE *f;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (argc > 2 && strcmp(argv[2], "spawn") == 0)
        MPI_Comm_spawn(argv[0], (char *[]){argv[1], (char *)"no", NULL}, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                       MPI_ERRCODES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!(argc > 2 && strcmp(argv[2], "spawn") == 0) && (f = fopen(argv[1], "w")))
        fclose(f);
    for (;;)
        n++;
}
