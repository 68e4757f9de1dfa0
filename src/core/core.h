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

#include "core/error.h"
#include "core/param.h"
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

/* Leave the job. Collective on the last call: returns when all PEs have
 * finished and all their stores are done. */
void core_job_finish(void);

/* How many more starts than finishes. */
int core_job_depth(void);

/* End the job now, all PEs, with this exit status. Any PE, any thread. */
void core_job_abort(int status) __attribute__((noreturn));

/* All PEs arrive before one leaves; orders memory. For start, finish and tests;
 * programs' barriers are coll's. */
void core_job_barrier(void);

static inline int core_me(void) { return mpt_fast.me; }
static inline int core_size(void) { return mpt_fast.npes; }
static inline int core_node_size(void) { return (int)mpt_fast.node_n; }
static inline bool core_on_node(int pe) { return mpt_idx(pe) < mpt_fast.node_n; }

/* More PEs on this node than cores they may use. */
bool core_oversubscribed(void);

/* Has anybody / PE `pe` exited without finishing? Who waits for such a PE waits
 * for ever. A PE's last stores are visible to who has seen that it left. */
bool core_anyone_left(void);
bool core_left_for_good(void); /* and it is some time ago: who exits with an error is the launcher's to report */
bool core_pe_left(int pe);

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
 * stores; NULL when p is not symmetric or pe is on another node. */
static inline void *core_addr(int pe, const void *p)
{
    unsigned i = mpt_idx(pe);
    return i < mpt_fast.node_n ? mpt_addr(p, i) : NULL;
}

/* Collective area of PE `pe` on this node, *size bytes (may be NULL), zeroed at start. */
void *core_coll_area(int pe, size_t *size);

/* ----------------------------------------------------------------- heap --
 * The symmetric heap's allocator. Every PE runs the same one on its own
 * bookkeeping, which lies in private memory: the same calls in the same order
 * give the same offsets everywhere. No call communicates; the faces add the
 * barriers. Thread safe. */
void *core_heap_alloc(size_t n, size_t align); /* align: power of two, 0 = 16; NULL when full */
void *core_heap_resize(void *p, size_t n);     /* may move; copies min(old, n) bytes; NULL when full (p stays) */
int core_heap_free(void *p);                   /* -EINVAL: not the start of a block in use */
size_t core_heap_size_of(const void *p);       /* bytes of the block starting at p, 0 if none */
void core_heap_stat(size_t *used, size_t *largest_free, size_t *total);
/* Called by segment: manage [base, base+n). */
int core_heap_init(void *base, size_t n);

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
/* `nblocks` blocks of `bytes` bytes; strides in bytes from block to block, any sign. */
void core_copy_strided(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride,
                       size_t bytes, size_t nblocks);

/* ------------------------------------------------------------ transport --
 * Remote memory access to PE `pe`: `remote` is a symmetric address of this
 * process. The caller has checked pe and the remote range. On this node it is
 * a copy; elsewhere the network transport's ops serve it (core/transport.h). */
void core_put(int pe, void *remote, const void *local, size_t n);
void core_get(int pe, void *local, const void *remote, size_t n);

/* Order this PE's earlier puts before its later puts (to each PE). On one node
 * x86 stores are already in order: only the compiler must be held. */
static inline void core_fence(void)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

/* All this PE's puts are visible everywhere, and later loads see what others
 * published before: the full fence keeps a later get from passing a put that
 * still sits in the store buffer. */
static inline void core_quiet(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* ----------------------------------------------------------------- wait --
 * The only place where a PE blocks. Use:
 *
 *     struct core_waiter w;
 *     core_wait_begin_for(&w, "shmem_wait_until", ivar, sizeof *ivar);
 *     while (!condition)          // re-read the memory each time (acquire)
 *         core_wait_pause(&w);
 *     core_wait_end(&w);
 *
 * The condition must become true by a store of another PE or another thread to
 * the memory named (every store notifies, see mpt_notify), by something whose
 * maker calls core_wake, or be found by core_progress(). Pause spins, then yields, then
 * sleeps; it returns at least every few milliseconds. It ends the job with a
 * message when the PEs that could make the wait end have left. */
struct core_waiter {
    uint32_t spins;    /* pauses so far */
    uint32_t phase;    /* see wait.c */
    uint32_t rung;     /* bell's value when sleep was announced */
    uint32_t yields;
    uint64_t sleep_ns; /* next time limit of a sleep; grows */
    uint64_t spin_end; /* time stamp */
    bool waited_long;  /* about half a second or more */
    const char *where;
    const void *watch; /* symmetric memory whose change ends the wait, watch_n bytes; 0: none */
    size_t watch_n;
};

extern unsigned core_wait_tight; /* pauses without any delay; 0 when oversubscribed */
extern bool core_progress_due;   /* somebody must be polled while waiting */

void core_wait_slow(struct core_waiter *w);
void core_wait_end_slow(struct core_waiter *w);

/* The wait of a thing that its maker announces by core_wake. */
static inline void core_wait_begin(struct core_waiter *w, const char *where)
{
    w->watch_n = 0;
    w->spins = 0;
    w->phase = 0;
    w->waited_long = false;
    w->where = where;
}

/* The wait for a change of the n bytes of symmetric memory at p. */
static inline void core_wait_begin_for(struct core_waiter *w, const char *where, const void *p, size_t n)
{
    core_wait_begin(w, where);
    w->watch = p;
    w->watch_n = n;
}

static inline void core_wait_pause(struct core_waiter *w)
{
    if (MPT_LIKELY(w->spins < core_wait_tight) && !core_progress_due)
        w->spins++;
    else
        core_wait_slow(w);
}

static inline void core_wait_end(struct core_waiter *w)
{
    if (MPT_UNLIKELY(w->phase))
        core_wait_end_slow(w);
}

/* Wait until *word, compared as signed, satisfies cmp (enum core_cmp) with value. */
enum core_cmp { CORE_EQ, CORE_NE, CORE_GT, CORE_GE, CORE_LT, CORE_LE };
void core_wait_word(const uint64_t *word, enum core_cmp cmp, uint64_t value, const char *where);

/* A call that only tests found nothing: after some in a row make progress and,
 * when PEs outnumber cores, yield. `streak` is the caller's thread-local count;
 * set it to 0 on success. */
void core_test_failed(unsigned *streak);

/* Wake PE `pe` of this node (or node PE idx) if it sleeps, whatever for. */
static inline void core_wake_idx(unsigned idx)
{
    __asm__ volatile("" : : : "memory"); /* as in mpt_notify */
    if (MPT_UNLIKELY(__atomic_load_n(&mpt_bell_of(idx)->sleeping, __ATOMIC_RELAXED) != MPT_AWAKE))
        mpt_ring(idx);
}
static inline void core_wake(int pe)
{
    core_wake_idx(mpt_idx(pe));
}

/* PE `pe`'s memory was written here and there: wake it if it waits for memory. */
static inline void core_wake_scattered(int pe)
{
    mpt_notify(mpt_idx(pe), mpt_bell_of(mpt_idx(pe)), mpt_fast.stride);
}

/* -------------------------------------------------------------- channel --
 * Short messages between PEs: handlers run inside core_progress() of the
 * receiver. Messages of one sender to one receiver arrive in order. */
enum { CORE_CHANNEL_MAX = 16, CORE_SEND_MAX = 1024 };

/* `head` has head_n bytes, `body` n bytes; both valid only during the call.
 * A handler may send, but must not wait. */
typedef void core_handler(int from, const void *head, size_t head_n, const void *body, size_t n);

/* Same id on every PE, before the first message to it is handled. -EBUSY if taken. */
int core_channel_open(unsigned id, core_handler *handler);

/* head_n + n <= CORE_SEND_MAX. Waits, making progress, while the receiver's
 * ring is full. -EINVAL on a bad pe, id or size. */
int core_send(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n);

/* As core_send, but -EAGAIN instead of waiting. */
int core_send_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n);

/* ------------------------------------------------------------- progress --
 * Run the handlers of what has arrived. Called by every wait. Returns the
 * number of messages handled. */
int core_progress(void);

/* ------------------------------------------------------------- topology -- */
/* Cores this process may use: affinity mask and CPU quota considered. */
unsigned core_topology_cores(void);

/* Distance between the cores of two PEs of this node: 0 same core, 1 shared
 * cache, 2 same NUMA node, 3 further; -1 unknown (not bound, or no hwloc). */
int core_topology_distance(int pe_a, int pe_b);

#endif
