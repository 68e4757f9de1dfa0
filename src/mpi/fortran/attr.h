/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of attributes that Fortran sets. C sees them as addresses of integers
 * (19.3.7): each lies in a cell of ours, which is known by where it is.
 */
#ifndef MPI_FORTRAN_ATTR_H
#define MPI_FORTRAN_ATTR_H

#include "fortran.h"

void *mpif_cell(MPI_Aint value); /* a new one; NULL: out of memory */
void mpif_cell_free(void *p);    /* nothing when p is no cell: C set that attribute */
/* What Fortran sees of an attribute: a cell's value, or the address that C has set. */
MPI_Aint mpif_cell_value(void *p);

#endif
