/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Wrong arguments of the datatype calls: the standard's classes, nothing made.
 */
#include "mcheck.h"

static void check_constructors(void)
{
    MPI_Datatype t = MPI_DATATYPE_NULL, gone, invented = (MPI_Datatype)(uintptr_t)0x123456789;
    int n[] = {1, -1}, at[] = {0, 1};
    MPI_Aint ata[] = {0, 8};
    MPI_Datatype types[] = {MPI_INT, MPI_DATATYPE_NULL};

    OK(MPI_Type_dup(MPI_INT, &gone));
    OK(MPI_Type_free(&(MPI_Datatype){gone}));
    FAILS(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &t), MPI_ERR_TYPE);
    FAILS(MPI_Type_contiguous(1, gone, &t), MPI_ERR_TYPE);
    FAILS(MPI_Type_contiguous(1, invented, &t), MPI_ERR_TYPE);
    FAILS(MPI_Type_contiguous(1, (MPI_Datatype)MPI_COMM_WORLD, &t), MPI_ERR_TYPE);
    FAILS(MPI_Type_contiguous(-1, MPI_INT, &t), MPI_ERR_COUNT);
    FAILS(MPI_Type_contiguous(1, MPI_INT, NULL), MPI_ERR_ARG);
    FAILS(MPI_Type_vector(-1, 1, 1, MPI_INT, &t), MPI_ERR_COUNT);
    FAILS(MPI_Type_vector(1, -1, 1, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_hvector(1, -1, 1, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_indexed(2, n, at, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_indexed(-1, n, at, MPI_INT, &t), MPI_ERR_COUNT);
    FAILS(MPI_Type_indexed(2, NULL, at, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_indexed(2, n, NULL, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_hindexed(2, n, ata, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_indexed_block(2, -1, at, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_hindexed_block(2, 1, NULL, MPI_INT, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_struct(2, at, ata, types, &t), MPI_ERR_TYPE);
    FAILS(MPI_Type_create_struct(2, at, ata, NULL, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_struct(1, n + 1, ata, types, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_create_resized(gone, 0, 8, &t), MPI_ERR_TYPE);
    FAILS(MPI_Type_create_resized_c(MPI_INT, INT64_MAX, 8, &t), MPI_ERR_VALUE_TOO_LARGE);
    FAILS(MPI_Type_dup(MPI_DATATYPE_NULL, &t), MPI_ERR_TYPE);
    FAILS(MPI_Type_contiguous_c(INT64_MAX / 2, MPI_DOUBLE, &t), MPI_ERR_VALUE_TOO_LARGE);
    FAILS(MPI_Type_vector_c(INT64_MAX / 16, 100, 1, MPI_CHAR, &t), MPI_ERR_VALUE_TOO_LARGE);
    FAILS(MPI_Type_vector_c(3, 1, INT64_MAX / 4, MPI_DOUBLE, &t), MPI_ERR_VALUE_TOO_LARGE);
    FAILS(MPI_Type_create_hvector_c(INT64_MAX, INT64_MAX, INT64_MAX, MPI_INT, &t), MPI_ERR_VALUE_TOO_LARGE);
    FAILS(MPI_Type_indexed_c(1, (MPI_Count[]){1}, (MPI_Count[]){INT64_MAX / 2}, MPI_DOUBLE, &t),
          MPI_ERR_VALUE_TOO_LARGE);
    FAILS(MPI_Type_indexed_c(INT64_MAX, NULL, NULL, MPI_DOUBLE, &t), MPI_ERR_ARG);
    CHECK(t == MPI_DATATYPE_NULL, "no type came of errors");
}

static void check_queries(void)
{
    int n, ints[4], combiner;
    MPI_Aint a, addrs[4];
    MPI_Count c;
    MPI_Datatype t, types[4], null = MPI_DATATYPE_NULL;

    OK(MPI_Type_vector(2, 1, 3, MPI_INT, &t));
    FAILS(MPI_Type_size(MPI_DATATYPE_NULL, &n), MPI_ERR_TYPE);
    FAILS(MPI_Type_size(t, NULL), MPI_ERR_ARG);
    FAILS(MPI_Type_size_c(t, NULL), MPI_ERR_ARG);
    FAILS(MPI_Type_get_extent(t, NULL, &a), MPI_ERR_ARG);
    FAILS(MPI_Type_get_extent_x(t, &c, NULL), MPI_ERR_ARG);
    FAILS(MPI_Type_get_true_extent(MPI_DATATYPE_NULL, &a, &a), MPI_ERR_TYPE);
    FAILS(MPI_Type_get_envelope(t, &n, &n, &n, NULL), MPI_ERR_ARG);
    FAILS(MPI_Type_get_envelope(MPI_DATATYPE_NULL, &n, &n, &n, &combiner), MPI_ERR_TYPE);
    FAILS(MPI_Type_get_contents(t, 2, 0, 1, ints, addrs, types), MPI_ERR_ARG);
    FAILS(MPI_Type_get_contents(t, 3, 0, 0, ints, addrs, types), MPI_ERR_ARG);
    FAILS(MPI_Type_get_contents(t, 3, 0, 1, NULL, addrs, types), MPI_ERR_ARG);
    FAILS(MPI_Type_commit(NULL), MPI_ERR_ARG);
    FAILS(MPI_Type_commit(&null), MPI_ERR_TYPE);
    FAILS(MPI_Type_free(NULL), MPI_ERR_ARG);
    FAILS(MPI_Type_free(&null), MPI_ERR_TYPE);
    OK(MPI_Type_free(&t));
}

static void check_packing(void)
{
    char buf[64] = "";
    int values[8] = {0}, at = 0, size = -1;
    MPI_Count atc = 0;
    MPI_Datatype t;

    OK(MPI_Type_contiguous(2, MPI_INT, &t));
    FAILS(MPI_Pack(values, 1, t, buf, 64, &at, MPI_COMM_WORLD), MPI_ERR_TYPE); /* not committed */
    FAILS(MPI_Pack_size(1, t, MPI_COMM_WORLD, &size), MPI_ERR_TYPE);
    OK(MPI_Type_commit(&t));
    FAILS(MPI_Pack(values, 1, t, buf, 64, &at, MPI_COMM_NULL), MPI_ERR_COMM);
    FAILS(MPI_Pack(values, -1, t, buf, 64, &at, MPI_COMM_WORLD), MPI_ERR_COUNT);
    FAILS(MPI_Pack(NULL, 1, t, buf, 64, &at, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    FAILS(MPI_Pack(values, 1, t, NULL, 64, &at, MPI_COMM_WORLD), MPI_ERR_ARG);
    FAILS(MPI_Pack(values, 1, t, buf, -1, &at, MPI_COMM_WORLD), MPI_ERR_ARG);
    FAILS(MPI_Pack(values, 1, t, buf, 64, NULL, MPI_COMM_WORLD), MPI_ERR_ARG);
    FAILS(MPI_Pack(values, 4, t, buf, 31, &at, MPI_COMM_WORLD), MPI_ERR_TRUNCATE);
    CHECK(at == 0, "position %d", at);
    at = -4;
    FAILS(MPI_Pack(values, 1, t, buf, 64, &at, MPI_COMM_WORLD), MPI_ERR_ARG);
    at = 60;
    FAILS(MPI_Unpack(buf, 64, &at, values, 1, t, MPI_COMM_WORLD), MPI_ERR_TRUNCATE);
    FAILS(MPI_Pack_c(values, INT64_MAX / 2, t, buf, 64, &atc, MPI_COMM_WORLD), MPI_ERR_VALUE_TOO_LARGE);
    at = 64;
    OK(MPI_Pack(NULL, 0, t, NULL, 64, &at, MPI_COMM_WORLD)); /* nothing to do */
    CHECK(at == 64, "position %d", at);
    OK(MPI_Pack_size(0, t, MPI_COMM_WORLD, &size));
    CHECK(size == 0, "size %d", size);
    OK(MPI_Type_free(&t));
}

int main(void)
{
    mc_start();
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    check_constructors();
    check_queries();
    check_packing();
    return mc_finish();
}
