/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A task's environment. The C library keeps one array of its own to which it adds; the functions here keep one for
 * each task, and `environ` is exchanged when another task goes on.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/task/hooks.h"
#include "core/task/host.h"

static bool is_name(const char *name)
{
    return name && *name && !strchr(name, '=');
}

static bool names(const char *entry, const char *name, size_t n)
{
    return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

static size_t length(char **list)
{
    size_t n = 0;

    while (list && list[n])
        n++;
    return n;
}

/* The program's variable may be its own; the C library's is that of the first instance. */
static void tell(struct core_task *t)
{
    *(char ***)t->variables[CORE_VAR_ENVIRON] = *t->host->environ;
}

/* The array that the task may change: a copy of what it was given, with room for one entry more. */
static char **own_array(struct core_task *t)
{
    char **now = *t->host->environ;
    size_t n = length(now);
    char **own = malloc((n + 2) * sizeof *own);

    if (!own)
        return NULL;
    memcpy(own, now, n * sizeof *own);
    own[n] = own[n + 1] = NULL;
    if (now == t->own_environ)
        free(now);
    t->own_environ = *t->host->environ = own;
    tell(t);
    return own;
}

/* The n characters of a name at the start of `entry`, which goes into the array itself. */
static int put(struct core_task *t, char *entry, size_t n, bool replace)
{
    char **list = own_array(t);

    if (!list)
        return -1;
    for (; *list; list++)
        if (names(*list, entry, n)) {
            if (replace)
                *list = entry;
            return 0;
        }
    *list = entry;
    return 0;
}

static int set(const char *name, const char *value, int replace)
{
    char *entry;

    if (!core_task_self)
        return core_task_real.setenv(name, value, replace);
    if (!is_name(name)) {
        errno = EINVAL;
        return -1;
    }
    if (asprintf(&entry, "%s=%s", name, value) < 0) /* programs may keep what getenv has returned: never freed */
        return -1;
    return put(core_task_self, entry, strlen(name), replace);
}

static int unset(const char *name)
{
    char **list, **keep;

    if (!core_task_self)
        return core_task_real.unsetenv(name);
    if (!is_name(name)) {
        errno = EINVAL;
        return -1;
    }
    list = own_array(core_task_self);
    if (!list)
        return -1;
    for (keep = list; *list; list++)
        if (!names(*list, name, strlen(name)))
            *keep++ = *list;
    *keep = NULL;
    return 0;
}

static int put_entry(char *entry)
{
    const char *equals = strchr(entry, '=');

    if (!core_task_self)
        return core_task_real.putenv(entry);
    return equals ? put(core_task_self, entry, (size_t)(equals - entry), true) : unset(entry);
}

static int clear(void)
{
    if (!core_task_self)
        return core_task_real.clearenv();
    *core_task_self->host->environ = NULL;
    tell(core_task_self);
    return 0;
}

const struct core_task_hook core_task_hooks_environment[] = {
    HOOK("setenv", set, setenv),
    HOOK("putenv", put_entry, putenv),
    HOOK("unsetenv", unset, unsetenv),
    HOOK("clearenv", clear, clearenv),
    {0},
};
