/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Error handlers that are Fortran procedures (9.3): they are told the handle as an
 * INTEGER (mpi_f08: a structure of one) and the error code.
 */
#include "fortran.h"
#include "slots.h"

#define DECLARE(name_, ...)              \
    void MPIF_PUBLIC name_(__VA_ARGS__); \
    void name_(__VA_ARGS__)

typedef void handler(int *handle, int *code);

enum { SLOTS = 64 };

#define BODY_COMM(n_)                                       \
    static void comm_##n_(MPI_Comm *handle, int *code, ...) \
    {                                                       \
        call_comm(n_, handle, code);                        \
    }
#define BODY_WIN(n_)                                      \
    static void win_##n_(MPI_Win *handle, int *code, ...) \
    {                                                     \
        call_win(n_, handle, code);                       \
    }
#define BODY_FILE(n_)                                       \
    static void file_##n_(MPI_File *handle, int *code, ...) \
    {                                                       \
        call_file(n_, handle, code);                        \
    }
#define BODY_SESSION(n_)                                          \
    static void session_##n_(MPI_Session *handle, int *code, ...) \
    {                                                             \
        call_session(n_, handle, code);                           \
    }
#define ENTRY_COMM(n_) comm_##n_,
#define ENTRY_WIN(n_) win_##n_,
#define ENTRY_FILE(n_) file_##n_,
#define ENTRY_SESSION(n_) session_##n_,

/* mpi_comm_create_errhandler_, mpi_win_create_errhandler_, mpi_file_create_errhandler_,
 * mpi_session_create_errhandler_ */
#define KIND(lower_, UPPER_, Name_)                                                                      \
    static mpif_procedure *lower_##_slots[SLOTS];                                                        \
    static void call_##lower_(int slot, MPI_##Name_ *handle, int *code)                                  \
    {                                                                                                    \
        int number = mpif_##lower_##_int(*handle);                                                       \
                                                                                                         \
        ((handler *)lower_##_slots[slot])(&number, code);                                                \
    }                                                                                                    \
    MPIF_SLOTS_64(BODY_##UPPER_)                                                                         \
    static MPI_##Name_##_errhandler_function *const lower_##_c[SLOTS] = {MPIF_SLOTS_64(ENTRY_##UPPER_)}; \
    DECLARE(pmpi_##lower_##_create_errhandler_, mpif_procedure *function, int *errhandler, int *ierror)  \
    {                                                                                                    \
        int slot = mpif_slot(lower_##_slots, SLOTS, function), error;                                    \
        MPI_Errhandler made = MPI_ERRHANDLER_NULL;                                                       \
                                                                                                         \
        error = slot < 0 ? mpif_no_memory() : PMPI_##Name_##_create_errhandler(lower_##_c[slot], &made); \
        if (error == MPI_SUCCESS)                                                                        \
            *errhandler = mpif_errhandler_int(made);                                                     \
        mpif_result(ierror, error);                                                                      \
    }                                                                                                    \
    MPIF_NAMES(mpi_##lower_##_create_errhandler);
KIND(comm, COMM, Comm)
KIND(win, WIN, Win)
KIND(file, FILE, File)
KIND(session, SESSION, Session)
