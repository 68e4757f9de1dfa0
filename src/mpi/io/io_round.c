/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A round of a collective access: for each window a member says what it wants of it
 * and sends it, or gets it; the aggregator puts all pieces together.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/io/io_exchange.h"

void *mpii_io_room(size_t n)
{
    void *p = malloc(n ? n : 1);

    if (!p)
        core_fatal("MPI_File: out of memory in a collective access (%zu bytes)", n);
    return p;
}

int mpii_io_aggregator_rank(const struct mpii_io_exchange *x, int i)
{
    return (int)((int64_t)i * x->c->size / x->aggregators);
}

static struct mpii_io_reach window_of(const struct mpii_io_exchange *x, int aggregator)
{
    MPI_Offset domain = x->base + aggregator * x->domain, low = domain + x->round * x->cb, high = low + x->cb;

    if (high > domain + x->domain)
        high = domain + x->domain;
    return (struct mpii_io_reach){.low = low, .high = high < x->end ? high : x->end};
}

static bool meets(const struct mpii_io_reach *r, const struct mpii_io_reach *window)
{
    return r->bytes > 0 && r->low < window->high && r->high > window->low;
}

/* --------------------------------------------------------------- the member -- */

static bool note_run(void *arg, const struct mpii_io_run *run)
{
    struct mpii_io_peer *p = arg;
    int64_t n = p->list.n++;

    p->list.bytes += run->bytes * run->n;
    if (n < IO_LIST_RUNS)
        p->list.first[n] = *run;
    if (n < IO_LIST_RUNS && !p->more)
        return true;
    if (n >= p->room) {
        struct mpii_io_run *more;

        p->room = p->room ? 2 * p->room : 64;
        more = mpii_io_room((size_t)p->room * sizeof *more);
        memcpy(more, p->more ? p->more : p->list.first, (size_t)n * sizeof *more);
        free(p->more);
        p->more = more;
    }
    p->more[n] = *run;
    return true;
}

static void send(struct mpii_io_exchange *x, const void *at, MPI_Count n, int to, enum mpii_io_kind kind,
                 struct mpii_request **r)
{
    if (mpii_isend(at, n, mpii_type_of(MPI_BYTE), to, x->tag + (int)kind, x->c, MPII_LANE_DATA, MPII_STANDARD, r) !=
        MPI_SUCCESS)
        core_fatal("MPI_File: out of memory for a message");
}

static void receive(struct mpii_io_exchange *x, void *at, MPI_Count n, int from, enum mpii_io_kind kind,
                    struct mpii_request **r)
{
    if (mpii_irecv(at, n, mpii_type_of(MPI_BYTE), from, x->tag + (int)kind, x->c, MPII_LANE_DATA, r) != MPI_SUCCESS)
        core_fatal("MPI_File: out of memory for a message");
}

/* Part [p->at, + p->bytes) of the access as packed bytes. */
static void member_data(struct mpii_io_exchange *x, struct mpii_io_peer *p)
{
    const struct mpii_io_access *a = x->a;

    if (a->from_type->dense) {
        p->data = (char *)a->from + p->at;
        return;
    }
    p->data = mpii_io_room((size_t)p->bytes);
    p->own = true;
    if (a->write)
        mpii_pack(p->data, a->from, a->from_count, a->from_type, p->at, p->bytes);
}

static void ask(struct mpii_io_exchange *x, int i)
{
    const struct mpii_io_view *v = &x->a->f->view;
    struct mpii_io_reach window = window_of(x, i);
    struct mpii_io_peer *p = &x->to[i];
    MPI_Offset last;
    int to = mpii_io_aggregator_rank(x, i);

    if (!meets(&x->own, &window))
        return;
    last = x->a->at + x->a->bytes;
    p->at = mpii_io_view_before(v, window.low, x->a->at, last) - x->a->at;
    p->bytes = mpii_io_view_before(v, window.high, x->a->at + p->at, last) - x->a->at - p->at;
    mpii_io_view_runs(v, x->a->at + p->at, p->bytes, note_run, p);
    send(x, &p->list,
         (MPI_Count)(offsetof(struct mpii_io_list, first) +
                     (size_t)(p->more ? 0 : p->list.n) * sizeof(struct mpii_io_run)),
         to, IO_LIST, &p->requests[0]);
    if (p->list.bytes == 0)
        return;
    member_data(x, p);
    if (p->more)
        send(x, p->more, p->list.n * (MPI_Count)sizeof *p->more, to, IO_RUNS, &p->requests[1]);
    if (x->a->write)
        send(x, p->data, p->bytes, to, IO_DATA, &p->requests[2]);
    else
        receive(x, p->data, p->bytes, to, IO_REPLY, &p->requests[2]);
}

/* ----------------------------------------------------------- the aggregator -- */

/* Which aggregator this member is, or -1. */
static int own_index(const struct mpii_io_exchange *x)
{
    for (int i = 0; i < x->aggregators && x->from; i++)
        if (mpii_io_aggregator_rank(x, i) == x->c->rank)
            return i;
    return -1;
}

static void listen(struct mpii_io_exchange *x)
{
    int own = own_index(x);
    struct mpii_io_reach window;

    if (own < 0)
        return;
    window = window_of(x, own);
    if (window.low < window.high)
        mpii_io_window_open(&x->window, window.low, window.high);
    for (int i = 0; i < x->c->size; i++)
        if (meets(&x->reaches[i], &window))
            receive(x, &x->from[i].list, sizeof x->from[i].list, i, IO_LIST, &x->from[i].requests[0]);
}

void mpii_io_round_bodies(struct mpii_io_exchange *x)
{
    for (int i = 0; i < x->c->size && x->from; i++) {
        struct mpii_io_peer *p = &x->from[i];

        if (!p->requests[0] || p->list.bytes == 0)
            continue;
        if (p->list.n > IO_LIST_RUNS) {
            p->more = mpii_io_room((size_t)p->list.n * sizeof *p->more);
            receive(x, p->more, p->list.n * (MPI_Count)sizeof *p->more, i, IO_RUNS, &p->requests[1]);
        }
        p->data = mpii_io_room((size_t)p->list.bytes);
        p->own = true;
        if (x->a->write)
            receive(x, p->data, p->list.bytes, i, IO_DATA, &p->requests[2]);
    }
}

static const struct mpii_io_run *runs_of(const struct mpii_io_peer *p)
{
    return p->more ? p->more : p->list.first;
}

static void failed(struct mpii_io_exchange *x, int error)
{
    if (error == 0)
        return;
    x->a->os_error = error;
    x->worst = mpii_io_class_of(error);
}

static void serve_writes(struct mpii_io_exchange *x)
{
    for (int i = 0; i < x->c->size; i++)
        if (x->from[i].list.bytes > 0)
            mpii_io_window_put(&x->window, runs_of(&x->from[i]), x->from[i].list.n, x->from[i].data);
    x->a->f->dirty = true;
    failed(x, mpii_io_window_write(&x->window, x->a->f->fd));
}

static void serve_reads(struct mpii_io_exchange *x)
{
    MPI_Offset low = INT64_MAX, high = 0;

    for (int i = 0; i < x->c->size; i++) {
        const struct mpii_io_run *runs = runs_of(&x->from[i]), *last = runs + x->from[i].list.n - 1;

        if (x->from[i].list.bytes == 0)
            continue;
        low = runs->at < low ? runs->at : low;
        if (last->at + (last->n - 1) * last->stride + last->bytes > high)
            high = last->at + (last->n - 1) * last->stride + last->bytes;
    }
    failed(x, mpii_io_window_read(&x->window, x->a->f->fd, low, high));
    for (int i = 0; i < x->c->size; i++) {
        struct mpii_io_peer *p = &x->from[i];

        if (p->list.bytes > 0)
            send(x, p->data, mpii_io_window_get(&x->window, runs_of(p), p->list.n, p->data), i, IO_REPLY,
                 &p->requests[2]);
    }
}

void mpii_io_round_serve(struct mpii_io_exchange *x)
{
    int64_t bytes = 0;

    for (int i = 0; i < x->c->size && x->from; i++)
        bytes += x->from[i].list.bytes;
    if (bytes == 0)
        return;
    if (x->a->write)
        serve_writes(x);
    else
        serve_reads(x);
}

/* ---------------------------------------------------------------- beginning and end -- */

static bool all_done(const struct mpii_io_peer *peers, int n, int first, int last)
{
    for (int i = 0; i < n && peers; i++)
        for (int k = first; k <= last; k++)
            if (peers[i].requests[k] && !peers[i].requests[k]->done)
                return false;
    return true;
}

bool mpii_io_round_arrived(const struct mpii_io_exchange *x, int first, int last)
{
    return all_done(x->from, x->c->size, first, last);
}

bool mpii_io_round_answered(const struct mpii_io_exchange *x)
{
    return all_done(x->to, x->aggregators, 0, 2);
}

static void close_peer(struct mpii_io_exchange *x, struct mpii_io_peer *p, bool member)
{
    for (int k = 0; k < 3; k++) {
        MPI_Count bytes = p->requests[k] ? p->requests[k]->bytes : 0;
        int err = p->requests[k] ? mpii_request_end(p->requests[k]) : MPI_SUCCESS;

        if (err != MPI_SUCCESS)
            x->worst = err;
        if (k < 2 || !member || x->a->write || !p->requests[k])
            continue;
        if (p->own)
            mpii_unpack(x->a->from, x->a->from_count, x->a->from_type, p->at, p->data, bytes);
        x->a->done += bytes;
    }
    if (p->own)
        free(p->data);
    free(p->more);
    memset(p, 0, sizeof *p);
}

void mpii_io_round_close(struct mpii_io_exchange *x)
{
    for (int i = 0; i < x->aggregators; i++)
        close_peer(x, &x->to[i], true);
    for (int i = 0; i < x->c->size && x->from; i++)
        close_peer(x, &x->from[i], false);
    x->round++;
}

void mpii_io_round_open(struct mpii_io_exchange *x)
{
    listen(x);
    for (int i = 0; i < x->aggregators; i++)
        ask(x, i);
}
