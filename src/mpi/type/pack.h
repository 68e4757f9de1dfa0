/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What pack.c, pack_external.c and pack_convert.c share.
 */
#ifndef MPI_PACK_H
#define MPI_PACK_H

#include "mpi/type/type.h"

/* Are n bytes from *position (an int, or 64 bits) on in the user's buffer of `size` bytes? c: for errors, or NULL. */
int mpii_pack_place(struct mpii_comm *c, MPI_Count size, const void *position, MPI_Count n, const char *arg, int wide,
                    const char *call);

/* n elements of one basic type from here to external32, and back. */
void mpii_convert_out(char *to, const char *from, MPI_Count n, const struct mpii_basic *row);
void mpii_convert_in(char *to, const char *from, MPI_Count n, const struct mpii_basic *row);

#endif
