/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Spawning (11.8): the root starts a launcher, which starts a job of its own; the
 * job's MPI_Init connects to a port that was opened for it alone. So parents and
 * children meet like any server and its clients.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi/dyn/dyn.h"

/* The arguments, which count on the root only. */
struct spawning {
    int count;
    char *const *commands;
    char ***argvs;
    const int *maxprocs;
    const MPI_Info *infos;
    struct mpii_spawn_app *apps;
    int socket; /* to the launcher */
    int status;
};

static int check_app(struct spawning *s, struct mpii_comm *c, int i, const char *call)
{
    MPII_TRY(mpii_check_pointer(c, s->commands[i], "command", call));
    if (s->maxprocs[i] < 1)
        return mpii_error(c, MPI_ERR_ARG, call, "maxprocs is %d, expected 1 or more", s->maxprocs[i]);
    MPII_TRY(mpii_check_info(c, s->infos[i], call));
    return mpii_spawn_app_fill(&s->apps[i], c, s->commands[i], s->argvs ? s->argvs[i] : NULL, s->maxprocs[i],
                               s->infos[i], call);
}

static int check_apps(struct spawning *s, struct mpii_comm *c, const char *call)
{
    if (s->count < 1)
        return mpii_error(c, MPI_ERR_COUNT, call, "count is %d, expected 1 or more", s->count);
    MPII_TRY(mpii_check_pointer(c, s->commands, "array_of_commands", call));
    MPII_TRY(mpii_check_pointer(c, s->maxprocs, "array_of_maxprocs", call));
    MPII_TRY(mpii_check_pointer(c, s->infos, "array_of_info", call));
    s->apps = calloc((size_t)s->count, sizeof *s->apps);
    if (!s->apps)
        return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for %d commands", s->count);
    for (int i = 0; i < s->count; i++)
        MPII_TRY(check_app(s, c, i, call));
    return MPI_SUCCESS;
}

/* The processes that are to connect may have ended instead. */
static int child_failed(void *arg)
{
    struct spawning *s = arg;
    bool over;

    s->status = mpii_spawn_status(s->socket, &over);
    return over ? MPI_ERR_SPAWN : MPI_SUCCESS;
}

static int meet_children(struct spawning *s, struct mpii_comm *c, const struct mpii_dyn_group *own,
                         struct mpii_dyn_group *theirs, const char *call)
{
    char name[MPI_MAX_PORT_NAME];
    struct mpii_dyn_port *port = mpii_dyn_port_new();
    int err;

    if (!port)
        return mpii_error(c, MPI_ERR_NO_MEM, call, "no port can be opened");
    mpii_dyn_port_name(port, name);
    s->socket = mpii_spawn_start(s->apps, s->count, name);
    if (s->socket < 0) {
        int why = errno;

        mpii_dyn_port_close(port);
        return mpii_error(c, MPI_ERR_SPAWN, call, "the launcher cannot be started: %s", strerror(why));
    }
    err = mpii_dyn_port_accept(port, own, theirs, child_failed, s, call);
    close(s->socket);
    mpii_dyn_port_close(port);
    if (err == MPI_SUCCESS)
        return err;
    if (s->status >= 0)
        return mpii_error(c, err, call, "the job of \"%.200s\" ended with status %d before its MPI_Init was over",
                          s->commands[0], s->status);
    return mpii_error(c, err, call, "the job of \"%.200s\" ended before its MPI_Init was over", s->commands[0]);
}

static int greet(void *arg, struct mpii_comm *c, const struct mpii_dyn_group *own, struct mpii_dyn_group *theirs,
                 const char *call)
{
    struct spawning *s = arg;
    int err = check_apps(s, c, call);

    if (err == MPI_SUCCESS)
        err = meet_children(s, c, own, theirs, call);
    return err;
}

/* One code for each process that was asked for, on all ranks: how many that is, the root knows. */
static int tell_codes(const struct spawning *s, struct mpii_comm *c, int root, int err, int codes[])
{
    int counts[2] = {0, 0}, at = 0, *each;

    counts[0] = c->rank == root && s->apps ? s->count : 0;
    MPII_TRY(mpii_coll_bcast(c, counts, sizeof counts, root));
    each = calloc(2 * (size_t)counts[0] + 1, sizeof *each);
    if (!each)
        return MPI_ERR_NO_MEM;
    for (int i = 0; c->rank == root && i < counts[0]; i++) {
        each[2 * i] = s->maxprocs[i];
        each[2 * i + 1] = s->apps[i].n;
    }
    if (counts[0])
        MPII_TRY(mpii_coll_bcast(c, each, 2 * (size_t)counts[0] * sizeof *each, root));
    for (int i = 0; codes && i < counts[0]; i++)
        for (int p = 0; p < each[2 * i]; p++)
            codes[at++] = err != MPI_SUCCESS || p >= each[2 * i + 1] ? MPI_ERR_SPAWN : MPI_SUCCESS;
    free(each);
    return MPI_SUCCESS;
}

static int spawn(struct spawning *s, int root, MPI_Comm comm, MPI_Comm *intercomm, int codes[], const char *call)
{
    struct mpii_comm *c, *made;
    int err;

    s->apps = NULL;
    s->socket = s->status = -1;
    MPII_TRY(mpii_comm_begin(comm, intercomm, &c, call));
    if (c->inter)
        return mpii_error(c, MPI_ERR_COMM, call, "comm is an intercommunicator");
    MPII_TRY(mpii_check_root(c, root, call));
    MPII_TRY(mpii_check_together(c, call, 1, &(struct mpii_same){"root", root, false}));
    made = mpii_dyn_meet(c, root, true, greet, s, &err, call);
    tell_codes(s, c, root, made ? MPI_SUCCESS : err, codes == MPI_ERRCODES_IGNORE ? NULL : codes);
    for (int i = 0; s->apps && i < s->count; i++)
        mpii_spawn_app_free(&s->apps[i]);
    free(s->apps);
    if (!made)
        return err;
    *intercomm = MPII_HANDLE(made);
    return MPI_SUCCESS;
}

int mpii_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
                    MPI_Comm *intercomm, int array_of_errcodes[])
{
    struct spawning s = {.count = 1,
                         .commands = (char *[]){(char *)(uintptr_t)command},
                         .argvs = (char **[]){argv},
                         .maxprocs = &maxprocs,
                         .infos = &info};

    return spawn(&s, root, comm, intercomm, array_of_errcodes, __func__);
}

int mpii_Comm_spawn_multiple(int count, char *array_of_commands[], char **array_of_argv[],
                             const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, MPI_Comm comm,
                             MPI_Comm *intercomm, int array_of_errcodes[])
{
    struct spawning s = {.count = count,
                         .commands = array_of_commands,
                         .argvs = array_of_argv,
                         .maxprocs = array_of_maxprocs,
                         .infos = array_of_info};

    return spawn(&s, root, comm, intercomm, array_of_errcodes, __func__);
}
