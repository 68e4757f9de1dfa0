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

/* The largest code in use: the attribute MPI_LASTUSEDCODE points here. */
extern int mpii_last_used_code;

/* What was last raised in this thread, by code: Error_string tells it too. */
struct mpii_last_error {
    int code;
    char text[384];
};
extern _Thread_local struct mpii_last_error mpii_last_error;

/* Call the handler of an object (or of nothing: NULL) for `code`; text: what a fatal one prints. Returns if it does. */
int mpii_handle_error(struct mpii_anchor *anchor, int code, const char *text);

/* "communicator MPI_COMM_WORLD rank 2": in a buffer of the caller's. */
const char *mpii_object_name(const struct mpii_anchor *anchor, char *text, size_t n);

#endif
