/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes (7.7): keys with their callbacks, and each object's list of values,
 * the last one set first. The user's callbacks run without the lock and may
 * change the list: it is looked at anew after each.
 */
#include "mpi/env/attr.h"

#include <stdlib.h>

static struct mpii_env_state *const env = &mpii_state.env;

struct mpii_attr {
    struct mpii_attr *next;
    int keyval;
    void *value;
};

enum { FIRST_KEYVAL = 1000 }; /* above the predefined ones */

/* ---------------------------------------------------------------- keys -- */

static struct mpii_keyval *slot_of(int keyval)
{
    return &env->keyvals.at[keyval - FIRST_KEYVAL];
}

struct mpii_keyval *mpii_keyval_of(enum mpii_kind kind, int keyval)
{
    struct mpii_keyval *k;

    if (keyval < FIRST_KEYVAL || keyval - FIRST_KEYVAL >= env->keyvals.n)
        return NULL;
    k = slot_of(keyval);
    return k->kind == kind ? k : NULL;
}

static int free_slot(void)
{
    int more = env->keyvals.n ? 2 * env->keyvals.n : 16;
    struct mpii_keyval *grown;

    for (int i = 0; i < env->keyvals.n; i++)
        if (env->keyvals.at[i].kind == MPII_NONE)
            return i;
    grown = realloc(env->keyvals.at, (size_t)more * sizeof *grown);
    if (!grown)
        return -1;
    env->keyvals.at = grown;
    for (int i = env->keyvals.n; i < more; i++)
        env->keyvals.at[i].kind = MPII_NONE;
    env->keyvals.n = more;
    return more / 2 < 16 ? 0 : more / 2;
}

int mpii_keyval_new(enum mpii_kind kind, MPII_Function *copy, MPII_Function *delete, void *extra)
{
    int i = free_slot();

    if (i < 0)
        return MPI_KEYVAL_INVALID;
    env->keyvals.at[i] = (struct mpii_keyval){.kind = kind, .refs = 1, .copy = copy, .delete = delete, .extra = extra};
    return FIRST_KEYVAL + i;
}

static void release(int keyval)
{
    struct mpii_keyval *k = slot_of(keyval);

    if (--k->refs == 0)
        k->kind = MPII_NONE;
}

/* A delete callback may free the key that its caller frees next. */
void mpii_keyval_free(int keyval)
{
    if (slot_of(keyval)->freed)
        return;
    slot_of(keyval)->freed = true;
    release(keyval);
}

/* ----------------------------------------------------------- callbacks -- */

static const uintptr_t null_function = 0, dup_function = 1; /* the ABI's numbers for its predefined callbacks */

static int call_delete(enum mpii_kind kind, void *handle, int keyval, void *value)
{
    struct mpii_keyval k = *slot_of(keyval);
    unsigned had;
    int err;

    if ((uintptr_t)k.delete == null_function)
        return MPI_SUCCESS;
    had = mpii_unlock_all();
    if (kind == MPII_COMM)
        err = ((MPI_Comm_delete_attr_function *)k.delete)(handle, keyval, value, k.extra);
    else if (kind == MPII_WIN)
        err = ((MPI_Win_delete_attr_function *)k.delete)(handle, keyval, value, k.extra);
    else
        err = ((MPI_Type_delete_attr_function *)k.delete)(handle, keyval, value, k.extra);
    mpii_lock_again(had);
    return err;
}

static int call_copy(enum mpii_kind kind, void *handle, const struct mpii_attr *a, void **value, int *flag)
{
    struct mpii_keyval k = *slot_of(a->keyval);
    unsigned had;
    int err;

    *flag = (uintptr_t)k.copy == dup_function;
    *value = a->value;
    if ((uintptr_t)k.copy == null_function || (uintptr_t)k.copy == dup_function)
        return MPI_SUCCESS;
    had = mpii_unlock_all();
    if (kind == MPII_COMM)
        err = ((MPI_Comm_copy_attr_function *)k.copy)(handle, a->keyval, k.extra, a->value, value, flag);
    else if (kind == MPII_WIN)
        err = ((MPI_Win_copy_attr_function *)k.copy)(handle, a->keyval, k.extra, a->value, value, flag);
    else
        err = ((MPI_Type_copy_attr_function *)k.copy)(handle, a->keyval, k.extra, a->value, value, flag);
    mpii_lock_again(had);
    return err;
}

/* --------------------------------------------------------------- lists -- */

static struct mpii_attr **find(struct mpii_attr **list, int keyval)
{
    while (*list && (*list)->keyval != keyval)
        list = &(*list)->next;
    return list;
}

bool mpii_attr_find(struct mpii_attr *list, int keyval, void **value)
{
    const struct mpii_attr *a = *find(&list, keyval);

    if (a)
        *value = a->value;
    return a != NULL;
}

static bool push(struct mpii_attr **list, int keyval, void *value)
{
    struct mpii_attr *a = malloc(sizeof *a);

    if (!a)
        return false;
    slot_of(keyval)->refs++;
    *a = (struct mpii_attr){*list, keyval, value};
    *list = a;
    return true;
}

static void pop(struct mpii_attr **at)
{
    struct mpii_attr *a = *at;

    *at = a->next;
    release(a->keyval);
    free(a);
}

int mpii_attr_drop(enum mpii_kind kind, void *handle, struct mpii_attr **list, int keyval)
{
    struct mpii_attr *a = *find(list, keyval), **at;
    int err;

    if (!a)
        return MPI_ERR_KEYVAL;
    err = call_delete(kind, handle, keyval, a->value);
    if (err != MPI_SUCCESS)
        return err;
    at = find(list, keyval);
    if (*at == a)
        pop(at);
    return MPI_SUCCESS;
}

int mpii_attr_set(enum mpii_kind kind, void *handle, struct mpii_attr **list, int keyval, void *value)
{
    if (*find(list, keyval))
        MPII_TRY(mpii_attr_drop(kind, handle, list, keyval));
    return push(list, keyval, value) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

int mpii_attrs_delete(enum mpii_kind kind, void *handle, struct mpii_attr **attrs)
{
    while (*attrs)
        MPII_TRY(mpii_attr_drop(kind, handle, attrs, (*attrs)->keyval));
    return MPI_SUCCESS;
}

static int copy_one(enum mpii_kind kind, void *old_handle, const struct mpii_attr *a, struct mpii_attr **end)
{
    void *value;
    int flag, err = call_copy(kind, old_handle, a, &value, &flag);

    if (err != MPI_SUCCESS || !flag)
        return err;
    return push(end, a->keyval, value) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

int mpii_attrs_copy(enum mpii_kind kind, void *old_handle, struct mpii_attr *old, struct mpii_attr **copy)
{
    struct mpii_attr **end = copy;
    int err = MPI_SUCCESS;

    *copy = NULL;
    for (; old && err == MPI_SUCCESS; old = old->next) {
        err = copy_one(kind, old_handle, old, end);
        if (*end)
            end = &(*end)->next;
    }
    while (err != MPI_SUCCESS && *copy) /* there will be no object to delete them from */
        pop(copy);
    return err;
}
