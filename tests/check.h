/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared helper of OpenSHMEM's test programs, over harness.h: one verdict for the whole job, neighbours, what is
 * reached how. A program calls check_start() first and returns check_finish(); 0 is a pass, 77 a skip, all else a
 * failure. Only the standard API is used, so that the same tests judge any OpenSHMEM library. C and C++. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <shmem.h>

#include "harness.h"

/* REQUIRE(cond, fmt, ...): a failure ends the whole job at once, where going on makes no sense. */
#define REQUIRE(cond, ...)             \
    do {                               \
        if (!CHECK(cond, __VA_ARGS__)) \
            check_abandon();           \
    } while (0)

__attribute__((noreturn)) static inline void check_abandon(void)
{
    fflush(NULL);
    shmem_global_exit(1);
    _exit(1);
}

static inline void check_identify(void)
{
    check_me = shmem_my_pe();
    check_npes = shmem_n_pes();
    REQUIRE(check_npes >= 1 && check_me >= 0 && check_me < check_npes, "PE %d of %d is no valid rank", check_me,
            check_npes);
}

static inline void check_start(void)
{
    shmem_init();
    check_identify();
}

/* Every PE takes the same branch here, so that the job ends as one skip. */
static inline void check_skip(const char *reason)
{
    if (check_me <= 0)
        fprintf(stderr, "SKIP: %s\n", reason);
    shmem_barrier_all();
    shmem_finalize();
    exit(CHECK_SKIP_STATUS);
}

static inline void check_start_thread(int level)
{
    int provided = -1;
    int status = shmem_init_thread(level, &provided);

    check_identify();
    REQUIRE(status == 0, "shmem_init_thread(%d) returned %d, expected 0", level, status);
    if (provided < level)
        check_skip("the library does not provide the thread level this test is about");
}

static inline int check_finish(void)
{
    shmem_barrier_all();
    for (int pe = 0; check_me == 0 && pe < check_npes; pe++) {
        long failures = shmem_long_g(&check_failures, pe);
        if (failures != 0)
            fprintf(stderr, "FAIL: %ld checks failed on PE %d of %d\n", failures, pe, check_npes);
    }
    shmem_barrier_all();
    shmem_finalize();
    return check_failures != 0;
}

/* Is PE pe's memory reached by loads and stores? If not, a network is between: then pe serves the others only inside
 * its own calls of the library, unless it has a thread for that. */
static inline bool check_shares_memory(int pe)
{
    return shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) >= 0;
}

static inline bool check_network(void)
{
    for (int pe = 0; pe < check_npes; pe++)
        if (!check_shares_memory(pe))
            return true;
    return false;
}

/* How often to repeat something that takes some hundred times as long over a network. */
static inline long check_rounds(long rounds)
{
    return check_network() ? (rounds + 19) / 20 : rounds;
}

/* --- neighbours on the ring of all PEs; with one PE both are itself --- */

static inline int check_next(void)
{
    return (check_me + 1) % check_npes;
}

static inline int check_previous(void)
{
    return (check_me + check_npes - 1) % check_npes;
}

#endif
