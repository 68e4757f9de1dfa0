/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Statuses (3.2.5, 12.3): MPI_internal holds the cancelled flag and the bytes
 * received, from which counts are computed with the type at hand.
 */
#include "mpi/request/request.h"

#include <string.h>

enum { CANCELLED_AT = 0, BYTES_AT = 1 }; /* of MPI_internal: [1] is aligned to 8 bytes */

static void set_bytes(MPI_Status *status, MPI_Count bytes)
{
    memcpy(&status->MPI_internal[BYTES_AT], &bytes, sizeof bytes);
}

void mpii_status_set(MPI_Status *status, int source, int tag, MPI_Count bytes, bool cancelled)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    status->MPI_internal[CANCELLED_AT] = cancelled;
    set_bytes(status, bytes);
}

MPI_Count mpii_status_bytes(const MPI_Status *status)
{
    MPI_Count bytes;

    memcpy(&bytes, &status->MPI_internal[BYTES_AT], sizeof bytes);
    return bytes;
}

void mpii_status_empty(MPI_Status *status)
{
    mpii_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    if (status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = MPI_SUCCESS; /* 3.7.3: the empty status */
}

static int check_status(const MPI_Status *status, const char *call)
{
    return MPT_LIKELY(status != MPI_STATUS_IGNORE)
               ? MPI_SUCCESS
               : mpii_error(NULL, MPI_ERR_ARG, call, "status is NULL (MPI_STATUS_IGNORE holds nothing)");
}

/* A type may be asked about before it is committed. */
static int check(const MPI_Status *status, MPI_Datatype datatype, const void *out, const char *call,
                 struct mpii_type **t)
{
    MPII_TRY(check_status(status, call));
    MPII_TRY(mpii_check_pointer(NULL, out, "count", call));
    *t = mpii_type_of(datatype);
    return *t ? MPI_SUCCESS : mpii_check_type(NULL, datatype, t, "datatype", call);
}

int mpii_Get_count(const MPI_Status *status, MPI_Datatype datatype, void *count, int wide)
{
    struct mpii_type *t;
    MPI_Count bytes, n;

    MPII_TRY(check(status, datatype, count, __func__, &t));
    bytes = mpii_status_bytes(status);
    if (t->size == 0)
        n = bytes == 0 ? 0 : MPI_UNDEFINED;
    else
        n = bytes % t->size == 0 ? bytes / t->size : MPI_UNDEFINED;
    mpii_int_out(count, n, wide);
    return MPI_SUCCESS;
}

int mpii_Get_elements(const MPI_Status *status, MPI_Datatype datatype, void *count, int wide)
{
    struct mpii_type *t;

    MPII_TRY(check(status, datatype, count, __func__, &t));
    mpii_int_out(count, mpii_elements(t, mpii_status_bytes(status)), wide);
    return MPI_SUCCESS;
}

int mpii_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    struct mpii_type *t;

    MPII_TRY(check(status, datatype, count, __func__, &t));
    *count = mpii_elements(t, mpii_status_bytes(status));
    return MPI_SUCCESS;
}

static int set_elements(MPI_Status *status, MPI_Datatype datatype, MPI_Count count, const char *call)
{
    struct mpii_type *t;
    MPI_Count bytes;

    MPII_TRY(check(status, datatype, status, call, &t));
    MPII_TRY(mpii_check_count(NULL, count, "count", call));
    bytes = mpii_elements_bytes(t, count);
    set_bytes(status, bytes == MPI_UNDEFINED ? 0 : bytes); /* a type without elements has no bytes */
    return MPI_SUCCESS;
}

int mpii_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    return set_elements(status, datatype, count, __func__);
}

int mpii_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    return set_elements(status, datatype, count, __func__);
}

int mpii_Status_set_cancelled(MPI_Status *status, int flag)
{
    MPII_TRY(check_status(status, __func__));
    status->MPI_internal[CANCELLED_AT] = flag != 0;
    return MPI_SUCCESS;
}

int mpii_Test_cancelled(const MPI_Status *status, int *flag)
{
    MPII_TRY(check_status(status, __func__));
    MPII_TRY(mpii_check_pointer(NULL, flag, "flag", __func__));
    *flag = status->MPI_internal[CANCELLED_AT] != 0;
    return MPI_SUCCESS;
}

/* The fields by functions (MPI-4.1). */
int mpii_Status_get_source(const MPI_Status *status, int *source)
{
    MPII_TRY(check_status(status, __func__));
    MPII_TRY(mpii_check_pointer(NULL, source, "source", __func__));
    *source = status->MPI_SOURCE;
    return MPI_SUCCESS;
}

int mpii_Status_get_tag(const MPI_Status *status, int *tag)
{
    MPII_TRY(check_status(status, __func__));
    MPII_TRY(mpii_check_pointer(NULL, tag, "tag", __func__));
    *tag = status->MPI_TAG;
    return MPI_SUCCESS;
}

int mpii_Status_get_error(const MPI_Status *status, int *err)
{
    MPII_TRY(check_status(status, __func__));
    MPII_TRY(mpii_check_pointer(NULL, err, "err", __func__));
    *err = status->MPI_ERROR;
    return MPI_SUCCESS;
}

int mpii_Status_set_source(MPI_Status *status, int source)
{
    MPII_TRY(check_status(status, __func__));
    status->MPI_SOURCE = source;
    return MPI_SUCCESS;
}

int mpii_Status_set_tag(MPI_Status *status, int tag)
{
    MPII_TRY(check_status(status, __func__));
    status->MPI_TAG = tag;
    return MPI_SUCCESS;
}

int mpii_Status_set_error(MPI_Status *status, int err)
{
    MPII_TRY(check_status(status, __func__));
    status->MPI_ERROR = err;
    return MPI_SUCCESS;
}
