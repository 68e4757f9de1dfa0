/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What each constructor reports: envelope and contents in both forms (5.1.13),
 * exactly; bounds of the standard's own examples; counts beyond int.
 */
#include "mcheck.h"

struct expect {
    int combiner;
    MPI_Count ni, na, nc, nd;
    int ints[24];
    MPI_Aint addrs[8];
    MPI_Count counts[24];
    MPI_Datatype types[4];
};

/* Frees the type. */
static void check(MPI_Datatype t, const char *what, const struct expect *e)
{
    MPI_Count ni = -1, na = -1, nc = -1, nd = -1, counts[24];
    int si = -1, sa = -1, sd = -1, combiner = -1, ints[24];
    MPI_Aint addrs[8];
    MPI_Datatype types[4];

    OK(MPI_Type_get_envelope_c(t, &ni, &na, &nc, &nd, &combiner));
    CHECK(ni == e->ni && na == e->na && nc == e->nc && nd == e->nd, "%s: envelope %lld %lld %lld %lld", what,
          (long long)ni, (long long)na, (long long)nc, (long long)nd);
    CHECK(combiner == e->combiner, "%s: combiner %d, expected %d", what, combiner, e->combiner);
    OK(MPI_Type_get_contents_c(t, ni, na, nc, nd, ints, addrs, counts, types));
    for (int i = 0; i < ni; i++)
        CHECK(ints[i] == e->ints[i], "%s: integer %d is %d, expected %d", what, i, ints[i], e->ints[i]);
    for (int i = 0; i < na; i++)
        CHECK(addrs[i] == e->addrs[i], "%s: address %d is %ld, expected %ld", what, i, (long)addrs[i],
              (long)e->addrs[i]);
    for (int i = 0; i < nc; i++)
        CHECK(counts[i] == e->counts[i], "%s: count %d is %lld, expected %lld", what, i, (long long)counts[i],
              (long long)e->counts[i]);
    for (int i = 0; i < nd; i++)
        CHECK(types[i] == e->types[i], "%s: type %d", what, i);
    if (nc == 0) {
        OK(MPI_Type_get_envelope(t, &si, &sa, &sd, &combiner));
        CHECK(si == ni && sa == na && sd == nd && combiner == e->combiner, "%s: small envelope %d %d %d", what, si, sa,
              sd);
        OK(MPI_Type_get_contents(t, si, sa, sd, ints, addrs, types));
    } else {
        FAILS(MPI_Type_get_envelope(t, &si, &sa, &sd, &combiner), MPI_ERR_TYPE);
        FAILS(MPI_Type_get_contents(t, 24, 8, 4, ints, addrs, types), MPI_ERR_TYPE);
    }
    OK(MPI_Type_free(&t));
}

#define MAKE(call, ...)                                 \
    do {                                                \
        MPI_Datatype t = MPI_DATATYPE_NULL;             \
        OK(call);                                       \
        check(t, #call, &(struct expect){__VA_ARGS__}); \
    } while (0)

static void check_blocks(void)
{
    const int n[] = {2, 0, 3}, at[] = {7, -1, 20};
    const MPI_Count nc[] = {2, 0, 3}, atc[] = {7, -1, 20};
    const MPI_Aint ata[] = {7, -1, 20};
    const MPI_Datatype d = MPI_DOUBLE, types[] = {MPI_INT, MPI_CHAR, MPI_DOUBLE};

    MAKE(MPI_Type_contiguous(5, d, &t), MPI_COMBINER_CONTIGUOUS, 1, 0, 0, 1, {5}, .types = {d});
    MAKE(MPI_Type_contiguous_c(5, d, &t), MPI_COMBINER_CONTIGUOUS, 0, 0, 1, 1, .counts = {5}, .types = {d});
    MAKE(MPI_Type_vector(5, 2, -3, d, &t), MPI_COMBINER_VECTOR, 3, 0, 0, 1, {5, 2, -3}, .types = {d});
    MAKE(MPI_Type_vector_c(5, 2, -3, d, &t), MPI_COMBINER_VECTOR, 0, 0, 3, 1, .counts = {5, 2, -3}, .types = {d});
    MAKE(MPI_Type_create_hvector(5, 2, 99, d, &t), MPI_COMBINER_HVECTOR, 2, 1, 0, 1, {5, 2}, {99}, .types = {d});
    MAKE(MPI_Type_create_hvector_c(5, 2, 99, d, &t), MPI_COMBINER_HVECTOR, 0, 0, 3, 1, .counts = {5, 2, 99},
         .types = {d});
    MAKE(MPI_Type_indexed(3, n, at, d, &t), MPI_COMBINER_INDEXED, 7, 0, 0, 1, {3, 2, 0, 3, 7, -1, 20}, .types = {d});
    MAKE(MPI_Type_indexed_c(3, nc, atc, d, &t), MPI_COMBINER_INDEXED, 0, 0, 7, 1, .counts = {3, 2, 0, 3, 7, -1, 20},
         .types = {d});
    MAKE(MPI_Type_create_hindexed(3, n, ata, d, &t), MPI_COMBINER_HINDEXED, 4, 3, 0, 1, {3, 2, 0, 3}, {7, -1, 20},
         .types = {d});
    MAKE(MPI_Type_create_hindexed_c(3, nc, atc, d, &t), MPI_COMBINER_HINDEXED, 0, 0, 7, 1,
         .counts = {3, 2, 0, 3, 7, -1, 20}, .types = {d});
    MAKE(MPI_Type_create_indexed_block(3, 4, at, d, &t), MPI_COMBINER_INDEXED_BLOCK, 5, 0, 0, 1, {3, 4, 7, -1, 20},
         .types = {d});
    MAKE(MPI_Type_create_indexed_block_c(3, 4, atc, d, &t), MPI_COMBINER_INDEXED_BLOCK, 0, 0, 5, 1,
         .counts = {3, 4, 7, -1, 20}, .types = {d});
    MAKE(MPI_Type_create_hindexed_block(3, 4, ata, d, &t), MPI_COMBINER_HINDEXED_BLOCK, 2, 3, 0, 1, {3, 4}, {7, -1, 20},
         .types = {d});
    MAKE(MPI_Type_create_hindexed_block_c(3, 4, atc, d, &t), MPI_COMBINER_HINDEXED_BLOCK, 0, 0, 5, 1,
         .counts = {3, 4, 7, -1, 20}, .types = {d});
    MAKE(MPI_Type_create_struct(3, n, ata, types, &t), MPI_COMBINER_STRUCT, 4, 3, 0, 3, {3, 2, 0, 3}, {7, -1, 20},
         .types = {MPI_INT, MPI_CHAR, MPI_DOUBLE});
    MAKE(MPI_Type_create_struct_c(3, nc, atc, types, &t), MPI_COMBINER_STRUCT, 0, 0, 7, 3,
         .counts = {3, 2, 0, 3, 7, -1, 20}, .types = {MPI_INT, MPI_CHAR, MPI_DOUBLE});
    MAKE(MPI_Type_create_resized(d, -8, 40, &t), MPI_COMBINER_RESIZED, 0, 2, 0, 1, {0}, {-8, 40}, .types = {d});
    MAKE(MPI_Type_create_resized_c(d, -8, 40, &t), MPI_COMBINER_RESIZED, 0, 0, 2, 1, .counts = {-8, 40}, .types = {d});
    MAKE(MPI_Type_dup(d, &t), MPI_COMBINER_DUP, 0, 0, 0, 1, .types = {d});
    MAKE(MPI_Type_indexed(0, NULL, NULL, d, &t), MPI_COMBINER_INDEXED, 1, 0, 0, 1, {0}, .types = {d});
    MAKE(MPI_Type_indexed_c(0, NULL, NULL, d, &t), MPI_COMBINER_INDEXED, 0, 0, 1, 1, .counts = {0}, .types = {d});
    MAKE(MPI_Type_create_struct(0, NULL, NULL, NULL, &t), MPI_COMBINER_STRUCT, 1, .ints = {0});
}

static void check_arrays(void)
{
    const int size[] = {4, 6}, part[] = {2, 3}, start[] = {1, 2};
    const MPI_Count sizec[] = {4, 6}, partc[] = {2, 3}, startc[] = {1, 2};
    const int distribs[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, dargs[] = {MPI_DISTRIBUTE_DFLT_DARG, 2},
              procs[] = {2, 3};
    const MPI_Datatype d = MPI_DOUBLE;

    MAKE(MPI_Type_create_subarray(2, size, part, start, MPI_ORDER_C, d, &t), MPI_COMBINER_SUBARRAY, 8, 0, 0, 1,
         {2, 4, 6, 2, 3, 1, 2, MPI_ORDER_C}, .types = {d});
    MAKE(MPI_Type_create_subarray_c(2, sizec, partc, startc, MPI_ORDER_FORTRAN, d, &t), MPI_COMBINER_SUBARRAY, 2, 0, 6,
         1, {2, MPI_ORDER_FORTRAN}, .counts = {4, 6, 2, 3, 1, 2}, .types = {d});
    MAKE(MPI_Type_create_darray(6, 5, 2, size, distribs, dargs, procs, MPI_ORDER_C, d, &t), MPI_COMBINER_DARRAY, 12, 0,
         0, 1,
         {6, 5, 2, 4, 6, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, 2, 2, 3, MPI_ORDER_C},
         .types = {d});
    MAKE(MPI_Type_create_darray_c(6, 5, 2, sizec, distribs, dargs, procs, MPI_ORDER_C, d, &t), MPI_COMBINER_DARRAY, 10,
         0, 2, 1,
         {6, 5, 2, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, 2, 2, 3, MPI_ORDER_C},
         .counts = {4, 6}, .types = {d});
}

static void check_bounds(MPI_Datatype t, const char *what, MPI_Count size, MPI_Count lb, MPI_Count extent,
                         MPI_Count true_lb, MPI_Count true_extent)
{
    MPI_Count s = -1, a = -1, b = -1, c = -1, d = -1;

    OK(MPI_Type_size_x(t, &s));
    OK(MPI_Type_get_extent_x(t, &a, &b));
    OK(MPI_Type_get_true_extent_c(t, &c, &d));
    CHECK(s == size, "%s: size %lld, expected %lld", what, (long long)s, (long long)size);
    CHECK(a == lb && b == extent, "%s: bounds %lld, %lld, expected %lld, %lld", what, (long long)a, (long long)b,
          (long long)lb, (long long)extent);
    CHECK(c == true_lb && d == true_extent, "%s: true bounds %lld, %lld, expected %lld, %lld", what, (long long)c,
          (long long)d, (long long)true_lb, (long long)true_extent);
}

/* The examples of 5.1 whose bounds follow from the text. */
static void check_examples(void)
{
    MPI_Datatype a, b, c;

    OK(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_CHAR}, &a));
    check_bounds(a, "double and char", 9, 0, 16, 0, 9);
    OK(MPI_Type_contiguous(3, a, &b));
    check_bounds(b, "3 of them", 27, 0, 48, 0, 41);
    OK(MPI_Type_vector(2, 3, 4, a, &c));
    check_bounds(c, "vector of them", 54, 0, 7 * 16, 0, 6 * 16 + 9);
    OK(MPI_Type_free(&b));
    OK(MPI_Type_free(&c));
    OK(MPI_Type_vector(3, 1, -2, a, &b));
    check_bounds(b, "backwards", 27, -64, 80, -64, 73);
    OK(MPI_Type_free(&b));
    OK(MPI_Type_create_resized(MPI_INT, -3, 9, &b)); /* the standard's type1 and type2 */
    check_bounds(b, "resized int", 4, -3, 9, 0, 4);
    OK(MPI_Type_contiguous(2, b, &c));
    check_bounds(c, "two resized ints", 8, -3, 18, 0, 13);
    OK(MPI_Type_free(&c));
    OK(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){-40, 0}, (MPI_Datatype[]){MPI_DOUBLE, b}, &c));
    check_bounds(c, "marks win over data", 12, -3, 9, -40, 44);
    OK(MPI_Type_free(&a));
    OK(MPI_Type_create_resized(c, 0, 16, &a));
    check_bounds(a, "new marks replace old ones", 12, 0, 16, -40, 44);
    OK(MPI_Type_free(&a));
    OK(MPI_Type_free(&b));
    OK(MPI_Type_free(&c));
    OK(MPI_Type_contiguous(0, MPI_INT, &a));
    check_bounds(a, "nothing", 0, 0, 0, 0, 0);
    OK(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){500, 8}, (MPI_Datatype[]){a, MPI_INT}, &b));
    check_bounds(b, "nothing at 500, int at 8", 4, 8, 4, 8, 4);
    OK(MPI_Type_free(&a));
    OK(MPI_Type_free(&b));
}

/* Counts beyond int: sizes and bounds only, but committed. */
static void check_large(void)
{
    const MPI_Count n = (MPI_Count)5 << 31;
    MPI_Datatype a, b, c;
    int small = 0;
    MPI_Aint lb, extent;

    OK(MPI_Type_contiguous_c(n, MPI_INT, &a));
    OK(MPI_Type_commit(&a));
    check_bounds(a, "5 x 2^31 ints", 4 * n, 0, 4 * n, 0, 4 * n);
    OK(MPI_Type_size(a, &small));
    CHECK(small == MPI_UNDEFINED, "the size does not fit an int: %d", small);
    OK(MPI_Type_get_extent(a, &lb, &extent));
    CHECK(extent == 4 * n, "an MPI_Aint holds the extent");
    OK(MPI_Type_vector_c(n, 2, 3, MPI_DOUBLE, &b));
    OK(MPI_Type_commit(&b));
    check_bounds(b, "vector", 16 * n, 0, 8 * (3 * (n - 1) + 2), 0, 8 * (3 * (n - 1) + 2));
    OK(MPI_Type_create_hvector_c(3, 1, -32 * n, b, &c));
    OK(MPI_Type_commit(&c));
    check_bounds(c, "hvector", 48 * n, -64 * n, 64 * n + 8 * (3 * (n - 1) + 2), -64 * n,
                 64 * n + 8 * (3 * (n - 1) + 2));
    OK(MPI_Type_free(&c));
    OK(MPI_Type_create_subarray_c(2, (MPI_Count[]){n, 4}, (MPI_Count[]){n - 2, 2}, (MPI_Count[]){1, 1}, MPI_ORDER_C,
                                  MPI_CHAR, &c));
    OK(MPI_Type_commit(&c));
    check_bounds(c, "subarray", 2 * (n - 2), 0, 4 * n, 5, 4 * (n - 3) + 2);
    OK(MPI_Type_free(&c));
    OK(MPI_Type_contiguous(1 << 30, MPI_DOUBLE, &c)); /* small constructors, large type */
    check_bounds(c, "2^30 doubles", (MPI_Count)8 << 30, 0, (MPI_Count)8 << 30, 0, (MPI_Count)8 << 30);
    OK(MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &small));
    CHECK(small == 4, "pack size of an int: %d", small);
    OK(MPI_Type_commit(&c));
    OK(MPI_Pack_size(1, c, MPI_COMM_WORLD, &small));
    CHECK(small == MPI_UNDEFINED, "pack size beyond int: %d", small);
    OK(MPI_Type_free(&a));
    OK(MPI_Type_free(&b));
    OK(MPI_Type_free(&c));
}

/* Types of two of two of two ...: more blocks than memory could list. */
static void check_doubling(void)
{
    MPI_Datatype t = MPI_CHAR, next;
    MPI_Count size = 0;

    for (int i = 0; i < 40; i++) {
        OK(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, ((MPI_Aint)3 << i) + i}, (MPI_Datatype[]){t, t},
                                  &next));
        if (t != MPI_CHAR)
            OK(MPI_Type_free(&t));
        t = next;
    }
    OK(MPI_Type_commit(&t));
    OK(MPI_Type_size_c(t, &size));
    CHECK(size == (MPI_Count)1 << 40, "size %lld", (long long)size);
    OK(MPI_Type_free(&t));
}

/* A chain of 50,000 types, each made of the one before. */
static void check_deep(void)
{
    MPI_Datatype t, next;
    MPI_Count size = 0;
    int n = 50000;

    OK(MPI_Type_dup(MPI_INT, &t));
    for (int i = 1; i < n; i++) {
        OK(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8 * i}, (MPI_Datatype[]){t, MPI_INT}, &next));
        OK(MPI_Type_free(&t));
        t = next;
    }
    OK(MPI_Type_commit(&t));
    OK(MPI_Type_size_c(t, &size));
    CHECK(size == 4 * (MPI_Count)n, "size %lld", (long long)size);
    OK(MPI_Type_free(&t));
}

int main(void)
{
    mc_start();
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    check_blocks();
    check_arrays();
    check_examples();
    check_large();
    check_doubling();
    check_deep();
    return mc_finish();
}
