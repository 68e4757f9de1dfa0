/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which processes have died, as far as this one knows, and what follows: communicators with a dead
 * member are in trouble, requests that cannot be done end with an error.
 */
#include <stdlib.h>
#include <string.h>

#include "core/live/dead.h"
#include "mpi/ft/ft.h"
#include "mpi/rt/inbox.h"

static struct mpii_ft_known *const known = &mpii_state.ft.known;

void mpii_ft_begin(void)
{
    mpii_state.ft.on = true;
    mpii_state.rt.above.look = mpii_ft_look;
}

void mpii_ft_end(void)
{
    mpii_state.ft.on = false;
    mpii_state.rt.above.look = NULL;
}

/* ------------------------------------------------------------- the dead -- */

bool mpii_ft_is_dead(int proc)
{
    return proc >= 0 && proc < known->room && known->dead[proc];
}

static void add(int proc)
{
    if (proc >= known->room) {
        int room = proc < core_size() ? core_size() : proc + 16;
        unsigned char *dead = realloc(known->dead, (size_t)room);
        int *order = realloc(known->order, (size_t)room * sizeof *order);

        if (!dead || !order)
            core_fatal("out of memory for the list of processes that have died");
        memset(dead + known->room, 0, (size_t)(room - known->room));
        known->dead = dead;
        known->order = order;
        known->room = room;
    }
    if (known->dead[proc])
        return;
    known->dead[proc] = 1;
    known->order[known->n++] = proc;
    known->news = true;
}

static int find(const struct mpii_group *g, int proc)
{
    return g ? mpii_group_find(g, proc) : MPI_UNDEFINED;
}

static bool is_member(const struct mpii_comm *c, int proc)
{
    return find(c->group, proc) != MPI_UNDEFINED || find(c->remote, proc) != MPI_UNDEFINED;
}

int mpii_ft_failed(const struct mpii_comm *c, int *procs)
{
    int n = 0;

    for (int i = 0; i < known->n; i++) {
        if (!is_member(c, known->order[i]))
            continue;
        if (procs)
            procs[n] = known->order[i];
        n++;
    }
    return n;
}

/* ------------------------------------------------------ communicators -- */

void mpii_ft_trouble(struct mpii_comm *c, uint8_t what)
{
    c->trouble |= what;
    c->fast = 0;
    if (c->local) { /* else the others of this side would wait for whoever has seen that the other side fails */
        c->local->trouble |= what & (MPII_REVOKED | MPII_FAILED);
        c->local->fast = 0;
    }
}

/* Who may send here is in `procs`, of an intercommunicator the other side. */
static void look_at(struct mpii_comm *c)
{
    bool unacked = false;
    int member = 0;

    for (int i = 0; i < known->n; i++) {
        if (!is_member(c, known->order[i]))
            continue;
        member++;
        unacked |= member > c->acked && find(c->remote ? c->remote : c->group, known->order[i]) != MPI_UNDEFINED;
    }
    c->trouble &= (uint8_t)~MPII_UNACKED;
    if (member > 0)
        mpii_ft_trouble(c, (uint8_t)(MPII_FAILED | (unacked ? MPII_UNACKED : 0)));
}

void mpii_ft_made(struct mpii_comm *c)
{
    if (known->n > 0)
        look_at(c);
    mpii_state.ft.above.made(c);
}

void mpii_ft_each_comm(void (*f)(struct mpii_comm *c))
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[MPII_COMM];

    for (size_t at = 0; at < pool->used; at += pool->slot) {
        struct mpii_comm *c = (void *)(pool->base + at);

        if (c->anchor.object.kind == MPII_COMM || c->anchor.object.kind == MPII_UNBORN)
            f(c);
    }
}

/* Those that were freed, too, live on in their requests. */
void mpii_ft_each_request(void (*f)(struct mpii_request *r))
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[MPII_REQUEST];

    for (size_t at = 0; at < pool->used; at += pool->slot) {
        struct mpii_request *r = (void *)(pool->base + at);

        if (r->object.kind == MPII_REQUEST && r->comm)
            f(r);
    }
}

static void look_at_freed(struct mpii_request *r)
{
    if (r->comm->freed)
        look_at(r->comm);
}

static void tell_request(struct mpii_request *r)
{
    if (!r->done && r->ops->troubled && r->comm->trouble)
        r->ops->troubled(r);
}

void mpii_ft_tell(void)
{
    mpii_ft_each_request(tell_request);
    mpii_state.ft.above.windows();
}

/* ------------------------------------------------------------------ news -- */

/* What the dead have sent comes first. Another thread may be handling some of it just now. */
static void drain(void)
{
    enum { ROUNDS = 256 };

    for (int i = 0; i < ROUNDS && core_progress() > 0; i++)
        ;
    mpii_inbox_look();
}

static void take_count(uint32_t count)
{
    if (!core_process_single() && !known->news) { /* once more, when the other thread has gone on */
        drain();
        if (known->told != count) {
            known->told = count;
            return;
        }
    }
    known->seen = count;
    drain();
    for (int pe = 0; pe < core_size(); pe++)
        if (core_pe_dead(pe))
            add(pe);
}

void mpii_ft_look(void)
{
    uint32_t count = core_dead_count();

    if (MPT_LIKELY(count == known->seen && !known->news) || known->busy)
        return;
    known->busy = true;
    if (count != known->seen)
        take_count(count);
    while (known->news) {
        known->news = false;
        mpii_ft_each_comm(look_at);
        mpii_ft_each_request(look_at_freed);
        mpii_ft_tell();
        mpii_state.ft.above.died();
    }
    known->busy = false;
}

void mpii_ft_look_again(void)
{
    known->news = true;
}

void mpii_ft_foreign_died(int proc)
{
    add(proc);
}

/* ------------------------------------------------- what it means for calls -- */

int mpii_ft_error(const struct mpii_comm *c)
{
    return c->trouble & MPII_REVOKED ? MPIX_ERR_REVOKED : c->trouble & MPII_FAILED ? MPIX_ERR_PROC_FAILED : MPI_SUCCESS;
}

int mpii_ft_send_error(const struct mpii_comm *c, int proc)
{
    return c->trouble & MPII_REVOKED ? MPIX_ERR_REVOKED : mpii_ft_is_dead(proc) ? MPIX_ERR_PROC_FAILED : MPI_SUCCESS;
}

int mpii_ft_recv_error(const struct mpii_comm *c, int source)
{
    if (source == MPI_ANY_SOURCE && !(c->trouble & MPII_REVOKED))
        return c->trouble & MPII_UNACKED ? MPIX_ERR_PROC_FAILED_PENDING : MPI_SUCCESS;
    return source == MPI_ANY_SOURCE ? MPIX_ERR_REVOKED : mpii_ft_send_error(c, c->procs[source]);
}

int mpii_ft_raise(void *object, int error, const char *call)
{
    switch (error) {
    case MPIX_ERR_REVOKED:
        return mpii_error(object, error, call, "the communicator has been revoked");
    case MPIX_ERR_PROC_FAILED_PENDING:
        return mpii_error(object, error, call,
                          "a process that might have sent has died, and MPIX_Comm_failure_ack was not called since");
    default:
        return mpii_error(object, error, call, "a process that is needed has died");
    }
}

static void forgive(struct mpii_request *r)
{
    if (!r->done || r->error != MPIX_ERR_PROC_FAILED_PENDING || r->comm->trouble & MPII_UNACKED)
        return;
    r->done = false;
    r->error = MPI_SUCCESS;
}

void mpii_ft_ack(struct mpii_comm *c, int n)
{
    int failed = mpii_ft_failed(c, NULL);

    if (n > failed)
        n = failed;
    if (n > c->acked)
        c->acked = n;
    look_at(c);
    mpii_ft_each_request(forgive);
}
