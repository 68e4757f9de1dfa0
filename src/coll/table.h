/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A row of the table of algorithms (algorithms.def), and when it serves. The table
 * is one for all faces: coll/table.c takes from it what serves teams, MPI what
 * serves communicators. The first row of a call's kind that fits is taken; an
 * empty one ends them. Each task has a copy, as they hold addresses: no room for more.
 */
#ifndef COLL_TABLE_H
#define COLL_TABLE_H

#include "coll/block.h"

/* Teams a row serves: how their members synchronise. */
enum {
    COLL_ON_DISSEMINATION = 1,  /* a core for each PE */
    COLL_ON_CENTRAL = 2,        /* more PEs than cores */
    COLL_ON_TRANSIENT = 4,      /* synchronising in the caller's words */
    COLL_ON_NET = 8,            /* members on several nodes */
    COLL_ON_NET_TRANSIENT = 16, /* and in the caller's words */
    COLL_ON_CROWD = COLL_ON_CENTRAL | COLL_ON_TRANSIENT,
    COLL_ON_TEAM = COLL_ON_DISSEMINATION | COLL_ON_CENTRAL,
    COLL_ON_ANY = COLL_ON_TEAM | COLL_ON_TRANSIENT,
    COLL_ON_NETS = COLL_ON_NET | COLL_ON_NET_TRANSIENT,
};

/* What else a row needs. */
enum {
    /* of teams */
    COLL_POW2 = 1,       /* the size is a power of two */
    COLL_ALL_FIT = 2,    /* everybody's bytes together fit COLL_EXCHANGE */
    COLL_NODES_FIT = 4,  /* those of one member of each node do */
    COLL_ROUNDS_FIT = 8, /* those of one member for each doubling of nodes do */
    COLL_MANY = 16,      /* coll_many */
    COLL_FEW = 32,       /* not so */
    COLL_DENSE = 64,     /* blocks of an alltoall are contiguous */
    /* of communicators */
    COLL_INTER = 256,       /* an intercommunicator; rows without it serve intracommunicators */
    COLL_EVEN = 512,        /* all ranks' parts have the same number of bytes: no v or w form */
    COLL_UNEVEN = 1024,     /* a v or w form */
    COLL_COMMUTES = 2048,   /* the operation does */
    COLL_NODES = 4096,      /* members share nodes, of which there are several */
    COLL_MOVES = 8192,      /* not in place */
    COLL_ROOT_TELLS = 16384 /* only the root chooses it: the others learn of it from the row that they come to */
};

/* A team's algorithm, on symmetric memory, in steps: c->phase starts at 0; true when the call is done. */
typedef bool coll_stepper(struct coll_call *c);

struct coll_row {
    /* one of three, or the face's own */
    coll_stepper *step;
    coll_block_body *slots;   /* through the block */
    coll_direct_body *direct; /* from buffer to buffer; where it cannot, the next row is tried */
    unsigned short teams;     /* COLL_ON_*; 0: none */
    unsigned short needs;
    short min_ranks, max_ranks; /* 0: any */
    int min_bytes, max_bytes;   /* of a part, or of the vector; 0: any. Of no one size: 0 */
};

static inline bool coll_row_fits(const struct coll_row *row, int ranks, int64_t bytes)
{
    return bytes >= row->min_bytes && (!row->max_bytes || bytes <= row->max_bytes) && ranks >= row->min_ranks &&
           (!row->max_ranks || ranks <= row->max_ranks);
}

#endif
