/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the one-sided chapter share. Memory of a window that lies in
 * a slice of this node (arena, symmetric memory) is loaded and stored directly;
 * all else is done by messages that the target carries out in its progress
 * (rma_target.c). Synchronisation between PEs of a node goes through control
 * blocks in the arena, whatever the memory is.
 */
#ifndef MPI_WIN_H
#define MPI_WIN_H

#include "mpi/mpii.h"

/* ------------------------------------------------ locks (rma_lock.c) --
 * Readers and writers; zero is free. Who finds it free may take it, unless somebody
 * has lost patience and stands in the queue. */
struct mpii_rma_lock {
    uint32_t state; /* readers that are in, or RMA_WRITER */
    uint32_t next;  /* tickets of the queue drawn ... */
    uint32_t serve; /* ... and served: this one is the head */
};
#define RMA_WRITER 0x80000000u

/* In the arena of each member; what its peers of the node store in. */
struct mpii_rma_ctrl {
    struct mpii_rma_lock lock; /* MPI_Win_lock of this member's memory */
    char pad0[64 - sizeof(struct mpii_rma_lock)];
    uint32_t busy; /* accumulates that no instruction can do: spin lock */
    uint32_t exposed; /* with --check: MPI_Win_post, and no MPI_Win_wait yet; 1, and what it has asserted */
    uint64_t table; /* dynamic windows: offset of the regions' table in the arena; 0: none yet */
    uint32_t holder; /* with --check: who holds the lock alone, a PE + 1; 0: nobody, or it is not known */
    char pad1[44];
    uint32_t who[]; /* PE that has drawn ticket t: who[t & mask]; then, each of `size` counters: */
};

bool mpii_rma_lock_try(struct mpii_rma_ctrl *c, bool exclusive);                /* true: it is in */
uint32_t mpii_rma_lock_draw(struct mpii_rma_ctrl *c, uint32_t mask,
                            int pe);    /* stand in the queue; PE pe will be woken */
bool mpii_rma_lock_turn(struct mpii_rma_ctrl *c, uint32_t mask, uint32_t ticket,
                        bool exclusive); /* true: it is in, and out of the queue */
void mpii_rma_lock_leave(struct mpii_rma_ctrl *c, uint32_t mask, bool exclusive);

/* ------------------------------------------------------------- windows -- */

/* What this process may do with a member's memory. */
enum mpii_rma_access {
    RMA_CLOSED,
    RMA_OPEN_PSCW,   /* in the group of MPI_Win_start, and its post has come */
    RMA_OPEN_SHARED, /* by MPI_Win_lock */
    RMA_OPEN_EXCLUSIVE,
    RMA_OPEN_NOCHECK,
    RMA_AWAITS_POST, /* in the group of MPI_Win_start */
};

struct mpii_rma_peer {
    char *base;    /* of its memory in this process; NULL: only messages reach it */
    size_t fast;  /* its size while calls may use it without looking further (mpii_rma_quicken), else 0 */
    MPI_Aint size; /* bytes */
    MPI_Aint unit;
    struct mpii_rma_ctrl *ctrl; /* NULL: on another node */
    uint64_t window;       /* the address of its struct mpii_win */
    uint64_t address;      /* of its memory, there */
    bool cma;              /* core_cma_may: its private memory can be had by system calls */
    int pe;
    uint8_t access; /* enum mpii_rma_access */
    bool dirty;     /* messages since the last flush */
    bool granted;   /* by a handler: the lock asked for by message */
    bool exclusive; /* other node's lock: which kind */
    uint32_t ops;      /* of mpii_rma_op under way */
    uint32_t flushes;  /* asked */
    uint32_t acks;     /* come; by a handler */
    uint32_t error;    /* class; by a handler */
    int refused;       /* class: what it asked of us was refused; told at its flush */
    uint64_t starts, waits; /* counts of its posts and completes that were used */
    const struct mpt_bell *bell; /* of whoever must be told of changes; not NULL where `quick` is not 0 */
    bool no_put; /* with --check: it has said so at the last fence */
    int home;    /* the process in whose slice its memory lies */
    char *ghost; /* for the race checker: by its slice, or what stands for memory that lies in none */
};
_Static_assert(sizeof(struct mpii_rma_peer) == 128, "found by a shift");

struct mpii_rma_table; /* of dynamic windows */

struct mpii_win {
    struct mpii_anchor anchor;
    struct mpii_comm *comm;
    struct mpii_rma_peer *peers;
    int rank, size;
    uint32_t mask;    /* of ctrl->who */
    int access_all;   /* RMA_OPEN_SHARED or _NOCHECK: MPI_Win_lock_all */
    bool fence;       /* a fence was called that may begin an epoch ... */
    bool fence_used;  /* ... and did */
    bool messages;    /* some member is not reached directly */
    bool no_locks;
    bool separate;    /* a shared window whose members' memory is not one block */
    int locks;        /* targets locked */
    int flavor, model, unit;
    MPI_Aint bytes;
    void *base;
    void *memory;     /* block of the arena, given back with the window */
    const char *fetching[8]; /* for the race checker: words whose values messages bring; NULL: any memory */
    unsigned n_fetching;
    uint64_t ghost;   /* mpii_rma_race_ghost of `base`, for the race checker */
    struct mpii_rma_ctrl *ctrl;
    struct mpii_group *started, *posted; /* epochs open by these groups, of this window's ranks in `procs` */
    bool start_nocheck, post_nocheck;
    uintptr_t opened; /* with --check: the last call that has opened an epoch */
    struct mpii_rma_op *ops, **ops_end;
    struct mpii_rma_table *table; /* own, in the arena; older ones follow */
    struct mpii_win *next_messaging;
    struct mpii_attr *attrs;
    struct mpii_info *info;
    char name[MPI_MAX_OBJECT_NAME];
};

static inline struct mpii_win *mpii_win_of(MPI_Win handle)
{
    return (struct mpii_win *)mpii_object_of(handle, MPII_WIN);
}
int mpii_rma_check_win_slow(MPI_Win handle, const char *call) __attribute__((cold));
static inline int mpii_rma_check_win(MPI_Win handle, struct mpii_win **w, const char *call)
{
    *w = mpii_win_of(handle);
    return MPT_LIKELY(*w != NULL) ? MPI_SUCCESS : mpii_rma_check_win_slow(handle, call);
}

/* Counters in a control block: posts that target t made for its owner, and
 * completes of origin o. One writer each. */
static inline uint64_t *mpii_rma_posted(const struct mpii_win *w, struct mpii_rma_ctrl *c)
{
    return (uint64_t *)(void *)(c->who + ((w->mask + 2) & ~1u));
}
static inline uint64_t *mpii_rma_completed(const struct mpii_win *w, struct mpii_rma_ctrl *c)
{
    return mpii_rma_posted(w, c) + w->size;
}
size_t mpii_rma_ctrl_bytes(uint32_t mask, int size);

/* --------------------------------------------------- making (win.c) --
 * What each member tells the others. */
struct mpii_rma_card {
    int64_t error, flavor;
    uint64_t window, address, key;
    uint64_t ctrl;  /* offset in its arena */
    uint64_t slice_offset; /* core_slice_offset its memory ... */
    int64_t in_slice; /* ... if it lies in one */
    int64_t size, unit;
    int64_t owner;  /* rank in whose slice that is */
    uint64_t ghost; /* core_slice_offset of what stands for memory in no slice, for the race checker; or 0 */
};
/* A window object with a communicator of its own: half made, for mpii_rma_win_join. Raises. */
int mpii_rma_win_new(MPI_Comm comm, int flavor, MPI_Info info, struct mpii_win **w, const char *call);
/* `error` (0: none) was found by this member: nobody gets a window when one has an error. cards: of all,
 * in a malloc'ed array, when it succeeds and cards is not NULL. */
int mpii_rma_win_exchange(struct mpii_win *w, struct mpii_rma_card *own, struct mpii_rma_card **cards,
                          const char *call);
/* Fills the peers; all members have done so when it returns. */
int mpii_rma_win_join(struct mpii_win *w, const struct mpii_rma_card *cards, const char *call);
void mpii_rma_win_destroy(struct mpii_win *w); /* gives back all it has */
int mpii_rma_win_hints(struct mpii_win *w, MPI_Info info, const char *call); /* win_info.c */
/* For windows and MPI_Alloc_mem: mpi_minimum_memory_alignment; 0 without. */
size_t mpii_rma_alignment(MPI_Info info);
/* Dynamic windows (win_attach.c): is [at, at+n), n > 0, of the owner of this control block (on this node)
 * attached? *slice_offset: core_slice_offset of it, RMA_PRIVATE if it lies in none. */
#define RMA_PRIVATE UINT64_MAX
const char *mpii_rma_attached_ghost(int pe, const struct mpii_rma_ctrl *c, uint64_t at, uint64_t n);
bool mpii_rma_attached(int pe, const struct mpii_rma_ctrl *c, uint64_t at, uint64_t n, uint64_t *slice_offset);
void mpii_rma_tables_free(struct mpii_win *w);

#endif
