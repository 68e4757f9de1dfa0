/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes in MPICH's ABI. A key whose functions are the program's gets ours,
 * with the program's in a box as their extra state. A box lives as long as the
 * process, as a key may live on in attributes; equal ones are made once.
 */
#include <pthread.h>

#include "mpi/front_mpich/calls.h"

typedef int copy_function(int, int, void *, void *, void *, int *);
typedef int delete_function(int, int, void *, void *);

struct box {
    struct box *next;
    copy_function *copy;
    delete_function *delete;
    void *extra;
};
static struct box *boxes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct box *box_for(MPII_Function *copy, MPII_Function *delete, void *extra)
{
    struct box *b;

    pthread_mutex_lock(&lock);
    for (b = boxes; b; b = b->next)
        if (b->copy == (copy_function *)copy && b->delete == (delete_function *)delete && b->extra == extra)
            break;
    if (!b && (b = malloc(sizeof *b)) != NULL) {
        *b = (struct box){boxes, (copy_function *)copy, (delete_function *)delete, extra};
        boxes = b;
    }
    pthread_mutex_unlock(&lock);
    return b;
}

int MPIR_Dup_fn(int handle, int keyval, void *extra, void *from, void *to, int *flag)
{
    (void)handle;
    (void)keyval;
    (void)extra;
    *(void **)to = from;
    *flag = 1;
    return MPI_SUCCESS;
}

/* Keys of all kinds: the functions differ in the handle only. */
#define FUNCTIONS(Handle_, kind_)                                                                              \
    static int kind_##_copy(Handle_ handle, int keyval, void *extra, void *from, void *to, int *flag)          \
    {                                                                                                          \
        const struct box *b = extra;                                                                           \
                                                                                                               \
        *flag = 0;                                                                                             \
        return b->copy ? mpich_code_in(b->copy(mpich_##kind_##_out(handle), keyval, b->extra, from, to, flag)) \
                       : MPI_SUCCESS;                                                                          \
    }                                                                                                          \
    static int kind_##_delete(Handle_ handle, int keyval, void *value, void *extra)                            \
    {                                                                                                          \
        const struct box *b = extra;                                                                           \
                                                                                                               \
        return b->delete ? mpich_code_in(b->delete(mpich_##kind_##_out(handle), keyval, value, b->extra))      \
                         : MPI_SUCCESS;                                                                        \
    }

/* MPI_Comm_create_keyval, MPI_Win_create_keyval, MPI_Type_create_keyval, MPI_Keyval_create */
#define CREATE_KEYVAL(Name_, Kind_copy_, Kind_delete_, kind_)                                     \
    int mpich_##Name_(MPII_Function *copy, MPII_Function *delete, int *keyval, void *extra_state) \
    {                                                                                             \
        struct box *b = box_for(copy, delete, extra_state);                                       \
        int err = MPI_ERR_NO_MEM;                                                                 \
                                                                                                  \
        if (b)                                                                                    \
            err = mpt_mpi_table.Name_(kind_##_copy, kind_##_delete, keyval, b);                   \
        return mpich_code_out(err);                                                               \
    }                                                                                             \
    MPICH_NAMES(Name_)

FUNCTIONS(MPI_Comm, comm)
FUNCTIONS(MPI_Win, win)
FUNCTIONS(MPI_Datatype, type)
CREATE_KEYVAL(Comm_create_keyval, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function, comm)
CREATE_KEYVAL(Win_create_keyval, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function, win)
CREATE_KEYVAL(Type_create_keyval, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function, type)
CREATE_KEYVAL(Keyval_create, MPI_Copy_function, MPI_Delete_function, comm)

/* Their values are addresses of integers. Each has one place here, as large as it is ever asked for. */
static int *constant_out(int keyval, int value)
{
    static const int flavors[] = {MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_DYNAMIC,
                                  MPI_WIN_FLAVOR_SHARED};
    static const int models[] = {MPI_WIN_UNIFIED, MPI_WIN_SEPARATE};
    static int flavors_there[4], models_there[2], host, io, last;

    switch (keyval) {
    case MPI_HOST:
        return host = mpich_rank_out(value), &host;
    case MPI_IO:
        return io = mpich_rank_out(value), &io;
    case MPI_LASTUSEDCODE:
        return last = mpich_code_out(value), &last;
    case MPI_WIN_CREATE_FLAVOR:
        for (int i = 0; i < 4; i++)
            if (flavors[i] == value)
                return flavors_there[i] = mpich_value_out(&mpich_flavor, value), &flavors_there[i];
        return NULL;
    case MPI_WIN_MODEL:
        for (int i = 0; i < 2; i++)
            if (models[i] == value)
                return models_there[i] = mpich_value_out(&mpich_model, value), &models_there[i];
        return NULL;
    default:
        return NULL;
    }
}

void mpich_attribute_out(int keyval, void *attribute_val, const int *flag)
{
    static const int keys[] = {MPI_HOST, MPI_IO, MPI_LASTUSEDCODE, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL};
    int here = mpich_value_in(&mpich_keyval, keyval), *at;

    if (!flag || !*flag || !attribute_val)
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i] == here && (at = constant_out(here, **(int **)attribute_val)) != NULL)
            *(int **)attribute_val = at;
}
