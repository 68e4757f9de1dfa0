/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which schedule serves which call: the first row that fits.
 */
#include "mpi/collective/coll.h"

/* What a row needs. */
enum {
    INTER = 1,    /* an intercommunicator; rows without it serve intracommunicators */
    EVEN = 2,     /* all ranks' parts have the same number of bytes: no v or w form */
    COMMUTES = 4, /* the operation does */
    NODES = 8,    /* members share nodes, of which there are several */
};

static const struct row {
    enum mpii_coll_kind kind;
    int needs;
    int min_ranks;
    MPI_Count min_bytes, max_bytes; /* of a part, or of the vector; where there are no parts of one size only 0 fits */
    mpii_coll_builder *build;
} rows[] = {
#define ANY 0, INT64_MAX
    {MPII_BARRIER, NODES, 3, ANY, mpii_build_barrier_nodes},
    {MPII_BARRIER, 0, 0, ANY, mpii_build_barrier},
    {MPII_BCAST, NODES, 3, 0, INT64_MAX, mpii_build_bcast_nodes},
    {MPII_BCAST, 0, 4, 65536, INT64_MAX, mpii_build_bcast_ring},
    {MPII_BCAST, 0, 0, ANY, mpii_build_bcast_tree},
    {MPII_GATHER, EVEN, 8, 0, 1024, mpii_build_gather_tree},
    {MPII_GATHER, 0, 0, ANY, mpii_build_gather_all},
    {MPII_SCATTER, EVEN, 8, 0, 1024, mpii_build_scatter_tree},
    {MPII_SCATTER, 0, 0, ANY, mpii_build_scatter_all},
    {MPII_ALLGATHER, EVEN | NODES, 3, 0, 16384, mpii_build_allgather_nodes},
    {MPII_ALLGATHER, EVEN, 3, 0, 4096, mpii_build_allgather_bruck},
    {MPII_ALLGATHER, 0, 0, ANY, mpii_build_allgather_ring},
    {MPII_ALLTOALL, EVEN, 64, 0, 256, mpii_build_alltoall_bruck}, /* a leader would have much to sort */
    {MPII_ALLTOALL, EVEN | NODES, 3, 0, 1024, mpii_build_alltoall_nodes},
    {MPII_ALLTOALL, EVEN, 8, 0, 256, mpii_build_alltoall_bruck},
    {MPII_ALLTOALL, 0, 0, ANY, mpii_build_alltoall_pairs},
    {MPII_REDUCE, COMMUTES | NODES, 3, ANY, mpii_build_reduce_nodes},
    {MPII_REDUCE, COMMUTES, 3, 131072, INT64_MAX, mpii_build_reduce_ring},
    {MPII_REDUCE, 0, 0, ANY, mpii_build_reduce_tree},
    {MPII_ALLREDUCE, NODES, 3, 0, INT64_MAX, mpii_build_allreduce_nodes},
    {MPII_ALLREDUCE, COMMUTES, 3, 65536, INT64_MAX, mpii_build_allreduce_ring},
    {MPII_ALLREDUCE, 0, 0, ANY, mpii_build_allreduce_doubling},
    {MPII_REDUCE_SCATTER, COMMUTES, 0, ANY, mpii_build_reduce_scatter_pairs},
    {MPII_REDUCE_SCATTER, 0, 0, ANY, mpii_build_reduce_scatter_root},
    {MPII_SCAN, 0, 0, ANY, mpii_build_scan},
    {MPII_EXSCAN, 0, 0, ANY, mpii_build_exscan},
    {MPII_NEIGHBOR_ALLGATHER, 0, 0, ANY, mpii_build_neighbor},
    {MPII_NEIGHBOR_ALLTOALL, 0, 0, ANY, mpii_build_neighbor},
    {MPII_BARRIER, INTER, 0, ANY, mpii_build_inter_barrier},
    {MPII_BCAST, INTER, 0, ANY, mpii_build_inter_bcast},
    {MPII_GATHER, INTER, 0, ANY, mpii_build_inter_gather},
    {MPII_SCATTER, INTER, 0, ANY, mpii_build_inter_scatter},
    {MPII_ALLGATHER, INTER, 0, ANY, mpii_build_inter_all},
    {MPII_ALLTOALL, INTER, 0, ANY, mpii_build_inter_all},
    {MPII_REDUCE, INTER, 0, ANY, mpii_build_inter_reduce},
    {MPII_ALLREDUCE, INTER, 0, ANY, mpii_build_inter_allreduce},
    {MPII_REDUCE_SCATTER, INTER, 0, ANY, mpii_build_inter_reduce_scatter},
#undef ANY
};

MPI_Count mpii_coll_even_bytes(const struct mpii_coll_call *c)
{
    bool root = c->comm->rank == c->root;
    const struct mpii_side *side = &c->recv;

    if (c->uneven || c->kind == MPII_NEIGHBOR_ALLGATHER || c->kind == MPII_NEIGHBOR_ALLTOALL)
        return -1;
    if (c->kind == MPII_BARRIER)
        return 0;
    if (c->kind == MPII_GATHER ? !root : c->kind == MPII_SCATTER && root)
        side = &c->send;
    return side->count * side->type->size;
}

static bool fits(const struct row *row, const struct mpii_coll_call *c, MPI_Count bytes)
{
    if (row->kind != c->kind || !(row->needs & INTER) != !c->comm->inter || c->comm->size < row->min_ranks)
        return false;
    if ((row->needs & EVEN && bytes < 0) || (row->needs & COMMUTES && !c->op->commutes))
        return false;
    if (row->needs & NODES && !mpii_coll_over_nodes(c))
        return false;
    return c->comm->inter || ((bytes < 0 ? 0 : bytes) >= row->min_bytes && bytes <= row->max_bytes);
}

mpii_coll_builder *mpii_coll_choose(const struct mpii_coll_call *c)
{
    MPI_Count bytes = c->comm->inter ? -1 : mpii_coll_even_bytes(c);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (fits(&rows[i], c, bytes))
            return rows[i].build;
    core_fatal("%s: no schedule serves a collective of kind %d", c->call, c->kind);
}
