/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends that misuse.py asks for: victim CASE RANK. That rank does the case; the others wait in a barrier. Without
 * argument: the cases, each with what its message must name. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number;
static char text[MPI_MAX_ERROR_STRING];
static MPI_Comm comm;
static MPI_Info info;
static MPI_Request request;
static int memory[4];

static void freed_comm(void)
{
    MPI_Comm copy;

    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    copy = comm;
    MPI_Comm_free(&comm);
    MPI_Comm_rank(copy, &number);
}

static void freed_info(void)
{
    MPI_Info copy;

    MPI_Info_create(&info);
    copy = info;
    MPI_Info_free(&info);
    MPI_Info_set(copy, "a", "b");
}

static void on_dup(void)
{
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_name(comm, "my own");
    MPI_Send(memory, 1, MPI_INT, 1, 0, comm);
}

static void aborting(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ABORT);
    MPI_Send(memory, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
}

static void user_code(void)
{
    MPI_Add_error_code(MPI_ERR_OTHER, &number);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, number);
}

static void session(void)
{
    MPI_Session s;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &s);
    MPI_Session_get_pset_info(s, "nothing", &info);
}

static void on_window(const char *name)
{
    MPI_Win win;

    MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    if (name)
        MPI_Win_set_name(win, name);
    MPI_Put(memory, 1, MPI_INT, 5, 0, 1, MPI_INT, win);
}

static void on_file(void)
{
    MPI_File file;

    MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
    MPI_File_write(file, memory, 1, MPI_INT, MPI_STATUS_IGNORE);
}

/* Set `do_` ran in, name, what it does, what its message holds. */
#define CASES(X)                                                                                                   \
    X(run, send_rank, MPI_Send(memory, 1, MPI_INT, 99, 0, MPI_COMM_WORLD),                                         \
      "MPI_Send: dest is 99 MPI_ERR_RANK MPI_COMM_WORLD")                                                          \
    X(run, send_count, MPI_Send(memory, -3, MPI_INT, 0, 0, MPI_COMM_WORLD), "MPI_Send: count is -3 MPI_ERR_COUNT") \
    X(run, send_tag, MPI_Send(memory, 1, MPI_INT, 0, -3, MPI_COMM_WORLD), "MPI_Send: tag is -3 MPI_ERR_TAG")       \
    X(run, send_type, MPI_Send(memory, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD),                                \
      "MPI_Send: MPI_DATATYPE_NULL MPI_ERR_TYPE")                                                                  \
    X(run, send_comm, MPI_Send(memory, 1, MPI_INT, 0, 0, MPI_COMM_NULL), "MPI_Send: MPI_COMM_NULL MPI_ERR_COMM")   \
    X(run, send_buffer, MPI_Send(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), "MPI_Send: NULL MPI_ERR_BUFFER")         \
    X(run, recv_rank, MPI_Recv(memory, 1, MPI_INT, -7, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE),                      \
      "MPI_Recv: source is -7")                                                                                    \
    X(run, bcast_root, MPI_Bcast(memory, 1, MPI_INT, 44, MPI_COMM_WORLD), "MPI_Bcast: root is 44 MPI_ERR_ROOT")    \
    X(run, wait_request, (request = (MPI_Request)(void *)memory, MPI_Wait(&request, MPI_STATUS_IGNORE)),           \
      "MPI_Wait: MPI_ERR_REQUEST")                                                                                 \
    X(run, null_pointer, MPI_Comm_rank(MPI_COMM_WORLD, NULL), "MPI_Comm_rank: NULL MPI_ERR_ARG")                   \
    X(run, comm_freed, freed_comm(), "MPI_Comm_rank: freed MPI_ERR_COMM")                                          \
    X(run, info_freed, freed_info(), "MPI_Info_set: freed MPI_ERR_INFO MPI_COMM_SELF")                             \
    X(run, own_name, on_dup(), "MPI_Send: dest is 1 \"my own\" rank_0")                                            \
    X(run, window_name, on_window("halo"), "MPI_Put: 5 \"window halo rank 0\"")                                    \
    X(run, window, on_window(NULL), "MPI_Put: 5 \"rank 0 of 1\"")                                                  \
    X(run, file_name, on_file(), "MPI_File_write: MPI_ERR_READ_ONLY \"on file /dev/null rank 0\"")                 \
    X(run, errors_abort, aborting(), "MPI_Send: dest is 99 MPI_ERR_RANK")                                          \
    X(run, code_of_user, user_code(), "MPI_Comm_call_errhandler: 16384 of_class_16")                               \
    X(run, session_error, session(), "MPI_Session_get_pset_info: nothing MPI_ERR_ARG session")                     \
    X(run, free_mem, MPI_Free_mem(memory), "MPI_Free_mem: MPI_ERR_BASE")                                           \
    X(run, type_free, MPI_Type_free(&(MPI_Datatype){MPI_INT}), "MPI_Type_free: MPI_ERR_TYPE")                      \
    X(run, info_null, MPI_Info_set(MPI_INFO_NULL, "a", "b"), "MPI_Info_set: MPI_INFO_NULL MPI_ERR_INFO")           \
    X(run, twice, MPI_Init(NULL, NULL), "MPI_Init: already MPI_ERR_OTHER")                                         \
    X(run, abort_7, MPI_Abort(MPI_COMM_WORLD, 7), "MPI_Abort: error_code_7 MPI_COMM_WORLD")                        \
    X(run, abort_256, MPI_Abort(MPI_COMM_SELF, 256), "MPI_Abort: error_code_256 MPI_COMM_SELF")                    \
    X(early, comm_rank, MPI_Comm_rank(MPI_COMM_WORLD, &number), "MPI_Comm_rank: not_initialized")                  \
    X(early, send, MPI_Send(memory, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), "MPI_Send: not_initialized")                \
    X(early, barrier, MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier: not_initialized")                                 \
    X(early, type_size, MPI_Type_size(MPI_INT, &number), "")                                                       \
    X(early, keyval, MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &number, NULL),        \
      "MPI_Comm_create_keyval: not_initialized")                                                                   \
    X(early, alloc, MPI_Alloc_mem(8, MPI_INFO_NULL, memory), "MPI_Alloc_mem: not_initialized")                     \
    X(early, query, MPI_Query_thread(&number), "MPI_Query_thread: not_initialized")                                \
    X(early, name, MPI_Get_processor_name(text, &number), "MPI_Get_processor_name: not_initialized")               \
    X(early, finalize, MPI_Finalize(), "MPI_Finalize: not_initialized")                                            \
    X(early, abort, MPI_Abort(MPI_COMM_WORLD, 3), "MPI_Abort: error_code_3")                                       \
    X(late, comm_size, MPI_Comm_size(MPI_COMM_WORLD, &number), "MPI_Comm_size: finalized")                         \
    X(late, send, MPI_Send(memory, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), "MPI_Send: finalized")                       \
    X(late, barrier, MPI_Barrier(MPI_COMM_SELF), "MPI_Barrier: finalized")                                         \
    X(late, init, MPI_Init(NULL, NULL), "MPI_Init: again MPI_Finalize MPI_ERR_OTHER")                              \
    X(late, finalize, MPI_Finalize(), "MPI_Finalize: finalized")                                                   \
    X(late, alloc, MPI_Alloc_mem(8, MPI_INFO_NULL, memory), "MPI_Alloc_mem: finalized")

#define BODY(when_, name_, call_, says_) \
    static void when_##_##name_(void)    \
    {                                    \
        (void)(call_);                   \
    }
CASES(BODY)

static const struct {
    const char *when, *name, *says;
    void (*act)(void);
} cases[] = {
#define ROW(when_, name_, call_, says_) {#when_, #name_, says_, when_##_##name_},
    CASES(ROW)};

static void act(const char *when, const char *name)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].when, when) == 0 && strcmp(cases[i].name, name) == 0) {
            cases[i].act();
            printf("returned\n");
        }
}

/* An end that is none of MPI's. */
static int plain_end(const char *how)
{
    if (strcmp(how, "exit_5") == 0)
        exit(5);
    if (strcmp(how, "return_0") == 0)
        return 0;
    abort();
}

int main(int argc, char **argv)
{
    int rank;

    if (argc < 4) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            printf("%s %s %s\n", cases[i].when, cases[i].name, cases[i].says);
        return 0;
    }
    if (strcmp(argv[1], "early") == 0)
        act("early", argv[2]);
    if (strcmp(argv[1], "early") == 0)
        return 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(argv[1], "run") == 0 && rank == atoi(argv[3]))
        act("run", argv[2]);
    if (strcmp(argv[1], "end") == 0 && rank == atoi(argv[3]))
        return plain_end(argv[2]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (strcmp(argv[1], "late") == 0 && rank == atoi(argv[3]))
        act("late", argv[2]);
    return 0;
}
