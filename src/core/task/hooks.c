/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions and variables of the C library that are the process's, and must be the PE's. In the copies of its program
 * and libraries their addresses are replaced by those of the functions in hook_*.c. A thread that is no task gets the
 * C library's.
 */
#include "core/task/hooks.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "core/task/host.h"

struct core_task_real core_task_real;
struct core_task *core_task_first;
_Thread_local struct core_task *core_task_owner __attribute__((tls_model("initial-exec")));

static const struct core_task_hook *const tables[] = {
    core_task_hooks_end,        core_task_hooks_environment, core_task_hooks_wait,      core_task_hooks_stdio,
    core_task_hooks_descriptor, core_task_hooks_object,      core_task_hooks_variables, core_task_hooks_getopt,
    core_task_hooks_random,     core_task_hooks_signal,      core_task_hooks_locale,    core_task_hooks_folder,
    core_task_hooks_result,     core_task_hooks_time,        core_task_hooks_block,     core_task_hooks_message,
    core_task_hooks_child,      core_task_hooks_stream,      core_task_hooks_math,      core_task_hooks_identity,
    core_task_hooks_carrier,
};
enum { TABLES = sizeof tables / sizeof *tables, MOST = 400 };

/* All of them by name: each relocation of each image asks. */
static struct {
    unsigned n;
    struct core_task_hook by_name[MOST];
} core_task_names;

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct core_task_hook *)a)->name, ((const struct core_task_hook *)b)->name);
}

/* Before glibc 2.34 the last three had functions of their own. */
static const char *const c_libraries[] = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"};
enum { C_LIBRARIES = sizeof c_libraries / sizeof *c_libraries };

static void *find_function(void *const *libraries, const char *name)
{
    void *found = NULL;

    for (unsigned i = 0; !found && i < C_LIBRARIES; i++)
        if (libraries[i])
            found = dlsym(libraries[i], name);
    return found;
}

void core_task_find_real(void)
{
    void *libraries[C_LIBRARIES];
    unsigned n = 0;

    for (unsigned i = 0; i < C_LIBRARIES; i++)
        libraries[i] = dlopen(c_libraries[i], RTLD_LAZY | RTLD_NOLOAD);
    for (unsigned i = 0; i < TABLES; i++)
        for (const struct core_task_hook *hook = tables[i]; hook->name; hook++) {
            if (n == MOST)
                core_fatal("--tasks: more than %u functions of the C library", n);
            core_task_names.by_name[n++] = *hook;
            if (hook->real && !*hook->real)
                *hook->real = find_function(libraries, hook->name);
        }
    core_task_names.n = n;
    qsort(core_task_names.by_name, n, sizeof *core_task_names.by_name, compare);
}

int core_task_hook_named(const char *name)
{
    struct core_task_hook wanted = {.name = name};
    const struct core_task_hook *found =
        bsearch(&wanted, core_task_names.by_name, core_task_names.n, sizeof wanted, compare);

    return found ? (int)(found - core_task_names.by_name) : -1;
}

uintptr_t core_task_hook(struct core_task *t, unsigned what)
{
    const struct core_task_hook *hook = &core_task_names.by_name[what];

    return hook->ours ? (uintptr_t)hook->ours : (uintptr_t)t->variables[hook->variable - 1];
}
