/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A datatype is freed after MPI has been finalized: only a few calls may be made then (MPI-5.0, 11.4.1).
 * check: call-order resource-leak
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype pair;
    MPI_Info info;
    int flag;

    MPI_Info_create(&info);
    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(2, MPI_INT, &pair); // found
#ifndef WRONG
    MPI_Type_free(&pair);
#endif
    MPI_Finalize();
    MPI_Finalized(&flag);
    MPI_Info_free(&info);
#ifdef WRONG
    MPI_Type_free(&pair); // found
#endif
    return flag ? 0 : 1;
}
