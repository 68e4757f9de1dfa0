/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The generics for C++: overloads made from the same tables, one for each C
 * type, with and without a context. Also std::complex where C has _Complex.
 */
#ifndef MPT_SHMEM_OVERLOADS_H
#define MPT_SHMEM_OVERLOADS_H

#include <complex>

#define MPT_OVER(N, T, R, op, P, G) \
    inline R shmem_##op P           \
    {                               \
        return shmem_##N##_##op G;  \
    }
#define MPT_OVER_CTX(N, T, R, op, P, G)               \
    MPT_OVER(N, T, R, op, P, G)                       \
    inline R shmem_##op(shmem_ctx_t ctx, MPT_LIST P)  \
    {                                                 \
        return shmem_ctx_##N##_##op(ctx, MPT_LIST G); \
    }

#define MPT_BODY(A, N, T, C)        \
    MPT_RMA_OPS(MPT_OVER_CTX, N, T) \
    MPT_TEAM_OPS(MPT_OVER, N, T)    \
    MPT_RMM_OPS(MPT_OVER, N, T)
MPT_FOR_RMA_C11(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C) MPT_AMX_OPS(MPT_OVER_CTX, N, T)
MPT_FOR_AMX_C11(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C) MPT_AMO_OPS(MPT_OVER_CTX, N, T) MPT_P2PS_OPS(MPT_OVER, N, T)
MPT_FOR_AMO_C11(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C) MPT_ABT_OPS(MPT_OVER_CTX, N, T)
MPT_FOR_ABT_C11(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C) MPT_RBT_OPS(MPT_OVER, N, T)
MPT_FOR_RBT_C11(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C) MPT_SUM_OPS(MPT_OVER, N, T)
MPT_FOR_SUM_C11(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C) MPT_OLX_OPS(MPT_OVER, N, T)
MPT_FOR_OLX(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C) MPT_OLD_OPS(MPT_OVER, N, T)
MPT_FOR_OLD(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C) MPT_TEST_OP(MPT_OVER, N, T)
MPT_FOR_P2P_C11(MPT_BODY, _)
#undef MPT_BODY
/* shmem_wait_until on long is a function of the library already. */
MPT_WAIT_UNTIL_OP(MPT_OVER, short, short)
MPT_WAIT_UNTIL_OP(MPT_OVER, int, int)
MPT_WAIT_UNTIL_OP(MPT_OVER, longlong, long long)
MPT_WAIT_UNTIL_OP(MPT_OVER, ushort, unsigned short)
MPT_WAIT_UNTIL_OP(MPT_OVER, uint, unsigned int)
MPT_WAIT_UNTIL_OP(MPT_OVER, ulong, unsigned long)
MPT_WAIT_UNTIL_OP(MPT_OVER, ulonglong, unsigned long long)
#undef MPT_OVER_CTX
#undef MPT_OVER

inline void shmem_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    shmem_ctx_signal_add(ctx, sig_addr, signal, pe);
}
inline void shmem_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe)
{
    shmem_ctx_signal_set(ctx, sig_addr, signal, pe);
}
inline int shmem_sync(shmem_team_t team)
{
    return shmem_team_sync(team);
}

/* std::complex<T> has the representation of C's T _Complex (C++, complex.numbers). */
#define MPT_BODY_CALL(name, T, C, S)                                                                   \
    inline int name(shmem_team_t team, std::complex<T> *dest, const std::complex<T> *source, size_t n) \
    {                                                                                                  \
        return shmem_##S(team, reinterpret_cast<C *>(dest), reinterpret_cast<const C *>(source), n);   \
    }
#define MPT_BODY_TO_ALL(T, C, S)                                                                                     \
    inline void shmem_##S(std::complex<T> *dest, const std::complex<T> *source, int nreduce, int PE_start,           \
                          int logPE_stride, int PE_size, std::complex<T> *pWrk, long *pSync)                         \
    {                                                                                                                \
        shmem_##S(reinterpret_cast<C *>(dest), reinterpret_cast<const C *>(source), nreduce, PE_start, logPE_stride, \
                  PE_size, reinterpret_cast<C *>(pWrk), pSync);                                                      \
    }
#define MPT_BODY_OP(op, N, T, C) \
    MPT_BODY_CALL(shmem_##N##_##op, T, C, N##_##op) MPT_BODY_CALL(shmem_##op, T, C, N##_##op)
#define MPT_BODY(N, T, C)             \
    MPT_BODY_OP(sum_reduce, N, T, C)  \
    MPT_BODY_OP(prod_reduce, N, T, C) \
    MPT_BODY_OP(sum_inscan, N, T, C)  \
    MPT_BODY_OP(sum_exscan, N, T, C) MPT_BODY_TO_ALL(T, C, N##_sum_to_all) MPT_BODY_TO_ALL(T, C, N##_prod_to_all)
MPT_BODY(complexd, double, mpt_complexd)
MPT_BODY(complexf, float, mpt_complexf)
#undef MPT_BODY
#undef MPT_BODY_OP
#undef MPT_BODY_TO_ALL
#undef MPT_BODY_CALL

#endif
