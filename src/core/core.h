/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The face of core: everything the layers above may call, in reading order.
 * Functions return 0 or a negative errno unless said otherwise; only the faces
 * above (shmem, mpi, ...) turn that into their standard's way of failing.
 */
#ifndef CORE_CORE_H
#define CORE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/empty.h"
#include "core/base/error.h"
#include "core/base/param.h"
#include "core/base/thread.h"
#include "core/channel/push.h"
#include "core/job/asked.h"
#include "core/wait/look.h"
#include "mpt/fast.h"

/* ------------------------------------------------------------------ job --
 * Starts are counted: every face (and every shmem_init) may start the job, the
 * last finish ends it. Memory stays mapped until the process exits, so a peer
 * that is slower may still read it, and a new start may follow. */

/* Join the job the launcher made, or start one: of $NPES PEs, else of
 * `npes_hint` PEs (0: one). With more than one PE and no launcher, this process
 * forks the PEs, supervises them and never returns; the PEs return from here.
 * Collective; when it returns every PE's memory may be accessed. On error a
 * message has been printed. */
int core_job_start(int npes_hint);

/* Was this process started as a PE, or with NPES? Then core_job_start makes it one. */
bool core_job_launched(void);

/* What a process finds in its environment that is to enter an open job (below):
 * "<version>:<descriptor>:<slot>". */
extern const char core_job_env_open[];
bool core_job_env_read(const char *text, int *fd, int *slot);
void core_job_env_write(char *text /* "NAME=..." */, size_t n, int fd, int slot);

/* Leave the job. Collective on the last call: returns when all PEs have
 * finished and all their stores are done. */
void core_job_finish(void);

/* The same for this process only, whenever it likes: messages wait for others until they
 * start, but their symmetric memory may be accessed after core_job_start only. Both kinds
 * are counted and may mix. With a network, or PMIx, a process's first start of either kind
 * waits for all others'; with a network, who finished alone serves the others at its exit. */
int core_job_start_alone(void);
void core_job_finish_alone(void);

/* How many more collective starts than finishes; and is there a start of either kind? */
int core_job_depth(void);
bool core_job_running(void);
void core_job_tell_leaving(void); /* this process ends, and will wait for all others: should they wait, too, all is in vain */

/* End the job now, all PEs, with this exit status. Any PE, any thread. */
void core_job_abort(int status) __attribute__((noreturn));

/* To be called before the message when all PEs of a node notice the same: returns in the first; the others end with it, silently. */
void core_job_be_first(void);

/* All PEs arrive before one leaves; orders memory. For start, finish and tests; programs' barriers are coll's. */
void core_job_barrier(void);
void core_job_barrier_while(void (*step)(void)); /* which is called now and then until all have arrived */

static inline int core_me(void) { return mpt_fast.me; }
static inline int core_size(void) { return mpt_fast.npes; }

/* PEs whose memory this PE loads and stores: those of its node, or only itself
 * when MPT_TRANSPORT=ofi. Their PE numbers need not follow one another; the
 * i-th of them, in rising order, is core_node_pe(i). */
unsigned core_node_size(void);
int core_node_pe(unsigned i);
bool core_on_node_slow(int pe);
static inline bool core_on_node(int pe)
{
    return MPT_LIKELY(mpt_idx(pe) < mpt_fast.node_n) || core_on_node_slow(pe);
}

/* Lowest PE of those that share memory with `pe`: equal for all PEs of one node. */
int core_node_of(int pe);

int core_leash_fd(void); /* ends with this job's launcher; -1: nothing does */

/* A number of this job, equal on all its PEs and (but for chance) no other job's. */
uint64_t core_job_id(void);
uint64_t core_job_token(uint64_t of); /* equal on all its PEs; nobody else can guess it */

/* Name of the host PE `pe` runs on. */
const char *core_host(int pe);

unsigned core_cores(void);      /* that the PEs of this node may use */
bool core_oversubscribed(void); /* by more PEs than these */

/* Has anybody / PE `pe` exited without finishing? A PE's last stores are visible to who has seen that it left. */
bool core_anyone_left(void);
bool core_left_for_good(void); /* and it is some time ago: who exits with an error is the launcher's to report */
bool core_pe_left(int pe);

/* ------------------------------------------------------------ open jobs --
 * A job on this node that processes enter and leave (open.c): its PEs are slots, of
 * which each serves one process at a time. There are the channel, the arena, the face area
 * and the waits; no symmetric memory and no collective call: core_job_start fails.
 * core_size() is the number of slots. */

/* Make one of at most `slots` slots (fewer where address space is limited) and stand in slot 0. */
int core_job_open(unsigned slots);
/* Enter the job whose memory `fd` is: at a slot that was reserved, or -1: at the next
 * one. Also for who has parted from the job, and for a child that such a process has
 * forked: `fd` is then core_job_fd(). -EBUSY, silently: somebody stands in that slot;
 * -ENOSPC, silently: all slots are used up. Others after a message. */
int core_job_enter(int fd, int slot);
int core_job_fd(void);        /* -1: in no open job. Closed in programs that are started */
bool core_job_is_in(void);    /* entered, by this very process, and not parted */
int core_job_reserve(void);   /* a slot for a process that will enter; -ENOSPC */
/* That process is `pid`, or a child of it: if `pid` ends before anybody has come, the slot is gone. */
void core_job_expect(int slot, int pid, uint64_t born);
unsigned core_job_high(void); /* slots given away so far are below */
/* Leave. Messages sent stay good, and so does the arena unless nothing of it is in use
 * by others (`clean`), when its pages go back to the system. */
void core_job_part(bool clean);
/* Has who stood in this slot parted or died? False while nobody has come. What is
 * sent to such a slot is lost; a full ring to it is -EPIPE. */
bool core_job_gone(int slot);

/* Slots of processes that have gone serve again, as soon as every process has been in core_progress since; `again` is called
 * for each. Returns their number. One caller at a time; repeat it, with core_progress. `worn`: so many may be such slots. */
int core_job_recycle(void (*again)(int slot));
unsigned core_job_worn(void);
/* Called in core_progress, when all that who stood in a slot has sent is handled: afterwards nothing of its memory may be
 * used, and nothing sent there, until somebody else stands in it. */
void core_job_on_retired(void (*forget)(int slot));

/* A process by its number and start time (clock ticks since boot; 0: not known).
 * Zombies are not alive. */
uint64_t core_process_born(int pid);
bool core_process_alive(int pid, uint64_t born);

/* -------------------------------------------------------------- segment --
 * What every PE can address: the symmetric heap, the executable's globals, and
 * the collective area (one block per PE, same layout, for coll only). */

/* Does [p, p+n) lie whole in one of this PE's symmetric parts? */
static inline bool core_segment_holds(const void *p, size_t n)
{
    uintptr_t a = (uintptr_t)p;
    size_t h = a - mpt_fast.heap_lo, d = a - mpt_fast.data_lo;
    return (h < mpt_fast.heap_len && n <= mpt_fast.heap_len - h) ||
           (d < mpt_fast.data_len && n <= mpt_fast.data_len - d);
}

/* The address by which this process reaches `p` of PE `pe` with loads and
 * stores; NULL when p is not symmetric or pe is not on this node. */
void *core_addr_slow(int pe, const void *p);
static inline void *core_addr(int pe, const void *p)
{
    unsigned i = mpt_idx(pe);
    return MPT_LIKELY(i < mpt_fast.node_n) ? mpt_addr(p, i) : core_addr_slow(pe, p);
}

/* Collective area of this PE, *size bytes (may be NULL), zeroed at start; and
 * the address of a place in it at PE `pe` of this node. On the network its
 * addresses serve as symmetric ones do. */
void *core_coll_area(size_t *size);
void *core_coll_at(int pe, const void *own);
/* The same for the tables of PVM, which lie at one PE. */
void *core_face_area(size_t *size);

/* ----------------------------------------------------------------- heap --
 * The symmetric heap's allocator. Every PE runs the same one on its own
 * bookkeeping, in private memory: the same calls in the same order give the same
 * offsets everywhere. None communicates; faces add the barriers. Thread safe. */
void *core_heap_alloc(size_t n, size_t align); /* align: power of two up to core_heap_alignment, 0 = 64; NULL when full */
void *core_heap_resize(void *p, size_t n);     /* may move; copies min(old, n) bytes; NULL when full (p stays) */
int core_heap_free(void *p);                   /* -EINVAL: not the start of a block in use */
size_t core_heap_size_of(const void *p);       /* bytes of the block starting at p, 0 if none */
size_t core_heap_alignment(size_t n);          /* the largest that a heap of n bytes grants, on every PE */
bool core_heap_holds(const void *p);           /* does p lie in a block in use? Slow */
void core_heap_stat(size_t *used, size_t *largest_free, size_t *total);
int core_heap_init(void *base, size_t n);      /* manage [base, base+n) */

/* ---------------------------------------------------------------- arena --
 * Private memory of this PE that peers of its node can load and store: nothing in
 * it is symmetric, a place in it is known by its offset. Thread safe. Fresh memory
 * is not zero in general. Stores there are announced and waited for as those to
 * symmetric memory are (core_changed, core_wait_begin_for). */
void *core_arena_alloc(size_t n, size_t align); /* align: power of two, 0 = 64; NULL when n is 0 or there is no room */
void core_arena_free(void *p);                  /* NULL is fine; the end of the job when p is no block in use */
bool core_arena_holds(const void *p, size_t n); /* does [p, p+n) lie whole in this PE's arena? */
size_t core_arena_size_of(const void *p);       /* bytes of the block in use that starts at p, 0 if none */
uint64_t core_arena_offset(const void *p);      /* of a place in this PE's arena */
void *core_arena_at(int pe, uint64_t offset);   /* NULL: pe is not on this node */

/* Large blocks of the program's malloc, from the arena (malloc.c). The struct is an
 * exported symbol of libmpt: a library that has the names malloc, free, ... adds
 * itself to `fronts` before the job starts and calls what is here. */
struct core_malloc_front {
    const char *name; /* NULL: the end */
    void *function;
};
struct core_malloc {
    size_t min;   /* SIZE_MAX: nothing is asked for yet; else blocks of this size or more may be */
    uintptr_t lo; /* [lo, lo + n): what must be released and resized here, once something came from here */
    size_t n;
    void *(*alloc)(size_t n, size_t align); /* NULL: take it from elsewhere */
    void *(*alloc_zero)(size_t n);
    void (*release)(void *p);
    bool (*resize)(void *p, size_t n); /* where it lies; false: it has no room */
    size_t (*size)(const void *p);
    const struct core_malloc_front *fronts[4]; /* the last is NULL */
};
extern struct core_malloc mpt_malloc __attribute__((visibility("default")));
/* From now on, where that is wanted and every name is the process's own. Harmless when repeated. */
void core_malloc_start(void);
/* The same for blocks of a page and more, whatever the parameters say. */
void core_malloc_start_all(void);

/* Any memory of this PE that peers of its node reach, symmetric or of the arena, as
 * a number they can turn into an address. False: it is private. */
bool core_place_of(const void *p, size_t n, uint64_t *place);
void *core_place_at(int pe, uint64_t place); /* NULL: pe is not on this node */

/* ---------------------------------------------------------------- reach --
 * Private memory of another PE of this node, by system calls, where the kernel
 * allows them. A PE tells its peers its key, by which they find out. */
struct iovec; /* <sys/uio.h> */
uint64_t core_reach_key(void); /* 0: never (MPT_FAR=pull) */
bool core_reach_may(int pe, uint64_t key);
/* Blocks at addresses of PE `pe`, which core_reach_may has allowed, from and to the
 * memory at `here`. False: not all of it is memory of its. `there` is used up. */
bool core_reach_readv(int pe, void *here, struct iovec *there, unsigned n);
bool core_reach_writev(int pe, struct iovec *there, unsigned n, const void *here);
bool core_reach_read(int pe, void *here, uint64_t there, size_t n);

/* ----------------------------------------------------------------- copy --
 * The one way to move memory. Regions must not overlap. Chooses among inline
 * moves, the C library and non-temporal stores by size; all its stores are
 * ordered before the caller's next store (a non-temporal copy ends by a fence).
 * The last 64 bytes are stored after all others, and once. */
void core_copy_init(void);
void core_copy_large(void *to, const void *from, size_t n); /* n > 64 */
typedef uint64_t core_word __attribute__((may_alias, aligned(1)));
static inline void core_copy(void *to, const void *from, size_t n)
{
    unsigned char *d = (unsigned char *)to;
    const unsigned char *s = (const unsigned char *)from;
    if (n > 64) {
        core_copy_large(to, from, n);
        return;
    }
    /* Every byte is stored once: a peer that has seen a word may have written
     * it anew. */
    for (; n >= 8; n -= 8, d += 8, s += 8)
        *(volatile core_word *)d = *(const core_word *)s; /* volatile: no call of memcpy */
    if (n & 4) {
        __builtin_memcpy(d, s, 4);
        d += 4, s += 4;
    }
    if (n & 2) {
        __builtin_memcpy(d, s, 2);
        d += 2, s += 2;
    }
    if (n & 1)
        *d = *s;
}
/* The same, one of several copies of `all` bytes together, that one after the other use the caches. */
void core_copy_part(void *to, const void *from, size_t n, size_t all);
/* `nblocks` blocks of `bytes` bytes; strides in bytes from block to block, any sign. */
void core_copy_strided(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride,
                       size_t bytes, size_t nblocks);

/* ----------------------------------------------------------------- swap --
 * Copies into the other byte order: n items of `width` (2, 4 or 8) bytes, the bytes
 * of each reversed. Regions must not overlap; strides in bytes from item to item. */
void core_swap(void *to, const void *from, size_t width, size_t n);
void core_swap_strided(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride, size_t width, size_t n);

/* ------------------------------------------------------------ transport --
 * Remote memory access to PE `pe`: `remote` is a symmetric address of this
 * process (or one in its collective area). The caller has checked pe and the
 * remote range. On this node it is a load, a store or an instruction, complete
 * at once; elsewhere the network transport's ops serve it (core/rma/transport.h).
 *
 * A flow is what one context has under way on the network: fence and quiet are
 * of a flow. Zero is an idle one; it must not move while it is in use. Threads
 * may share a flow. */
struct core_flow {
    uint64_t begun, done; /* operations; done by whoever makes progress */
    void *dirty;          /* the transport's: whom to ask at the next quiet */
    uint64_t pulls;       /* fetches by messages (pull.c) under way */
};
extern struct core_flow core_flow_default;

/* On return the source may be changed; or the data is there. */
void core_put(struct core_flow *f, int pe, void *remote, const void *local, size_t n);
void core_get(struct core_flow *f, int pe, void *local, const void *remote, size_t n);
/* The buffer is the operation's until the flow is idle (core_quiet, core_flow_idle). */
void core_put_nbi(struct core_flow *f, int pe, void *remote, const void *local, size_t n);
void core_get_nbi(struct core_flow *f, int pe, void *local, const void *remote, size_t n);

/* nblocks blocks of `bytes` bytes; strides in bytes from block to block, any sign. */
struct core_strides {
    ptrdiff_t remote, local;
    size_t bytes, nblocks;
};
void core_put_strided(struct core_flow *f, int pe, void *remote, const void *local, struct core_strides s);
void core_get_strided(struct core_flow *f, int pe, void *local, const void *remote, struct core_strides s);

/* Atomic operations on an aligned object of `width` (4 or 8) bytes, atomic with
 * all others on it and with this node's instructions. Operands and result are
 * bit patterns in the low bytes of a word. Orderings: acquire and release. */
enum core_amo_op { CORE_AMO_SET, CORE_AMO_FETCH, CORE_AMO_SWAP, CORE_AMO_CSWAP, CORE_AMO_ADD, CORE_AMO_AND,
                   CORE_AMO_OR, CORE_AMO_XOR, CORE_AMO_OPS };
struct core_amo {
    enum core_amo_op op;
    unsigned width;
    uint64_t value, cond; /* cond: of CSWAP */
};
/* The old value (of SET: unspecified); done at the target on return. */
uint64_t core_amo(struct core_flow *f, int pe, void *remote, struct core_amo a);
/* Old value to *fetch (width bytes) by the time the flow is idle; NULL: not wanted. */
void core_amo_nbi(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch);
/* The same for programs, which change an object by these calls only, on all PEs,
 * their own included: carried out by the network's adapters where
 * core_atomics_native says so (every PE is alone on its node then), and not atomic
 * with core_amo, signals or instructions. Elsewhere they are core_amo. */
extern bool core_atomics_native;
uint64_t core_atomic(struct core_flow *f, int pe, void *remote, struct core_amo a);
void core_atomic_nbi(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch);
/* On an object this process can reach by instructions (also the target's side). */
uint64_t core_amo_here(void *object, struct core_amo a);

/* Put n bytes and then, visible only after them, SET or ADD the 8-byte signal.
 * The source may be changed on return. Here, and in core_amo_nbi without fetch,
 * f may be NULL when nobody will ask whether the operation is done: the target
 * tells by what it does next. */
void core_put_signal(struct core_flow *f, int pe, void *remote, const void *local, size_t n, uint64_t *signal,
                     enum core_amo_op op, uint64_t value);

void core_fence_net(struct core_flow *f);
void core_quiet_net(struct core_flow *f);
extern bool core_net_on; /* some PEs are reached by a network */
extern bool core_net_silent; /* it changes this PE's memory without a sign: who waits for that sleeps shortly */

/* Order this PE's earlier puts and atomics of the flow before its later ones (to
 * each PE). On one node x86 stores are already in order: only the compiler must
 * be held. */
static inline void core_fence(struct core_flow *f)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (MPT_UNLIKELY(core_net_on))
        core_fence_net(f);
}

/* All operations of the flow are done, their stores visible everywhere, and
 * later loads see what others published before: the full fence keeps a later get
 * from passing a put that still sits in the store buffer. */
static inline void core_quiet(struct core_flow *f)
{
    core_fence_full();
    if (MPT_UNLIKELY(core_net_on))
        core_quiet_net(f);
}
/* Of every flow of this PE (barriers). */
void core_quiet_all(void);

/* One step towards an idle flow, without blocking: starts whatever is needed to
 * know that the flow's operations are done; true when they are. For resumable
 * steps: poll it between core_progress() calls. */
bool core_flow_idle(struct core_flow *f);
/* The flow will be used no more (waits until idle, gives back its memory). */
void core_flow_finish(struct core_flow *f);

/* ----------------------------------------------------------------- wait --
 * The only place where a PE blocks. Use:
 *
 *     struct core_waiter w;
 *     core_wait_begin_for(&w, "shmem_wait_until", ivar, sizeof *ivar);
 *     while (!condition)          // re-read the memory each time (acquire)
 *         core_wait_pause(&w);
 *     core_wait_end(&w);
 *
 * The condition must become true by a store of another PE or another thread to the memory named (every store
 * notifies, see mpt_notify), by something whose maker calls core_wake, or be found by core_progress(). Pause spins, then yields, then
 * sleeps; it returns at least every 20 milliseconds, where many PEs share a core four times a
 * second (who has less time lowers `sleep_ns`). It ends the job with a message when nobody is left to end the wait. */
struct core_waiter {
    uint32_t spins;    /* pauses so far */
    uint32_t phase;    /* see wait.c */
    uint32_t rung;     /* bell's value when sleep was announced */
    uint32_t yields;   /* of a sleeper: its longest sleeps */
    uint64_t sleep_ns; /* next time limit of a sleep; grows */
    uint64_t spin_end; /* time stamp */
    bool waited_long;  /* about half a second or more */
    uint32_t began_us; /* when spinning began, modulo 2^32 us */
    const char *where;
    const void *watch; /* symmetric memory whose change ends the wait, watch_n bytes; 0: none */
    size_t watch_n;
};

extern bool core_progress_due_; /* by the two functions below */
/* Somebody must be polled while waiting. Threads that wait may ask while another one begins to say so. */
static inline bool core_progress_due(void) { return __atomic_load_n(&core_progress_due_, __ATOMIC_RELAXED); }
static inline void core_progress_needed(void) { __atomic_store_n(&core_progress_due_, true, __ATOMIC_RELAXED); }

void core_wait_slow(struct core_waiter *w);
void core_wait_end_slow(struct core_waiter *w);

/* The wait of a thing that its maker announces by core_wake. */
static inline void core_wait_begin(struct core_waiter *w, const char *where)
{
    core_acted();
    w->watch_n = 0;
    w->spins = 0;
    w->phase = 0;
    w->waited_long = false;
    w->where = where;
}

/* The wait for a change of the n bytes at p of this PE's heap, globals or arena. */
static inline void core_wait_begin_for(struct core_waiter *w, const char *where, const void *p, size_t n)
{
    core_wait_begin(w, where);
    w->watch = p;
    w->watch_n = n;
}

static inline void core_wait_pause(struct core_waiter *w)
{
    if (MPT_LIKELY(w->spins < core_wait_tight) && !core_progress_due())
        w->spins++;
    else
        core_wait_slow(w);
}

static inline void core_wait_end(struct core_waiter *w)
{
    if (MPT_UNLIKELY(w->phase))
        core_wait_end_slow(w);
}

bool core_wait_spins(const struct core_waiter *w);  /* the next pause neither yields nor sleeps */
bool core_wait_sleeps(const struct core_waiter *w); /* it sleeps */

/* Wait until *word, compared as signed, satisfies cmp (enum core_cmp) with value. */
enum core_cmp { CORE_EQ, CORE_NE, CORE_GT, CORE_GE, CORE_LT, CORE_LE };
void core_wait_word(const uint64_t *word, enum core_cmp cmp, uint64_t value, const char *where);

/* Sleeps end also when descriptor `fd` has something to read (an epoll descriptor,
 * say): whoever added it looks at it at each pause. -1: no longer. One per process;
 * 0 or a negative errno after a message. */
int core_wait_also(int fd);

/* The program is going to wait by poll(2) or the like: the descriptors that become readable
 * when something comes, one or two, or a negative errno after a message. Each time it finds
 * nothing more, and after each wait of this PE, this is said again, then core_progress(). */
int core_wait_outside(int fds[2]);

/* Wake PE `pe` of this node if it sleeps, whatever for. */
void core_wake_slow(int pe);
static inline void core_wake(int pe)
{
    unsigned idx = mpt_idx(pe);
    __asm__ volatile("" : : : "memory"); /* as in mpt_notify */
    if (MPT_UNLIKELY(idx >= mpt_fast.node_n))
        core_wake_slow(pe);
    else if (MPT_UNLIKELY(__atomic_load_n(&mpt_bell_of(idx)->sleeping, __ATOMIC_RELAXED) != MPT_AWAKE))
        mpt_ring(idx);
}

/* The n bytes at `at`, memory of PE `pe` of this node as this process sees it,
 * were changed: wake the PE if it waits for that. */
void core_changed_slow(int pe, const void *at, size_t n);
static inline void core_changed(int pe, const void *at, size_t n)
{
    unsigned idx = mpt_idx(pe);
    if (MPT_LIKELY(idx < mpt_fast.node_n))
        mpt_notify(idx, at, n);
    else
        core_changed_slow(pe, at, n);
}

/* PE `pe`'s memory was written here and there: wake it if it waits for memory.
 * (Not core_wake: who waits for something else would be rung at every call.) */
static inline void core_changed_scattered(int pe)
{
    unsigned idx = mpt_idx(pe);
    if (MPT_LIKELY(idx < mpt_fast.node_n))
        mpt_notify(idx, mpt_bell_of(idx), mpt_fast.stride);
    else
        core_wake_slow(pe);
}

/* -------------------------------------------------------------- channel --
 * Messages between PEs of the job, wherever they are: handlers run inside
 * core_progress() of the receiver. Messages of one sender to one receiver arrive
 * in order. A small body travels with its message; a large one stays where it is,
 * and the receiver copies it once, when it knows where to:
 *
 *     sender                                receiver
 *     core_send_far(pe, id, head, body, s)  handler(mail): mail->body NULL: keep mail->far
 *     ... body unchanged ...                core_fetch(flow, to, &far, offset, n), any pieces, any time
 *     core_sending_done(s) false            flow idle: all is there
 *                         true              core_fetch_end(&far): once, also when nothing is wanted
 */
enum { CORE_CHANNEL_MAX = 16, CORE_SEND_MAX = 1024 };

/* A body that is still at its sender. Plain data: may be copied and kept. */
struct core_far {
    int pe;         /* where it is */
    uint32_t token; /* the sender's: which sending */
    uint64_t addr, key, n;
};

struct core_mail {
    int from;
    const void *head; /* aligned to 8 bytes, as is body */
    size_t head_n;
    const void *body; /* NULL and n > 0: fetch it from `far` */
    size_t n;
    struct core_far far;
};

/* What `mail` points to is valid only during the call. A handler may send, but
 * must not wait. */
typedef void core_handler(const struct core_mail *mail);

/* Same id on every PE. What came for it earlier was kept and is handled first, before
 * the call returns (of one thread). -EBUSY if taken. */
int core_channel_open(unsigned id, core_handler *handler);

/* head_n <= CORE_SEND_MAX, head_n + n <= core_send_most(pe). Waits, making progress, while the receiver takes
 * no more. -EINVAL on a bad pe, id or size; -EPIPE: in an open job, it is gone. */
int core_send(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n);

/* What head and body may have together to this PE: CORE_SEND_MAX, over a network more (CORE_SEND_FAR_MAX at most). */
enum { CORE_SEND_FAR_MAX = 8192 + 64 };
size_t core_send_most(int pe);

/* As core_send, but -EAGAIN instead of waiting. */
int core_send_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n);

/* A body of any size (head_n <= CORE_SEND_MAX - sizeof(struct core_far)): it must
 * not change until core_sending_done(s), which a small one is at once. */
struct core_sending {
    uint32_t state; /* the engine's */
    uint32_t token;
    void *pin; /* what the transport registered */
    void (*ended)(struct core_sending *s); /* NULL, or called when a body that was out is done */
};
int core_send_far(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                  struct core_sending *s);
/* As core_send_far, but -EAGAIN instead of waiting. `ended` (or NULL) is called when
 * the body may change, unless that is so on return; by any thread, inside
 * core_progress or the fetch of a body of this PE's own; it must not wait. */
int core_send_far_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                      struct core_sending *s, void (*ended)(struct core_sending *s));
static inline bool core_sending_done(const struct core_sending *s)
{
    return __atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == 0;
}

bool core_far_loads(int pe, const void *body, size_t n); /* would a body there be one that `pe` can load? */

/* Copy bytes [offset, offset + n) of a far body to `to`: done when the flow is
 * idle (core_flow_idle, core_flow_finish). When the body lies in memory that no transport can read, pieces of it
 * come by messages; the caller sees no difference. */
void core_fetch(struct core_flow *f, void *to, const struct core_far *far, size_t offset, size_t n);
/* No more of it is wanted and all fetches of it are done: the sender may go on. */
void core_fetch_end(const struct core_far *far);
bool core_fetch_end_try(const struct core_far *far); /* false: not said yet, as that would wait */
/* Where this process can load the body, until core_fetch_end; NULL: only core_fetch brings it. */
const void *core_far_here(const struct core_far *far);

/* ------------------------------------------------------------- progress --
 * Run the handlers of what has arrived. Called by every wait. Returns the number of messages handled. */
int core_progress(void);

/* To be said by calls that programs repeat until a value changes (gets, atomics): a PE that polls its own node's
 * memory must serve other nodes meanwhile; one may change the value. Every so often it makes progress. */
void core_polled_net(void);
static inline void core_polled(void)
{
    core_acted();
    if (MPT_UNLIKELY(core_net_on))
        core_polled_net();
}

/* ------------------------------------------------------------- topology -- */
/* Cores this process may use: affinity mask and CPU quota considered. */
unsigned core_topology_cores(void);

/* Distance between the cores of two PEs of this node: 0 same core, 1 shared cache, 2 same NUMA node, 3 further; -1 unknown. */
int core_topology_distance(int pe_a, int pe_b);

#endif
