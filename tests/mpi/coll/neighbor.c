/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives: grids with and without periods (sizes 1 and 2 too, where both neighbours are one process),
 * graphs, and directed multigraphs with random edges; every form, compared with what each edge carries. */
#include "cases.h"

enum { MOST = 64 };

static MPI_Comm comm;
static int rank, size, salt;
/* Edge k that comes in: from whom, and which of the sender's outgoing edges it is. */
static int in, out, source[MOST], their[MOST], destination[MOST];

static int tag_value(int r, int edge, int i)
{
    return case_value(r, edge, i, salt);
}

static void allgathers(int form)
{
    int mine[3], all[3 * MOST], counts[MOST], displs[MOST];

    for (int i = 0; i < 3; i++)
        mine[i] = tag_value(rank, 0, i);
    memset(all, 0x77, sizeof all);
    RUN_FORM(form, true, Neighbor_allgather, Ineighbor_allgather, mine, 3, MPI_INT, all, 3, MPI_INT, comm);
    for (int k = 0; k < in; k++)
        for (int i = 0; i < 3; i++) {
            int want = source[k] == MPI_PROC_NULL ? 0x77777777 : tag_value(source[k], 0, i);

            CHECK(all[3 * k + i] == want, "neighbor_allgather: edge %d from %d: %#x, expected %#x", k, source[k],
                  all[3 * k + i], want);
        }
    memset(all, 0x77, sizeof all);
    for (int k = 0; k < in; k++) {
        counts[k] = source[k] == MPI_PROC_NULL ? 3 : source[k] % 3;
        displs[k] = 3 * (in - 1 - k);
    }
    RUN_FORM(form, true, Neighbor_allgatherv, Ineighbor_allgatherv, mine, rank % 3, MPI_INT, all, counts, displs,
             MPI_INT, comm);
    for (int k = 0; k < in; k++)
        for (int i = 0; source[k] != MPI_PROC_NULL && i < counts[k]; i++)
            CHECK(all[displs[k] + i] == tag_value(source[k], 0, i), "neighbor_allgatherv: edge %d from %d", k,
                  source[k]);
}

static void alltoalls(int form)
{
    int send[2 * MOST], recv[2 * MOST], scounts[MOST], sdispls[MOST], rcounts[MOST], rdispls[MOST];
    MPI_Aint sbytes[MOST], rbytes[MOST];
    MPI_Datatype types[MOST];

    for (int k = 0; k < out; k++)
        for (int i = 0; i < 2; i++)
            send[2 * k + i] = tag_value(rank, k, i);
    memset(recv, 0x77, sizeof recv);
    RUN_FORM(form, true, Neighbor_alltoall, Ineighbor_alltoall, send, 2, MPI_INT, recv, 2, MPI_INT, comm);
    for (int k = 0; k < in; k++)
        for (int i = 0; i < 2; i++) {
            int want = source[k] == MPI_PROC_NULL ? 0x77777777 : tag_value(source[k], their[k], i);

            CHECK(recv[2 * k + i] == want, "neighbor_alltoall: edge %d, from %d's edge %d: %#x, expected %#x", k,
                  source[k], their[k], recv[2 * k + i], want);
        }
    for (int k = 0; k < MOST; k++)
        types[k] = MPI_INT;
    for (int k = 0; k < out; k++) {
        scounts[k] = k % 3;
        sdispls[k] = 2 * k;
        sbytes[k] = 8 * k;
    }
    for (int k = 0; k < in; k++) {
        rcounts[k] = source[k] == MPI_PROC_NULL ? 2 : their[k] % 3;
        rdispls[k] = 2 * k;
        rbytes[k] = 8 * k;
    }
    memset(recv, 0x77, sizeof recv);
    RUN_FORM(form, true, Neighbor_alltoallv, Ineighbor_alltoallv, send, scounts, sdispls, MPI_INT, recv, rcounts,
             rdispls, MPI_INT, comm);
    for (int k = 0; k < in; k++)
        for (int i = 0; source[k] != MPI_PROC_NULL && i < rcounts[k]; i++)
            CHECK(recv[2 * k + i] == tag_value(source[k], their[k], i), "neighbor_alltoallv: edge %d from %d", k,
                  source[k]);
    memset(recv, 0x77, sizeof recv);
    RUN_FORM(form, true, Neighbor_alltoallw, Ineighbor_alltoallw, send, scounts, sbytes, types, recv, rcounts, rbytes,
             types, comm);
    for (int k = 0; k < in; k++)
        for (int i = 0; source[k] != MPI_PROC_NULL && i < rcounts[k]; i++)
            CHECK(recv[2 * k + i] == tag_value(source[k], their[k], i), "neighbor_alltoallw: edge %d from %d", k,
                  source[k]);
}

static void run_all(void)
{
    for (int form = 0; form < FORMS; form++) {
        salt = form + 1;
        allgathers(form);
        alltoalls(form);
    }
    OK(MPI_Comm_free(&comm));
}

/* On a grid edge 2d goes down in dimension d and 2d + 1 up; what comes in from below was sent up. */
static void grid(int ndims, const int *dims, const int *periods)
{
    OK(MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 0, &comm));
    if (comm == MPI_COMM_NULL)
        return;
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    in = out = 2 * ndims;
    for (int d = 0; d < ndims; d++) {
        OK(MPI_Cart_shift(comm, d, 1, &source[2 * d], &source[2 * d + 1]));
        their[2 * d] = 2 * d + 1;
        their[2 * d + 1] = 2 * d;
    }
    run_all();
}

static void grids(void)
{
    for (int periods = 0; periods < 4; periods++) {
        int p[3] = {periods & 1, periods >> 1, 1};

        grid(1, (int[]){mc_size}, p);
        if (mc_size % 2 == 0)
            grid(2, (int[]){2, mc_size / 2}, p);
        grid(2, (int[]){mc_size, 1}, p);
        grid(3, (int[]){1, mc_size, 1}, p);
        if (mc_size > 1)
            grid(1, (int[]){mc_size - 1}, p);
    }
    OK(MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &comm));
    in = out = 0;
    if (comm != MPI_COMM_NULL) {
        OK(MPI_Comm_rank(comm, &rank));
        run_all();
    }
}

/* A ring as MPI_GRAPH: two edges each. */
static void graph(void)
{
    int index[MOST], edges[2 * MOST];

    if (mc_size < 3)
        return;
    for (int i = 0; i < mc_size; i++) {
        index[i] = 2 * (i + 1);
        edges[2 * i] = (i + 1) % mc_size;
        edges[2 * i + 1] = (i - 1 + mc_size) % mc_size;
    }
    OK(MPI_Graph_create(MPI_COMM_WORLD, mc_size, index, edges, 0, &comm));
    OK(MPI_Comm_rank(comm, &rank));
    in = out = 2;
    source[0] = (rank + 1) % mc_size;
    source[1] = (rank - 1 + mc_size) % mc_size;
    their[0] = 1; /* to whom I am the one before */
    their[1] = 0;
    run_all();
}

/* Random edges, several between two processes and to oneself too: the m-th edge from a to b in a's list is the m-th
 * from a in b's. */
static void multigraph(uint64_t seed)
{
    int count[16][16], filled[16] = {0};

    for (int a = 0; a < mc_size; a++)
        for (int b = 0; b < mc_size; b++) {
            uint64_t x = check_mix(seed + (uint64_t)(a * 64 + b));

            count[a][b] = x % 3 == 0 ? (int)(x / 3 % 3) : 0;
        }
    rank = mc_rank;
    in = out = 0;
    for (int round = 0; round < 2; round++) /* edges between the same two are not adjacent in the lists */
        for (int k = 0; k < mc_size; k++) {
            int b = (k * 7 + mc_rank) % mc_size;

            if (mc_size % 7 == 0)
                b = (k + mc_rank) % mc_size;
            for (int m = 0; m < (round == 0 ? count[mc_rank][b] > 0 : count[mc_rank][b] - 1); m++)
                destination[out++] = b;
            for (int m = 0; m < (round == 0 ? count[b][mc_rank] > 0 : count[b][mc_rank] - 1); m++)
                source[in++] = b;
        }
    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, source, MPI_UNWEIGHTED, out, destination, MPI_UNWEIGHTED,
                                      MPI_INFO_NULL, 0, &comm));
    /* number of the sender's edge: rebuild its list */
    for (int k = 0; k < in; k++) {
        int a = source[k], at = 0, seen = 0;

        for (int round = 0; round < 2; round++)
            for (int j = 0; j < mc_size; j++) {
                int b = mc_size % 7 == 0 ? (j + a) % mc_size : (j * 7 + a) % mc_size;

                for (int m = 0; m < (round == 0 ? count[a][b] > 0 : count[a][b] - 1); m++, at++)
                    if (b == mc_rank && seen++ == filled[a])
                        their[k] = at;
            }
        filled[a]++;
    }
    run_all();
}

int main(void)
{
    mc_start();
    grids();
    graph();
    for (uint64_t seed = 1; seed < 30; seed++)
        if (mc_size <= 16)
            multigraph(check_seed(0) + seed * 1000);
    return mc_finish();
}
