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
#include "mpi/rt/ledger.h"

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

/* ---- what --check says of errors that end the job ---- */

struct sort {
    int class;
    enum core_finding_kind kind; /* CORE_FINDING_KINDS: no defect of the program's */
    const char *rule;
};

#define NONE CORE_FINDING_KINDS

const struct mpii_blame mpii_blame_nobody = {.kind = NONE};

static struct sort sort_of(int code)
{
    static const struct sort rows[] = {
        {MPI_ERR_TRUNCATE, CORE_FINDING_TRUNCATION, "MPI-5.0, 3.2.4"},
        {MPI_ERR_RMA_SYNC, CORE_FINDING_EPOCH, "MPI-5.0, 12.5"},
        {MPI_ERR_RMA_CONFLICT, CORE_FINDING_EPOCH, "MPI-5.0, 12.7"},
        {MPI_ERR_REQUEST, CORE_FINDING_REQUEST_USE, "MPI-5.0, 3.7 and 3.9"},
        {MPI_ERR_PENDING, CORE_FINDING_REQUEST_USE, "MPI-5.0, 3.7.5"},
        {MPI_ERR_OTHER, CORE_FINDING_CALL_STATE, "MPI-5.0, 11.2"},
        {MPI_ERR_SESSION, CORE_FINDING_CALL_STATE, "MPI-5.0, 11.3"},
        {MPI_ERR_COUNT, CORE_FINDING_ARGUMENT, "MPI-5.0, 3.2.2"},
        {MPI_ERR_TYPE, CORE_FINDING_ARGUMENT, "MPI-5.0, 5.1.9"},
        {MPI_ERR_TAG, CORE_FINDING_ARGUMENT, "MPI-5.0, 3.2.3"},
        {MPI_ERR_RANK, CORE_FINDING_ARGUMENT, "MPI-5.0, 3.2.3"},
        {MPI_ERR_NO_MEM, NONE, NULL},
        {MPI_ERR_INTERN, NONE, NULL},
        {MPI_ERR_IO, NONE, NULL},
        {MPI_ERR_ACCESS, NONE, NULL},
        {MPI_ERR_BAD_FILE, NONE, NULL},
        {MPI_ERR_FILE_EXISTS, NONE, NULL},
        {MPI_ERR_NO_SPACE, NONE, NULL},
        {MPI_ERR_NO_SUCH_FILE, NONE, NULL},
        {MPI_ERR_QUOTA, NONE, NULL},
        {MPI_ERR_READ_ONLY, NONE, NULL},
        {MPI_ERR_FILE_IN_USE, NONE, NULL},
        {MPI_ERR_CONVERSION, NONE, NULL},
        {MPI_ERR_DUP_DATAREP, NONE, NULL},
        {MPI_ERR_UNSUPPORTED_DATAREP, NONE, NULL},
        {MPI_ERR_UNSUPPORTED_OPERATION, NONE, NULL},
        {MPI_ERR_NOT_SAME, CORE_FINDING_COLLECTIVE, "MPI-5.0, 14"},
        {MPI_ERR_NAME, NONE, NULL},
        {MPI_ERR_PORT, NONE, NULL},
        {MPI_ERR_SERVICE, NONE, NULL},
        {MPI_ERR_SPAWN, NONE, NULL},
        {MPIX_ERR_PROC_FAILED, NONE, NULL},
        {MPIX_ERR_PROC_FAILED_PENDING, NONE, NULL},
        {MPIX_ERR_REVOKED, NONE, NULL},
    };
    int class = code;

    if (!mpii_error_class(code, &class) || class > MPI_ERR_LASTCODE)
        return (struct sort){code, NONE, NULL}; /* the program's own */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].class == class)
            return rows[i];
    return (struct sort){class, CORE_FINDING_ARGUMENT, "MPI-5.0, 9.3"};
}

void *mpii_bad_handle(enum mpii_kind kind, const void *handle)
{
    mpii_thread.env.bad_kind = kind;
    mpii_thread.env.bad = handle;
    return (void *)(uintptr_t)handle;
}

/* The handle that is none was one before. Else that is what is wrong. */
static void blame_handle(struct core_finding *f)
{
    struct mpii_env_thread *own = &mpii_thread.env;
    const struct mpii_entry *e = own->bad ? mpii_ledger_of(own->bad_kind, own->bad) : NULL;

    if (!own->bad)
        return;
    f->kind = e && e->handles == 0 ? CORE_FINDING_FREED : CORE_FINDING_ARGUMENT;
    if (f->kind != CORE_FINDING_FREED)
        return;
    snprintf(f->rule, sizeof f->rule, "MPI-5.0, 2.5.1");
    core_finding_at(f, core_me(), e->site, "%s made it", e->call);
    if (e->end) /* a request that was completed has none */
        core_finding_at(f, core_me(), e->end, "it was freed here");
}

static __attribute__((cold)) void say_found(const struct mpii_blame *b, const struct sort *s, const char *text)
{
    struct core_finding f;

    core_finding_begin(&f, b ? b->kind : s->kind, b && b->rule ? b->rule : s->rule, "%s", text);
    core_finding_at(&f, core_me(), core_site(), "this call");
    if (!b)
        blame_handle(&f);
    for (unsigned i = 0; b && i < b->n; i++)
        core_finding_at(&f, b->at[i].pe, b->at[i].site, "%s", b->at[i].call);
    core_finding_end(&f);
}

/* Files return errors unless a program says otherwise, so one that never has need not have thought of any. Wrong
 * arguments are findings then; what the system or the file's content brings about is not. */
static __attribute__((cold)) void say_of_file(const struct mpii_anchor *anchor, int code, const char *text)
{
    const struct mpii_blame *b = mpii_thread.env.blame;
    const struct sort s = sort_of(code);

    if (anchor->object.kind == MPII_FILE && !mpii_state.env.file_handler_set && (b ? b->kind : s.kind) != NONE)
        say_found(b, &s, text);
}

/* All PEs may notice the same at once: the first speaks for them. */
static void __attribute__((noreturn, cold)) end_job(const struct mpii_anchor *anchor, int code, const char *text)
{
    const struct mpii_blame *b = mpii_thread.env.blame;
    const struct sort s = sort_of(code);
    char name[MPI_MAX_OBJECT_NAME + 64], line[512 + sizeof name];

    core_job_be_first();
    snprintf(line, sizeof line, "%s%s%s", text, anchor ? " on " : "",
             anchor ? mpii_object_name(anchor, name, sizeof name) : "");
    if (core_params.check && b && b != &mpii_blame_nobody && b->kind == CORE_FINDING_KINDS)
        core_job_abort(CORE_FINDING_STATUS);
    if (core_params.check && (b ? b->kind : s.kind) != NONE) {
        say_found(b, &s, line);
        core_job_abort(CORE_FINDING_STATUS);
    }
    core_error_of_call("%s", line);
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

    if (h->predefined == MPI_ERRORS_RETURN) {
        if (MPT_UNLIKELY(core_params.check) && anchor)
            say_of_file(anchor, code, text);
        return code;
    }
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

static int __attribute__((format(printf, 4, 0))) raise(void *object, int code, const char *call, const char *fmt,
                                                       va_list ap)
{
    struct mpii_env_thread *last = &mpii_thread.env;
    struct mpii_anchor *anchor = anchor_of(object);
    char name[64], line[512];
    const char *base = strncmp(call, "mpii_", 5) == 0 ? call + 5 : call;
    int n = snprintf(last->text, sizeof last->text, "%s%s: ", base == call ? "" : "MPI_", base), error;

    mpii_state.counters.errors++;
    last->code = code;
    vsnprintf(last->text + n, sizeof last->text - (size_t)n, fmt, ap);
    snprintf(line, sizeof line, "%s (%s)", last->text, mpii_error_name(code, name, sizeof name));
    error = mpii_handle_error(anchor, code, line);
    last->bad = NULL;
    return error;
}

int mpii_error(void *object, int code, const char *call, const char *fmt, ...)
{
    va_list ap;
    int error;

    va_start(ap, fmt);
    mpii_thread.env.blame = NULL;
    error = raise(object, code, call, fmt, ap);
    va_end(ap);
    return error;
}

int mpii_error_blame(const struct mpii_blame *b, void *object, int code, const char *call, const char *fmt, ...)
{
    va_list ap;
    int error;

    va_start(ap, fmt);
    mpii_thread.env.blame = b;
    error = raise(object, code, call, fmt, ap);
    mpii_thread.env.blame = NULL;
    va_end(ap);
    return error;
}
