/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C half of interop.F90 and sections_coll.F90: procedures that Fortran calls, for
 * handles, statuses and attributes that cross the border (19.3). Each returns 0 or
 * says what is wrong.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int wrong(const char *what)
{
    fprintf(stderr, "FAIL in C: %s\n", what);
    return 1;
}

/* An attribute set by Fortran: C gets the address of an MPI_Aint (or of an int: the deprecated call). */
int c_attribute_of_fortran_(const MPI_Fint *comm, const int *keyval, const MPI_Aint *expected)
{
    void *p = NULL;
    int flag = 0;

    MPI_Comm_get_attr(MPI_Comm_f2c(*comm), *keyval, &p, &flag);
    return flag && *(MPI_Aint *)p == *expected ? 0 : wrong("an attribute that Fortran has set");
}

static char here;

/* An attribute set by C: Fortran gets its address as an integer. */
int c_set_attribute_(const MPI_Fint *comm, const int *keyval, MPI_Aint *address)
{
    *address = (MPI_Aint)&here;
    return MPI_Comm_set_attr(MPI_Comm_f2c(*comm), *keyval, &here);
}

int c_status_(const MPI_Fint *f_status, const int *source, const int *tag, const int *count)
{
    MPI_Status status;
    int n = -1;

    if (MPI_Status_f2c(f_status, &status) != MPI_SUCCESS || status.MPI_SOURCE != *source || status.MPI_TAG != *tag)
        return wrong("a status from Fortran");
    MPI_Get_count(&status, MPI_INTEGER, &n);
    return n == *count ? 0 : wrong("its count");
}

/* Gives a status to Fortran. */
int c_make_status_(MPI_Fint *f_status)
{
    MPI_Status status = {.MPI_SOURCE = 11};

    MPI_Status_set_tag(&status, 12);
    MPI_Status_set_elements(&status, MPI_REAL, 13);
    return MPI_Status_c2f(&status, f_status);
}

/* Every handle goes through C and comes back as it was; C uses the type and the op. */
int c_handles_(const MPI_Fint *comm, const MPI_Fint *type, const MPI_Fint *op, const MPI_Fint *group)
{
    int size = -1, members = -2, data[2] = {1, 5}, sum[2] = {10, 10};

    if (MPI_Comm_c2f(MPI_Comm_f2c(*comm)) != *comm || MPI_Type_c2f(MPI_Type_f2c(*type)) != *type ||
        MPI_Op_c2f(MPI_Op_f2c(*op)) != *op || MPI_Group_c2f(MPI_Group_f2c(*group)) != *group)
        return wrong("handles there and back");
    MPI_Comm_size(MPI_Comm_f2c(*comm), &size);
    MPI_Group_size(MPI_Group_f2c(*group), &members);
    if (size != members)
        return wrong("a group from Fortran");
    if (MPI_Reduce_local(data, sum, 1, MPI_Type_f2c(*type), MPI_Op_f2c(*op)) != MPI_SUCCESS)
        return wrong("reduce_local");
    return sum[0] == 11 && sum[1] == 15 ? 0 : wrong("a Fortran operation called by C");
}

int c_null_status_(void)
{
    MPI_Fint f[MPI_F_STATUS_SIZE] = {0};

    return MPI_Status_f2c(NULL, (MPI_Status *)(void *)f) == MPI_ERR_ARG ? 0 : wrong("no status to copy");
}

/* Fortran's constants, in the order of the standard's list (A.1.1). */
int c_lengths_(const int *lengths)
{
    static const int here[] = {MPI_MAX_DATAREP_STRING, MPI_MAX_ERROR_STRING,           MPI_MAX_INFO_KEY,
                               MPI_MAX_INFO_VAL,       MPI_MAX_LIBRARY_VERSION_STRING, MPI_MAX_OBJECT_NAME,
                               MPI_MAX_PORT_NAME,      MPI_MAX_PROCESSOR_NAME,         MPI_MAX_PSET_NAME_LEN,
                               MPI_MAX_STRINGTAG_LEN};

    for (size_t i = 0; i < sizeof here / sizeof *here; i++)
        if (lengths[i] != here[i] - 1)
            return wrong("the length of a string");
    return 0;
}

/* C completes what Fortran has started. */
int c_wait_(const MPI_Fint *request)
{
    MPI_Request r = MPI_Request_f2c(*request);

    return MPI_Wait(&r, MPI_STATUS_IGNORE);
}
