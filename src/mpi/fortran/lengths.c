/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lengths of arrays of datatypes that only the communicator tells (alltoallw and
 * its neighbourhood form). A communicator that is none gives 0: the C function
 * that is called next says what is wrong with it.
 */
#include "fortran.h"

static bool usable(MPI_Comm comm)
{
    return comm != MPI_COMM_NULL;
}

MPI_Count mpif_peers(MPI_Comm comm)
{
    int inter = 0, n = 0;

    if (!usable(comm) || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS)
        return 0;
    if ((inter ? PMPI_Comm_remote_size(comm, &n) : PMPI_Comm_size(comm, &n)) != MPI_SUCCESS)
        return 0;
    return n;
}

static int of_graph(MPI_Comm comm)
{
    int rank = 0, n = 0;

    return PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && PMPI_Graph_neighbors_count(comm, rank, &n) == MPI_SUCCESS ? n
                                                                                                                   : 0;
}

static int of_dist_graph(MPI_Comm comm, bool out)
{
    int n_in = 0, n_out = 0, weighted;

    if (PMPI_Dist_graph_neighbors_count(comm, &n_in, &n_out, &weighted) != MPI_SUCCESS)
        return 0;
    return out ? n_out : n_in;
}

static int of_cart(MPI_Comm comm)
{
    int dims = 0;

    return PMPI_Cartdim_get(comm, &dims) == MPI_SUCCESS ? 2 * dims : 0;
}

MPI_Count mpif_neighbours(MPI_Comm comm, bool out)
{
    int topology = MPI_UNDEFINED;

    if (!usable(comm) || PMPI_Topo_test(comm, &topology) != MPI_SUCCESS)
        return 0;
    return topology == MPI_CART         ? of_cart(comm)
           : topology == MPI_GRAPH      ? of_graph(comm)
           : topology == MPI_DIST_GRAPH ? of_dist_graph(comm, out)
                                        : 0;
}
