/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Do all PEs wait in vain? On one node a supervisor finds out (stall.c). Without one
 * the first PE that waits looks at the others by the same rules; and over several nodes
 * the first PE's lifeline sends a word round the ring, which only PEs that wait pass on.
 * When it has come back some times, each time the same, nothing moves any more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/internal.h"
#include "core/live/life.h"
#include "core/live/supervise.h"

enum {
    NODE_MS = 150,  /* between looks at the PEs of this node */
    RING_MS = 300,  /* between words round the ring */
    CHECK_MS = 1000, /* the same before anybody has left, with MPT_CHECK */
    LOOKS = 4,
};

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

/* A PE that has left or is leaving, -1: none. */
static int someone_leaving(void)
{
    const uint32_t leaving = __atomic_load_n(&core_seg.header->leaving, __ATOMIC_ACQUIRE);
    for (int pe = 0; pe < core_size(); pe++)
        if (core_pe_left(pe))
            return pe;
    return leaving ? core_slice_pe(leaving - 1) : -1;
}

void core_vain_say(int leaver, char *why, size_t n)
{
    if (leaver < 0)
        snprintf(why, n, "deadlock: every PE waits, and for some seconds nothing has come");
    else
        snprintf(why, n, "PE %d on host %s has exited, and all others wait", leaver, core_host(leaver));
}

/* ------------------------------------------------------------- one node -- */

/* Those that still run as processes, and have not left without others to serve; false: one of them has finished, and does
 * as it likes. */
static bool take_stock(struct core_watch *w)
{
    w->alive = 0;
    for (unsigned i = 0; i < w->npes; i++) {
        const struct core_ctrl *c = core_ctrl_of(i);
        bool lives = (c->state != CORE_PE_LEFT || core_net_on) && core_process_alive(c->pid, 0);
        if (lives && c->state == CORE_PE_FINISHED)
            return false;
        w->pids[i] = lives ? c->pid : 0;
        w->alive += lives;
    }
    return w->alive > 0;
}

static bool first_that_waits(void)
{
    for (unsigned i = 0; i < core_seg.idx; i++)
        if (__atomic_load_n(&core_ctrl_of(i)->state, __ATOMIC_ACQUIRE) == CORE_PE_RUNNING)
            return false;
    return true;
}

static struct core_watch *watch_of_node(void)
{
    static struct core_watch w;
    const struct core_header *h = core_seg.header;
    if (!w.pids && (w.pids = calloc(h->npes, sizeof *w.pids)))
        w = (struct core_watch){.header = core_seg.header, .fd = core_seg.fd, .npes = h->npes, .pids = w.pids, .name = "mpt"};
    return w.pids ? &w : NULL;
}

void core_vain_look(const char *where)
{
    static uint64_t next;
    const struct core_header *h = core_seg.header;
    if (h->launcher || core_seg.open || h->npes != (uint32_t)core_size() || !first_that_waits())
        return;
    int leaver = someone_leaving();
    uint64_t now = now_ms();
    if ((leaver < 0 && !core_params.check) || now < next)
        return;
    next = now + (leaver < 0 ? CHECK_MS : NODE_MS);
    struct core_watch *w = watch_of_node();
    char why[160];
    if (!w || !take_stock(w)) {
        if (w)
            w->quiet = 0;
        return;
    }
    if (!core_watch_stalled(w))
        return;
    core_job_be_first();
    core_watch_places(w);
    core_vain_say(leaver, why, sizeof why);
    core_fatal("waits in %s: %s; ending the job", where, why);
}

/* ------------------------------------------------------------- the ring --
 * All of it is the lifeline's thread's. */
static struct {
    uint64_t at, mark; /* of the next word; what the last one came back with */
    unsigned same;     /* words in a row that were alike */
    bool under_way;
} ring;

bool core_vain_waits(uint64_t *mark)
{
    static unsigned long last;
    struct core_ctrl own = *core_ctrl_of(core_seg.idx);
    unsigned long cpu = 0;
    own.where[sizeof own.where - 1] = '\0';
    if (!core_stall_waits(&own, mark, &cpu))
        return false;
    bool idle = cpu - last <= 3;
    last = cpu;
    return idle;
}

int core_vain_next(bool someone_leaves, bool *send)
{
    uint64_t now = now_ms();
    *send = false;
    if (core_me() != 0 || (!someone_leaves && !core_params.check))
        return -1;
    if (now >= ring.at) {
        *send = true;
        if (ring.under_way) /* the last one met somebody who does not wait */
            ring.same = 0;
        ring.under_way = true;
        ring.at = now + (someone_leaves ? RING_MS : CHECK_MS);
    }
    return (int)(ring.at - now);
}

bool core_vain_back(uint64_t mark)
{
    ring.under_way = false;
    ring.same = ring.same && mark == ring.mark ? ring.same + 1 : 1;
    ring.mark = mark;
    return ring.same >= LOOKS;
}
