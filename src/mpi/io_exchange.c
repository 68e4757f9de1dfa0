/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective transfers in two phases. The range that all members touch is cut into
 * domains, one for each aggregator, which goes through its domain window by window:
 * members say what they want of the window and send it (or get it), the aggregator
 * reads or writes it in large pieces. Where pieces are large anyhow, or do not
 * interleave, everybody moves its own.
 *
 * A resumable step serves blocking and nonblocking calls. Rounds follow each other
 * on each member; messages of a round match in order, as all members know from the
 * first meeting who takes part in which window.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/coll.h"
#include "mpi/io_window.h"

enum {
    LARGE = 65536,   /* pieces of this many bytes, on average, need no help */
    SPARSE = 64,     /* neither do those that cover less than 1 in so many bytes of the range */
    ALIGN = 4096,    /* of domains */
    TAGS = 1 << 28,
    KINDS = 4,       /* tags of a call */
};
enum kind { LIST, RUNS, DATA, REPLY };

/* What a member touches of the file. */
struct reach { int64_t low, high, bytes, blocks; };

/* One side of what passes between a member and an aggregator in a round. */
struct peer {
    struct io_list list;
    struct io_run *more; /* all runs, when the list has no room */
    MPI_Count room;      /* of more */
    char *data;
    bool own;            /* data is ours to free */
    MPI_Offset at;       /* member's: first byte of the access, and how many */
    MPI_Count bytes;
    struct mpii_request *requests[3]; /* list, runs, data */
};

enum stage { MEET, ROUND, LISTS, BODIES, REPLIES, VERDICT, DONE };

struct io_exchange {
    struct io_access *a;
    struct mpii_comm *c;
    enum stage stage;
    struct mpii_sched *meet, *verdict;
    struct reach *reaches; /* of all members */
    struct reach own;
    int64_t worst;         /* class */
    int tag;
    int aggregators;
    MPI_Offset base, end;  /* of the range */
    MPI_Count domain, cb, round, rounds;
    struct peer *to;       /* by aggregator: this member's part */
    struct peer *from;     /* by member: of this aggregator */
    struct io_window window;
};

static void *room(size_t n)
{
    void *p = malloc(n ? n : 1);

    if (!p)
        core_fatal("MPI_File: out of memory in a collective access (%zu bytes)", n);
    return p;
}

/* ------------------------------------------------------------------- the plan -- */

static int aggregator_rank(const struct io_exchange *x, int i)
{
    return (int)((int64_t)i * x->c->size / x->aggregators);
}

static struct reach window_of(const struct io_exchange *x, int aggregator)
{
    MPI_Offset domain = x->base + aggregator * x->domain, low = domain + x->round * x->cb, high = low + x->cb;

    if (high > domain + x->domain)
        high = domain + x->domain;
    return (struct reach){.low = low, .high = high < x->end ? high : x->end};
}

static bool meets(const struct reach *r, const struct reach *window)
{
    return r->bytes > 0 && r->low < window->high && r->high > window->low;
}

static void plan(struct io_exchange *x)
{
    const struct io_hints *h = &x->a->f->hints;
    MPI_Count span;

    x->base -= x->base % ALIGN;
    span = x->end - x->base;
    x->aggregators = (int)(h->cb_nodes < x->c->size ? h->cb_nodes : x->c->size);
    x->domain = (span / x->aggregators / ALIGN + 1) * ALIGN;
    x->cb = h->cb_buffer_size < x->domain ? h->cb_buffer_size : x->domain;
    x->rounds = (x->domain + x->cb - 1) / x->cb;
    x->to = room((size_t)x->aggregators * sizeof *x->to);
    memset(x->to, 0, (size_t)x->aggregators * sizeof *x->to);
    for (int i = 0; i < x->aggregators; i++) {
        if (aggregator_rank(x, i) != x->c->rank)
            continue;
        x->from = room((size_t)x->c->size * sizeof *x->from);
        memset(x->from, 0, (size_t)x->c->size * sizeof *x->from);
        if (!io_window_new(&x->window, x->cb))
            core_fatal("MPI_File: no memory for a buffer of %lld bytes (hint cb_buffer_size)", (long long)x->cb);
    }
}

/* The same answer on all members. */
static bool worth_it(struct io_exchange *x)
{
    const struct mpii_file *f = x->a->f;
    int64_t wish = x->a->write ? f->hints.cb_write : f->hints.cb_read, bytes = 0, blocks = 0;
    bool interleaved = false;

    x->base = INT64_MAX;
    x->end = 0;
    for (int i = 0; i < x->c->size; i++) {
        const struct reach *r = &x->reaches[i];

        if (r->bytes == 0)
            continue;
        interleaved |= r->low < x->end;
        bytes += r->bytes;
        blocks += r->blocks;
        x->base = r->low < x->base ? r->low : x->base;
        x->end = r->high > x->end ? r->high : x->end;
    }
    if (bytes == 0 || wish == IO_DISABLE || f->atomic || bytes < (x->end - x->base) / SPARSE)
        return false;
    return wish == IO_ENABLE || (interleaved && bytes / blocks < LARGE);
}

/* --------------------------------------------------------------- the member -- */

static bool note_run(void *arg, const struct io_run *run)
{
    struct peer *p = arg;
    int64_t n = p->list.n++;

    p->list.bytes += run->bytes * run->n;
    if (n < IO_LIST_RUNS)
        p->list.first[n] = *run;
    if (n < IO_LIST_RUNS && !p->more)
        return true;
    if (n >= p->room) {
        struct io_run *more;

        p->room = p->room ? 2 * p->room : 64;
        more = room((size_t)p->room * sizeof *more);
        memcpy(more, p->more ? p->more : p->list.first, (size_t)n * sizeof *more);
        free(p->more);
        p->more = more;
    }
    p->more[n] = *run;
    return true;
}

static void send(struct io_exchange *x, const void *at, MPI_Count n, int to, enum kind kind, struct mpii_request **r)
{
    if (mpii_isend(at, n, mpii_type_of(MPI_BYTE), to, x->tag + (int)kind, x->c, MPII_LANE_DATA, MPII_STANDARD, r) != MPI_SUCCESS)
        core_fatal("MPI_File: out of memory for a message");
}

static void receive(struct io_exchange *x, void *at, MPI_Count n, int from, enum kind kind, struct mpii_request **r)
{
    if (mpii_irecv(at, n, mpii_type_of(MPI_BYTE), from, x->tag + (int)kind, x->c, MPII_LANE_DATA, r) != MPI_SUCCESS)
        core_fatal("MPI_File: out of memory for a message");
}

/* Part [p->at, + p->bytes) of the access as packed bytes. */
static void member_data(struct io_exchange *x, struct peer *p)
{
    const struct io_access *a = x->a;

    if (a->from_type->dense) {
        p->data = (char *)a->from + p->at;
        return;
    }
    p->data = room((size_t)p->bytes);
    p->own = true;
    if (a->write)
        mpii_pack(p->data, a->from, a->from_count, a->from_type, p->at, p->bytes);
}

static void ask(struct io_exchange *x, int i)
{
    const struct io_view *v = &x->a->f->view;
    struct reach window = window_of(x, i);
    struct peer *p = &x->to[i];
    MPI_Offset first, end;
    int to = aggregator_rank(x, i);

    if (!meets(&x->own, &window))
        return;
    first = io_view_before(v, window.low) - x->a->at;
    end = io_view_before(v, window.high) - x->a->at;
    p->at = first > 0 ? first : 0;
    p->bytes = (end < x->a->bytes ? end : x->a->bytes) - p->at;
    io_view_runs(v, x->a->at + p->at, p->bytes, note_run, p);
    send(x, &p->list, (MPI_Count)(offsetof(struct io_list, first) + (size_t)(p->more ? 0 : p->list.n) * sizeof(struct io_run)), to, LIST,
         &p->requests[0]);
    if (p->list.bytes == 0)
        return;
    member_data(x, p);
    if (p->more)
        send(x, p->more, p->list.n * (MPI_Count)sizeof *p->more, to, RUNS, &p->requests[1]);
    if (x->a->write)
        send(x, p->data, p->bytes, to, DATA, &p->requests[2]);
    else
        receive(x, p->data, p->bytes, to, REPLY, &p->requests[2]);
}

/* ----------------------------------------------------------- the aggregator -- */

/* Which aggregator this member is, or -1. */
static int own_index(const struct io_exchange *x)
{
    for (int i = 0; i < x->aggregators && x->from; i++)
        if (aggregator_rank(x, i) == x->c->rank)
            return i;
    return -1;
}

static void listen(struct io_exchange *x)
{
    int own = own_index(x);
    struct reach window;

    if (own < 0)
        return;
    window = window_of(x, own);
    if (window.low < window.high)
        io_window_open(&x->window, window.low, window.high);
    for (int i = 0; i < x->c->size; i++)
        if (meets(&x->reaches[i], &window))
            receive(x, &x->from[i].list, sizeof x->from[i].list, i, LIST, &x->from[i].requests[0]);
}

static void listen_more(struct io_exchange *x)
{
    for (int i = 0; i < x->c->size && x->from; i++) {
        struct peer *p = &x->from[i];

        if (!p->requests[0] || p->list.bytes == 0)
            continue;
        if (p->list.n > IO_LIST_RUNS) {
            p->more = room((size_t)p->list.n * sizeof *p->more);
            receive(x, p->more, p->list.n * (MPI_Count)sizeof *p->more, i, RUNS, &p->requests[1]);
        }
        p->data = room((size_t)p->list.bytes);
        p->own = true;
        if (x->a->write)
            receive(x, p->data, p->list.bytes, i, DATA, &p->requests[2]);
    }
}

static const struct io_run *runs_of(const struct peer *p)
{
    return p->more ? p->more : p->list.first;
}

static void failed(struct io_exchange *x, int error)
{
    if (error == 0)
        return;
    x->a->os_error = error;
    x->worst = io_class_of(error);
}

static void serve_writes(struct io_exchange *x)
{
    for (int i = 0; i < x->c->size; i++)
        if (x->from[i].list.bytes > 0)
            io_window_put(&x->window, runs_of(&x->from[i]), x->from[i].list.n, x->from[i].data);
    failed(x, io_window_write(&x->window, x->a->f->fd));
}

static void serve_reads(struct io_exchange *x)
{
    MPI_Offset low = INT64_MAX, high = 0;

    for (int i = 0; i < x->c->size; i++) {
        const struct io_run *runs = runs_of(&x->from[i]), *last = runs + x->from[i].list.n - 1;

        if (x->from[i].list.bytes == 0)
            continue;
        low = runs->at < low ? runs->at : low;
        if (last->at + (last->n - 1) * last->stride + last->bytes > high)
            high = last->at + (last->n - 1) * last->stride + last->bytes;
    }
    failed(x, io_window_read(&x->window, x->a->f->fd, low, high));
    for (int i = 0; i < x->c->size; i++) {
        struct peer *p = &x->from[i];

        if (p->list.bytes > 0)
            send(x, p->data, io_window_get(&x->window, runs_of(p), p->list.n, p->data), i, REPLY, &p->requests[2]);
    }
}

static void serve(struct io_exchange *x)
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

/* -------------------------------------------------------------------- rounds -- */

static bool all_done(struct peer *peers, int n, int first, int last)
{
    for (int i = 0; i < n && peers; i++)
        for (int k = first; k <= last; k++)
            if (peers[i].requests[k] && !peers[i].requests[k]->done)
                return false;
    return true;
}

static void close_peer(struct io_exchange *x, struct peer *p, bool member)
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

static void close_round(struct io_exchange *x)
{
    for (int i = 0; i < x->aggregators; i++)
        close_peer(x, &x->to[i], true);
    for (int i = 0; i < x->c->size && x->from; i++)
        close_peer(x, &x->from[i], false);
    x->round++;
}

static void open_round(struct io_exchange *x)
{
    listen(x);
    for (int i = 0; i < x->aggregators; i++)
        ask(x, i);
}

static void begin(struct io_exchange *x)
{
    if (worth_it(x)) {
        plan(x);
        x->stage = ROUND;
        return;
    }
    io_move(x->a);
    x->stage = DONE;
}

static void conclude(struct io_exchange *x)
{
    if (x->worst == MPI_SUCCESS && x->a->write)
        x->a->done = x->a->bytes;
    if (x->worst != MPI_SUCCESS)
        x->a->error = (int)x->worst;
    x->stage = DONE;
}

bool io_exchange_step(struct io_exchange *x)
{
    for (;;) {
        switch (x->stage) {
        case MEET:
            if (!mpii_sched_step(x->meet))
                return false;
            begin(x);
            break;
        case ROUND:
            x->stage = x->round < x->rounds ? LISTS : VERDICT;
            if (x->stage == LISTS)
                open_round(x);
            break;
        case LISTS:
            if (!all_done(x->from, x->c->size, 0, 0))
                return false;
            listen_more(x);
            x->stage = BODIES;
            break;
        case BODIES:
            if (!all_done(x->from, x->c->size, 1, 2))
                return false;
            serve(x);
            x->stage = REPLIES;
            break;
        case REPLIES:
            if (!all_done(x->from, x->c->size, 0, 2) || !all_done(x->to, x->aggregators, 0, 2))
                return false;
            close_round(x);
            x->stage = ROUND;
            break;
        case VERDICT:
            if (!mpii_sched_step(x->verdict))
                return false;
            conclude(x);
            break;
        case DONE: return true;
        }
    }
}

/* ---------------------------------------------------------------------- life -- */

static void measure(struct io_exchange *x)
{
    const struct io_access *a = x->a;
    const struct io_view *v = &a->f->view;

    x->own.bytes = v->layout->size > 0 && a->error == MPI_SUCCESS ? a->bytes : 0;
    if (x->own.bytes == 0)
        return;
    x->own.low = io_view_locate(v, a->at);
    x->own.high = io_view_locate(v, a->at + a->bytes - 1) + 1;
    x->own.blocks = v->run ? a->bytes / v->run + 1 : 1;
}

/* Both meetings take their tags now: other accesses may end in another order. */
static bool prepare(struct io_exchange *x)
{
    struct mpii_part own = mpii_part_bytes(&x->own, sizeof x->own), all = mpii_part_bytes(x->reaches, sizeof x->own);
    struct mpii_coll_call meet = {.kind = MPII_ALLGATHER, .comm = x->c, .call = "MPI_File",
                                  .send = {.buf = own.at, .count = own.count, .type = own.type},
                                  .recv = {.buf = all.at, .count = all.count, .type = all.type}};
    struct mpii_coll_call verdict = {.kind = MPII_ALLREDUCE, .comm = x->c, .call = "MPI_File", .in_place = true, .op = mpii_op_of(MPI_MAX),
                                     .recv = {.buf = &x->worst, .count = 1, .type = mpii_type_of(MPI_INT64_T)}};

    x->meet = mpii_coll_schedule(&meet, mpii_coll_tag(x->c, false), false);
    x->verdict = mpii_coll_schedule(&verdict, mpii_coll_tag(x->c, false), false);
    if (!x->meet || !x->verdict)
        return false;
    mpii_sched_rewind(x->meet);
    mpii_sched_rewind(x->verdict);
    return true;
}

struct io_exchange *io_exchange_new(struct mpii_file *f, struct io_access *a)
{
    struct io_exchange *x = calloc(1, sizeof *x);

    if (!x)
        return NULL;
    x->a = a;
    x->c = f->comm;
    if (f->comm->size == 1) {
        io_move(a);
        x->stage = DONE;
        return x;
    }
    x->tag = (int)(f->exchanges++ % (TAGS / KINDS)) * KINDS;
    measure(x);
    x->reaches = malloc((size_t)f->comm->size * sizeof *x->reaches);
    if (x->reaches && prepare(x))
        return x;
    io_exchange_free(x);
    return NULL;
}

void io_exchange_free(struct io_exchange *x)
{
    if (!x)
        return;
    mpii_sched_free(x->meet);
    mpii_sched_free(x->verdict);
    io_window_free(&x->window);
    free(x->reaches);
    free(x->to);
    free(x->from);
    free(x);
}
