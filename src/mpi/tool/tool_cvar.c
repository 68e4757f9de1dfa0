/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Control variables (15.3.6): the rows of core/base/param.def. Those that are looked
 * at whenever they matter can be set while the job runs.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/tool/tool.h"

enum type { SIZE, UINT, BOOL, FLAG, CHOICE, TEXT, OUTPUT };

static const struct cvar {
    const char *name, *help;
    enum type type;
    void *value;
} cvars[] = {
#define PARAM(field, kind, name, old, def, help) {name, help, kind, &core_params.field},
#include "core/base/param.def"
};

enum { NCVARS = sizeof cvars / sizeof *cvars };

static const struct {
    MPI_Datatype datatype;
    bool is_switch;
} types[] = {[SIZE] = {MPI_UNSIGNED_LONG_LONG, false},
             [UINT] = {MPI_UNSIGNED, false},
             [BOOL] = {MPI_INT, true},
             [FLAG] = {MPI_INT, true},
             [CHOICE] = {MPI_CHAR, false},
             [TEXT] = {MPI_CHAR, false},
             [OUTPUT] = {MPI_CHAR, false}};

struct mpii_cvar_handle {
    struct mpii_cvar_handle *next;
    const struct cvar *var;
};

int mpii_tool_cvars(void)
{
    return NCVARS;
}

/* Read anew at each use, and of this process alone. */
static bool writable(const struct cvar *v)
{
    return v->value == &core_params.check || v->value == &core_params.debug || v->value == &core_params.spin_us ||
           v->value == &core_params.yields || v->value == &core_params.mpi_buffer_max;
}

static bool is_text(const struct cvar *v)
{
    return v->type == CHOICE || v->type == TEXT || v->type == OUTPUT;
}

/* Both tables have the same rows. What is printed there is cut, but not that of a word. */
static const char *text_of(const struct cvar *v)
{
    const char *text;

    if (v->type == CHOICE)
        core_param_row((unsigned)(v - cvars), &text);
    else
        text = *(const char *const *)v->value;
    return text ? text : "";
}

static struct mpii_cvar_handle **find(MPI_T_cvar_handle handle)
{
    struct mpii_cvar_handle **at = &mpii_state.tool.cvar_handles;

    while (*at && (void *)*at != (void *)handle)
        at = &(*at)->next;
    return at;
}

void mpii_tool_cvars_finish(void)
{
    while (mpii_state.tool.cvar_handles) {
        struct mpii_cvar_handle *h = mpii_state.tool.cvar_handles;

        mpii_state.tool.cvar_handles = h->next;
        free(h);
    }
}

int mpii_T_cvar_get_num(int *num_cvar)
{
    return mpii_tool_tell(num_cvar, NCVARS);
}

int mpii_T_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype,
                         MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope)
{
    const struct cvar *v = &cvars[cvar_index >= 0 && cvar_index < NCVARS ? cvar_index : 0];

    TOOL_READY();
    if (cvar_index < 0 || cvar_index >= NCVARS)
        return MPI_T_ERR_INVALID_INDEX;
    mpii_tool_text(v->name, name, name_len);
    mpii_tool_text(v->help, desc, desc_len);
    TOOL_OUT(verbosity, MPI_T_VERBOSITY_USER_BASIC);
    TOOL_OUT(datatype, types[v->type].datatype);
    TOOL_OUT(enumtype, types[v->type].is_switch ? (MPI_T_enum)(uintptr_t)&mpii_tool_switch : MPI_T_ENUM_NULL);
    TOOL_OUT(bind, MPI_T_BIND_NO_OBJECT);
    TOOL_OUT(scope, writable(v) ? MPI_T_SCOPE_LOCAL : MPI_T_SCOPE_READONLY);
    return MPI_SUCCESS;
}

int mpii_T_cvar_get_index(const char *name, int *cvar_index)
{
    return mpii_tool_find(name, cvar_index, cvars, NCVARS, sizeof *cvars);
}

int mpii_T_cvar_handle_alloc(int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count)
{
    struct mpii_cvar_handle *h;

    (void)obj_handle; /* no variable is bound to an object */
    TOOL_READY();
    if (cvar_index < 0 || cvar_index >= NCVARS)
        return MPI_T_ERR_INVALID_INDEX;
    if (!handle || !count)
        return MPI_T_ERR_INVALID;
    h = malloc(sizeof *h);
    if (!h)
        return MPI_T_ERR_MEMORY;
    *h = (struct mpii_cvar_handle){mpii_state.tool.cvar_handles, &cvars[cvar_index]};
    mpii_state.tool.cvar_handles = h;
    *handle = (MPI_T_cvar_handle)(void *)h;
    *count = is_text(h->var) ? (int)strlen(text_of(h->var)) + 1 : 1;
    return MPI_SUCCESS;
}

int mpii_T_cvar_handle_free(MPI_T_cvar_handle *handle)
{
    struct mpii_cvar_handle **at, *h;

    TOOL_READY();
    if (!handle)
        return MPI_T_ERR_INVALID;
    at = find(*handle);
    h = *at;
    if (!h)
        return MPI_T_ERR_INVALID_HANDLE;
    *at = h->next;
    free(h);
    *handle = MPI_T_CVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

static int check_access(MPI_T_cvar_handle handle, const void *buf, const struct mpii_cvar_handle **h)
{
    TOOL_READY();
    *h = *find(handle);
    if (!*h)
        return MPI_T_ERR_INVALID_HANDLE;
    return buf ? MPI_SUCCESS : MPI_T_ERR_INVALID;
}

int mpii_T_cvar_read(MPI_T_cvar_handle handle, void *buf)
{
    const struct mpii_cvar_handle *h;

    MPII_TRY(check_access(handle, buf, &h));
    switch (h->var->type) {
    case SIZE:
        *(unsigned long long *)buf = *(const uint64_t *)h->var->value;
        break;
    case UINT:
        *(unsigned *)buf = *(const unsigned *)h->var->value;
        break;
    case CHOICE:
    case TEXT:
    case OUTPUT:
        strcpy(buf, text_of(h->var));
        break;
    case BOOL:
    case FLAG:
        *(int *)buf = *(const bool *)h->var->value;
    }
    return MPI_SUCCESS;
}

/* Before the job runs, its start would read the environment over it. */
int mpii_T_cvar_write(MPI_T_cvar_handle handle, const void *buf)
{
    const struct mpii_cvar_handle *h;

    MPII_TRY(check_access(handle, buf, &h));
    if (!writable(h->var))
        return MPI_T_ERR_CVAR_SET_NEVER;
    if (!core_job_running())
        return MPI_T_ERR_CVAR_SET_NOT_NOW;
    if (h->var->type == SIZE)
        *(uint64_t *)h->var->value = *(const unsigned long long *)buf;
    else if (h->var->type == UINT)
        *(unsigned *)h->var->value = *(const unsigned *)buf;
    else
        *(bool *)h->var->value = *(const int *)buf != 0;
    mpii_p2p_buffering_changed();
    return MPI_SUCCESS;
}
