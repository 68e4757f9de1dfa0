/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses as integers (5.1.5): plain ones, so that sums and differences are.
 */
#include "mpi/mpii.h"

int mpii_Get_address(const void *location, MPI_Aint *address)
{
    MPII_TRY(mpii_check_pointer(NULL, address, "address", __func__));
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
}

MPI_Aint mpii_Aint_add(MPI_Aint base, MPI_Aint disp)
{
    return base + disp;
}

MPI_Aint mpii_Aint_diff(MPI_Aint addr1, MPI_Aint addr2)
{
    return addr1 - addr2;
}
