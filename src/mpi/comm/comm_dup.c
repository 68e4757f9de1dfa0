/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Duplicates of a communicator (MPI-5.0, 7.4.2), blocking. Attributes are copied
 * as their keys say; hints are not (since MPI-4.0), those of an info argument are
 * the new one's.
 */
#include "mpi/comm/comm.h"

struct mpii_comm *mpii_comm_like(struct mpii_comm *c, uint64_t context)
{
    struct mpii_comm *made;

    c->group->object.refs++;
    if (c->inter) {
        c->remote->object.refs++;
        made = mpii_intercomm_make(c->group, c->remote, context, c->first);
    } else {
        made = mpii_comm_make(c->group, context);
    }
    if (!made)
        return NULL;
    made->session = c->session;
    made->topo = mpii_topo_hold(c->topo);
    mpii_comm_set_handler(made, c->anchor.errhandler);
    return made;
}

int mpii_comm_dup_quietly(struct mpii_comm *c, struct mpii_comm **made, const char *call)
{
    uint64_t context;
    int err;

    *made = NULL;
    MPII_TRY(mpii_check_together(c, call, 0, NULL));
    mpii_comm_name_call(c, call);
    err = mpii_context_agree(c, &context);
    if (err != MPI_SUCCESS)
        return mpii_error(c, err, call, "the processes could not agree on a communicator");
    *made = mpii_comm_like(c, context);
    return *made ? MPI_SUCCESS : mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a communicator");
}

static int duplicate(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, const char *call)
{
    struct mpii_comm *c, *made;
    int err = MPI_SUCCESS;

    MPII_TRY(mpii_comm_begin(comm, newcomm, &c, call));
    MPII_TRY(mpii_check_info(c, info, call));
    MPII_TRY(mpii_comm_dup_quietly(c, &made, call));
    if (c->attrs) {
        err = mpii_attrs_copy(MPII_COMM, MPII_HANDLE(c), c->attrs, &made->attrs);
        if (err != MPI_SUCCESS)
            mpii_error(c, err, call, "a copy callback of an attribute gave the code %d", err);
    }
    if (err == MPI_SUCCESS)
        err = mpii_comm_hints(made, info, call);
    if (err == MPI_SUCCESS)
        return mpii_comm_give(c, made, newcomm, call);
    mpii_comm_release(made);
    return err;
}

int mpii_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    return duplicate(comm, MPI_INFO_NULL, newcomm, __func__);
}

int mpii_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
    return duplicate(comm, info, newcomm, __func__);
}
