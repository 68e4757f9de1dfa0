/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Races between PEs: two accesses to the same bytes of one PE's symmetric or window memory, at least one a write, not
 * both atomic, with no order between them (record 0051). On only with --check, in jobs of one node and up to
 * CORE_RACE_PES PEs.
 *
 * Faces tell what the program does: accesses before they are carried out, what orders them after. All addresses are
 * those by which this process reaches the bytes, in whatever PE's slice.
 */
#ifndef CORE_CHECK_RACE_H
#define CORE_CHECK_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/param.h"
#include "core/rma/state.h"
#include "core/state.h"
#include "mpt/fast.h"

/* What an access does. */
enum {
    CORE_RACE_READ = 0,
    CORE_RACE_WRITE = 1,
    CORE_RACE_ATOMIC = 2,
    CORE_RACE_VOLATILE = 4, /* the program's own, of an object that it calls volatile */
    CORE_RACE_FETCHES = 4,  /* of a window's operation: it brings back what was there */
    CORE_RACE_SIGNALLED = 4, /* of a put: who sees its signal may count on it */
    CORE_RACE_PENDING = 8,  /* complete with the next quiet only */
    CORE_RACE_WORD = 16,    /* of eight bytes at most, as flags are set and read */
    CORE_RACE_NBI = 32,     /* of a call that says it is not complete */
    CORE_RACE_LOCAL = 64,   /* the program's own load or store */
    CORE_RACE_LATE = 1024,   /* told of after it was made */
    CORE_RACE_EPOCH = 512,  /* of a window: its order with this PE's own later ones is open until it is complete */
    CORE_RACE_BUFFER = 128, /* of the caller's side of an operation */
    CORE_RACE_TRY = 256,    /* an atomic that may have changed nothing */
    CORE_RACE_KIND = 31 << 11, /* of atomics that exclude only those on elements of the same kind; 0: all */
    CORE_RACE_OP = 255 << 16, /* of atomics that exclude only those of other PEs by the same operation; 0: all */
};

static inline bool core_race_on(void)
{
    return MPT_UNLIKELY(core_state.check.race.shared != NULL);
}

/* Noted by public functions: where the program called them, and the name by which they say so further on. */
static inline void core_race_enter(const void *pc, const char *where)
{
    if (MPT_UNLIKELY(core_params.check)) {
        core_thread.check.pc = (uintptr_t)pc;
        core_thread.check.where = where;
    }
}

static inline struct core_check_thread *core_check_of_thread(void)
{
    return &core_thread.check;
}

/* The place that was noted under this name; if another function noted one since, it is looked for. */
uintptr_t core_race_noted(const char *where) __attribute__((cold));

/* A face starts whose calls tell of all that they order; a face starts whose calls do not: nothing is found any more.
 */
void core_race_start(void);
void core_race_blind(void);
bool core_race_blinded(void); /* by this process */
/* A program has the address of another PE's memory. */
void core_race_pointed(void);

/* All below only if core_race_on(). `call` is the name of the program's call, a constant. */

/* What the program has loaded is told of now, before something orders it. */
void core_race_settle(void);
/* The n bytes at `there`. Memory outside of the job's is nobody's business. */
void core_race_access(const void *there, size_t n, unsigned how, const char *call);
/* The same at an address that need not be one of the job's: this PE's symmetric memory or any private one. */
void core_race_own(const void *at, size_t n, unsigned how, const char *call);
/* Memory of this PE that is not the job's is as if it lay at `place`, which others know; place NULL: no longer. */
void core_race_stand_for(const void *at, size_t n, const void *place);
/* The program's own loads and stores of it are looked at. */
void core_race_look_at(const void *at, size_t n);
void core_race_look_away(const void *at, size_t n);
/* This PE has seen what others wrote there: what was ordered before that is ordered before what this PE does next. The
 * second: it has waited for that, so somebody has written it, be it by stores that are not seen. */
void core_race_acquire(const void *there, size_t n);
void core_race_acquire_awaited(const void *there, size_t n);
/* A put to `data` with CORE_RACE_SIGNALLED, and the word that tells that it has landed. */
void core_race_signals(const void *signal, const void *data, size_t n);
/* This PE's puts: are complete (at one slice, or UINT32_MAX), are ordered before later ones to the same PE. `flow`: of
 * these operations. */
void core_race_quiet(struct core_flow *flow);
void core_race_quiet_at(struct core_flow *flow, int pe);
/* What this PE's operations on windows bring has come; puts may still be on their way. */
void core_race_came_back(void);
void core_race_fence(struct core_flow *flow);
/* Operations of the flow are under way. */
static inline void core_race_pend(struct core_flow *flow)
{
    flow->unfenced = flow->unquiet = true;
}

/* A meeting of a group: each member comes (gets the number of the meeting), and when it goes on, it learns what PE `pe`
 * knew when that came. The same members give the same key. */
uint32_t core_race_come(uint64_t key);
void core_race_come_as(uint64_t key, uint32_t number); /* who meet count the meetings themselves, from 1 */
void core_race_learn(uint64_t key, uint32_t number, int pe);

/* This process looks again and again at what others change (MPI_Win_sync), by loads of its own. */
void core_race_polls(void);
/* A message: the sender's step, which goes with it; the receiver learns of it. */
uint32_t core_race_tell(void);
/* The same for messages that come to `pe` in the order in which they are sent: before one is sent, when that was done,
 * and by the receiver of each. */
void core_race_mails(int pe);
void core_race_mailed(int pe);
void core_race_hears(int pe);
void core_race_passes(int pe); /* the same of one that tells nothing to the program */
void core_race_told(int pe, uint32_t clock);

/* A load or store of the program itself, at `pc`, of `n` bytes at `at`: in this PE's symmetric heap, its globals or a
 * window, as its own address or as that of a peer of the node (shmem_ptr, MPI_Win_shared_query). Elsewhere: nothing.
 * May be called at any time. */
void core_race_local(const void *at, size_t n, unsigned how, uintptr_t pc);

#endif
