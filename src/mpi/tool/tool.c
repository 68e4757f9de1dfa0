/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tool interface's start and end, enumerations and categories (15.3). It may
 * be used before MPI_Init and after MPI_Finalize.
 */
#include "mpi/tool/tool.h"

#include <string.h>

#include "core/check/finding.h"
#include "mpi/start/session.h"

static const char *const switch_items[] = {"off", "on"};
const struct mpii_tool_enum mpii_tool_switch = {"switch", 2, switch_items};

static const struct {
    const char *name, *help;
} categories[TOOL_CATEGORIES] = {
    [TOOL_ENVIRONMENT] = {"environment", "The library's parameters, as environment variables set them"},
    [TOOL_TRAFFIC] = {"traffic", "Messages, collectives, one-sided accesses and waits of this process"},
    [TOOL_OBJECTS] = {"objects", "MPI objects of this process"},
    [TOOL_MEMORY] = {"memory", "Memory that this process shares with its peers"},
};

static void say_not_ready(void)
{
    struct core_finding f;

    core_finding_begin(&f, CORE_FINDING_CALL_STATE, "MPI-5.0, 15.3.4",
                       "MPI_T: the tool interface is not initialized, or has been finalized");
    core_finding_at(&f, core_me(), core_site(), "this call");
    core_finding_advise(&f, "call MPI_T_init_thread first, and MPI_T_finalize once for each such call, as the last");
    core_finding_end(&f);
}

int mpii_tool_ready(void)
{
    if (MPT_LIKELY(mpii_state.tool.starts > 0))
        return MPI_SUCCESS;
    if (core_job_running() && core_params.check)
        say_not_ready();
    return MPI_T_ERR_NOT_INITIALIZED;
}

void mpii_tool_text(const char *from, char *text, int *len)
{
    if (!len)
        return;
    if (text && *len > 0)
        snprintf(text, (size_t)*len, "%s", from);
    *len = (int)strlen(from) + 1;
}

int mpii_tool_tell(int *to, int value)
{
    TOOL_READY();
    if (!to)
        return MPI_T_ERR_INVALID;
    *to = value;
    return MPI_SUCCESS;
}

int mpii_tool_find(const char *name, int *index, const void *rows, int n, size_t size)
{
    TOOL_READY();
    if (!name || !index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < n; i++)
        if (strcmp(*(const char *const *)(const void *)((const char *)rows + (size_t)i * size), name) == 0) {
            *index = i;
            return MPI_SUCCESS;
        }
    return MPI_T_ERR_INVALID_NAME;
}

int mpii_T_init_thread(int required, int *provided)
{
    char why[512];

    if (!provided || !mpii_thread_level_valid(required))
        return MPI_T_ERR_INVALID;
    if (mpii_state.tool.starts == 0 && !core_job_running() && core_param_load(why, sizeof why) != 0) {
        core_error("MPI_T_init_thread: %s", why);
        return MPI_T_ERR_CANNOT_INIT;
    }
    mpii_state.tool.starts++;
    *provided = MPI_THREAD_MULTIPLE;
    return MPI_SUCCESS;
}

int mpii_T_finalize(void)
{
    TOOL_READY();
    if (--mpii_state.tool.starts == 0) {
        mpii_tool_cvars_finish();
        mpii_tool_pvars_finish();
    }
    return MPI_SUCCESS;
}

/* -------------------------------------------------------- enumerations -- */

static const struct mpii_tool_enum *enum_of(MPI_T_enum handle)
{
    return (const void *)handle == &mpii_tool_switch ? &mpii_tool_switch : NULL;
}

int mpii_T_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len)
{
    const struct mpii_tool_enum *e = enum_of(enumtype);

    TOOL_READY();
    if (!e)
        return MPI_T_ERR_INVALID_HANDLE;
    TOOL_OUT(num, e->n);
    mpii_tool_text(e->name, name, name_len);
    return MPI_SUCCESS;
}

int mpii_T_enum_get_item(MPI_T_enum enumtype, int index, int *value, char *name, int *name_len)
{
    const struct mpii_tool_enum *e = enum_of(enumtype);

    TOOL_READY();
    if (!e)
        return MPI_T_ERR_INVALID_HANDLE;
    if (index < 0 || index >= e->n)
        return MPI_T_ERR_INVALID_ITEM;
    TOOL_OUT(value, index);
    mpii_tool_text(e->items[index], name, name_len);
    return MPI_SUCCESS;
}

/* ---------------------------------------------------------- categories -- */

static int check_category(int index)
{
    TOOL_READY();
    return index >= 0 && index < TOOL_CATEGORIES ? MPI_SUCCESS : MPI_T_ERR_INVALID_INDEX;
}

static int check_list(int cat_index, int len, const int indices[])
{
    MPII_TRY(check_category(cat_index));
    return len < 0 || (len > 0 && !indices) ? MPI_T_ERR_INVALID : MPI_SUCCESS;
}

/* Performance variables of a category; the first len of them to indices. */
static int list_pvars(int category, int indices[], int len)
{
    int n = 0;

    for (int i = 0; i < mpii_tool_pvars(); i++)
        if ((int)mpii_tool_pvar_category(i) == category) {
            if (n < len)
                indices[n] = i;
            n++;
        }
    return n;
}

int mpii_T_category_get_num(int *num_cat)
{
    return mpii_tool_tell(num_cat, TOOL_CATEGORIES);
}

int mpii_T_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars,
                             int *num_pvars, int *num_categories)
{
    MPII_TRY(check_category(cat_index));
    mpii_tool_text(categories[cat_index].name, name, name_len);
    mpii_tool_text(categories[cat_index].help, desc, desc_len);
    TOOL_OUT(num_cvars, cat_index == TOOL_ENVIRONMENT ? mpii_tool_cvars() : 0);
    TOOL_OUT(num_pvars, list_pvars(cat_index, NULL, 0));
    TOOL_OUT(num_categories, 0);
    return MPI_SUCCESS;
}

int mpii_T_category_get_index(const char *name, int *cat_index)
{
    return mpii_tool_find(name, cat_index, categories, TOOL_CATEGORIES, sizeof *categories);
}

int mpii_T_category_get_cvars(int cat_index, int len, int indices[])
{
    MPII_TRY(check_list(cat_index, len, indices));
    for (int i = 0; cat_index == TOOL_ENVIRONMENT && i < len && i < mpii_tool_cvars(); i++)
        indices[i] = i;
    return MPI_SUCCESS;
}

int mpii_T_category_get_pvars(int cat_index, int len, int indices[])
{
    MPII_TRY(check_list(cat_index, len, indices));
    list_pvars(cat_index, indices, len);
    return MPI_SUCCESS;
}

/* No category lies in another, and there are no events. */
int mpii_T_category_get_categories(int cat_index, int len, int indices[])
{
    return check_list(cat_index, len, indices);
}

int mpii_T_category_get_events(int cat_index, int len, int indices[])
{
    return check_list(cat_index, len, indices);
}

int mpii_T_category_get_num_events(int cat_index, int *num_events)
{
    MPII_TRY(check_category(cat_index));
    TOOL_OUT(num_events, 0);
    return MPI_SUCCESS;
}

/* Never: all is known from the start. */
int mpii_T_category_changed(int *update_number)
{
    return mpii_tool_tell(update_number, 0);
}
