/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operations of reductions and the elements they combine: the one table of
 * loops, to which every face maps its types and operations.
 */
#ifndef COLL_OP_H
#define COLL_OP_H

#include <stddef.h>

/* Elements, by families. */
enum coll_type {
    COLL_I8,
    COLL_I16,
    COLL_I32,
    COLL_I64,
    COLL_U8,
    COLL_U16,
    COLL_U32,
    COLL_U64,
    COLL_I128,
    COLL_BYTE, /* bits only */
    COLL_L8,   /* logicals: anything but zero is true, results are 0 or 1 */
    COLL_L16,
    COLL_L32,
    COLL_L64,
    COLL_L128,
    COLL_FLOAT,
    COLL_DOUBLE,
    COLL_LONGDOUBLE,
    COLL_QUAD, /* IEEE binary128 */
    COLL_CFLOAT,
    COLL_CDOUBLE,
    COLL_CLONGDOUBLE,
    COLL_CQUAD,
    COLL_HALF, /* IEEE binary16 */
    COLL_CHALF,
    COLL_FLOAT_INT, /* a value and an index */
    COLL_DOUBLE_INT,
    COLL_LONG_INT,
    COLL_INT_INT,
    COLL_SHORT_INT,
    COLL_LONGDOUBLE_INT,
    COLL_FLOAT_FLOAT,
    COLL_DOUBLE_DOUBLE,
    COLL_TYPES
};
enum coll_op {
    COLL_AND,
    COLL_OR,
    COLL_XOR,
    COLL_MAX,
    COLL_MIN,
    COLL_SUM,
    COLL_PROD,
    COLL_LAND,
    COLL_LOR,
    COLL_LXOR,
    COLL_MAXLOC,
    COLL_MINLOC,
    COLL_MAXABS, /* of complex numbers the one with the greater modulus */
    COLL_MINABS,
    COLL_OPS
};

size_t coll_type_size(enum coll_type type);

/* result[i] = left[i] op right[i], left being the lower rank's. The result may be one of the operands. Integers wrap.
 * Extremes (record 0037): a NaN wins over every number; of zeros of both signs, and of equal moduli, the left one is
 * taken; of equal values with an index the one whose index is lower. */
typedef void coll_op_fn(const void *left, const void *right, void *result, size_t count);
/* NULL: the operation is not defined for the type. */
coll_op_fn *coll_op_find(enum coll_op op, enum coll_type type);

#endif
