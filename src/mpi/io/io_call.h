/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The data access calls as data (14.4.1): positioning, coordination and
 * synchronism. Between io_calls.c, which has a row for each call, and io_call.c.
 */
#ifndef MPI_IO_CALL_H
#define MPI_IO_CALL_H

#include "mpi/io/io.h"

enum mpii_io_positioning { IO_AT, IO_OWN, IO_SHARED };

struct mpii_io_form {
    bool write;
    enum mpii_io_positioning positioning;
    bool all; /* with IO_SHARED: ordered */
    enum mpii_io_split split;
};
struct mpii_io_args {
    MPI_File fh;
    MPI_Offset offset; /* of IO_AT, in etypes */
    const void *buf;
    MPI_Count count;
    MPI_Datatype datatype;
};
int mpii_io_call_now(const struct mpii_io_form *form, const struct mpii_io_args *args, MPI_Status *status,
                     const char *call);
int mpii_io_call_started(const struct mpii_io_form *form, const struct mpii_io_args *args, MPI_Request *request,
                         const char *call);
int mpii_io_call_begin(const struct mpii_io_form *form, const struct mpii_io_args *args, const char *call);
int mpii_io_call_end(enum mpii_io_split split, MPI_File fh, const void *buf, MPI_Status *status, const char *call);

#endif
