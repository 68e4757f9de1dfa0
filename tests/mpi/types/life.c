/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The life of datatypes: predefined ones and their names, dup, commit and free,
 * types that outlive their handles, attributes, types found by a property.
 */
#include <wchar.h>

#include "mcheck.h"

static const struct {
    MPI_Datatype type;
    const char *name;
    int size, extent;
} named[] = {
#define T(type, size) {type, #type, size, size}
#define S(type, ctype) {type, #type, sizeof(ctype), sizeof(ctype)}
    S(MPI_CHAR, char),
    S(MPI_SHORT, short),
    S(MPI_INT, int),
    S(MPI_LONG, long),
    S(MPI_LONG_LONG_INT, long long),
    S(MPI_SIGNED_CHAR, char),
    S(MPI_UNSIGNED_CHAR, char),
    S(MPI_UNSIGNED_SHORT, short),
    S(MPI_UNSIGNED, int),
    S(MPI_UNSIGNED_LONG, long),
    S(MPI_UNSIGNED_LONG_LONG, long long),
    S(MPI_FLOAT, float),
    S(MPI_DOUBLE, double),
    S(MPI_LONG_DOUBLE, long double),
    S(MPI_WCHAR, wchar_t),
    S(MPI_C_BOOL, _Bool),
    S(MPI_INT8_T, int8_t),
    S(MPI_INT16_T, int16_t),
    S(MPI_INT32_T, int32_t),
    S(MPI_INT64_T, int64_t),
    S(MPI_UINT8_T, int8_t),
    S(MPI_UINT16_T, int16_t),
    S(MPI_UINT32_T, int32_t),
    S(MPI_UINT64_T, int64_t),
    S(MPI_AINT, MPI_Aint),
    S(MPI_COUNT, MPI_Count),
    S(MPI_OFFSET, MPI_Offset),
    T(MPI_C_COMPLEX, 8),
    T(MPI_C_DOUBLE_COMPLEX, 16),
    S(MPI_C_LONG_DOUBLE_COMPLEX, _Complex long double),
    T(MPI_BYTE, 1),
    T(MPI_PACKED, 1),
    T(MPI_CXX_BOOL, 1),
    T(MPI_CXX_FLOAT_COMPLEX, 8),
    T(MPI_CXX_DOUBLE_COMPLEX, 16),
    S(MPI_CXX_LONG_DOUBLE_COMPLEX, _Complex long double),
    T(MPI_INTEGER, 4),
    T(MPI_REAL, 4),
    T(MPI_DOUBLE_PRECISION, 8),
    T(MPI_COMPLEX, 8),
    T(MPI_DOUBLE_COMPLEX, 16),
    T(MPI_LOGICAL, 4),
    T(MPI_CHARACTER, 1),
    T(MPI_INTEGER1, 1),
    T(MPI_INTEGER2, 2),
    T(MPI_INTEGER4, 4),
    T(MPI_INTEGER8, 8),
    T(MPI_INTEGER16, 16),
    T(MPI_REAL2, 2),
    T(MPI_REAL4, 4),
    T(MPI_REAL8, 8),
    T(MPI_REAL16, 16),
    T(MPI_COMPLEX4, 4),
    T(MPI_COMPLEX8, 8),
    T(MPI_COMPLEX16, 16),
    T(MPI_COMPLEX32, 32),
    T(MPI_LOGICAL1, 1),
    T(MPI_LOGICAL2, 2),
    T(MPI_LOGICAL4, 4),
    T(MPI_LOGICAL8, 8),
    T(MPI_LOGICAL16, 16),
    T(MPI_2INT, 8),
    T(MPI_2REAL, 8),
    T(MPI_2DOUBLE_PRECISION, 16),
    T(MPI_2INTEGER, 8),
    T(MPI_FLOAT_INT, 8),
    {MPI_DOUBLE_INT, "MPI_DOUBLE_INT", 12, sizeof(struct {
         double v;
         int i;
     })},
    {MPI_LONG_INT, "MPI_LONG_INT", 12, sizeof(struct {
         long v;
         int i;
     })},
    {MPI_SHORT_INT, "MPI_SHORT_INT", 6, sizeof(struct {
         short v;
         int i;
     })},
    {MPI_LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT", sizeof(long double) + 4, sizeof(struct {
         long double v;
         int i;
     })},
};

static void check_named(void)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        MPI_Datatype t = named[i].type;
        int size = -1, length = -1, ni = -1, na = -1, nd = -1, combiner = -1;
        MPI_Aint lb = -1, extent = -1;
        char name[MPI_MAX_OBJECT_NAME] = "";

        OK(MPI_Type_size(t, &size));
        OK(MPI_Type_get_extent(t, &lb, &extent));
        CHECK(size == named[i].size && lb == 0 && extent == named[i].extent, "%s: size %d, extent %ld", named[i].name,
              size, (long)extent);
        OK(MPI_Type_get_name(t, name, &length));
        CHECK(strcmp(name, named[i].name) == 0 && length == (int)strlen(name), "%s is called %s", named[i].name, name);
        OK(MPI_Type_get_envelope(t, &ni, &na, &nd, &combiner));
        CHECK(combiner == MPI_COMBINER_NAMED && ni == 0 && na == 0 && nd == 0, "%s: envelope", named[i].name);
        FAILS(MPI_Type_get_contents(t, 0, 0, 0, &ni, &lb, &t), MPI_ERR_TYPE);
        OK(MPI_Type_commit(&t));
        FAILS(MPI_Type_free(&t), MPI_ERR_TYPE);
        CHECK(t == named[i].type, "%s is still there", named[i].name);
    }
}

static void check_names(void)
{
    char name[MPI_MAX_OBJECT_NAME] = "x", longest[MPI_MAX_OBJECT_NAME + 50];
    MPI_Datatype t, copy;
    int length = -1;

    OK(MPI_Type_contiguous(2, MPI_INT, &t));
    OK(MPI_Type_get_name(t, name, &length));
    CHECK(length == 0 && name[0] == '\0', "no name yet: %s", name);
    OK(MPI_Type_set_name(t, "pair of ints"));
    OK(MPI_Type_get_name(t, name, &length));
    CHECK(strcmp(name, "pair of ints") == 0 && length == 12, "name %s, %d", name, length);
    OK(MPI_Type_dup(t, &copy));
    OK(MPI_Type_get_name(copy, name, &length));
    CHECK(length == 0, "the copy has no name: %s", name);
    memset(longest, 'y', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    OK(MPI_Type_set_name(t, longest));
    OK(MPI_Type_get_name(t, name, &length));
    CHECK(length == MPI_MAX_OBJECT_NAME - 1 && (int)strlen(name) == length, "cut off at %d", length);
    OK(MPI_Type_get_name(MPI_DATATYPE_NULL, name, &length));
    CHECK(strcmp(name, "MPI_DATATYPE_NULL") == 0, "name %s", name);
    FAILS(MPI_Type_set_name(t, NULL), MPI_ERR_ARG);
    FAILS(MPI_Type_get_name(t, NULL, &length), MPI_ERR_ARG);
    OK(MPI_Type_free(&t));
    OK(MPI_Type_free(&copy));
}

/* Types made from others go on when those are freed. */
static void check_children(void)
{
    MPI_Datatype child, parent, types[1], old;
    int ints[1], values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, packed[4] = {0}, at = 0;

    OK(MPI_Type_vector(2, 1, 2, MPI_INT, &child));
    old = child;
    OK(MPI_Type_contiguous(2, child, &parent));
    OK(MPI_Type_free(&child));
    CHECK(child == MPI_DATATYPE_NULL, "the handle is gone");
    OK(MPI_Type_commit(&parent));
    OK(MPI_Pack(values, 1, parent, packed, sizeof packed, &at, MPI_COMM_SELF));
    CHECK(packed[0] == 1 && packed[1] == 3 && packed[2] == 4 && packed[3] == 6, "%d %d %d %d", packed[0], packed[1],
          packed[2], packed[3]);
    OK(MPI_Type_get_contents(parent, 1, 0, 1, ints, NULL, types)); /* a handle that is ours again */
    CHECK(types[0] == old && ints[0] == 2, "contents");
    OK(MPI_Type_free(&parent));
    OK(MPI_Type_commit(&types[0]));
    at = 0;
    OK(MPI_Pack(values, 1, types[0], packed, sizeof packed, &at, MPI_COMM_SELF));
    CHECK(at == 8 && packed[1] == 3, "it works without its parent");
    OK(MPI_Type_free(&types[0]));
    FAILS(MPI_Type_free(&old), MPI_ERR_TYPE);
    FAILS(MPI_Type_size(old, &at), MPI_ERR_TYPE);
    OK(MPI_Type_contiguous(3, MPI_INT, &child));
    OK(MPI_Type_dup(child, &parent));
    old = child;
    OK(MPI_Type_free(&child));
    FAILS(MPI_Type_free(&old), MPI_ERR_TYPE); /* held by its copy, but not the user's any more */
    OK(MPI_Type_commit(&parent));
    OK(MPI_Type_free(&parent));
}

/* A pending receive keeps its type. */
static void check_pending(void)
{
    int in[6] = {1, 2, 3, 4, 5, 6}, out[12] = {0};
    MPI_Datatype t;
    MPI_Request r;

    OK(MPI_Type_vector(6, 1, 2, MPI_INT, &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_Irecv(out, 1, t, 0, 5, MPI_COMM_SELF, &r));
    OK(MPI_Type_free(&t));
    OK(MPI_Send(in, 6, MPI_INT, 0, 5, MPI_COMM_SELF));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    for (int i = 0; i < 12; i++)
        CHECK(out[i] == (i % 2 ? 0 : i / 2 + 1), "element %d is %d", i, out[i]);
}

static int copies, deletions;
static int copy_attr(MPI_Datatype t, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)t, (void)keyval;
    copies++;
    *(void **)out = in;
    *flag = extra == &copies;
    return MPI_SUCCESS;
}
static int delete_attr(MPI_Datatype t, int keyval, void *value, void *extra)
{
    (void)t, (void)keyval, (void)extra;
    deletions++;
    return value == &deletions ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void check_attributes(void)
{
    MPI_Datatype t, copy;
    int key, word = 7, flag = -1, *value = NULL;

    OK(MPI_Type_create_keyval(copy_attr, delete_attr, &key, &copies));
    OK(MPI_Type_contiguous(2, MPI_INT, &t));
    OK(MPI_Type_set_attr(t, key, &word));
    OK(MPI_Type_dup(t, &copy));
    OK(MPI_Type_get_attr(copy, key, &value, &flag));
    CHECK(flag && value == &word && copies == 1, "copied %d times, flag %d", copies, flag);
    OK(MPI_Type_free(&copy));
    CHECK(deletions == 1, "deleted %d times", deletions);
    OK(MPI_Type_set_attr(t, key, &deletions)); /* whose deletion fails */
    CHECK(deletions == 2, "the old value was deleted");
    FAILS(MPI_Type_free(&t), MPI_ERR_OTHER);
    CHECK(t != MPI_DATATYPE_NULL && deletions == 3, "the type stays");
    OK(MPI_Type_free_keyval(&key));
    CHECK(key == MPI_KEYVAL_INVALID, "key %d", key);
}

static void check_fortran(void)
{
    static const struct {
        int p, r, size;
    } reals[] = {{6, 37, 4},   {6, MPI_UNDEFINED, 4}, {MPI_UNDEFINED, 30, 4}, {7, 37, 8},
                 {15, 307, 8}, {6, 300, 8},           {20, 4000, 16}};
    static const int integers[][2] = {{1, 1}, {2, 1}, {3, 2}, {4, 2}, {9, 4}, {10, 8}, {18, 8}, {19, 16}};
    MPI_Datatype a, b;
    int size = -1, ni = -1, na = -1, nd = -1, combiner = -1, ints[2];

    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        OK(MPI_Type_create_f90_real(reals[i].p, reals[i].r, &a));
        OK(MPI_Type_create_f90_real(reals[i].p, reals[i].r, &b));
        CHECK(a == b, "equal arguments, equal types");
        OK(MPI_Type_size(a, &size));
        CHECK(size == reals[i].size, "real of %d digits and range %d has %d bytes", reals[i].p, reals[i].r, size);
        OK(MPI_Type_get_envelope(a, &ni, &na, &nd, &combiner));
        CHECK(combiner == MPI_COMBINER_F90_REAL && ni == 2 && na == 0 && nd == 0, "envelope %d %d %d %d", combiner, ni,
              na, nd);
        OK(MPI_Type_get_contents(a, 2, 0, 0, ints, NULL, NULL));
        CHECK(ints[0] == reals[i].p && ints[1] == reals[i].r, "contents %d %d", ints[0], ints[1]);
        OK(MPI_Type_create_f90_complex(reals[i].p, reals[i].r, &b));
        OK(MPI_Type_size(b, &size));
        CHECK(size == 2 * reals[i].size && a != b, "complex has %d bytes", size);
        FAILS(MPI_Type_free(&a), MPI_ERR_TYPE);
        CHECK(a != MPI_DATATYPE_NULL, "it stays");
    }
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        OK(MPI_Type_create_f90_integer(integers[i][0], &a));
        OK(MPI_Type_size(a, &size));
        CHECK(size == integers[i][1], "integer of range %d has %d bytes", integers[i][0], size);
        OK(MPI_Type_get_envelope(a, &ni, &na, &nd, &combiner));
        CHECK(combiner == MPI_COMBINER_F90_INTEGER && ni == 1, "envelope %d %d", combiner, ni);
    }
    FAILS(MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &a), MPI_ERR_ARG);
    FAILS(MPI_Type_create_f90_real(50, 10, &a), MPI_ERR_ARG);
    FAILS(MPI_Type_create_f90_integer(39, &a), MPI_ERR_ARG);
}

static void check_found(void)
{
    static const struct {
        int class, size;
        MPI_Datatype type;
    } sizes[] = {{MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},
                 {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
                 {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16},
                 {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},
                 {MPI_TYPECLASS_REAL, 4, MPI_REAL4}};
    MPI_Datatype t;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        OK(MPI_Type_match_size(sizes[i].class, sizes[i].size, &t));
        CHECK(t == sizes[i].type, "class %d, size %d", sizes[i].class, sizes[i].size);
    }
    FAILS(MPI_Type_match_size(MPI_TYPECLASS_REAL, 5, &t), MPI_ERR_ARG);
    FAILS(MPI_Type_match_size(9999, 4, &t), MPI_ERR_ARG);
    OK(MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &t));
    CHECK(t == MPI_DOUBLE_INT, "double and int");
    OK(MPI_Type_get_value_index(MPI_INT, MPI_INT, &t));
    CHECK(t == MPI_2INT, "int and int");
    OK(MPI_Type_get_value_index(MPI_REAL, MPI_REAL, &t));
    CHECK(t == MPI_2REAL, "real and real");
    OK(MPI_Type_get_value_index(MPI_FLOAT, MPI_DOUBLE, &t));
    CHECK(t == MPI_DATATYPE_NULL, "there is no such pair");
    FAILS(MPI_Type_get_value_index(MPI_DATATYPE_NULL, MPI_INT, &t), MPI_ERR_TYPE);
}

/* Thousands of types do not use up anything. */
static void check_many(void)
{
    for (int i = 0; i < 200000; i++) {
        MPI_Datatype a, b;

        OK(MPI_Type_vector(3, 2, 5, MPI_DOUBLE, &a));
        OK(MPI_Type_create_resized(a, 0, 1000, &b));
        OK(MPI_Type_commit(&b));
        OK(MPI_Type_free(&a));
        OK(MPI_Type_free(&b));
    }
}

int main(void)
{
    mc_start();
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    check_named();
    check_names();
    check_children();
    check_pending();
    check_attributes();
    check_fortran();
    check_found();
    check_many();
    return mc_finish();
}
