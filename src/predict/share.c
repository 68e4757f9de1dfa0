/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages under way share the links that they meet on: max-min fair, by progressive filling (all rates grow together
 * until a link is full or a message has its own most; those are fixed, the others go on). When one begins or ends, only
 * those that are connected to it by common links are looked at.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predict/queue.h"
#include "predict/sim.h"

struct flow {
    double left, rate, most, since; /* bytes, bytes/s, when `left` was so */
    int n, link[SIM_PATH];
    unsigned version; /* of its end's entry in the heap */
    bool used, reached, fixed;
};

struct users {
    int *flow, n, room;
    double left; /* bytes/s that no fixed message takes */
    int open;    /* messages that are not fixed */
    bool reached;
};

struct sim_share {
    const struct sim_machine *m;
    struct flow *flow;
    int flows, room, *spare, spares;
    struct users *link;
    int *queue; /* flows that are connected */
    int *dirty, dirties,
        dirty_room; /* links on which something has begun or ended at `now`, since rates were settled */
    double now;
    struct sim_queue ends; /* of messages; those of earlier versions are void */
    int *link_queue, touched; /* links that are connected */
};

struct sim_share *sim_share_new(const struct sim_machine *m)
{
    struct sim_share *s = sim_make(1, sizeof *s);

    s->link = sim_make((size_t)sim_links(m) + 1, sizeof *s->link);
    s->link_queue = sim_make((size_t)sim_links(m) + 1, sizeof *s->link_queue);
    s->m = m;
    return s;
}

void sim_share_free(struct sim_share *s)
{
    for (int i = 0; i < sim_links(s->m); i++)
        free(s->link[i].flow);
    free(s->link);
    free(s->link_queue);
    free(s->flow);
    free(s->spare);
    free(s->queue);
    free(s->dirty);
    free(s->ends.heap);
    free(s);
}

/* -------------------------------------------------------------- the rates -- */

static void reach_link(struct sim_share *s, int link, int *n)
{
    struct users *u = &s->link[link];

    if (u->reached)
        return;
    u->reached = true;
    s->link_queue[s->touched++] = link;
    u->left = sim_link_rate(s->m, link);
    u->open = u->n;
    for (int i = 0; i < u->n; i++) {
        struct flow *f = &s->flow[u->flow[i]];

        if (!f->reached) {
            f->reached = true;
            f->fixed = false;
            s->queue[(*n)++] = u->flow[i];
        }
    }
}

/* The flows that a change at this path concerns, into the queue. */
static int connected(struct sim_share *s, const int *link, int links)
{
    int n = 0;

    for (int i = 0; i < links; i++)
        reach_link(s, link[i], &n);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < s->flow[s->queue[k]].n; i++)
            reach_link(s, s->flow[s->queue[k]].link[i], &n);
    return n;
}

static void fix(struct sim_share *s, int number, double rate, double now)
{
    struct flow *f = &s->flow[number];

    f->left = fmax(0, f->left - f->rate * (now - f->since));
    f->since = now;
    f->rate = rate;
    f->fixed = true;
    for (int i = 0; i < f->n; i++) {
        s->link[f->link[i]].left -= rate;
        s->link[f->link[i]].open--;
    }
    sim_queue_push(&s->ends,
                   (struct sim_event){.when = now + f->left / rate, .number = number, .version = ++f->version});
}

/* The fullest link that still has messages to be fixed, and what each of them gets; -1: there is none. */
static int fullest(const struct sim_share *s, double *share)
{
    int found = -1;

    *share = HUGE_VAL;
    for (int i = 0; i < s->touched; i++) {
        const struct users *u = &s->link[s->link_queue[i]];

        if (u->open > 0 && fmax(u->left, 0) / u->open < *share) {
            *share = fmax(u->left, 0) / u->open;
            found = s->link_queue[i];
        }
    }
    return found;
}

/* Those whose own most is no more than what the fullest link leaves to each. True: there were some. */
static bool fix_slow(struct sim_share *s, int n, int *from, double share, double now)
{
    bool any = false;

    for (; *from < n && s->flow[s->queue[*from]].most <= share; ++*from)
        if (!s->flow[s->queue[*from]].fixed) {
            fix(s, s->queue[*from], s->flow[s->queue[*from]].most, now);
            any = true;
        }
    return any;
}

static int by_most(const void *a, const void *b, void *share)
{
    const struct flow *flow = ((const struct sim_share *)share)->flow;
    int x = *(const int *)a, y = *(const int *)b;

    if (flow[x].most != flow[y].most)
        return flow[x].most < flow[y].most ? -1 : 1;
    return x - y;
}

static void settle(struct sim_share *s, const int *link, int links, double now)
{
    int n, from = 0, full;
    double share;

    s->touched = 0;
    n = connected(s, link, links);
    qsort_r(s->queue, (size_t)n, sizeof *s->queue, by_most, s);
    while ((full = fullest(s, &share)) >= 0) {
        if (fix_slow(s, n, &from, share, now))
            continue;
        struct users *u = &s->link[full];

        for (int i = 0; i < u->n; i++)
            if (!s->flow[u->flow[i]].fixed)
                fix(s, u->flow[i], fmax(share, 1e-3), now);
    }
    for (int i = 0; i < s->touched; i++)
        s->link[s->link_queue[i]].reached = false;
    for (int k = 0; k < n; k++)
        s->flow[s->queue[k]].reached = false;
}

/* ------------------------------------------------------------- what comes next -- */

static void settle_all(struct sim_share *s)
{
    if (s->dirties > 0)
        settle(s, s->dirty, s->dirties, s->now);
    s->dirties = 0;
}

int sim_share_next(struct sim_share *s, double other, double *when)
{
    for (;;) {
        while (s->ends.n > 0 && (!s->flow[s->ends.heap[0].number].used ||
                                 s->flow[s->ends.heap[0].number].version != s->ends.heap[0].version))
            sim_queue_pop(&s->ends);
        if (s->dirties > 0 && !(s->ends.n > 0 && s->ends.heap[0].when <= s->now)) {
            if (other <= s->now)
                return -1; /* it happens at the same time: one look at the rates does for both */
            settle_all(s);
            continue;
        }
        if (s->ends.n == 0 || s->ends.heap[0].when > other)
            return -1;
        *when = s->ends.heap[0].when;
        return s->ends.heap[0].number;
    }
}

static void touch(struct sim_share *s, const int *link, int links, double now)
{
    if (s->dirties > 0 && now > s->now)
        settle_all(s);
    s->now = now;
    if (s->dirties + links > s->dirty_room)
        s->dirty = sim_grow(s->dirty, s->dirty_room = 2 * (s->dirties + links), sizeof *s->dirty);
    memcpy(s->dirty + s->dirties, link, (size_t)links * sizeof *link);
    s->dirties += links;
}

/* ------------------------------------------------------------ begin and end -- */

static int new_flow(struct sim_share *s)
{
    if (s->spares > 0)
        return s->spare[--s->spares];
    if (s->flows == s->room) {
        s->room = 2 * s->room + 64;
        s->flow = sim_grow(s->flow, s->room, sizeof *s->flow);
        s->spare = sim_grow(s->spare, s->room, sizeof *s->spare);
        s->queue = sim_grow(s->queue, s->room, sizeof *s->queue);
    }
    s->flow[s->flows].version = 0;
    return s->flows++;
}

int sim_share_begin(struct sim_share *s, double now, const struct sim_path *path, double bytes, double most)
{
    int number = new_flow(s);
    struct flow *f = &s->flow[number];

    *f = (struct flow){
        .left = bytes, .most = fmin(most, 1e18), .since = now, .n = path->n, .version = f->version, .used = true};
    memcpy(f->link, path->link, (size_t)path->n * sizeof *path->link);
    for (int i = 0; i < path->n; i++) {
        struct users *u = &s->link[path->link[i]];

        if (u->n == u->room)
            u->flow = sim_grow(u->flow, u->room = 2 * u->room + 4, sizeof *u->flow);
        u->flow[u->n++] = number;
    }
    if (path->n == 0)
        fix(s, number, f->most, now);
    else
        touch(s, path->link, path->n, now);
    return number;
}

void sim_share_end(struct sim_share *s, double now, int number)
{
    struct flow *f = &s->flow[number];
    int link[SIM_PATH], n = f->n;

    memcpy(link, f->link, (size_t)n * sizeof *link);
    f->used = false;
    s->spare[s->spares++] = number;
    for (int i = 0; i < n; i++) {
        struct users *u = &s->link[link[i]];
        int k = 0;

        while (u->flow[k] != number)
            k++;
        memmove(&u->flow[k], &u->flow[k + 1], (size_t)(--u->n - k) * sizeof *u->flow);
    }
    if (n > 0)
        touch(s, link, n, now);
}
