/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who has died, as this process knows, and what follows: communicators with a dead
 * member are in trouble, requests that cannot be done end with an error. Revocation
 * spreads by each process telling all others once, so it reaches all who live whoever
 * dies meanwhile.
 */
#include <stdlib.h>
#include <string.h>

#include "core/live/dead.h"
#include "mpi/comm/comm.h"
#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

bool mpii_ft_on;

static struct {
    unsigned char *dead; /* by process */
    int room;            /* of dead[] */
    int *order, n;       /* the dead, as they became known */
    uint32_t seen;       /* of core_dead_count() */
    bool news, busy;
} known;

/* Revoked before this process had made them. */
static struct {
    uint64_t *contexts;
    int n;
} early;

static void say_why_not(void)
{
    static bool said;

    if (said || !core_params.survive || core_me() != 0 || core_size() < 2)
        return;
    said = true;
    core_error("MPT_FT=1 (--ft) has no effect in this job: %s", core_net_on ? "its PEs are reached over a network, where a death ends the job"
                                                                          : "it was not started by mptrun");
}

void mpii_ft_start(void)
{
    if (!core_survivable()) {
        say_why_not();
        return;
    }
    core_survive(true);
    mpii_ft_on = true;
}

void mpii_ft_finish(void)
{
    if (!mpii_ft_on)
        return;
    mpii_agree_finish();
    mpii_ft_on = false;
    free(early.contexts);
    early.contexts = NULL;
    early.n = 0;
}

/* ------------------------------------------------------------- the dead -- */

bool mpii_ft_is_dead(int proc)
{
    return proc >= 0 && proc < known.room && known.dead[proc];
}

static void add(int proc)
{
    if (proc >= known.room) {
        int room = proc < core_size() ? core_size() : proc + 16;
        unsigned char *dead = realloc(known.dead, (size_t)room);
        int *order = realloc(known.order, (size_t)room * sizeof *order);

        if (!dead || !order)
            core_fatal("out of memory for the list of processes that have died");
        memset(dead + known.room, 0, (size_t)(room - known.room));
        known.dead = dead;
        known.order = order;
        known.room = room;
    }
    if (known.dead[proc])
        return;
    known.dead[proc] = 1;
    known.order[known.n++] = proc;
    known.news = true;
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

    for (int i = 0; i < known.n; i++) {
        if (!is_member(c, known.order[i]))
            continue;
        if (procs)
            procs[n] = known.order[i];
        n++;
    }
    return n;
}

/* ------------------------------------------------------ communicators -- */

static void trouble(struct mpii_comm *c, uint8_t what)
{
    c->trouble |= what;
    c->quick = 0;
    if (c->local) { /* else the others of this side would wait for who has seen that the other side fails */
        c->local->trouble |= what & (MPII_REVOKED | MPII_FAILED);
        c->local->quick = 0;
    }
}

/* Who may send here is in `procs`, of an intercommunicator the other side. */
static void look_at(struct mpii_comm *c)
{
    bool unacked = false;
    int member = 0;

    for (int i = 0; i < known.n; i++) {
        if (!is_member(c, known.order[i]))
            continue;
        member++;
        unacked |= member > c->acked && find(c->remote ? c->remote : c->group, known.order[i]) != MPI_UNDEFINED;
    }
    c->trouble &= (uint8_t)~MPII_UNACKED;
    if (member > 0)
        trouble(c, (uint8_t)(MPII_FAILED | (unacked ? MPII_UNACKED : 0)));
}

/* The end of a process of another job is seen by its connection: one to each, while it lives. */
static void connect_foreign(const struct mpii_group *g)
{
    static unsigned char *connected; /* by process - core_size() */
    static int room;

    for (int i = 0; g && i < g->size; i++) {
        int at = g->procs[i] - core_size();

        if (at >= room) {
            unsigned char *more = realloc(connected, (size_t)at + 64);

            if (!more)
                core_fatal("out of memory for the processes of another job");
            memset(more + room, 0, (size_t)(at + 64 - room));
            connected = more;
            room = at + 64;
        }
        if (at < 0 || connected[at])
            continue;
        connected[at] = 1;
        mpii_p2p_say(g->procs[i], &(struct mpii_p2p_control){.kind = P2P_NOTHING});
    }
}

void mpii_ft_made(struct mpii_comm *c)
{
    if (c->context != 0 && core_survivable()) {
        connect_foreign(c->group);
        connect_foreign(c->remote);
    }
    if (known.n > 0)
        look_at(c);
    for (int i = 0; i < early.n && c->context != 0; i++)
        if (early.contexts[i] == c->context) {
            early.contexts[i] = early.contexts[--early.n];
            mpii_ft_revoke(c);
            return;
        }
}

static void each_comm(void (*f)(struct mpii_comm *c))
{
    const struct mpii_pool *pool = &mpii_pools[MPII_COMM];

    for (size_t at = 0; at < pool->used; at += pool->slot) {
        struct mpii_comm *c = (void *)(pool->base + at);

        if (c->anchor.object.kind == MPII_COMM)
            f(c);
    }
}

/* Those that were freed, too, live on in their requests. */
static void each_request(void (*f)(struct mpii_request *r))
{
    const struct mpii_pool *pool = &mpii_pools[MPII_REQUEST];

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

/* ------------------------------------------------------------------ news -- */

/* What the dead have sent comes first. Another thread may be handling some of it just now. */
static void drain(void)
{
    enum { ROUNDS = 256 };

    for (int i = 0; i < ROUNDS && core_progress() > 0; i++)
        ;
    if (mpii_p2p_inbox_news)
        mpii_p2p_inbox_handle();
}

static void take_count(uint32_t count)
{
    if (!core_process_single() && !known.news) { /* once more, when the other thread has gone on */
        static uint32_t last;

        drain();
        if (last != count) {
            last = count;
            return;
        }
    }
    known.seen = count;
    drain();
    for (int pe = 0; pe < core_size(); pe++)
        if (core_pe_dead(pe))
            add(pe);
}

void mpii_ft_look(void)
{
    uint32_t count = core_dead_count();

    if (MPT_LIKELY(count == known.seen && !known.news) || known.busy)
        return;
    known.busy = true;
    if (count != known.seen)
        take_count(count);
    while (known.news) {
        known.news = false;
        each_comm(look_at);
        each_request(look_at_freed);
        each_request(tell_request);
        mpii_ft_windows();
        mpii_agree_news();
    }
    known.busy = false;
}

void mpii_ft_look_again(void)
{
    known.news = true;
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
    case MPIX_ERR_REVOKED: return mpii_error(object, error, call, "the communicator has been revoked");
    case MPIX_ERR_PROC_FAILED_PENDING:
        return mpii_error(object, error, call, "a process that might have sent has died, and MPIX_Comm_failure_ack was not called since");
    default: return mpii_error(object, error, call, "a process that is needed has died");
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
    each_request(forgive);
}

/* -------------------------------------------------------------- revocation -- */

static void tell(const struct mpii_comm *c, const int *procs, int n)
{
    for (int i = 0; i < n; i++)
        if (procs[i] != core_me() && !mpii_ft_is_dead(procs[i]))
            mpii_p2p_say(procs[i], &(struct mpii_p2p_control){P2P_REVOKE, 0, c->context, 0});
}

void mpii_ft_revoke(struct mpii_comm *c)
{
    if (c->trouble & MPII_REVOKED)
        return;
    mpii_ft_on = true;
    trouble(c, MPII_REVOKED);
    tell(c, c->group->procs, c->group->size);
    if (c->remote)
        tell(c, c->remote->procs, c->remote->size);
    each_request(tell_request);
    mpii_ft_windows();
}

static struct mpii_comm *revoked;
static uint64_t wanted;

static void find_comm(struct mpii_comm *c)
{
    if (c->context == wanted)
        revoked = c;
}

static void find_in_request(struct mpii_request *r)
{
    find_comm(r->comm);
}

static void remember(uint64_t context)
{
    uint64_t *more = realloc(early.contexts, ((size_t)early.n + 1) * sizeof *more);

    if (!more)
        core_fatal("out of memory for a communicator that was revoked");
    early.contexts = more;
    early.contexts[early.n++] = context;
}

void mpii_p2p_on_revoke(int from, const struct mpii_p2p_control *c, const struct core_mail *mail);
void mpii_p2p_on_revoke(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    (void)from, (void)mail;
    mpii_ft_on = true;
    revoked = NULL;
    wanted = c->id;
    each_request(find_in_request);
    each_comm(find_comm);
    if (revoked)
        mpii_ft_revoke(revoked);
    else
        remember(c->id);
}
