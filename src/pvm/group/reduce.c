/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions a program hands to pvm_reduce: x[i] = x[i] op y[i]. Of complex
 * numbers the one with the greater (smaller) modulus is the maximum (minimum);
 * bytes have neither sum nor product.
 */
#include <complex.h>
#include <sys/types.h>

#include "pvm/pvmi.h"

#define GREATER(a, b) ((a) > (b))
#define LESS(a, b) ((a) < (b))
/* The modulus, squared: long double has the range for it, and the library does without libm. */
#define SQUARE(x) ((long double)(x) * (x))
#define MODULUS(z) (SQUARE(__real__(z)) + SQUARE(__imag__(z)))
#define FARTHER(a, b) (MODULUS(a) > MODULUS(b))
#define NEARER(a, b) (MODULUS(a) < MODULUS(b))

typedef float complex cplx;
typedef double complex dcplx;

/* One loop a type: `pick` y where it compares so, or combine by an operator. */
#define PICK(name, type, compare)                                                                                     \
    static void name(void *to, const void *from, int n)                                                               \
    {                                                                                                                 \
        type *x = to;                                                                                                 \
        const type *y = from;                                                                                         \
        for (int i = 0; i < n; i++)                                                                                   \
            if (compare(y[i], x[i]))                                                                                  \
                x[i] = y[i];                                                                                          \
    }
#define MIX(name, type, op)                                                                                           \
    static void name(void *to, const void *from, int n)                                                               \
    {                                                                                                                 \
        type *x = to;                                                                                                 \
        const type *y = from;                                                                                         \
        for (int i = 0; i < n; i++)                                                                                   \
            x[i] = (type)(x[i] op y[i]);                                                                              \
    }

#define REAL_TYPES(DO)                                                                                                \
    DO(PVM_SHORT, short)                                                                                              \
    DO(PVM_INT, int)                                                                                                  \
    DO(PVM_LONG, long)                                                                                                \
    DO(PVM_USHORT, ushort)                                                                                            \
    DO(PVM_UINT, uint)                                                                                                \
    DO(PVM_ULONG, ulong)                                                                                              \
    DO(PVM_FLOAT, float)                                                                                              \
    DO(PVM_DOUBLE, double)
#define COMPLEX_TYPES(DO)                                                                                             \
    DO(PVM_CPLX, cplx)                                                                                                \
    DO(PVM_DCPLX, dcplx)

#define REAL_LOOPS(id, type)                                                                                          \
    PICK(max_##type, type, GREATER)                                                                                   \
    PICK(min_##type, type, LESS)                                                                                      \
    MIX(sum_##type, type, +)                                                                                          \
    MIX(product_##type, type, *)
#define COMPLEX_LOOPS(id, type)                                                                                       \
    PICK(max_##type, type, FARTHER)                                                                                   \
    PICK(min_##type, type, NEARER)                                                                                    \
    MIX(sum_##type, type, +)                                                                                          \
    MIX(product_##type, type, *)
REAL_TYPES(REAL_LOOPS)
COMPLEX_TYPES(COMPLEX_LOOPS)
PICK(max_char, char, GREATER)
PICK(min_char, char, LESS)

enum op { MAX, MIN, SUM, PRODUCT, OPS };
typedef void loop(void *to, const void *from, int n);
#define ROW(id, type) [id] = {max_##type, min_##type, sum_##type, product_##type},
static loop *const loops[PVM_ULONG + 1][OPS] = {
    [PVM_BYTE] = {max_char, min_char},
    REAL_TYPES(ROW) COMPLEX_TYPES(ROW)
};

static void apply(enum op op, const int *type, void *x, void *y, const int *count, int *info)
{
    loop *f = *type >= 0 && *type <= PVM_ULONG ? loops[*type][op] : NULL;
    *info = f ? PvmOk : PvmBadParam;
    if (f)
        f(x, y, *count);
}

void PvmMax(int *type, void *x, void *y, int *count, int *info)
{
    apply(MAX, type, x, y, count, info);
}

void PvmMin(int *type, void *x, void *y, int *count, int *info)
{
    apply(MIN, type, x, y, count, info);
}

void PvmSum(int *type, void *x, void *y, int *count, int *info)
{
    apply(SUM, type, x, y, count, info);
}

void PvmProduct(int *type, void *x, void *y, int *count, int *info)
{
    apply(PRODUCT, type, x, y, count, info);
}
