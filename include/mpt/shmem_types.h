/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The types of OpenSHMEM, each once, with the families it belongs to as columns.
 * Prototypes, inline bodies, C11 generics, C++ overloads and the library's own
 * functions are all made from this table, so no family can drift from another.
 *
 * MPT_FOR_<FAMILY>(M, A) expands M(A, NAME, TYPE, CODE) for each type of the
 * family; A is passed through. CODE names the type's representation for the
 * library (enum coll_type without its prefix).
 */
#ifndef MPT_SHMEM_TYPES_H
#define MPT_SHMEM_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ISO C++ has no _Complex; compilers offer it under this marker. */
__extension__ typedef double _Complex mpt_complexd;
__extension__ typedef float _Complex mpt_complexf;

#ifdef __cplusplus
}
#endif

/* Columns (1.6, tables of sections 9.5 to 9.11):
 *   rma  remote memory access; also max and min of a team
 *   sum  sum, prod and scans of a team
 *   amo  standard atomics; also the array forms of wait_until and test
 *   amx  extended atomics (fetch, set, swap)
 *   abt  bitwise atomics
 *   p2p  wait_until and test
 *   rbt  and, or, xor of a team
 *   tob  and_to_all, or_to_all, xor_to_all; also the deprecated typed wait
 *   tom  max_to_all, min_to_all
 *   tos  sum_to_all, prod_to_all
 *   old  deprecated standard atomics      olx  deprecated extended atomics
 *   c11  stands for its C type in generics; cbt: the same in bitwise families
 */
#define MPT_TYPES(S, M, A)                                                                                   \
    /*  name       type               code        rma sum amo amx abt p2p rbt tob tom tos old olx c11 cbt */ \
    S(M, A, char, char, CHAR, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0)                                      \
    S(M, A, schar, signed char, I8, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0)                                \
    S(M, A, short, short, I16, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0)                                     \
    S(M, A, int, int, I32, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0)                                         \
    S(M, A, long, long, I64, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0)                                       \
    S(M, A, longlong, long long, I64, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0)                              \
    S(M, A, uchar, unsigned char, U8, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1)                              \
    S(M, A, ushort, unsigned short, U16, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1)                           \
    S(M, A, uint, unsigned int, U32, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1)                               \
    S(M, A, ulong, unsigned long, U64, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1)                             \
    S(M, A, ulonglong, unsigned long long, U64, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1)                    \
    S(M, A, int8, int8_t, I8, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1)                                      \
    S(M, A, int16, int16_t, I16, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1)                                   \
    S(M, A, int32, int32_t, I32, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1)                                   \
    S(M, A, int64, int64_t, I64, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1)                                   \
    S(M, A, uint8, uint8_t, U8, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)                                    \
    S(M, A, uint16, uint16_t, U16, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)                                 \
    S(M, A, uint32, uint32_t, U32, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)                                 \
    S(M, A, uint64, uint64_t, U64, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)                                 \
    S(M, A, size, size_t, U64, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0)                                     \
    S(M, A, ptrdiff, ptrdiff_t, I64, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)                               \
    S(M, A, float, float, FLOAT, 1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0)                                   \
    S(M, A, double, double, DOUBLE, 1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0)                                \
    S(M, A, longdouble, long double, LONGDOUBLE, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0)                   \
    S(M, A, complexd, mpt_complexd, CDOUBLE, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0)                       \
    S(M, A, complexf, mpt_complexf, CFLOAT, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0)

#define MPT_KEEP_0(M, A, N, T, C)
#define MPT_KEEP_1(M, A, N, T, C) M(A, N, T, C)
/* Kept when both columns say so. */
#define MPT_BOTH_00 MPT_KEEP_0
#define MPT_BOTH_01 MPT_KEEP_0
#define MPT_BOTH_10 MPT_KEEP_0
#define MPT_BOTH_11 MPT_KEEP_1

#define MPT_IF_RMA(M, A, N, T, C, rma, ...) MPT_KEEP_##rma(M, A, N, T, C)
#define MPT_IF_SUM(M, A, N, T, C, rma, sum, ...) MPT_KEEP_##sum(M, A, N, T, C)
#define MPT_IF_AMO(M, A, N, T, C, rma, sum, amo, ...) MPT_KEEP_##amo(M, A, N, T, C)
#define MPT_IF_AMX(M, A, N, T, C, rma, sum, amo, amx, ...) MPT_KEEP_##amx(M, A, N, T, C)
#define MPT_IF_ABT(M, A, N, T, C, rma, sum, amo, amx, abt, ...) MPT_KEEP_##abt(M, A, N, T, C)
#define MPT_IF_P2P(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, ...) MPT_KEEP_##p2p(M, A, N, T, C)
#define MPT_IF_RBT(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, ...) MPT_KEEP_##rbt(M, A, N, T, C)
#define MPT_IF_TOB(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, tob, ...) MPT_KEEP_##tob(M, A, N, T, C)
#define MPT_IF_TOM(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, tob, tom, ...) MPT_KEEP_##tom(M, A, N, T, C)
#define MPT_IF_TOS(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, tob, tom, tos, ...) MPT_KEEP_##tos(M, A, N, T, C)
#define MPT_IF_OLD(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, tob, tom, tos, old, ...) \
    MPT_KEEP_##old(M, A, N, T, C)
#define MPT_IF_OLX(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, tob, tom, tos, old, olx, ...) \
    MPT_KEEP_##olx(M, A, N, T, C)
#define MPT_IF_RMA_C11(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, tob, tom, tos, old, olx, c11, ...) \
    MPT_BOTH_##rma##c11(M, A, N, T, C)
#define MPT_IF_SUM_C11(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, tob, tom, tos, old, olx, c11, ...) \
    MPT_BOTH_##sum##c11(M, A, N, T, C)
#define MPT_IF_AMO_C11(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, tob, tom, tos, old, olx, c11, ...) \
    MPT_BOTH_##amo##c11(M, A, N, T, C)
#define MPT_IF_AMX_C11(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, tob, tom, tos, old, olx, c11, ...) \
    MPT_BOTH_##amx##c11(M, A, N, T, C)
#define MPT_IF_P2P_C11(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, tob, tom, tos, old, olx, c11, ...) \
    MPT_BOTH_##p2p##c11(M, A, N, T, C)
#define MPT_IF_ABT_C11(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, tob, tom, tos, old, olx, c11, cbt) \
    MPT_BOTH_##abt##cbt(M, A, N, T, C)
#define MPT_IF_RBT_C11(M, A, N, T, C, rma, sum, amo, amx, abt, p2p, rbt, tob, tom, tos, old, olx, c11, cbt) \
    MPT_BOTH_##rbt##cbt(M, A, N, T, C)

#define MPT_FOR_RMA(M, A) MPT_TYPES(MPT_IF_RMA, M, A) /* 24 */
#define MPT_FOR_SUM(M, A) MPT_TYPES(MPT_IF_SUM, M, A) /* 26 */
#define MPT_FOR_AMO(M, A) MPT_TYPES(MPT_IF_AMO, M, A) /* 12 */
#define MPT_FOR_AMX(M, A) MPT_TYPES(MPT_IF_AMX, M, A) /* 14 */
#define MPT_FOR_ABT(M, A) MPT_TYPES(MPT_IF_ABT, M, A) /*  7 */
#define MPT_FOR_P2P(M, A) MPT_TYPES(MPT_IF_P2P, M, A) /* 14 */
#define MPT_FOR_RBT(M, A) MPT_TYPES(MPT_IF_RBT, M, A) /* 14 */
#define MPT_FOR_TOB(M, A) MPT_TYPES(MPT_IF_TOB, M, A) /*  4 */
#define MPT_FOR_TOM(M, A) MPT_TYPES(MPT_IF_TOM, M, A) /*  7 */
#define MPT_FOR_TOS(M, A) MPT_TYPES(MPT_IF_TOS, M, A) /*  9 */
#define MPT_FOR_OLD(M, A) MPT_TYPES(MPT_IF_OLD, M, A) /*  3 */
#define MPT_FOR_OLX(M, A) MPT_TYPES(MPT_IF_OLX, M, A) /*  5 */
/* Each C type once: what generics and overloads choose among. */
#define MPT_FOR_RMA_C11(M, A) MPT_TYPES(MPT_IF_RMA_C11, M, A) /* 14 */
#define MPT_FOR_SUM_C11(M, A) MPT_TYPES(MPT_IF_SUM_C11, M, A) /* 16 */
#define MPT_FOR_AMO_C11(M, A) MPT_TYPES(MPT_IF_AMO_C11, M, A) /*  6 */
#define MPT_FOR_AMX_C11(M, A) MPT_TYPES(MPT_IF_AMX_C11, M, A) /*  8 */
#define MPT_FOR_P2P_C11(M, A) MPT_TYPES(MPT_IF_P2P_C11, M, A) /*  8 */
#define MPT_FOR_ABT_C11(M, A) MPT_TYPES(MPT_IF_ABT_C11, M, A) /*  5 */
#define MPT_FOR_RBT_C11(M, A) MPT_TYPES(MPT_IF_RBT_C11, M, A) /*  9 */

/* The sized families: M(A, BITS, BYTES). */
#define MPT_FOR_SIZES(M, A) M(A, 8, 1) M(A, 16, 2) M(A, 32, 4) M(A, 64, 8) M(A, 128, 16)

/* Cray's gather and scatter: M(A, NAME, TYPE). */
#define MPT_FOR_CRAY(M, A) \
    M(A, short, short) M(A, int, int) M(A, long, long) M(A, longlong, long long) M(A, float, float) M(A, double, double)

#endif
