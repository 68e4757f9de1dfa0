/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared helper of the MPI test programs, over tests/harness.h: one verdict for the whole job. A program calls
 * mc_start() first and returns mc_finish(). Standard MPI only, so that the same tests judge any library. */
#ifndef TESTS_MPI_MCHECK_H
#define TESTS_MPI_MCHECK_H

#include <mpi.h>

#include "harness.h"

#define mc_rank check_me /* in the words of MPI */
#define mc_size check_npes

/* A call that must succeed. */
#define OK(call)                                                           \
    do {                                                                   \
        int mc_code_ = (call);                                             \
        CHECK(mc_code_ == MPI_SUCCESS, "%s returned %d", #call, mc_code_); \
    } while (0)
/* A call that must fail with this class (the handler must be MPI_ERRORS_RETURN). */
#define FAILS(call, class_)                                                                                           \
    do {                                                                                                              \
        int mc_code_ = (call), mc_class_ = mc_code_;                                                                  \
        MPI_Error_class(mc_code_, &mc_class_);                                                                        \
        CHECK(mc_class_ == (class_), "%s gave class %d, expected " #class_ " (%d)", #call, mc_class_, (int)(class_)); \
    } while (0)

static inline void mc_identify(void)
{
    strcpy(check_who, "rank");
    MPI_Comm_rank(MPI_COMM_WORLD, &mc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &mc_size);
    if (mc_rank < 0 || mc_rank >= mc_size) {
        fprintf(stderr, "FAIL rank %d of %d is not valid\n", mc_rank, mc_size);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static inline void mc_start(void)
{
    MPI_Init(NULL, NULL);
    mc_identify();
}

static inline void mc_start_threads(void)
{
    int provided = -1;

    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    mc_identify();
    CHECK(provided == MPI_THREAD_MULTIPLE, "provided thread level %d", provided);
}

/* Every rank takes the same branch here, so that the job ends as one skip. */
static inline void mc_skip(const char *reason)
{
    if (mc_rank <= 0)
        fprintf(stderr, "SKIP: %s\n", reason);
    MPI_Finalize();
    exit(CHECK_SKIP_STATUS);
}

/* All ranks fail when one does. */
static inline int mc_finish(void)
{
    long all = check_failures;

    MPI_Allreduce(&check_failures, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (check_failures)
        fprintf(stderr, "FAIL: %ld checks failed on rank %d of %d\n", check_failures, mc_rank, mc_size);
    MPI_Finalize();
    return all != 0 || check_failures != 0;
}

#endif
