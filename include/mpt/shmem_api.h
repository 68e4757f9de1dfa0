/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prototypes of every OpenSHMEM call and of its profiling twin (pshmem_), the
 * typed ones made from the tables of types and operations.
 */
#ifndef MPT_SHMEM_API_H
#define MPT_SHMEM_API_H

#include "mpt/shmem_consts.h"
#include "mpt/shmem_ops.h"
#include "mpt/shmem_types.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* One call and its twin; the same with a form that takes a context. */
#define MPT_CALL(R, name, P) \
    R shmem_##name P;        \
    R pshmem_##name P;
#define MPT_CALL_CTX(R, name, P, G) MPT_CALL(R, name, P) MPT_CALL(R, ctx_##name, (shmem_ctx_t ctx, MPT_LIST P))
#define MPT_TYPED(N, T, R, op, P, G) MPT_CALL(R, N##_##op, P)
#define MPT_TYPED_CTX(N, T, R, op, P, G) MPT_CALL_CTX(R, N##_##op, P, G)

/* 9.1 setup, exit and queries; 9.2 threads */
MPT_CALL(void, init, (void))
MPT_CALL(int, my_pe, (void))
MPT_CALL(int, n_pes, (void))
MPT_CALL(void, finalize, (void))
MPT_CALL(void, query_initialized, (int *initialized))
MPT_CALL(void, global_exit, (int status))
MPT_CALL(int, pe_accessible, (int pe))
MPT_CALL(int, addr_accessible, (const void *addr, int pe))
MPT_CALL(void *, ptr, (const void *dest, int pe))
MPT_CALL(void *, team_ptr, (shmem_team_t team, const void *dest, int pe))
MPT_CALL(void, info_get_version, (int *major, int *minor))
MPT_CALL(void, info_get_name, (char *name))
MPT_CALL(int, init_thread, (int requested, int *provided))
MPT_CALL(void, query_thread, (int *provided))
MPT_CALL(void, pcontrol, (int level, ...))
void start_pes(int npes);
void pstart_pes(int npes);

/* 9.3 memory management: collective over all PEs */
MPT_CALL(void *, malloc, (size_t size))
MPT_CALL(void, free, (void *ptr))
MPT_CALL(void *, realloc, (void *ptr, size_t size))
MPT_CALL(void *, align, (size_t alignment, size_t size))
MPT_CALL(void *, malloc_with_hints, (size_t size, long hints))
MPT_CALL(void *, calloc, (size_t count, size_t size))

/* 9.4 teams */
MPT_CALL(int, team_my_pe, (shmem_team_t team))
MPT_CALL(int, team_n_pes, (shmem_team_t team))
MPT_CALL(int, team_get_config, (shmem_team_t team, long config_mask, shmem_team_config_t *config))
MPT_CALL(int, team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team))
MPT_CALL(int, team_split_strided,
         (shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config,
          long config_mask, shmem_team_t *new_team))
MPT_CALL(int, team_split_2d,
         (shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
          shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team))
MPT_CALL(void, team_destroy, (shmem_team_t team))

/* 9.5 contexts; 9.9 sessions */
MPT_CALL(int, ctx_create, (long options, shmem_ctx_t *ctx))
MPT_CALL(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx))
MPT_CALL(void, ctx_destroy, (shmem_ctx_t ctx))
MPT_CALL(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team))
MPT_CALL(void, ctx_session_start,
         (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask))
MPT_CALL(void, ctx_session_stop, (shmem_ctx_t ctx))

/* 9.6 remote memory access, 9.7 atomics, 9.8 signals */
#define MPT_PROTO(A, N, T, C) MPT_RMA_OPS(MPT_TYPED_CTX, N, T)
MPT_FOR_RMA(MPT_PROTO, _)
#undef MPT_PROTO
#define MPT_PROTO(A, BITS, BYTES) MPT_BLOCK_OPS(MPT_CALL_CTX, BITS) MPT_STRIDE_OPS(MPT_CALL_CTX, BITS)
MPT_FOR_SIZES(MPT_PROTO, _)
#undef MPT_PROTO
MPT_BLOCK_OPS(MPT_CALL_CTX, mem)

#define MPT_PROTO(A, N, T, C) MPT_AMX_OPS(MPT_TYPED_CTX, N, T)
MPT_FOR_AMX(MPT_PROTO, _)
#undef MPT_PROTO
#define MPT_PROTO(A, N, T, C) MPT_AMO_OPS(MPT_TYPED_CTX, N, T)
MPT_FOR_AMO(MPT_PROTO, _)
#undef MPT_PROTO
#define MPT_PROTO(A, N, T, C) MPT_ABT_OPS(MPT_TYPED_CTX, N, T)
MPT_FOR_ABT(MPT_PROTO, _)
#undef MPT_PROTO
#define MPT_PROTO(A, N, T, C) MPT_OLX_OPS(MPT_TYPED, N, T)
MPT_FOR_OLX(MPT_PROTO, _)
#undef MPT_PROTO
#define MPT_PROTO(A, N, T, C) MPT_OLD_OPS(MPT_TYPED, N, T)
MPT_FOR_OLD(MPT_PROTO, _)
#undef MPT_PROTO

MPT_CALL_CTX(void, signal_add, (uint64_t *sig_addr, uint64_t signal, int pe), )
MPT_CALL_CTX(void, signal_set, (uint64_t *sig_addr, uint64_t signal, int pe), )
MPT_CALL(uint64_t, signal_fetch, (const uint64_t *sig_addr))
MPT_CALL(uint64_t, signal_wait_until, (uint64_t *sig_addr, int cmp, uint64_t cmp_value))

/* 9.10 collectives */
MPT_CALL(void, barrier_all, (void))
MPT_CALL(void, sync_all, (void))
MPT_CALL(int, team_sync, (shmem_team_t team))
MPT_CALL(int, alltoallmem, (shmem_team_t team, void *dest, const void *source, size_t nelems))
MPT_CALL(int, alltoallsmem,
         (shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems))
MPT_CALL(int, broadcastmem, (shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root))
MPT_CALL(int, collectmem, (shmem_team_t team, void *dest, const void *source, size_t nelems))
MPT_CALL(int, fcollectmem, (shmem_team_t team, void *dest, const void *source, size_t nelems))

#define MPT_PROTO(A, N, T, C) MPT_TEAM_OPS(MPT_TYPED, N, T) MPT_RMM_OPS(MPT_TYPED, N, T)
MPT_FOR_RMA(MPT_PROTO, _)
#undef MPT_PROTO
#define MPT_PROTO(A, N, T, C) MPT_RBT_OPS(MPT_TYPED, N, T)
MPT_FOR_RBT(MPT_PROTO, _)
#undef MPT_PROTO
#define MPT_PROTO(A, N, T, C) MPT_SUM_OPS(MPT_TYPED, N, T)
MPT_FOR_SUM(MPT_PROTO, _)
#undef MPT_PROTO

/* Deprecated: active sets. pSync: SHMEM_SYNC_SIZE words, all SHMEM_SYNC_VALUE. */
#define MPT_SET int PE_start, int logPE_stride, int PE_size, long *pSync
MPT_CALL(void, barrier, (MPT_SET))
MPT_CALL(void, sync, (MPT_SET))
#define MPT_PROTO(S)                                                                                    \
    MPT_CALL(void, broadcast##S, (void *dest, const void *source, size_t nelems, int PE_root, MPT_SET)) \
    MPT_CALL(void, collect##S, (void *dest, const void *source, size_t nelems, MPT_SET))                \
    MPT_CALL(void, fcollect##S, (void *dest, const void *source, size_t nelems, MPT_SET))               \
    MPT_CALL(void, alltoall##S, (void *dest, const void *source, size_t nelems, MPT_SET))               \
    MPT_CALL(void, alltoalls##S, (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, MPT_SET))
MPT_PROTO(32)
MPT_PROTO(64)
#undef MPT_PROTO
#undef MPT_SET
#define MPT_PROTO(A, N, T, C) MPT_TOB_OPS(MPT_TYPED, N, T) MPT_CALL(void, N##_wait, (T * ivar, T cmp_value))
MPT_FOR_TOB(MPT_PROTO, _)
#undef MPT_PROTO
#define MPT_PROTO(A, N, T, C) MPT_TOM_OPS(MPT_TYPED, N, T)
MPT_FOR_TOM(MPT_PROTO, _)
#undef MPT_PROTO
#define MPT_PROTO(A, N, T, C) MPT_TOS_OPS(MPT_TYPED, N, T)
MPT_FOR_TOS(MPT_PROTO, _)
#undef MPT_PROTO

/* 9.11 point-to-point synchronization */
#define MPT_PROTO(A, N, T, C) MPT_P2P_OPS(MPT_TYPED, N, T)
MPT_FOR_P2P(MPT_PROTO, _)
#undef MPT_PROTO
#define MPT_PROTO(A, N, T, C) MPT_P2PS_OPS(MPT_TYPED, N, T)
MPT_FOR_AMO(MPT_PROTO, _)
#undef MPT_PROTO
MPT_CALL(void, wait_until, (long *ivar, int cmp, long cmp_value))
MPT_CALL(void, wait, (long *ivar, long cmp_value))

/* 9.12 memory ordering; 9.13 locks (one word, zero before first use) */
MPT_CALL_CTX(void, pe_quiet, (const int *target_pes, size_t npes), )
MPT_CALL(void, fence, (void))
MPT_CALL(void, quiet, (void))
MPT_CALL(void, ctx_fence, (shmem_ctx_t ctx))
MPT_CALL(void, ctx_quiet, (shmem_ctx_t ctx))
MPT_CALL(void, set_lock, (long *lock))
MPT_CALL(void, clear_lock, (long *lock))
MPT_CALL(int, test_lock, (long *lock))

/* Cray's own (T3D and T3E). Scatter: target[index[i]] = source[i] on PE pe;
 * gather: target[i] = source[index[i]] of PE pe. Indices count elements from 0.
 * An index is as wide as an element in the untyped forms (the T3D's 32-bit
 * `short` there is `int` here) and `long` in the typed ones. */
MPT_CALL(void, ixput, (void *target, const void *source, const long *index, size_t nelems, int pe))
MPT_CALL(void, ixget, (void *target, const void *source, const long *index, size_t nelems, int pe))
MPT_CALL(void, ixput64, (void *target, const void *source, const long *index, size_t nelems, int pe))
MPT_CALL(void, ixget64, (void *target, const void *source, const long *index, size_t nelems, int pe))
MPT_CALL(void, ixput32, (void *target, const void *source, const int *index, size_t nelems, int pe))
MPT_CALL(void, ixget32, (void *target, const void *source, const int *index, size_t nelems, int pe))
#define MPT_PROTO(A, N, T)                                                                             \
    MPT_CALL(void, N##_ixput, (T * target, const T *source, const long *index, size_t nelems, int pe)) \
    MPT_CALL(void, N##_ixget, (T * target, const T *source, const long *index, size_t nelems, int pe))
MPT_FOR_CRAY(MPT_PROTO, _)
#undef MPT_PROTO
/* Caches are coherent here: these do nothing. */
MPT_CALL(void, udcflush, (void))
MPT_CALL(void, udcflush_line, (void *target))
MPT_CALL(void, set_cache_inv, (void))
MPT_CALL(void, clear_cache_inv, (void))
MPT_CALL(void, set_cache_line_inv, (void *target))
MPT_CALL(void, clear_cache_line_inv, (void *target))
/* What the heap's calls were called until OpenSHMEM 1.2. */
void *shmalloc(size_t size);
void shfree(void *ptr);
void *shrealloc(void *ptr, size_t size);
void *shmemalign(size_t alignment, size_t size);
/* These start the job themselves if need be, as programs of the T3D expect. */
int _my_pe(void);
int _num_pes(void);
int my_pe(void);
int num_pes(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
