/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Raising errors (9.3): the handler of the object concerned is called; a fatal
 * one says in one line what was wrong, where and with what, and ends the job.
 * The user's handlers run without the lock: they may take locks of their own.
 */
#include "mpi/env/error.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/io/io.h"
#include "mpi/rma/win.h"

/* By its name, or by its address if it has none. */
static const char *describe(char *text, size_t n, const struct mpii_anchor *anchor, const char *kind, const char *name,
                            int rank, int size)
{
    if (*name)
        snprintf(text, n, "%s %.*s rank %d", kind, (int)n - 36, name, rank);
    else if (rank >= 0)
        snprintf(text, n, "%s %p rank %d of %d", kind, anchor->handle, rank, size);
    else
        snprintf(text, n, "%s %p", kind, anchor->handle);
    return text;
}

const char *mpii_object_name(const struct mpii_anchor *anchor, char *text, size_t n)
{
    const struct mpii_comm *c = (const struct mpii_comm *)anchor;
    const struct mpii_win *w = (const struct mpii_win *)anchor;
    const struct mpii_file *f = (const struct mpii_file *)anchor;

    switch (anchor->object.kind) {
    case MPII_COMM:
        return describe(text, n, anchor, "communicator", c->name, c->rank, c->size);
    case MPII_WIN:
        return describe(text, n, anchor, "window", w->name, w->rank, w->size);
    case MPII_SESSION:
        return describe(text, n, anchor, "session", "", -1, -1); /* the standard gives them no names */
    default:
        return anchor->handle == MPI_FILE_NULL ? "MPI_FILE_NULL"
                                               : describe(text, n, anchor, "file", f->name, f->comm->rank, -1);
    }
}

/* What --check calls an error that ends the job. */
static enum core_finding_kind kind_of(int code)
{
    static const struct {
        int class;
        enum core_finding_kind kind;
    } rows[] = {
        {MPI_ERR_TRUNCATE, CORE_FINDING_TRUNCATION}, {MPI_ERR_RMA_SYNC, CORE_FINDING_EPOCH},
        {MPI_ERR_RMA_CONFLICT, CORE_FINDING_EPOCH},  {MPI_ERR_BUFFER, CORE_FINDING_ARGUMENT},
        {MPI_ERR_OTHER, CORE_FINDING_CALL_STATE},
    };
    int class = code;

    mpii_error_class(code, &class);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].class == class)
            return rows[i].kind;
    return CORE_FINDING_ARGUMENT;
}

/* All PEs may notice the same at once: the first speaks for them. */
static void __attribute__((noreturn, cold)) end_job(const struct mpii_anchor *anchor, int code, const char *text)
{
    char name[MPI_MAX_OBJECT_NAME + 64];

    core_job_be_first();
    if (core_params.check) {
        core_finding_of_call(kind_of(code), "MPI-5.0, 9.3", "%s%s%s", text, anchor ? " on " : "",
                             anchor ? mpii_object_name(anchor, name, sizeof name) : "");
        core_job_abort(CORE_FINDING_STATUS);
    }
    core_error_of_call("%s%s%s", text, anchor ? " on " : "", anchor ? mpii_object_name(anchor, name, sizeof name) : "");
    core_job_abort(EXIT_FAILURE);
}

/* The four types of handlers differ in their first argument only, which is a handle by address. What they make
 * of the code is what the call returns, but not success: its arguments are still wrong. */
static int call_user(const struct mpii_errhandler *h, void *handle, const int raised)
{
    unsigned had = mpii_unlock_all();
    int code = raised;

    switch (h->for_kind) {
    case MPII_COMM:
        ((MPI_Comm_errhandler_function *)h->function)(&(MPI_Comm){handle}, &code);
        break;
    case MPII_WIN:
        ((MPI_Win_errhandler_function *)h->function)(&(MPI_Win){handle}, &code);
        break;
    case MPII_FILE:
        ((MPI_File_errhandler_function *)h->function)(&(MPI_File){handle}, &code);
        break;
    default:
        ((MPI_Session_errhandler_function *)h->function)(&(MPI_Session){handle}, &code);
    }
    mpii_lock_again(had);
    return code != MPI_SUCCESS ? code : raised;
}

int mpii_handle_error(struct mpii_anchor *anchor, int code, const char *text)
{
    struct mpii_errhandler *h = anchor ? anchor->errhandler : mpii_errhandler_initial();

    if (h->predefined == MPI_ERRORS_RETURN)
        return code;
    if (!h->function)
        end_job(anchor, code, text);
    mpii_errhandler_hold(h); /* it may free itself, and the object */
    code = call_user(h, anchor->handle, code);
    mpii_errhandler_release(h);
    return code;
}

/*
 * Errors that belong to no object are MPI_COMM_SELF's, outside of the world model the initial handler's. Before MPI-4
 * they were MPI_COMM_WORLD's: programs that set a handler there only mean them, too.
 */
static struct mpii_anchor *anchor_of(void *object)
{
    if (object)
        return object;
    if (!mpii_world_up() || !mpii_state.comm.self)
        return NULL;
    const struct mpii_errhandler *initial = mpii_errhandler_initial();
    return mpii_state.comm.self->anchor.errhandler == initial && mpii_state.comm.world->anchor.errhandler != initial
               ? &mpii_state.comm.world->anchor
               : &mpii_state.comm.self->anchor;
}

int mpii_error(void *object, int code, const char *call, const char *fmt, ...)
{
    struct mpii_env_thread *last = &mpii_thread.env;
    struct mpii_anchor *anchor = anchor_of(object);
    char name[64], line[512];
    const char *base = strncmp(call, "mpii_", 5) == 0 ? call + 5 : call;
    int n = snprintf(last->text, sizeof last->text, "%s%s: ", base == call ? "" : "MPI_", base);
    va_list ap;

    mpii_state.counters.errors++;
    last->code = code;
    va_start(ap, fmt);
    vsnprintf(last->text + n, sizeof last->text - (size_t)n, fmt, ap);
    va_end(ap);
    snprintf(line, sizeof line, "%s (%s)", last->text, mpii_error_name(code, name, sizeof name));
    return mpii_handle_error(anchor, code, line);
}
