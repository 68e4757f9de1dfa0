/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which row of the table of reductions (coll/op.h) serves a predefined type and
 * operation (6.9.2, 6.9.4), by the ABI's numbers.
 */
#include "mpi/type/op_rows.h"

#define OP(op, of) [(uintptr_t)(op) & 0x1f] = 1 + (of)
static const uint8_t op_of[32] = {
    OP(MPI_SUM, COLL_SUM),  OP(MPI_PROD, COLL_PROD), OP(MPI_MIN, COLL_MIN),       OP(MPI_MAX, COLL_MAX),
    OP(MPI_BAND, COLL_AND), OP(MPI_BOR, COLL_OR),    OP(MPI_BXOR, COLL_XOR),      OP(MPI_LAND, COLL_LAND),
    OP(MPI_LOR, COLL_LOR),  OP(MPI_LXOR, COLL_LXOR), OP(MPI_MINLOC, COLL_MINLOC), OP(MPI_MAXLOC, COLL_MAXLOC),
};

#define SIGNED(T) (sizeof(T) == 1 ? COLL_I8 : sizeof(T) == 2 ? COLL_I16 : sizeof(T) == 4 ? COLL_I32 : COLL_I64)
#define UNSIGNED(T) (sizeof(T) == 1 ? COLL_U8 : sizeof(T) == 2 ? COLL_U16 : sizeof(T) == 4 ? COLL_U32 : COLL_U64)
#define IS(type, element) [(uintptr_t)(type) & 0xff] = 1 + (element)
/* 0: none. Characters are not for reductions by the letter of 6.9.2; MPI_CHAR serves as the integer it is in C. */
static const uint8_t element_of[256] = {
    IS(MPI_AINT, COLL_I64),
    IS(MPI_COUNT, COLL_I64),
    IS(MPI_OFFSET, COLL_I64),
    IS(MPI_SHORT, SIGNED(short)),
    IS(MPI_INT, SIGNED(int)),
    IS(MPI_LONG, SIGNED(long)),
    IS(MPI_LONG_LONG, SIGNED(long long)),
    IS(MPI_UNSIGNED_SHORT, UNSIGNED(short)),
    IS(MPI_UNSIGNED, UNSIGNED(int)),
    IS(MPI_UNSIGNED_LONG, UNSIGNED(long)),
    IS(MPI_UNSIGNED_LONG_LONG, UNSIGNED(long long)),
    IS(MPI_CHAR, (char)-1 < 0 ? COLL_I8 : COLL_U8),
    IS(MPI_SIGNED_CHAR, COLL_I8),
    IS(MPI_UNSIGNED_CHAR, COLL_U8),
    IS(MPI_INT8_T, COLL_I8),
    IS(MPI_INT16_T, COLL_I16),
    IS(MPI_INT32_T, COLL_I32),
    IS(MPI_INT64_T, COLL_I64),
    IS(MPI_UINT8_T, COLL_U8),
    IS(MPI_UINT16_T, COLL_U16),
    IS(MPI_UINT32_T, COLL_U32),
    IS(MPI_UINT64_T, COLL_U64),
    IS(MPI_INTEGER, COLL_I32),
    IS(MPI_INTEGER1, COLL_I8),
    IS(MPI_INTEGER2, COLL_I16),
    IS(MPI_INTEGER4, COLL_I32),
    IS(MPI_INTEGER8, COLL_I64),
    IS(MPI_INTEGER16, COLL_I128),
    IS(MPI_FLOAT, COLL_FLOAT),
    IS(MPI_DOUBLE, COLL_DOUBLE),
    IS(MPI_LONG_DOUBLE, COLL_LONGDOUBLE),
    IS(MPI_REAL, COLL_FLOAT),
    IS(MPI_DOUBLE_PRECISION, COLL_DOUBLE),
    IS(MPI_REAL2, COLL_HALF),
    IS(MPI_REAL4, COLL_FLOAT),
    IS(MPI_REAL8, COLL_DOUBLE),
    IS(MPI_REAL16, COLL_QUAD),
    IS(MPI_C_COMPLEX, COLL_CFLOAT),
    IS(MPI_CXX_FLOAT_COMPLEX, COLL_CFLOAT),
    IS(MPI_C_DOUBLE_COMPLEX, COLL_CDOUBLE),
    IS(MPI_CXX_DOUBLE_COMPLEX, COLL_CDOUBLE),
    IS(MPI_C_LONG_DOUBLE_COMPLEX, COLL_CLONGDOUBLE),
    IS(MPI_CXX_LONG_DOUBLE_COMPLEX, COLL_CLONGDOUBLE),
    IS(MPI_COMPLEX, COLL_CFLOAT),
    IS(MPI_DOUBLE_COMPLEX, COLL_CDOUBLE),
    IS(MPI_COMPLEX4, COLL_CHALF),
    IS(MPI_COMPLEX8, COLL_CFLOAT),
    IS(MPI_COMPLEX16, COLL_CDOUBLE),
    IS(MPI_COMPLEX32, COLL_CQUAD),
    IS(MPI_BYTE, COLL_BYTE),
    IS(MPI_C_BOOL, COLL_L8),
    IS(MPI_CXX_BOOL, COLL_L8),
    IS(MPI_LOGICAL, COLL_L32),
    IS(MPI_LOGICAL1, COLL_L8),
    IS(MPI_LOGICAL2, COLL_L16),
    IS(MPI_LOGICAL4, COLL_L32),
    IS(MPI_LOGICAL8, COLL_L64),
    IS(MPI_LOGICAL16, COLL_L128),
    IS(MPI_FLOAT_INT, COLL_FLOAT_INT),
    IS(MPI_DOUBLE_INT, COLL_DOUBLE_INT),
    IS(MPI_LONG_INT, COLL_LONG_INT),
    IS(MPI_2INT, COLL_INT_INT),
    IS(MPI_SHORT_INT, COLL_SHORT_INT),
    IS(MPI_LONG_DOUBLE_INT, COLL_LONGDOUBLE_INT),
    IS(MPI_2REAL, COLL_FLOAT_FLOAT),
    IS(MPI_2DOUBLE_PRECISION, COLL_DOUBLE_DOUBLE),
    IS(MPI_2INTEGER, COLL_INT_INT),
};

static unsigned element(MPI_Datatype type)
{
    return ((uintptr_t)type & ~(uintptr_t)0xff) == 0x200 ? element_of[(uintptr_t)type & 0xff] : 0;
}

coll_op_fn *mpii_op_loop_of(MPI_Op op, MPI_Datatype type)
{
    unsigned e = element(type), of = op_of[(uintptr_t)op & 0x1f];

    return of && e ? coll_op_find((enum coll_op)(of - 1), (enum coll_type)(e - 1)) : NULL;
}

size_t mpii_op_element_size(MPI_Datatype type)
{
    unsigned e = element(type);

    return e ? coll_type_size((enum coll_type)(e - 1)) : 0;
}
