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

#include "mpi/collective/coll.h"
#include "mpi/ft/ft.h"
#include "mpi/io/io_exchange.h"

enum {
    LARGE = 65536,   /* pieces of this many bytes, on average, need no help */
    SPARSE = 64,     /* neither do those that cover less than 1 in so many bytes of the range */
    ALIGN = 4096,    /* of domains */
    TAGS = 1 << 28,
};

/* ------------------------------------------------------------------- the plan -- */

static void plan(struct mpii_io_exchange *x)
{
    const struct mpii_io_hints *h = &x->a->f->hints;
    MPI_Count span;

    x->base -= x->base % ALIGN;
    span = x->end - x->base;
    x->aggregators = (int)(h->cb_nodes < x->c->size ? h->cb_nodes : x->c->size);
    x->domain = (span / x->aggregators / ALIGN + 1) * ALIGN;
    x->cb = h->cb_buffer_size < x->domain ? h->cb_buffer_size : x->domain;
    x->rounds = (x->domain + x->cb - 1) / x->cb;
    x->to = mpii_io_room((size_t)x->aggregators * sizeof *x->to);
    memset(x->to, 0, (size_t)x->aggregators * sizeof *x->to);
    for (int i = 0; i < x->aggregators; i++) {
        if (mpii_io_aggregator_rank(x, i) != x->c->rank)
            continue;
        x->from = mpii_io_room((size_t)x->c->size * sizeof *x->from);
        memset(x->from, 0, (size_t)x->c->size * sizeof *x->from);
        if (!mpii_io_window_new(&x->window, x->cb))
            core_fatal("MPI_File: no memory for a buffer of %lld bytes (hint cb_buffer_size)", (long long)x->cb);
    }
}

/* The same answer on all members. */
static bool worth_it(struct mpii_io_exchange *x)
{
    const struct mpii_file *f = x->a->f;
    int64_t wish = x->a->write ? f->hints.cb_write : f->hints.cb_read, bytes = 0, blocks = 0;
    bool interleaved = false, jumps = false;

    x->base = INT64_MAX;
    x->end = 0;
    for (int i = 0; i < x->c->size; i++) {
        const struct mpii_io_reach *r = &x->reaches[i];

        if (r->bytes == 0)
            continue;
        jumps |= r->jumps;
        interleaved |= r->low < x->end;
        bytes += r->bytes;
        blocks += r->blocks;
        x->base = r->low < x->base ? r->low : x->base;
        x->end = r->high > x->end ? r->high : x->end;
    }
    if (bytes == 0 || jumps || wish == IO_DISABLE || f->atomic || bytes < (x->end - x->base) / SPARSE)
        return false;
    return wish == IO_ENABLE || (interleaved && bytes / blocks < LARGE);
}

/* -------------------------------------------------------------------- stages -- */

static void begin(struct mpii_io_exchange *x)
{
    if (worth_it(x)) {
        plan(x);
        x->stage = ROUND;
        return;
    }
    mpii_io_move(x->a);
    x->stage = DONE;
}

static void conclude(struct mpii_io_exchange *x)
{
    if (x->worst == MPI_SUCCESS && x->a->write)
        x->a->done = x->a->bytes;
    if (x->worst != MPI_SUCCESS)
        x->a->error = (int)x->worst;
    x->stage = DONE;
}

/* A member is dead, or the file revoked: what is under way ends (send.c, recv.c), and no more begins. */
static bool give_up(struct mpii_io_exchange *x)
{
    if ((x->stage == MEET && !mpii_sched_step(x->meet)) || (x->stage == VERDICT && !mpii_sched_step(x->verdict)))
        return false;
    if (!mpii_io_round_arrived(x, 0, 2) || !mpii_io_round_answered(x))
        return false;
    mpii_io_round_close(x);
    x->a->error = mpii_ft_error(x->c);
    x->stage = DONE;
    return true;
}

bool mpii_io_exchange_step(struct mpii_io_exchange *x)
{
    if (MPT_UNLIKELY(x->c->trouble != 0) && x->stage != DONE)
        return give_up(x);
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
                mpii_io_round_open(x);
            break;
        case LISTS:
            if (!mpii_io_round_arrived(x, 0, 0))
                return false;
            mpii_io_round_bodies(x);
            x->stage = BODIES;
            break;
        case BODIES:
            if (!mpii_io_round_arrived(x, 1, 2))
                return false;
            mpii_io_round_serve(x);
            x->stage = REPLIES;
            break;
        case REPLIES:
            if (!mpii_io_round_arrived(x, 0, 2) || !mpii_io_round_answered(x))
                return false;
            mpii_io_round_close(x);
            x->stage = ROUND;
            break;
        case VERDICT:
            if (!mpii_sched_step(x->verdict))
                return false;
            conclude(x);
            break;
        case DONE:
            return true;
        }
    }
}

/* ---------------------------------------------------------------------- life -- */

static void measure(struct mpii_io_exchange *x)
{
    const struct mpii_io_access *a = x->a;
    const struct mpii_io_view *v = &a->f->view;
    struct mpii_io_span span;

    x->own.bytes = v->layout->size > 0 && a->error == MPI_SUCCESS ? a->bytes : 0;
    if (x->own.bytes == 0)
        return;
    span = mpii_io_view_span(v, a->at, a->bytes);
    x->own.low = span.low;
    x->own.high = span.high;
    x->own.jumps = !mpii_io_view_rises(v, a->at, a->bytes);
    x->own.blocks = v->run ? a->bytes / v->run + 1 : 1;
}

/* Both meetings take their tags now: other accesses may end in another order. Programs let MPI_File_write_all on one
 * process meet MPI_File_write_at_all on another (PnetCDF does). */
static bool prepare(struct mpii_io_exchange *x)
{
    uint8_t what = x->a->write ? MPII_WHAT_WRITE : MPII_WHAT_READ;
    struct mpii_part own = mpii_part_bytes(&x->own, sizeof x->own), all = mpii_part_bytes(x->reaches, sizeof x->own);
    struct mpii_coll_call meet = {
        .data = {.kind = COLL_ALLGATHER,
                 .what = what,
                 .where = "MPI_File",
                 .send = {.buf = own.at, .count = own.count, .layout = &own.type->layout},
                 .recv = {.buf = all.at, .count = all.count, .layout = &all.type->layout}},
        .comm = x->c,
    };
    struct mpii_coll_call verdict = {
        .data = {.kind = COLL_ALLREDUCE,
                 .what = what,
                 .where = "MPI_File",
                 .in_place = true,
                 .recv = {.buf = &x->worst, .count = 1, .layout = &mpii_type_of(MPI_INT64_T)->layout}},
        .comm = x->c,
        .op = mpii_op_of(MPI_MAX),
    };

    x->meet = mpii_coll_schedule(&meet, mpii_coll_tag(x->c, false), false);
    x->verdict = mpii_coll_schedule(&verdict, mpii_coll_tag(x->c, false), false);
    if (!x->meet || !x->verdict)
        return false;
    mpii_sched_rewind(x->meet);
    mpii_sched_rewind(x->verdict);
    return true;
}

struct mpii_io_exchange *mpii_io_exchange_new(struct mpii_file *f, struct mpii_io_access *a)
{
    struct mpii_io_exchange *x = calloc(1, sizeof *x);

    if (!x)
        return NULL;
    x->a = a;
    x->c = f->comm;
    if (f->comm->size == 1) {
        mpii_io_move(a);
        x->stage = DONE;
        return x;
    }
    x->tag = (int)(f->exchanges++ % (TAGS / IO_KINDS)) * IO_KINDS;
    measure(x);
    x->reaches = malloc((size_t)f->comm->size * sizeof *x->reaches);
    if (x->reaches && prepare(x))
        return x;
    mpii_io_exchange_free(x);
    return NULL;
}

void mpii_io_exchange_free(struct mpii_io_exchange *x)
{
    if (!x)
        return;
    mpii_sched_free(x->meet);
    mpii_sched_free(x->verdict);
    mpii_io_window_free(&x->window);
    free(x->reaches);
    free(x->to);
    free(x->from);
    free(x);
}
