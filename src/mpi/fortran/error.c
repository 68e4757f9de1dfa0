/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Errors that the Fortran side finds itself, and what it tells the library first.
 */
#include "fortran.h"

int mpif_error(int code)
{
    int up = 0, down = 1;

    PMPI_Initialized(&up);
    PMPI_Finalized(&down);
    if (up && !down)
        PMPI_Comm_call_errhandler(MPI_COMM_SELF, code);
    return code;
}

int mpif_no_memory(void)
{
    return mpif_error(MPI_ERR_NO_MEM);
}

/* Once: a second time, or after a program that said it itself, would be an error. */
void mpif_start(void)
{
    int yes = 1, no = 0, have_yes = 0, have_no = 0, set = 0;

    if (PMPI_Abi_get_fortran_booleans(sizeof yes, &have_yes, &have_no, &set) == MPI_SUCCESS && !set)
        PMPI_Abi_set_fortran_booleans(sizeof yes, &yes, &no);
}
