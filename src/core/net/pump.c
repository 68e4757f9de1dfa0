/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The progress thread serves peers while the program is outside the library: a
 * program may compute for long, or look at its own memory in a loop, and its peers
 * must not wait for that. It keeps out of the way: while other threads of the PE
 * make progress, or sleep on the descriptor by themselves, it takes naps; when they
 * no longer do, it waits on the fabric's descriptor.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/net/fabric.h"
#include "core/task/task.h"

/* How long others may be silent: AUTO_US and ALWAYS_US with these values of MPT_PROGRESS_THREAD. */
enum { AUTO_US = 10000, ALWAYS_US = 200, WATCH_US = 100000, ASLEEP_US = 50000, SOON_US = 100 };

static struct core_net_pump *const self = &core_state.net.pump;

bool core_net_pump_soon(void)
{
    const struct itimerspec t = {.it_value.tv_nsec = 1000 * SOON_US};
    if (!self->asked && self->running && core_state.net.fabric->flush)
        self->asked = timerfd_settime(self->soon, 0, &t, NULL) == 0;
    return self->asked;
}

static void flush(void)
{
    uint64_t times;
    bool locked = core_net_lock();
    if (read(self->soon, &times, sizeof times) > 0)
        self->asked = false;
    core_state.net.fabric->flush();
    core_net_unlock(locked);
}

/* Until fd (-1: nothing) is readable, or the time is over, or the end: false. */
static bool wait_for(int fd, int64_t us)
{
    struct pollfd p[3] = {
        {.fd = self->stop, .events = POLLIN}, {.fd = self->soon, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
    struct timespec limit = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    ppoll(p, 3, &limit, NULL);
    if (p[1].revents & POLLIN)
        flush();
    return !(p[0].revents & POLLIN);
}

static uint64_t seen(void)
{
    return __atomic_load_n(&core_state.net.progresses, __ATOMIC_RELAXED);
}

static void *pump(void *unused)
{
    const struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    uint64_t last = seen();
    bool go_on = true, idle = false; /* the others have been silent for a nap */
    while (go_on) {
        bool watch = idle && core_state.net.promise.fd >= 0;
        if (!watch || core_net_may_sleep())
            go_on = wait_for(watch ? core_state.net.promise.fd : -1, watch ? WATCH_US
                                                                     : __atomic_load_n(&own->polls, __ATOMIC_RELAXED)
                                                                         ? ASLEEP_US
                                                                         : self->nap_us);
        idle = seen() == last && !__atomic_load_n(&own->polls, __ATOMIC_RELAXED);
        if (idle && go_on) {
            core_net_progress();      /* not core_progress: the channel's handlers are the program's to run */
            core_wake_threads(); /* writes tell nobody */
        }
        last = seen();
    }
    return unused;
}

int core_net_pump_start(void)
{
    sigset_t all, before;
    if (core_params.progress_thread == CORE_PROGRESS_THREAD_NEVER ||
        core_task_on()) /* task/network.c has one for all */
        return 0;
    self->nap_us = core_params.progress_thread == CORE_PROGRESS_THREAD_ALWAYS ? ALWAYS_US : AUTO_US;
    self->asked = false;
    self->stop = eventfd(0, EFD_CLOEXEC);
    self->soon = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the program's threads' */
    int rc = self->stop < 0 || self->soon < 0 ? errno : pthread_create(&self->thread, NULL, pump, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    self->running = rc == 0;
    if (rc != 0)
        core_error("cannot create the progress thread (MPT_PROGRESS_THREAD=0 does without): %s", strerror(rc));
    return -rc;
}

void core_net_pump_stop(void)
{
    if (self->running) {
        eventfd_write(self->stop, 1);
        pthread_join(self->thread, NULL);
    }
    if (self->stop >= 0)
        close(self->stop);
    if (self->soon >= 0)
        close(self->soon);
    self->stop = self->soon = -1;
    self->running = false;
}
