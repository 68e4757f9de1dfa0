/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keys of attributes with Fortran's copy and delete procedures (7.7). C calls ours,
 * with what is needed to call the program's as extra state. That stays until the
 * end: attributes outlive their key.
 */
#include <pthread.h>

#include "attr.h"

#define DECLARE(name_, ...)              \
    void MPIF_PUBLIC name_(__VA_ARGS__); \
    void name_(__VA_ARGS__)

struct keyval {
    struct keyval *next; /* all of them, so that they can be found in memory */
    mpif_copy *copy;     /* NULL: the predefined one, a copy */
    mpif_delete *delete; /* NULL: none */
    mpif_copy_old *copy_old;
    mpif_delete_old *delete_old;
    MPI_Aint extra;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct keyval *keyvals;

static struct keyval *keyval_new(struct keyval k)
{
    struct keyval *new = malloc(sizeof *new);

    if (!new)
        return NULL;
    *new = k;
    pthread_mutex_lock(&lock);
    new->next = keyvals;
    keyvals = new;
    pthread_mutex_unlock(&lock);
    return new;
}

static int copy_old(const struct keyval *k, int handle, int key, MPI_Aint in, MPI_Aint *out, int *flag)
{
    int error = MPI_SUCCESS, extra = (int)k->extra, value_in = (int)in, value_out = 0;

    k->copy_old(&handle, &key, &extra, &value_in, &value_out, flag, &error);
    *out = value_out;
    return error;
}

static int copy_any(struct keyval *k, int handle, int key, void *in, void *out, int *flag)
{
    MPI_Aint value_in = mpif_cell_value(in), value_out = value_in;
    int error = MPI_SUCCESS;

    *flag = 1;
    if (k->copy_old)
        error = copy_old(k, handle, key, value_in, &value_out, flag);
    else if (k->copy)
        k->copy(&handle, &key, &k->extra, &value_in, &value_out, flag, &error);
    else if (value_in == (MPI_Aint)in) { /* C set it: its own address is copied */
        *(void **)out = in;
        return MPI_SUCCESS;
    }
    *flag = *flag != 0;
    if (error != MPI_SUCCESS || !*flag)
        return error;
    *(void **)out = mpif_cell(value_out);
    return *(void **)out ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int delete_any(struct keyval *k, int handle, int key, void *p)
{
    MPI_Aint value = mpif_cell_value(p);
    int error = MPI_SUCCESS, old_value = (int)value, old_extra = (int)k->extra;

    if (k->delete_old)
        k->delete_old(&handle, &key, &old_value, &old_extra, &error);
    else if (k->delete)
        k->delete(&handle, &key, &value, &k->extra, &error);
    if (error == MPI_SUCCESS)
        mpif_cell_free(p);
    return error;
}

/* mpi_comm_create_keyval_, mpi_win_create_keyval_, mpi_type_create_keyval_ */
#define KIND(lower_, UPPER_, Type_, Name_)                                                                         \
    static int copy_##lower_(Type_ handle, int key, void *extra, void *in, void *out, int *flag)                   \
    {                                                                                                              \
        return copy_any(extra, mpif_##lower_##_int(handle), key, in, out, flag);                                   \
    }                                                                                                              \
    static int delete_##lower_(Type_ handle, int key, void *p, void *extra)                                        \
    {                                                                                                              \
        return delete_any(extra, mpif_##lower_##_int(handle), key, p);                                             \
    }                                                                                                              \
    DECLARE(pmpi_##lower_##_create_keyval_, mpif_copy *copy, mpif_delete *delete, int *keyval,                     \
            const MPI_Aint *extra_state, int *ierror)                                                              \
    {                                                                                                              \
        struct keyval k = {.copy = copy == mpi_##lower_##_dup_fn_ ? NULL : copy,                                   \
                           .delete = delete == mpi_##lower_##_null_delete_fn_ ? NULL : delete,                     \
                           .extra = *extra_state};                                                                 \
        struct keyval *new = keyval_new(k);                                                                        \
        bool none = copy == mpi_##lower_##_null_copy_fn_;                                                          \
                                                                                                                   \
        mpif_result(ierror, new ? PMPI_##Name_##_create_keyval(none ? MPI_##UPPER_##_NULL_COPY_FN : copy_##lower_, \
                                                               delete_##lower_, keyval, new)                       \
                                : mpif_no_memory());                                                               \
    }                                                                                                              \
    MPIF_NAMES(mpi_##lower_##_create_keyval);
KIND(comm, COMM, MPI_Comm, Comm)
KIND(win, WIN, MPI_Win, Win)
KIND(type, TYPE, MPI_Datatype, Type)

DECLARE(pmpi_keyval_create_, mpif_copy_old *copy, mpif_delete_old *delete, int *keyval, const int *extra_state,
        int *ierror)
{
    struct keyval k = {.copy_old = copy == mpi_dup_fn_ ? NULL : copy,
                       .delete_old = delete == mpi_null_delete_fn_ ? NULL : delete,
                       .extra = *extra_state};
    struct keyval *new = keyval_new(k);
    bool none = copy == mpi_null_copy_fn_;

    mpif_result(ierror,
                new ? PMPI_Comm_create_keyval(none ? MPI_COMM_NULL_COPY_FN : copy_comm, delete_comm, keyval, new)
                    : mpif_no_memory());
}
MPIF_NAMES_77(mpi_keyval_create);
