/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pack and unpack (5.2). The packed form is the elements' bytes one after the
 * other: MPI_Pack_size is exact.
 */
#include "mpi/type/pack.h"

int mpii_pack_place(struct mpii_comm *c, MPI_Count size, const void *position, MPI_Count n, const char *arg, int wide,
                    const char *call)
{
    MPI_Count at;

    MPII_TRY(mpii_check_pointer(c, position, "position", call));
    at = mpii_int_at(position, 0, wide);
    if (size < 0)
        return mpii_error(c, MPI_ERR_ARG, call, "%s is %lld, less than 0", arg, (long long)size);
    if (at < 0 || at > size)
        return mpii_error(c, MPI_ERR_ARG, call, "position is %lld; expected 0 to %s, which is %lld", (long long)at, arg,
                          (long long)size);
    if (n > size - at)
        return mpii_error(c, MPI_ERR_TRUNCATE, call, "%lld bytes do not fit: %s is %lld, position %lld", (long long)n,
                          arg, (long long)size, (long long)at);
    return MPI_SUCCESS;
}

/* Size of count elements: that it fits is checked here, too. */
static int check_elements(struct mpii_comm *c, MPI_Count count, const struct mpii_type *t, const char *arg,
                          MPI_Count *n, const char *call)
{
    MPII_TRY(mpii_check_count(c, count, arg, call));
    if (__builtin_mul_overflow(count, t->size, n))
        return mpii_error(c, MPI_ERR_VALUE_TOO_LARGE, call, "%s is %lld: in bytes that does not fit 63 bits", arg,
                          (long long)count);
    return MPI_SUCCESS;
}

int mpii_Pack(const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf, MPI_Count outsize,
              void *position, MPI_Comm comm, int wide)
{
    struct mpii_comm *c;
    struct mpii_type *t;
    MPI_Count n, at;

    MPII_TRY(mpii_check_comm(comm, &c, __func__));
    MPII_TRY(mpii_check_type(c, datatype, &t, "datatype", __func__));
    MPII_TRY(check_elements(c, incount, t, "incount", &n, __func__));
    MPII_TRY(mpii_pack_place(c, outsize, position, n, "outsize", wide, __func__));
    if (n == 0)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_buffer(c, inbuf, incount, t, "inbuf", __func__));
    MPII_TRY(mpii_check_pointer(c, outbuf, "outbuf", __func__));
    at = mpii_int_at(position, 0, wide);
    mpii_pack((char *)outbuf + at, inbuf, incount, t, 0, n);
    mpii_int_out(position, at + n, wide);
    return MPI_SUCCESS;
}

int mpii_Unpack(const void *inbuf, MPI_Count insize, void *position, void *outbuf, MPI_Count outcount,
                MPI_Datatype datatype, MPI_Comm comm, int wide)
{
    struct mpii_comm *c;
    struct mpii_type *t;
    MPI_Count n, at;

    MPII_TRY(mpii_check_comm(comm, &c, __func__));
    MPII_TRY(mpii_check_type(c, datatype, &t, "datatype", __func__));
    MPII_TRY(check_elements(c, outcount, t, "outcount", &n, __func__));
    MPII_TRY(mpii_pack_place(c, insize, position, n, "insize", wide, __func__));
    if (n == 0)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_buffer(c, outbuf, outcount, t, "outbuf", __func__));
    MPII_TRY(mpii_check_pointer(c, inbuf, "inbuf", __func__));
    at = mpii_int_at(position, 0, wide);
    mpii_unpack(outbuf, outcount, t, 0, (const char *)inbuf + at, n);
    mpii_int_out(position, at + n, wide);
    return MPI_SUCCESS;
}

int mpii_Pack_size(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, void *size, int wide)
{
    struct mpii_comm *c;
    struct mpii_type *t;
    MPI_Count n;

    MPII_TRY(mpii_check_comm(comm, &c, __func__));
    MPII_TRY(mpii_check_type(c, datatype, &t, "datatype", __func__));
    MPII_TRY(check_elements(c, incount, t, "incount", &n, __func__));
    MPII_TRY(mpii_check_pointer(c, size, "size", __func__));
    mpii_int_out(size, n, wide);
    return MPI_SUCCESS;
}
