/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With --check: do all ranks call the same collective, with the same root and
 * operation and data of one signature? Each rank tells all others what it calls:
 * if two differ, each rank finds one that differs from it, so the call fails on
 * all of them and nobody is left waiting in it.
 */
#include "mpi/collective/coll_check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/check/finding.h"
#include "core/wait/fiber.h"
#include "mpi/p2p/ahead.h"
#include "mpi/p2p/label.h"

static uint64_t signature_of(struct mpii_part p)
{
    return p.type ? mpii_signature(p.type, p.count) : 0;
}

/* What all ranks describe alike. */
static struct mpii_part data_of(const struct mpii_coll_call *c)
{
    bool root = c->comm->rank == c->data.root;

    if (c->comm->inter || c->data.uneven || c->data.kind == COLL_BARRIER || c->data.kind == COLL_NEIGHBOR_ALLGATHER ||
        c->data.kind == COLL_NEIGHBOR_ALLTOALL)
        return (struct mpii_part){0};
    if (c->data.kind == COLL_GATHER ? !root : c->data.kind == COLL_SCATTER && root)
        return mpii_coll_whole(&c->data.send);
    return mpii_coll_whole(&c->data.recv);
}

static uint64_t given_of(const struct mpii_coll_call *c)
{
    bool all_to_all = c->data.kind == COLL_ALLGATHER || c->data.kind == COLL_ALLTOALL;

    return all_to_all && !c->data.uneven && !c->data.in_place && !c->comm->inter
               ? signature_of(mpii_coll_whole(&c->data.send))
               : 0;
}

/* ---- what two ranks exchange, of forms where that differs from pair to pair ---- */

/* Edges between two ranks belong together in an order that both know; here, in any. `each`: the same goes along all. */
static uint64_t along(const struct mpii_coll_call *c, const struct coll_side *side, bool each, int i)
{
    struct mpii_neighbours n;
    uint64_t sum = 0;

    if (mpii_topo_neighbours(c->comm, &n) != MPI_SUCCESS)
        return 0;
    for (int e = 0; e < (side == &c->data.send ? n.out : n.in); e++) {
        uint64_t one;

        if ((side == &c->data.send ? n.destinations : n.sources)[e] != i)
            continue;
        one = signature_of(each ? mpii_coll_part(c, side, e) : mpii_coll_whole(side));
        if (one == 0)
            return 0;
        sum += (one ^ one >> 29) * 0xbf58476d1ce4e5b9u;
    }
    return sum;
}

static uint64_t sent_to(const struct mpii_coll_call *c, int i)
{
    bool root = c->comm->rank == c->data.root;
    const struct coll_side *from = c->data.in_place ? &c->data.recv : &c->data.send;

    switch (c->data.kind) {
    case COLL_GATHER:
        return i == c->data.root && !root ? signature_of(mpii_coll_whole(&c->data.send)) : 0;
    case COLL_SCATTER:
        return root ? signature_of(mpii_coll_part(c, &c->data.send, i)) : 0;
    case COLL_ALLGATHER:
        return signature_of(c->data.in_place ? mpii_coll_part(c, from, c->comm->rank) : mpii_coll_whole(from));
    case COLL_ALLTOALL:
        return signature_of(mpii_coll_part(c, from, i));
    case COLL_NEIGHBOR_ALLGATHER:
    case COLL_NEIGHBOR_ALLTOALL:
        return along(c, &c->data.send, c->data.kind == COLL_NEIGHBOR_ALLTOALL, i);
    default:
        return 0;
    }
}

static uint64_t taken_from(const struct mpii_coll_call *c, int i)
{
    bool root = c->comm->rank == c->data.root;

    switch (c->data.kind) {
    case COLL_GATHER:
        return root ? signature_of(mpii_coll_part(c, &c->data.recv, i)) : 0;
    case COLL_SCATTER:
        return i == c->data.root && !root ? signature_of(mpii_coll_whole(&c->data.recv)) : 0;
    case COLL_ALLGATHER:
    case COLL_ALLTOALL:
        return signature_of(mpii_coll_part(c, &c->data.recv, i));
    case COLL_NEIGHBOR_ALLGATHER:
    case COLL_NEIGHBOR_ALLTOALL:
        return along(c, &c->data.recv, true, i);
    default:
        return 0;
    }
}

static uint64_t counts_of(const struct mpii_coll_call *c)
{
    uint64_t h = CORE_HASH_BEGIN;

    if (c->data.kind != COLL_REDUCE_SCATTER || !c->data.recv.counts)
        return 0;
    for (int i = 0; i < c->comm->size; i++)
        h = core_hash_word(h, (uint64_t)mpii_int_at(c->data.recv.counts, i, c->wide));
    return h | 1;
}

/* ---- saying it ---- */

static void name_call(struct mpii_saying *s, const char *call)
{
    bool body = strncmp(call, "mpii_", 5) == 0;

    snprintf(s->call, sizeof s->call, "%s%s", body ? "MPI_" : "", body ? call + 5 : call);
}

/* "at all processes" (6.5 to 6.9); elsewhere each says what it likes. */
static bool is_in_place(const struct mpii_coll_call *c)
{
    const bool agreed =
        c->data.kind == COLL_ALLGATHER || c->data.kind == COLL_ALLTOALL || c->data.kind == COLL_ALLREDUCE;

    return agreed && c->data.in_place;
}

static bool is_rooted(enum coll_kind kind)
{
    return kind == COLL_BROADCAST || kind == COLL_GATHER || kind == COLL_SCATTER || kind == COLL_REDUCE;
}

static struct mpii_saying saying_of(const struct mpii_coll_call *c)
{
    struct mpii_part data = data_of(c);
    const struct mpii_type *t = data.type, *element = !t ? NULL : t->element ? t->element : t->basic ? t : NULL;
    struct mpii_saying s = {.root = c->data.root,
                            .rooted = is_rooted(c->data.kind),
                            .in_place = is_in_place(c),
                            .signature = signature_of(data),
                            .given = given_of(c),
                            .counts = counts_of(c),
                            .elements = element && element->size ? data.count * t->size / element->size : data.count,
                            .element = element ? (uint32_t)(uintptr_t)element->handle : 0};

    name_call(&s, c->data.where);
    if (c->op)
        s.op = c->op->function ? c->op->commutes : (int)(uintptr_t)c->op->handle;
    return s;
}

/* What the others have said of their places. */
static void tell_of_meeting(const struct mpii_check *k)
{
    struct mpii_ahead_meeting m = {.request = k->sched ? mpii_sched_watched(k->sched) : NULL,
                                   .call = k->mine[0].call,
                                   .site = k->site,
                                   .event = k->mine[0].event,
                                   .n = k->size,
                                   .procs = k->comm->procs};
    uint32_t *events = m.event ? malloc((size_t)k->size * sizeof *events) : NULL;

    if (!events)
        return;
    for (int i = 0; i < k->size; i++)
        events[i] = i == k->comm->rank && !k->comm->inter ? m.event : k->theirs[i].event;
    m.events = events;
    mpii_ahead_met(&m);
    free(events);
}

static int compare(void *arg)
{
    const struct mpii_check *k = arg;

    if (k->comm->inter) {
        for (int i = 0; i < k->size; i++)
            MPII_TRY(mpii_check_compare_inter(k, i));
        if (!k->mine[0].rooted)
            tell_of_meeting(k);
        return MPI_SUCCESS;
    }
    for (int i = 0; i < k->size; i++)
        if (i != k->comm->rank)
            MPII_TRY(mpii_check_compare(k, i));
    MPII_TRY(mpii_check_own(k));
    tell_of_meeting(k);
    return MPI_SUCCESS;
}

/* Whom this rank tells, and hears of: all others, or all of the other group. */
static int others_of(const struct mpii_comm *comm)
{
    return comm->inter ? comm->nprocs : comm->size;
}

/* Each time that a nonblocking or persistent one begins. */
static int begin(void *arg)
{
    const struct mpii_check *k = arg;
    const uint32_t event = mpii_ahead_begins(mpii_sched_watched(k->sched));

    for (int i = 0; i < k->size; i++)
        k->mine[i].event = event;
    return MPI_SUCCESS;
}

/* Steps by which every rank has what all others say. */
static void add_steps(struct mpii_sched *s, struct mpii_comm *comm, const struct mpii_coll_call *c,
                      const struct mpii_saying *said, uintptr_t site, bool later)
{
    const int size = others_of(comm), rank = comm->rank;
    const size_t each = sizeof said[0];
    uint64_t away;
    struct mpii_check *k = mpii_sched_bytes(s, (MPI_Count)(sizeof *k + (size_t)size * (2 * each + sizeof k->taken[0])));

    if (!k)
        return;
    k->comm = comm;
    k->call = c;
    k->size = size;
    k->site = site;
    k->sched = later ? s : NULL;
    if (later)
        mpii_sched_call(s, begin, k);
    away = mpii_p2p_away(k->site);
    k->mine = (void *)(k + 1);
    k->theirs = k->mine + size;
    k->taken = (void *)(k->theirs + size);
    for (int i = 0; i < size; i++) {
        k->mine[i] = *said;
        k->mine[i].away = away;
        k->mine[i].pair = c && !comm->inter ? sent_to(c, i) : 0;
        k->taken[i] = c && !comm->inter ? taken_from(c, i) : 0;
    }
    for (int i = comm->inter ? 0 : 1; i < size; i++) {
        int from = (rank + size - i) % size, to = comm->inter ? from : (rank + i) % size;

        mpii_sched_recv(s, mpii_part_bytes(&k->theirs[from], (MPI_Count)each), from);
        mpii_sched_send(s, mpii_part_bytes(&k->mine[to], (MPI_Count)each), to);
    }
    mpii_sched_wait_all(s);
    mpii_sched_call(s, compare, k);
}

static bool has_nobody_to_ask(const struct mpii_comm *comm)
{
    return !comm->inter && comm->size < 2;
}

void mpii_coll_check_steps(struct mpii_sched *s, const struct mpii_coll_call *c)
{
    const struct mpii_saying said = saying_of(c);

    if (!has_nobody_to_ask(c->comm))
        add_steps(s, c->comm, c, &said, core_site(), true);
}

static int run_now(struct mpii_comm *comm, const struct mpii_coll_call *c, struct mpii_saying *said, uintptr_t site,
                   const char *call)
{
    struct mpii_sched *s;
    int err;

    said->event = mpii_ahead_posts();
    s = mpii_sched_new(comm, mpii_coll_check_tag(mpii_coll_tag(comm, false)));
    if (!s)
        return mpii_error(comm, MPI_ERR_NO_MEM, call, "out of memory");
    add_steps(s, comm, c, said, site, false);
    err = mpii_sched_run(s, call);
    mpii_sched_free(s);
    return err;
}

/* A thread in a blocking collective, until all members have come. */
struct mpii_inside {
    pthread_t thread;
    uintptr_t site;
    const struct mpii_saying *said;
};

/* No two threads of a process may be in collectives on one communicator: which comes first is a matter of chance. */
static void look_inside(const struct mpii_coll_call *c, const struct mpii_inside *own)
{
    const struct mpii_inside *other = c->comm->inside;
    struct core_finding f;

    if (!other || pthread_equal(other->thread, own->thread))
        return;
    core_finding_begin(&f, CORE_FINDING_COLLECTIVE, "MPI-5.0, 6.14",
                       "%s: another thread of this process is in %s on the same communicator", own->said->call,
                       other->said->call);
    core_finding_advise(&f, "give each thread a communicator of its own (MPI_Comm_dup), or order the threads");
    core_finding_at(&f, mpt_fast.me, own->site, "%s", own->said->call);
    core_finding_at(&f, mpt_fast.me, other->site, "%s, of the other thread", other->said->call);
    core_finding_end(&f);
}

int mpii_coll_check_now(const struct mpii_coll_call *c)
{
    struct mpii_saying said = saying_of(c);
    struct mpii_inside own = {pthread_self(), 0, &said};
    struct mpii_comm *const comm = c->comm;
    int err;

    if (has_nobody_to_ask(comm))
        return MPI_SUCCESS;
    own.site = core_site();
    look_inside(c, &own);
    if (!comm->inside && !core_fiber_running())
        comm->inside = &own;
    err = run_now(comm, c, &said, own.site, c->data.where);
    if (comm->inside == &own)
        comm->inside = NULL;
    return err;
}

/* As a barrier of the call's name, which nobody waits for. */
int mpii_coll_check_begun(struct mpii_comm *c, const char *call)
{
    const struct mpii_coll_call barrier = {.comm = c, .data = {.kind = COLL_BARRIER, .where = call}};
    struct mpii_request *r;
    MPI_Request handle;

    if (c->trouble || c->inter || has_nobody_to_ask(c))
        return MPI_SUCCESS;
    MPII_TRY(mpii_coll_go(&barrier, MPII_COLL_STARTED, &handle));
    r = mpii_request_of(handle);
    r->internal = true;
    if (r->done)
        mpii_request_end(r);
    else
        r->freed = true;
    return MPI_SUCCESS;
}

int mpii_coll_check_call(struct mpii_comm *c, const char *call, int n, const struct mpii_same *values)
{
    struct mpii_saying said = {.root = -1};

    if (c->trouble)
        return MPI_SUCCESS;
    name_call(&said, call);
    for (int i = 0; i < n && i < MPII_AGREED; i++) {
        snprintf(said.agreed[i], sizeof said.agreed[i], "%s", values[i].name);
        said.values[i] = values[i].value;
        said.goes_on[i] = values[i].goes_on;
    }
    return c->inter || has_nobody_to_ask(c) ? MPI_SUCCESS : run_now(c, NULL, &said, core_site(), call);
}
