/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What PVM's Fortran procedures share: they call the public C functions and add
 * nothing but the form of the arguments. Calling form: gfortran's. Names in small
 * letters with an underscore behind, arguments by reference, lengths of CHARACTER
 * arguments as size_t at the end.
 */
#ifndef PVM_FORTRAN_H
#define PVM_FORTRAN_H

#include <stdbool.h>
#include <stddef.h>

#include "pvm3.h"

/* A C copy of a CHARACTER argument without the blanks at its end, in `here` when it is short. pvmf_done
 * gives it back. No memory: the process ends with a message, as PVM's calls could not be told it. */
struct pvmf_text {
    char *s;
    char here[120];
};
void pvmf_text(struct pvmf_text *t, const char *text, size_t n);
void pvmf_done(struct pvmf_text *t);

/* Fills up with blanks, or cuts off; nothing where there is no room (an absent argument). */
void pvmf_fill(char *to, size_t n, const char *from);

/* Procedures that give one row of a table at each call: which one is next. `*count` of -1 begins anew. */
struct pvmf_walk {
    int next, n; /* n: rows of the table that was asked for; 0: ask again */
};
static inline bool pvmf_walk_begins(struct pvmf_walk *w, const int *count)
{
    if (*count == -1)
        w->n = 0;
    return w->n == 0;
}
/* The row to give now; the next call is for the one behind it. */
static inline int pvmf_walk_step(struct pvmf_walk *w)
{
    int row = w->next++;
    if (w->next == w->n)
        *w = (struct pvmf_walk){0};
    return row;
}

#endif
