/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The data access calls of MPI-IO (14.4): each names its form and passes its
 * arguments on.
 */
#include "mpi/io/io_call.h"

#define ARGS(offset_) &(struct mpii_io_args){fh, offset_, buf, count, datatype}

int mpii_File_read_at(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
                      MPI_Status *status)
{
    return mpii_io_call_now(&(struct mpii_io_form){.write = false, .positioning = IO_AT, .all = false}, ARGS(offset),
                            status, __func__);
}

int mpii_File_read_at_all(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
                          MPI_Status *status)
{
    return mpii_io_call_now(&(struct mpii_io_form){.write = false, .positioning = IO_AT, .all = true}, ARGS(offset),
                            status, __func__);
}

int mpii_File_read(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return mpii_io_call_now(&(struct mpii_io_form){.write = false, .positioning = IO_OWN, .all = false}, ARGS(0),
                            status, __func__);
}

int mpii_File_read_all(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return mpii_io_call_now(&(struct mpii_io_form){.write = false, .positioning = IO_OWN, .all = true}, ARGS(0), status,
                            __func__);
}

int mpii_File_read_shared(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return mpii_io_call_now(&(struct mpii_io_form){.write = false, .positioning = IO_SHARED, .all = false}, ARGS(0),
                            status, __func__);
}

int mpii_File_read_ordered(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return mpii_io_call_now(&(struct mpii_io_form){.write = false, .positioning = IO_SHARED, .all = true}, ARGS(0),
                            status, __func__);
}

int mpii_File_write_at(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Status *status)
{
    return mpii_io_call_now(&(struct mpii_io_form){.write = true, .positioning = IO_AT, .all = false}, ARGS(offset),
                            status, __func__);
}

int mpii_File_write_at_all(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
                           MPI_Status *status)
{
    return mpii_io_call_now(&(struct mpii_io_form){.write = true, .positioning = IO_AT, .all = true}, ARGS(offset),
                            status, __func__);
}

int mpii_File_write(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return mpii_io_call_now(&(struct mpii_io_form){.write = true, .positioning = IO_OWN, .all = false}, ARGS(0), status,
                            __func__);
}

int mpii_File_write_all(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return mpii_io_call_now(&(struct mpii_io_form){.write = true, .positioning = IO_OWN, .all = true}, ARGS(0), status,
                            __func__);
}

int mpii_File_write_shared(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return mpii_io_call_now(&(struct mpii_io_form){.write = true, .positioning = IO_SHARED, .all = false}, ARGS(0),
                            status, __func__);
}

int mpii_File_write_ordered(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)
{
    return mpii_io_call_now(&(struct mpii_io_form){.write = true, .positioning = IO_SHARED, .all = true}, ARGS(0),
                            status, __func__);
}

int mpii_File_iread_at(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Request *request)
{
    return mpii_io_call_started(&(struct mpii_io_form){.write = false, .positioning = IO_AT, .all = false},
                                ARGS(offset), request, __func__);
}

int mpii_File_iread_at_all(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
                           MPI_Request *request)
{
    return mpii_io_call_started(&(struct mpii_io_form){.write = false, .positioning = IO_AT, .all = true}, ARGS(offset),
                                request, __func__);
}

int mpii_File_iread(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    return mpii_io_call_started(&(struct mpii_io_form){.write = false, .positioning = IO_OWN, .all = false}, ARGS(0),
                                request, __func__);
}

int mpii_File_iread_all(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    return mpii_io_call_started(&(struct mpii_io_form){.write = false, .positioning = IO_OWN, .all = true}, ARGS(0),
                                request, __func__);
}

int mpii_File_iread_shared(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    return mpii_io_call_started(&(struct mpii_io_form){.write = false, .positioning = IO_SHARED, .all = false}, ARGS(0),
                                request, __func__);
}

int mpii_File_iwrite_at(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
                        MPI_Request *request)
{
    return mpii_io_call_started(&(struct mpii_io_form){.write = true, .positioning = IO_AT, .all = false}, ARGS(offset),
                                request, __func__);
}

int mpii_File_iwrite_at_all(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
                            MPI_Request *request)
{
    return mpii_io_call_started(&(struct mpii_io_form){.write = true, .positioning = IO_AT, .all = true}, ARGS(offset),
                                request, __func__);
}

int mpii_File_iwrite(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    return mpii_io_call_started(&(struct mpii_io_form){.write = true, .positioning = IO_OWN, .all = false}, ARGS(0),
                                request, __func__);
}

int mpii_File_iwrite_all(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    return mpii_io_call_started(&(struct mpii_io_form){.write = true, .positioning = IO_OWN, .all = true}, ARGS(0),
                                request, __func__);
}

int mpii_File_iwrite_shared(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)
{
    return mpii_io_call_started(&(struct mpii_io_form){.write = true, .positioning = IO_SHARED, .all = false}, ARGS(0),
                                request, __func__);
}

int mpii_File_read_at_all_begin(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype)
{
    return mpii_io_call_begin(
        &(struct mpii_io_form){.write = false, .positioning = IO_AT, .all = true, .split = IO_READ_AT_ALL},
        ARGS(offset), __func__);
}

int mpii_File_read_at_all_end(MPI_File fh, void *buf, MPI_Status *status)
{
    return mpii_io_call_end(IO_READ_AT_ALL, fh, buf, status, __func__);
}

int mpii_File_read_all_begin(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype)
{
    return mpii_io_call_begin(
        &(struct mpii_io_form){.write = false, .positioning = IO_OWN, .all = true, .split = IO_READ_ALL}, ARGS(0),
        __func__);
}

int mpii_File_read_all_end(MPI_File fh, void *buf, MPI_Status *status)
{
    return mpii_io_call_end(IO_READ_ALL, fh, buf, status, __func__);
}

int mpii_File_read_ordered_begin(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype)
{
    return mpii_io_call_begin(
        &(struct mpii_io_form){.write = false, .positioning = IO_SHARED, .all = true, .split = IO_READ_ORDERED},
        ARGS(0), __func__);
}

int mpii_File_read_ordered_end(MPI_File fh, void *buf, MPI_Status *status)
{
    return mpii_io_call_end(IO_READ_ORDERED, fh, buf, status, __func__);
}

int mpii_File_write_at_all_begin(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count,
                                 MPI_Datatype datatype)
{
    return mpii_io_call_begin(
        &(struct mpii_io_form){.write = true, .positioning = IO_AT, .all = true, .split = IO_WRITE_AT_ALL},
        ARGS(offset), __func__);
}

int mpii_File_write_at_all_end(MPI_File fh, const void *buf, MPI_Status *status)
{
    return mpii_io_call_end(IO_WRITE_AT_ALL, fh, buf, status, __func__);
}

int mpii_File_write_all_begin(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype)
{
    return mpii_io_call_begin(
        &(struct mpii_io_form){.write = true, .positioning = IO_OWN, .all = true, .split = IO_WRITE_ALL}, ARGS(0),
        __func__);
}

int mpii_File_write_all_end(MPI_File fh, const void *buf, MPI_Status *status)
{
    return mpii_io_call_end(IO_WRITE_ALL, fh, buf, status, __func__);
}

int mpii_File_write_ordered_begin(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype)
{
    return mpii_io_call_begin(
        &(struct mpii_io_form){.write = true, .positioning = IO_SHARED, .all = true, .split = IO_WRITE_ORDERED},
        ARGS(0), __func__);
}

int mpii_File_write_ordered_end(MPI_File fh, const void *buf, MPI_Status *status)
{
    return mpii_io_call_end(IO_WRITE_ORDERED, fh, buf, status, __func__);
}
