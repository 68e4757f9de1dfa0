/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Being a job that was spawned (11.8.1): its launcher leaves the parents' port in
 * the environment, MPI_Init connects to it.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/dyn/dyn.h"

static int connect_to(void *arg, struct mpii_comm *c, const struct mpii_dyn_group *own, struct mpii_dyn_group *theirs,
                      const char *call)
{
    int err = mpii_dyn_port_connect(arg, own, theirs, 0, NULL, call);

    return err == MPI_SUCCESS ? err : mpii_error(c, err, call, "the processes that spawned this job cannot be reached");
}

int mpii_dyn_start(void)
{
    const char *port = core_param_foreign("MPT_PARENT");
    struct mpii_comm *made;
    int err;

    if (!port || !*port)
        return MPI_SUCCESS;
    made = mpii_dyn_meet(mpii_state.comm.world, 0, false, connect_to, (void *)(uintptr_t)port, &err, "mpii_Init");
    if (!made)
        return err;
    strcpy(made->name, "MPI_COMM_PARENT");
    mpii_state.dyn.parent.comm = MPII_HANDLE(made);
    mpii_state.dyn.parent.context = made->context;
    return MPI_SUCCESS;
}

/* The program may have freed it, and another communicator may lie where it was. */
static bool parent_lives(void)
{
    const struct mpii_comm *c = mpii_object_of(mpii_state.dyn.parent.comm, MPII_COMM);

    return c && c->context == mpii_state.dyn.parent.context;
}

int mpii_Comm_get_parent(MPI_Comm *comm)
{
    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_pointer(NULL, comm, "parent", __func__));
    *comm = parent_lives() ? mpii_state.dyn.parent.comm : MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int mpii_dyn_appnum(void)
{
    const char *text = core_param_foreign("MPT_APPNUM");

    return text ? atoi(text) : 0;
}

const char *mpii_dyn_asked(int *most)
{
    const char *text = core_param_foreign("MPT_APPNUM"), *number = text ? strchr(text, ':') : NULL;
    char *soft = NULL;

    *most = number ? (int)strtol(number + 1, &soft, 10) : core_size();
    return soft && *soft == ':' ? soft + 1 : "";
}
