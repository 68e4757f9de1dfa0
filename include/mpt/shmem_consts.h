/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenSHMEM's constants, handles and structures (1.6, section 6). Values are
 * part of the ABI; the comparison codes equal the library's internal ones.
 */
#ifndef MPT_SHMEM_CONSTS_H
#define MPT_SHMEM_CONSTS_H

#include <stddef.h>
#include <mpt/version.h>
#include <stdint.h>

/* This is MPT's header. */
#define SHMEM_MPT 1

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 6
/* The same in one number, which programs written for Open MPI ask for. */
#define OSHMEM_SPEC_VERSION 10600
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "MPT " MPT_VERSION " (a message passing toolkit)"

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_GE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_LE 5

#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1

/* Options of a context, of a session; mask bits of their configurations. */
#define SHMEM_CTX_SERIALIZED (1L << 0)
#define SHMEM_CTX_PRIVATE (1L << 1)
#define SHMEM_CTX_NOSTORE (1L << 2)
#define SHMEM_CTX_SESSION_BATCH (1L << 3)
#define SHMEM_CTX_SESSION_TOTAL_OPS (1L << 0)
#define SHMEM_TEAM_NUM_CONTEXTS (1L << 0)

#define SHMEM_MALLOC_ATOMICS_REMOTE (1L << 0)
#define SHMEM_MALLOC_SIGNAL_REMOTE (1L << 1)

/* Deprecated: the work arrays of calls over active sets. One size serves all. */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 16
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 8

#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_LE SHMEM_CMP_LE

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int num_contexts;
} shmem_team_config_t;

typedef struct {
    size_t total_ops;
} shmem_ctx_session_config_t;

/* Handles point to small objects of fixed size, so that a program may hold a
 * copy of the predefined ones (as linkers make them) whatever the library's
 * own structures become. `world`: PE numbers are those of the job. */
struct mpt_shmem_team {
    struct shmemi_team *state;
};
struct mpt_shmem_ctx {
    struct shmemi_ctx *state;
    uint64_t world;
};
typedef struct mpt_shmem_team *shmem_team_t;
typedef struct mpt_shmem_ctx *shmem_ctx_t;

#pragma GCC visibility push(default)
extern struct mpt_shmem_team mpt_shmem_team_world;
extern struct mpt_shmem_team mpt_shmem_team_shared;
extern struct mpt_shmem_ctx mpt_shmem_ctx_default;
#pragma GCC visibility pop

#define SHMEM_TEAM_WORLD (&mpt_shmem_team_world)
#define SHMEM_TEAM_SHARED (&mpt_shmem_team_shared)
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_CTX_DEFAULT (&mpt_shmem_ctx_default)
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)

#ifdef __cplusplus
}
#endif

#endif
