/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls by which clients and servers meet (11.9.2 and 11.9.3).
 */
#include <stdlib.h>

#include "mpi/dyn/dyn.h"

int mpii_Open_port(MPI_Info info, char *port_name)
{
    struct mpii_dyn_port *p;
    int err;

    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_info(NULL, info, __func__));
    MPII_TRY(mpii_check_pointer(NULL, port_name, "port_name", __func__));
    err = mpii_dyn_open();
    p = err == MPI_SUCCESS ? mpii_dyn_port_new() : NULL;
    if (!p)
        return mpii_error(NULL, err != MPI_SUCCESS ? err : MPI_ERR_NO_MEM, __func__, "no port can be opened");
    mpii_dyn_port_name(p, port_name);
    return MPI_SUCCESS;
}

static int check_port(void *object, const char *name, struct mpii_dyn_port **p, const char *call)
{
    MPII_TRY(mpii_check_pointer(object, name, "port_name", call));
    *p = mpii_dyn_port_here(name);
    if (!*p)
        return mpii_error_blame(&(struct mpii_blame){.kind = CORE_FINDING_ARGUMENT, .rule = "MPI-5.0, 11.9.2"}, object,
                                MPI_ERR_PORT, call,
                                "port_name is \"%.100s\", which is no port that this process has open", name);
    return MPI_SUCCESS;
}

int mpii_Close_port(const char *port_name)
{
    struct mpii_dyn_port *p;

    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(check_port(NULL, port_name, &p, __func__));
    mpii_dyn_port_close(p);
    return MPI_SUCCESS;
}

struct request {
    const char *port;
    MPI_Info info;
};

static int accept_one(void *arg, struct mpii_comm *c, const struct mpii_dyn_group *own, struct mpii_dyn_group *theirs,
                      const char *call)
{
    const struct request *r = arg;
    struct mpii_dyn_port *p;
    int err;

    MPII_TRY(check_port(c, r->port, &p, call));
    MPII_TRY(mpii_check_info(c, r->info, call));
    err = mpii_dyn_port_accept(p, own, theirs, NULL, NULL, call);
    if (err != MPI_SUCCESS)
        return mpii_error(c, err, call, "port \"%.100s\" was closed", r->port);
    return MPI_SUCCESS;
}

/* The key timeout, as MPICH has it. */
static int limit_of(struct mpii_comm *c, MPI_Info info, double *seconds, const char *call)
{
    const char *text = info == MPI_INFO_NULL ? NULL : mpii_info_get(info, "timeout");
    char *end;

    *seconds = core_params.connect_timeout;
    if (!text)
        return MPI_SUCCESS;
    *seconds = strtod(text, &end);
    if (end != text && !*end && *seconds >= 0 && *seconds < 1e9)
        return MPI_SUCCESS;
    return mpii_error(c, MPI_ERR_INFO_VALUE, call,
                      "info's timeout is \"%.100s\"; expected seconds, 0 or more (0: no limit)", text);
}

static int connect_to(void *arg, struct mpii_comm *c, const struct mpii_dyn_group *own, struct mpii_dyn_group *theirs,
                      const char *call)
{
    const struct request *r = arg;
    bool late = false;
    double seconds;
    int err;

    MPII_TRY(mpii_check_pointer(c, r->port, "port_name", call));
    MPII_TRY(mpii_check_info(c, r->info, call));
    MPII_TRY(limit_of(c, r->info, &seconds, call));
    err = mpii_dyn_port_connect(r->port, own, theirs, seconds, &late, call);
    if (late)
        return mpii_error(
            c, err, call,
            "port_name is \"%.100s\", where nobody has called MPI_Comm_accept for %g s (MPT_CONNECT_TIMEOUT, or the "
            "info key timeout)",
            r->port, seconds);
    if (err == MPI_ERR_PORT && mpii_dyn_port_here(r->port))
        return mpii_error(
            c, err, call,
            "port_name is \"%.100s\", which this process has opened itself: it cannot connect to itself, from "
            "another thread neither",
            r->port);
    if (err != MPI_SUCCESS)
        return mpii_error(
            c, err, call,
            "port_name is \"%.100s\", and nobody accepts there (another job's port, closed, or on a host that "
            "cannot be reached?)",
            r->port);
    return MPI_SUCCESS;
}

static int meet(struct request r, int root, MPI_Comm comm, MPI_Comm *newcomm, bool first, mpii_dyn_greet *greet,
                const char *call)
{
    struct mpii_comm *c, *made;
    int err;

    MPII_TRY(mpii_comm_begin(comm, newcomm, &c, call));
    if (c->inter)
        return mpii_error(c, MPI_ERR_COMM, call, "comm is an intercommunicator");
    MPII_TRY(mpii_check_root(c, root, call));
    MPII_TRY(mpii_check_together(c, call, 1, &(struct mpii_same){"root", root, false}));
    made = mpii_dyn_meet(c, root, first, greet, &r, &err, call);
    if (!made)
        return err;
    *newcomm = MPII_HANDLE(made);
    return MPI_SUCCESS;
}

int mpii_Comm_accept(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm)
{
    return meet((struct request){port_name, info}, root, comm, newcomm, true, accept_one, __func__);
}

int mpii_Comm_connect(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm)
{
    return meet((struct request){port_name, info}, root, comm, newcomm, false, connect_to, __func__);
}
