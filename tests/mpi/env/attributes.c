/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes (7.7): of communicators, datatypes and windows, through the calls of MPI-1 too. Copy and delete callbacks
 * are counted and checked against a model; order, failures, keys freed while in use, predefined attributes. */
#include "mcheck.h"

#define KEYS 6
#define COMMS 5

/* ------------------------------------------------------------- random -- */

static int keyvals[KEYS];
static long copies, deletes, expected_copies, expected_deletes;
static const char extra;

/* Key k copies as k % 3 says: not, dup, value + 1. */
static int copy_fn(MPI_Comm comm, int keyval, void *extra_state, void *in, void *out, int *flag)
{
    CHECK(comm != MPI_COMM_NULL && extra_state == &extra && keyval != MPI_KEYVAL_INVALID, "copy callback of %d",
          keyval);
    *(void **)out = (char *)in + 1;
    *flag = 1;
    copies++;
    return MPI_SUCCESS;
}

static int delete_fn(MPI_Comm comm, int keyval, void *value, void *extra_state)
{
    int k;

    CHECK(comm != MPI_COMM_NULL && extra_state == &extra, "delete callback of %d", keyval);
    for (k = 0; k < KEYS && keyvals[k] != keyval; k++)
        ;
    CHECK(k < KEYS && (intptr_t)value / 100000 == k, "keyval %d deletes value %ld", keyval, (long)(intptr_t)value);
    deletes++;
    return MPI_SUCCESS;
}

static void make_keys(void)
{
    for (int k = 0; k < KEYS; k++) {
        MPI_Comm_copy_attr_function *copy = k % 3 == 0 ? MPI_COMM_NULL_COPY_FN : k % 3 == 1 ? MPI_COMM_DUP_FN : copy_fn;

        OK(MPI_Comm_create_keyval(copy, k < 3 ? delete_fn : MPI_COMM_NULL_DELETE_FN, &keyvals[k],
                                  (void *)(uintptr_t)&extra));
        CHECK(keyvals[k] != MPI_KEYVAL_INVALID, "keyval %d", k);
        for (int i = 0; i < k; i++)
            CHECK(keyvals[i] != keyvals[k], "two keys are %d", keyvals[k]);
    }
}

static void check_all(const MPI_Comm *comms, const long (*model)[KEYS])
{
    for (int c = 0; c < COMMS; c++)
        for (int k = 0; comms[c] != MPI_COMM_NULL && k < KEYS; k++) {
            void *value = (void *)1;
            int flag = -1;

            OK(MPI_Comm_get_attr(comms[c], keyvals[k], &value, &flag));
            CHECK(flag == (model[c][k] != -1), "comm %d key %d: flag %d", c, k, flag);
            CHECK(!flag || (intptr_t)value == model[c][k], "comm %d key %d: value %ld, expected %ld", c, k,
                  (long)(intptr_t)value, model[c][k]);
            CHECK(flag || value == (void *)1, "a missing attribute changed the value");
        }
    CHECK(copies == expected_copies && deletes == expected_deletes, "%ld copies, %ld deletes; expected %ld and %ld",
          copies, deletes, expected_copies, expected_deletes);
}

static void free_comm(MPI_Comm *comm, long *model)
{
    OK(MPI_Comm_free(comm));
    for (int k = 0; k < 3; k++)
        expected_deletes += model[k] != -1;
}

static void dup_comm(MPI_Comm from, MPI_Comm *to, const long *model, long *new)
{
    OK(MPI_Comm_dup(from, to));
    for (int k = 0; k < KEYS; k++) {
        new[k] = model[k] == -1 || k % 3 == 0 ? -1 : k % 3 == 1 ? model[k] : model[k] + 1;
        expected_copies += model[k] != -1 && k % 3 == 2;
    }
}

static void random_calls(void)
{
    uint64_t seed = check_seed(11); /* the same on all ranks: dup is collective */
    MPI_Comm comms[COMMS] = {MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};
    long model[COMMS][KEYS];

    make_keys();
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]));
    for (int k = 0; k < KEYS; k++)
        model[0][k] = -1;
    for (int round = 0; round < 1500; round++) {
        int c = (int)check_random_below(&seed, COMMS), k = (int)check_random_below(&seed, KEYS);
        int what = (int)check_random_below(&seed, 8);
        long value = k * 100000 + round;

        if (c > 0 && what == 0) {
            if (comms[c] == MPI_COMM_NULL)
                dup_comm(comms[0], &comms[c], model[0], model[c]);
            else
                free_comm(&comms[c], model[c]);
        } else if (comms[c] != MPI_COMM_NULL && what < 5) {
            OK(MPI_Comm_set_attr(comms[c], keyvals[k], (void *)value));
            expected_deletes += model[c][k] != -1 && k < 3;
            model[c][k] = value;
        } else if (comms[c] != MPI_COMM_NULL && model[c][k] != -1) {
            OK(MPI_Comm_delete_attr(comms[c], keyvals[k]));
            expected_deletes += k < 3;
            model[c][k] = -1;
        }
        if (round % 20 == 0)
            check_all((const MPI_Comm *)comms, (const long (*)[KEYS])model);
    }
    for (int c = 0; c < COMMS; c++)
        if (comms[c] != MPI_COMM_NULL)
            free_comm(&comms[c], model[c]);
    check_all((const MPI_Comm *)comms, (const long (*)[KEYS])model);
    for (int k = 0; k < KEYS; k++) {
        OK(MPI_Comm_free_keyval(&keyvals[k]));
        CHECK(keyvals[k] == MPI_KEYVAL_INVALID, "free leaves %d", keyvals[k]);
    }
}

/* -------------------------------------------------- order and failures -- */

static int order[8], norder, refuse;

static int in_order(MPI_Comm comm, int keyval, void *value, void *extra_state)
{
    (void)comm;
    (void)keyval;
    (void)extra_state;
    if (refuse == (int)(intptr_t)value)
        return MPI_ERR_OTHER;
    order[norder++] = (int)(intptr_t)value;
    return MPI_SUCCESS;
}

static int failing_copy(MPI_Comm comm, int keyval, void *extra_state, void *in, void *out, int *flag)
{
    (void)comm;
    (void)keyval;
    (void)extra_state;
    (void)in;
    (void)out;
    *flag = 0;
    return MPI_ERR_INTERN;
}

static void order_and_failures(void)
{
    MPI_Comm comm, copy = MPI_COMM_NULL;
    int keys[4], bad, flag;
    void *value;

    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    for (intptr_t i = 0; i < 4; i++) {
        OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, in_order, &keys[i], NULL));
        OK(MPI_Comm_set_attr(comm, keys[i], (void *)(i + 1)));
    }
    refuse = 2;
    FAILS(MPI_Comm_delete_attr(comm, keys[1]), MPI_ERR_OTHER);
    FAILS(MPI_Comm_set_attr(comm, keys[1], (void *)9), MPI_ERR_OTHER);
    OK(MPI_Comm_get_attr(comm, keys[1], &value, &flag));
    CHECK(flag && (intptr_t)value == 2, "a refused change happened");
    FAILS(MPI_Comm_free(&comm), MPI_ERR_OTHER);
    CHECK(comm != MPI_COMM_NULL, "a refused free took the handle");
    refuse = 0;
    OK(MPI_Comm_create_keyval(failing_copy, MPI_COMM_NULL_DELETE_FN, &bad, NULL));
    OK(MPI_Comm_set_attr(comm, bad, NULL));
    FAILS(MPI_Comm_dup(comm, &copy), MPI_ERR_INTERN);
    OK(MPI_Comm_delete_attr(comm, bad));
    OK(MPI_Comm_free_keyval(&bad));
    OK(MPI_Comm_free(&comm));
    CHECK(norder == 4 && order[0] == 4 && order[1] == 3 && order[2] == 2 && order[3] == 1, "%d deletes: %d %d %d %d",
          norder, order[0], order[1], order[2], order[3]);
    for (int i = 0; i < 4; i++)
        OK(MPI_Comm_free_keyval(&keys[i]));
    norder = 0;
}

/* A key lives on in the attributes that have it, and can be named to delete them (7.7.2). */
static void freed_keys(void)
{
    MPI_Comm comm, copy;
    int key, old, again, more[40], flag;
    void *value;

    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, in_order, &key, NULL));
    OK(MPI_Comm_set_attr(comm, key, (void *)5));
    old = key;
    OK(MPI_Comm_free_keyval(&key));
    OK(MPI_Comm_get_attr(comm, old, &value, &flag));
    CHECK(flag && value == (void *)5, "attribute of a freed key");
    FAILS(MPI_Comm_set_attr(comm, old, NULL), MPI_ERR_KEYVAL);
    again = old;
    OK(MPI_Comm_free_keyval(&again));
    CHECK(again == MPI_KEYVAL_INVALID, "the key is still valid");
    for (int i = 0; i < 40; i++) {
        OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &more[i], NULL));
        CHECK(more[i] != old, "key %d is in use, but given anew", old);
    }
    OK(MPI_Comm_dup(comm, &copy));
    OK(MPI_Comm_delete_attr(copy, old));
    OK(MPI_Comm_free(&copy));
    OK(MPI_Comm_free(&comm));
    CHECK(norder == 2 && order[0] == 5 && order[1] == 5, "%d deletes", norder);
    FAILS(MPI_Comm_get_attr(MPI_COMM_SELF, old, &value, &flag), MPI_ERR_KEYVAL);
    FAILS(MPI_Comm_free_keyval(&old), MPI_ERR_KEYVAL);
    for (int i = 0; i < 40; i++)
        OK(MPI_Comm_free_keyval(&more[i]));
    norder = 0;
}

/* ------------------------------------------------------ other objects -- */

static int type_copy(MPI_Datatype type, int keyval, void *extra_state, void *in, void *out, int *flag)
{
    CHECK(type != MPI_DATATYPE_NULL && keyval != MPI_KEYVAL_INVALID && extra_state == &extra,
          "copy callback of a type");
    *(void **)out = (char *)in + 10;
    *flag = 1;
    return MPI_SUCCESS;
}

static int type_delete(MPI_Datatype type, int keyval, void *value, void *extra_state)
{
    CHECK(type != MPI_DATATYPE_NULL && keyval != MPI_KEYVAL_INVALID && extra_state == &extra,
          "delete callback of a type");
    order[norder++] = (int)(intptr_t)value;
    return MPI_SUCCESS;
}

static void of_types(void)
{
    MPI_Datatype type, copy;
    int key, flag;
    void *value;

    OK(MPI_Type_create_keyval(type_copy, type_delete, &key, (void *)(uintptr_t)&extra));
    OK(MPI_Type_contiguous(3, MPI_INT, &type));
    OK(MPI_Type_set_attr(type, key, (void *)1));
    OK(MPI_Type_dup(type, &copy));
    OK(MPI_Type_get_attr(copy, key, &value, &flag));
    CHECK(flag && (intptr_t)value == 11, "copied attribute: flag %d value %ld", flag, (long)(intptr_t)value);
    OK(MPI_Type_delete_attr(type, key));
    OK(MPI_Type_get_attr(type, key, &value, &flag));
    CHECK(!flag, "deleted attribute");
    FAILS(MPI_Type_delete_attr(type, key), MPI_ERR_KEYVAL);
    OK(MPI_Type_free(&copy));
    OK(MPI_Type_free(&type));
    CHECK(norder == 2 && order[0] == 1 && order[1] == 11, "%d deletes: %d %d", norder, order[0], order[1]);
    norder = 0;
    OK(MPI_Type_set_attr(MPI_INT, key, (void *)3)); /* predefined types may have some */
    OK(MPI_Type_get_attr(MPI_INT, key, &value, &flag));
    CHECK(flag && (intptr_t)value == 3, "attribute of MPI_INT");
    OK(MPI_Type_delete_attr(MPI_INT, key));
    FAILS(MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL), MPI_ERR_KEYVAL);
    FAILS(MPI_Comm_free_keyval(&key), MPI_ERR_KEYVAL);
    FAILS(MPI_Type_set_attr(MPI_DATATYPE_NULL, key, NULL), MPI_ERR_TYPE);
    OK(MPI_Type_free_keyval(&key));
    norder = 0;
}

static int win_delete(MPI_Win win, int keyval, void *value, void *extra_state)
{
    CHECK(win != MPI_WIN_NULL && keyval != MPI_KEYVAL_INVALID && extra_state == &extra, "delete callback of a window");
    order[norder++] = (int)(intptr_t)value;
    return MPI_SUCCESS;
}

static void of_windows(void)
{
    MPI_Win win;
    int key, flag, *model;
    long memory[2];
    void *value;

    OK(MPI_Win_create(memory, sizeof memory, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, win_delete, &key, (void *)(uintptr_t)&extra));
    OK(MPI_Win_get_attr(win, key, &value, &flag));
    CHECK(!flag, "an attribute from nowhere");
    OK(MPI_Win_set_attr(win, key, (void *)1));
    OK(MPI_Win_set_attr(win, key, (void *)2));
    OK(MPI_Win_get_attr(win, key, &value, &flag));
    CHECK(flag && (intptr_t)value == 2, "attribute of a window");
    OK(MPI_Win_get_attr(win, MPI_WIN_BASE, &value, &flag));
    CHECK(flag && value == memory, "MPI_WIN_BASE");
    OK(MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag));
    CHECK(flag && (*model == MPI_WIN_UNIFIED || *model == MPI_WIN_SEPARATE), "MPI_WIN_MODEL");
    FAILS(MPI_Win_set_attr(win, MPI_WIN_BASE, NULL), MPI_ERR_KEYVAL);
    FAILS(MPI_Win_get_attr(win, 4711, &value, &flag), MPI_ERR_KEYVAL);
    OK(MPI_Win_free(&win));
    CHECK(norder == 2 && order[0] == 1 && order[1] == 2, "%d deletes", norder);
    norder = 0;
    FAILS(MPI_Win_get_attr(win, key, &value, &flag), MPI_ERR_WIN);
    OK(MPI_Win_free_keyval(&key));
}

/* The names of MPI-1 are those of communicators. */
static void of_old(void)
{
    MPI_Comm comm, copy;
    int key, flag;
    void *value;

    OK(MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &key, NULL));
    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    OK(MPI_Attr_put(comm, key, (void *)7));
    OK(MPI_Comm_dup(comm, &copy));
    OK(MPI_Attr_get(copy, key, &value, &flag));
    CHECK(flag && (intptr_t)value == 7, "old calls: flag %d", flag);
    OK(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK(flag && (intptr_t)value == 7, "new get of an old attribute");
    OK(MPI_Attr_delete(comm, key));
    OK(MPI_Attr_get(comm, key, &value, &flag));
    CHECK(!flag, "deleted");
    OK(MPI_Comm_free(&copy));
    OK(MPI_Comm_free(&comm));
    OK(MPI_Keyval_free(&key));
    CHECK(key == MPI_KEYVAL_INVALID, "free leaves %d", key);
}

static void predefined(void)
{
    static const int keys[] = {MPI_TAG_UB, MPI_IO,           MPI_HOST,         MPI_WTIME_IS_GLOBAL,
                               MPI_APPNUM, MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE};
    int *value, flag, key;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        key = keys[i];
        value = NULL;
        OK(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag));
        CHECK(flag && value, "predefined attribute %d", key);
        FAILS(MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL), MPI_ERR_KEYVAL);
        FAILS(MPI_Comm_delete_attr(MPI_COMM_WORLD, key), MPI_ERR_KEYVAL);
        FAILS(MPI_Comm_free_keyval(&key), MPI_ERR_KEYVAL);
    }
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    CHECK(*value >= 32767, "MPI_TAG_UB is %d", *value);
    OK(MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, *value, MPI_COMM_WORLD));
    FAILS(MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, *value + 1, MPI_COMM_WORLD), MPI_ERR_TAG);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag));
    CHECK(*value >= mc_size, "MPI_UNIVERSE_SIZE is %d", *value);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag));
    CHECK(*value == MPI_ANY_SOURCE, "MPI_IO is %d", *value);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag));
    CHECK(*value == 0, "MPI_APPNUM is %d", *value);
}

static void wrong(void)
{
    int key = MPI_KEYVAL_INVALID, flag;
    void *value;

    FAILS(MPI_Comm_free_keyval(&key), MPI_ERR_KEYVAL);
    FAILS(MPI_Comm_free_keyval(NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, NULL, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL), MPI_ERR_KEYVAL);
    FAILS(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag), MPI_ERR_KEYVAL);
    FAILS(MPI_Comm_get_attr(MPI_COMM_WORLD, 123456, &value, &flag), MPI_ERR_KEYVAL);
    FAILS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, NULL, &flag), MPI_ERR_ARG);
    FAILS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_get_attr(MPI_COMM_NULL, MPI_TAG_UB, &value, &flag), MPI_ERR_COMM);
    FAILS(MPI_Comm_delete_attr(MPI_COMM_NULL, MPI_TAG_UB), MPI_ERR_COMM);
}

/* A delete function may use MPI and change the object's other attributes. */
static int chain_key[2];

static int chained(MPI_Comm comm, int keyval, void *value, void *extra_state)
{
    int flag;
    void *other;

    (void)value;
    (void)extra_state;
    norder++;
    if (keyval == chain_key[1]) {
        OK(MPI_Comm_get_attr(comm, chain_key[0], &other, &flag));
        CHECK(flag, "the older attribute is gone already");
        OK(MPI_Comm_delete_attr(comm, chain_key[0]));
    }
    return MPI_SUCCESS;
}

static void inside(void)
{
    MPI_Comm comm;

    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    for (int i = 0; i < 2; i++) {
        OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, chained, &chain_key[i], NULL));
        OK(MPI_Comm_set_attr(comm, chain_key[i], NULL));
    }
    OK(MPI_Comm_free(&comm));
    CHECK(norder == 2, "%d deletes", norder);
    norder = 0;
    for (int i = 0; i < 2; i++)
        OK(MPI_Comm_free_keyval(&chain_key[i]));
}

int main(void)
{
    mc_start();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    random_calls();
    order_and_failures();
    freed_keys();
    of_types();
    of_old();
    predefined();
    wrong();
    inside();
    of_windows();
    return mc_finish();
}
