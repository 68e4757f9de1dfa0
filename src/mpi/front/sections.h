/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the Fortran library asks of this one beyond mpi.h: datatypes for array
 * sections that are not contiguous, and to be told when a request of a collective
 * is started and done (docs/adr/0027-fortran-sections.md). It finds the table by
 * mpt_abi_sections of libmpi_abi, by a weak reference: over another library's
 * libmpi_abi it has no sections, and all else.
 */
#ifndef MPI_SECTIONS_H
#define MPI_SECTIONS_H

#include <mpi.h>

#include "mpi/collective/follow.h"

enum { MPT_SECTION_RANK = 15 };

/* An array section: its elements in array order are the buffer of the call (19.1.12). No extent is 0. */
struct mpt_section {
    char *base;        /* the first element */
    MPI_Count element; /* bytes of one, >= 1 */
    int rank;
    struct {
        MPI_Count extent;
        MPI_Aint stride; /* bytes */
    } dim[MPT_SECTION_RANK];
};

/* All return an error code, and raise it; call, arg: whose argument it is. */
struct mpt_sections {
    /* The type of which one element at s->base is `count` elements of `datatype` in the buffer that the section is.
     * MPI_DATATYPE_NULL: the same elements of `datatype` at s->base are that, or the call itself will refuse them. */
    int (*type)(const struct mpt_section *s, MPI_Count count, MPI_Datatype datatype, MPI_Datatype *newtype,
                const char *call, const char *arg);
    /* Are the first n bytes of the buffer contiguous (n < 0: all)? */
    int (*together)(const struct mpt_section *s, MPI_Count n, const char *call, const char *arg);
    /* Of a collective: an active one's `done` is called soon, perhaps in this call. */
    int (*follow)(MPI_Request request, const struct mpt_hooks *hooks, void *arg);
};
extern const struct mpt_sections mpt_mpi_sections __attribute__((visibility("default")));
const struct mpt_sections *mpt_abi_sections(void);

/* Bytes of the section, and those of the pieces of it that lie together. */
static inline MPI_Count mpt_section_bytes(const struct mpt_section *s)
{
    MPI_Count n = s->element;

    for (int i = 0; i < s->rank; i++)
        n *= s->dim[i].extent;
    return n;
}
static inline MPI_Count mpt_section_run(const struct mpt_section *s)
{
    MPI_Count n = s->element;

    for (int i = 0; i < s->rank && (s->dim[i].extent == 1 || s->dim[i].stride == n); i++)
        n *= s->dim[i].extent;
    return n;
}

#endif
