/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Extensions (shmemx_ names). There are none of our own: what other libraries
 * had as extensions before 1.6 is standard now. Programs that still say it the
 * old way find here the names of Sandia's library for it: blocks with strides,
 * scans, signals without data, shmem_query_initialized.
 */
#ifndef SHMEMX_H
#define SHMEMX_H

#include "shmem.h"

/* Second names of the same functions, known to the compiler only. */
#define MPT_X(R, name, P, G) R shmemx_##name P __asm__("shmem_" #name);
#define MPT_X_CTX(R, name, P, G) \
    MPT_X(R, name, P, G)         \
    R shmemx_ctx_##name(shmem_ctx_t ctx, MPT_LIST P) __asm__("shmem_ctx_" #name);
#define MPT_X_TYPED(N, T, R, op, P, G) MPT_X(R, N##_##op, P, G)
#define MPT_X_TYPED_CTX(N, T, R, op, P, G) MPT_X_CTX(R, N##_##op, P, G)

#ifdef __cplusplus
extern "C" {
#endif
#define MPT_BODY(A, N, T, C) MPT_RMA_OPS(MPT_X_TYPED_CTX, N, T)
MPT_FOR_RMA(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, N, T, C) MPT_SUM_OPS(MPT_X_TYPED, N, T)
MPT_FOR_SUM(MPT_BODY, _)
#undef MPT_BODY
#define MPT_BODY(A, BITS, BYTES) MPT_STRIDE_OPS(MPT_X_CTX, BITS)
MPT_FOR_SIZES(MPT_BODY, _)
#undef MPT_BODY
#ifdef __cplusplus
}
#endif

#define shmemx_query_initialized shmem_query_initialized
#define shmemx_signal_add shmem_signal_add
#define shmemx_signal_set shmem_signal_set
#define shmemx_ctx_signal_add shmem_ctx_signal_add
#define shmemx_ctx_signal_set shmem_ctx_signal_set

/* Generic forms. */
#define shmemx_ibput shmem_ibput
#define shmemx_ibget shmem_ibget
#define shmemx_sum_inscan shmem_sum_inscan
#define shmemx_sum_exscan shmem_sum_exscan

#endif
