/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Error handlers as objects (9.3): made for one kind of object, or predefined
 * and fit for all. MPI_FILE_NULL has one too, which new files take over.
 */
#include "mpi/env/error.h"

/* Never freed: their count starts high enough for any number of frees by users. */
#define PREDEFINED(name_) {{MPII_ERRHANDLER, 1}, MPII_NONE, NULL, name_, 0}
static struct mpii_errhandler predefined[] = {PREDEFINED(MPI_ERRORS_ARE_FATAL), PREDEFINED(MPI_ERRORS_ABORT),
                                              PREDEFINED(MPI_ERRORS_RETURN)};

struct mpii_anchor mpii_file_null = {{MPII_FILE, 1}, &predefined[2], MPI_FILE_NULL};

struct mpii_errhandler *mpii_errhandler_of(MPI_Errhandler handle)
{
    for (size_t i = 0; i < sizeof predefined / sizeof *predefined; i++)
        if (predefined[i].predefined == handle)
            return &predefined[i];
    struct mpii_errhandler *h = mpii_object_of(handle, MPII_ERRHANDLER);
    return h && h->handles > 0 ? h : NULL; /* others hold it, too */
}

MPI_Errhandler mpii_errhandler_handle(struct mpii_errhandler *h)
{
    if (!h->function)
        return h->predefined;
    h->handles++;
    return (MPI_Errhandler)(void *)h;
}

void mpii_errhandler_release(struct mpii_errhandler *h)
{
    if (h && h->function && --h->object.refs == 0)
        mpii_object_free(h);
}

struct mpii_errhandler *mpii_errhandler_initial(void)
{
    struct mpii_errhandler **initial = &mpii_state.env.initial;
    char why[512];

    if (*initial)
        return *initial;
    if (!core_job_running() &&
        core_param_load(why, sizeof why) != 0) /* an error before the start, which will say why */
        return &predefined[0];
    switch (core_params.initial_errhandler) {
    case CORE_ERRHANDLER_ABORT:
        return *initial = mpii_errhandler_of(MPI_ERRORS_ABORT);
    case CORE_ERRHANDLER_RETURN:
        return *initial = mpii_errhandler_of(MPI_ERRORS_RETURN);
    default:
        return *initial = mpii_errhandler_of(MPI_ERRORS_ARE_FATAL);
    }
}

/* ------------------------------------------------------------- objects -- */

static int not_null(const void *p, const char *arg, const char *call)
{
    return mpii_check_pointer(NULL, p, arg, call);
}

/* The anchor of a handle, or an error. Files: MPI_FILE_NULL counts. */
static int anchor_of(enum mpii_kind kind, void *handle, struct mpii_anchor **anchor, const char *call)
{
    static const struct {
        const char *arg;
        int class;
    } names[MPII_KINDS] = {[MPII_WIN] = {"win", MPI_ERR_WIN}, [MPII_FILE] = {"file", MPI_ERR_FILE}};
    struct mpii_comm *c;
    struct mpii_session *s;

    if (kind == MPII_COMM) {
        MPII_TRY(mpii_check_comm(handle, &c, call));
        *anchor = &c->anchor;
        return MPI_SUCCESS;
    }
    if (kind == MPII_SESSION) {
        MPII_TRY(mpii_check_session(handle, &s, call));
        *anchor = &s->anchor;
        return MPI_SUCCESS;
    }
    *anchor = handle == MPI_FILE_NULL ? &mpii_file_null : mpii_object_of(handle, kind);
    if (*anchor && (*anchor)->object.kind == kind)
        return MPI_SUCCESS;
    return mpii_error(kind == MPII_FILE ? &mpii_file_null : NULL, names[kind].class, call,
                      "%s is %p, which is not a %s (freed?)", names[kind].arg, mpii_bad_handle(kind, handle),
                      kind == MPII_FILE ? "file" : "window");
}

static int create(enum mpii_kind kind, MPII_Function *function, MPI_Errhandler *handle, const char *call)
{
    struct mpii_errhandler *h;

    MPII_TRY(not_null(handle, "errhandler", call));
    if (!function)
        return mpii_error(NULL, MPI_ERR_ARG, call, "the error handler function is NULL");
    h = mpii_object_new(MPII_ERRHANDLER, sizeof *h);
    if (!h)
        return mpii_error(NULL, MPI_ERR_NO_MEM, call, "no memory for an error handler");
    h->for_kind = kind;
    h->function = function;
    *handle = mpii_errhandler_handle(h);
    return MPI_SUCCESS;
}

static int set(enum mpii_kind kind, void *object, MPI_Errhandler handle, const char *call)
{
    struct mpii_errhandler *h = mpii_errhandler_of(handle), *old;
    struct mpii_anchor *anchor;

    MPII_TRY(anchor_of(kind, object, &anchor, call));
    if (!h)
        return mpii_error(anchor, MPI_ERR_ERRHANDLER, call, "errhandler is %s%p, which is not an error handler",
                          handle == MPI_ERRHANDLER_NULL ? "MPI_ERRHANDLER_NULL, " : "", (void *)handle);
    if (h->for_kind != MPII_NONE && h->for_kind != kind)
        return mpii_error(anchor, MPI_ERR_ERRHANDLER, call, "errhandler %p was created for another kind of object",
                          (void *)handle);
    if (kind == MPII_FILE)
        mpii_state.env.file_handler_set = true;
    old = anchor->errhandler;
    anchor->errhandler = mpii_errhandler_hold(h);
    mpii_errhandler_release(old);
    return MPI_SUCCESS;
}

static int get(enum mpii_kind kind, void *object, MPI_Errhandler *handle, const char *call)
{
    struct mpii_anchor *anchor;

    MPII_TRY(anchor_of(kind, object, &anchor, call));
    if (!handle)
        return mpii_error(anchor, MPI_ERR_ARG, call, "errhandler is NULL");
    *handle = mpii_errhandler_handle(mpii_errhandler_hold(anchor->errhandler));
    return MPI_SUCCESS;
}

static int call_handler(enum mpii_kind kind, void *object, int code, const char *call)
{
    struct mpii_anchor *anchor;
    char name[64], line[128];

    MPII_TRY(anchor_of(kind, object, &anchor, call));
    snprintf(line, sizeof line, "MPI_%s: called by the program (%s)", call + 5,
             mpii_error_name(code, name, sizeof name));
    mpii_thread.env.blame = &mpii_blame_nobody;
    mpii_handle_error(anchor, code, line);
    mpii_thread.env.blame = NULL;
    return MPI_SUCCESS;
}

int mpii_Errhandler_free(MPI_Errhandler *errhandler)
{
    struct mpii_errhandler *h;

    MPII_TRY(not_null(errhandler, "errhandler", __func__));
    h = mpii_errhandler_of(*errhandler);
    if (!h)
        return mpii_error(NULL, MPI_ERR_ERRHANDLER, __func__,
                          "errhandler is %p, which is not an error handler (freed?)",
                          mpii_bad_handle(MPII_ERRHANDLER, *errhandler));
    h->handles--;
    mpii_errhandler_release(h);
    *errhandler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

/* The four kinds' calls. */

int mpii_Comm_create_errhandler(MPI_Comm_errhandler_function *comm_errhandler_fn, MPI_Errhandler *errhandler)
{
    return create(MPII_COMM, (MPII_Function *)comm_errhandler_fn, errhandler, __func__);
}

int mpii_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    return set(MPII_COMM, comm, errhandler, __func__);
}

int mpii_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    return get(MPII_COMM, comm, errhandler, __func__);
}

/* As MPI-1 has them, of communicators only. */

int mpii_Errhandler_create(MPI_Comm_errhandler_function *handler_fn, MPI_Errhandler *errhandler)
{
    return create(MPII_COMM, (MPII_Function *)handler_fn, errhandler, __func__);
}

int mpii_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
{
    return set(MPII_COMM, comm, errhandler, __func__);
}

int mpii_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    return get(MPII_COMM, comm, errhandler, __func__);
}

int mpii_Comm_call_errhandler(MPI_Comm comm, int errorcode)
{
    return call_handler(MPII_COMM, comm, errorcode, __func__);
}

int mpii_Win_create_errhandler(MPI_Win_errhandler_function *win_errhandler_fn, MPI_Errhandler *errhandler)
{
    return create(MPII_WIN, (MPII_Function *)win_errhandler_fn, errhandler, __func__);
}

int mpii_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler)
{
    return set(MPII_WIN, win, errhandler, __func__);
}

int mpii_Win_get_errhandler(MPI_Win win, MPI_Errhandler *errhandler)
{
    return get(MPII_WIN, win, errhandler, __func__);
}

int mpii_Win_call_errhandler(MPI_Win win, int errorcode)
{
    return call_handler(MPII_WIN, win, errorcode, __func__);
}

int mpii_File_create_errhandler(MPI_File_errhandler_function *file_errhandler_fn, MPI_Errhandler *errhandler)
{
    return create(MPII_FILE, (MPII_Function *)file_errhandler_fn, errhandler, __func__);
}

int mpii_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler)
{
    return set(MPII_FILE, file, errhandler, __func__);
}

int mpii_File_get_errhandler(MPI_File file, MPI_Errhandler *errhandler)
{
    return get(MPII_FILE, file, errhandler, __func__);
}

int mpii_File_call_errhandler(MPI_File file, int errorcode)
{
    return call_handler(MPII_FILE, file, errorcode, __func__);
}

int mpii_Session_create_errhandler(MPI_Session_errhandler_function *session_errhandler_fn, MPI_Errhandler *errhandler)
{
    return create(MPII_SESSION, (MPII_Function *)session_errhandler_fn, errhandler, __func__);
}

int mpii_Session_set_errhandler(MPI_Session session, MPI_Errhandler errhandler)
{
    return set(MPII_SESSION, session, errhandler, __func__);
}

int mpii_Session_get_errhandler(MPI_Session session, MPI_Errhandler *errhandler)
{
    return get(MPII_SESSION, session, errhandler, __func__);
}

int mpii_Session_call_errhandler(MPI_Session session, int errorcode)
{
    return call_handler(MPII_SESSION, session, errorcode, __func__);
}
