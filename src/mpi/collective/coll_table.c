/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which algorithm serves which collective of a communicator: the rows of
 * coll/algorithms.def without those of teams.
 *
 * Where all members are on one node its block serves: `slots` move data through
 * it, `direct` from buffer to buffer; that may find out that it cannot, and the
 * next row is tried. Else, or where messages are quicker, `build` makes a schedule,
 * and for persistent ones, of which several may go on at once in any order.
 */
#include "coll/table.h"
#include "mpi/collective/coll_node.h"

struct row {
    struct coll_row of;
    mpii_coll_builder *build; /* or one of the engine's */
};

static const struct row *const table[COLL_KINDS] = {
#define KIND(kind, ...) [kind] = (const struct row[]){__VA_ARGS__{.build = NULL}},
#define SLOTS(function, ...) {.of = {.slots = function, __VA_ARGS__}},
#define DIRECT(function, ...) {.of = {.direct = function, __VA_ARGS__}},
#define MESSAGES(function, ...) {.of = {__VA_ARGS__}, .build = function},
#include "coll/algorithms.def"
};

static bool is_row(const struct row *row)
{
    return row->build || row->of.slots || row->of.direct;
}

MPI_Count mpii_coll_even_bytes(const struct mpii_coll_call *c)
{
    bool root = c->comm->rank == c->data.root;
    const struct coll_side *side = &c->data.recv;

    if (c->data.uneven || c->data.kind == COLL_NEIGHBOR_ALLGATHER || c->data.kind == COLL_NEIGHBOR_ALLTOALL)
        return -1;
    if (c->data.kind == COLL_BARRIER)
        return 0;
    if (c->data.kind == COLL_GATHER ? !root : c->data.kind == COLL_SCATTER && root)
        side = &c->data.send;
    return side->count * side->layout->size;
}

static inline bool needs_met(const struct row *row, const struct mpii_coll_call *c)
{
    const unsigned needs = row->of.needs;

    if (!(needs & COLL_INTER) != !c->comm->inter || (needs & COLL_EVEN && c->data.uneven) ||
        (needs & COLL_UNEVEN && !c->data.uneven))
        return false;
    if ((needs & COLL_COMMUTES && !c->op->commutes) || (needs & COLL_MOVES && c->data.in_place))
        return false;
    return !(needs & COLL_ROOT_TELLS && c->comm->rank != c->data.root) &&
           !(needs & COLL_NODES && !mpii_coll_over_nodes(c));
}

static inline bool fits(const struct row *row, const struct mpii_coll_call *c, MPI_Count bytes)
{
    return coll_row_fits(&row->of, c->comm->size, bytes) && needs_met(row, c);
}

static inline MPI_Count bytes_of(const struct mpii_coll_call *c)
{
    MPI_Count bytes = c->comm->inter ? 0 : mpii_coll_even_bytes(c);

    return bytes < 0 ? 0 : bytes;
}

/* The element must fit the smallest portion in which a reduction moves. */
static inline bool block_serves(const struct mpii_coll_call *c)
{
    return !(c->op && c->data.recv.layout->size > COLL_BLOCK_CHUNK);
}

bool mpii_coll_on_node(const struct mpii_coll_call *c)
{
    for (const struct row *row = table[c->data.kind]; is_row(row); row++)
        if (row->of.slots && needs_met(row, c))
            return block_serves(c);
    return false;
}

mpii_coll_builder *mpii_coll_choose(const struct mpii_coll_call *c)
{
    MPI_Count bytes = bytes_of(c);

    for (const struct row *row = table[c->data.kind]; is_row(row); row++)
        if (row->build && fits(row, c, bytes))
            return row->build;
    core_fatal("%s: no schedule serves a collective of kind %d", c->data.where, c->data.kind);
}

bool mpii_coll_run_on_node(struct coll_block *n, const struct mpii_coll_call *c, int *err)
{
    MPI_Count bytes = bytes_of(c);

    for (const struct row *row = table[c->data.kind]; !row->build && block_serves(c); row++) {
        if (!fits(row, c, bytes))
            continue;
        if (row->of.slots) {
            *err = row->of.slots(n, &c->data);
            return true;
        }
        if (row->of.direct(n, &c->data, err) || MPT_UNLIKELY(n->broken))
            return true;
    }
    return false;
}
