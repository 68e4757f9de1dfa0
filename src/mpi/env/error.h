/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the environment's own files tell each other about error codes and handlers.
 */
#ifndef MPI_ERROR_H
#define MPI_ERROR_H

#include "mpi/mpii.h"

/* "MPI_ERR_RANK", or "error code 16390 of class 16385" for the user's: in a buffer of the caller's. */
const char *mpii_error_name(int code, char *text, size_t n);

/* Class of an error code; false: it is none. */
bool mpii_error_class(int code, int *class);

/* Of errors that are no defects of the program: it calls the handler itself. */
extern const struct mpii_blame mpii_blame_nobody;

/* Call the handler of an object (or of nothing: NULL) for `code`; text: what a fatal one prints. Returns if it does. */
int mpii_handle_error(struct mpii_anchor *anchor, int code, const char *text);

/* "communicator MPI_COMM_WORLD rank 2": in a buffer of the caller's. */
const char *mpii_object_name(const struct mpii_anchor *anchor, char *text, size_t n);

#endif
