/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers (9.3) of communicators, windows, files and sessions: set, get, free, call; which one an error reaches;
 * what it is given; lifetimes; wrong arguments. */
#include "mcheck.h"

static struct {
    int calls, code;
    void *object;
} seen;

static void note(void *object, int code)
{
    seen.calls++;
    seen.code = code;
    seen.object = object;
}

static void on_comm(MPI_Comm *comm, int *code, ...)
{
    note(*comm, *code);
}
static void on_comm_too(MPI_Comm *comm, int *code, ...)
{
    note(*comm, *code);
}
static void on_win(MPI_Win *win, int *code, ...)
{
    note(*win, *code);
}
static void on_file(MPI_File *file, int *code, ...)
{
    note(*file, *code);
}
static void on_session(MPI_Session *session, int *code, ...)
{
    note(*session, *code);
}

static void expect_call(void *object, int code, const char *what)
{
    CHECK(seen.calls == 1, "%s: %d calls of the handler", what, seen.calls);
    CHECK(seen.code == code, "%s: handler got code %d, expected %d", what, seen.code, code);
    CHECK(seen.object == object, "%s: handler got object %p, expected %p", what, seen.object, object);
    seen.calls = 0;
}

static void initial(void)
{
    MPI_Errhandler h = MPI_ERRHANDLER_NULL;

    OK(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &h));
    CHECK(h == MPI_ERRORS_ARE_FATAL, "MPI_COMM_WORLD begins with %p", (void *)h);
    OK(MPI_Errhandler_free(&h)); /* what get gave, also a predefined one */
    CHECK(h == MPI_ERRHANDLER_NULL, "free leaves %p", (void *)h);
    OK(MPI_Comm_get_errhandler(MPI_COMM_SELF, &h));
    CHECK(h == MPI_ERRORS_ARE_FATAL, "MPI_COMM_SELF begins with %p", (void *)h);
    OK(MPI_File_get_errhandler(MPI_FILE_NULL, &h));
    CHECK(h == MPI_ERRORS_RETURN, "MPI_FILE_NULL begins with %p", (void *)h);
}

static void of_comms(void)
{
    MPI_Comm comm, child;
    MPI_Errhandler h, got, other;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_create_errhandler(on_comm, &h));
    OK(MPI_Comm_create_errhandler(on_comm_too, &other));
    CHECK(h != other, "two handlers have one handle");
    OK(MPI_Comm_set_errhandler(comm, h));
    OK(MPI_Comm_get_errhandler(comm, &got));
    CHECK(got == h, "get gives another handle than was set");
    OK(MPI_Errhandler_free(&got));
    MPI_Send(NULL, 0, MPI_INT, -77, 0, comm);
    expect_call(comm, MPI_ERR_RANK, "bad rank");
    MPI_Send(NULL, -1, MPI_INT, 0, 0, comm);
    expect_call(comm, MPI_ERR_COUNT, "bad count");
    MPI_Send(NULL, 0, MPI_DATATYPE_NULL, 0, 0, comm);
    expect_call(comm, MPI_ERR_TYPE, "bad type");
    MPI_Send(NULL, 0, MPI_INT, 0, -5, comm);
    expect_call(comm, MPI_ERR_TAG, "bad tag");
    OK(MPI_Comm_dup(comm, &child)); /* inherits */
    MPI_Send(NULL, 0, MPI_INT, mc_size, 0, child);
    expect_call(child, MPI_ERR_RANK, "inherited");
    OK(MPI_Comm_set_errhandler(child, other));
    OK(MPI_Errhandler_free(&h)); /* stays alive in comm */
    CHECK(h == MPI_ERRHANDLER_NULL, "free leaves %p", (void *)h);
    MPI_Send(NULL, 0, MPI_INT, -77, 0, comm);
    expect_call(comm, MPI_ERR_RANK, "after its handle was freed");
    for (int i = 0; i < 100; i++) {
        OK(MPI_Comm_get_errhandler(comm, &got));
        OK(MPI_Comm_set_errhandler(comm, got));
        OK(MPI_Errhandler_free(&got));
    }
    OK(MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
    expect_call(comm, MPI_ERR_OTHER, "called");
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    FAILS(MPI_Send(NULL, 0, MPI_INT, -77, 0, comm), MPI_ERR_RANK);
    CHECK(seen.calls == 0, "a replaced handler was called");
    OK(MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER));
    OK(MPI_Errhandler_free(&other));
    OK(MPI_Comm_free(&child));
    OK(MPI_Comm_free(&comm));
}

/* Errors of no object, or of an object that is none, are MPI_COMM_SELF's. */
static void of_nothing(void)
{
    MPI_Errhandler h;
    MPI_Info none = MPI_INFO_NULL;

    OK(MPI_Comm_create_errhandler(on_comm, &h));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, h));
    MPI_Info_free(&none);
    expect_call(MPI_COMM_SELF, MPI_ERR_INFO, "info");
    MPI_Comm_size(MPI_COMM_NULL, &(int){0});
    expect_call(MPI_COMM_SELF, MPI_ERR_COMM, "comm");
    MPI_Type_size(MPI_DATATYPE_NULL, &(int){0});
    expect_call(MPI_COMM_SELF, MPI_ERR_TYPE, "type");
    MPI_Error_class(-3, &(int){0});
    expect_call(MPI_COMM_SELF, MPI_ERR_ARG, "code");
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Errhandler_free(&h));
}

static void of_windows(void)
{
    MPI_Win win;
    MPI_Errhandler h, got;
    int memory[4] = {0};

    OK(MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OK(MPI_Win_get_errhandler(win, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL, "a window begins with %p", (void *)got);
    OK(MPI_Win_create_errhandler(on_win, &h));
    OK(MPI_Win_set_errhandler(win, h));
    OK(MPI_Errhandler_free(&h));
    OK(MPI_Win_call_errhandler(win, MPI_ERR_RMA_SYNC));
    expect_call(win, MPI_ERR_RMA_SYNC, "window");
    MPI_Put(memory, 1, MPI_INT, mc_size + 3, 0, 1, MPI_INT, win);
    expect_call(win, MPI_ERR_RANK, "put to no rank");
    OK(MPI_Win_free(&win));
    FAILS(MPI_Win_get_errhandler(win, &h), MPI_ERR_WIN);
    FAILS(MPI_Win_set_errhandler(MPI_WIN_NULL, MPI_ERRORS_RETURN), MPI_ERR_WIN);
    FAILS(MPI_Win_call_errhandler(MPI_WIN_NULL, MPI_ERR_OTHER), MPI_ERR_WIN);
}

static void of_files(void)
{
    MPI_File file;
    MPI_Errhandler h, got;
    char name[64];

    OK(MPI_File_create_errhandler(on_file, &h));
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, h));
    OK(MPI_File_get_errhandler(MPI_FILE_NULL, &got));
    CHECK(got == h, "MPI_FILE_NULL has %p", (void *)got);
    OK(MPI_Errhandler_free(&got));
    CHECK(MPI_File_open(MPI_COMM_SELF, "/nonexistent/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS,
          "opened nothing");
    expect_call(MPI_FILE_NULL, MPI_ERR_NO_SUCH_FILE, "open");
    snprintf(name, sizeof name, "/tmp/mpt-handlers-%d-%d", (int)getpid(), mc_rank);
    OK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                     &file));
    OK(MPI_File_get_errhandler(file, &got));
    CHECK(got == h, "a new file has %p, not that of MPI_FILE_NULL", (void *)got);
    OK(MPI_Errhandler_free(&got));
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    OK(MPI_Errhandler_free(&h));
    OK(MPI_File_call_errhandler(file, MPI_ERR_IO));
    expect_call(file, MPI_ERR_IO, "file");
    OK(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
    OK(MPI_File_close(&file));
    OK(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO));
    FAILS(MPI_File_get_errhandler((MPI_File)MPI_COMM_WORLD, &h), MPI_ERR_FILE);
}

static void of_sessions(void)
{
    MPI_Session session;
    MPI_Errhandler h, got;

    OK(MPI_Session_create_errhandler(on_session, &h));
    OK(MPI_Session_init(MPI_INFO_NULL, h, &session));
    OK(MPI_Session_get_errhandler(session, &got));
    CHECK(got == h, "a session has %p", (void *)got);
    OK(MPI_Errhandler_free(&got));
    OK(MPI_Errhandler_free(&h));
    OK(MPI_Session_call_errhandler(session, MPI_ERR_OTHER));
    expect_call(session, MPI_ERR_OTHER, "session");
    MPI_Session_get_pset_info(session, "no such set", &(MPI_Info){0});
    expect_call(session, MPI_ERR_ARG, "process set");
    OK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
    FAILS(MPI_Session_get_pset_info(session, "no such set", &(MPI_Info){0}), MPI_ERR_ARG);
    OK(MPI_Session_finalize(&session));
    FAILS(MPI_Session_call_errhandler(session, MPI_ERR_OTHER), MPI_ERR_SESSION);
    FAILS(MPI_Session_get_errhandler(session, &got), MPI_ERR_SESSION);
}

static void wrong(void)
{
    MPI_Errhandler h, w, freed, none = MPI_ERRHANDLER_NULL;

    FAILS(MPI_Errhandler_free(&none), MPI_ERR_ERRHANDLER);
    FAILS(MPI_Errhandler_free(NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_create_errhandler(NULL, &h), MPI_ERR_ARG);
    FAILS(MPI_Comm_create_errhandler(on_comm, NULL), MPI_ERR_ARG);
    OK(MPI_Comm_create_errhandler(on_comm, &h));
    OK(MPI_Win_create_errhandler(on_win, &w));
    FAILS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, w), MPI_ERR_ERRHANDLER);
    FAILS(MPI_File_set_errhandler(MPI_FILE_NULL, h), MPI_ERR_ERRHANDLER);
    FAILS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL), MPI_ERR_ERRHANDLER);
    FAILS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, (MPI_Errhandler)MPI_COMM_WORLD), MPI_ERR_ERRHANDLER);
    FAILS(MPI_Comm_set_errhandler(MPI_COMM_NULL, MPI_ERRORS_RETURN), MPI_ERR_COMM);
    FAILS(MPI_Comm_get_errhandler(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_get_errhandler(MPI_COMM_NULL, &freed), MPI_ERR_COMM);
    FAILS(MPI_Comm_call_errhandler(MPI_COMM_NULL, MPI_ERR_OTHER), MPI_ERR_COMM);
    freed = h;
    OK(MPI_Errhandler_free(&h));
    FAILS(MPI_Errhandler_free(&freed), MPI_ERR_ERRHANDLER);
    FAILS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, freed), MPI_ERR_ERRHANDLER);
    OK(MPI_Errhandler_free(&w));
}

/* A handler may call MPI, raise errors itself, and put another in its place. */
static int depth;

static void nested(MPI_Comm *comm, int *code, ...)
{
    note(*comm, *code);
    if (depth++ == 0) {
        MPI_Send(NULL, 0, MPI_INT, 0, -9, *comm);
        MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
    }
}

static void inside(void)
{
    MPI_Comm comm;
    MPI_Errhandler h, got;

    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    OK(MPI_Comm_create_errhandler(nested, &h));
    OK(MPI_Comm_set_errhandler(comm, h));
    OK(MPI_Errhandler_free(&h));
    FAILS(MPI_Send(NULL, 0, MPI_INT, 5, 0, comm), MPI_ERR_RANK);
    CHECK(seen.calls == 2 && seen.code == MPI_ERR_TAG, "%d calls, the last for %d", seen.calls, seen.code);
    seen.calls = 0;
    OK(MPI_Comm_get_errhandler(comm, &got));
    CHECK(got == MPI_ERRORS_RETURN, "the handler's own change is lost");
    OK(MPI_Comm_free(&comm));
}

/* What a handler leaves in its second argument is what the call returns; it cannot make a success of it. */
static int replacement;

static void replaces(MPI_Comm *comm, int *code, ...)
{
    note(*comm, *code);
    *code = replacement;
}

static void replaced(void)
{
    MPI_Comm comm;
    MPI_Errhandler h;
    int own;

    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    OK(MPI_Add_error_class(&own));
    OK(MPI_Comm_create_errhandler(replaces, &h));
    OK(MPI_Comm_set_errhandler(comm, h));
    OK(MPI_Errhandler_free(&h));
    replacement = own;
    FAILS(MPI_Send(NULL, 0, MPI_INT, 5, 0, comm), own);
    expect_call(comm, MPI_ERR_RANK, "code replaced");
    replacement = MPI_SUCCESS;
    FAILS(MPI_Send(NULL, 0, MPI_INT, 5, 0, comm), MPI_ERR_RANK);
    expect_call(comm, MPI_ERR_RANK, "success refused");
    OK(MPI_Comm_free(&comm));
}

int main(void)
{
    mc_start();
    initial();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    of_comms();
    of_nothing();
    of_sessions();
    wrong();
    inside();
    replaced();
    of_windows();
    of_files();
    return mc_finish();
}
