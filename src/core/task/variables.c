/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Variables of the C library that programs use by name. A program that was linked in the usual way has them itself,
 * by copy relocations; the C library uses those of the first instance. Each other copy has its own, or they lie in
 * struct core_task_own. Functions that use or set them do so with the task's, see hook_*.c.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "core/task/hooks.h"
#include "core/task/own.h"

static const struct {
    const char *name;
    size_t n;
} table[CORE_VARIABLES] = {
    [CORE_VAR_STDIN] = {"stdin", sizeof(FILE *)},      [CORE_VAR_STDOUT] = {"stdout", sizeof(FILE *)},
    [CORE_VAR_STDERR] = {"stderr", sizeof(FILE *)},    [CORE_VAR_ENVIRON] = {"environ", sizeof(char **)},
    [CORE_VAR_OPTIND] = {"optind", sizeof(int)},       [CORE_VAR_OPTARG] = {"optarg", sizeof(char *)},
    [CORE_VAR_OPTERR] = {"opterr", sizeof(int)},       [CORE_VAR_OPTOPT] = {"optopt", sizeof(int)},
    [CORE_VAR_TZNAME] = {"tzname", sizeof(char *[2])}, [CORE_VAR_TIMEZONE] = {"timezone", sizeof(long)},
    [CORE_VAR_DAYLIGHT] = {"daylight", sizeof(int)},   [CORE_VAR_SIGNGAM] = {"signgam", sizeof(int)},
};

/* Where a variable of the first instances is in this task's copies; NULL: all share it. */
static void *in_copy(const struct core_task *t, const void *first)
{
    const struct core_task_host *h = t->host;

    for (unsigned i = 0; first && i < h->n_images; i++) {
        const struct core_image *m = &h->images[i];
        uintptr_t at = (uintptr_t)first - m->first;

        for (unsigned k = 0; k < m->n_segments; k++)
            if (m->segments[k].p_type == PT_LOAD && at - m->segments[k].p_vaddr < m->segments[k].p_memsz)
                return (void *)(t->bases[i] + at);
    }
    return NULL;
}

void core_task_find_variables(struct core_task *t)
{
    void *const *process = core_task_first->variables;

    for (unsigned i = 0; i < CORE_VARIABLES; i++) {
        if (t == core_task_first) {
            t->variables[i] = dlsym(RTLD_DEFAULT, table[i].name);
            continue;
        }
        t->variables[i] = in_copy(t, process[i]);
        if (process[i] && !t->variables[i])
            t->variables[i] = i == CORE_VAR_ENVIRON ? process[i] : &t->own->values[i];
        if (process[i])
            memmove(t->variables[i], process[i], table[i].n);
    }
    if (t == core_task_first)
        return;
    *(FILE **)t->variables[CORE_VAR_STDIN] = t->in;
    *(FILE **)t->variables[CORE_VAR_STDOUT] = t->out;
    *(FILE **)t->variables[CORE_VAR_STDERR] = t->err;
    if (t->variables[CORE_VAR_ENVIRON] != process[CORE_VAR_ENVIRON])
        *(char ***)t->variables[CORE_VAR_ENVIRON] = t->environ;
}

void core_task_swap_bytes(void *a, void *b, size_t n)
{
    char kept[64];

    memcpy(kept, a, n);
    memcpy(a, b, n);
    memcpy(b, kept, n);
}

void core_task_swap_variable(struct core_task *t, enum core_task_variable i)
{
    void *process = t->host->tasks[0].variables[i];

    if (process && t->variables[i] && t->variables[i] != process)
        core_task_swap_bytes(t->variables[i], process, table[i].n);
}

/* `environ` is not replaced: it is exchanged when another task goes on. */
const struct core_task_hook core_task_hooks_variables[] = {
    {"stdin", NULL, NULL, CORE_VAR_STDIN + 1},
    {"stdout", NULL, NULL, CORE_VAR_STDOUT + 1},
    {"stderr", NULL, NULL, CORE_VAR_STDERR + 1},
    {"optind", NULL, NULL, CORE_VAR_OPTIND + 1},
    {"optarg", NULL, NULL, CORE_VAR_OPTARG + 1},
    {"opterr", NULL, NULL, CORE_VAR_OPTERR + 1},
    {"optopt", NULL, NULL, CORE_VAR_OPTOPT + 1},
    {"tzname", NULL, NULL, CORE_VAR_TZNAME + 1},
    {"__tzname", NULL, NULL, CORE_VAR_TZNAME + 1},
    {"timezone", NULL, NULL, CORE_VAR_TIMEZONE + 1},
    {"__timezone", NULL, NULL, CORE_VAR_TIMEZONE + 1},
    {"daylight", NULL, NULL, CORE_VAR_DAYLIGHT + 1},
    {"__daylight", NULL, NULL, CORE_VAR_DAYLIGHT + 1},
    {"signgam", NULL, NULL, CORE_VAR_SIGNGAM + 1},
    {0},
};
