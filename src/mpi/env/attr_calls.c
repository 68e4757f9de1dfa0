/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of attributes (7.7, and 9.1.2 for the predefined ones): of
 * communicators, windows and datatypes, and those of MPI-1, which mean
 * communicators.
 */
#include <limits.h>
#include <stdlib.h>
#include <strings.h>

#include "core/live/dead.h"
#include "mpi/env/attr.h"
#include "mpi/env/error.h"

struct place {
    enum mpii_kind kind;
    void *handle;
    void *anchor; /* what errors are raised on; NULL for types */
    struct mpii_attr **list;
};

/* --------------------------------------------------------- predefined -- */

/* 11.10.1; 0: not known. */
static int universe_size(void)
{
    const char *text = core_params.mpi_universe_size;
    char *end;
    long n = strtol(text, &end, 10);

    if (strcasecmp(text, "INFINITE") == 0)
        return 0;
    if (strcasecmp(text, "SYSTEM") == 0)
        n = (long)core_cores();
    else if (end == text || *end || n < 1 || n > INT_MAX)
        core_fatal("MPI_UNIVERSE_SIZE=%s: expected a number of processes, SYSTEM or INFINITE", text);
    return n > core_size() ? (int)n : core_size();
}

bool mpii_attr_predefined(int keyval, void **value)
{
    struct mpii_env_values *v = &mpii_state.env.values;

    switch (keyval) {
    case MPI_TAG_UB:
        *value = &v->tag_ub;
        return true;
    case MPI_IO:
        *value = &v->io;
        return true;
    case MPI_HOST:
        *value = &v->host;
        return true;
    case MPI_WTIME_IS_GLOBAL: /* one node has one clock */
        v->wtime_is_global = core_node_of(0) == core_node_of(core_size() - 1) && !core_has_network();
        *value = &v->wtime_is_global;
        return true;
    case MPI_APPNUM:
        v->appnum = mpii_dyn_appnum();
        *value = &v->appnum;
        return true;
    case MPI_LASTUSEDCODE:
        *value = &v->last_used_code;
        return true;
    case MPI_UNIVERSE_SIZE:
        v->universe = universe_size();
        *value = &v->universe;
        return v->universe > 0;
    case MPIX_FT: /* does a process that dies leave the job alive? */
        v->ft = core_survivable();
        *value = &v->ft;
        return true;
    default:
        return false;
    }
}

static bool reserved(int keyval)
{
    return (keyval >= MPI_TAG_UB && keyval <= MPI_UNIVERSE_SIZE) || keyval == MPIX_FT ||
           (keyval >= MPI_WIN_BASE && keyval <= MPI_WIN_MODEL);
}

/* -------------------------------------------------------------- places -- */

static int comm_place(MPI_Comm comm, struct place *p, const char *call)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_check_comm(comm, &c, call));
    *p = (struct place){MPII_COMM, comm, c, &c->attrs};
    return MPI_SUCCESS;
}

static int type_place(MPI_Datatype datatype, struct place *p, const char *call)
{
    struct mpii_type *t = mpii_type_of(datatype);

    if (!t)
        return mpii_check_type_slow(NULL, datatype, "datatype", call);
    *p = (struct place){MPII_TYPE, datatype, NULL, &t->attrs};
    return MPI_SUCCESS;
}

static int win_place(MPI_Win win, struct place *p, const char *call)
{
    struct mpii_attr **list = mpii_object_of(win, MPII_WIN) ? mpii_win_attrs(win) : NULL;

    MPII_TRY(mpii_check_started(call));
    if (!list)
        return mpii_error(NULL, MPI_ERR_WIN, call, "win is %p, which is not a window (freed?)",
                          mpii_bad_handle(MPII_WIN, win));
    *p = (struct place){MPII_WIN, win, mpii_object_of(win, MPII_WIN), list};
    return MPI_SUCCESS;
}

/* ------------------------------------------------------------ the body -- */

static int check_keyval(const struct place *p, int keyval, const char *call)
{
    if (MPT_LIKELY(mpii_keyval_of(p->kind, keyval) != NULL))
        return MPI_SUCCESS;
    if (keyval == MPI_KEYVAL_INVALID)
        return mpii_error(p->anchor, MPI_ERR_KEYVAL, call, "keyval is MPI_KEYVAL_INVALID");
    return mpii_error(p->anchor, MPI_ERR_KEYVAL, call, "keyval is %d, which is %s", keyval,
                      reserved(keyval) ? "predefined: its attribute cannot be changed"
                                       : "not a key for this kind of object (freed?)");
}

/* What a callback returned need not be an error code of ours. */
static int raise_callback(const struct place *p, int err, int keyval, const char *call)
{
    int class;

    if (err == MPI_SUCCESS)
        return MPI_SUCCESS;
    if (err == MPI_ERR_NO_MEM)
        return mpii_error(p->anchor, err, call, "no memory for an attribute");
    if (mpii_error_class(err, &class))
        return mpii_error(p->anchor, err, call, "the delete function of keyval %d returned %d", keyval, err);
    return mpii_error(p->anchor, MPI_ERR_OTHER, call,
                      "the delete function of keyval %d returned %d, which is no error code", keyval, err);
}

static int set(const struct place *p, int keyval, void *value, const char *call)
{
    MPII_TRY(check_keyval(p, keyval, call));
    if (mpii_keyval_of(p->kind, keyval)->freed)
        return mpii_error(p->anchor, MPI_ERR_KEYVAL, call, "keyval is %d, which has been freed", keyval);
    return raise_callback(p, mpii_attr_set(p->kind, p->handle, p->list, keyval, value), keyval, call);
}

static int drop(const struct place *p, int keyval, const char *call)
{
    void *value;

    MPII_TRY(check_keyval(p, keyval, call));
    if (!mpii_attr_find(*p->list, keyval, &value))
        return mpii_error(p->anchor, MPI_ERR_KEYVAL, call, "the object has no attribute of keyval %d", keyval);
    return raise_callback(p, mpii_attr_drop(p->kind, p->handle, p->list, keyval), keyval, call);
}

static int get(const struct place *p, int keyval, void *attribute_val, int *flag, const char *call)
{
    void *value = NULL;
    bool found = false;

    MPII_TRY(mpii_check_pointer(p->anchor, attribute_val, "attribute_val", call));
    MPII_TRY(mpii_check_pointer(p->anchor, flag, "flag", call));
    if (reserved(keyval) && p->kind == MPII_COMM)
        found = mpii_attr_predefined(keyval, &value);
    else if (reserved(keyval) && p->kind == MPII_WIN)
        found = mpii_win_attr(p->handle, keyval, &value);
    else {
        MPII_TRY(check_keyval(p, keyval, call));
        found = mpii_attr_find(*p->list, keyval, &value);
    }
    *flag = found;
    if (found)
        *(void **)attribute_val = value;
    return MPI_SUCCESS;
}

static int create(enum mpii_kind kind, MPII_Function *copy, MPII_Function *delete, int *keyval, void *extra,
                  const char *call)
{
    MPII_TRY(mpii_check_started(call));
    MPII_TRY(mpii_check_pointer(NULL, keyval, "keyval", call));
    *keyval = mpii_keyval_new(kind, copy, delete, extra);
    return *keyval == MPI_KEYVAL_INVALID ? mpii_error(NULL, MPI_ERR_NO_MEM, call, "no memory for a key") : MPI_SUCCESS;
}

static int free_keyval(enum mpii_kind kind, int *keyval, const char *call)
{
    MPII_TRY(mpii_check_started(call));
    MPII_TRY(mpii_check_pointer(NULL, keyval, "keyval", call));
    MPII_TRY(check_keyval(&(struct place){.kind = kind}, *keyval, call));
    mpii_keyval_free(*keyval);
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

/* ------------------------------------------------- the standard's names -- */

int mpii_Comm_create_keyval(MPI_Comm_copy_attr_function *copy_fn, MPI_Comm_delete_attr_function *delete_fn, int *keyval,
                            void *extra_state)
{
    return create(MPII_COMM, (MPII_Function *)copy_fn, (MPII_Function *)delete_fn, keyval, extra_state, __func__);
}

int mpii_Comm_free_keyval(int *keyval)
{
    return free_keyval(MPII_COMM, keyval, __func__);
}

int mpii_Win_create_keyval(MPI_Win_copy_attr_function *copy_fn, MPI_Win_delete_attr_function *delete_fn, int *keyval,
                           void *extra_state)
{
    return create(MPII_WIN, (MPII_Function *)copy_fn, (MPII_Function *)delete_fn, keyval, extra_state, __func__);
}

int mpii_Win_free_keyval(int *keyval)
{
    return free_keyval(MPII_WIN, keyval, __func__);
}

int mpii_Type_create_keyval(MPI_Type_copy_attr_function *copy_fn, MPI_Type_delete_attr_function *delete_fn, int *keyval,
                            void *extra_state)
{
    return create(MPII_TYPE, (MPII_Function *)copy_fn, (MPII_Function *)delete_fn, keyval, extra_state, __func__);
}

int mpii_Type_free_keyval(int *keyval)
{
    return free_keyval(MPII_TYPE, keyval, __func__);
}

int mpii_Keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void *extra_state)
{
    return create(MPII_COMM, (MPII_Function *)copy_fn, (MPII_Function *)delete_fn, keyval, extra_state, __func__);
}

int mpii_Keyval_free(int *keyval)
{
    return free_keyval(MPII_COMM, keyval, __func__);
}

int mpii_Comm_set_attr(MPI_Comm handle, int keyval, void *attribute_val)
{
    struct place p;

    MPII_TRY(comm_place(handle, &p, __func__));
    return set(&p, keyval, attribute_val, __func__);
}

int mpii_Comm_get_attr(MPI_Comm handle, int keyval, void *attribute_val, int *flag)
{
    struct place p;

    MPII_TRY(comm_place(handle, &p, __func__));
    return get(&p, keyval, attribute_val, flag, __func__);
}

int mpii_Comm_delete_attr(MPI_Comm handle, int keyval)
{
    struct place p;

    MPII_TRY(comm_place(handle, &p, __func__));
    return drop(&p, keyval, __func__);
}

int mpii_Win_set_attr(MPI_Win handle, int keyval, void *attribute_val)
{
    struct place p;

    MPII_TRY(win_place(handle, &p, __func__));
    return set(&p, keyval, attribute_val, __func__);
}

int mpii_Win_get_attr(MPI_Win handle, int keyval, void *attribute_val, int *flag)
{
    struct place p;

    MPII_TRY(win_place(handle, &p, __func__));
    return get(&p, keyval, attribute_val, flag, __func__);
}

int mpii_Win_delete_attr(MPI_Win handle, int keyval)
{
    struct place p;

    MPII_TRY(win_place(handle, &p, __func__));
    return drop(&p, keyval, __func__);
}

int mpii_Type_set_attr(MPI_Datatype handle, int keyval, void *attribute_val)
{
    struct place p;

    MPII_TRY(type_place(handle, &p, __func__));
    return set(&p, keyval, attribute_val, __func__);
}

int mpii_Type_get_attr(MPI_Datatype handle, int keyval, void *attribute_val, int *flag)
{
    struct place p;

    MPII_TRY(type_place(handle, &p, __func__));
    return get(&p, keyval, attribute_val, flag, __func__);
}

int mpii_Type_delete_attr(MPI_Datatype handle, int keyval)
{
    struct place p;

    MPII_TRY(type_place(handle, &p, __func__));
    return drop(&p, keyval, __func__);
}

int mpii_Attr_put(MPI_Comm handle, int keyval, void *attribute_val)
{
    struct place p;

    MPII_TRY(comm_place(handle, &p, __func__));
    return set(&p, keyval, attribute_val, __func__);
}

int mpii_Attr_get(MPI_Comm handle, int keyval, void *attribute_val, int *flag)
{
    struct place p;

    MPII_TRY(comm_place(handle, &p, __func__));
    return get(&p, keyval, attribute_val, flag, __func__);
}

int mpii_Attr_delete(MPI_Comm handle, int keyval)
{
    struct place p;

    MPII_TRY(comm_place(handle, &p, __func__));
    return drop(&p, keyval, __func__);
}
