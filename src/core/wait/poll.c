/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sleeping on the bell and the network together. A futex and a descriptor cannot
 * be waited for at once, so a PE with a network (or with a descriptor that a layer
 * above wants waited for) has a pipe beside its bell: one of its sleeping threads
 * polls pipe and network, the others sleep on the futex.
 * A doorbell writes a byte to the pipe when somebody polls it. Peers reach the
 * pipe's write end through /proc; where that is forbidden the sleeper takes naps.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "core/base/peer_pipe.h"
#include "core/internal.h"
#include "core/rma/transport.h"
#include "core/task/task.h"

/* Naps where neither the bell nor the network can end a sleep. */
#define NAP_NS 500000l

static struct core_poll *const self = &core_state.wait.poll;

int core_poll_start(void)
{
    struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    if (self->own_pipe[0] >= 0)
        return 0;
    if (pipe2(self->own_pipe, O_NONBLOCK | O_CLOEXEC) != 0) {
        int err = errno;
        core_error("cannot make a pipe to wake this PE by: %s", strerror(err));
        return -err;
    }
    /* model: publish.set */
    __atomic_store_n(&own->pipe, self->own_pipe[1], __ATOMIC_RELEASE);
    self->on = true;
    return 0;
}

/* A forked child must not share its parent's pipe. */
void core_poll_restart(void)
{
    if (self->own_pipe[0] < 0)
        return;
    close(self->own_pipe[0]);
    close(self->own_pipe[1]);
    self->own_pipe[0] = self->own_pipe[1] = -1;
    self->on = self->polling = false;
    if (self->also >= 0)
        core_wait_also(self->also);
}

int core_wait_also(int fd)
{
    int err = fd < 0 ? 0 : core_poll_start();
    if (self->also >= 0)
        core_task_watch_no_longer(self->also);
    if (err == 0 && fd >= 0)
        err = core_task_watch(fd); /* a task does not sleep in this file */
    if (err == 0) {
        self->also = fd;
        core_ctrl_of(core_seg->idx)->outside = fd >= 0;
    }
    return err;
}

void core_wait_at_end(void (*call)(void))
{
    core_task_at_end(call);
}

/* A PE that never polls may have to wake one that does. */
static int pipe_of(unsigned slice, const struct core_ctrl *peer)
{
    int *all = core_peer_pipes(&self->peer_pipe, core_seg->header->npes);
    return all ? core_peer_pipe(&all[slice], (int)peer->pid, peer->pipe) : -1;
}

/* After `rung` was raised: the sleeper says that it polls, then reads `rung`. */
void core_poll_ring(unsigned slice)
{
    struct core_ctrl *peer = core_ctrl_of(slice);
    /* model: poll.asks */
    if (MPT_LIKELY(!__atomic_load_n(&peer->polls, __ATOMIC_SEQ_CST)))
        return;
    int fd = slice == core_seg->idx ? self->own_pipe[1] : pipe_of(slice, peer);
    if (fd < 0)
        __atomic_store_n(&peer->deaf, 1, __ATOMIC_RELAXED);
    else if (write(fd, "", 1) < 0 && errno != EAGAIN) /* full: it will wake */
        __atomic_store_n(&peer->deaf, 1, __ATOMIC_RELAXED);
}

static void drain_pipe(void)
{
    char bytes[64];
    while (read(self->own_pipe[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes)
        ;
}

int core_wait_outside(int fds[2])
{
    struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    int err = core_poll_start(), n = 1, net = core_state.rma.net ? core_state.rma.net->wait_fd() : -1;
    if (err != 0)
        return err;
    fds[0] = self->own_pipe[0];
    if (net >= 0)
        fds[n++] = net;
    drain_pipe();
    /* model: poll.says */
    __atomic_store_n(&own->polls, 1, __ATOMIC_SEQ_CST);
    core_ring_bell_next();
    if (core_state.rma.net && !core_state.rma.net->may_sleep() && write(self->own_pipe[1], "", 1) < 0)
        __atomic_store_n(&own->deaf, 1, __ATOMIC_RELAXED);
    return n;
}

static enum core_slept poll_both(const struct core_ctrl *own, uint32_t rung, int64_t ns)
{
    int fd = core_state.rma.net ? core_state.rma.net->wait_fd() : -1;
    struct pollfd p[3] = {{.fd = self->own_pipe[0], .events = POLLIN},
                          {.fd = fd, .events = POLLIN},
                          {.fd = self->also, .events = POLLIN}};
    if (((core_state.rma.net && fd < 0) || __atomic_load_n(&own->deaf, __ATOMIC_RELAXED)) && ns > NAP_NS)
        ns = NAP_NS;
    struct timespec limit = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    /* model: poll.looks */
    if (__atomic_load_n(&own->bell.rung, __ATOMIC_SEQ_CST) != rung ||
        (core_state.rma.net && !core_state.rma.net->may_sleep()))
        return CORE_SLEPT; /* something is there already */
    int n = ppoll(p, 3, &limit, NULL);
    if (p[0].revents)
        drain_pipe();
    return n == 0 ? CORE_SLEPT_OUT : CORE_SLEPT;
}

enum core_slept core_poll_sleep(uint32_t rung, uint64_t ns)
{
    struct core_ctrl *own = core_ctrl_of(core_seg->idx);
    /* model: publish.lock */
    if (__atomic_exchange_n(&self->polling, true, __ATOMIC_ACQUIRE))
        return CORE_SLEPT_NOT;
    /* model: poll.says */
    __atomic_store_n(&own->polls, 1, __ATOMIC_SEQ_CST);
    enum core_slept how = poll_both(own, rung, (int64_t)ns);
    __atomic_store_n(&own->polls, 0, __ATOMIC_RELAXED);
    /* model: publish.unlock */
    __atomic_store_n(&self->polling, false, __ATOMIC_RELEASE);
    return how;
}
