/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With --check: which objects the program has handles of, the calls that gave it these and their lines, and the calls
 * that took them back. The generated calls.c enters what calls give and take; each slot of objects (object.h) has an
 * entry, which tells of its last object until a handle of the next one is given.
 */
#ifndef MPI_LEDGER_H
#define MPI_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/site_call.h"
#include "core/core.h"
#include "mpi/kind.h"

struct mpii_entry {
    const char *call; /* that made it: a literal; NULL: the program has never had a handle of what was here */
    uintptr_t site;   /* its line, as core_site() gives it */
    uintptr_t started; /* of persistent requests: the last start; 0: none */
    uintptr_t end;     /* where it was freed; 0: it ended by itself, as completed requests do */
    int handles;       /* that the program has; 0 and `call` set: it had */
};

/* The program has a handle of it now, from this call. Predefined ones and those without an object are left out. */
void mpii_ledger_made(enum mpii_kind kind, const void *handle, const char *call, uintptr_t site);
/* A call has taken the handle back. */
void mpii_ledger_freed(enum mpii_kind kind, const void *handle, uintptr_t site);
/* The object is no more. */
void mpii_ledger_ended(enum mpii_kind kind, const void *object);
/* A persistent request is started. Returns the call's line; 0: not known. */
uintptr_t mpii_ledger_started(const void *request);

/* NULL: nothing is known, and never was: it is not a handle. */
const struct mpii_entry *mpii_ledger_of(enum mpii_kind kind, const void *handle);
/* The object that the program has a handle of behind `after`; NULL first and last. */
void *mpii_ledger_next(enum mpii_kind kind, const void *after);

#endif
