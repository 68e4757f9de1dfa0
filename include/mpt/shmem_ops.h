/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The signatures of the typed calls, each once. MPT_<FAMILY>_OPS(O, N, T)
 * expands O(N, T, result, op, (parameters), (arguments)) for the operations of
 * a family and one type: the call is shmem_<N>_<op>, its generic shmem_<op>.
 * Families marked CTX also have a form with a context in front.
 */
#ifndef MPT_SHMEM_OPS_H
#define MPT_SHMEM_OPS_H

#define MPT_LIST(...) __VA_ARGS__

/* 9.6 remote memory access, 9.8 put with signal (CTX; types RMA) */
#define MPT_RMA_OPS(O, N, T)                                                                               \
    O(N, T, void, put, (T * dest, const T *source, size_t nelems, int pe), (dest, source, nelems, pe))     \
    O(N, T, void, get, (T * dest, const T *source, size_t nelems, int pe), (dest, source, nelems, pe))     \
    O(N, T, void, p, (T * dest, T value, int pe), (dest, value, pe))                                       \
    O(N, T, T, g, (const T *source, int pe), (source, pe))                                                 \
    O(N, T, void, iput, (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe),  \
      (dest, source, dst, sst, nelems, pe))                                                                \
    O(N, T, void, iget, (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe),  \
      (dest, source, dst, sst, nelems, pe))                                                                \
    O(N, T, void, ibput,                                                                                   \
      (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe),     \
      (dest, source, dst, sst, bsize, nblocks, pe))                                                        \
    O(N, T, void, ibget,                                                                                   \
      (T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe),     \
      (dest, source, dst, sst, bsize, nblocks, pe))                                                        \
    O(N, T, void, put_nbi, (T * dest, const T *source, size_t nelems, int pe), (dest, source, nelems, pe)) \
    O(N, T, void, get_nbi, (T * dest, const T *source, size_t nelems, int pe), (dest, source, nelems, pe)) \
    O(N, T, void, put_signal,                                                                              \
      (T * dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe), \
      (dest, source, nelems, sig_addr, signal, sig_op, pe))                                                \
    O(N, T, void, put_signal_nbi,                                                                          \
      (T * dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe), \
      (dest, source, nelems, sig_addr, signal, sig_op, pe))

/* The same without types: OV(result, name, (parameters), (arguments)) (CTX).
 * X is what the operation's name is followed by: bits, or mem. */
#define MPT_BLOCK_OPS(OV, X)                                                                                     \
    OV(void, put##X, (void *dest, const void *source, size_t nelems, int pe), (dest, source, nelems, pe))        \
    OV(void, get##X, (void *dest, const void *source, size_t nelems, int pe), (dest, source, nelems, pe))        \
    OV(void, put##X##_nbi, (void *dest, const void *source, size_t nelems, int pe), (dest, source, nelems, pe))  \
    OV(void, get##X##_nbi, (void *dest, const void *source, size_t nelems, int pe), (dest, source, nelems, pe))  \
    OV(void, put##X##_signal,                                                                                    \
       (void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe), \
       (dest, source, nelems, sig_addr, signal, sig_op, pe))                                                     \
    OV(void, put##X##_signal_nbi,                                                                                \
       (void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe), \
       (dest, source, nelems, sig_addr, signal, sig_op, pe))
#define MPT_STRIDE_OPS(OV, X)                                                                                \
    OV(void, iput##X, (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), \
       (dest, source, dst, sst, nelems, pe))                                                                 \
    OV(void, iget##X, (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), \
       (dest, source, dst, sst, nelems, pe))                                                                 \
    OV(void, ibput##X,                                                                                       \
       (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe), \
       (dest, source, dst, sst, bsize, nblocks, pe))                                                         \
    OV(void, ibget##X,                                                                                       \
       (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe), \
       (dest, source, dst, sst, bsize, nblocks, pe))

/* 9.7 atomics (CTX; types AMX, AMO, ABT) */
#define MPT_AMX_OPS(O, N, T)                                                                   \
    O(N, T, T, atomic_fetch, (const T *source, int pe), (source, pe))                          \
    O(N, T, void, atomic_set, (T * dest, T value, int pe), (dest, value, pe))                  \
    O(N, T, T, atomic_swap, (T * dest, T value, int pe), (dest, value, pe))                    \
    O(N, T, void, atomic_fetch_nbi, (T * fetch, const T *source, int pe), (fetch, source, pe)) \
    O(N, T, void, atomic_swap_nbi, (T * fetch, T * dest, T value, int pe), (fetch, dest, value, pe))
#define MPT_AMO_OPS(O, N, T)                                                                      \
    O(N, T, T, atomic_compare_swap, (T * dest, T cond, T value, int pe), (dest, cond, value, pe)) \
    O(N, T, T, atomic_fetch_inc, (T * dest, int pe), (dest, pe))                                  \
    O(N, T, void, atomic_inc, (T * dest, int pe), (dest, pe))                                     \
    O(N, T, T, atomic_fetch_add, (T * dest, T value, int pe), (dest, value, pe))                  \
    O(N, T, void, atomic_add, (T * dest, T value, int pe), (dest, value, pe))                     \
    O(N, T, void, atomic_compare_swap_nbi, (T * fetch, T * dest, T cond, T value, int pe),        \
      (fetch, dest, cond, value, pe))                                                             \
    O(N, T, void, atomic_fetch_inc_nbi, (T * fetch, T * dest, int pe), (fetch, dest, pe))         \
    O(N, T, void, atomic_fetch_add_nbi, (T * fetch, T * dest, T value, int pe), (fetch, dest, value, pe))
#define MPT_ABT_OPS(O, N, T)                                                                              \
    O(N, T, T, atomic_fetch_and, (T * dest, T value, int pe), (dest, value, pe))                          \
    O(N, T, void, atomic_and, (T * dest, T value, int pe), (dest, value, pe))                             \
    O(N, T, T, atomic_fetch_or, (T * dest, T value, int pe), (dest, value, pe))                           \
    O(N, T, void, atomic_or, (T * dest, T value, int pe), (dest, value, pe))                              \
    O(N, T, T, atomic_fetch_xor, (T * dest, T value, int pe), (dest, value, pe))                          \
    O(N, T, void, atomic_xor, (T * dest, T value, int pe), (dest, value, pe))                             \
    O(N, T, void, atomic_fetch_and_nbi, (T * fetch, T * dest, T value, int pe), (fetch, dest, value, pe)) \
    O(N, T, void, atomic_fetch_or_nbi, (T * fetch, T * dest, T value, int pe), (fetch, dest, value, pe))  \
    O(N, T, void, atomic_fetch_xor_nbi, (T * fetch, T * dest, T value, int pe), (fetch, dest, value, pe))

/* Deprecated atomics (types OLX, OLD) */
#define MPT_OLX_OPS(O, N, T)                                           \
    O(N, T, T, fetch, (const T *source, int pe), (source, pe))         \
    O(N, T, void, set, (T * dest, T value, int pe), (dest, value, pe)) \
    O(N, T, T, swap, (T * dest, T value, int pe), (dest, value, pe))
#define MPT_OLD_OPS(O, N, T)                                                        \
    O(N, T, T, cswap, (T * dest, T cond, T value, int pe), (dest, cond, value, pe)) \
    O(N, T, T, finc, (T * dest, int pe), (dest, pe))                                \
    O(N, T, void, inc, (T * dest, int pe), (dest, pe))                              \
    O(N, T, T, fadd, (T * dest, T value, int pe), (dest, value, pe))                \
    O(N, T, void, add, (T * dest, T value, int pe), (dest, value, pe))

/* 9.11 point-to-point synchronization (types P2P; the array forms AMO) */
#define MPT_WAIT_UNTIL_OP(O, N, T) O(N, T, void, wait_until, (T * ivar, int cmp, T cmp_value), (ivar, cmp, cmp_value))
#define MPT_TEST_OP(O, N, T) O(N, T, int, test, (T * ivar, int cmp, T cmp_value), (ivar, cmp, cmp_value))
#define MPT_P2P_OPS(O, N, T) MPT_WAIT_UNTIL_OP(O, N, T) MPT_TEST_OP(O, N, T)
#define MPT_P2PS_OPS(O, N, T)                                                                                         \
    O(N, T, void, wait_until_all, (T * ivars, size_t nelems, const int *status, int cmp, T cmp_value),                \
      (ivars, nelems, status, cmp, cmp_value))                                                                        \
    O(N, T, size_t, wait_until_any, (T * ivars, size_t nelems, const int *status, int cmp, T cmp_value),              \
      (ivars, nelems, status, cmp, cmp_value))                                                                        \
    O(N, T, size_t, wait_until_some,                                                                                  \
      (T * ivars, size_t nelems, size_t *indices, const int *status, int cmp, T cmp_value),                           \
      (ivars, nelems, indices, status, cmp, cmp_value))                                                               \
    O(N, T, void, wait_until_all_vector, (T * ivars, size_t nelems, const int *status, int cmp, const T *cmp_values), \
      (ivars, nelems, status, cmp, cmp_values))                                                                       \
    O(N, T, size_t, wait_until_any_vector,                                                                            \
      (T * ivars, size_t nelems, const int *status, int cmp, const T *cmp_values),                                    \
      (ivars, nelems, status, cmp, cmp_values))                                                                       \
    O(N, T, size_t, wait_until_some_vector,                                                                           \
      (T * ivars, size_t nelems, size_t *indices, const int *status, int cmp, const T *cmp_values),                   \
      (ivars, nelems, indices, status, cmp, cmp_values))                                                              \
    O(N, T, int, test_all, (T * ivars, size_t nelems, const int *status, int cmp, T cmp_value),                       \
      (ivars, nelems, status, cmp, cmp_value))                                                                        \
    O(N, T, size_t, test_any, (T * ivars, size_t nelems, const int *status, int cmp, T cmp_value),                    \
      (ivars, nelems, status, cmp, cmp_value))                                                                        \
    O(N, T, size_t, test_some, (T * ivars, size_t nelems, size_t *indices, const int *status, int cmp, T cmp_value),  \
      (ivars, nelems, indices, status, cmp, cmp_value))                                                               \
    O(N, T, int, test_all_vector, (T * ivars, size_t nelems, const int *status, int cmp, const T *cmp_values),        \
      (ivars, nelems, status, cmp, cmp_values))                                                                       \
    O(N, T, size_t, test_any_vector, (T * ivars, size_t nelems, const int *status, int cmp, const T *cmp_values),     \
      (ivars, nelems, status, cmp, cmp_values))                                                                       \
    O(N, T, size_t, test_some_vector,                                                                                 \
      (T * ivars, size_t nelems, size_t *indices, const int *status, int cmp, const T *cmp_values),                   \
      (ivars, nelems, indices, status, cmp, cmp_values))

/* 9.10 collectives of a team (types RMA; reductions RBT, RMA, SUM; scans SUM) */
#define MPT_TEAM_OPS(O, N, T)                                                                                          \
    O(N, T, int, alltoall, (shmem_team_t team, T * dest, const T *source, size_t nelems),                              \
      (team, dest, source, nelems))                                                                                    \
    O(N, T, int, alltoalls,                                                                                            \
      (shmem_team_t team, T * dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems),                     \
      (team, dest, source, dst, sst, nelems))                                                                          \
    O(N, T, int, broadcast, (shmem_team_t team, T * dest, const T *source, size_t nelems, int PE_root),                \
      (team, dest, source, nelems, PE_root))                                                                           \
    O(N, T, int, collect, (shmem_team_t team, T * dest, const T *source, size_t nelems), (team, dest, source, nelems)) \
    O(N, T, int, fcollect, (shmem_team_t team, T * dest, const T *source, size_t nelems), (team, dest, source, nelems))
#define MPT_REDUCE_OP(O, N, T, op) \
    O(N, T, int, op, (shmem_team_t team, T * dest, const T *source, size_t nreduce), (team, dest, source, nreduce))
#define MPT_RBT_OPS(O, N, T) \
    MPT_REDUCE_OP(O, N, T, and_reduce) MPT_REDUCE_OP(O, N, T, or_reduce) MPT_REDUCE_OP(O, N, T, xor_reduce)
#define MPT_RMM_OPS(O, N, T) MPT_REDUCE_OP(O, N, T, max_reduce) MPT_REDUCE_OP(O, N, T, min_reduce)
#define MPT_SUM_OPS(O, N, T)           \
    MPT_REDUCE_OP(O, N, T, sum_reduce) \
    MPT_REDUCE_OP(O, N, T, prod_reduce) MPT_REDUCE_OP(O, N, T, sum_inscan) MPT_REDUCE_OP(O, N, T, sum_exscan)

/* Deprecated: collectives of an active set (types TOB, TOM, TOS) */
#define MPT_TO_ALL_OP(O, N, T, op)                                                                                 \
    O(N, T, void, op,                                                                                              \
      (T * dest, const T *source, int nreduce, int PE_start, int logPE_stride, int PE_size, T *pWrk, long *pSync), \
      (dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync))
#define MPT_TOB_OPS(O, N, T) \
    MPT_TO_ALL_OP(O, N, T, and_to_all) MPT_TO_ALL_OP(O, N, T, or_to_all) MPT_TO_ALL_OP(O, N, T, xor_to_all)
#define MPT_TOM_OPS(O, N, T) MPT_TO_ALL_OP(O, N, T, max_to_all) MPT_TO_ALL_OP(O, N, T, min_to_all)
#define MPT_TOS_OPS(O, N, T) MPT_TO_ALL_OP(O, N, T, sum_to_all) MPT_TO_ALL_OP(O, N, T, prod_to_all)

#endif
