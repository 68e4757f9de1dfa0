/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MY_PE and NUM_PES, which were intrinsic functions on the T3D: they start the
 * job if need be. Weak and by themselves, because programs have functions of
 * these names too.
 */
#include "shmem/fortran/fortran.h"

#pragma weak my_pe_
#pragma weak num_pes_

SHMEMF_PUBLIC shmemf_int my_pe_(void)
{
    return shmemf_number(_my_pe());
}

SHMEMF_PUBLIC shmemf_int num_pes_(void)
{
    return shmemf_number(_num_pes());
}
