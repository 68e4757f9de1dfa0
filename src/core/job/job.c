/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE's way into its job and out of it. Reads as the story of a start:
 * parameters, who started us, memory, globals, the network where there is one;
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

#include "core/internal.h"
#include "core/job/foreign.h"
#include "core/live/leash.h"
#include "core/rma/transport.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;       /* of `uses`, and of who is first or last */
static pthread_mutex_t collective = PTHREAD_MUTEX_INITIALIZER; /* one start or finish of all PEs at a time */
static int uses;  /* starts of both kinds that have not finished; changed under the lock, read without it */
static int depth; /* of them, those of all PEs; so, too */
static bool parted; /* the last finish was this process's alone: over a network others may need it until they, too, have finished */
static pid_t owner; /* this PE's process: a forked child is no PE */

/* --------------------------------------------------------- our process -- */

/* A short slice makes the scheduler run a PE that was woken soon, also beside
 * processes that never wait. Needs no privilege; older kernels ignore it. */
void core_ask_for_short_slice(void)
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
    core_leash_hold_early();
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

/* The same for one that has finished alone. Whether PEs of other nodes have finished is not known: there all end together. */
static void serve_others(void)
{
    mpt_fast.node_n = core_seg.run_n;
    core_ctrl_of(core_seg.idx)->outside = 1; /* it comes to no barrier any more */
    if (core_seg.header->npes == (uint32_t)core_size())
        serve_until_alone();
    else
        core_job_barrier();
}

void core_job_tell_leaving(void)
{
    struct core_header *h = core_seg.header;
    uint32_t nobody = 0;
    __atomic_compare_exchange_n(&h->leaving, &nobody, core_seg.idx + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    if (h->launcher > 0)
        kill(h->launcher, SIGCHLD); /* which it takes as a sign to look; where it has another number, nobody minds */
    else if (core_net_on)
        core_life_say_leaving();
}

/* exit(3) in the middle of the job is its end: a supervisor sees that, other
 * launchers must be told. */
static void end_by_exit(int status)
{
    if (!core_backend->abort)
        return;
    fflush(NULL);
    core_error("has exited with status %d on host %s without finalizing; ending the job", status, core_host(core_me()));
    core_life_say_end(status, "exited without finalizing");
    core_backend->abort(status);
}

/* PEs that are woken when one leaves. Looking at the bells of more takes time and page tables,
 * from each that leaves so; sleepers look up by themselves, and a supervisor sees it. */
enum { WOKEN = 64 };

/* exit() before the last core_job_finish: say so, that peers need not wait. */
static void at_exit(int status, void *arg)
{
    (void)arg;
    if (getpid() != owner || !core_seg.header)
        return;
    if (uses > 0) {
        if (core_net_on && status == 0)
            core_quiet_all(); /* what was put arrives; after an error nobody is waited for */
        __atomic_store_n(&core_ctrl_of(core_seg.idx)->state, CORE_PE_LEFT, __ATOMIC_RELEASE);
        __atomic_fetch_add(&core_seg.header->left, 1, __ATOMIC_SEQ_CST);
        if (core_net_on || !core_seg.header->launcher || core_seg.header->npes <= WOKEN)
            core_wake_node();
        if (core_net_on) {
            core_life_say_left();
            if (status == 0) {
                core_job_tell_leaving();
                serve_until_alone();
                core_life_stop();
            }
        }
        if (status != 0) {
            end_by_exit(status);
            return;
        }
    } else if (parted && core_net_on) {
        serve_others();
    }
    core_net_stop();
    if (core_backend->leave)
        core_backend->leave();
}

static void set_up_process(void)
{
    if (core_seg.header->launcher) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* nothing of a job outlives its launcher */
        core_leash_hold(core_seg.header);
        if (core_seg.header->line_output)
            setvbuf(stdout, NULL, _IOLBF, 0);
    }
    core_ask_for_short_slice();
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
    core_debug("%d PEs by %s%s%s, %u cores%s, symmetric heap %llu bytes at %p", core_size(), core_backend->name,
               core_net_on ? " and " : "", core_net_on ? core_net->name : "", core_seg.header->ncores,
               core_oversubscribed() ? " (more PEs than cores)" : "", (unsigned long long)mpt_fast.heap_len,
               (void *)mpt_fast.heap_lo);
}

/* ----------------------------------------------------- start and finish - */

/* The first that says yes; a job of our own launcher is never another's. */
static const struct core_backend *find_backend(void)
{
    if (!core_param_foreign(CORE_WIRE_ENV) && core_backend_pmix.here())
        return &core_backend_pmix;
    return &core_backend_local;
}

bool core_job_launched(void)
{
    const char *npes = core_param_foreign("NPES"), *cure;
    int rank, size;
    return core_param_foreign(CORE_WIRE_ENV) || core_backend_pmix.here() || core_foreign_launcher(&rank, &size, &cure) ||
           (npes && strtol(npes, NULL, 10) != 0);
}

static int first_start(int npes_hint)
{
    char why[512];
    struct core_place place = {.fd = -1};
    int rc = core_param_load(why, sizeof why);
    if (rc != 0) {
        core_error("%s", why);
        return rc;
    }
    if (core_param_hides(CORE_WIRE_ENV) || core_param_hides("PMIX_RANK")) {
        core_error("this program has more rights than who starts it (set-user-ID or file capabilities), so it reads no variables and cannot be a PE of this job");
        return -EPERM;
    }
    core_backend = find_backend();
    if ((rc = core_backend->join(npes_hint, &place)) != 0 || (rc = core_segment_map(&place)) != 0 || (rc = claim_place()) != 0)
        return rc;
    core_copy_init();
    if ((rc = core_heap_init((void *)mpt_fast.heap_lo, mpt_fast.heap_len)) != 0) {
        core_error("no memory for the heap's bookkeeping");
        return rc;
    }
    if ((rc = core_globals_share()) != 0)
        return rc;
    fcntl(place.fd, F_SETFD, FD_CLOEXEC);
    core_wait_init();
    set_up_process();
    return core_net_start(&place);
}

/* Nothing is symmetric there. */
static int refuse_in_open_job(void)
{
    core_error("this process is a task of a virtual machine, which has no symmetric memory; programs that use OpenSHMEM or MPI with PVM are started by mptrun");
    return -EBUSY;
}

/* This process alone. The state comes before any barrier: a PE that exits in it has left. */
static int enter(int npes_hint, bool *first)
{
    int rc = 0;
    pthread_mutex_lock(&lock);
    *first = !core_seg.header;
    unsigned threads = *first ? core_process_threads() : 0;
    if (uses == 0 && (*first || core_net_on))
        rc = *first ? first_start(npes_hint) : core_life_start();
    if (rc == 0 && __atomic_fetch_add(&uses, 1, __ATOMIC_RELAXED) == 0) {
        __atomic_store_n(&core_ctrl_of(core_seg.idx)->state, CORE_PE_RUNNING, __ATOMIC_RELEASE);
        mpt_fast.node_n = core_seg.run_n;
        mpt_fast.reach_n = core_net_on ? 0 : core_seg.run_n;
        core_wait_retune();
        if (*first && core_backend->joined)
            core_backend->joined();
        if (threads == 1 && (core_net_on || core_backend->joined)) /* those that came meanwhile are ours */
            core_ctrl_of(core_seg.idx)->helpers = core_process_threads() - 1;
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

static void leave(void)
{
    pthread_mutex_lock(&lock);
    if (__atomic_sub_fetch(&uses, 1, __ATOMIC_RELAXED) == 0) {
        if (core_net_on)
            core_life_stop();
        __atomic_store_n(&core_ctrl_of(core_seg.idx)->state, CORE_PE_FINISHED, __ATOMIC_RELEASE);
        mpt_fast.node_n = mpt_fast.reach_n = mpt_fast.look_n = 0; /* inline calls now fall through to the check that no job runs */
    }
    pthread_mutex_unlock(&lock);
}

int core_job_start(int npes_hint)
{
    bool first;
    if (core_seg.open)
        return refuse_in_open_job();
    pthread_mutex_lock(&collective);
    int rc = enter(npes_hint, &first);
    if (rc == 0 && __atomic_fetch_add(&depth, 1, __ATOMIC_RELAXED) == 0) {
        core_job_barrier();
        if (first)
            tell_user();
    }
    pthread_mutex_unlock(&collective);
    return rc;
}

void core_job_finish(void)
{
    pthread_mutex_lock(&collective);
    if (depth == 1) {
        core_quiet_all();
        core_job_barrier();
    }
    if (depth > 0) {
        __atomic_sub_fetch(&depth, 1, __ATOMIC_RELAXED);
        parted = false;
        leave();
    }
    pthread_mutex_unlock(&collective);
}

int core_job_start_alone(void)
{
    bool first;
    if (core_seg.open)
        return refuse_in_open_job();
    int rc = enter(0, &first);
    if (rc == 0 && first)
        tell_user();
    return rc;
}

void core_job_finish_alone(void)
{
    if (uses == 1 && core_net_on) {
        core_quiet_all();
        parted = true;
    }
    leave();
}

int core_job_depth(void)
{
    return __atomic_load_n(&depth, __ATOMIC_RELAXED);
}

bool core_job_running(void)
{
    return __atomic_load_n(&uses, __ATOMIC_RELAXED) > 0;
}

static void (*meanwhile)(void);

void core_job_barrier_step(void)
{
    if (meanwhile)
        meanwhile();
}

void core_job_barrier_while(void (*step)(void))
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* of faces that start or end in different threads */
    pthread_mutex_lock(&turn);
    meanwhile = step;
    core_backend->barrier("start or finish of the job");
    meanwhile = NULL;
    pthread_mutex_unlock(&turn);
}

void core_job_barrier(void)
{
    core_job_barrier_while(NULL);
}

/* ------------------------------------------------------------- the end -- */

static bool end_is_mine; /* this PE is the first of its node that ends the job */

static bool claim_end(struct core_header *h)
{
    uint32_t no = 0;
    if (__atomic_compare_exchange_n(&h->aborting, &no, CORE_ABORT_CLAIMED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        __atomic_store_n(&end_is_mine, true, __ATOMIC_RELEASE);
    return __atomic_load_n(&end_is_mine, __ATOMIC_ACQUIRE);
}

void core_job_be_first(void)
{
    struct core_header *h = core_seg.header;
    if (!h || core_seg.open || claim_end(h))
        return;
    for (int i = 0; i < 1000 && __atomic_load_n(&h->aborting, __ATOMIC_ACQUIRE) != CORE_ABORT_SAID; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if (__atomic_load_n(&h->aborting, __ATOMIC_ACQUIRE) != CORE_ABORT_SAID)
        return; /* the first one has died meanwhile */
    fflush(stdout);
    _exit(h->abort_status);
}

void core_job_abort(int status)
{
    fflush(stdout);
    fflush(stderr);
    struct core_header *h = core_seg.header;
    if (core_seg.open) { /* it ends alone */
        core_job_part(false);
        _exit(status);
    }
    if (h && getpid() == owner) {
        if (claim_end(h)) {
            h->abort_pe = core_me();
            h->abort_status = status;
            __atomic_store_n(&h->aborting, CORE_ABORT_SAID, __ATOMIC_RELEASE);
        }
        core_wake_node();
        if (core_net_on)
            core_life_say_end(status, "");
    }
    if (core_backend && core_backend->abort && getpid() == (owner ? owner : getpid()))
        core_backend->abort(status);
    _exit(status);
}
