/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE's way into its job and out of it. Reads as the story of a start:
 * parameters, who started us, memory, globals, then the first barrier.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/foreign.h"
#include "core/internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int depth;
static pid_t owner; /* this PE's process: a forked child is no PE */

/* ---------------------------------------------------- who started us ---- */

static int refuse_foreign_launcher(void)
{
    int rank, size;
    const char *launcher = core_foreign_launcher(&rank, &size);
    if (!launcher)
        return 0;
    if (size > 0)
        core_error("this program was started by %s as process %d of %d, which cannot start PEs of this library; use: oshrun -np %d program",
                   launcher, rank, size, size);
    else
        core_error("this program was started by %s, which cannot start PEs of this library; use: oshrun -np N program", launcher);
    return -ENOTSUP;
}

/* The job is in the environment ("<version>:<fd>:<pe>"), or we make one. */
static int find_job(int npes_hint, int *fd, unsigned *idx)
{
    const char *wire = core_param_foreign(CORE_WIRE_ENV);
    unsigned version;
    if (wire) {
        if (sscanf(wire, "%u:%d:%u", &version, fd, idx) != 3 || version != CORE_WIRE_VERSION) {
            core_error("%s=%s: not understood; launcher and library must be of the same version", CORE_WIRE_ENV, wire);
            return -EPROTO;
        }
        return 0;
    }
    int rc = refuse_foreign_launcher();
    if (rc != 0)
        return rc;
    int npes = npes_hint > 0 ? npes_hint : core_params.npes > 0 ? (int)core_params.npes : 1;
    rc = core_self_start(npes, fd);
    *idx = rc < 0 ? 0 : (unsigned)rc;
    return rc < 0 ? rc : 0;
}

/* --------------------------------------------------------- our process -- */

/* A short slice makes the scheduler run a PE that was woken soon, also beside
 * processes that never wait. Needs no privilege; older kernels ignore it. */
static void ask_for_short_slice(void)
{
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attr = {0};
    if (core_params.slice_us == 0 || syscall(SYS_sched_getattr, 0, &attr, sizeof attr, 0) != 0 || attr.policy != 0)
        return;
    attr.size = sizeof attr;
    attr.runtime = core_params.slice_us * 1000ull;
    syscall(SYS_sched_setattr, 0, &attr, 0);
}

static int claim_place(void)
{
    struct core_ctrl *own = core_ctrl_of(core_seg.idx);
    pid_t nobody = 0;
    owner = getpid();
    if (!__atomic_compare_exchange_n(&own->pid, &nobody, owner, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        core_error("PE %u of this job is already process %d; this is process %d (a PE must not start another PE with its own environment)",
                   core_seg.idx, (int)nobody, (int)owner);
        return -EBUSY;
    }
    /* Programs this PE starts are no PEs of the job. */
    unsetenv(CORE_WIRE_ENV);
    return 0;
}

/* exit() before the last core_job_finish: say so, that peers need not wait. */
static void at_exit(void)
{
    if (getpid() != owner || depth == 0 || !core_seg.header)
        return;
    __atomic_store_n(&core_ctrl_of(core_seg.idx)->state, CORE_PE_LEFT, __ATOMIC_RELEASE);
    __atomic_fetch_add(&core_seg.header->left, 1, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < mpt_fast.node_n; i++)
        core_wake_idx(i);
}

static void set_up_process(void)
{
    if (core_seg.header->launcher) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing of a job outlives its launcher */
        if (core_seg.header->line_output)
            setvbuf(stdout, NULL, _IOLBF, 0);
    }
    ask_for_short_slice();
    atexit(at_exit);
}

static void tell_user(void)
{
    if (core_me() != 0)
        return;
    if (core_params.show_version)
        printf("MPT %s, OpenSHMEM 1.6\n", MPT_VERSION);
    if (core_params.show_info)
        core_param_print(stdout);
    core_debug("%d PEs, %u cores%s, symmetric heap %llu bytes at %p", core_size(), core_seg.header->ncores,
               core_oversubscribed() ? " (more PEs than cores)" : "", (unsigned long long)mpt_fast.heap_len,
               (void *)mpt_fast.heap_lo);
}

/* ----------------------------------------------------- start and finish - */

static int first_start(int npes_hint)
{
    char why[512];
    int fd = -1;
    unsigned idx = 0;
    int rc = core_param_load(why, sizeof why);
    if (rc != 0) {
        core_error("%s", why);
        return rc;
    }
    if ((rc = find_job(npes_hint, &fd, &idx)) != 0 || (rc = core_segment_map(fd, idx)) != 0 || (rc = claim_place()) != 0)
        return rc;
    core_copy_init();
    if ((rc = core_heap_init((void *)mpt_fast.heap_lo, mpt_fast.heap_len)) != 0) {
        core_error("no memory for the heap's bookkeeping");
        return rc;
    }
    if ((rc = core_globals_share()) != 0)
        return rc;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    core_wait_init();
    set_up_process();
    return 0;
}

int core_job_start(int npes_hint)
{
    pthread_mutex_lock(&lock);
    int rc = 0;
    if (depth == 0) {
        bool first = !core_seg.header;
        if (first)
            rc = first_start(npes_hint);
        if (rc == 0) {
            __atomic_store_n(&core_ctrl_of(core_seg.idx)->state, CORE_PE_RUNNING, __ATOMIC_RELEASE);
            mpt_fast.node_n = core_seg.header->npes;
            depth = 1; /* before the barrier: a PE that exits in it has left */
            core_job_barrier();
            if (first)
                tell_user();
        }
    } else
        depth++;
    pthread_mutex_unlock(&lock);
    return rc;
}

void core_job_finish(void)
{
    pthread_mutex_lock(&lock);
    if (depth == 1) {
        core_quiet();
        core_job_barrier();
        __atomic_store_n(&core_ctrl_of(core_seg.idx)->state, CORE_PE_FINISHED, __ATOMIC_RELEASE);
        mpt_fast.node_n = 0; /* inline calls now fall through to the check that no job runs */
    }
    if (depth > 0)
        depth--;
    pthread_mutex_unlock(&lock);
}

int core_job_depth(void)
{
    return depth;
}

void core_job_barrier(void)
{
    struct core_header *h = core_seg.header;
    static uint32_t round;
    round += h->npes;
    uint32_t arrived = __atomic_add_fetch(&h->started, 1, __ATOMIC_SEQ_CST);
    if (arrived == round) {
        for (unsigned i = 0; i < h->npes; i++)
            core_wake_idx(i);
        return;
    }
    struct core_waiter w;
    core_wait_begin(&w, "start or finish of the job");
    while ((int32_t)(__atomic_load_n(&h->started, __ATOMIC_ACQUIRE) - round) < 0)
        core_wait_pause(&w);
    core_wait_end(&w);
}

/* ------------------------------------------------------------- the end -- */

bool core_anyone_left(void)
{
    return __atomic_load_n(&core_seg.header->left, __ATOMIC_ACQUIRE) > 0;
}

bool core_pe_left(int pe)
{
    return core_on_node(pe) && __atomic_load_n(&core_ctrl_of(mpt_idx(pe))->state, __ATOMIC_ACQUIRE) == CORE_PE_LEFT;
}

void core_job_abort(int status)
{
    fflush(stdout);
    fflush(stderr);
    struct core_header *h = core_seg.header;
    if (h && getpid() == owner) {
        uint32_t no = 0;
        if (__atomic_compare_exchange_n(&h->aborting, &no, CORE_ABORT_CLAIMED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            h->abort_pe = core_me();
            h->abort_status = status;
            __atomic_store_n(&h->aborting, CORE_ABORT_SAID, __ATOMIC_RELEASE);
        }
        for (unsigned i = 0; i < mpt_fast.node_n; i++)
            core_wake_idx(i);
    }
    _exit(status);
}

/* How long PEs have been known to have left. A PE that dies by exit(3) is first
 * seen as having left, but its launcher has more to say: it gets this long. */
#define LEFT_GRACE_NS 300000000u

bool core_left_for_good(void)
{
    static _Thread_local uint32_t count;
    static _Thread_local struct timespec since;
    uint32_t left = __atomic_load_n(&core_seg.header->left, __ATOMIC_ACQUIRE);
    struct timespec now;
    if (left == 0)
        return false;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (left != count) {
        count = left;
        since = now;
    }
    return (now.tv_sec - since.tv_sec) * 1000000000l + (now.tv_nsec - since.tv_nsec) > LEFT_GRACE_NS;
}

static void name_the_left(char *names, size_t n)
{
    size_t at = 0;
    for (int pe = 0; pe < core_size() && at + 24 < n; pe++)
        if (core_pe_left(pe))
            at += (size_t)snprintf(names + at, n - at, "%sPE %d", at ? ", " : "", pe);
}

void core_job_check(const char *where)
{
    struct core_header *h = core_seg.header;
    char names[256] = "";
    if (!h || mpt_fast.node_n == 0)
        return;
    if (__atomic_load_n(&h->aborting, __ATOMIC_ACQUIRE) == CORE_ABORT_SAID)
        _exit(h->abort_status); /* the PE that aborted has said why */
    if (__atomic_load_n(&h->left, __ATOMIC_ACQUIRE) < h->npes - 1 || h->npes == 1 || !core_left_for_good())
        return;
    name_the_left(names, sizeof names);
    core_fatal("waits in %s, but all other PEs have exited without shmem_finalize (%s)", where ? where : "a call", names);
}
