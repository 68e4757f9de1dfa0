/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of User-Level Failure Mitigation on communicators: MPIX_Comm_revoke and
 * _is_revoked, _get_failed and _ack_failed with their older names, _agree, _shrink and
 * their nonblocking forms.
 */
#include <stdlib.h>

#include "mpi/comm/comm.h"
#include "mpi/ulfm/ulfm.h"

/* ---------------------------------------------------------- who has failed -- */

int mpii_Comm_revoke(MPI_Comm comm)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_check_comm(comm, &c, __func__));
    mpii_ulfm_revoke(c);
    return MPI_SUCCESS;
}

int mpii_Comm_is_revoked(MPI_Comm comm, int *flag)
{
    struct mpii_comm *c;

    mpii_looked();
    MPII_TRY(mpii_comm_asked(comm, &c, flag, "flag", __func__));
    mpii_progress();
    *flag = (c->trouble & MPII_REVOKED) != 0;
    return MPI_SUCCESS;
}

int mpii_ulfm_group(void *object, const struct mpii_comm *c, int most, MPI_Group *group, const char *call)
{
    int n = mpii_ft_failed(c, NULL), *procs = malloc((size_t)n * sizeof *procs + 1), err;

    if (!procs)
        return mpii_error(object, MPI_ERR_NO_MEM, call, "no memory for a group");
    mpii_ft_failed(c, procs);
    err = mpii_group_give(n < most ? n : most, procs, c->session, group, call);
    free(procs);
    return err;
}

static int group_of(MPI_Comm comm, MPI_Group *group, bool acked, const char *call)
{
    struct mpii_comm *c;

    mpii_looked();
    MPII_TRY(mpii_comm_asked(comm, &c, group, "failedgrp", call));
    if (!acked)
        mpii_progress();
    return mpii_ulfm_group(c, c, acked ? c->acked : INT32_MAX, group, call);
}

int mpii_Comm_get_failed(MPI_Comm comm, MPI_Group *failedgrp)
{
    return group_of(comm, failedgrp, false, __func__);
}

int mpii_Comm_failure_get_acked(MPI_Comm comm, MPI_Group *failedgrp)
{
    return group_of(comm, failedgrp, true, __func__);
}

int mpii_Comm_ack_failed(MPI_Comm comm, int num_to_ack, int *num_acked)
{
    struct mpii_comm *c;

    mpii_looked();
    MPII_TRY(mpii_comm_asked(comm, &c, num_acked, "num_acked", __func__));
    MPII_TRY(mpii_check_count(c, num_to_ack, "num_to_ack", __func__));
    mpii_ft_ack(c, num_to_ack);
    *num_acked = c->acked;
    return MPI_SUCCESS;
}

int mpii_Comm_failure_ack(MPI_Comm comm)
{
    struct mpii_comm *c;

    mpii_looked();
    MPII_TRY(mpii_check_comm(comm, &c, __func__));
    mpii_progress();
    mpii_ft_ack(c, INT32_MAX);
    return MPI_SUCCESS;
}

/* ---------------------------------------------------------------- agreement -- */

struct agreeing {
    struct mpii_hook hook; /* first */
    struct mpii_agreement *a;
    int *flag;
    struct mpii_comm *made; /* shrink: held, and what it was made from */
    struct mpii_request *request;
};
_Static_assert(sizeof(struct agreeing) <= sizeof((struct mpii_request *)0)->own, "fits");

static int no_memory(struct mpii_comm *c, const char *call)
{
    return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for an agreement");
}

static void wait_for(const struct mpii_agreement *a, const char *where)
{
    struct core_waiter w;

    mpii_wait_begin(&w, where);
    while (!mpii_agree_done(a))
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
}

int mpii_Comm_agree(MPI_Comm comm, int *flag)
{
    struct mpii_agreement *a;
    struct mpii_agreed v;
    struct mpii_comm *c;

    MPII_TRY(mpii_comm_asked(comm, &c, flag, "flag", __func__));
    a = mpii_agree_start(c, *flag);
    if (!a)
        return no_memory(c, __func__);
    wait_for(a, "MPIX_Comm_agree");
    v = mpii_agree_result(a);
    mpii_agree_release(a);
    *flag = v.flag;
    return v.error == MPI_SUCCESS ? MPI_SUCCESS : mpii_ft_raise(c, v.error, __func__);
}

/* Those of g, whose first member is number `from` of the agreement's, that have not failed. NULL: out of memory. */
static struct mpii_group *rest_of(const struct mpii_group *g, const unsigned char *failed)
{
    int *procs = malloc((size_t)g->size * sizeof *procs + 1), n = 0;
    struct mpii_group *rest;

    for (int i = 0; procs && i < g->size; i++)
        if (!failed[i])
            procs[n++] = g->procs[i];
    rest = procs ? mpii_group_new(n, procs) : NULL;
    free(procs);
    return rest;
}

/* The groups of those that live, of both sides. */
static bool rests(const struct mpii_comm *c, const struct mpii_agreed *v, struct mpii_group **mine,
                  struct mpii_group **theirs)
{
    bool second = c->inter && !c->first;

    *mine = rest_of(c->group, v->failed + (second ? c->remote->size : 0));
    *theirs = c->inter ? rest_of(c->remote, v->failed + (second ? 0 : c->group->size)) : NULL;
    if (*mine && (*theirs || !c->inter))
        return true;
    mpii_group_release(*mine);
    mpii_group_release(*theirs);
    return false;
}

int mpii_Comm_shrink(MPI_Comm comm, MPI_Comm *newcomm)
{
    struct mpii_group *mine, *theirs;
    struct mpii_agreement *a;
    struct mpii_agreed v;
    struct mpii_comm *c;
    bool ok;

    MPII_TRY(mpii_comm_begin(comm, newcomm, &c, __func__));
    a = mpii_agree_start(c, 0);
    if (!a)
        return no_memory(c, __func__);
    wait_for(a, "MPIX_Comm_shrink");
    v = mpii_agree_result(a);
    ok = rests(c, &v, &mine, &theirs);
    mpii_agree_release(a);
    if (!ok)
        return no_memory(c, __func__);
    return mpii_comm_give(
        c, c->inter ? mpii_intercomm_make(mine, theirs, v.context, c->first) : mpii_comm_make(mine, v.context), newcomm,
        __func__);
}

/* ------------------------------------------------------ nonblocking forms -- */

static struct agreeing *own_of(struct mpii_request *r)
{
    return (struct agreeing *)(void *)r->own;
}

static void agree_step(struct mpii_hook *hook)
{
    struct agreeing *own = (struct agreeing *)(void *)hook;
    struct mpii_agreed v;

    if (!mpii_agree_done(own->a))
        return;
    v = mpii_agree_result(own->a);
    mpii_agree_release(own->a);
    mpii_hook_remove(hook);
    *own->flag = v.flag;
    mpii_request_done(own->request, v.error);
}

static void free_agreeing(struct mpii_request *r)
{
    mpii_hook_remove(&own_of(r)->hook);
    mpii_comm_release(own_of(r)->made);
}

static const struct mpii_request_ops agree_ops = {.what = "agreement", .free = free_agreeing};

static int begin(struct mpii_comm *c, const struct agreeing *what, MPI_Request *request, const char *call)
{
    struct mpii_request *r = mpii_request_new(&agree_ops, c);

    if (!r)
        return no_memory(c, call);
    *own_of(r) = *what;
    own_of(r)->request = r;
    own_of(r)->a = mpii_agree_start(c, what->flag ? *what->flag : 0);
    if (!own_of(r)->a) {
        mpii_request_end(r);
        return no_memory(c, call);
    }
    *request = mpii_request_handle(r);
    mpii_hook_add(&own_of(r)->hook);
    return MPI_SUCCESS;
}

int mpii_Comm_iagree(MPI_Comm comm, int *flag, MPI_Request *request)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_comm_asked(comm, &c, flag, "flag", __func__));
    MPII_TRY(mpii_check_pointer(c, request, "request", __func__));
    return begin(c, &(struct agreeing){.hook.step = agree_step, .flag = flag}, request, __func__);
}

/* The new communicator, whose handle the user has, has the old one's groups until it is known who lives. */
static bool fill(struct mpii_comm *made, struct mpii_group *mine, struct mpii_group *theirs, uint64_t context)
{
    if (made->local)
        fill(made->local, mine, NULL, mpii_context_local(context));
    mine->object.refs += made->local != NULL;
    mpii_group_release(made->group);
    mpii_group_release(made->remote);
    made->group = mine;
    made->remote = theirs;
    made->rank = mine->rank;
    made->size = mine->size;
    made->nprocs = theirs ? theirs->size : mine->size;
    made->fast = core_params.check || core_trace_on() || mpii_state.rt.guarded ? 0 : made->nprocs;
    made->procs = theirs ? theirs->procs : mine->procs;
    made->context = context;
    made->trouble = 0;
    made->acked = 0;
    mpii_ft_made(made);
    return true;
}

static void shrink_step(struct mpii_hook *hook)
{
    struct agreeing *own = (struct agreeing *)(void *)hook;
    struct mpii_group *mine, *theirs;
    struct mpii_agreed v;
    bool ok;

    if (!mpii_agree_done(own->a))
        return;
    v = mpii_agree_result(own->a);
    ok = rests(own->request->comm, &v, &mine, &theirs) && fill(own->made, mine, theirs, v.context);
    mpii_agree_release(own->a);
    mpii_hook_remove(hook);
    mpii_request_done(own->request, ok ? MPI_SUCCESS : MPI_ERR_NO_MEM);
}

int mpii_Comm_ishrink(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    struct mpii_comm *c, *made;
    int err;

    MPII_TRY(mpii_comm_begin(comm, newcomm, &c, __func__));
    MPII_TRY(mpii_check_pointer(c, request, "request", __func__));
    made = mpii_comm_like(c, 0);
    if (!made)
        return no_memory(c, __func__);
    mpii_topo_release(made->topo);
    made->topo = NULL;
    mpii_comm_hold(made);
    err = begin(c, &(struct agreeing){.hook.step = shrink_step, .made = made}, request, __func__);
    if (err != MPI_SUCCESS) {
        mpii_comm_release(made);
        mpii_comm_release(made);
        return err;
    }
    *newcomm = MPII_HANDLE(made);
    return MPI_SUCCESS;
}
