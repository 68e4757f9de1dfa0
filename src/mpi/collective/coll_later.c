/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking and persistent collectives on one node: the blocking body on a fiber,
 * so that all are one algorithm and equally fast. It begins in the call and goes on
 * as a progress hook.
 *
 * The block that members share serves one collective at a time, so those of a
 * communicator wait for their turn. That holds nobody up for ever: all members
 * start the same ones in the same order, and one that all have started needs
 * nothing more than progress. Tags are taken in the call, not when the turn comes:
 * other collectives by messages may start in between.
 *
 * Persistent ones may be started in any order, each member its own, so each has a
 * block of its own, made when it is first started.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/wait/fiber.h"
#include "mpi/collective/coll_node.h"

enum {
    TAGS = 2, /* making the block, and messages beside it */
    SPARES = 16,
    OWN_BLOCK_MEMBERS = 64, /* who makes a block touches 8 KiB for each member */
};

struct mpii_coll_later {
    struct mpii_hook hook;
    struct mpii_coll_later *next; /* of its communicator; spare */
    struct mpii_request *request; /* NULL: nobody wants to know */
    mpii_coll_done *done;
    struct core_fiber *fiber;
    struct mpii_coll_call call;
    void *arrays; /* counts, displacements and types, which are the user's again */
    uint32_t tags;
    void *block; /* a persistent one's own */
    int error;
};

static struct mpii_coll_later *spares; /* with their fibers */
static int nspares;

bool mpii_coll_later_serves(const struct mpii_coll_call *c, bool persistent)
{
    return c->comm->size > 1 && mpii_node_serves(c) && !(persistent && c->comm->size > OWN_BLOCK_MEMBERS);
}

/* ---- what it keeps of its arguments ---- */

static size_t entries_of(const struct mpii_coll_call *c, const void *array, size_t entry)
{
    return array ? (size_t)c->comm->size * entry : 0;
}

static const void *keep(char **room, const void *array, size_t bytes)
{
    char *kept = *room;

    if (!array)
        return NULL;
    memcpy(kept, array, bytes);
    *room += core_round_up(bytes, 16);
    return kept;
}

static bool keep_arrays(struct mpii_coll_later *l)
{
    struct mpii_coll_call *c = &l->call;
    struct coll_side *sides[] = {&c->data.send, &c->data.recv};
    size_t number = c->wide ? sizeof(MPI_Count) : sizeof(int), all = 0;
    char *room;

    l->arrays = NULL;
    if (!c->data.uneven)
        return true;
    for (int i = 0; i < 2; i++)
        all += entries_of(c, sides[i]->counts, number) + entries_of(c, sides[i]->displs, sizeof(MPI_Count)) +
               entries_of(c, sides[i]->types, sizeof(MPI_Datatype)) + 48;
    l->arrays = room = malloc(all);
    if (!room)
        return false;
    for (int i = 0; i < 2; i++) {
        struct coll_side *s = sides[i];
        size_t displ = c->wide || c->wide_displs ? sizeof(MPI_Count) : sizeof(int);

        s->counts = keep(&room, s->counts, entries_of(c, s->counts, number));
        s->displs = keep(&room, s->displs, entries_of(c, s->displs, displ));
        s->types = keep(&room, s->types, entries_of(c, s->types, sizeof(MPI_Datatype)));
    }
    return true;
}

/* Its types and its operation stay until it is done, whatever the user does. */
static void refer(const struct coll_side *s, int n, void (*what)(struct mpii_type *))
{
    struct mpii_type *t = mpii_side_type(s);
    const MPI_Datatype *types = s->types;

    if (t && !t->basic)
        what(t);
    for (int i = 0; types && i < n; i++)
        if (!mpii_type_of(types[i])->basic)
            what(mpii_type_of(types[i]));
}

static void hold(const struct mpii_coll_call *c)
{
    refer(&c->data.send, c->comm->size, mpii_type_hold);
    refer(&c->data.recv, c->comm->size, mpii_type_hold);
    if (c->op && c->op->function)
        c->op->object.refs++;
}

static void release(const struct mpii_coll_call *c)
{
    refer(&c->data.send, c->comm->size, mpii_type_release);
    refer(&c->data.recv, c->comm->size, mpii_type_release);
    if (c->op && c->op->function)
        mpii_op_release(c->op);
}

/* ---- its life ---- */

static void run(void *arg)
{
    struct mpii_coll_later *l = arg;

    l->error = mpii_coll_body(&l->call);
}

static struct mpii_coll_later *new_one(void)
{
    struct mpii_coll_later *l = spares;

    if (l) {
        spares = l->next;
        nspares--;
        return l;
    }
    l = calloc(1, sizeof *l);
    if (l && !(l->fiber = core_fiber_new())) {
        free(l);
        return NULL;
    }
    return l;
}

static void free_one(struct mpii_coll_later *l)
{
    release(&l->call);
    free(l->arrays);
    if (nspares == SPARES) {
        core_fiber_free(l->fiber);
        free(l);
        return;
    }
    l->next = spares;
    spares = l;
    nspares++;
}

static void report(struct mpii_coll_later *l)
{
    struct coll_unlike *u = l->error == MPI_SUCCESS ? NULL : mpii_node_unlike(&l->call);

    if (l->request)
        l->done(l->request, l->error, u && u->found ? u : NULL);
    if (u)
        u->found = false;
}

/* The first of its communicator has ended. */
static void end(struct mpii_coll_later *l)
{
    struct mpii_comm *comm = l->call.comm;

    comm->later = l->next;
    report(l);
    free_one(l);
    mpii_comm_release(comm);
}

static void step(struct mpii_hook *hook)
{
    struct mpii_coll_later *l = (struct mpii_coll_later *)(void *)hook, *next;

    while (core_fiber_resume(l->fiber)) {
        next = l->next;
        mpii_hook_remove(&l->hook);
        end(l);
        if (!next)
            return;
        l = next;
        mpii_hook_add(&l->hook);
    }
}

static void step_persistent(struct mpii_hook *hook)
{
    struct mpii_coll_later *l = (struct mpii_coll_later *)(void *)hook;

    if (!core_fiber_resume(l->fiber))
        return;
    mpii_hook_remove(&l->hook);
    report(l);
}

struct mpii_coll_later *mpii_coll_later_new(const struct mpii_coll_call *c, struct mpii_request *r, bool persistent,
                                            mpii_coll_done *done)
{
    struct mpii_coll_later *l = new_one();

    if (!l)
        return NULL;
    l->call = *c;
    l->call.tags = &l->tags;
    l->call.block = persistent ? &l->block : NULL;
    l->block = NULL;
    l->request = r;
    l->done = done;
    l->next = NULL;
    if (!keep_arrays(l)) {
        core_fiber_free(l->fiber);
        free(l);
        return NULL;
    }
    hold(&l->call);
    mpii_comm_hold(c->comm);
    if (persistent)
        l->tags = (uint32_t)mpii_coll_tag(c->comm, true);
    l->hook = (struct mpii_hook){.step = persistent ? step_persistent : step};
    return l;
}

static void take_place(struct mpii_coll_later *l)
{
    struct mpii_comm *comm = l->call.comm;

    l->tags = comm->coll_count;
    comm->coll_count += TAGS;
    comm->coll_calls++;
    if (comm->later)
        comm->latest->next = l;
    else
        comm->later = l;
    comm->latest = l;
}

void mpii_coll_later_start(struct mpii_coll_later *l)
{
    core_fiber_set(l->fiber, run, l);
    if (!l->call.block)
        take_place(l);
    if (!l->call.block && l->call.comm->later != l)
        return;
    mpii_hook_add(&l->hook);
    l->hook.step(&l->hook);
}

/* A nonblocking one ends later. So a persistent one would, that is under way; its request cannot be freed. */
void mpii_coll_later_free(struct mpii_coll_later *l)
{
    struct mpii_comm *comm = l->call.comm;

    l->request = NULL;
    if (!l->call.block || l->hook.at)
        return;
    mpii_node_forget(l->block);
    free_one(l);
    mpii_comm_release(comm);
}

void mpii_coll_later_drain(struct mpii_comm *c, const char *where)
{
    struct core_waiter w;

    mpii_wait_begin(&w, where);
    while (c->later)
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
}
