/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses as integers (5.1.5): plain ones, so that sums and differences are.
 */
#include "mpi/mpii.h"

static int get(const void *location, MPI_Aint *address, const char *call)
{
    MPII_TRY(mpii_check_pointer(NULL, address, "address", call));
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
}

int mpii_Get_address(const void *location, MPI_Aint *address)
{
    return get(location, address, __func__);
}

int mpii_Address(const void *location, MPI_Aint *address) /* MPI-1 */
{
    return get(location, address, __func__);
}

MPI_Aint mpii_Aint_add(MPI_Aint base, MPI_Aint disp)
{
    return base + disp;
}

MPI_Aint mpii_Aint_diff(MPI_Aint addr1, MPI_Aint addr2)
{
    return addr1 - addr2;
}
