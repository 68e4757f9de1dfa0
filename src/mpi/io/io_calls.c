/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The data access calls of MPI-IO (14.4): each is a row.
 */
#include "mpi/io/io_call.h"

#define ARGS(offset_) &(struct mpii_io_args){fh, offset_, buf, count, datatype}

#define NOW(Name_, const_, write_, place_, all_)                                                                                         \
    int mpii_File_##Name_(MPI_File fh, const_ void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)                     \
    {                                                                                                                                     \
        return mpii_io_call_now(&(struct mpii_io_form){.write = write_, .place = place_, .all = all_}, ARGS(0), status, __func__);        \
    }
#define NOW_AT(Name_, const_, write_, all_)                                                                                               \
    int mpii_File_##Name_(MPI_File fh, MPI_Offset offset, const_ void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status)  \
    {                                                                                                                                     \
        return mpii_io_call_now(&(struct mpii_io_form){.write = write_, .place = IO_AT, .all = all_}, ARGS(offset), status, __func__);    \
    }
#define STARTED(Name_, const_, write_, place_, all_)                                                                                      \
    int mpii_File_##Name_(MPI_File fh, const_ void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request)                   \
    {                                                                                                                                     \
        return mpii_io_call_started(&(struct mpii_io_form){.write = write_, .place = place_, .all = all_}, ARGS(0), request, __func__);   \
    }
#define STARTED_AT(Name_, const_, write_, all_)                                                                                           \
    int mpii_File_##Name_(MPI_File fh, MPI_Offset offset, const_ void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) \
    {                                                                                                                                     \
        return mpii_io_call_started(&(struct mpii_io_form){.write = write_, .place = IO_AT, .all = all_}, ARGS(offset), request,           \
                                    __func__);                                                                                             \
    }
#define SPLIT_END(Name_, const_, split_)                                                                                                  \
    int mpii_File_##Name_##_end(MPI_File fh, const_ void *buf, MPI_Status *status)                                                       \
    {                                                                                                                                     \
        return mpii_io_call_end(split_, fh, buf, status, __func__);                                                                       \
    }
#define SPLIT(Name_, const_, write_, place_, split_)                                                                                      \
    int mpii_File_##Name_##_begin(MPI_File fh, const_ void *buf, MPI_Count count, MPI_Datatype datatype)                                 \
    {                                                                                                                                     \
        return mpii_io_call_begin(&(struct mpii_io_form){.write = write_, .place = place_, .all = true, .split = split_}, ARGS(0),         \
                                  __func__);                                                                                               \
    }                                                                                                                                     \
    SPLIT_END(Name_, const_, split_)
#define SPLIT_AT(Name_, const_, write_, split_)                                                                                           \
    int mpii_File_##Name_##_begin(MPI_File fh, MPI_Offset offset, const_ void *buf, MPI_Count count, MPI_Datatype datatype)              \
    {                                                                                                                                     \
        return mpii_io_call_begin(&(struct mpii_io_form){.write = write_, .place = IO_AT, .all = true, .split = split_}, ARGS(offset),     \
                                  __func__);                                                                                               \
    }                                                                                                                                     \
    SPLIT_END(Name_, const_, split_)

/* clang-format off */
/*         name             buffer  write  place      collective */
NOW_AT(    read_at,         ,       false,            false)
NOW_AT(    read_at_all,     ,       false,            true)
NOW(       read,            ,       false, IO_OWN,    false)
NOW(       read_all,        ,       false, IO_OWN,    true)
NOW(       read_shared,     ,       false, IO_SHARED, false)
NOW(       read_ordered,    ,       false, IO_SHARED, true)
NOW_AT(    write_at,        const,  true,             false)
NOW_AT(    write_at_all,    const,  true,             true)
NOW(       write,           const,  true,  IO_OWN,    false)
NOW(       write_all,       const,  true,  IO_OWN,    true)
NOW(       write_shared,    const,  true,  IO_SHARED, false)
NOW(       write_ordered,   const,  true,  IO_SHARED, true)

STARTED_AT(iread_at,        ,       false,            false)
STARTED_AT(iread_at_all,    ,       false,            true)
STARTED(   iread,           ,       false, IO_OWN,    false)
STARTED(   iread_all,       ,       false, IO_OWN,    true)
STARTED(   iread_shared,    ,       false, IO_SHARED, false)
STARTED_AT(iwrite_at,       const,  true,             false)
STARTED_AT(iwrite_at_all,   const,  true,             true)
STARTED(   iwrite,          const,  true,  IO_OWN,    false)
STARTED(   iwrite_all,      const,  true,  IO_OWN,    true)
STARTED(   iwrite_shared,   const,  true,  IO_SHARED, false)

SPLIT_AT(  read_at_all,     ,       false,            IO_READ_AT_ALL)
SPLIT(     read_all,        ,       false, IO_OWN,    IO_READ_ALL)
SPLIT(     read_ordered,    ,       false, IO_SHARED, IO_READ_ORDERED)
SPLIT_AT(  write_at_all,    const,  true,             IO_WRITE_AT_ALL)
SPLIT(     write_all,       const,  true,  IO_OWN,    IO_WRITE_ALL)
SPLIT(     write_ordered,   const,  true,  IO_SHARED, IO_WRITE_ORDERED)
