/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Barrier and short MPI_Allreduce of MPI_COMM_WORLD in jobs with tasks (core/wait/meet.h). What this process has
 * begun goes on meanwhile.
 */
#include "coll/meet.h"
#include "mpi/collective/coll_node.h"
#include "mpi/ft/ft.h"
#include "mpi/rt/inbox.h"
#include "mpi/rt/progress.h"

static int progress(void)
{
    int handled;

    mpii_lock();
    handled = core_progress();
    if (MPT_UNLIKELY(mpii_state.rt.hooks != NULL || mpii_inbox_has_news() || handled > 0))
        mpii_progress();
    if (MPT_UNLIKELY(mpii_state.comm.world->trouble != 0))
        handled = -1;
    mpii_unlock();
    return handled;
}

/* Others may be in another collective. (Where one has left, the launcher says what each of the others waits in.) */
static void look(const char *where, enum coll_kind kind)
{
    struct mpii_coll_call c = {.comm = mpii_state.comm.world, .data = {.kind = kind, .where = where}};

    core_meet_look(where);
    mpii_lock();
    if (c.comm->coll)
        mpii_node_look_met(c.comm->coll, &c);
    mpii_unlock();
}

static void look_in_barrier(unsigned meeting, const char *where)
{
    (void)meeting;
    look(where, COLL_BARRIER);
}

static void look_in_allreduce(unsigned meeting, const char *where)
{
    (void)meeting;
    look(where, COLL_ALLREDUCE);
}

struct core_meet_hooks mpii_meet_hooks(enum coll_kind kind)
{
    return (struct core_meet_hooks){.progress = progress,
                                    .under_way = (void *const *)&mpii_state.rt.hooks,
                                    .news = &mpii_state.rt.inbox.news,
                                    .look = kind == COLL_BARRIER ? look_in_barrier : look_in_allreduce};
}

static struct coll_meet_vector vector(const struct coll_block_call *c)
{
    return (struct coll_meet_vector){.from = c->in_place ? c->recv.buf : c->send.buf,
                                     .to = c->recv.buf,
                                     .count = c->recv.count,
                                     .bytes = c->recv.count * c->recv.layout->size,
                                     .loop = c->recv.layout->dense ? c->loop : NULL};
}

static enum coll_met allreduce(const struct coll_block_call *c)
{
    struct core_meet_hooks hooks = mpii_meet_hooks(COLL_ALLREDUCE);
    struct coll_meet_vector v = vector(c);

    return coll_meet_allreduce(coll_meet_room(), &hooks, &v, c->where);
}

static enum coll_met barrier(const char *where)
{
    struct core_meet_hooks hooks = mpii_meet_hooks(COLL_BARRIER);

    return core_meet(CORE_MEET_MPI, &hooks, where) ? COLL_MET : COLL_MET_IN_VAIN;
}

/* Have all met by mpii_quick_Allreduce, and need another algorithm? */
static bool met_elsewhere(void)
{
    bool met = mpii_state.collective.quick.elsewhere;

    mpii_state.collective.quick.elsewhere = false;
    return met;
}

static bool serves(const struct mpii_coll_call *c)
{
    return c->data.kind == COLL_BARRIER || c->data.kind == COLL_ALLREDUCE;
}

bool mpii_coll_meet(const struct mpii_coll_call *c, int *err)
{
    enum coll_met met;
    unsigned had;

    if (!serves(c) || met_elsewhere())
        return false;
    c->comm->meetings++;
    had = mpii_unlock_all();
    met = c->data.kind == COLL_ALLREDUCE ? allreduce(&c->data) : barrier(c->data.where);
    mpii_lock_again(had);
    *err = met == COLL_MET_IN_VAIN ? mpii_ft_error(c->comm) : MPI_SUCCESS;
    return met != COLL_MET_ELSEWHERE;
}

/* ---- in two halves ---- */

bool mpii_coll_meets(const struct mpii_coll_call *c)
{
    return c->comm->meets && c->comm->trouble == 0 && !c->block && serves(c) &&
           (c->data.kind == COLL_BARRIER || coll_meet_has_room(coll_meet_room()));
}

uint64_t mpii_coll_meet_begin(const struct mpii_coll_call *c)
{
    struct core_meet_hooks hooks = mpii_meet_hooks(c->data.kind);
    struct coll_meet_vector v;

    c->comm->meetings++;
    if (c->data.kind == COLL_BARRIER)
        return core_meet_come(CORE_MEET_MPI, &hooks);
    v = vector(&c->data);
    return coll_meet_allreduce_begin(coll_meet_room(), &hooks, &v);
}

enum coll_met mpii_coll_meet_end(const struct mpii_coll_call *c, uint64_t epoch)
{
    struct coll_meet_vector v;

    if (!core_meet_over(CORE_MEET_MPI, epoch))
        return c->comm->trouble == 0 ? COLL_MET_LATER : COLL_MET_IN_VAIN;
    if (c->data.kind == COLL_BARRIER)
        return COLL_MET;
    v = vector(&c->data);
    return coll_meet_allreduce_end(coll_meet_room(), &v);
}

void mpii_coll_meet_await(const struct mpii_coll_call *c, uint64_t epoch)
{
    struct core_meet_hooks hooks = mpii_meet_hooks(c->data.kind);
    unsigned had = mpii_unlock_all();

    core_meet_await(CORE_MEET_MPI, epoch, &hooks, c->data.where);
    mpii_lock_again(had);
}
