/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the calls of the Fortran interface share, and the tables of names that
 * its families are made from. Fortran passes addresses; external names are lower
 * case with one underscore behind (gfortran). The work is done by <shmem.h>'s
 * calls, which also check PEs and addresses.
 */
#ifndef SHMEM_FORTRAN_FORTRAN_H
#define SHMEM_FORTRAN_FORTRAN_H

#include <stdint.h>

#define SHMEM_NO_GENERICS
#include "shmem.h"

#include "core/check/fatal.h"
#include "core/core.h"

/* A Fortran procedure. */
#define SHMEMF_PUBLIC __attribute__((visibility("default")))

/* INTEGER and LOGICAL results are 64 bits wide: a caller whose default kind has
 * 4 bytes reads the low half of the same register. An INTEGER is also given as a
 * REAL, which a program that did not declare the function takes it for: x86-64
 * returns the two members in an integer and in a vector register. */
typedef struct {
    int64_t number;
    float real;
} shmemf_int;
typedef int64_t shmemf_logical;

const char *shmemi_rule(const char *where) __attribute__((cold)); /* shmem/rule.c */

static inline shmemf_int shmemf_number(int64_t n)
{
    return (shmemf_int){n, (float)n};
}

/* Elements: M(LEFT, RIGHT, BITS). SHMEM_<LEFT>PUT<RIGHT> puts elements of BITS
 * bits, the same for all transfers. A number of up to 16 counts bytes, a larger
 * one bits; without type or number an element is a T3D word, 64 bits. */
#define SHMEMF_ELEMENTS(M) \
    M(character_, , 8)     \
    M(complex_, , 64)      \
    M(double_, , 64)       \
    M(integer_, , 32)      \
    M(logical_, , 32) M(real_, , 32) M(, , 64) M(, 4, 32) M(, 8, 64) M(, 16, 128) M(, 32, 32) M(, 64, 64) M(, 128, 128)

/* Types of the calls below: M(A, NAME, C), A passed through, C shmem.h's type. */
#define SHMEMF_INT48(M, A) M(A, int4, int) M(A, int8, long)
#define SHMEMF_REAL48(M, A) M(A, real4, float) M(A, real8, double)
#define SHMEMF_ATOMIC(M, A) SHMEMF_INT48(M, A) SHMEMF_REAL48(M, A)
#define SHMEMF_BITWISE(M, A) M(A, int2, short) SHMEMF_INT48(M, A)
#define SHMEMF_ORDERED(M, A) SHMEMF_BITWISE(M, A) SHMEMF_REAL48(M, A)
#define SHMEMF_SUMMED(M, A) SHMEMF_ORDERED(M, A) M(A, comp4, complexf) M(A, comp8, complexd)

/* The C types themselves, by shmem.h's name of the type. */
typedef int shmemf_type_int;
typedef long shmemf_type_long;
typedef short shmemf_type_short;
typedef float shmemf_type_float;
typedef double shmemf_type_double;
typedef mpt_complexf shmemf_type_complexf;
typedef mpt_complexd shmemf_type_complexd;

/* What functions of these types return, and how. */
typedef shmemf_int shmemf_result_int, shmemf_result_long;
typedef float shmemf_result_float;
typedef double shmemf_result_double;
#define shmemf_give_int(value) shmemf_number(value)
#define shmemf_give_long(value) shmemf_number(value)
#define shmemf_give_float(value) (value)
#define shmemf_give_double(value) (value)

void shmemf_bad_count(int n, const char *arg, const char *where) __attribute__((cold, noreturn));

/* A count: C takes it unsigned, so a negative one is found here. */
static inline size_t shmemf_count(const int *n, const char *arg, const char *where)
{
    if (MPT_UNLIKELY(*n < 0))
        shmemf_bad_count(*n, arg, where);
    return (size_t)*n;
}

/* pSync is an array of INTEGER and may lie on half a word; shmem.fh's sizes leave
 * room to go up to the next whole one, which is the same on every PE. */
static inline long *shmemf_sync(void *psync)
{
    uintptr_t word = sizeof(long) - 1;
    return (long *)(((uintptr_t)psync + word) & ~word);
}

#endif
