/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The objects of MPI and what its chapters offer each other, in reading order.
 * Bodies of the standard's procedures are mpii_Xxx (generated calls.h); what
 * stands here is lower case. Functions that may fail return MPI_SUCCESS or an
 * error class; those that take `call` (the body's __func__) have raised it
 * already through the error handler, others leave that to the caller.
 * All of it is called with the lock held (lock.h).
 */
#ifndef MPI_MPII_H
#define MPI_MPII_H

#include <mpi.h>

#include "calls.h"
#include "core/core.h"
#include "coll/coll.h"
#include "coll/layout.h"
#include "mpi/rt/lock.h"
#include "mpi/rt/object.h"
#include "mpi/rt/progress.h"
#include "mpi/hook.h"
#include "mpi/kind.h"
#include "mpi/state.h"
#include "mpi/trace/trace.h"

/* Give up when a step has failed (it has raised its error). */
#define MPII_TRY(call_)                        \
    do {                                       \
        int try_ = (call_);                    \
        if (MPT_UNLIKELY(try_ != MPI_SUCCESS)) \
            return try_;                       \
    } while (0)

/* First member of what errors are raised on: communicators, windows, files, sessions. */
struct mpii_anchor {
    struct mpii_object object;
    struct mpii_errhandler *errhandler; /* holds a reference */
    void *handle;                       /* what the user knows it by */
};

/* ------------------------------------------------------ errors (error.c) --
 * Raise an error of class (or user code) `code` on a communicator, window, file or session (their struct: any that
 * begins with an anchor), or NULL: MPI_COMM_SELF's handler. The text names argument and value; call is __func__ of the
 * body (printed as MPI_Xxx). Returns code if the handler returns. */
int mpii_error(void *object, int code, const char *call, const char *fmt, ...)
    __attribute__((cold, format(printf, 4, 5)));
/* The handle of which the next error in this thread says that it is none: --check knows whether it was one. */
void *mpii_bad_handle(enum mpii_kind kind, const void *handle) __attribute__((cold));
/* What --check says of an error that ends the job, where its class does not tell all. */
struct mpii_blame {
    enum core_finding_kind kind; /* CORE_FINDING_KINDS: all has been said */
    const char *rule;            /* NULL: the class tells */
    unsigned n;
    struct mpii_blamed {
        int pe;
        uintptr_t site;
        char call[128];
    } at[2]; /* calls that have their part in it, besides the one that finds it */
};
int mpii_error_blame(const struct mpii_blame *b, void *object, int code, const char *call, const char *fmt, ...)
    __attribute__((cold, format(printf, 5, 6)));

struct mpii_errhandler {
    struct mpii_object object;
    enum mpii_kind for_kind; /* MPII_NONE: predefined, fits all */
    MPII_Function *function; /* NULL: predefined */
    MPI_Errhandler predefined;
    int32_t handles;         /* references that the user has; of predefined ones: not counted */
};
/* NULL: not a handle. Predefined ones are static objects. */
struct mpii_errhandler *mpii_errhandler_of(MPI_Errhandler handle);
MPI_Errhandler mpii_errhandler_handle(struct mpii_errhandler *h); /* given to the user, with a reference */
void mpii_errhandler_release(struct mpii_errhandler *h);
static inline struct mpii_errhandler *mpii_errhandler_hold(struct mpii_errhandler *h)
{
    h->object.refs++;
    return h;
}
/* What the launcher's initial error handler says (MPI_ERRORS_ARE_FATAL): of world, self, and errors before MPI_Init. */
struct mpii_errhandler *mpii_errhandler_initial(void);
/* MPI_FILE_NULL: what is raised on no file. Its handler (MPI_ERRORS_RETURN at first) is that of new files: hold it for
 * them. */
extern struct mpii_anchor mpii_file_null;

/* --------------------------------------------------------- info (info.c) -- */
struct mpii_info;
struct mpii_info *mpii_info_of(MPI_Info handle); /* NULL: none, or MPI_INFO_NULL */
const char *mpii_info_get(MPI_Info handle, const char *key); /* NULL: not there (or no info) */
struct mpii_info *mpii_info_copy(const struct mpii_info *info); /* NULL gives an empty one */
MPI_Info mpii_info_handle(struct mpii_info *info);
void mpii_info_release(struct mpii_info *info); /* NULL is fine */
/* For Xxx_set_info: copies the pairs of `handle` over those in *info (made when NULL). */
int mpii_info_merge(struct mpii_info **info, MPI_Info handle);
/* Set one pair, for what Xxx_get_info tells. MPI_SUCCESS, MPI_ERR_NO_MEM. */
int mpii_info_put(struct mpii_info *info, const char *key, const char *value);
const void *mpii_info_memory(const struct mpii_info *info); /* a block that leads to all others of it */
/* An info to read, or MPI_INFO_NULL; else an error raised on object (may be NULL). */
int mpii_check_info(void *object, MPI_Info handle, const char *call);
/* The same for Xxx_set_info: not MPI_INFO_NULL. */
int mpii_check_hints(void *object, MPI_Info handle, const char *call);
/* For Xxx_get_info: *info_used = a new object (consumed; NULL raises MPI_ERR_NO_MEM on object). */
int mpii_info_give(void *object, struct mpii_info *info, MPI_Info *info_used, const char *call);

/* --------------------------------------------------- attributes (attr.c) --
 * Of communicators, windows and datatypes; kind says which callbacks. */
struct mpii_attr;
/* Run the copy callbacks for what dup copies. An error code of a callback. */
int mpii_attrs_copy(enum mpii_kind kind, void *old_handle, struct mpii_attr *old, struct mpii_attr **copy);
/* Run the delete callbacks, newest first; stops at the first error. */
int mpii_attrs_delete(enum mpii_kind kind, void *handle, struct mpii_attr **attrs);
/* The window chapter's: where a window (any struct mpii_win *) keeps them; NULL handle or no window: NULL. */
struct mpii_attr **mpii_win_attrs(MPI_Win handle);
/* The window chapter's: value of MPI_WIN_BASE ... MPI_WIN_MODEL as MPI_Win_get_attr gives it (a pointer); false: win
 * has no such. */
bool mpii_win_attr(MPI_Win handle, int keyval, void **value);

/* ------------------------------------------------------- names (name.c) ----
 * Of communicators, datatypes and windows (7.8); longer ones are cut off. */
void mpii_name_keep(char name[MPI_MAX_OBJECT_NAME], const char *text);
/* For Xxx_get_name; arg: what the call names `text`. */
int mpii_name_give(void *object, const char *name, char *text, const char *arg, int *resultlen, const char *call);

/* ------------------------------------------------------ groups (group.c) --
 * A process is a number: a PE of this job, or from core_size() on one of another
 * job we are connected to (dynamic processes). */
struct mpii_group {
    struct mpii_object object;
    int size;
    int rank;  /* of this process; MPI_UNDEFINED */
    int *procs; /* size of them */
    MPI_Session session; /* it comes from; NULL: none */
    int32_t handles; /* references that the user has */
};
extern struct mpii_group mpii_group_empty;
struct mpii_group *mpii_group_of(MPI_Group handle); /* NULL: MPI_GROUP_NULL or no group */
MPI_Group mpii_group_handle(struct mpii_group *g); /* given to the user, with a reference */
/* Rank of process `proc`; MPI_UNDEFINED. Takes time in proportion to the size. */
int mpii_group_find(const struct mpii_group *g, int proc);
struct mpii_group *mpii_group_new(int size, const int *procs); /* copies; NULL: out of memory */
void mpii_group_release(struct mpii_group *g);

/* ---------------------------------------------- communicators (comm.c ...) -- */

/* The handle of a communicator, and so of windows, files and sessions. */
#define MPII_HANDLE(object_) ((void *)(object_)->anchor.handle)

/* A communicator has a context: 64 bits that no other in reach has, a multiple
 * of MPII_LANES; the lanes keep kinds of traffic apart. */
enum mpii_lane { MPII_LANE_USER, MPII_LANE_COLL, MPII_LANE_SETUP, MPII_LANE_DATA, MPII_LANES };

struct mpii_comm {
    struct mpii_anchor anchor;
    int rank, size;    /* of this process in the local group; its size */
    int nprocs;        /* ranks one may send to: size, or the remote group's size */
    const int *procs;  /* their processes */
    uint64_t context;
    int fast;         /* ranks that calls reach without a look at the rest: nprocs, 0 when in trouble */
    uint8_t trouble;   /* enum mpii_trouble (ft.h) */
    bool inter;
    bool meets;        /* all processes, in a job with tasks: its barriers are core's (core/wait/meet.h) */
    bool freed;        /* MPI_Comm_free was called; pending requests hold it */
    struct mpii_group *group, *remote; /* remote: NULL unless inter */
    struct mpii_comm *local; /* of an intercommunicator: all of the local group */
    struct mpii_attr *attrs;
    struct mpii_info *info;
    struct mpii_topo *topo;   /* topo.c */
    struct mpii_bsend *bsend; /* bsend.c: buffer attached to it */
    MPI_Session session;      /* it was made from; NULL: none */
    void *match;              /* match_context.c's */
    void *coll;               /* coll.c's: made at the first collective */
    struct mpii_coll_later *later, *latest; /* coll_later.c: nonblocking ones, the first under way; NULL: none */
    struct mpii_nodes *nodes; /* sched_nodes.c's, likewise */
    uint8_t within;           /* of windows and files: which call the library's own collectives are of; 0: not said */
    const struct mpii_inside *inside; /* with --check: a blocking collective under way on it (coll_check.c) */
    const char *within_name;  /* also of others: the last call of which the library made collectives on it; or NULL */
    uint32_t coll_count;      /* tags of collectives taken: same on all members */
    uint32_t coll_calls;      /* collectives that the node's block may serve begun: likewise */
    uint32_t meetings;        /* of these, begun as meetings (coll_meet.c): likewise */
    uint32_t setup_count;     /* exchanges on MPII_LANE_SETUP that are told apart by number: same on all members */
    uint32_t agreements;      /* started: same on all members */
    struct mpii_trace_comm trace; /* with --trace */
    int acked;                /* of its failed processes, so many have been acknowledged (ft.h) */
    bool first;               /* inter: rank 0 of this side makes what both sides must agree on (true on one side) */
    char name[MPI_MAX_OBJECT_NAME];
};

static inline struct mpii_comm *mpii_comm_of(MPI_Comm handle)
{
    if ((uintptr_t)handle < MPII_PREDEFINED_MAX)
        return handle == MPI_COMM_WORLD ? mpii_state.comm.world : handle == MPI_COMM_SELF ? mpii_state.comm.self : NULL;
    return (struct mpii_comm *)mpii_object_of(handle, MPII_COMM);
}
/* Make an intracommunicator of `group` (consumed), whose members (at least this
 * process) all call this with the same context. NULL: out of memory. */
struct mpii_comm *mpii_comm_make(struct mpii_group *group, uint64_t context);
/* A new context: one process makes it, the others are told. */
uint64_t mpii_context_new(void);
/* The same of an intercommunicator of two disjoint groups (both consumed), made by all
 * their members; `first` on one side only. Its local intracommunicator has the context
 * after `context`: mpii_context_new makes two. */
struct mpii_comm *mpii_intercomm_make(struct mpii_group *group, struct mpii_group *remote, uint64_t context,
                                      bool first);
static inline void mpii_comm_hold(struct mpii_comm *c)
{
    c->anchor.object.refs++;
}
void mpii_comm_release(struct mpii_comm *c); /* frees it with the last reference */
/* Blocking; like MPI_Comm_dup without attributes, for windows, files ... An error was raised on c, and *made is NULL.
 */
int mpii_comm_dup_quietly(struct mpii_comm *c, struct mpii_comm **made, const char *call);
/* Are all members PEs whose memory this one can load and store? */
bool mpii_comm_on_node(const struct mpii_comm *c);

/* ------------------------------------------------ topologies (topo.c ...) --
 * The neighbours of this process in the order of the neighbour collectives (8.6):
 * MPI_PROC_NULL among them at the borders of a grid. Valid as long as the
 * communicator. MPI_ERR_TOPOLOGY: c has no topology. */
struct mpii_topo;
struct mpii_neighbours {
    int in, out;
    const int *sources, *destinations;
};
int mpii_topo_neighbours(const struct mpii_comm *c, struct mpii_neighbours *n);
/* Both: NULL is fine. */
struct mpii_topo *mpii_topo_hold(struct mpii_topo *t);
void mpii_topo_release(struct mpii_topo *t);

/* ------------------------------------------------------ datatypes (type*.c) -- */
struct mpii_type {
    struct mpii_object object;
    bool committed;
    bool basic; /* predefined and of one element kind */
    uint8_t op_kind; /* basic types: enum of op.c, which reductions fit */
    MPI_Count lb;
    union {
        struct coll_layout layout; /* what collectives on a node see of it: the same five */
        struct {
            MPI_Count size; /* bytes of data */
            MPI_Count extent;
            MPI_Count true_lb, true_extent;
            bool dense; /* packed form = memory: size == extent, lb == 0, no gaps, in order */
        };
    };
    struct mpii_type *element; /* mpii_type_element; no reference: predefined */
    int32_t handles; /* references that the user has */
    uint16_t depth; /* constructors since the last that has its programs */
    uint8_t align; /* log2 of the alignment of its strictest element */
    bool lb_mark, ub_mark; /* bounds were set by resized, subarray or darray: they win (5.1.6) */
    bool empty; /* no entries in the type map, not even marks */
    bool section; /* made for one call, of which one element is all of its data (sections.h) */
    struct mpii_type_program *program; /* type_flat.c: set by commit */
    struct mpii_type_program *typed; /* the same by basic elements: type_sign.c, made when needed */
    struct mpii_type_recipe *recipe; /* how it was made: envelope and contents */
    MPI_Datatype handle;
    struct mpii_attr *attrs;
    char name[MPI_MAX_OBJECT_NAME];
};
_Static_assert(offsetof(struct mpii_type, true_lb) - offsetof(struct mpii_type, layout) ==
                       offsetof(struct coll_layout, true_lb) &&
                   offsetof(struct mpii_type, dense) - offsetof(struct mpii_type, layout) ==
                       offsetof(struct coll_layout, dense),
               "both views of a layout agree");
static inline struct mpii_type *mpii_type_of_layout(const struct coll_layout *l)
{
    return l ? (struct mpii_type *)(void *)((char *)(uintptr_t)l - offsetof(struct mpii_type, layout)) : NULL;
}
extern struct mpii_type mpii_basic_types[256]; /* by handle - 0x200 */
/* A predefined one that is not there: made now, or NULL (type_basic.c). */
struct mpii_type *mpii_type_first_used(MPI_Datatype handle) __attribute__((noinline, cold));
static inline struct mpii_type *mpii_type_of(MPI_Datatype handle)
{
    if (MPT_LIKELY((uintptr_t)handle < MPII_PREDEFINED_MAX)) {
        struct mpii_type *t = &mpii_basic_types[(uintptr_t)handle & 0xff];

        return MPT_LIKELY(((uintptr_t)handle & ~(uintptr_t)0xff) == 0x200 && t->object.kind == MPII_TYPE)
                   ? t
                   : mpii_type_first_used(handle);
    }
    return (struct mpii_type *)mpii_object_of(handle, MPII_TYPE);
}
void mpii_type_release(struct mpii_type *t);
static inline void mpii_type_hold(struct mpii_type *t)
{
    t->object.refs++;
}

/* Bytes [offset, offset + n) of the packed form of (buf, count, t): any pieces, in
 * any order. Committed types. */
void mpii_pack(void *to, const void *buf, MPI_Count count, const struct mpii_type *t, MPI_Count offset, MPI_Count n);
void mpii_unpack(void *buf, MPI_Count count, const struct mpii_type *t, MPI_Count offset, const void *from,
                 MPI_Count n);
/* From (from, fcount, ft) to (to, tcount, tt), the smaller of both packed sizes; no overlap. */
void mpii_copy(void *to, MPI_Count tcount, const struct mpii_type *tt, const void *from, MPI_Count fcount,
               const struct mpii_type *ft);
/* First byte of memory that (buf, count, t) touches, and how many from there. */
void *mpii_span(const void *buf, MPI_Count count, const struct mpii_type *t, MPI_Count *bytes);
/* The memory of (buf, count, t) as blocks, in packed order, up to max; returns how
 * many and stores in *done the packed bytes they cover. For iovecs of files and RMA. */
struct mpii_block {
    MPI_Aint at;
    MPI_Count n;
}; /* at: relative to buf */
int mpii_blocks(MPI_Count count, const struct mpii_type *t, MPI_Count offset, struct mpii_block *blocks, int max,
                MPI_Count *done);
/* Basic elements in n packed bytes (MPI_UNDEFINED: not whole); bytes of the first n elements. */
MPI_Count mpii_elements(const struct mpii_type *t, MPI_Count n);
MPI_Count mpii_elements_bytes(const struct mpii_type *t, MPI_Count n);
/* Same sequence of basic types? For checks of reductions, windows, MPT_CHECK. 64 bits that are equal for equal
 * signatures. 0: holds MPI_PACKED, which fits anything. */
uint64_t mpii_signature(const struct mpii_type *t, MPI_Count count);
/* The same of the first n packed bytes of as many t as it takes; MPII_SIGNATURE_NONE: they end inside an element. */
enum { MPII_SIGNATURE_NONE = 2 }; /* others are odd */
uint64_t mpii_signature_of_bytes(const struct mpii_type *t, MPI_Count n);
struct mpii_type *mpii_type_element(const struct mpii_type *t); /* its only basic type; NULL: it has several */

/* The external32 representation (14.5.2) of (buf, count, t): its size, and bytes [offset, offset + n) of it, which
 * begin and end between elements. False: out of memory. */
bool mpii_external_size(const struct mpii_type *t, MPI_Count *bytes); /* of one */
bool mpii_external_pack(void *to, const void *buf, MPI_Count count, const struct mpii_type *t, MPI_Count offset,
                        MPI_Count n);
bool mpii_external_unpack(void *buf, MPI_Count count, const struct mpii_type *t, MPI_Count offset, const void *from,
                          MPI_Count n);

/* -------------------------------------------------- operations (op.c) -- */
struct mpii_op {
    struct mpii_object object;
    bool commutes;
    bool wide; /* function is a MPI_User_function_c */
    MPII_Function *function; /* NULL: predefined */
    MPI_Op handle;
    const char *name; /* predefined ones' */
    bool freed; /* by the user; steps of collectives may hold it */
};
struct mpii_op *mpii_op_of(MPI_Op handle);
const char *mpii_op_name(MPI_Op handle); /* for messages */
void mpii_op_release(struct mpii_op *op);
/* MPI_SUCCESS, MPI_ERR_OP: does op fit elements of t? */
int mpii_op_check(const struct mpii_op *op, const struct mpii_type *t);
/* inout[i] = in[i] op inout[i], i < count: the standard's argument order. MPI_REPLACE
 * and MPI_NO_OP too (one-sided). Dense types for predefined operations. */
void mpii_op_apply(const struct mpii_op *op, const void *in, void *inout, MPI_Count count, struct mpii_type *t);
/* The loop that combines elements of t; NULL: there is none, but a user's function, or nothing to combine. */
coll_op_fn *mpii_op_loop(const struct mpii_op *op, const struct mpii_type *t);
/* result = left op right, where the result may be `right`; a user's function finds it copied there. */
void mpii_op_join(const struct mpii_op *op, const void *left, const void *right, void *result, MPI_Count count,
                  struct mpii_type *t);

/* -------------------------------------------------- requests (request.c) --
 * What every nonblocking call returns. Whoever makes one gives it its methods. */
struct mpii_request;
enum mpii_awaits { MPII_AWAITS_ANYBODY, MPII_AWAITS_ONE, MPII_AWAITS_SOME, MPII_AWAITS_NOBODY };
struct mpii_request_ops {
    const char *what; /* for messages: "receive", "broadcast", ... */
    bool shared; /* others take part in each start: it cannot be freed while it is active */
    enum mpii_message_end { MPII_NO_MESSAGE, MPII_SENDS_MESSAGE, MPII_RECEIVES_MESSAGE } message; /* what it is of */
    void (*prepare)(struct mpii_request *r); /* NULL, or: before each MPI_Start, --check's look at buffers included */
    int (*start)(struct mpii_request *r); /* persistent ones: MPI_Start */
    void (*look)(struct mpii_request *r); /* NULL, or: who is about to wait for it looks whether it is done soon */
    int (*cancel)(struct mpii_request *r); /* NULL: cannot be cancelled */
    int (*query)(struct mpii_request *r, MPI_Status *status); /* NULL, or: of generalised ones, as they are reported */
    void (*told)(struct mpii_request *r); /* NULL, or: MPI_Request_get_status has said that it is complete */
    void (*free)(struct mpii_request *r); /* give back what `own` holds; the request itself is request.c's */
    int (*raise)(const struct mpii_request *r, int error, const char *call); /* NULL, or its error; `free` was called */
    bool (*blame)(const struct mpii_request *r, int error, struct mpii_blame *b); /* NULL, or with --check: likewise */
    void (*give_up)(struct mpii_request *r, int error); /* ends it: of those that processes' deaths make pending */
    const char *(*where)(const struct mpii_request *r, char *text, const char *call,
                         bool several); /* NULL, or what a wait for it is for, in text (MPII_WHERE bytes) */
    /* With MPT_CHECK, of one that is not done: by whom it will be, whose processes those are (NULL: not known); and
     * its arguments, and what has come that nearly fits (MPII_AWAIT_TEXT bytes each). */
    enum mpii_awaits (*awaits)(const struct mpii_request *r);
    void (*awaited)(const struct mpii_request *r, struct core_wire_blocked_thread *b);
    void (*say)(const struct mpii_request *r, char *text, char *miss);
    void (*traced)(struct mpii_request *r); /* NULL, or: with --trace, its end is reported; of no plain message */
    void (*troubled)(
        struct mpii_request *r); /* NULL, or: some process is dead, or its communicator revoked; it may not be done */
};
struct mpii_request {
    struct mpii_object object;
    const struct mpii_request_ops *ops;
    struct mpii_comm *comm; /* held, for errors; may be NULL */
    bool done; /* of inactive persistent ones: true */
    bool persistent, active; /* active: started, completion not yet reported */
    bool freed; /* MPI_Request_free: goes away when done */
    bool internal; /* no handle of it is with the user: its errors are not raised */
    int error; /* class, when done */
    uint32_t claim; /* with --check: of the wait for it that a thread is in; 0: none (request/claim.c) */
    MPI_Count bytes; /* received, for the status */
    int source, tag; /* for the status */
    bool cancelled;
    bool told; /* the user knows that it is done, and it is still there */
    void (*then)(struct mpii_request *r); /* NULL, or called when it is done */
    void *then_arg;
    _Alignas(16) char own[288]; /* the maker's */
    struct mpii_trace_message traced; /* with --trace */
};
struct mpii_request *mpii_request_new(const struct mpii_request_ops *ops,
                                      struct mpii_comm *comm); /* NULL: out of memory */
struct mpii_request *mpii_request_new_unset(const struct mpii_request_ops *ops,
                                            struct mpii_comm *c); /* `own` is not cleared */
void mpii_request_done(struct mpii_request *r, int error); /* by its maker, once per start */
struct mpii_request *mpii_request_of(MPI_Request handle);
/* The same, also of one that the user has freed and that is not done: for what others still say of it. */
struct mpii_request *mpii_request_named(uintptr_t id);
/* The next request that exists, freed ones too; NULL first and last. Slow. */
struct mpii_request *mpii_request_next(const struct mpii_request *after);
static inline MPI_Request mpii_request_handle(struct mpii_request *r)
{
    return (MPI_Request)(void *)r;
}
/* Of internal requests: wait (makes progress), free, and return the error class; *bytes may be NULL. */
int mpii_request_wait(struct mpii_request *r, MPI_Count *bytes);
/* Of internal requests that are done: free it, return the error class. */
int mpii_request_end(struct mpii_request *r);
/* Call a generalized request's free function, once; its error code (greq.c). */
int mpii_greq_free(struct mpii_request *r);
/* status->... as Get_count, Get_elements, Test_cancelled read it */
void mpii_status_set(MPI_Status *status, int source, int tag, MPI_Count bytes,
                     bool cancelled); /* status may be IGNORE */
MPI_Count mpii_status_bytes(const MPI_Status *status);

/* Channels of core that MPI uses. */
enum mpii_channel { MPII_CHANNEL_MESSAGE, MPII_CHANNEL_CONTROL, MPII_CHANNEL_RMA };

/* ----------------------------------------- point-to-point (send.c, recv.c) --
 * The engine under the calls: internal requests on any lane. Ranks and tags have
 * been checked. Tags of lanes other than USER are the chapter's own (any int >= 0).
 * MPI_PROC_NULL, MPI_ANY_SOURCE, MPI_ANY_TAG work as in the standard. */
enum mpii_mode {
    MPII_STANDARD,
    MPII_BUFFERED,
    MPII_SYNCHRONOUS,
    MPII_READY,
    MPII_DIRECT /* from the memory given, without another copy; nobody asks whether it was matched */
};
int mpii_isend(const void *buf, MPI_Count count, struct mpii_type *t, int dest, int tag, struct mpii_comm *comm,
               enum mpii_lane lane, enum mpii_mode mode, struct mpii_request **r);
int mpii_irecv(void *buf, MPI_Count count, struct mpii_type *t, int source, int tag, struct mpii_comm *comm,
               enum mpii_lane lane, struct mpii_request **r);
/* c goes away: give back c->match and c->bsend. */
void mpii_match_forget(struct mpii_comm *c);
/* A session goes away: wait for the messages in its buffer, and forget it (NULL is fine). */
void mpii_bsend_forget(struct mpii_bsend **b);
/* Before the last stop: what could not be said yet is said; unless all processes stop together,
 * bodies that receivers still have to fetch from here are waited for. */
void mpii_p2p_flush(bool together);
/* Blocking; bytes only. */
int mpii_send_bytes(const void *buf, size_t n, int dest, int tag, struct mpii_comm *comm, enum mpii_lane lane);
int mpii_recv_bytes(void *buf, size_t n, int source, int tag, struct mpii_comm *comm, enum mpii_lane lane);

/* ------------------------------------------------ collectives (coll_*.c) --
 * Blocking, over an intracommunicator, for the library's own use. */
int mpii_coll_barrier(struct mpii_comm *c);
/* The library's own collectives over c, of a window or a file, are of this call from now on: those of others do not
 * meet them. */
void mpii_coll_within(struct mpii_comm *c, const char *name);
int mpii_coll_bcast(struct mpii_comm *c, void *buf, size_t n, int root);
int mpii_coll_gather(struct mpii_comm *c, const void *in, size_t n, void *out, int root);
int mpii_coll_allgather(struct mpii_comm *c, const void *in, size_t n, void *out); /* n bytes of each, in rank order */
int mpii_coll_allreduce(struct mpii_comm *c, int64_t *values, int n, MPI_Op op); /* in place */
int mpii_coll_exscan(struct mpii_comm *c, int64_t *values, int n, MPI_Op op); /* in place; zeros on rank 0 */
/* With --check: do all members make this call, each with these values? */
struct mpii_same {
    const char *name; /* of the argument; "#name": the value is a hash */
    int64_t value;
    bool goes_on; /* the call finds out itself that they differ */
};
int mpii_coll_check_call(struct mpii_comm *c, const char *call, int n, const struct mpii_same *values)
    __attribute__((cold));
int mpii_coll_check_begun(struct mpii_comm *c, const char *call); /* the same of a nonblocking one */
static inline int mpii_check_together(struct mpii_comm *c, const char *call, int n, const struct mpii_same *values)
{
    return MPT_LIKELY(!core_params.check) ? MPI_SUCCESS : mpii_coll_check_call(c, call, n, values);
}
/* By who has waited long, whatever for: have the members of some communicator on this node begun their collectives in
 * different orders? Ends the job. */
void mpii_coll_look(const char *where) __attribute__((cold));
int mpii_coll_init(void); /* with the start of MPI, and its end */
void mpii_coll_finish(void);
void mpii_coll_forget(struct mpii_comm *c); /* c goes away: give back c->coll */
void mpii_nodes_forget(struct mpii_comm *c); /* ... and c->nodes */

/* --------------------------------------------------- start and end (init.c) --
 * Each chapter's part, called by the first init and the last finalize (of the
 * world model and of sessions). Return an error class. */
int mpii_types_init(void);
int mpii_p2p_init(void);
void mpii_p2p_buffering_changed(void); /* MPI_BUFFER_MAX has another value */
int mpii_comms_init(void);
void mpii_comms_finish(void);
/* Calls of MPI_COMM_WORLD among tasks (collective/coll_quick.h): at the end of MPI_Init, and before that goes. */
void mpii_quick_begin(void);
void mpii_quick_end(void);
void mpii_p2p_finish(void);
bool mpii_started(void); /* between first init and last finalize */
bool mpii_world_up(void); /* between MPI_Init and MPI_Finalize */
void mpii_traced_start(void); /* with --trace, calls are recorded from now on */
int mpii_start(void); /* counted: by MPI_Init and MPI_Session_init; local */
void mpii_stop(bool together); /* by all processes of the job? */

/* ---------------------------------------------------- sessions (session.c) -- */
struct mpii_session {
    struct mpii_anchor anchor;
    struct mpii_info *info;
    struct mpii_bsend *bsend; /* bsend.c: buffer attached to it */
};
static inline struct mpii_session *mpii_session_of(MPI_Session handle)
{
    return (struct mpii_session *)mpii_object_of(handle, MPII_SESSION);
}
int mpii_check_session(MPI_Session handle, struct mpii_session **s, const char *call);
/* The processes of a process set, NULL when there is no such (or out of memory). */
struct mpii_group *mpii_pset_group(const char *name);

/* ---------------------------------------- processes of other jobs (dyn.c ...) -- */
int mpii_dyn_start(void); /* by MPI_Init: connect to the parents of a job that was spawned */
void mpii_dyn_finish(void); /* by the last finalize: part from other jobs */
int mpii_dyn_appnum(void);
/* How many processes of this program were asked for, and which numbers would do (the option -soft; "": that one only).
 */
const char *mpii_dyn_asked(int *most);
/* Numbers of processes are one job's own. What tells others which processes are
 * meant: MPII_PROC_BYTES for each. */
enum { MPII_PROC_BYTES = 48 };
void mpii_procs_out(const int *procs, int n, void *records);
int mpii_procs_in(const void *records, int n, int *procs); /* MPI_SUCCESS, or an error class */
/* Equal, and in the same order, for whoever asks: a hash (as mpii_context_meeting's), and which of two comes first. */
uint64_t mpii_procs_hash(uint64_t seed, const int *procs, int n);
bool mpii_proc_before(int a, int b);

/* ----------------------------------------- checks of arguments (check.c) --
 * Raise the standard's class on the best object there is. */
int mpii_check_started(const char *call);
int mpii_check_comm_slow(MPI_Comm handle, const char *call) __attribute__((cold));
static inline int mpii_check_comm(MPI_Comm handle, struct mpii_comm **c, const char *call)
{
    *c = mpii_comm_of(handle);
    return MPT_LIKELY(*c != NULL) ? MPI_SUCCESS : mpii_check_comm_slow(handle, call);
}
int mpii_check_type_slow(void *object, MPI_Datatype handle, const char *arg, const char *call) __attribute__((cold));
/* In use, and committed. object: what to raise errors on. */
static inline int mpii_check_type(void *object, MPI_Datatype handle, struct mpii_type **t, const char *arg,
                                  const char *call)
{
    *t = mpii_type_of(handle);
    return MPT_LIKELY(*t != NULL && (*t)->committed) ? MPI_SUCCESS : mpii_check_type_slow(object, handle, arg, call);
}
int mpii_check_count_slow(void *object, MPI_Count count, const char *arg, const char *call) __attribute__((cold));
static inline int mpii_check_count(void *object, MPI_Count count, const char *arg, const char *call)
{
    return MPT_LIKELY(count >= 0) ? MPI_SUCCESS : mpii_check_count_slow(object, count, arg, call);
}
int mpii_check_rank_slow(struct mpii_comm *c, int rank, bool receive, const char *arg, const char *call);
/* A rank one can send to, or MPI_PROC_NULL; receive: MPI_ANY_SOURCE too. */
static inline int mpii_check_rank(struct mpii_comm *c, int rank, bool receive, const char *arg, const char *call)
{
    return MPT_LIKELY((unsigned)rank < (unsigned)c->nprocs) ? MPI_SUCCESS
                                                            : mpii_check_rank_slow(c, rank, receive, arg, call);
}
enum { MPII_TAG_UB = 0x3fffffff, MPII_SETUP_TAG = 0x40000000 };
int mpii_check_tag_slow(struct mpii_comm *c, int tag, bool receive, const char *call);
static inline int mpii_check_tag(struct mpii_comm *c, int tag, bool receive, const char *call)
{
    return MPT_LIKELY((unsigned)tag <= MPII_TAG_UB) ? MPI_SUCCESS : mpii_check_tag_slow(c, tag, receive, call);
}
int mpii_check_root(struct mpii_comm *c, int root,
                    const char *call); /* of an intercommunicator: MPI_ROOT, MPI_PROC_NULL too */
int mpii_check_buffer_slow(void *object, const void *buf, MPI_Count count, const struct mpii_type *t, const char *arg,
                           const char *call);
/* Not NULL unless nothing is there: MPI_BOTTOM with absolute types is fine. With valgrind or AddressSanitizer: all of
 * it is the program's. */
static inline int mpii_check_buffer(void *object, const void *buf, MPI_Count count, const struct mpii_type *t,
                                    const char *arg, const char *call)
{
    return MPT_LIKELY(buf != NULL && buf != MPI_IN_PLACE && !mpii_state.rt.guarded)
               ? MPI_SUCCESS
               : mpii_check_buffer_slow(object, buf, count, t, arg, call);
}
int mpii_check_pointer(void *object, const void *p, const char *arg, const char *call); /* MPI_ERR_ARG when NULL */

/* Counts and displacements of v-collectives and constructors: int or 64 bit, as `wide` says. */
static inline MPI_Count mpii_int_at(const void *array, MPI_Count i, int wide)
{
    return wide ? ((const MPI_Count *)array)[i] : ((const int *)array)[i];
}
/* The same for arrays of MPI_Aint (small form) or MPI_Count: both have 64 bits. */
static inline MPI_Count mpii_aint_at(const void *array, MPI_Count i)
{
    return ((const MPI_Count *)array)[i];
}
/* A result, MPI_UNDEFINED when it does not fit. */
static inline void mpii_int_out(void *to, MPI_Count value, int wide)
{
    if (wide)
        *(MPI_Count *)to = value;
    else
        *(int *)to = value > 0x7fffffff || value < -0x7fffffff - 1 ? MPI_UNDEFINED : (int)value;
}

#endif
