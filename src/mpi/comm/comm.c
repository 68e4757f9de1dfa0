/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators: the objects (MPI-5.0, 7.2 and 7.4.3). Groups and the local
 * intracommunicator of an intercommunicator are held by reference; a
 * communicator that was freed while requests hold it has no kind any more, so
 * that its handle is found out.
 */
#include <stdlib.h>
#include <string.h>

#include "core/wait/meet.h"
#include "mpi/comm/comm.h"
#include "mpi/ft/ft.h"

static struct mpii_comm *make(struct mpii_group *group, struct mpii_group *remote, uint64_t context)
{
    struct mpii_comm *c = mpii_object_new(MPII_COMM, sizeof *c);

    if (!c)
        return NULL;
    c->anchor.handle = c;
    c->context = context;
    c->group = group;
    c->remote = remote;
    c->inter = remote != NULL;
    c->rank = group->rank;
    c->size = group->size;
    c->nprocs = remote ? remote->size : group->size;
    c->procs = remote ? remote->procs : group->procs;
    c->fast = core_params.check || core_trace_on() || mpii_state.rt.guarded ? 0 : c->nprocs; /* it leaves no traces */
    mpii_comm_set_handler(c, mpii_errhandler_initial());
    if (MPT_UNLIKELY(mpii_state.ft.on))
        mpii_ft_made(c);
    return c;
}

struct mpii_comm *mpii_comm_make(struct mpii_group *group, uint64_t context)
{
    struct mpii_comm *c = group ? make(group, NULL, context) : NULL;

    if (!c)
        mpii_group_release(group);
    return c;
}

struct mpii_comm *mpii_intercomm_make(struct mpii_group *group, struct mpii_group *remote, uint64_t context, bool first)
{
    struct mpii_comm *c = group && remote ? make(group, remote, context) : NULL;

    if (!c) {
        mpii_group_release(group);
        mpii_group_release(remote);
        return NULL;
    }
    c->first = first;
    group->object.refs++;
    c->local = mpii_comm_make(group, mpii_context_local(context));
    if (c->local)
        return c;
    mpii_comm_release(c);
    return NULL;
}

void mpii_comm_set_handler(struct mpii_comm *c, struct mpii_errhandler *handler)
{
    if (handler)
        mpii_errhandler_hold(handler);
    if (c->anchor.errhandler)
        mpii_errhandler_release(c->anchor.errhandler);
    c->anchor.errhandler = handler;
}

void mpii_comm_release(struct mpii_comm *c)
{
    if (!c || --c->anchor.object.refs > 0)
        return;
    mpii_coll_forget(c);
    mpii_nodes_forget(c);
    mpii_match_forget(c);
    mpii_topo_release(c->topo);
    mpii_info_release(c->info);
    if (c->anchor.errhandler)
        mpii_errhandler_release(c->anchor.errhandler);
    mpii_comm_release(c->local);
    mpii_group_release(c->group);
    mpii_group_release(c->remote);
    c->anchor.object.kind = MPII_COMM; /* see mpii_Comm_free */
    mpii_object_free(c);
}

bool mpii_comm_on_node(const struct mpii_comm *c)
{
    for (int i = 0; i < c->nprocs; i++)
        if (c->procs[i] >= core_size() || !core_on_node(c->procs[i]))
            return false;
    return true;
}

int mpii_comm_begin(MPI_Comm comm, MPI_Comm *newcomm, struct mpii_comm **c, const char *call)
{
    MPII_TRY(mpii_check_comm(comm, c, call));
    MPII_TRY(mpii_check_pointer(*c, newcomm, "newcomm", call));
    *newcomm = MPI_COMM_NULL;
    mpii_comm_name_call(*c, call);
    return MPI_SUCCESS;
}

int mpii_comm_give(struct mpii_comm *old, struct mpii_comm *made, MPI_Comm *newcomm, const char *call)
{
    if (!made)
        return mpii_error(old, MPI_ERR_NO_MEM, call, "no memory for a communicator");
    mpii_comm_set_handler(made, old->anchor.errhandler);
    made->session = old->session;
    *newcomm = MPII_HANDLE(made);
    return MPI_SUCCESS;
}

/* --------------------------------------------------------- start and end -- */

static struct mpii_comm *predefined(int size, int first, uint64_t context, MPI_Comm handle, const char *name)
{
    int *procs = malloc((size_t)size * sizeof *procs);
    struct mpii_comm *c = NULL;

    for (int i = 0; procs && i < size; i++)
        procs[i] = first + i;
    if (procs)
        c = mpii_comm_make(mpii_group_new(size, procs), context);
    free(procs);
    if (!c)
        return NULL;
    c->anchor.handle = handle;
    strcpy(c->name, name);
    return c;
}

int mpii_comms_init(void)
{
    mpii_contexts_init();
    mpii_state.comm.world = predefined(core_size(), 0, MPII_CONTEXT_WORLD, MPI_COMM_WORLD, "MPI_COMM_WORLD");
    mpii_state.comm.self = predefined(1, core_me(), MPII_CONTEXT_SELF, MPI_COMM_SELF, "MPI_COMM_SELF");
    if (!mpii_state.comm.world || !mpii_state.comm.self)
        return MPI_ERR_NO_MEM;
    mpii_state.comm.world->meets = core_meets() && !core_params.check;
    return MPI_SUCCESS;
}

void mpii_comms_finish(void)
{
    mpii_comm_release(mpii_state.comm.self);
    mpii_comm_release(mpii_state.comm.world);
    mpii_state.comm.self = mpii_state.comm.world = NULL;
}

/* ------------------------------------------------------- what users free -- */

static int check_free(MPI_Comm *comm, struct mpii_comm **c, const char *call)
{
    MPII_TRY(mpii_check_started(call));
    MPII_TRY(mpii_check_pointer(NULL, comm, "comm", call));
    MPII_TRY(mpii_check_comm(*comm, c, call));
    if (*c == mpii_state.comm.world || *c == mpii_state.comm.self)
        return mpii_error(*c, MPI_ERR_COMM, call, "%s cannot be freed", (*c)->name);
    return MPI_SUCCESS;
}

/* Delete callbacks get a valid communicator; when one fails it stays. */
static int let_go(struct mpii_comm *c, MPI_Comm *comm, const char *call)
{
    int err = c->attrs ? mpii_attrs_delete(MPII_COMM, MPII_HANDLE(c), &c->attrs) : MPI_SUCCESS;

    if (err != MPI_SUCCESS)
        return mpii_error(c, err, call, "a delete callback of an attribute gave the code %d", err);
    c->freed = true;
    c->anchor.object.kind = MPII_NONE; /* the handle is invalid from now on, whoever still holds the object */
    *comm = MPI_COMM_NULL;
    mpii_comm_release(c);
    return MPI_SUCCESS;
}

int mpii_Comm_free(MPI_Comm *comm)
{
    struct mpii_comm *c;

    MPII_TRY(check_free(comm, &c, __func__));
    return let_go(c, comm, __func__);
}

/* Requests of c that are under way: all of the pool are looked at, for this is rare. */
static bool busy(const struct mpii_comm *c)
{
    for (const struct mpii_request *r = mpii_request_next(NULL); r; r = mpii_request_next(r))
        if (r->comm == c && !r->done)
            return true;
    return false;
}

int mpii_Comm_disconnect(MPI_Comm *comm)
{
    struct mpii_comm *c;
    struct core_waiter w;

    MPII_TRY(check_free(comm, &c, __func__));
    mpii_wait_begin(&w, "MPI_Comm_disconnect");
    while (busy(c))
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
    return let_go(c, comm, __func__);
}
