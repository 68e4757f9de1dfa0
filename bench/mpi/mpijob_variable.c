/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variable of mpijob_variable.h: found by its name, set on this rank only.
 */
#include "mpijob_variable.h"

#include <string.h>

static MPI_T_cvar_handle handle;
static bool begun, have;

static bool find(int i)
{
    char name[256] = "";
    int length = sizeof name, verbosity, bind, scope = MPI_T_SCOPE_CONSTANT, n;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum values;

    if (MPI_T_cvar_get_info(i, name, &length, &verbosity, &type, &values, NULL, NULL, &bind, &scope) != MPI_SUCCESS)
        return false;
    return strcmp(name, MPIJOB_VARIABLE) == 0 && scope == MPI_T_SCOPE_LOCAL && type == MPI_UNSIGNED_LONG_LONG &&
           MPI_T_cvar_handle_alloc(i, NULL, &handle, &n) == MPI_SUCCESS;
}

bool mpijob_variable_open(void)
{
    int provided, count = 0;

    begun = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
    have = false;
    if (begun)
        MPI_T_cvar_get_num(&count);
    for (int i = 0; i < count && !have; i++)
        have = find(i);
    return mpijob_agree(have);
}

void mpijob_variable_close(void)
{
    if (have)
        MPI_T_cvar_handle_free(&handle);
    if (begun)
        MPI_T_finalize();
    have = begun = false;
}

unsigned long long mpijob_variable_get(void)
{
    unsigned long long bytes = 0;

    if (MPI_T_cvar_read(handle, &bytes) != MPI_SUCCESS)
        mpijob_fatal("%s can't be read", MPIJOB_VARIABLE);
    return bytes;
}

void mpijob_variable_set(unsigned long long bytes)
{
    if (MPI_T_cvar_write(handle, &bytes) != MPI_SUCCESS)
        mpijob_fatal("%s can't be set to %llu", MPIJOB_VARIABLE, bytes);
}
