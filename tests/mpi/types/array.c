/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Distributed arrays (5.1.4) against their definition: element by element, who
 * owns it. All distributions, dimensions and orders; together the processes
 * have every element once.
 */
#include "mcheck.h"

enum { DIMS = 3, ELEMENTS = 2000 };

struct array {
    int nd, size[DIMS], distrib[DIMS], darg[DIMS], procs[DIMS], order, nprocs;
};

static int below(uint64_t *rng, int n)
{
    return (int)check_random_below(rng, (uint64_t)n);
}

static struct array array_random(uint64_t *rng)
{
    static const int distribs[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
    struct array a = {
        .nd = 1 + below(rng, DIMS), .order = below(rng, 2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, .nprocs = 1};

    for (int d = 0; d < a.nd; d++) {
        a.size[d] = 1 + below(rng, 12);
        a.distrib[d] = distribs[below(rng, 3)];
        a.procs[d] = a.distrib[d] == MPI_DISTRIBUTE_NONE ? 1 : 1 + below(rng, 4);
        a.nprocs *= a.procs[d];
        if (a.distrib[d] == MPI_DISTRIBUTE_NONE || below(rng, 2))
            a.darg[d] = MPI_DISTRIBUTE_DFLT_DARG;
        else if (a.distrib[d] == MPI_DISTRIBUTE_BLOCK)
            a.darg[d] = (a.size[d] + a.procs[d] - 1) / a.procs[d] + below(rng, 3);
        else
            a.darg[d] = 1 + below(rng, 5);
    }
    return a;
}

/* Which process of dimension d has element i of it? */
static int owner(const struct array *a, int d, int i)
{
    int block = a->darg[d];

    switch (a->distrib[d]) {
    case MPI_DISTRIBUTE_BLOCK:
        if (block == MPI_DISTRIBUTE_DFLT_DARG)
            block = (a->size[d] + a->procs[d] - 1) / a->procs[d];
        return i / block;
    case MPI_DISTRIBUTE_CYCLIC:
        if (block == MPI_DISTRIBUTE_DFLT_DARG)
            block = 1;
        return i / block % a->procs[d];
    default:
        return 0;
    }
}

/* Element k of the array in memory: the process that has it, ranks in C's order of the grid. */
static int rank_of(const struct array *a, int k)
{
    int index[DIMS], rank = 0;

    for (int i = 0; i < a->nd; i++) {
        int d = a->order == MPI_ORDER_C ? a->nd - 1 - i : i;

        index[d] = k % a->size[d];
        k /= a->size[d];
    }
    for (int d = 0; d < a->nd; d++)
        rank = rank * a->procs[d] + owner(a, d, index[d]);
    return rank;
}

static MPI_Datatype make(const struct array *a, int rank, bool wide, MPI_Datatype old)
{
    MPI_Datatype t = MPI_DATATYPE_NULL;
    MPI_Count size[DIMS];

    for (int d = 0; d < a->nd; d++)
        size[d] = a->size[d];
    OK(wide
           ? MPI_Type_create_darray_c(a->nprocs, rank, a->nd, size, a->distrib, a->darg, a->procs, a->order, old, &t)
           : MPI_Type_create_darray(a->nprocs, rank, a->nd, a->size, a->distrib, a->darg, a->procs, a->order, old, &t));
    OK(MPI_Type_commit(&t));
    return t;
}

static void check_rank(const struct array *a, int rank, const int *array, int n, bool wide)
{
    MPI_Datatype t = make(a, rank, wide, MPI_INT);
    int packed[ELEMENTS], wanted[ELEMENTS], mine = 0, size = -1, at = 0;
    MPI_Aint lb = -1, extent = -1;

    for (int k = 0; k < n; k++)
        if (rank_of(a, k) == rank)
            wanted[mine++] = array[k];
    OK(MPI_Type_size(t, &size));
    CHECK(size == mine * (int)sizeof(int), "size %d, expected %d elements (rank %d of %d)", size, mine, rank,
          a->nprocs);
    OK(MPI_Type_get_extent(t, &lb, &extent));
    CHECK(lb == 0 && extent == n * (MPI_Aint)sizeof(int), "extent %ld of %d elements", (long)extent, n);
    OK(MPI_Pack(array, 1, t, packed, sizeof packed, &at, MPI_COMM_SELF));
    CHECK(at == size && memcmp(packed, wanted, (size_t)size) == 0,
          "elements of rank %d of %d, %d dimensions, distributions %d %d %d", rank, a->nprocs, a->nd, a->distrib[0],
          a->distrib[1], a->distrib[2]);
    OK(MPI_Type_free(&t));
}

/* A cyclic distribution that is longer than int counts: bounds only. */
static void check_large(void)
{
    const MPI_Count size = ((MPI_Count)7 << 32) + 5;
    MPI_Count bytes = 0, lb = -1, extent = -1;
    MPI_Datatype t;

    OK(MPI_Type_create_darray_c(4, 0, 1, &size, (int[]){MPI_DISTRIBUTE_CYCLIC}, (int[]){3}, (int[]){4}, MPI_ORDER_C,
                                MPI_DOUBLE, &t));
    OK(MPI_Type_size_c(t, &bytes));
    OK(MPI_Type_get_extent_c(t, &lb, &extent));
    CHECK(extent == 8 * size && lb == 0, "extent %lld", (long long)extent);
    CHECK(bytes == 8 * (size / 12 * 3 + (size % 12 < 3 ? size % 12 : 3)), "size %lld", (long long)bytes);
    OK(MPI_Type_commit(&t));
    OK(MPI_Type_free(&t));
}

static void check_errors(void)
{
    MPI_Datatype t = MPI_DATATYPE_NULL;
    int size[] = {4, 6}, none[] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_NONE},
        dflt[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    int block[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK}, grid[] = {2, 3}, ones[] = {1, 1}, part[] = {2, 2},
        start[] = {1, 1};

    FAILS(MPI_Type_create_darray(6, 6, 2, size, block, dflt, grid, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_RANK);
    FAILS(MPI_Type_create_darray(5, 0, 2, size, block, dflt, grid, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_darray(6, 0, 2, size, none, dflt, grid, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_darray(6, 0, 2, size, block, ones, grid, MPI_ORDER_C, MPI_INT, &t),
          MPI_ERR_ARG); /* blocks of 1 do not reach */
    FAILS(MPI_Type_create_darray(6, 0, 0, size, block, dflt, grid, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_darray(6, 0, 2, size, block, dflt, grid, 77, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_darray(6, 0, 2, NULL, block, dflt, grid, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_darray(6, 0, 2, size, (int[]){5, 5}, dflt, grid, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_darray(6, 0, 2, size, block, dflt, (int[]){-2, -3}, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_subarray(0, size, part, start, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_subarray(2, size, (int[]){5, 2}, start, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_subarray(2, size, (int[]){0, 2}, start, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_subarray(2, size, part, (int[]){3, 0}, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_subarray(2, size, part, (int[]){-1, 0}, MPI_ORDER_C, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_subarray(2, size, part, start, 0, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_subarray(2, size, part, start, MPI_ORDER_C, MPI_DATATYPE_NULL, &t), MPI_ERR_TYPE);
    FAILS(MPI_Type_create_subarray(2, size, part, start, MPI_ORDER_C, MPI_INT, NULL), MPI_ERR_ARG);
    FAILS(MPI_Type_create_subarray_c(2, (MPI_Count[]){INT64_MAX / 2, 8}, (MPI_Count[]){1, 1}, (MPI_Count[]){0, 0},
                                     MPI_ORDER_C, MPI_INT, &t),
          MPI_ERR_VALUE_TOO_LARGE);
    CHECK(t == MPI_DATATYPE_NULL, "no type came of errors");
}

int main(void)
{
    static int array[ELEMENTS];
    uint64_t rng;

    mc_start();
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    rng = check_seed(5) + (uint64_t)mc_rank;
    for (int k = 0; k < ELEMENTS; k++)
        array[k] = k;
    for (int i = 0; i < 300; i++) {
        struct array a = array_random(&rng);
        int n = 1;

        for (int d = 0; d < a.nd; d++)
            n *= a.size[d];
        for (int rank = 0; rank < a.nprocs; rank++)
            check_rank(&a, rank, array, n, below(&rng, 2));
    }
    check_large();
    check_errors();
    return mc_finish();
}
