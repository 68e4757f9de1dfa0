/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions a program hands to pvm_reduce: x[i] = x[i] op y[i], by the table of
 * reductions (coll/op.h). Of complex numbers the one with the greater (smaller)
 * modulus is the maximum (minimum); bytes have neither sum nor product.
 */
#include <limits.h>

#include "coll/coll.h"
#include "pvm/pvmi.h"

#define SIGNED(T) (sizeof(T) == 2 ? COLL_I16 : sizeof(T) == 4 ? COLL_I32 : COLL_I64)
#define UNSIGNED(T) (sizeof(T) == 2 ? COLL_U16 : sizeof(T) == 4 ? COLL_U32 : COLL_U64)

/* By PVM's number of a type, 1 more: 0 is none. */
static const unsigned char types[PVM_ULONG + 1] = {
    [PVM_BYTE] = 1 + (CHAR_MIN < 0 ? COLL_I8 : COLL_U8),
    [PVM_SHORT] = 1 + SIGNED(short),
    [PVM_INT] = 1 + SIGNED(int),
    [PVM_LONG] = 1 + SIGNED(long),
    [PVM_USHORT] = 1 + UNSIGNED(unsigned short),
    [PVM_UINT] = 1 + UNSIGNED(unsigned),
    [PVM_ULONG] = 1 + UNSIGNED(unsigned long),
    [PVM_FLOAT] = 1 + COLL_FLOAT,
    [PVM_DOUBLE] = 1 + COLL_DOUBLE,
    [PVM_CPLX] = 1 + COLL_CFLOAT,
    [PVM_DCPLX] = 1 + COLL_CDOUBLE,
};

static coll_op_fn *loop_of(enum coll_op op, int type)
{
    unsigned element = type >= 0 && type <= PVM_ULONG ? types[type] : 0;

    if (element == 0 || (type == PVM_BYTE && op != COLL_MAX && op != COLL_MIN))
        return NULL;
    if (type == PVM_CPLX || type == PVM_DCPLX)
        op = op == COLL_MAX ? COLL_MAXABS : op == COLL_MIN ? COLL_MINABS : op;
    return coll_op_find(op, (enum coll_type)(element - 1));
}

static void apply(enum coll_op op, const int *type, void *x, const void *y, const int *count, int *info)
{
    coll_op_fn *loop = loop_of(op, *type);

    *info = loop ? PvmOk : PvmBadParam;
    if (loop && *count > 0)
        loop(x, y, x, (size_t)*count);
}

void PvmMax(int *type, void *x, void *y, int *count, int *info)
{
    apply(COLL_MAX, type, x, y, count, info);
}

void PvmMin(int *type, void *x, void *y, int *count, int *info)
{
    apply(COLL_MIN, type, x, y, count, info);
}

void PvmSum(int *type, void *x, void *y, int *count, int *info)
{
    apply(COLL_SUM, type, x, y, count, info);
}

void PvmProduct(int *type, void *x, void *y, int *count, int *info)
{
    apply(COLL_PROD, type, x, y, count, info);
}
