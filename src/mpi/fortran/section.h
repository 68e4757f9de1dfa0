/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Choice buffers of mpi_f08 as descriptors (TYPE(*), DIMENSION(..)). A contiguous
 * one is its address; of others a call gets a view: one element of a datatype that
 * describes the section, or a copy of it.
 */
#ifndef MPI_FORTRAN_SECTION_H
#define MPI_FORTRAN_SECTION_H

#include "fortran.h"

/* gfortran's descriptor of an array, since its version 9 (not CFI_cdesc_t: docs/adr/0027-fortran-sections.md). */
struct mpif_array {
    void *base_addr; /* the first element; NULL: not allocated, not associated */
    size_t offset;
    struct {
        size_t elem_len;
        int version;
        signed char rank, type;
        short attribute;
    } dtype;
    MPI_Aint
        span; /* bytes of a stride of 1: more than elem_len of a pointer to components, and of polymorphic arrays */
    struct {
        MPI_Aint stride, lower, upper; /* an assumed size is an extent of -1 */
    } dim[15];
};

/* Bytes of an element. Of a polymorphic array elem_len is the declared type's, and only span the dynamic one's. */
static inline MPI_Aint mpif_element(const struct mpif_array *d)
{
    enum { DERIVED = 5, CLASS = 7 };

    return d->dtype.rank > 0 && (d->dtype.type == DERIVED || d->dtype.type == CLASS) ? d->span
                                                                                     : (MPI_Aint)d->dtype.elem_len;
}

/* Is its address all there is to know? Not for some arrays without elements, which no view minds. */
static inline bool mpif_flat(const struct mpif_array *d)
{
    MPI_Aint bytes = mpif_element(d);

    for (int i = 0; i < d->dtype.rank; i++) {
        MPI_Aint extent = d->dim[i].upper - d->dim[i].lower + 1;

        if (extent != 1 && d->dim[i].stride * d->span != bytes)
            return !d->base_addr;
        bytes *= extent;
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
int mpif_view_typed(struct mpif_view *v, const struct mpif_array *d, MPI_Count count, int datatype, const char *call,
                    const char *arg);
int mpif_view_now(struct mpif_view *v, const struct mpif_array *d, MPI_Count count, int datatype, bool back,
                  const char *call, const char *arg);
/* Whatever the call makes of the buffer; back: it may write there. */
int mpif_view_copied(struct mpif_view *v, const struct mpif_array *d, bool back);
/* Memory that must be contiguous: its first element of datatype, or all of it. */
int mpif_view_first(struct mpif_view *v, const struct mpif_array *d, int datatype, const char *call, const char *arg);
int mpif_view_whole(struct mpif_view *v, const struct mpif_array *d, const char *call, const char *arg);

/* After the call: what it wrote goes into the sections. */
void mpif_views_back(struct mpif_view *v, int n);
/* Or: before a call that gives a request, and after it, when it has. */
int mpif_views_later(struct mpif_view *v, int n);
int mpif_views_keep(struct mpif_view *v, int request);
void mpif_views_close(struct mpif_view *v, int n);

#endif
