/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine under the one-sided calls: checks, layouts of target memory, updates
 * of elements, and messages for memory that cannot be reached directly.
 */
#ifndef MPI_RMA_H
#define MPI_RMA_H

#include "core/base/site_call.h"
#include "mpi/rma/win.h"

/* An operation, checked: what the calls share. */
struct mpii_rma_call {
    const char *name; /* __func__ of the body */
    struct mpii_win *w;
    struct mpii_rma_peer *p; /* NULL: MPI_PROC_NULL */
    int rank;
    const void *origin;
    MPI_Count ocount;
    struct mpii_type *otype; /* NULL: no origin */
    void *result;
    MPI_Count rcount;
    struct mpii_type *rtype; /* NULL: no result */
    MPI_Count tcount;
    struct mpii_type *ttype;
    char *base;      /* of the target's memory here; NULL: not reached directly */
    int64_t at;      /* of the target's data: bytes from its base; dynamic windows: address */
    bool cma;        /* by system calls, at p->address + at */
    MPI_Count bytes; /* of the target's data, packed */
    const struct mpii_op *op;
    struct mpii_type *element;
    uint8_t way; /* mpii_rma_way of the two */
    struct mpii_request *request;
    uintptr_t site; /* --check: its line */
};

/* ------------------------------------------------- checks (rma_check.c) -- */
/* The window of the last quick call is known without looking it up, as long as it is one. */
static inline __attribute__((always_inline)) struct mpii_win *mpii_rma_win_of(MPI_Win win)
{
    struct mpii_win *w = (struct mpii_win *)(void *)win;

    if (MPT_LIKELY(win == mpii_state.rma.recent && w->anchor.object.kind == MPII_WIN))
        return w;
    w = mpii_win_of(win);
    if (w)
        mpii_state.rma.recent = win;
    return w;
}
/* What most calls are: equal dense data of a predefined type on both sides, memory
 * of another process that is reached directly and is open, nothing wrong. All else
 * takes the slow path, which says what is wrong. NULL, or the target's memory for *n bytes. */
static inline __attribute__((always_inline)) char *mpii_rma_fast(MPI_Win win, const void *buf, MPI_Count count,
                                                                 MPI_Datatype type, int rank, MPI_Aint disp,
                                                                 MPI_Count tcount, MPI_Datatype ttype, size_t *n,
                                                                 struct mpii_rma_peer **peer)
{
    const struct mpii_win *w = mpii_rma_win_of(win);
    const struct mpii_type *t = &mpii_basic_types[(uintptr_t)type & 255];
    struct mpii_rma_peer *p;
    size_t at;

    if (MPT_UNLIKELY(!w || (unsigned)rank >= (unsigned)w->size || type != ttype || count != tcount || !buf))
        return NULL;
    if (MPT_UNLIKELY(((uintptr_t)type & ~(uintptr_t)255) != 0x200 || !t->dense || ((size_t)count | (size_t)disp) >> 31))
        return NULL;
    p = &w->peers[rank];
    *n = (size_t)count * (size_t)t->size;
    at = (size_t)disp;
    if (p->unit != 1) { /* a branch: the multiplication's latency is then nobody's */
        __asm__("" : "+r"(at));
        at *= (size_t)p->unit; /* that is less than 2^31 where `quick` is not 0 */
    }
    if (MPT_UNLIKELY(at + *n - 1 >= p->fast)) /* nothing is left to the slow path, too */
        return NULL;
    core_acted();
    *peer = p;
    return p->base + at;
}
/* After a store to n bytes of a peer's memory: does it sleep until they change? */
static inline bool mpii_rma_is_watched(const struct mpii_rma_peer *p, const void *at, size_t n)
{
    return core_watched(p->bell, at, n);
}
static inline void mpii_rma_changed(const struct mpii_rma_peer *p, const void *at, size_t n)
{
    if (MPT_UNLIKELY(mpii_rma_is_watched(p, at, n)))
        core_changed(p->pe, at, n);
}
/* A call that programs repeat until another process has changed the window, which may need this one's progress, or its
 * core. Lets go of the lock. */
static inline void mpii_rma_looked(const struct mpii_win *w)
{
    if (w->messages)
        mpii_progress();
    mpii_looked();
}
/* Its access has changed: set `quick`. Of all peers: after lock_all, fences. */
void mpii_rma_quicken(struct mpii_win *w, struct mpii_rma_peer *p);
void mpii_rma_quicken_all(struct mpii_win *w);

int mpii_rma_open_slow(struct mpii_win *w, struct mpii_rma_peer *p, const char *call) __attribute__((cold));
int mpii_rma_check_rank(struct mpii_win *w, int rank, const char *call) __attribute__((cold)); /* raises */

/* A member is dead, or the window revoked (rma_trouble.c). Raises what that means for an operation on a rank (-1: on
 * all); is waiting for a rank (-1: for any one) in vain? */
int mpii_rma_troubled(struct mpii_win *w, int rank, const char *call) __attribute__((cold));
bool mpii_rma_in_vain(const struct mpii_win *w, int rank);
void mpii_rma_part(struct mpii_win *w);
void mpii_rma_quicken_troubled(void); /* mpii_state.ft.above.windows */
void mpii_rma_ops_drop(struct mpii_win *w, int error); /* rma_message.c: those whose target is dead end with it */

/* Window and target; an epoch must be open. `from`: the body's __builtin_return_address(0). */
static inline int mpii_rma_begin(struct mpii_rma_call *c, MPI_Win win, int rank, const char *call, const void *from)
{
    core_acted();
    c->name = call;
    if (MPT_UNLIKELY(core_params.check))
        c->site = core_site_by(from);
    c->rank = rank;
    MPII_TRY(mpii_rma_check_win(win, &c->w, call));
    if (MPT_UNLIKELY((unsigned)rank >= (unsigned)c->w->size)) {
        c->p = NULL;
        return rank == MPI_PROC_NULL ? MPI_SUCCESS : mpii_rma_check_rank(c->w, rank, call);
    }
    c->p = &c->w->peers[rank];
    if (MPT_UNLIKELY(c->w->comm->trouble != 0))
        MPII_TRY(mpii_rma_troubled(c->w, rank, call));
    if (MPT_LIKELY((unsigned)(c->p->access - RMA_OPEN_PSCW) <= RMA_OPEN_NOCHECK - RMA_OPEN_PSCW || c->w->access_all))
        return MPI_SUCCESS;
    return mpii_rma_open_slow(c->w, c->p, call);
}
/* Sets c->at and c->bytes. */
int mpii_rma_check_target(struct mpii_rma_call *c, MPI_Aint disp, MPI_Count count, MPI_Datatype type);
int mpii_rma_check_origin(struct mpii_rma_call *c, const void *buf, MPI_Count count, MPI_Datatype type);
int mpii_rma_check_result(struct mpii_rma_call *c, void *buf, MPI_Count count, MPI_Datatype type);
int mpii_rma_check_asserts(struct mpii_win *w, int given, int allowed, const char *call);

/* ------------------------------------------------------- requests (rma_request.c) --
 * The last of the checks: a passive epoch must be open; makes c->request. */
int mpii_rma_request_make(struct mpii_rma_call *c, MPI_Request *request);
void mpii_rma_request_more(struct mpii_request *r); /* it waits for one more mpii_rma_op ... */
void mpii_rma_request_less(struct mpii_request *r, int error); /* ... which is over */
/* The call has begun all its operations (or failed: err). */
int mpii_rma_request_give(struct mpii_rma_call *c, MPI_Request *request, int err);

/* ------------------------------------------------- --check (rma_watch.c) --
 * What an operation that has begun (with this error) uses of this process's memory, until it is complete here. Returns
 * err. */
enum mpii_rma_uses { RMA_USES_ORIGIN = 1, RMA_USES_RESULT = 2, RMA_USES_LANDING = 4 }; /* LANDING: origin of a get */
int mpii_rma_watch(const struct mpii_rma_call *c, unsigned uses, int err);
static inline int mpii_rma_watched(const struct mpii_rma_call *c, unsigned uses, int err)
{
    return MPT_UNLIKELY(core_params.check) ? mpii_rma_watch(c, uses, err) : err;
}

/* ------------------------------------------------- --check (rma_epoch.c) --
 * Only with it. A fence: do its members' assertions agree? In place of its barrier. */
int mpii_rma_epoch_fence(struct mpii_win *w, int assert);
void mpii_rma_epoch_opened(struct mpii_win *w);
/* A rank is locked by now: is it exposed, too? And the other way round. */
void mpii_rma_epoch_locked(const struct mpii_win *w, int rank);
void mpii_rma_epoch_exposed(struct mpii_win *w, int assert); /* -1: no longer */
void mpii_rma_epoch_put(const struct mpii_rma_call *c); /* has the target said that nobody would put? */
void mpii_rma_epoch_left(void); /* MPI_Finalize: epochs that are open */

/* ----------------------------------------------- layouts (rma_layout.c) --
 * Memory as runs: `count` blocks of n bytes, `stride` apart. */
struct mpii_rma_run {
    int64_t at, n, stride, count;
};
struct mpii_rma_cursor {
    const struct mpii_type *type;
    const struct mpii_type *element; /* NULL, or: blocks are its whole elements (one each if it has gaps) */
    MPI_Count count, offset, end; /* packed bytes [offset, end) are still to come */
    int64_t at;
};
/* Base may be NULL: then `at` is an address. */
static inline char *mpii_rma_at(const void *base, int64_t at)
{
    return (char *)((uintptr_t)base + (uintptr_t)at);
}
/* Up to max runs from the cursor, which goes on by their bytes. 0: at the end. */
int mpii_rma_runs(struct mpii_rma_cursor *c, struct mpii_rma_run *runs, int max);
/* Between runs (their `at` counts from base) and packed bytes. */
void mpii_rma_gather(void *to, const char *base, const struct mpii_rma_run *runs, int n);
void mpii_rma_scatter(char *base, const struct mpii_rma_run *runs, int n, const void *from);

/* ------------------------------------------------ updates (rma_apply.c) --
 * Atomic for each element, by whichever way it is made: the element's size and
 * address alone choose between instructions and the lock in the control block. */
enum { RMA_NO_WAY = 255 };
uint8_t mpii_rma_way(const struct mpii_op *op,
                     const struct mpii_type *element); /* how op changes an element; NO_WAY: it does not fit */
struct mpii_rma_update {
    const struct mpii_op *op;
    struct mpii_type *element;
    struct mpii_rma_ctrl *ctrl;
    bool alone; /* nobody else may touch the memory (exclusive lock) */
    uint8_t way; /* mpii_rma_way; not for mpii_rma_compare_swap */
};
/* n elements at `target`; operand and old (NULL: not wanted) are packed. */
void mpii_rma_apply(const struct mpii_rma_update *u, char *target, const char *operand, char *old, MPI_Count n);
void mpii_rma_apply_runs(const struct mpii_rma_update *u, char *base, const struct mpii_rma_run *runs, int n,
                         const char *operand, char *old);
void mpii_rma_compare_swap(const struct mpii_rma_update *u, char *target, const char *compare, const char *value,
                           char *old);

/* ------------------------------------------------- system calls (rma_cma.c) --
 * c->cma: the put or get as a whole; false: it must be made by messages (puts twice do no harm). */
bool mpii_rma_put_cma(struct mpii_rma_call *c);
bool mpii_rma_get_cma(struct mpii_rma_call *c);

/* --------------------------------------------- messages (rma_message.c) -- */
enum mpii_rma_kind {
    RMA_PUT,
    RMA_GET,
    RMA_UPDATE,
    RMA_FETCH_UPDATE,
    RMA_COMPARE,
    RMA_FLUSH,
    RMA_LOCK,
    RMA_UNLOCK,
    RMA_POST,
    RMA_COMPLETE,
    RMA_REPLY,
    RMA_ACK,
    RMA_GRANT, /* to the origin */
};
enum { RMA_RUNS_MAX = 24 };
struct mpii_rma_head {
    uint64_t window; /* the receiver's object */
    uint64_t op; /* the origin's struct mpii_rma_op that waits for a reply */
    int64_t bytes; /* packed */
    int32_t rank; /* of the sender */
    uint8_t kind, nruns;
    uint8_t exclusive; /* locks; also: the memory is the sender's alone */
    uint8_t error; /* class, of what is answered */
    uint32_t op_code, type_code; /* predefined handles */
    /* `nruns` runs follow */
};
static inline struct mpii_rma_run *mpii_rma_runs_of(const struct mpii_rma_head *h)
{
    return (struct mpii_rma_run *)(uintptr_t)(h + 1);
}

/* Something of this process that is not over: its memory is being read, or an answer is to come. */
struct mpii_rma_op {
    struct mpii_rma_op *next;
    struct mpii_win *w;
    int rank;
    uint32_t state; /* enum mpii_rma_op_state; the handler moves it on */
    int error;
    struct core_sending sending;
    void *buffer; /* of the sending */
    void *result;
    MPI_Count count, offset, n;
    struct mpii_type *type; /* held */
    struct core_rndv rndv; /* the answer's body ... */
    struct core_flow flow;
    void *landing; /* ... and where it goes first, if not straight to the result */
    struct mpii_request *request;
};
enum mpii_rma_op_state { RMA_OP_QUIET, RMA_OP_ASKED, RMA_OP_COMING };

/* One operation by messages; c->p is not reached directly. */
int mpii_rma_by_message(struct mpii_rma_call *c, enum mpii_rma_kind kind, const void *compare);
void mpii_rma_send_plain(struct mpii_win *w, int rank, enum mpii_rma_kind kind, bool exclusive);
void mpii_rma_ops_step(struct mpii_win *w); /* see what has come; ends what is over */

/* ----------------------------------------------------- the wire (rma_wire.c) --
 * To a process of this job or, with MPI's lock, of another one; a job ends where that fails. */
void mpii_rma_wire_send(int proc, const struct mpii_rma_head *h, size_t head_n, const void *body, size_t n);
void mpii_rma_wire_rndv(int proc, const struct mpii_rma_head *h, size_t head_n, const void *body, size_t n,
                        struct core_sending *s);
void mpii_rma_wire_room(int proc, const char *call); /* waits while much is queued for a process of another job */

/* ------------------------------------------------ target (rma_serve.c) -- */
/* What the message asks for, and an answer if it wants one; in_place: its data lies there already. */
void mpii_rma_carry_out(struct mpii_win *w, const struct mpii_rma_head *h, const char *data, bool in_place);
bool mpii_rma_allowed(const struct mpii_win *w, const struct mpii_rma_head *h); /* is all it wants attached? */
void mpii_rma_replies_drop(void); /* those that have been read */

/* ----------------------------------------------- and its jobs (rma_target.c) -- */
int mpii_rma_messages_begin(struct mpii_win *w); /* w may get messages from now on */
void mpii_rma_messages_end(struct mpii_win *w);
void mpii_rma_target_step(void); /* with MPI's lock: a lock of a window was given back, another may wait for it */
void mpii_rma_on_answer(const struct core_mail *m, const struct mpii_rma_head *h); /* rma_message.c */

/* ---------------------------------------------- epochs (rma_active.c) -- */
void mpii_rma_posts_await(struct mpii_win *w, const char *call); /* all that MPI_Win_start was called for have come */

/* ------------------------------------------ completion (rma_flush.c) -- */
/* Of ranks [from, to): nothing of this process is under way; remote: and the targets have it. */
int mpii_rma_flush(struct mpii_win *w, int from, int to, bool remote, const char *call);
int mpii_rma_flush_everything(struct mpii_win *w, const char *call);

#endif
