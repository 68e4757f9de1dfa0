/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job whose PEs are all on one node has no lifeline (detector.c), and launchers
 * differ: `mpirun --enable-recovery` or srun without -K let the others wait for a
 * PE that died. So a thread of each process sleeps until the next one
 * has ended. When that was in the middle of the job it says so and ends the job.
 */
#include "core/job/pmix.h"

#ifdef CORE_HAVE_PMIX
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/task/task.h"
#include "core/live/detector.h"

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* Linux before 5.3 and some sandboxes have no pidfd_open: look now and then. */
static void await_end(pid_t pid)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0) {
        while (kill(pid, 0) == 0 || errno != ESRCH)
            sleep_ms(250);
        return;
    }
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (poll(&p, 1, -1) < 0 && errno == EINTR)
        continue;
    close(fd);
}

/* Any PE of the process whose first one has this slice. */
static bool in_the_job(unsigned slice)
{
    const struct core_task_board *b = core_board_of(slice);
    for (unsigned i = 0; i < (b->n > 0 ? b->n : 1); i++)
        if (__atomic_load_n(&core_ctrl_of(slice + i)->state, __ATOMIC_ACQUIRE) <= CORE_PE_RUNNING)
            return true;
    return false;
}

/* Time for the launcher, which knows how the process ended, to end this one. */
enum { GRACE_MS = 1000 };

/* Of tasks it was the one that ran. */
static int who_died(unsigned slice)
{
    const struct core_task_board *b = core_board_of(slice);
    return core_slice_pe(slice + (b->n > 0 && b->running < b->n ? b->running : 0));
}

static void watch_next(const struct core_pmix_process *p)
{
    struct core_header *h = core_seg->header;
    await_end(p->next_pid);
    if (!in_the_job(p->next_slice)) /* it finished, or it left: PEs that wait for it see that */
        return;
    sleep_ms(GRACE_MS);
    if (!in_the_job(p->at->slice))
        return;
    if (__atomic_load_n(&h->aborting, __ATOMIC_ACQUIRE) == CORE_ABORT_SAID)
        core_detector_exit(h->abort_status); /* so it goes round, also to PEs that never wait */
    core_error("PE %d on host %s (process %d) has died; ending the job", who_died(p->next_slice), core_host(-1),
               (int)p->next_pid);
    core_state.job.backend->abort(1);
    core_detector_exit(1);
}

static void *watch(void *arg)
{
    const struct core_pmix_process *p = core_state.job.pmix.process;
    (void)arg;
    watch_next(p);
    for (unsigned i = 0; i < p->tasks; i++) {
        struct core_ctrl *own = core_ctrl_of(p->at->slice + i);
        if (__atomic_load_n(&own->helpers, __ATOMIC_RELAXED) > 0)
            __atomic_fetch_sub(&own->helpers, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

void core_pmix_watch_start(void)
{
    struct core_pmix_process *p = core_state.job.pmix.process;
    if (p->next_pid == 0 || p->watching)
        return;
    p->watching = true;
    int rc = core_detector_thread(watch);
    if (rc != 0)
        core_debug("the end of PE %d's process will go unnoticed: %s", core_slice_pe(p->next_slice), strerror(-rc));
}
#endif
