/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job whose PEs are all on one node has no lifeline (detector.c), and launchers
 * differ: `mpirun --enable-recovery` or srun without -K let the others wait for a
 * PE that died. So a thread of each PE sleeps until the process of the next one
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
#include "core/live/detector.h"

void core_pmix_watch(unsigned slice, pid_t pid)
{
    core_state.job.pmix.next_slice = slice;
    core_state.job.pmix.next_pid = pid;
}

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

static bool in_the_job(unsigned slice)
{
    return __atomic_load_n(&core_ctrl_of(slice)->state, __ATOMIC_ACQUIRE) <= CORE_PE_RUNNING;
}

/* Time for the launcher, which knows how the process ended, to end this one. */
enum { GRACE_MS = 1000 };

static void watch_next(void)
{
    struct core_header *h = core_seg->header;
    await_end(core_state.job.pmix.next_pid);
    if (!in_the_job(core_state.job.pmix.next_slice)) /* it finished, or it left: PEs that wait for it see that */
        return;
    sleep_ms(GRACE_MS);
    if (!in_the_job(core_seg->idx))
        return;
    if (__atomic_load_n(&h->aborting, __ATOMIC_ACQUIRE) == CORE_ABORT_SAID)
        core_detector_exit(h->abort_status); /* so it goes round, also to PEs that never wait */
    core_error("PE %d on host %s (process %d) has died; ending the job", core_slice_pe(core_state.job.pmix.next_slice),
               core_host(-1), (int)core_state.job.pmix.next_pid);
    core_state.job.backend->abort(1);
    core_detector_exit(1);
}

static void *watch(void *arg)
{
    struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    (void)arg;
    watch_next();
    if (__atomic_load_n(&own->helpers, __ATOMIC_RELAXED) > 0)
        __atomic_fetch_sub(&own->helpers, 1, __ATOMIC_RELAXED);
    return NULL;
}

void core_pmix_watch_start(void)
{
    if (core_state.job.pmix.next_pid == 0 || core_state.job.pmix.watching)
        return;
    core_state.job.pmix.watching = true;
    int rc = core_detector_thread(watch);
    if (rc != 0)
        core_debug("the end of PE %d's process will go unnoticed: %s", core_slice_pe(core_state.job.pmix.next_slice),
                   strerror(-rc));
}
#endif
