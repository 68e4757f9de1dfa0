/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Info objects (chapter 10): pairs of strings in the order they were first set.
 * All calls may come before MPI_Init and after MPI_Finalize. MPI_INFO_ENV is an
 * ordinary one that is made when first asked for, and that users cannot change.
 */
#include "mpi/env/info.h"

#include <stdlib.h>
#include <string.h>

struct pair {
    char *key, *value;
};

struct mpii_info {
    struct mpii_object object;
    int n, room;
    struct pair *pairs;
};

/* ------------------------------------------------- for other chapters -- */

struct mpii_info *mpii_info_of(MPI_Info handle)
{
    return handle == MPI_INFO_ENV ? mpii_info_env() : mpii_object_of(handle, MPII_INFO);
}

MPI_Info mpii_info_handle(struct mpii_info *info)
{
    return (MPI_Info)(void *)info;
}

static int find(const struct mpii_info *info, const char *key)
{
    for (int i = 0; i < info->n; i++)
        if (strcmp(info->pairs[i].key, key) == 0)
            return i;
    return -1;
}

const char *mpii_info_get(MPI_Info handle, const char *key)
{
    const struct mpii_info *info = mpii_info_of(handle);
    int i = info ? find(info, key) : -1;

    return i < 0 ? NULL : info->pairs[i].value;
}

static bool grow(struct mpii_info *info)
{
    int room = info->room ? 2 * info->room : 8;
    struct pair *pairs = realloc(info->pairs, (size_t)room * sizeof *pairs);

    if (!pairs)
        return false;
    info->pairs = pairs;
    info->room = room;
    return true;
}

const void *mpii_info_memory(const struct mpii_info *info)
{
    return info->pairs;
}

int mpii_info_put(struct mpii_info *info, const char *key, const char *value)
{
    int i = find(info, key);
    char *new_key, *new_value = strdup(value);

    if (!new_value)
        return MPI_ERR_NO_MEM;
    if (i >= 0) {
        free(info->pairs[i].value);
        info->pairs[i].value = new_value;
        return MPI_SUCCESS;
    }
    new_key = info->n < info->room || grow(info) ? strdup(key) : NULL;
    if (!new_key) {
        free(new_value);
        return MPI_ERR_NO_MEM;
    }
    info->pairs[info->n++] = (struct pair){new_key, new_value};
    return MPI_SUCCESS;
}

static int put_all(struct mpii_info *to, const struct mpii_info *from)
{
    for (int i = 0; i < from->n; i++)
        MPII_TRY(mpii_info_put(to, from->pairs[i].key, from->pairs[i].value));
    return MPI_SUCCESS;
}

struct mpii_info *mpii_info_copy(const struct mpii_info *info)
{
    struct mpii_info *copy = mpii_object_new(MPII_INFO, sizeof *copy);

    if (copy && info && put_all(copy, info) != MPI_SUCCESS) {
        mpii_info_release(copy);
        return NULL;
    }
    return copy;
}

void mpii_info_release(struct mpii_info *info)
{
    if (!info || --info->object.refs > 0)
        return;
    for (int i = 0; i < info->n; i++) {
        free(info->pairs[i].key);
        free(info->pairs[i].value);
    }
    free(info->pairs);
    mpii_object_free(info);
}

int mpii_info_merge(struct mpii_info **info, MPI_Info handle)
{
    const struct mpii_info *from = mpii_info_of(handle);

    if (!*info && !(*info = mpii_info_copy(NULL)))
        return MPI_ERR_NO_MEM;
    return from ? put_all(*info, from) : MPI_SUCCESS;
}

int mpii_check_info(void *object, MPI_Info handle, const char *call)
{
    if (MPT_LIKELY(handle == MPI_INFO_NULL || mpii_info_of(handle)))
        return MPI_SUCCESS;
    return mpii_error(object, MPI_ERR_INFO, call, "info is %p, which is not an info object (freed?)",
                      mpii_bad_handle(MPII_INFO, handle));
}

int mpii_check_hints(void *object, MPI_Info handle, const char *call)
{
    return handle == MPI_INFO_NULL ? mpii_error(object, MPI_ERR_INFO, call, "info is MPI_INFO_NULL")
                                   : mpii_check_info(object, handle, call);
}

int mpii_info_give(void *object, struct mpii_info *info, MPI_Info *to, const char *call)
{
    if (!info)
        return mpii_error(object, MPI_ERR_NO_MEM, call, "no memory for an info object");
    if (to)
        *to = mpii_info_handle(info);
    else
        mpii_info_release(info);
    return mpii_check_pointer(object, to, "info_used", call);
}

/* -------------------------------------------------------------- checks -- */

static int check(MPI_Info handle, struct mpii_info **info, const char *call)
{
    *info = mpii_info_of(handle);
    if (*info)
        return MPI_SUCCESS;
    if (handle == MPI_INFO_NULL)
        return mpii_error(NULL, MPI_ERR_INFO, call, "info is MPI_INFO_NULL");
    return mpii_check_info(NULL, handle, call);
}

static int check_writable(MPI_Info handle, struct mpii_info **info, const char *call)
{
    if (handle == MPI_INFO_ENV)
        return mpii_error(NULL, MPI_ERR_INFO, call, "info is MPI_INFO_ENV, which cannot be changed");
    return check(handle, info, call);
}

static int check_key(const char *key, const char *call)
{
    if (!key || !*key)
        return mpii_error(NULL, MPI_ERR_INFO_KEY, call, "key is %s", key ? "empty" : "NULL");
    if (strlen(key) >= MPI_MAX_INFO_KEY)
        return mpii_error(NULL, MPI_ERR_INFO_KEY, call, "key has %zu characters, MPI_MAX_INFO_KEY is %d", strlen(key),
                          MPI_MAX_INFO_KEY);
    return MPI_SUCCESS;
}

static int check_value(const char *value, const char *call)
{
    if (!value)
        return mpii_error(NULL, MPI_ERR_INFO_VALUE, call, "value is NULL");
    if (strlen(value) >= MPI_MAX_INFO_VAL)
        return mpii_error(NULL, MPI_ERR_INFO_VALUE, call, "value has %zu characters, MPI_MAX_INFO_VAL is %d",
                          strlen(value), MPI_MAX_INFO_VAL);
    return MPI_SUCCESS;
}

static int pointer(const void *p, const char *arg, const char *call)
{
    return mpii_check_pointer(NULL, p, arg, call);
}

static int no_memory(const char *call)
{
    return mpii_error(NULL, MPI_ERR_NO_MEM, call, "no memory for an info object");
}

/* --------------------------------------------------------------- calls -- */

int mpii_Info_create(MPI_Info *info)
{
    struct mpii_info *new;

    MPII_TRY(pointer(info, "info", __func__));
    new = mpii_info_copy(NULL);
    if (!new)
        return no_memory(__func__);
    *info = mpii_info_handle(new);
    return MPI_SUCCESS;
}

int mpii_Info_dup(MPI_Info info, MPI_Info *newinfo)
{
    struct mpii_info *old, *new;

    MPII_TRY(check(info, &old, __func__));
    MPII_TRY(pointer(newinfo, "newinfo", __func__));
    new = mpii_info_copy(old);
    if (!new)
        return no_memory(__func__);
    *newinfo = mpii_info_handle(new);
    return MPI_SUCCESS;
}

int mpii_Info_free(MPI_Info *info)
{
    struct mpii_info *old;

    MPII_TRY(pointer(info, "info", __func__));
    MPII_TRY(check_writable(*info, &old, __func__));
    mpii_info_release(old);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

int mpii_Info_set(MPI_Info handle, const char *key, const char *value)
{
    struct mpii_info *info;

    MPII_TRY(check_writable(handle, &info, __func__));
    MPII_TRY(check_key(key, __func__));
    MPII_TRY(check_value(value, __func__));
    return mpii_info_put(info, key, value) == MPI_SUCCESS ? MPI_SUCCESS : no_memory(__func__);
}

int mpii_Info_delete(MPI_Info handle, const char *key)
{
    struct mpii_info *info;
    int i;

    MPII_TRY(check_writable(handle, &info, __func__));
    MPII_TRY(check_key(key, __func__));
    i = find(info, key);
    if (i < 0)
        return mpii_error(NULL, MPI_ERR_INFO_NOKEY, __func__, "key is \"%s\", which info does not have", key);
    free(info->pairs[i].key);
    free(info->pairs[i].value);
    memmove(&info->pairs[i], &info->pairs[i + 1], (size_t)(--info->n - i) * sizeof *info->pairs);
    return MPI_SUCCESS;
}

int mpii_Info_get_nkeys(MPI_Info handle, int *nkeys)
{
    struct mpii_info *info;

    MPII_TRY(check(handle, &info, __func__));
    MPII_TRY(pointer(nkeys, "nkeys", __func__));
    *nkeys = info->n;
    return MPI_SUCCESS;
}

int mpii_Info_get_nthkey(MPI_Info handle, int n, char *key)
{
    struct mpii_info *info;

    MPII_TRY(check(handle, &info, __func__));
    MPII_TRY(pointer(key, "key", __func__));
    if (n < 0 || n >= info->n)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "n is %d, but info has %d keys", n, info->n);
    strcpy(key, info->pairs[n].key);
    return MPI_SUCCESS;
}

/* The value of a key, NULL when info has no such key. */
static int look_up(MPI_Info handle, const char *key, int *flag, const char **value, const char *call)
{
    struct mpii_info *info;
    int i;

    MPII_TRY(check(handle, &info, call));
    MPII_TRY(check_key(key, call));
    MPII_TRY(pointer(flag, "flag", call));
    i = find(info, key);
    *value = i < 0 ? NULL : info->pairs[i].value;
    *flag = i >= 0;
    return MPI_SUCCESS;
}

int mpii_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag)
{
    const char *text;
    int room;

    MPII_TRY(pointer(buflen, "buflen", __func__));
    room = *buflen;
    if (room < 0)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "buflen is %d, less than 0", room);
    if (room > 0)
        MPII_TRY(pointer(value, "value", __func__));
    MPII_TRY(look_up(info, key, flag, &text, __func__));
    if (!text)
        return MPI_SUCCESS;
    *buflen = (int)strlen(text) + 1;
    if (room > 0)
        snprintf(value, (size_t)room, "%s", text);
    return MPI_SUCCESS;
}

/* Deprecated; value has valuelen + 1 characters. */
int mpii_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    const char *text;

    if (valuelen < 0)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "valuelen is %d, less than 0", valuelen);
    MPII_TRY(pointer(value, "value", __func__));
    MPII_TRY(look_up(info, key, flag, &text, __func__));
    if (text)
        snprintf(value, (size_t)valuelen + 1, "%s", text);
    return MPI_SUCCESS;
}

int mpii_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen, int *flag)
{
    const char *text;

    MPII_TRY(pointer(valuelen, "valuelen", __func__));
    MPII_TRY(look_up(info, key, flag, &text, __func__));
    if (text)
        *valuelen = (int)strlen(text);
    return MPI_SUCCESS;
}
