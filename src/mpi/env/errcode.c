/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Error classes, codes and their strings (9.4, 9.5): the standard's in a table,
 * where a code is its class; the user's above MPI_ERR_LASTCODE in another. All
 * calls here may come before MPI_Init and after MPI_Finalize.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/env/error.h"

static struct mpii_user_codes *const codes = &mpii_state.env.codes;

static const struct {
    int code;
    const char *name, *text;
} standard[] = {
#define ERROR(name, text) {name, #name, text},
#include "mpi/env/errors.def"
#undef ERROR
};

enum { FIRST = MPI_ERR_LASTCODE + 1 };

struct mpii_user_code {
    int class;    /* its own number: it is a class */
    int codes;    /* of a class: codes that belong to it */
    bool used;
    char *string; /* NULL: none */
};

static const char *standard_text(int code, const char **name)
{
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        if (standard[i].code == code) {
            if (name)
                *name = standard[i].name;
            return standard[i].text;
        }
    return NULL;
}

static struct mpii_user_code *user(int code)
{
    return code >= FIRST && code - FIRST < codes->n && codes->at[code - FIRST].used ? &codes->at[code - FIRST] : NULL;
}

const char *mpii_error_name(int code, char *text, size_t n)
{
    const char *name;
    const struct mpii_user_code *u = user(code);

    if (standard_text(code, &name))
        return name;
    if (u)
        snprintf(text, n, "error %s %d of class %d", u->class == code ? "class" : "code", code, u->class);
    else
        snprintf(text, n, "error code %d", code);
    return text;
}

/* A number that was not in use since the last removal of the highest: LASTUSEDCODE never falls. */
static struct mpii_user_code *add(int *code)
{
    if (codes->n == codes->room) {
        int more = codes->room ? 2 * codes->room : 16;
        struct mpii_user_code *grown = realloc(codes->at, (size_t)more * sizeof *codes->at);

        if (!grown)
            return NULL;
        codes->at = grown;
        codes->room = more;
    }
    *code = FIRST + codes->n;
    codes->at[codes->n] = (struct mpii_user_code){.class = *code, .used = true};
    mpii_state.env.values.last_used_code = *code;
    return &codes->at[codes->n++];
}

int mpii_Add_error_class(int *errorclass)
{
    MPII_TRY(mpii_check_pointer(NULL, errorclass, "errorclass", __func__));
    return add(errorclass) ? MPI_SUCCESS : mpii_error(NULL, MPI_ERR_NO_MEM, __func__, "no memory for an error class");
}

static int class_of(int code)
{
    const struct mpii_user_code *u = user(code);

    return u ? u->class : standard_text(code, NULL) ? code : -1;
}

bool mpii_error_class(int code, int *class)
{
    *class = class_of(code);
    return *class >= 0;
}

int mpii_Add_error_code(int errorclass, int *errorcode)
{
    struct mpii_user_code *u;

    MPII_TRY(mpii_check_pointer(NULL, errorcode, "errorcode", __func__));
    if (errorclass < 0 || class_of(errorclass) != errorclass)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "errorclass is %d, which is not an error class", errorclass);
    u = add(errorcode);
    if (!u)
        return mpii_error(NULL, MPI_ERR_NO_MEM, __func__, "no memory for an error code");
    u->class = errorclass;
    if (user(errorclass))
        user(errorclass)->codes++;
    return MPI_SUCCESS;
}

/* A class or code of the user's, with what must hold of it for `call`. */
static int find(int code, const char *arg, struct mpii_user_code **u, const char *call)
{
    *u = user(code);
    if (*u)
        return MPI_SUCCESS;
    if (class_of(code) >= 0)
        return mpii_error(NULL, MPI_ERR_ARG, call, "%s is %d, a predefined error class", arg, code);
    return mpii_error(NULL, MPI_ERR_ARG, call, "%s is %d, not an error class or code that was added (removed?)", arg,
                      code);
}

static int set_string(int code, const char *string, const char *call)
{
    struct mpii_user_code *u;
    char *copy = NULL;

    MPII_TRY(find(code, "errorcode", &u, call));
    if (string && !(copy = strdup(string)))
        return mpii_error(NULL, MPI_ERR_NO_MEM, call, "no memory for the string");
    free(u->string);
    u->string = copy;
    return MPI_SUCCESS;
}

int mpii_Add_error_string(int errorcode, const char *string)
{
    MPII_TRY(mpii_check_pointer(NULL, string, "string", __func__));
    if (strlen(string) >= MPI_MAX_ERROR_STRING)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "string has %zu characters; MPI_MAX_ERROR_STRING is %d",
                          strlen(string), MPI_MAX_ERROR_STRING);
    return set_string(errorcode, string, __func__);
}

int mpii_Remove_error_string(int errorcode)
{
    struct mpii_user_code *u;

    MPII_TRY(find(errorcode, "errorcode", &u, __func__));
    if (!u->string)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "errorcode is %d, which has no string", errorcode);
    return set_string(errorcode, NULL, __func__);
}

static int remove_user(int code, const char *arg, bool class, const char *call)
{
    struct mpii_user_code *u;

    MPII_TRY(find(code, arg, &u, call));
    if ((u->class == code) != class)
        return mpii_error(NULL, MPI_ERR_ARG, call, "%s is %d, which is an error %s", arg, code,
                          class ? "code" : "class");
    if (u->string)
        return mpii_error(NULL, MPI_ERR_ARG, call, "%s is %d, whose string has not been removed", arg, code);
    if (u->codes)
        return mpii_error(NULL, MPI_ERR_ARG, call, "%s is %d, to which %d error codes belong", arg, code, u->codes);
    if (!class && user(u->class))
        user(u->class)->codes--;
    u->used = false;
    return MPI_SUCCESS;
}

int mpii_Remove_error_class(int errorclass)
{
    return remove_user(errorclass, "errorclass", true, __func__);
}

int mpii_Remove_error_code(int errorcode)
{
    return remove_user(errorcode, "errorcode", false, __func__);
}

int mpii_Error_class(int errorcode, int *errorclass)
{
    int class = class_of(errorcode);

    MPII_TRY(mpii_check_pointer(NULL, errorclass, "errorclass", __func__));
    if (class < 0)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "errorcode is %d, which is not an error code", errorcode);
    *errorclass = class;
    return MPI_SUCCESS;
}

/* What was raised last under this code says more than its class can. */
static void standard_string(int code, char *string)
{
    const struct mpii_env_thread *last = &mpii_thread.env;
    const char *name = NULL, *text = standard_text(code, &name);

    if (code != MPI_SUCCESS && last->code == code)
        snprintf(string, MPI_MAX_ERROR_STRING, "%s: %s; last raised by %s", name, text, last->text);
    else
        snprintf(string, MPI_MAX_ERROR_STRING, "%s: %s", name, text);
}

int mpii_Error_string(int errorcode, char *string, int *resultlen)
{
    const struct mpii_user_code *u = user(errorcode);

    MPII_TRY(mpii_check_pointer(NULL, string, "string", __func__));
    MPII_TRY(mpii_check_pointer(NULL, resultlen, "resultlen", __func__));
    if (u)
        snprintf(string, MPI_MAX_ERROR_STRING, "%s", u->string ? u->string : "");
    else if (standard_text(errorcode, NULL))
        standard_string(errorcode, string);
    else
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "errorcode is %d, which is not an error code", errorcode);
    *resultlen = (int)strlen(string);
    return MPI_SUCCESS;
}
