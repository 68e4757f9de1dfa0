/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations and error handlers of the program in MPICH's ABI. Such functions get
 * handles but nothing else to be known by, so each needs an entry of its own that
 * converts them: one of a fixed number, the same for the same function. Entries
 * are never given back: handlers and operations may live on after they are freed.
 */
#include <pthread.h>

#include "mpi/front_mpich/calls.h"

enum { ENTRIES = 256 };

enum type { NOTHING, SMALL_OP, LARGE_OP, COMM_HANDLER, WIN_HANDLER, FILE_HANDLER, SESSION_HANDLER };
static struct entry {
    enum type type;
    MPII_Function *function;
} entries[ENTRIES];
static int used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --------------------------------------------------------- what they do -- */

typedef void small_op(void *, void *, int *, int *);
typedef void large_op(void *, void *, MPI_Count *, int *);
typedef void handler(void *, int *, ...);

static __attribute__((noinline)) void run_small(const struct entry *e, void *in, void *inout, int *n,
                                                MPI_Datatype *type)
{
    int t = mpich_type_out(*type);

    ((small_op *)e->function)(in, inout, n, &t);
}

static __attribute__((noinline)) void run_large(const struct entry *e, void *in, void *inout, MPI_Count *n,
                                                MPI_Datatype *type)
{
    int t = mpich_type_out(*type);

    ((large_op *)e->function)(in, inout, n, &t);
}

static __attribute__((noinline)) void run_handler(const struct entry *e, void **handle, int *code)
{
    int number, there = mpich_code_out(*code);
    void *pointer = NULL, *argument = &number;

    switch (e->type) {
    case COMM_HANDLER:
        number = mpich_comm_out(*handle);
        break;
    case WIN_HANDLER:
        number = mpich_win_out(*handle);
        break;
    case SESSION_HANDLER:
        number = mpich_session_out(*handle);
        break;
    default:
        pointer = mpich_file_out(*handle);
        argument = &pointer;
    }
    ((handler *)e->function)(argument, &there);
}

/* ------------------------------------------------------------- entries -- */

#define ENTRY(i_)                                                                   \
    static void small_##i_(void *in, void *inout, int *n, MPI_Datatype *type)       \
    {                                                                               \
        run_small(&entries[0x##i_], in, inout, n, type);                            \
    }                                                                               \
    static void large_##i_(void *in, void *inout, MPI_Count *n, MPI_Datatype *type) \
    {                                                                               \
        run_large(&entries[0x##i_], in, inout, n, type);                            \
    }                                                                               \
    static void handler_##i_(void **handle, int *code, ...)                         \
    {                                                                               \
        run_handler(&entries[0x##i_], handle, code);                                \
    }
#define ROW(i_) {(MPII_Function *)small_##i_, (MPII_Function *)large_##i_, (MPII_Function *)handler_##i_},

#define EACH(do_, h_)                                                                                             \
    do_(h_##0) do_(h_##1) do_(h_##2) do_(h_##3) do_(h_##4) do_(h_##5) do_(h_##6) do_(h_##7) do_(h_##8) do_(h_##9) \
        do_(h_##a) do_(h_##b) do_(h_##c) do_(h_##d) do_(h_##e) do_(h_##f)
#define ALL(do_) \
    EACH(do_, 0) \
    EACH(do_, 1) \
    EACH(do_, 2) \
    EACH(do_, 3) \
    EACH(do_, 4) \
    EACH(do_, 5) \
    EACH(do_, 6) \
    EACH(do_, 7) EACH(do_, 8) EACH(do_, 9) EACH(do_, a) EACH(do_, b) EACH(do_, c) EACH(do_, d) EACH(do_, e) EACH(do_, f)

ALL(ENTRY)
static MPII_Function *const thunks[ENTRIES][3] = {ALL(ROW)};

/* The function to give to the body for one of the program's; NULL: no entry left. */
static MPII_Function *entry_for(enum type type, MPII_Function *function)
{
    int i;

    pthread_mutex_lock(&lock);
    for (i = 0; i < used; i++)
        if (entries[i].function == function && entries[i].type == type)
            break;
    if (i == used && used < ENTRIES)
        entries[used++] = (struct entry){type, function};
    pthread_mutex_unlock(&lock);
    return i == ENTRIES ? NULL : thunks[i][type == SMALL_OP ? 0 : type == LARGE_OP ? 1 : 2];
}

/* ----------------------------------------------------------- the calls -- */

static int create_op(MPII_Function *user_fn, int commute, int *op, int wide)
{
    MPII_Function *function = user_fn ? entry_for(wide ? LARGE_OP : SMALL_OP, user_fn) : NULL;
    MPI_Op made = MPICH_UNSET;
    int err;

    if (user_fn && !function)
        return mpich_code_out(MPI_ERR_NO_MEM);
    err = mpt_mpi_table.Op_create(function, commute, op ? &made : NULL, wide);
    if (err == MPI_SUCCESS)
        *op = mpich_op_out(made);
    return mpich_code_out(err);
}

int mpich_Op_create(MPII_Function *user_fn, int commute, int *op)
{
    return create_op(user_fn, commute, op, 0);
}
MPICH_NAMES(Op_create)

int mpich_Op_create_c(MPII_Function *user_fn, int commute, int *op)
{
    return create_op(user_fn, commute, op, 1);
}
MPICH_NAMES(Op_create_c)

/* MPI_Comm_create_errhandler, MPI_Win_create_errhandler, MPI_File_create_errhandler, MPI_Session_create_errhandler */
#define CREATE_ERRHANDLER(Kind_, TYPE_)                                                              \
    int mpich_##Kind_##_create_errhandler(MPII_Function *user_fn, int *errhandler)                   \
    {                                                                                                \
        MPII_Function *function = user_fn ? entry_for(TYPE_, user_fn) : NULL;                        \
        MPI_Errhandler made = MPICH_UNSET;                                                           \
        int err;                                                                                     \
                                                                                                     \
        if (user_fn && !function)                                                                    \
            return mpich_code_out(MPI_ERR_NO_MEM);                                                   \
        err = mpt_mpi_table.Kind_##_create_errhandler((MPI_##Kind_##_errhandler_function *)function, \
                                                      errhandler ? &made : NULL);                    \
        if (err == MPI_SUCCESS)                                                                      \
            *errhandler = mpich_errhandler_out(made);                                                \
        return mpich_code_out(err);                                                                  \
    }                                                                                                \
    MPICH_NAMES(Kind_##_create_errhandler)

CREATE_ERRHANDLER(Comm, COMM_HANDLER)
CREATE_ERRHANDLER(Win, WIN_HANDLER)
CREATE_ERRHANDLER(File, FILE_HANDLER)
CREATE_ERRHANDLER(Session, SESSION_HANDLER)
