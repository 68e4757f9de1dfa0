/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keys of attributes and the attributes of one object: between attr.c (the
 * machinery) and attr_calls.c (the standard's names).
 */
#ifndef MPI_ATTR_H
#define MPI_ATTR_H

#include "mpi/mpii.h"

struct mpii_keyval {
    enum mpii_kind kind; /* MPII_NONE: not in use */
    bool freed;          /* by the user; attributes that have it keep it */
    int refs;            /* attributes of this key, and one for the user */
    MPII_Function *copy, *delete;
    void *extra;
};

/* NULL: no such key of this kind, or freed and no attribute has it any more (7.7.2: those that do are deleted by it).
 */
struct mpii_keyval *mpii_keyval_of(enum mpii_kind kind, int keyval);
/* MPI_KEYVAL_INVALID: out of memory. */
int mpii_keyval_new(enum mpii_kind kind, MPII_Function *copy, MPII_Function *delete, void *extra);
void mpii_keyval_free(int keyval); /* again, while an attribute has it: nothing */

bool mpii_attr_find(struct mpii_attr *list, int keyval, void **value);
/* Set or replace (after the delete callback); an error code of the callback, MPI_ERR_NO_MEM. */
int mpii_attr_set(enum mpii_kind kind, void *handle, struct mpii_attr **list, int keyval, void *value);
/* MPI_ERR_KEYVAL: the object has no such attribute. */
int mpii_attr_drop(enum mpii_kind kind, void *handle, struct mpii_attr **list, int keyval);

/* Value of a predefined attribute of communicators, as MPI_Comm_get_attr gives it; false: not one, or not set. */
bool mpii_attr_predefined(int keyval, void **value);

#endif
