/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kinds of objects that handles name, and where they live.
 */
#ifndef MPI_KIND_H
#define MPI_KIND_H

#include <stddef.h>
#include <stdint.h>

#include "core/mem/room.h"

enum mpii_kind {
    MPII_NONE, /* a slot that is free */
    MPII_COMM,
    MPII_GROUP,
    MPII_TYPE,
    MPII_OP,
    MPII_REQUEST,
    MPII_MESSAGE,
    MPII_WIN,
    MPII_FILE,
    MPII_SESSION,
    MPII_INFO,
    MPII_ERRHANDLER,
    MPII_KINDS,
    MPII_UNBORN, /* with --check: a communicator of MPI_Comm_idup whose request has not been completed */
    MPII_FREED /* a request that the user has freed while it was active: its handle is invalid, it is in its place until
                  it is done */
};

struct mpii_entry;

/* Where objects of a kind live (object.h). */
struct mpii_pool {
    uintptr_t base; /* 0: nothing of this kind was made yet */
    size_t used; /* bytes from base that have been in use */
    size_t slot; /* bytes of a slot: a power of two */
    void *free; /* list of free slots, linked behind struct mpii_object */
    struct core_room room, entries; /* of slots; with --check, of what is known of each of them (ledger.h) */
    struct {
        void *first, *last;
        unsigned n;
    } kept; /* with --check: freed slots that are not used again yet, the oldest first */
};

#endif
