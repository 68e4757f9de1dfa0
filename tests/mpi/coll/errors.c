/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments of collectives and operations: the standard's class comes back through the handler, before anything
 * is sent, and the communicator still works afterwards. */
#include "cases.h"

#define W MPI_COMM_WORLD

static int a[64], b[64], counts[16], displs[16], negative[16];
static MPI_Datatype types[16], raw;
static MPI_Request q;

static void communicators(void)
{
    MPI_Comm none = MPI_COMM_NULL;

    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    FAILS(MPI_Barrier(none), MPI_ERR_COMM);
    FAILS(MPI_Bcast(a, 1, MPI_INT, 0, none), MPI_ERR_COMM);
    FAILS(MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, none), MPI_ERR_COMM);
    FAILS(MPI_Ialltoall(a, 1, MPI_INT, b, 1, MPI_INT, none, &q), MPI_ERR_COMM);
    FAILS(MPI_Scan_init(a, b, 1, MPI_INT, MPI_SUM, none, MPI_INFO_NULL, &q), MPI_ERR_COMM);
    FAILS(MPI_Barrier((MPI_Comm)a), MPI_ERR_COMM);
    FAILS(MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, none), MPI_ERR_COMM);
    FAILS(MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, W), MPI_ERR_TOPOLOGY);
    FAILS(MPI_Ineighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, W, &q), MPI_ERR_TOPOLOGY);
}

static void roots(void)
{
    const int wrong[] = {-1, mc_size, 1 << 30, MPI_ROOT, MPI_PROC_NULL, MPI_ANY_SOURCE};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        FAILS(MPI_Bcast(a, 1, MPI_INT, wrong[i], W), MPI_ERR_ROOT);
        FAILS(MPI_Ibcast(a, 1, MPI_INT, wrong[i], W, &q), MPI_ERR_ROOT);
        FAILS(MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, wrong[i], W), MPI_ERR_ROOT);
        FAILS(MPI_Gatherv(a, 1, MPI_INT, b, counts, displs, MPI_INT, wrong[i], W), MPI_ERR_ROOT);
        FAILS(MPI_Scatter(a, 1, MPI_INT, b, 1, MPI_INT, wrong[i], W), MPI_ERR_ROOT);
        FAILS(MPI_Scatterv(a, counts, displs, MPI_INT, b, 1, MPI_INT, wrong[i], W), MPI_ERR_ROOT);
        FAILS(MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, wrong[i], W), MPI_ERR_ROOT);
    }
}

static void counts_and_types(void)
{
    FAILS(MPI_Bcast(a, -1, MPI_INT, 0, W), MPI_ERR_COUNT);
    FAILS(MPI_Bcast_c(a, -1, MPI_INT, 0, W), MPI_ERR_COUNT);
    FAILS(MPI_Allgather(a, -1, MPI_INT, b, 1, MPI_INT, W), MPI_ERR_COUNT);
    FAILS(MPI_Allgather(a, 1, MPI_INT, b, -1, MPI_INT, W), MPI_ERR_COUNT);
    FAILS(MPI_Alltoall(a, -1, MPI_INT, b, 1, MPI_INT, W), MPI_ERR_COUNT);
    FAILS(MPI_Allreduce(a, b, -1, MPI_INT, MPI_SUM, W), MPI_ERR_COUNT);
    FAILS(MPI_Exscan(a, b, -1, MPI_INT, MPI_SUM, W), MPI_ERR_COUNT);
    FAILS(MPI_Allgatherv(a, 1, MPI_INT, b, negative, displs, MPI_INT, W), MPI_ERR_COUNT);
    FAILS(MPI_Alltoallv(a, negative, displs, MPI_INT, b, counts, displs, MPI_INT, W), MPI_ERR_COUNT);
    FAILS(MPI_Ialltoallw(a, counts, displs, types, b, negative, displs, types, W, &q), MPI_ERR_COUNT);
    FAILS(MPI_Reduce_scatter(a, b, negative, MPI_INT, MPI_SUM, W), MPI_ERR_COUNT);
    FAILS(MPI_Reduce_scatter_block(a, b, -5, MPI_INT, MPI_SUM, W), MPI_ERR_COUNT);
    FAILS(MPI_Bcast(a, 1, MPI_DATATYPE_NULL, 0, W), MPI_ERR_TYPE);
    FAILS(MPI_Bcast(a, 1, raw, 0, W), MPI_ERR_TYPE);
    FAILS(MPI_Alltoall(a, 1, raw, b, 1, MPI_INT, W), MPI_ERR_TYPE);
    FAILS(MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_DATATYPE_NULL, W), MPI_ERR_TYPE);
    FAILS(MPI_Reduce(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM, 0, W), MPI_ERR_TYPE);
    types[mc_size - 1] = raw;
    FAILS(MPI_Alltoallw(a, counts, displs, types, b, counts, displs, types, W), MPI_ERR_TYPE);
    types[mc_size - 1] = MPI_INT;
}

static void buffers(void)
{
    FAILS(MPI_Bcast(NULL, 1, MPI_INT, 0, W), MPI_ERR_BUFFER);
    FAILS(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, W), MPI_ERR_BUFFER);
    FAILS(MPI_Allreduce(NULL, b, 1, MPI_INT, MPI_SUM, W), MPI_ERR_BUFFER);
    FAILS(MPI_Allreduce(a, NULL, 1, MPI_INT, MPI_SUM, W), MPI_ERR_BUFFER);
    FAILS(MPI_Allreduce(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, W), MPI_ERR_BUFFER);
    FAILS(MPI_Allreduce(a, a, 1, MPI_INT, MPI_SUM, W), MPI_ERR_BUFFER);
    FAILS(MPI_Scan(a, a, 1, MPI_INT, MPI_SUM, W), MPI_ERR_BUFFER);
    FAILS(MPI_Exscan(a, a, 1, MPI_INT, MPI_SUM, W), MPI_ERR_BUFFER);
    FAILS(MPI_Reduce_scatter_block(a, a, 1, MPI_INT, MPI_SUM, W), MPI_ERR_BUFFER);
    FAILS(MPI_Allgather(b + mc_rank, 1, MPI_INT, b, 1, MPI_INT, W), MPI_ERR_BUFFER);
    FAILS(MPI_Alltoall(a, 1, MPI_INT, a, 1, MPI_INT, W), MPI_ERR_BUFFER);
    FAILS(MPI_Alltoall(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, W), MPI_ERR_BUFFER);
    if (mc_rank == 0)
        FAILS(MPI_Gather(a, 1, MPI_INT, NULL, 1, MPI_INT, 0, W), MPI_ERR_BUFFER);
    else
        FAILS(MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, NULL, 1, MPI_INT, 0, W), MPI_ERR_BUFFER);
    if (mc_rank != 0) {
        FAILS(MPI_Scatter(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, W), MPI_ERR_BUFFER);
        FAILS(MPI_Reduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, 0, W), MPI_ERR_BUFFER);
    }
    FAILS(MPI_Allgatherv(a, 1, MPI_INT, b, NULL, displs, MPI_INT, W), MPI_ERR_ARG);
    FAILS(MPI_Allgatherv(a, 1, MPI_INT, b, counts, NULL, MPI_INT, W), MPI_ERR_ARG);
    FAILS(MPI_Alltoallw(a, counts, displs, NULL, b, counts, displs, types, W), MPI_ERR_ARG);
    FAILS(MPI_Reduce_scatter(a, b, NULL, MPI_INT, MPI_SUM, W), MPI_ERR_ARG);
    FAILS(MPI_Ibarrier(W, NULL), MPI_ERR_ARG);
    FAILS(MPI_Barrier_init(W, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    FAILS(MPI_Barrier_init(W, (MPI_Info)a, &q), MPI_ERR_INFO);
}

static void add(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *len; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void operations(void)
{
    MPI_Op op, freed;
    int flag = -1;

    FAILS(MPI_Allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, W), MPI_ERR_OP);
    FAILS(MPI_Allreduce(a, b, 1, MPI_INT, (MPI_Op)a, W), MPI_ERR_OP);
    FAILS(MPI_Allreduce(a, b, 1, MPI_INT, MPI_REPLACE, W), MPI_ERR_OP);
    FAILS(MPI_Reduce(a, b, 1, MPI_INT, MPI_NO_OP, 0, W), MPI_ERR_OP);
    FAILS(MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_BAND, W), MPI_ERR_OP);
    FAILS(MPI_Allreduce(a, b, 1, MPI_FLOAT, MPI_LOR, W), MPI_ERR_OP);
    FAILS(MPI_Allreduce(a, b, 1, MPI_C_DOUBLE_COMPLEX, MPI_MAX, W), MPI_ERR_OP);
    FAILS(MPI_Allreduce(a, b, 1, MPI_INT, MPI_MINLOC, W), MPI_ERR_OP);
    FAILS(MPI_Allreduce(a, b, 1, MPI_2INT, MPI_SUM, W), MPI_ERR_OP);
    FAILS(MPI_Allreduce(a, b, 1, MPI_BYTE, MPI_SUM, W), MPI_ERR_OP);
    FAILS(MPI_Allreduce(a, b, 1, MPI_C_BOOL, MPI_SUM, W), MPI_ERR_OP);
    FAILS(MPI_Allreduce(a, b, 1, MPI_PACKED, MPI_BXOR, W), MPI_ERR_OP);
    FAILS(MPI_Iscan(a, b, 1, case_type[1], MPI_SUM, W, &q), MPI_ERR_OP);
    FAILS(MPI_Op_create(NULL, 1, &op), MPI_ERR_ARG);
    FAILS(MPI_Op_create(add, 1, NULL), MPI_ERR_ARG);
    OK(MPI_Op_create(add, 7, &op));
    OK(MPI_Op_commutative(op, &flag));
    CHECK(flag == 1, "commute %d", flag);
    for (int i = 0; i < 4; i++)
        a[i] = b[i] = i + 1;
    OK(MPI_Reduce_local(a, b, 4, MPI_INT, op));
    CHECK(b[0] == 2 && b[3] == 8, "reduce_local: %d %d", b[0], b[3]);
    freed = op;
    OK(MPI_Op_free(&op));
    CHECK(op == MPI_OP_NULL, "Op_free left a handle");
    FAILS(MPI_Op_free(&op), MPI_ERR_OP);
    FAILS(MPI_Op_free(&freed), MPI_ERR_OP);
    FAILS(MPI_Allreduce(a, b, 1, MPI_INT, freed, W), MPI_ERR_OP);
    op = MPI_SUM;
    FAILS(MPI_Op_free(&op), MPI_ERR_OP);
    FAILS(MPI_Op_free(NULL), MPI_ERR_ARG);
    FAILS(MPI_Op_commutative(MPI_OP_NULL, &flag), MPI_ERR_OP);
    FAILS(MPI_Op_commutative(MPI_SUM, NULL), MPI_ERR_ARG);
    OK(MPI_Op_commutative(MPI_MAXLOC, &flag));
    CHECK(flag == 1, "MPI_MAXLOC commutes: %d", flag);
    FAILS(MPI_Reduce_local(a, b, 1, MPI_DOUBLE, MPI_BOR), MPI_ERR_OP);
    FAILS(MPI_Reduce_local(a, b, -1, MPI_INT, MPI_SUM), MPI_ERR_COUNT);
    FAILS(MPI_Reduce_local(a, b, 1, raw, MPI_SUM), MPI_ERR_TYPE);
    FAILS(MPI_Reduce_local(NULL, b, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    FAILS(MPI_Reduce_local(a, a, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
    OK(MPI_Reduce_local(NULL, NULL, 0, MPI_INT, MPI_SUM));
}

/* Who gets the data from another rank that was cut short has room enough. */
static void cut_short(int code)
{
    int class = MPI_SUCCESS;

    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_TRUNCATE || (class == MPI_SUCCESS && mc_rank > 1), "a broadcast cut short: class %d", class);
}

/* The receivers' side is too short: the class, and all ranks go on. */
static void truncation(void)
{
    memset(b, 0, sizeof b);
    if (mc_rank == 0) {
        OK(MPI_Bcast(a, 10, MPI_INT, 0, W));
    } else {
        cut_short(MPI_Bcast(b, 4, MPI_INT, 0, W));
        CHECK(b[4] == 0, "a broadcast wrote behind its buffer");
    }
    memset(b, 0, sizeof b);
    if (mc_rank == 0) {
        OK(MPI_Ibcast(a, 10, MPI_INT, 0, W, &q));
        OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    } else {
        OK(MPI_Ibcast(b, 4, MPI_INT, 0, W, &q));
        cut_short(MPI_Wait(&q, MPI_STATUS_IGNORE));
        CHECK(b[4] == 0, "a nonblocking broadcast wrote behind its buffer");
    }
}

static void still_works(void)
{
    int one = 1, sum = 0;

    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, W));
    CHECK(sum == mc_size, "sum %d", sum);
}

static void between_groups(void)
{
    MPI_Comm local, inter;

    if (mc_size < 2)
        return;
    OK(MPI_Comm_split(W, mc_rank % 2, mc_rank, &local));
    OK(MPI_Intercomm_create(local, 0, W, 1 - mc_rank % 2, 3, &inter));
    OK(MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN));
    FAILS(MPI_Scan(a, b, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_COMM);
    FAILS(MPI_Iexscan(a, b, 1, MPI_INT, MPI_SUM, inter, &q), MPI_ERR_COMM);
    FAILS(MPI_Allreduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_BUFFER);
    FAILS(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, b, 1, MPI_INT, inter), MPI_ERR_BUFFER);
    FAILS(MPI_Bcast(a, 1, MPI_INT, mc_size, inter), MPI_ERR_ROOT);
    OK(MPI_Barrier(inter));
    OK(MPI_Comm_free(&inter));
    OK(MPI_Comm_free(&local));
}

int main(void)
{
    mc_start();
    cases_start();
    OK(MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN));
    OK(MPI_Type_contiguous(3, MPI_INT, &raw));
    for (int i = 0; i < 16; i++) {
        counts[i] = 1;
        displs[i] = i;
        negative[i] = -(i == mc_size - 1);
        types[i] = MPI_INT;
    }
    communicators();
    roots();
    counts_and_types();
    buffers();
    operations();
    still_works();
    truncation();
    still_works();
    between_groups();
    still_works();
    OK(MPI_Type_free(&raw));
    cases_finish();
    return mc_finish();
}
