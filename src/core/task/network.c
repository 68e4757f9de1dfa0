/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks whose PEs are reached by a network. Each has an endpoint of its own, and looks at it when it waits. While it
 * does not run others serve it: the carrier, which sleeps on the descriptors of all and looks at them between tasks,
 * and a thread, when a program has kept the carrier for long. Who serves a task says so to it, if anything came.
 *
 * System calls are called as such: what the tasks of this process have in place of the C library's gives way to others.
 *
 * A process that sleeps on descriptors is rung by a byte in a pipe, whose writing end others open in /proc.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/peer_pipe.h"
#include "core/internal.h"
#include "core/task/host.h"

enum {
    EVENTS = 64,
    LOOK_NS = 100000,   /* between two looks of a carrier that has always somebody to run */
    SWITCHES = 64,      /* and between two of its looks at the clock */
    NAP_NS = 500000,    /* of a process that cannot be rung */
    WATCH_NS = 8000000, /* between two looks of the thread at the carrier */
};

/* ------------------------------------------------------------------ bells -- */

/* Of other processes: by the slice of their first PE. */
static int bell_of(struct core_task_host *h, const struct core_task_board *b)
{
    const struct core_header *header = h->header ? h->header : core_seg->header;
    size_t slice = (size_t)((const char *)b - (const char *)header - CORE_HEADER_SIZE) / header->stride;
    int *all;

    if (b == h->board)
        return h->network.bell[1];
    all = core_peer_pipes(&h->network.bells, header->npes);
    return all ? core_peer_pipe(&all[slice], (int)b->pid, (int)b->bell) : -1;
}

void core_task_ring(struct core_task_board *b)
{
    struct core_task_host *h = core_task_owner ? core_task_owner->host : &core_task_process;
    int fd = bell_of(h, b);

    if (fd < 0 || (syscall(SYS_write, fd, "", 1) < 0 && errno != EAGAIN)) /* full: it will wake */
        __atomic_store_n(&b->deaf, 1, __ATOMIC_RELAXED);
}

static void drain_bell(const struct core_task_host *h)
{
    char bytes[64];

    while (syscall(SYS_read, h->network.bell[0], bytes, sizeof bytes) == (long)sizeof bytes)
        ;
}

/* ---------------------------------------------------------------- serving -- */

/* A task that leaves its network takes `serve` away at any time, then waits until nobody serves: what was read of it
 * before stays valid until then. */
static int (*server_of(const struct core_task *t))(void)
{
    return __atomic_load_n(&t->network.serve, __ATOMIC_SEQ_CST);
}

/* What is said or opened meanwhile is that task's. False: it has left its network. */
static bool serve(struct core_task *t)
{
    int (*server)(void) = server_of(t);
    struct core_task *owner = core_task_owner;

    if (!server)
        return false;
    core_task_owner = t;
    server();
    core_task_owner = owner;
    return true;
}

/* Its descriptor tells from now on when something comes; what is there already is handled first. */
static void arm(struct core_task *t)
{
    t->armed = true;
    for (unsigned i = 0; i < EVENTS && !t->network.may_sleep() && serve(t); i++)
        ;
}

static void arm_all(struct core_task_host *h)
{
    for (unsigned i = 0; i < h->n; i++)
        if (server_of(&h->tasks[i]) && !h->tasks[i].armed)
            arm(&h->tasks[i]);
}

/* Those whose descriptors are readable. */
static void serve_ready(struct core_task_host *h)
{
    struct epoll_event events[EVENTS];
    int n = (int)syscall(SYS_epoll_pwait, h->network.epoll, events, EVENTS, 0, NULL, 0);

    for (int i = 0; i < n; i++) {
        struct core_task *t = events[i].data.ptr;

        if (!t)
            drain_bell(h);
        else if (serve(t))
            arm(t);
    }
}

/* One at a time, as it may begin anew where a lock makes it wait. */
static bool begin_serving(struct core_task_host *h)
{
    return !__atomic_exchange_n(&h->network.serving, true, __ATOMIC_SEQ_CST);
}

static void end_serving(struct core_task_host *h)
{
    /* model: publish.unlock */
    __atomic_store_n(&h->network.serving, false, __ATOMIC_RELEASE);
}

static void look(struct core_task_host *h)
{
    if (!begin_serving(h))
        return;
    arm_all(h);
    serve_ready(h);
    end_serving(h);
}

void core_task_network_look(struct core_task_host *h)
{
    __atomic_store_n(&h->network.looks, h->network.looks + 1, __ATOMIC_RELAXED);
    h->network.looked_ns = core_clock_ns();
    look(h);
}

void core_task_network_pass(struct core_task_host *h)
{
    if (++h->network.switches % SWITCHES == 0 && core_clock_ns() - h->network.looked_ns >= LOOK_NS)
        core_task_network_look(h);
}

/* Whoever makes a task ready from now on rings the bell. True: the time is over. */
bool core_task_network_sleep(struct core_task_host *h, uint64_t ns,
                             bool (*somebody_ready)(const struct core_task_host *h))
{
    struct core_task_board *b = h->board;
    struct pollfd p = {.fd = h->network.epoll, .events = POLLIN};
    struct timespec limit;
    bool out = false;

    if (begin_serving(h)) {
        arm_all(h);
        end_serving(h);
    }
    if (__atomic_load_n(&b->deaf, __ATOMIC_RELAXED) && ns > NAP_NS)
        ns = NAP_NS;
    limit = (struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
    /* model: ready.idle */
    __atomic_store_n(&b->idle, CORE_TASK_POLLS, __ATOMIC_SEQ_CST);
    if (!somebody_ready(h))
        out = syscall(SYS_ppoll, &p, 1, &limit, NULL, 0) == 0;
    __atomic_store_n(&b->idle, 0, __ATOMIC_RELAXED);
    if (!out)
        core_task_network_look(h);
    return out;
}

/* ------------------------------------------------------------- the thread -- */

/* It never ends: the process does. */
static void *watch(void *arg)
{
    struct core_task_host *h = arg;
    const struct timespec nap = {.tv_nsec = WATCH_NS};
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL); /* signals are the program's threads' */
    for (;;) {
        uint64_t looks = __atomic_load_n(&h->network.looks, __ATOMIC_RELAXED);

        nanosleep(&nap, NULL);
        if (__atomic_load_n(&h->network.n, __ATOMIC_RELAXED) > 0 &&
            looks == __atomic_load_n(&h->network.looks, __ATOMIC_RELAXED) &&
            !__atomic_load_n(&h->board->idle, __ATOMIC_RELAXED))
            look(h);
    }
    return NULL;
}

static int start_watch(struct core_task_host *h)
{
    pthread_t thread;
    int rc = pthread_create(&thread, NULL, watch, h);

    if (rc != 0)
        core_error(
            "cannot create the thread that serves tasks over the network (MPT_PROGRESS_THREAD=0 does without): %s",
            strerror(rc));
    return -rc;
}

/* ------------------------------------------------------------- interface -- */

/* Of the process, at its first task that has a network. */
static int begin(struct core_task_host *h)
{
    struct epoll_event e = {.events = EPOLLIN};

    h->network.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (h->network.epoll < 0 || pipe2(h->network.bell, O_NONBLOCK | O_CLOEXEC) != 0 ||
        epoll_ctl(h->network.epoll, EPOLL_CTL_ADD, h->network.bell[0], &e) != 0) {
        int rc = -errno;

        core_error("--tasks: no descriptors to wait for the network by: %s", strerror(-rc));
        return rc;
    }
    h->board->pid = h->pid;
    h->board->bell = h->network.bell[1];
    return core_params.progress_thread == CORE_PROGRESS_THREAD_NEVER ? 0 : start_watch(h);
}

int core_task_network(const struct core_task_network *network)
{
    struct core_task *t = core_task_self;
    struct core_task_host *h = t->host;
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = t};
    int rc = h->network.bell[1] > 0 ? 0 : begin(h);

    if (rc != 0)
        return rc;
    t->armed = false;
    t->single = 0; /* it is served by others, too */
    t->network.may_sleep = network->may_sleep;
    t->network.fd = network->fd;
    __atomic_store_n(&t->network.serve, network->serve, __ATOMIC_RELEASE);
    if (network->fd >= 0 && epoll_ctl(h->network.epoll, EPOLL_CTL_ADD, network->fd, &e) != 0) {
        rc = -errno;
        core_error("--tasks: cannot wait for the network: %s", strerror(-rc));
        return rc;
    }
    __atomic_store_n(&h->network.n, h->network.n + 1, __ATOMIC_RELEASE);
    return 0;
}

static bool nobody_serves(void *arg)
{
    const struct core_task_host *h = arg;

    return !__atomic_load_n(&h->network.serving, __ATOMIC_SEQ_CST);
}

void core_task_no_network(void)
{
    struct core_task *t = core_task_self;
    struct core_task_host *h = t->host;

    if (!t->network.serve)
        return;
    if (t->network.fd >= 0)
        epoll_ctl(h->network.epoll, EPOLL_CTL_DEL, t->network.fd, NULL);
    __atomic_store_n(&t->network.serve, NULL, __ATOMIC_SEQ_CST);
    __atomic_store_n(&h->network.n, h->network.n - 1, __ATOMIC_RELEASE);
    core_task_until(nobody_serves, h, UINT64_MAX);
}
