/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of objects (7.8): what the calls of communicators, datatypes and windows
 * have in common.
 */
#include <string.h>

#include "mpi/mpii.h"

void mpii_name_keep(char name[MPI_MAX_OBJECT_NAME], const char *text)
{
    size_t n = strnlen(text, MPI_MAX_OBJECT_NAME - 1);

    memcpy(name, text, n);
    name[n] = '\0';
}

int mpii_name_give(void *object, const char *name, char *text, const char *arg, int *resultlen, const char *call)
{
    MPII_TRY(mpii_check_pointer(object, text, arg, call));
    MPII_TRY(mpii_check_pointer(object, resultlen, "resultlen", call));
    *resultlen = (int)strlen(name);
    memcpy(text, name, (size_t)*resultlen + 1);
    return MPI_SUCCESS;
}
