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

/* How long others may be silent: MPT_PROGRESS_THREAD. */
static const struct {
    const char *name;
    int64_t nap_us; /* 0: no thread */
} modes[] = {{"auto", 10000}, {"0", 0}, {"1", 200}};
enum { MODES = sizeof modes / sizeof *modes, WATCH_US = 100000, ASLEEP_US = 50000, SOON_US = 100 };

static pthread_t thread;
static bool running;
static int stop = -1; /* readable: the thread is to end */
static int soon = -1; /* a timer: readable: the fabric is to send what waits */
static bool asked;    /* for that; core_net_state.lock */
static int64_t nap_us;

bool core_net_pump_soon(void)
{
    const struct itimerspec t = {.it_value.tv_nsec = 1000 * SOON_US};
    if (!asked && running && core_net_state.fabric->flush)
        asked = timerfd_settime(soon, 0, &t, NULL) == 0;
    return asked;
}

static void flush(void)
{
    uint64_t times;
    bool locked = core_net_lock();
    if (read(soon, &times, sizeof times) > 0)
        asked = false;
    core_net_state.fabric->flush();
    core_net_unlock(locked);
}

/* Until fd (-1: nothing) is readable, or the time is over, or the end: false. */
static bool wait_for(int fd, int64_t us)
{
    struct pollfd p[3] = {{.fd = stop, .events = POLLIN}, {.fd = soon, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
    struct timespec limit = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    ppoll(p, 3, &limit, NULL);
    if (p[1].revents & POLLIN)
        flush();
    return !(p[0].revents & POLLIN);
}

static uint64_t seen(void)
{
    return __atomic_load_n(&core_net_state.progresses, __ATOMIC_RELAXED);
}

static void *pump(void *unused)
{
    const struct core_ctrl *own = core_ctrl_of(core_seg.idx);
    uint64_t last = seen();
    bool go_on = true, idle = false; /* the others have been silent for a nap */
    while (go_on) {
        bool watch = idle && core_net_state.promise.fd >= 0;
        if (!watch || core_net_may_sleep())
            go_on = wait_for(watch ? core_net_state.promise.fd : -1,
                             watch ? WATCH_US : __atomic_load_n(&own->polls, __ATOMIC_RELAXED) ? ASLEEP_US : nap_us);
        idle = seen() == last && !__atomic_load_n(&own->polls, __ATOMIC_RELAXED);
        if (idle && go_on) {
            core_net_progress();      /* not core_progress: the channel's handlers are the program's to run */
            core_wake_threads(); /* writes tell nobody */
        }
        last = seen();
    }
    return unused;
}

static int choose_mode(void)
{
    for (int i = 0; i < MODES; i++)
        if (strcmp(core_params.progress_thread, modes[i].name) == 0) {
            nap_us = modes[i].nap_us;
            return 0;
        }
    core_error("MPT_PROGRESS_THREAD=%s: expected auto, 0 or 1", core_params.progress_thread);
    return -EINVAL;
}

int core_net_pump_start(void)
{
    sigset_t all, before;
    int rc = choose_mode();
    if (rc != 0 || nap_us == 0)
        return rc;
    asked = false;
    stop = eventfd(0, EFD_CLOEXEC);
    soon = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the program's threads' */
    rc = stop < 0 || soon < 0 ? errno : pthread_create(&thread, NULL, pump, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    running = rc == 0;
    if (rc != 0)
        core_error("cannot create the progress thread (MPT_PROGRESS_THREAD=0 does without): %s", strerror(rc));
    return -rc;
}

void core_net_pump_stop(void)
{
    if (running) {
        eventfd_write(stop, 1);
        pthread_join(thread, NULL);
    }
    if (stop >= 0)
        close(stop);
    if (soon >= 0)
        close(soon);
    stop = soon = -1;
    running = false;
}
