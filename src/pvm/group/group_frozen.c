/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members of static groups, kept by each task that has frozen one: who is in them
 * does not change any more, so questions about them need no look at the table. What
 * is kept ends with the task's own membership.
 */
#include <stdlib.h>
#include <string.h>

#include "pvm/group/group.h"

const struct pvmi_frozen *pvmi_frozen_find(const char *name)
{
    const struct pvmi_frozen *f = pvmi_is_all(name) ? NULL : pvmi.group.frozen;

    while (f && strcmp(f->name, name) != 0)
        f = f->next;
    return f;
}

/* Without memory for it the table is asked, as of any group. */
void pvmi_frozen_keep(const struct pvmi_group *g)
{
    struct pvmi_frozen *f = malloc(sizeof *f + (size_t)g->high * sizeof f->tid[0]);

    if (!f)
        return;
    pvmi_frozen_drop(g->name);
    f->n = g->high;
    f->size = g->size;
    strcpy(f->name, g->name);
    for (int i = 0; i < g->high; i++)
        f->tid[i] = g->member[i] ? pvmi_tid_of(g->member[i] - 1) : -1;
    f->next = pvmi.group.frozen;
    pvmi.group.frozen = f;
}

void pvmi_frozen_drop(const char *name)
{
    for (struct pvmi_frozen **at = &pvmi.group.frozen, *f; (f = *at);) {
        if (name && strcmp(f->name, name) != 0) {
            at = &f->next;
            continue;
        }
        *at = f->next;
        free(f);
    }
}
