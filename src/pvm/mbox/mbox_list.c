/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is in the mailbox, class by class; and the three calls of PVM 3.2 that
 * kept one integer under a name.
 */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "pvm/mbox/mbox.h"

/* A snapshot taken under the lock. */
struct seen {
    char name[PVMI_CLASS_NAME];
    int index, owner, flags, order;
};

static int collect(struct seen *s)
{
    struct pvmi_mbox *box = NULL;
    size_t base = PVMI_AT(mbox), n = 0;
    uint32_t high_copy, used_copy, high;
    high = *(uint32_t *)pvmi_look(base + offsetof(struct pvmi_mbox, high), sizeof high_copy, &high_copy);
    for (uint32_t i = 0; i < high; i++) {
        struct pvmi_entry copy, *e;
        size_t at = base + offsetof(struct pvmi_mbox, used) + i * sizeof box->used[0];
        if (*(uint32_t *)pvmi_look(at, sizeof used_copy, &used_copy) == 0)
            continue;
        e = pvmi_look(base + offsetof(struct pvmi_mbox, entry) + i * sizeof *e, sizeof copy, &copy);
        s[n] = (struct seen){.index = e->index, .owner = e->owner, .flags = e->flags, .order = (int)n};
        strcpy(s[n++].name, e->name);
    }
    return (int)n;
}

static int by_class(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->index > y->index) - (x->index < y->index);
}

/* Classes with their names and the numbers of their entries, as the call hands them out. */
static void fill(const struct seen *s, int n, int *nclasses)
{
    struct pvmmboxinfo *classes = pvmi.mbox.listed.classes;
    int *numbers = pvmi.mbox.listed.numbers, k = -1;
    for (int i = 0; i < n; i++) {
        struct pvmmboxinfo *c;
        if (k < 0 || strcmp(classes[k].mi_name, s[i].name) != 0) {
            char *name = strcpy(pvmi.mbox.listed.texts + (size_t)++k * PVMI_CLASS_NAME, s[i].name);
            classes[k] = (struct pvmmboxinfo){.mi_name = name,
                                              .mi_indices = numbers + i,
                                              .mi_owners = numbers + n + i,
                                              .mi_flags = numbers + 2 * n + i};
        }
        c = &classes[k];
        c->mi_indices[c->mi_nentries] = s[i].index;
        c->mi_owners[c->mi_nentries] = s[i].owner;
        c->mi_flags[c->mi_nentries++] = s[i].flags;
    }
    *nclasses = k + 1;
}

/* Keep those whose name matches; NULL, "" and "*" match all. -1: not a pattern. */
static int select_matching(const char *pattern, struct seen *s, int n)
{
    regex_t regex;
    int kept = 0;
    if (!pattern || !*pattern || strcmp(pattern, "*") == 0)
        return n;
    if (regcomp(&regex, pattern, REG_NOSUB) != 0)
        return -1;
    for (int i = 0; i < n; i++)
        if (regexec(&regex, s[i].name, 0, NULL, 0) == 0)
            s[kept++] = s[i];
    regfree(&regex);
    return kept;
}

static int list(const char *pattern, struct seen *s, int *nclasses)
{
    int n;
    pvmi_lock();
    n = collect(s);
    pvmi_unlock();
    if ((n = select_matching(pattern, s, n)) < 0)
        return pvmi_fail(PvmBadParam, "\"%s\" is no regular expression", pattern);
    qsort(s, (size_t)n, sizeof *s, by_class);
    free(pvmi.mbox.listed.classes);
    free(pvmi.mbox.listed.texts);
    free(pvmi.mbox.listed.numbers);
    pvmi.mbox.listed.classes = malloc(((size_t)n + 1) * sizeof *pvmi.mbox.listed.classes);
    pvmi.mbox.listed.texts = malloc(((size_t)n + 1) * PVMI_CLASS_NAME);
    pvmi.mbox.listed.numbers = malloc(((size_t)n + 1) * 3 * sizeof *pvmi.mbox.listed.numbers);
    if (!pvmi.mbox.listed.classes || !pvmi.mbox.listed.texts || !pvmi.mbox.listed.numbers)
        return pvmi_fail(PvmNoMem, "%d entries", n);
    fill(s, n, nclasses);
    return 0;
}

int pvm_getmboxinfo(char *pattern, int *nclasses, struct pvmmboxinfo **result)
{
    int rc = pvmi_begin("pvm_getmboxinfo"), n = 0;
    if (rc < 0)
        return rc;
    core_looked_long();
    struct seen *s = malloc(PVMI_ENTRIES * sizeof *s);
    if (!s)
        return pvmi_fail(PvmNoMem, "the list of entries");
    rc = list(pattern, s, &n);
    free(s);
    if (rc < 0)
        return rc;
    if (nclasses)
        *nclasses = n;
    if (result)
        *result = pvmi.mbox.listed.classes;
    return 0;
}

/* --------------------------------------------------------------- PVM 3.2 -- */

/* index -1: the next free one. Returns the index; one that is taken is denied to all. */
int pvm_insert(char *name, int index, int data)
{
    struct pvmi_put how = {
        .flags = PvmMboxPersistent | PvmMboxMultiInstance, .index = index < 0 ? 0 : index, .only_new = index >= 0};
    int rc = pvmi_begin("pvm_insert");
    struct pvmi_msg *m;
    if (rc < 0)
        return rc;
    if (index < -1)
        return pvmi_fail(PvmBadParam, "index is %d", index);
    m = pvmi_msg_new(PvmDataDefault);
    rc = m ? pvmi_pack(m, PVM_INT, &data, 1, 1) : PvmNoMem;
    rc = rc < 0 ? pvmi_fail(rc, "entry \"%s\"", name ? name : "") : pvmi_mbox_put(name, m, how);
    pvmi_msg_free(m);
    return rc;
}

/* index -1: the first there is. Returns the index. */
int pvm_lookup(char *name, int index, int *data)
{
    int rc = pvmi_begin("pvm_lookup"), found, value;
    struct pvmi_msg *m;
    if (rc < 0)
        return rc;
    rc =
        index == -1 ? pvmi_mbox_get(name, 0, PvmMboxFirstAvail, &m, &found) : pvmi_mbox_get(name, index, 0, &m, &found);
    if (rc < 0)
        return rc;
    rc = pvmi_unpack(m, PVM_INT, &value, 1, 1);
    pvmi_msg_free(m);
    if (rc < 0)
        return pvmi_fail(rc, "entry \"%s\" is no number", name);
    if (data)
        *data = value;
    return found;
}

int pvm_delete(char *name, int index)
{
    int rc = pvmi_begin("pvm_delete");
    return rc < 0 ? rc : pvmi_mbox_delete(name, index);
}
