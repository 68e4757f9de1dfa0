/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who spawned a task and which tasks were spawned with it; the list of variables
 * that tasks are to get. (They get all variables: the list is kept for programs
 * that look at it.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pvm/pvmi.h"

static struct pvmi_task *row_of(int slot, struct pvmi_task *copy)
{
    return pvmi_look(PVMI_AT(task[slot]), sizeof *copy, copy);
}

/* PvmNoParent is an answer, not a failure. */
int pvm_parent(void)
{
    int rc = pvmi_begin("pvm_parent");
    struct pvmi_task copy;
    return rc < 0 ? rc : row_of(pvmi.me, &copy)->parent;
}

/* A task that never began, as its program could not be run, is none. */
static bool is_sibling(int slot, int batch)
{
    struct pvmi_task copy, *row = row_of(slot, &copy);
    return row->batch == batch && !(row->state == PVMI_GONE && row->pid == 0);
}

/* Of this task, of which there may be no batch. 0 or PvmNoMem. */
static int find_siblings(struct pvmi_siblings *s)
{
    struct pvmi_task copy, *own = row_of(pvmi.me, &copy);
    const int batch = own->batch, most = batch ? own->batch_n : 1;
    int *list = realloc(s->list, (size_t)most * sizeof *list);
    if (!list)
        return pvmi_fail(PvmNoMem, "%d siblings", most);
    s->list = list;
    s->n = 0;
    if (!batch)
        list[s->n++] = pvmi.tid;
    for (int slot = 0; s->n < most && slot < core_size() && slot < PVMI_TASKS; slot++)
        if (is_sibling(slot, batch))
            list[s->n++] = pvmi_tid_of(slot);
    s->of = pvmi.tid;
    return 0;
}

/* The answer stays what it was at first. */
int pvm_siblings(int **tids)
{
    struct pvmi_siblings *s = &pvmi.spawn.siblings;
    int rc = pvmi_begin("pvm_siblings");
    if (rc < 0 || (s->of != pvmi.tid && (rc = find_siblings(s)) < 0))
        return rc;
    if (tids)
        *tids = s->list;
    return s->n;
}

/* --------------------------------------------------------------- PVM_EXPORT -- */

/* Is the list's item of n bytes this name? */
static bool is_name(const char *item, size_t n, const char *name)
{
    return strlen(name) == n && memcmp(item, name, n) == 0;
}

/* The list without a name, and with it at the end when `keep`. */
static int set_list(const char *name, bool keep)
{
    const char *old = core_param_foreign("PVM_EXPORT"), *p;
    char *list = calloc(1, (old ? strlen(old) : 0) + strlen(name) + 2);
    bool there = false;
    size_t n;
    if (!list)
        return pvmi_fail(PvmNoMem, "PVM_EXPORT");
    for (p = old ? old : ""; *p; p += n + (p[n] == ':')) {
        n = strcspn(p, ":");
        there |= is_name(p, n, name);
        if (n > 0 && (keep || !is_name(p, n, name)))
            sprintf(list + strlen(list), "%s%.*s", *list ? ":" : "", (int)n, p);
    }
    if (keep && !there)
        sprintf(list + strlen(list), "%s%s", *list ? ":" : "", name);
    setenv("PVM_EXPORT", list, 1);
    free(list);
    return 0;
}

static int change_list(const char *name, bool keep)
{
    if (!name || !*name || strpbrk(name, ":="))
        return pvmi_fail(PvmBadParam, "%s is no name of a variable", name ? name : "NULL");
    return set_list(name, keep);
}

/* Neither makes the process a task. */
int pvm_export(char *name)
{
    pvmi.call = "pvm_export";
    return change_list(name, true);
}

int pvm_unexport(char *name)
{
    pvmi.call = "pvm_unexport";
    return change_list(name, false);
}
