/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inquiries about the environment (9.1, 9.6): versions, the machine, the clock.
 */
#include <string.h>

#include "core/base/clock.h"
#include "mpi/mpii.h"
#include "mpt/version.h"

int mpii_Get_version(int *version, int *subversion)
{
    MPII_TRY(mpii_check_pointer(NULL, version, "version", __func__));
    MPII_TRY(mpii_check_pointer(NULL, subversion, "subversion", __func__));
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

int mpii_Get_library_version(char *version, int *resultlen)
{
    MPII_TRY(mpii_check_pointer(NULL, version, "version", __func__));
    MPII_TRY(mpii_check_pointer(NULL, resultlen, "resultlen", __func__));
    *resultlen = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "MPT %s, MPI %d.%d with the standard ABI %d.%d",
                          MPT_VERSION, MPI_VERSION, MPI_SUBVERSION, MPI_ABI_VERSION, MPI_ABI_SUBVERSION);
    return MPI_SUCCESS;
}

int mpii_Get_processor_name(char *name, int *resultlen)
{
    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_pointer(NULL, name, "name", __func__));
    MPII_TRY(mpii_check_pointer(NULL, resultlen, "resultlen", __func__));
    snprintf(name, MPI_MAX_PROCESSOR_NAME, "%s", core_host(core_me()));
    *resultlen = (int)strlen(name);
    return MPI_SUCCESS;
}

double mpii_Wtime(void)
{
    return core_clock_seconds();
}

double mpii_Wtick(void)
{
    return core_clock_step();
}

/* 15.2.4: of what is recorded. */
int mpii_Pcontrol(const int level)
{
    if (core_trace_on())
        core_trace_control(level);
    return MPI_SUCCESS;
}
