/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE's way into its job and out of it. Reads as the story of a start:
 * parameters, what started us, memory, globals, the network where there is one;
 * then, of the faces that start together, the first barrier.
 */
#include <errno.h>
#include <fcntl.h>
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

#include "core/adversary/adversary.h"
#include "core/internal.h"
#include "core/job/clocks.h"
#include "core/job/foreign.h"
#include "core/live/crash.h"
#include "core/live/leash.h"
#include "core/rma/late.h"
#include "core/rma/transport.h"
#include "core/task/task.h"
#include "mpt/version.h"

static struct core_job_state *const job = &core_state.job;

/* --------------------------------------------------------- our process -- */

/* A short time slice makes the scheduler run a PE that was woken soon, also beside
 * processes that never wait. Needs no privilege; older kernels ignore it. */
void core_ask_for_short_time_slice(void)
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

/* A program may compute for long before it starts a face. */
__attribute__((constructor)) static void hold_early(void)
{
    if (!core_task_on() || core_task_bit() == 0)
        core_leash_hold_early();
}

static int claim_slice(void)
{
    struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    pid_t nobody = 0;
    job->owner = getpid();
    if (!__atomic_compare_exchange_n(&own->pid, &nobody, job->owner, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        core_error("PE %u of this job is already process %d; this is process %d (a PE must not start another PE with "
                   "its own environment)",
                   core_seg->idx, (int)nobody, (int)job->owner);
        return -EBUSY;
    }
    /* Programs this PE starts are no PEs of the job. */
    unsetenv(CORE_WIRE_ENV);
    return 0;
}

/* Everybody but this PE has left or finished. */
static bool alone(void)
{
    for (int pe = 0; pe < core_size(); pe++)
        if (pe != core_me() && !core_pe_left(pe) && !core_pe_finished(pe))
            return false;
    return true;
}

/* PEs of other nodes reach this one's memory only while it serves them, so a
 * program that ends without finishing (start_pes knows no finish) waits for the
 * others. Not so after an error: its launcher must learn of that. */
static void serve_until_alone(void)
{
    struct core_waiter w;
    core_wait_begin(&w, "exit");
    while (!alone())
        core_wait_pause(&w);
    core_wait_end(&w);
}

/* The same for one that has finished alone. Whether PEs of other nodes have finished is not known: there all end
 * together. */
static void serve_others(void)
{
    mpt_fast.node_n = core_seg->run_n;
    core_ctrl_of(core_seg->idx)->outside = 1; /* it comes to no barrier any more */
    if (core_seg->header->npes == (uint32_t)core_size())
        serve_until_alone();
    else
        core_job_barrier("the end of the job");
}

void core_job_tell_leaving(void)
{
    struct core_header *h = core_seg->header;
    uint32_t nobody = 0;
    __atomic_compare_exchange_n(&h->leaving, &nobody, core_seg->idx + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    if (h->launcher > 0)
        kill(h->launcher, SIGCHLD); /* which it takes as a sign to look; where it has another number, nobody minds */
    else if (core_state.rma.net_on)
        core_detector_say_leaving();
}

/* exit(3) in the middle of the job is its end: a supervisor sees that, other
 * launchers must be told. */
static void end_by_exit(int status)
{
    if (!job->backend->abort)
        return;
    fflush(NULL);
    core_error("has exited with status %d on host %s without finalizing; ending the job", status, core_host(core_me()));
    core_detector_say_end(status, "exited without finalizing");
    job->backend->abort(status);
}

/* PEs that are woken when one leaves. Looking at the bells of more takes time and page tables,
 * from each that leaves so; sleepers look up by themselves, and a supervisor sees it. */
enum { WOKEN = 64 };

/* exit() before the last core_job_finish: say so, that peers need not wait. */
static void at_exit(int status, void *arg)
{
    (void)arg;
    if (getpid() != job->owner || !core_seg->header)
        return;
    core_trace_stop();
    if (job->uses > 0) {
        if (core_completes_later() && status == 0)
            core_quiet_all(); /* what was put arrives; after an error nobody is waited for */
        /* model: publish.set */
        __atomic_store_n(&core_ctrl_of(core_seg->idx)->state, CORE_PE_LEFT, __ATOMIC_RELEASE);
        __atomic_fetch_add(&core_seg->header->left, 1, __ATOMIC_SEQ_CST);
        if (core_state.rma.net_on || !core_seg->header->launcher || core_seg->header->npes <= WOKEN)
            core_wake_node();
        if (core_state.rma.net_on) {
            core_detector_say_left();
            if (status == 0) {
                core_job_tell_leaving();
                serve_until_alone();
                core_detector_stop();
            }
        }
        if (status != 0) {
            end_by_exit(status);
            return;
        }
    } else if (job->parted && core_state.rma.net_on) {
        serve_others();
    }
    core_net_stop();
    if (core_late_on())
        core_late_stop();
    if (job->backend->leave)
        job->backend->leave();
    if (status == 0 && !core_seg->header->launcher && core_finding_status(0) != 0) { /* nobody else says so */
        fflush(NULL);
        _exit(core_finding_status(0));
    }
}

static void set_up_process(void)
{
    bool first = core_task_once(CORE_TASK_SETS_UP_PROCESS);
    if (core_seg->header->launcher && first) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing of a job outlives its launcher */
        core_leash_hold(core_seg->header);
    }
    if (core_seg->header->launcher && core_seg->header->line_output)
        setvbuf(stdout, NULL, _IOLBF, 0);
    if (first)
        core_ask_for_short_time_slice();
    core_crash_watch();
    on_exit(at_exit, NULL);
}

static void tell_user(void)
{
    if (core_me() != 0)
        return;
    if (core_params.show_version)
        printf("MPT %s, OpenSHMEM 1.6\n", MPT_VERSION);
    if (core_params.show_info)
        core_param_print(stdout);
    core_debug("%d PEs by %s%s%s, %u cores%s, symmetric heap %llu bytes at %p", core_size(), job->backend->name,
               core_state.rma.net_on ? " and " : "", core_state.rma.net_on ? core_state.rma.net->name : "",
               core_seg->header->ncores, core_oversubscribed() ? " (more PEs than cores)" : "",
               (unsigned long long)mpt_fast.heap_len, (void *)mpt_fast.heap_lo);
}

/* ----------------------------------------------------- start and finish - */

/* The first that says yes; a job of our own launcher is never another's. */
static const struct core_backend *find_backend(void)
{
    if (*core_task_kept(CORE_TASK_KEEPS_LAUNCHER) || (!core_param_foreign(CORE_WIRE_ENV) && core_backend_pmix.here()))
        return &core_backend_pmix;
    return &core_backend_local;
}

bool core_job_launched(void)
{
    const char *npes = core_param_foreign("NPES"), *cure;
    int rank, size;
    return core_param_foreign(CORE_WIRE_ENV) || core_backend_pmix.here() ||
           core_foreign_launcher(&rank, &size, &cure) || (npes && strtol(npes, NULL, 10) != 0);
}

static int start_adversary(void)
{
    int rc = 0;
    if (core_params.adversary[0] && (rc = core_adversary_start(core_params.adversary, core_me())) == 0)
        rc = core_late_start();
    return rc;
}

static int first_start(int npes_hint)
{
    char why[512];
    struct core_location location = {.fd = -1};
    int rc = core_param_load(why, sizeof why);
    if (rc != 0) {
        core_error("%s", why);
        return rc;
    }
    if (core_param_hides(CORE_WIRE_ENV) || core_param_hides("PMIX_RANK")) {
        core_error("this program has more rights than who starts it (set-user-ID or file capabilities), so it reads no "
                   "variables and cannot be a PE of this job");
        return -EPERM;
    }
    core_state.base.end = core_job_abort;
    job->backend = find_backend();
    core_state.live.end_all = job->backend->abort;
    if ((rc = job->backend->join(npes_hint, &location)) != 0 || (rc = core_segment_map(&location)) != 0 ||
        (rc = claim_slice()) != 0)
        return rc;
    core_copy_init();
    if ((rc = core_heap_init((void *)mpt_fast.heap_lo, mpt_fast.heap_len)) != 0) {
        core_error("no memory for the heap's bookkeeping");
        return rc;
    }
    /* Before the barrier of the start, after which blocks are given out: alike by all. */
    if (core_guard_on() && core_seg->header->npes == (unsigned)mpt_fast.npes)
        __atomic_store_n(&core_seg->header->guarded, 1, __ATOMIC_RELAXED);
    if ((rc = core_globals_share()) != 0)
        return rc;
    fcntl(location.fd, F_SETFD, FD_CLOEXEC);
    core_wait_init();
    set_up_process();
    if ((rc = core_trace_start()) != 0 || (rc = start_adversary()) != 0)
        return rc;
    return core_net_start(&location);
}

/* Nothing is symmetric there. */
static int refuse_in_open_job(void)
{
    core_error("this process is a task of a virtual machine, which has no symmetric memory; programs that use "
               "OpenSHMEM or MPI with PVM are started by mptrun");
    return -EBUSY;
}

/* Those of the process that are the library's, when its first PE starts. */
static unsigned threads_before(void)
{
    const struct core_pmix_process *p = *core_task_kept(CORE_TASK_KEEPS_LAUNCHER);
    return core_task_threads() + (p ? p->helpers : 0);
}

static void note_helpers(void)
{
    const struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    unsigned first = own->tasked ? own->host : core_seg->idx, helpers = core_process_threads() - 1;
    for (unsigned i = 0; i < core_task_count(); i++)
        core_ctrl_of(first + i)->helpers = helpers;
}

/* This process alone. The state comes before any barrier: a PE that exits in it has left. */
static int enter(int npes_hint, bool *first)
{
    int rc = 0;
    pthread_mutex_lock(&job->lock);
    *first = !core_seg->header;
    unsigned threads =
        *first && (!core_task_on() || core_task_once(CORE_TASK_COUNTS_THREADS)) ? core_process_threads() : 0;
    if (job->uses == 0 && (*first || core_state.rma.net_on))
        rc = *first ? first_start(npes_hint) : core_detector_start();
    if (rc == 0 && __atomic_fetch_add(&job->uses, 1, __ATOMIC_RELAXED) == 0) {
        /* model: publish.set */
        __atomic_store_n(&core_ctrl_of(core_seg->idx)->state, CORE_PE_RUNNING, __ATOMIC_RELEASE);
        mpt_fast.node_n = core_seg->run_n;
        mpt_fast.reach_n = core_reach_n();
        core_wait_retune();
        if (*first)
            core_clocks_start();
        if (*first && job->backend->joined)
            job->backend->joined();
        if (threads == 1 + threads_before() && (core_completes_later() || job->backend->joined))
            note_helpers(); /* threads that came meanwhile are ours */
    }
    pthread_mutex_unlock(&job->lock);
    return rc;
}

static void leave(void)
{
    pthread_mutex_lock(&job->lock);
    if (__atomic_sub_fetch(&job->uses, 1, __ATOMIC_RELAXED) == 0) {
        if (core_state.rma.net_on)
            core_detector_stop();
        /* model: publish.set */
        __atomic_store_n(&core_ctrl_of(core_seg->idx)->state, CORE_PE_FINISHED, __ATOMIC_RELEASE);
        mpt_fast.node_n = mpt_fast.reach_n = mpt_fast.look_n =
            0; /* inline calls now fall through to the check that no job runs */
    }
    pthread_mutex_unlock(&job->lock);
}

/* All who want to attach do it now. Nothing rings: the wait looks up often enough for people. */
static void wait_for_debugger(void)
{
    struct core_waiter w;
    core_wait_begin(&w, "the start of the job (a debugger holds its launcher)");
    core_wait_timed(&w);
    while (__atomic_load_n(&core_seg->header->held, __ATOMIC_ACQUIRE))
        core_wait_pause(&w);
    core_wait_end(&w);
}

/* Into the job; *first: for the first time. */
static int come_in(int npes_hint, bool *first)
{
    int rc = enter(npes_hint, first);
    if (rc == 0 && *first && __atomic_load_n(&core_seg->header->held, __ATOMIC_ACQUIRE))
        wait_for_debugger();
    return rc;
}

int core_job_start(int npes_hint)
{
    bool first;
    if (core_seg->open)
        return refuse_in_open_job();
    pthread_mutex_lock(&job->collective);
    int rc = come_in(npes_hint, &first);
    if (rc == 0 && __atomic_fetch_add(&job->depth, 1, __ATOMIC_RELAXED) == 0) {
        __atomic_store_n(&core_state.live.together, true, __ATOMIC_RELAXED);
        core_job_barrier("the start of the job");
        core_clocks_together();
        if (first)
            tell_user();
    }
    pthread_mutex_unlock(&job->collective);
    return rc;
}

void core_job_finish(void)
{
    pthread_mutex_lock(&job->collective);
    if (job->depth == 1) {
        core_quiet_all();
        core_job_barrier("the end of the job");
        core_clocks_together();
    }
    if (job->depth > 0) {
        if (__atomic_sub_fetch(&job->depth, 1, __ATOMIC_RELAXED) == 0)
            __atomic_store_n(&core_state.live.together, false, __ATOMIC_RELAXED);
        job->parted = false;
        leave();
    }
    pthread_mutex_unlock(&job->collective);
}

int core_job_start_alone(void)
{
    bool first;
    if (core_seg->open)
        return refuse_in_open_job();
    int rc = come_in(0, &first);
    if (rc == 0 && first)
        tell_user();
    return rc;
}

void core_job_finish_alone(void)
{
    if (job->uses == 1 && core_completes_later())
        core_quiet_all();
    if (job->uses == 1 && core_state.rma.net_on)
        job->parted = true;
    leave();
}

int core_job_depth(void)
{
    return __atomic_load_n(&job->depth, __ATOMIC_RELAXED);
}

bool core_job_running(void)
{
    return __atomic_load_n(&job->uses, __ATOMIC_RELAXED) > 0;
}

void core_job_barrier_step(void)
{
    if (job->barrier.meanwhile)
        job->barrier.meanwhile();
}

void core_job_barrier_while(void (*step)(void), const char *where)
{
    pthread_mutex_lock(&job->barrier.turn);
    job->barrier.meanwhile = step;
    job->backend->barrier(where);
    job->barrier.meanwhile = NULL;
    pthread_mutex_unlock(&job->barrier.turn);
}

void core_job_barrier(const char *where)
{
    core_job_barrier_while(NULL, where);
}

/* ------------------------------------------------------------- the end -- */

void core_job_abort(int status)
{
    fflush(stdout);
    fflush(stderr);
    struct core_header *h = core_seg->header;
    if (core_seg->open) { /* it ends alone */
        core_job_part(false);
        _exit(status);
    }
    if (h && getpid() == job->owner) {
        if (core_end_claim(h)) {
            h->abort_pe = core_me();
            h->abort_status = status;
            /* model: publish.set */
            __atomic_store_n(&h->aborting, CORE_ABORT_SAID, __ATOMIC_RELEASE);
        }
        core_wake_node();
        if (core_state.rma.net_on)
            core_detector_say_end(status, "");
    }
    if (job->backend && job->backend->abort && getpid() == (job->owner ? job->owner : getpid()))
        job->backend->abort(status);
    _exit(status);
}
