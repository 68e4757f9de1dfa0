/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hooks of the race checker (rma_race.c): to be called only if core_race_on().
 */
#ifndef MPI_RMA_RACE_H
#define MPI_RMA_RACE_H

#include "mpi/rma/win.h"

struct mpii_rma_call;

/* Before the operation; how: CORE_RACE_READ or _WRITE, and _ATOMIC. */
void mpii_rma_race_begin(const struct mpii_rma_call *c, unsigned how);
void mpii_rma_race_fetched(const struct mpii_rma_call *c, bool now);
/* Operations are complete at these targets; those that bring something have brought it. */
void mpii_rma_race_flushed(const struct mpii_win *w, int from, int to) __attribute__((cold));
void mpii_rma_race_arrived(struct mpii_win *w) __attribute__((cold));
/* A post is told to this rank, its n-th; and this process has seen that of a rank. */
void mpii_rma_race_posts(const struct mpii_win *w, int rank, uint64_t n) __attribute__((cold));
void mpii_rma_race_posted(const struct mpii_win *w, int rank, uint64_t n) __attribute__((cold));
/* After, and before. */
void mpii_rma_race_completes(const struct mpii_win *w, int rank, uint64_t n) __attribute__((cold));
void mpii_rma_race_completed(const struct mpii_win *w, int rank, uint64_t n) __attribute__((cold));
/* Locks with MPI_MODE_NOCHECK order nothing: the program says that it has done so by other means. */
void mpii_rma_race_locked(const struct mpii_rma_peer *p, bool exclusive) __attribute__((cold));
void mpii_rma_race_unlocks(const struct mpii_rma_peer *p, bool exclusive) __attribute__((cold));
/* A member's memory: before its card is sent, when the window is made, and before it goes. */
void mpii_rma_race_place(struct mpii_win *w, struct mpii_rma_card *card) __attribute__((cold));
/* core_slice_offset of unused memory that stands for private memory; 0: none. */
uint64_t mpii_rma_race_ghost(const void *at, size_t n) __attribute__((cold));
void mpii_rma_race_ghost_free(const void *at, size_t n, uint64_t ghost) __attribute__((cold));
void mpii_rma_race_join(const struct mpii_win *w) __attribute__((cold));
void mpii_rma_race_part(struct mpii_win *w) __attribute__((cold));

/* What a process of the job has done by now comes before. */
static inline void mpii_rma_race_heard(int pe)
{
    if (MPT_UNLIKELY(core_race_on()) && pe < core_size())
        core_race_told(pe, UINT32_MAX);
}

#endif
