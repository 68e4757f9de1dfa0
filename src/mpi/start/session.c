/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sessions (11.3): any number of them beside the world model. The processes a
 * session can name are sets: the job, the process itself, and those that share
 * memory with it.
 */
#include "mpi/start/session.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mpi/env/info.h"
#include "mpi/start/leaks.h"

static int world_size(void)
{
    return core_size();
}
static int world_proc(int i)
{
    return i;
}
static int self_size(void)
{
    return 1;
}
static int self_proc(int i)
{
    return core_me() + i;
}
static int node_size(void)
{
    return (int)core_node_size();
}
static int node_proc(int i)
{
    return core_node_pe((unsigned)i);
}

static const struct pset {
    const char *name;
    int (*size)(void);
    int (*proc)(int i);
} psets[] = {{"mpi://WORLD", world_size, world_proc},
             {"mpi://SELF", self_size, self_proc},
             {"mpt://NODE", node_size, node_proc}};

enum { NPSETS = sizeof psets / sizeof *psets };

/* Names are URIs, whose scheme and authority are the same in any case of letters. */
static const struct pset *pset_of(const char *name)
{
    for (int i = 0; i < NPSETS; i++)
        if (strcasecmp(psets[i].name, name) == 0)
            return &psets[i];
    return NULL;
}

struct mpii_group *mpii_pset_group(const char *name)
{
    const struct pset *p = pset_of(name);
    int n = p ? p->size() : 0, *procs = p ? malloc((size_t)n * sizeof *procs) : NULL;
    struct mpii_group *group;

    if (!procs)
        return NULL;
    for (int i = 0; i < n; i++)
        procs[i] = p->proc(i);
    group = mpii_group_new(n, procs);
    free(procs);
    return group;
}

int mpii_check_session(MPI_Session handle, struct mpii_session **s, const char *call)
{
    *s = mpii_session_of(handle);
    if (MPT_LIKELY(*s != NULL))
        return MPI_SUCCESS;
    if (handle == MPI_SESSION_NULL)
        return mpii_error(NULL, MPI_ERR_SESSION, call, "session is MPI_SESSION_NULL");
    return mpii_error(NULL, MPI_ERR_SESSION, call, "session is %p, which is not a session (finalized?)",
                      mpii_bad_handle(MPII_SESSION, handle));
}

/* ------------------------------------------------------ start and end -- */

static int describe(struct mpii_session *s, MPI_Info info)
{
    static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
    const char *wish = mpii_info_get(info, "thread_level");
    int level = MPI_THREAD_MULTIPLE;

    for (size_t i = 0; wish && i < sizeof levels / sizeof *levels; i++)
        if (strcmp(wish, mpii_thread_level_name(levels[i])) == 0)
            level = levels[i];
    s->info = mpii_info_copy(NULL);
    if (!s->info)
        return MPI_ERR_NO_MEM;
    MPII_TRY(mpii_info_put(s->info, "thread_level", mpii_thread_level_name(level)));
    return mpii_info_put(s->info, "mpi_memory_alloc_kinds", MPII_MEMORY_KINDS);
}

int mpii_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    struct mpii_errhandler *h = mpii_errhandler_of(errhandler);
    struct mpii_anchor early = {{MPII_SESSION, 1}, h, MPI_SESSION_NULL};
    struct mpii_session *s;

    if (!h || (h->for_kind != MPII_NONE && h->for_kind != MPII_SESSION))
        return mpii_error(NULL, MPI_ERR_ERRHANDLER, __func__,
                          "errhandler is %p, which is not an error handler for sessions", (void *)errhandler);
    MPII_TRY(mpii_check_pointer(&early, session, "session", __func__));
    MPII_TRY(mpii_check_info(&early, info, __func__));
    s = mpii_object_new(MPII_SESSION, sizeof *s);
    if (!s || describe(s, info) != MPI_SUCCESS) {
        mpii_info_release(s ? s->info : NULL);
        if (s)
            mpii_object_free(s);
        return mpii_error(&early, MPI_ERR_NO_MEM, __func__, "no memory for a session");
    }
    MPII_TRY(mpii_start());
    s->anchor.errhandler = mpii_errhandler_hold(h);
    s->anchor.handle = s;
    *session = (MPI_Session)(void *)s;
    return MPI_SUCCESS;
}

int mpii_Session_finalize(MPI_Session *session)
{
    struct mpii_session *s;
    void *buffer;
    MPI_Count size;

    MPII_TRY(mpii_check_pointer(NULL, session, "session", __func__));
    MPII_TRY(mpii_check_session(*session, &s, __func__));
    if (s->bsend) /* its messages leave first */
        MPII_TRY(mpii_Session_detach_buffer(*session, &buffer, &size, 1));
    mpii_errhandler_release(s->anchor.errhandler);
    mpii_info_release(s->info);
    mpii_object_free(s);
    *session = MPI_SESSION_NULL;
    if (MPT_UNLIKELY(core_params.check) && mpii_state.start.starts == 1)
        mpii_leaks_tell("MPI_Session_finalize");
    mpii_stop(false);
    return MPI_SUCCESS;
}

/* --------------------------------------------------------------- info -- */

int mpii_Session_get_info(MPI_Session session, MPI_Info *info_used)
{
    struct mpii_session *s;

    MPII_TRY(mpii_check_session(session, &s, __func__));
    return mpii_info_give(s, mpii_info_copy(s->info), info_used, __func__);
}

int mpii_Session_get_num_psets(MPI_Session session, MPI_Info info, int *npset_names)
{
    struct mpii_session *s;

    MPII_TRY(mpii_check_session(session, &s, __func__));
    MPII_TRY(mpii_check_info(s, info, __func__));
    MPII_TRY(mpii_check_pointer(s, npset_names, "npset_names", __func__));
    *npset_names = NPSETS;
    return MPI_SUCCESS;
}

int mpii_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name)
{
    struct mpii_session *s;
    int room;

    MPII_TRY(mpii_check_session(session, &s, __func__));
    MPII_TRY(mpii_check_info(s, info, __func__));
    MPII_TRY(mpii_check_pointer(s, pset_len, "pset_len", __func__));
    room = *pset_len;
    if (n < 0 || n >= NPSETS)
        return mpii_error(s, MPI_ERR_ARG, __func__, "n is %d, but there are %d process sets", n, NPSETS);
    if (room < 0)
        return mpii_error(s, MPI_ERR_ARG, __func__, "pset_len is %d, less than 0", room);
    if (room > 0) {
        MPII_TRY(mpii_check_pointer(s, pset_name, "pset_name", __func__));
        snprintf(pset_name, (size_t)room, "%s", psets[n].name);
    }
    *pset_len = (int)strlen(psets[n].name) + 1;
    return MPI_SUCCESS;
}

int mpii_Session_get_pset_info(MPI_Session session, const char *pset_name, MPI_Info *info)
{
    struct mpii_session *s;
    struct mpii_info *new;
    char text[16];

    MPII_TRY(mpii_check_session(session, &s, __func__));
    MPII_TRY(mpii_check_pointer(s, pset_name, "pset_name", __func__));
    MPII_TRY(mpii_check_pointer(s, info, "info", __func__));
    if (!pset_of(pset_name))
        return mpii_error(s, MPI_ERR_ARG, __func__, "pset_name is \"%s\", which is not a process set", pset_name);
    snprintf(text, sizeof text, "%d", pset_of(pset_name)->size());
    new = mpii_info_copy(NULL);
    if (new && mpii_info_put(new, "mpi_size", text) != MPI_SUCCESS) {
        mpii_info_release(new);
        new = NULL;
    }
    return mpii_info_give(s, new, info, __func__);
}
