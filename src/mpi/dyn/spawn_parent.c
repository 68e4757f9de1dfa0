/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Being a job that was spawned (11.8.1): its launcher leaves the parents' port in
 * the environment, MPI_Init connects to it.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/dyn/dyn.h"

static MPI_Comm parent = MPI_COMM_NULL;

static int connect_to(void *arg, struct mpii_comm *c, const struct mpii_dyn_group *own, struct mpii_dyn_group *theirs, const char *call)
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
    made = mpii_dyn_meet(mpii_world, 0, false, connect_to, (void *)(uintptr_t)port, &err, "mpii_Init");
    if (!made)
        return err;
    strcpy(made->name, "MPI_COMM_PARENT");
    parent = MPII_HANDLE(made);
    return MPI_SUCCESS;
}

int mpii_Comm_get_parent(MPI_Comm *comm)
{
    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_pointer(NULL, comm, "parent", __func__));
    *comm = parent;
    return MPI_SUCCESS;
}

/* A communicator goes away. */
void mpii_dyn_forget(struct mpii_comm *c)
{
    if (parent == MPII_HANDLE(c))
        parent = MPI_COMM_NULL;
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
