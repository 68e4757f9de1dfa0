/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The data access calls as data (14.4.1): positioning, coordination and
 * synchronism. Between io_calls.c, which has a row for each call, and io_call.c.
 */
#ifndef MPI_IO_CALL_H
#define MPI_IO_CALL_H

#include "mpi/io.h"

enum io_place { IO_AT, IO_OWN, IO_SHARED };

struct io_form {
    bool write;
    enum io_place place;
    bool all; /* with IO_SHARED: ordered */
    enum io_split split;
};
struct io_args {
    MPI_File fh;
    MPI_Offset offset; /* of IO_AT, in etypes */
    const void *buf;
    MPI_Count count;
    MPI_Datatype datatype;
};
int io_call_now(const struct io_form *form, const struct io_args *args, MPI_Status *status, const char *call);
int io_call_started(const struct io_form *form, const struct io_args *args, MPI_Request *request, const char *call);
int io_call_begin(const struct io_form *form, const struct io_args *args, const char *call);
int io_call_end(enum io_split split, MPI_File fh, const void *buf, MPI_Status *status, const char *call);

#endif
