/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The random program (random.c): what its files share. Each PE makes operations of its own choice at random PEs, and
 * keeps account of what it has done to whom; at times all PEs settle these accounts.
 */
#ifndef TESTS_MPI_MIX_RANDOM_H
#define TESTS_MPI_MIX_RANDOM_H

#define CHECK_SEVERAL_FILES

#include <am.h>
#include <shmem.h>

#include "mcheck.h"

enum { RANDOM_SLOT = 512 };

/* What a PE has done to another one, and has to be counted there. */
struct random_account {
    long messages, requests, signals;
};

struct random_run {
    uint64_t seed, own, common; /* of the whole run; the states of this PE's choices, and of those of all */
    struct random_account *to;  /* since the run began, by PE */
    struct random_account *due; /* what all have done to this PE, as they tell when accounts are settled */
};
extern struct random_run random_run;

/* This PE's next choice below `limit`. */
static inline long random_choose(long limit)
{
    return (long)check_random_below(&random_run.own, (uint64_t)limit);
}
/* The same on all PEs. */
static inline long random_agree(long limit)
{
    return (long)check_random_below(&random_run.common, (uint64_t)limit);
}

/* Each part of the program: what it has to begin with, one operation at PE `pe`, to settle its account, to end.
 * Settling comes after all PEs have said what they did; nobody goes on before all have. */
void random_shmem_start(void);
void random_shmem_one(int pe);
void random_shmem_settle(void);
void random_shmem_end(void);

void random_mpi_start(void);
void random_mpi_one(int pe);
void random_mpi_settle(void);
void random_mpi_end(void);

void random_am_start(void);
void random_am_one(int pe);
void random_am_settle(void);
void random_am_end(void);

/* Work of its own, without any of the libraries: what is interrupted there must go on as if it had not been. */
void random_alone(void);

/* A collective operation of one of the libraries, checked. */
void random_together(void);

#endif
