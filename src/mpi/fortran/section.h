/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Choice buffers of mpi_f08 as descriptors (TYPE(*), DIMENSION(..) of BIND(C)
 * interfaces). A contiguous one is its address; of others a call gets a view: one
 * element of a datatype that describes the section, or a copy of it.
 */
#ifndef MPI_FORTRAN_SECTION_H
#define MPI_FORTRAN_SECTION_H

#include <ISO_Fortran_binding.h>

#include "fortran.h"

/* Is its address all there is to know? Not for some arrays without elements, which no view minds. */
static inline bool mpif_flat(const CFI_cdesc_t *d)
{
    size_t bytes = d->elem_len;

    for (int i = 0; i < d->rank; i++) {
        if (d->dim[i].extent != 1 && d->dim[i].sm != (CFI_index_t)bytes)
            return !d->base_addr;
        bytes *= (size_t)d->dim[i].extent; /* assumed size: -1, of the last */
    }
    return true;
}

/* One argument of a call under way. All functions but close return an error code, and have raised it. */
struct mpif_copy;
struct mpif_kept;
struct mpif_view {
    void *at;  /* the address to call with */
    int type;  /* and the type, as Fortran has it */
    bool typed; /* type is ours, and one element of it is the argument */
    struct mpif_copy *copy; /* or `at` is in it */
    struct mpif_kept *kept; /* of the first view: has the copies of all */
};

/* count elements of datatype; of a blocking call, which writes there or not: few are copied. */
int mpif_view_typed(struct mpif_view *v, const CFI_cdesc_t *d, MPI_Count count, int datatype, const char *call, const char *arg);
int mpif_view_now(struct mpif_view *v, const CFI_cdesc_t *d, MPI_Count count, int datatype, bool back, const char *call, const char *arg);
/* Whatever the call makes of the buffer; back: it may write there. */
int mpif_view_copied(struct mpif_view *v, const CFI_cdesc_t *d, bool back);
/* Memory that must be contiguous: its first element of datatype, or all of it. */
int mpif_view_first(struct mpif_view *v, const CFI_cdesc_t *d, int datatype, const char *call, const char *arg);
int mpif_view_whole(struct mpif_view *v, const CFI_cdesc_t *d, const char *call, const char *arg);

/* After the call: what it wrote goes into the sections. */
void mpif_views_back(struct mpif_view *v, int n);
/* Or: before a call that gives a request, and after it, when it has. */
int mpif_views_later(struct mpif_view *v, int n);
int mpif_views_keep(struct mpif_view *v, int request);
void mpif_views_close(struct mpif_view *v, int n);

#endif
