/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks that wait for what rings nobody: a time, a lock of the C library, a descriptor. Each says when it looks next,
 * the sooner the less it has waited. The process sleeps no longer than until the first of these times.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/internal.h"
#include "core/task/host.h"

enum { EVENTS = 32 };
#define FIRST_NS 20000u
#define LAST_NS 4000000u
enum { SHARE = 16 }; /* a look comes late by so much of what has been waited */

/* How long after `since` the next look comes. */
static uint64_t pause_ns(uint64_t since, uint64_t now)
{
    uint64_t ns = (now - since) / SHARE;

    return ns < FIRST_NS ? FIRST_NS : ns < LAST_NS ? ns : LAST_NS;
}

static void ask_at(struct core_task *t, uint64_t when)
{
    struct core_task_host *h = t->host;

    h->asks.asking[t->bit / 64] |= 1ul << t->bit % 64;
    t->again = when;
    if (when < h->again)
        h->again = when;
}

static void doze(void)
{
    core_task_block();
}

void core_task_doze(uint64_t end)
{
    ask_at(core_task_self, end);
    core_task_give_way_by(doze);
}

bool core_task_until(bool (*done)(void *arg), void *arg, uint64_t end)
{
    uint64_t began = core_clock_ns(), now = began, next;

    while (!done(arg)) {
        if (now >= end)
            return false;
        next = now + pause_ns(began, now);
        core_task_doze(next < end ? next : end);
        now = core_clock_ns();
    }
    return true;
}

/* ------------------------------------------------------------ descriptors -- */

int core_task_watch(int fd)
{
    struct core_task *t = core_task_owner;
    struct core_task_asks *a = t ? &t->host->asks : NULL;
    struct epoll_event e = {.events = EPOLLIN};

    if (!t)
        return 0;
    e.data.u64 = (uint64_t)fd << 32 | t->bit;
    if (a->watched <= 0)
        a->watched = epoll_create1(EPOLL_CLOEXEC);
    if (a->watched < 0 || epoll_ctl(a->watched, EPOLL_CTL_ADD, fd, &e) != 0)
        return -errno;
    a->n_watched++;
    a->seen = core_clock_ns();
    t->host->again = 0;
    return 0;
}

void core_task_watch_no_longer(int fd)
{
    struct core_task_asks *a = core_task_owner ? &core_task_owner->host->asks : NULL;

    if (a && a->watched > 0 && epoll_ctl(a->watched, EPOLL_CTL_DEL, fd, NULL) == 0)
        a->n_watched--;
}

void core_task_at_end(void (*call)(void))
{
    if (core_task_owner)
        core_task_owner->at_end = call;
}

/* Returns when the next look is due. */
static uint64_t look_at_watched(struct core_task_host *h, uint64_t now)
{
    struct core_task_asks *a = &h->asks;
    struct epoll_event events[EVENTS];
    int n = epoll_wait(a->watched, events, EVENTS, 0);

    for (int i = 0; i < n; i++) {
        unsigned bit = (uint32_t)events[i].data.u64;

        if (h->tasks[bit].ended) {
            epoll_ctl(a->watched, EPOLL_CTL_DEL, (int)(events[i].data.u64 >> 32), NULL);
            continue;
        }
        core_task_ready(h->board, bit);
        a->seen = now;
    }
    return now + pause_ns(a->seen, now);
}

/* ------------------------------------------------------------- who is due -- */

static void look_at_word(struct core_task_host *h, unsigned w, uint64_t now)
{
    struct core_task_asks *a = &h->asks;
    uint64_t due = 0;

    for (uint64_t rest = a->asking[w]; rest; rest &= rest - 1) {
        unsigned bit = (unsigned)__builtin_ctzl(rest);
        uint64_t again = h->tasks[w * 64 + bit].again;

        if (again <= now)
            due |= 1ul << bit;
        else if (again < h->again)
            h->again = again;
    }
    a->asking[w] &= ~due;
    if (due)
        core_task_ready_all(h->board, w, due);
}

void core_task_ask(struct core_task_host *h)
{
    uint64_t now = core_clock_ns();

    if (now < h->again)
        return;
    h->again = h->asks.n_watched > 0 ? look_at_watched(h, now) : UINT64_MAX;
    for (unsigned w = 0; w < (h->n + 63) / 64; w++)
        look_at_word(h, w, now);
}

uint64_t core_task_ask_ns(const struct core_task_host *h)
{
    uint64_t again = h->again, now = again == UINT64_MAX ? 0 : core_clock_ns();

    return again > now ? again - now : 0;
}
