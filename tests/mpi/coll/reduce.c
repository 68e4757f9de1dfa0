/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions: every operation with every type it is defined for, in each collective that reduces, on communicators of
 * every size, compared with a loop over the ranks. Values are small whole numbers, so that every order of combining
 * gives the same result. */
#include <complex.h>

#include "cases.h"

/* KIND(name, C type, MPI type): what is stored for a number. */
#define INTEGERS(X)                                       \
    X(schar, signed char, MPI_SIGNED_CHAR)                \
    X(short, short, MPI_SHORT)                            \
    X(int, int, MPI_INT)                                  \
    X(long, long, MPI_LONG)                               \
    X(llong, long long, MPI_LONG_LONG)                    \
    X(uchar, unsigned char, MPI_UNSIGNED_CHAR)            \
    X(ushort, unsigned short, MPI_UNSIGNED_SHORT)         \
    X(uint, unsigned, MPI_UNSIGNED)                       \
    X(ulong, unsigned long, MPI_UNSIGNED_LONG)            \
    X(ullong, unsigned long long, MPI_UNSIGNED_LONG_LONG) \
    X(i8, int8_t, MPI_INT8_T)                             \
    X(i16, int16_t, MPI_INT16_T)                          \
    X(i32, int32_t, MPI_INT32_T)                          \
    X(i64, int64_t, MPI_INT64_T)                          \
    X(u8, uint8_t, MPI_UINT8_T)                           \
    X(u16, uint16_t, MPI_UINT16_T)                        \
    X(u32, uint32_t, MPI_UINT32_T)                        \
    X(u64, uint64_t, MPI_UINT64_T)                        \
    X(aint, MPI_Aint, MPI_AINT)                           \
    X(count, MPI_Count, MPI_COUNT)                        \
    X(offset, MPI_Offset, MPI_OFFSET)                     \
    X(integer, int, MPI_INTEGER)                          \
    X(integer1, int8_t, MPI_INTEGER1)                     \
    X(integer2, int16_t, MPI_INTEGER2)                    \
    X(integer4, int32_t, MPI_INTEGER4) X(integer8, int64_t, MPI_INTEGER8) X(integer16, __int128, MPI_INTEGER16)
#define REALS(X)                             \
    X(float, float, MPI_FLOAT)               \
    X(double, double, MPI_DOUBLE)            \
    X(ldouble, long double, MPI_LONG_DOUBLE) \
    X(real, float, MPI_REAL)                 \
    X(dprec, double, MPI_DOUBLE_PRECISION) X(real4, float, MPI_REAL4) X(real8, double, MPI_REAL8)
#define COMPLEXES(X)                                             \
    X(cfloat, float _Complex, MPI_C_FLOAT_COMPLEX)               \
    X(cdouble, double _Complex, MPI_C_DOUBLE_COMPLEX)            \
    X(cldouble, long double _Complex, MPI_C_LONG_DOUBLE_COMPLEX) \
    X(xfloat, float _Complex, MPI_CXX_FLOAT_COMPLEX)             \
    X(xdouble, double _Complex, MPI_CXX_DOUBLE_COMPLEX)          \
    X(complex, float _Complex, MPI_COMPLEX)                      \
    X(complex8, float _Complex, MPI_COMPLEX8)                    \
    X(complex16, double _Complex, MPI_COMPLEX16) X(dcomplex, double _Complex, MPI_DOUBLE_COMPLEX)
#define LOGICALS(X)                   \
    X(bool, _Bool, MPI_C_BOOL)        \
    X(xbool, _Bool, MPI_CXX_BOOL)     \
    X(logical, int, MPI_LOGICAL)      \
    X(logical1, int8_t, MPI_LOGICAL1) \
    X(logical2, int16_t, MPI_LOGICAL2) X(logical4, int32_t, MPI_LOGICAL4) X(logical8, int64_t, MPI_LOGICAL8)
#define BYTES(X) X(byte, unsigned char, MPI_BYTE)

/* Numbers are put into elements and read back as complex double. */
#define ACCESS(name, T, type)                        \
    static void put_##name(void *at, long i, long v) \
    {                                                \
        ((T *)at)[i] = (T)v;                         \
    }                                                \
    static double get_##name(const void *at, long i) \
    {                                                \
        return (double)((const T *)at)[i];           \
    }
#define ACCESS_C(name, T, type)                                          \
    static void put_##name(void *at, long i, long v)                     \
    {                                                                    \
        ((T *)at)[i] = (T)v;                                             \
    }                                                                    \
    static double get_##name(const void *at, long i)                     \
    {                                                                    \
        return (double)creall((long double _Complex)((const T *)at)[i]); \
    }
INTEGERS(ACCESS)
REALS(ACCESS)
LOGICALS(ACCESS)
BYTES(ACCESS)
COMPLEXES(ACCESS_C)

enum { ARITHMETIC = 1, ORDER = 2, BITS = 4, TRUTH = 8 };
static struct kind {
    const char *name;
    void (*put)(void *at, long i, long v);
    double (*get)(const void *at, long i);
    size_t size;
    int does;
    MPI_Datatype type;
} kinds[] = {
#define INTEGER_ROW(name, T, mpi) {#name, put_##name, get_##name, sizeof(T), ARITHMETIC | ORDER | BITS | TRUTH, mpi},
#define REAL_ROW(name, T, mpi) {#name, put_##name, get_##name, sizeof(T), ARITHMETIC | ORDER, mpi},
#define COMPLEX_ROW(name, T, mpi) {#name, put_##name, get_##name, sizeof(T), ARITHMETIC, mpi},
#define LOGICAL_ROW(name, T, mpi) {#name, put_##name, get_##name, sizeof(T), TRUTH, mpi},
#define BYTE_ROW(name, T, mpi) {#name, put_##name, get_##name, sizeof(T), BITS, mpi},
    INTEGERS(INTEGER_ROW) REALS(REAL_ROW) COMPLEXES(COMPLEX_ROW) LOGICALS(LOGICAL_ROW) BYTES(BYTE_ROW)
    /* types by precision and range: made by main */
    INTEGER_ROW(i32, int32_t, MPI_DATATYPE_NULL) INTEGER_ROW(i64, int64_t, MPI_DATATYPE_NULL)
        REAL_ROW(float, float, MPI_DATATYPE_NULL) REAL_ROW(double, double, MPI_DATATYPE_NULL)
            COMPLEX_ROW(cfloat, float _Complex, MPI_DATATYPE_NULL)
                COMPLEX_ROW(cdouble, double _Complex, MPI_DATATYPE_NULL)
    /* duplicates of named types, and of the last but one of these */
    INTEGER_ROW(i32, int32_t, MPI_DATATYPE_NULL) COMPLEX_ROW(cdouble, double _Complex, MPI_DATATYPE_NULL)
        REAL_ROW(double, double, MPI_DATATYPE_NULL)};
enum { KINDS = sizeof kinds / sizeof *kinds, F90 = 6, DUPS = 3 };

static long do_sum(long a, long b)
{
    return a + b;
}
static long do_prod(long a, long b)
{
    return a * b;
}
static long do_min(long a, long b)
{
    return a < b ? a : b;
}
static long do_max(long a, long b)
{
    return a > b ? a : b;
}
static long do_band(long a, long b)
{
    return a & b;
}
static long do_bor(long a, long b)
{
    return a | b;
}
static long do_bxor(long a, long b)
{
    return a ^ b;
}
static long do_land(long a, long b)
{
    return a && b;
}
static long do_lor(long a, long b)
{
    return a || b;
}
static long do_lxor(long a, long b)
{
    return !a != !b;
}

static const struct operation {
    const char *name;
    long (*apply)(long a, long b);
    int needs;
    MPI_Op op;
} operations[] = {
    {"sum", do_sum, ARITHMETIC, MPI_SUM}, {"prod", do_prod, ARITHMETIC, MPI_PROD}, {"min", do_min, ORDER, MPI_MIN},
    {"max", do_max, ORDER, MPI_MAX},      {"band", do_band, BITS, MPI_BAND},       {"bor", do_bor, BITS, MPI_BOR},
    {"bxor", do_bxor, BITS, MPI_BXOR},    {"land", do_land, TRUTH, MPI_LAND},      {"lor", do_lor, TRUTH, MPI_LOR},
    {"lxor", do_lxor, TRUTH, MPI_LXOR},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static MPI_Comm comm;
static int rank, size;
static const struct kind *kind;
static const struct operation *operation;
static long salt;

/* Rank r's element i: small enough that products of nine fit a signed byte. */
static long value(int r, long i)
{
    uint64_t x = check_mix((uint64_t)(r * 131 + i * 7 + salt * 31));

    if (operation->needs == TRUTH)
        return x % 3 != 0;
    if (operation->op == MPI_PROD)
        return r % 3 == 0 ? 1 + (long)(x % 4) : 1;
    return (long)(x % 12);
}

/* Of ranks from .. to - 1 */
static long expected(int from, int to, long i)
{
    long v = value(from, i);

    for (int r = from + 1; r < to; r++)
        v = operation->apply(v, value(r, i));
    return v;
}

static void *fresh(long n, bool filled)
{
    char *p = malloc((size_t)n * kind->size + 64);

    memset(p, 0x5a, (size_t)n * kind->size + 64);
    for (long i = 0; filled && i < n; i++)
        kind->put(p, i, value(rank, i));
    return p;
}

static void compare(const char *what, const void *out, long n, long offset, int from, int to)
{
    for (long i = 0; i < n; i++) {
        double got = kind->get(out, i), want = (double)expected(from, to, offset + i);

        if (!CHECK(got == want, "%s %s of %s: element %ld of %ld on rank %d of %d: %g, expected %g", what,
                   operation->name, kind->name, i, n, rank, size, got, want))
            return;
    }
    if (n > 0)
        CHECK(((const unsigned char *)out)[(size_t)n * kind->size] == 0x5a, "%s wrote behind its result", what);
}

static void reduce_all(int form, long n, bool in_place)
{
    int root = (int)(salt % size);
    void *in = fresh(n, true), *out = fresh(n, in_place);
    const void *send = in_place ? MPI_IN_PLACE : in;

    RUN_FORM(form, !in_place, Allreduce, Iallreduce, send, out, (int)n, kind->type, operation->op, comm);
    compare("allreduce", out, n, 0, 0, size);
    free(out);
    out = fresh(n, in_place);
    RUN_FORM(form, !in_place, Reduce, Ireduce, rank == root ? send : in, rank == root ? out : NULL, (int)n, kind->type,
             operation->op, root, comm);
    if (rank == root)
        compare("reduce", out, n, 0, 0, size);
    free(out);
    out = fresh(n, in_place);
    RUN_FORM(form, !in_place, Scan, Iscan, send, out, (int)n, kind->type, operation->op, comm);
    compare("scan", out, n, 0, 0, rank + 1);
    free(out);
    out = fresh(n, in_place);
    RUN_FORM(form, !in_place, Exscan, Iexscan, send, out, (int)n, kind->type, operation->op, comm);
    if (rank > 0)
        compare("exscan", out, n, 0, 0, rank);
    free(out);
    free(in);
}

static void scatter_all(int form, long n, bool in_place)
{
    int counts[16];
    long at = 0, total = 0;
    void *in, *out;

    for (int i = 0; i < size; i++) {
        counts[i] = (int)((i + salt) % 3 * n / 2);
        at += i < rank ? counts[i] : 0;
        total += counts[i];
    }
    in = fresh(total, true);
    out = fresh(total, in_place);
    RUN_FORM(form, !in_place, Reduce_scatter, Ireduce_scatter, in_place ? MPI_IN_PLACE : in, out, counts, kind->type,
             operation->op, comm);
    if (in_place)
        memset((char *)out + (size_t)counts[rank] * kind->size, 0x5a, 8);
    compare("reduce_scatter", out, counts[rank], at, 0, size);
    free(in);
    free(out);
    in = fresh(n * size, true);
    out = fresh(n * size, in_place);
    RUN_FORM(form, !in_place, Reduce_scatter_block, Ireduce_scatter_block, in_place ? MPI_IN_PLACE : in, out, (int)n,
             kind->type, operation->op, comm);
    if (in_place)
        memset((char *)out + (size_t)n * kind->size, 0x5a, 8);
    compare("reduce_scatter_block", out, n, n * rank, 0, size);
    free(in);
    free(out);
}

static void local(void)
{
    long n = 37;
    void *in = fresh(n, true), *out;

    if (size < 2)
        return free(in);
    out = fresh(n, false);
    for (long i = 0; i < n; i++) {
        kind->put(in, i, value(0, i));
        kind->put(out, i, value(1, i));
    }
    OK(MPI_Reduce_local(in, out, (int)n, kind->type, operation->op));
    compare("reduce_local", out, n, 0, 0, 2);
    free(in);
    free(out);
}

static void on_comm(void)
{
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    for (int k = 0; k < KINDS; k++)
        for (int o = 0; o < OPERATIONS; o++) {
            kind = &kinds[k];
            operation = &operations[o];
            if (!(kind->does & operation->needs))
                continue;
            salt = k * 17 + o;
            local();
            for (int form = 0; form < FORMS; form++) {
                salt++;
                reduce_all(form, (long)(salt % 5 * 7), salt % 2);
                scatter_all(form, (long)(salt % 4 * 5), salt % 3 == 0);
            }
        }
    /* every path of sizes, for a few kinds */
    for (int o = 0; o < OPERATIONS; o += 3)
        for (long n = 100; n < 100000; n *= 9) {
            kind = &kinds[o % 2 ? 2 : 3];
            operation = &operations[o];
            salt++;
            reduce_all((int)(n % FORMS), n, n % 2);
            reduce_all(BLOCKING, n, true);
            scatter_all((int)(n % FORMS), n, false);
        }
}

/* They fit the operations of their kind, and no others. */
static void make_f90(void)
{
    struct kind *k = &kinds[KINDS - DUPS - F90];
    double pair[2] = {1, 2}, other[2] = {3, 4};

    OK(MPI_Type_create_f90_integer(9, &k[0].type));
    OK(MPI_Type_create_f90_integer(18, &k[1].type));
    OK(MPI_Type_create_f90_real(6, MPI_UNDEFINED, &k[2].type));
    OK(MPI_Type_create_f90_real(15, 300, &k[3].type));
    OK(MPI_Type_create_f90_complex(MPI_UNDEFINED, 30, &k[4].type));
    OK(MPI_Type_create_f90_complex(12, MPI_UNDEFINED, &k[5].type));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    FAILS(MPI_Allreduce(pair, other, 1, k[3].type, MPI_BAND, MPI_COMM_WORLD), MPI_ERR_OP);
    FAILS(MPI_Allreduce(pair, other, 1, k[3].type, MPI_MINLOC, MPI_COMM_WORLD), MPI_ERR_OP);
    FAILS(MPI_Allreduce(pair, other, 1, k[5].type, MPI_MAX, MPI_COMM_WORLD), MPI_ERR_OP);
    FAILS(MPI_Reduce_local(pair, other, 1, k[1].type, MPI_MAXLOC), MPI_ERR_OP);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Duplicates fit as what they are of. */
static void make_dups(void)
{
    struct kind *k = &kinds[KINDS - DUPS];
    MPI_Datatype once, pair;
    struct {
        double value;
        int at;
    } in = {1, 7}, out = {2, 5};

    OK(MPI_Type_dup(MPI_INT32_T, &k[0].type));
    OK(MPI_Type_dup(MPI_C_DOUBLE_COMPLEX, &k[1].type));
    OK(MPI_Type_dup(k[-3].type, &once)); /* by precision */
    OK(MPI_Type_dup(once, &k[2].type));
    OK(MPI_Type_free(&once));
    OK(MPI_Type_dup(MPI_DOUBLE_INT, &pair));
    OK(MPI_Reduce_local(&in, &out, 1, pair, MPI_MINLOC));
    CHECK(out.value == 1 && out.at == 7, "the least of 1 at 7 and 2 at 5: %g at %d", out.value, out.at);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    FAILS(MPI_Reduce_local(&in, &out, 1, pair, MPI_SUM), MPI_ERR_OP);
    OK(MPI_Type_free(&pair));
    OK(MPI_Type_contiguous(1, MPI_INT, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_Type_dup(pair, &once));
    FAILS(MPI_Reduce_local(&in, &out, 1, once, MPI_SUM), MPI_ERR_OP);
    OK(MPI_Type_free(&once));
    OK(MPI_Type_free(&pair));
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

int main(void)
{
    mc_start();
    make_f90();
    make_dups();
    for (int n = mc_size; n >= 1; n -= n > 5 ? 3 : 1) {
        comm = case_comm(n);
        if (comm == MPI_COMM_NULL)
            continue;
        on_comm();
        OK(MPI_Comm_free(&comm));
    }
    for (int i = KINDS - DUPS; i < KINDS; i++)
        OK(MPI_Type_free(&kinds[i].type));
    return mc_finish();
}
