/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts and gets of Fortran: contiguous, nonblocking and strided ones for every
 * kind of element, and Cray's gather and scatter.
 */
#include "shmem/fortran/fortran.h"

#define BLOCK_ARGS (void *dest, const void *source, const int *nelems, const int *pe)
#define BLOCK(name, call)                                               \
    SHMEMF_PUBLIC void name##_ BLOCK_ARGS                               \
    {                                                                   \
        call(dest, source, shmemf_count(nelems, "nelems", #name), *pe); \
    }

#define STRIDE_ARGS (void *dest, const void *source, const int *dst, const int *sst, const int *nelems, const int *pe)
#define STRIDE(name, call)                                                          \
    SHMEMF_PUBLIC void name##_ STRIDE_ARGS                                          \
    {                                                                               \
        call(dest, source, *dst, *sst, shmemf_count(nelems, "nelems", #name), *pe); \
    }

/* shmem_put_, shmem_get_, shmem_integer_put_, shmem_real_put_, shmem_double_put_, shmem_put4_, shmem_put8_,
 * shmem_putmem_, ..., shmem_put_nbi_, ... */
#define BLOCKS(L, R, X)                                \
    BLOCK(shmem_##L##put##R, shmem_put##X)             \
    BLOCK(shmem_##L##get##R, shmem_get##X)             \
    BLOCK(shmem_##L##put##R##_nbi, shmem_put##X##_nbi) \
    BLOCK(shmem_##L##get##R##_nbi, shmem_get##X##_nbi)
/* shmem_integer_iput_, shmem_real_iput_, shmem_double_iput_, shmem_iput4_, shmem_iput8_, shmem_integer_iget_, ... */
#define STRIDES(L, R, X)                      \
    STRIDE(shmem_##L##iput##R, shmem_iput##X) \
    STRIDE(shmem_##L##iget##R, shmem_iget##X)

SHMEMF_ELEMENTS(BLOCKS)
BLOCKS(, mem, mem)
SHMEMF_ELEMENTS(STRIDES)

/* An index is an integer as wide as an element and counts from 0.
 * shmem_ixput_, shmem_ixput4_, shmem_ixput8_, shmem_ixput32_, shmem_ixput64_, shmem_ixget_, ... */
#define INDEX_ARGS(I) (void *target, const void *source, const I *index, const int *nelems, const int *pe)
#define INDEXED(R, X, I)                                                                              \
    SHMEMF_PUBLIC void shmem_ixput##R##_ INDEX_ARGS(I)                                                \
    {                                                                                                 \
        shmem_ixput##X(target, source, index, shmemf_count(nelems, "nelems", "shmem_ixput" #R), *pe); \
    }                                                                                                 \
    SHMEMF_PUBLIC void shmem_ixget##R##_ INDEX_ARGS(I)                                                \
    {                                                                                                 \
        shmem_ixget##X(target, source, index, shmemf_count(nelems, "nelems", "shmem_ixget" #R), *pe); \
    }
INDEXED(, 64, long)
INDEXED(8, 64, long)
INDEXED(64, 64, long)
INDEXED(4, 32, int)
INDEXED(32, 32, int)
