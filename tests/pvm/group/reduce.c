/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_reduce: every function of PVM on every type at every root, against sums done
 * here; functions of the program, which are called in the order of instances after
 * the root's own data; sizes that differ; types that a function does not take.
 */
#include "pcheck.h"

enum { COUNT = 7, FUNCTIONS = 4 };
typedef void function(int *, void *, void *, int *, int *);
static function *const functions[FUNCTIONS] = {PvmMax, PvmMin, PvmSum, PvmProduct};

/* Element i of PE pe: small, so that products fit in all types and are exact. */
static int number(int pe, int type, int i)
{
    int v = (int)(check_pattern((uint64_t)type * 64 + (uint64_t)pe, (size_t)i) % 5);
    return type == PVM_BYTE || type == PVM_USHORT || type == PVM_UINT || type == PVM_ULONG ? v : v - 2;
}

#define TYPES(DO)                  \
    DO(PVM_SHORT, short)           \
    DO(PVM_INT, int)               \
    DO(PVM_LONG, long)             \
    DO(PVM_USHORT, unsigned short) \
    DO(PVM_UINT, unsigned)         \
    DO(PVM_ULONG, unsigned long)   \
    DO(PVM_FLOAT, float)           \
    DO(PVM_DOUBLE, double)

static long expected(int f, int type, int i)
{
    long r = number(0, type, i);
    for (int pe = 1; pe < pc_size; pe++) {
        long v = number(pe, type, i);
        r = f == 0 ? (v > r ? v : r) : f == 1 ? (v < r ? v : r) : f == 2 ? r + v : r * v;
    }
    return r;
}

#define ONE_TYPE(id, type)                                                                                  \
    static void test_##id(char *group, int root)                                                            \
    {                                                                                                       \
        for (int f = 0; f < FUNCTIONS; f++) {                                                               \
            type x[COUNT];                                                                                  \
            for (int i = 0; i < COUNT; i++)                                                                 \
                x[i] = (type)number(pc_me, id, i);                                                          \
            GIVES(pvm_reduce(functions[f], x, COUNT, id, 3, group, root), 0);                               \
            for (int i = 0; i < COUNT && pvm_getinst(group, pc_tid) == root; i++)                           \
                CHECK(x[i] == (type)expected(f, id, i), #id ", function %d, root %d, [%d]: %g", f, root, i, \
                      (double)x[i]);                                                                        \
        }                                                                                                   \
    }
TYPES(ONE_TYPE)

/* PE p has p + 1 times a unit number, so the greatest modulus is the last PE's. */
static void complex_numbers(char *group, int root)
{
    double unit[4][2] = {{0, -1}, {-0.6, 0.8}, {1, 0}, {-1, 0}};
    for (int f = 0; f < 3; f++) {
        double z[2], sum[2] = {0, 0};
        float c[2];
        int best = f == 0 ? pc_size - 1 : 0;
        for (int k = 0; k < 2; k++) {
            z[k] = unit[pc_me % 4][k] * (pc_me + 1);
            c[k] = (float)z[k];
        }
        for (int pe = 0; pe < pc_size; pe++)
            for (int k = 0; k < 2; k++)
                sum[k] += unit[pe % 4][k] * (pe + 1);
        GIVES(pvm_reduce(functions[f], z, 1, PVM_DCPLX, 4, group, root), 0);
        GIVES(pvm_reduce(functions[f], c, 1, PVM_CPLX, 4, group, root), 0);
        for (int k = 0; k < 2 && pvm_getinst(group, pc_tid) == root; k++) {
            double right = f == 2 ? sum[k] : unit[best % 4][k] * (best + 1);
            CHECK(z[k] - right < 1e-9 && right - z[k] < 1e-9, "function %d, part %d: %g, not %g", f, k, z[k], right);
            CHECK(c[k] - right < 1e-4 && right - c[k] < 1e-4, "function %d, part %d: %g, not %g", f, k, (double)c[k],
                  right);
        }
    }
}

static void products(void)
{
    int type = PVM_DCPLX, n = 2, info = 5;
    double x[4] = {1, 2, 0, 1}, y[4] = {3, -1, 0, 1};
    PvmProduct(&type, x, y, &n, &info);
    CHECK(info == 0 && x[0] == 5 && x[1] == 5 && x[2] == -1 && x[3] == 0, "%g %g, %g %g", x[0], x[1], x[2], x[3]);
    for (int f = 0; f < FUNCTIONS; f++) {
        type = PVM_STR, info = 5;
        functions[f](&type, x, y, &n, &info);
        CHECK(info == PvmBadParam, "PVM_STR: %d", info);
        type = 77, info = 5;
        functions[f](&type, x, y, &n, &info);
        CHECK(info == PvmBadParam, "type 77: %d", info);
    }
}

static void bytes(int root)
{
    unsigned char b[COUNT];
    int at_root = pc_me == root && pc_size > 1; /* elsewhere nothing is calculated */
    for (int i = 0; i < COUNT; i++)
        b[i] = (unsigned char)number(pc_me, PVM_BYTE, i);
    GIVES(pvm_reduce(PvmMax, b, COUNT, PVM_BYTE, 5, NULL, root), 0);
    for (int i = 0; i < COUNT && pc_me == root; i++)
        CHECK(b[i] == expected(0, PVM_BYTE, i), "[%d]: %d", i, b[i]);
    GIVES(pvm_barrier(NULL, -1), 0);
    GIVES(pvm_reduce(PvmSum, b, COUNT, PVM_BYTE, 100 + root, NULL, root), at_root ? PvmBadParam : 0);
    GIVES(pvm_reduce(PvmProduct, b, COUNT, PVM_BYTE, 200 + root, NULL, root), at_root ? PvmBadParam : 0);
}

static int calls;

/* Neither commutes nor is it the same in another order. */
static void chain(int *type, void *x, void *y, int *n, int *info)
{
    long *a = x, *b = y;
    CHECK(*type == PVM_LONG, "type %d", *type);
    for (int i = 0; i < *n; i++)
        a[i] = a[i] * 31 + b[i];
    calls++;
    *info = 0;
}

static void own_function(char *group, int root, int n)
{
    long *x = malloc(((size_t)n + 1) * sizeof *x), right;
    for (int i = 0; i < n; i++)
        x[i] = pc_me * 1000 + i;
    calls = 0;
    GIVES(pvm_reduce(chain, x, n, PVM_LONG, 6, group, root), 0);
    int own = pvm_getinst(group, pc_tid);
    CHECK(calls == (own == root ? pc_size - 1 : 0), "%d calls", calls);
    for (int i = 0; i < n && own == root; i++) {
        right = pc_me * 1000 + i;
        for (int inst = 0; inst < pc_size; inst++)
            if (inst != root)
                right = right * 31 + pvm_get_PE(pvm_gettid(group, inst)) * 1000 + i;
        CHECK(x[i] == right, "[%d] of %d: %ld, not %ld", i, n, x[i], right);
        if (i > 100)
            i = i < n - 2 ? n - 2 : i;
    }
    free(x);
}

static void errors(void)
{
    int x[2] = {1, 2};
    GIVES(pvm_reduce(PvmSum, x, -1, PVM_INT, 1, NULL, 0), PvmBadParam);
    GIVES(pvm_reduce(PvmSum, x, 1, 12, 1, NULL, 0), PvmBadParam);
    GIVES(pvm_reduce(PvmSum, x, 1, -1, 1, NULL, 0), PvmBadParam);
    GIVES(pvm_reduce(PvmSum, x, 1, PVM_INT, -1, NULL, 0), PvmBadParam);
    GIVES(pvm_reduce(PvmSum, NULL, 1, PVM_INT, 1, NULL, 0), PvmBadParam);
    GIVES(pvm_reduce(NULL, x, 1, PVM_INT, 1, NULL, 0), PvmBadParam);
    GIVES(pvm_reduce(PvmSum, x, 1, PVM_INT, 1, NULL, -1), PvmNoInst);
    GIVES(pvm_barrier(NULL, -1), 0);
    GIVES(pvm_reduce(PvmSum, x, pc_me == 0 ? 1 : 2, PVM_INT, 999, NULL, 0),
          pc_me == 0 && pc_size > 1 ? PvmMismatch : 0);
    GIVES(pvm_barrier(NULL, -1), 0);
}

int main(void)
{
    pc_start();
    for (int turn = pc_size - 1; turn >= 0; turn--) { /* instances the other way round */
        if (turn == pc_me)
            GIVES(pvm_joingroup("back"), pc_size - 1 - pc_me);
        GIVES(pvm_barrier(NULL, -1), 0);
    }
    for (int way = 0; way < 2; way++)
        for (int root = 0; root < pc_size; root++) {
            char *group = way ? "back" : NULL;
#define RUN(id, type) test_##id(group, root);
            TYPES(RUN)
            complex_numbers(group, root);
            own_function(group, root, 0);
            own_function(group, root, 3);
            own_function(group, root, 40000);
        }
    for (int root = 0; root < pc_size; root++)
        bytes(root);
    products();
    errors();
    return pc_finish();
}
