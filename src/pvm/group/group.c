/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Membership of groups: joining, leaving, who has which instance. There is no
 * group server: the table is shared memory (pvmi_look), a join is a few dozen
 * instructions under its lock.
 */
#include "pvm/group/group.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- the table -- */

static struct pvmi_group copy; /* on nodes without the tables; one call at a time */

static size_t at_group(int i)
{
    return PVMI_AT(groups) + offsetof(struct pvmi_groups, group) + (size_t)i * sizeof(struct pvmi_group);
}

static size_t at_used(int i)
{
    return PVMI_AT(groups) + offsetof(struct pvmi_groups, used) + (size_t)i * sizeof(uint32_t);
}

static const uint32_t *directory(void)
{
    static uint32_t used[PVMI_GROUPS];
    return pvmi_look(at_used(0), sizeof used, used);
}

static uint32_t hash_of(const char *name)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        h = (h ^ *p) * 16777619u;
    return h | 1; /* 0 is no group */
}

/* Of a copy, only the instances that are in use travel, and one more: who joins may take it. */
static size_t bytes_of(const struct pvmi_group *g, size_t item)
{
    return ((size_t)g->high + (g->high < PVMI_TASKS)) * item;
}

static struct pvmi_group *look(int i)
{
    struct pvmi_group *g = pvmi_look(at_group(i), offsetof(struct pvmi_group, member), &copy);
    if (g == &copy) {
        pvmi_look(at_group(i) + offsetof(struct pvmi_group, member), bytes_of(g, sizeof g->member[0]), g->member);
        pvmi_look(at_group(i) + offsetof(struct pvmi_group, ticket), bytes_of(g, sizeof g->ticket[0]), g->ticket);
        g->at = i;
    }
    return g;
}

void pvmi_group_keep(struct pvmi_group *g)
{
    if (g != &copy)
        return;
    pvmi_put(at_group(g->at), offsetof(struct pvmi_group, member), g);
    pvmi_put(at_group(g->at) + offsetof(struct pvmi_group, member), bytes_of(g, sizeof g->member[0]), g->member);
    pvmi_put(at_group(g->at) + offsetof(struct pvmi_group, ticket), bytes_of(g, sizeof g->ticket[0]), g->ticket);
}

struct pvmi_group *pvmi_group_find(const char *name)
{
    uint32_t hash = hash_of(name);
    const uint32_t *used = directory();
    for (int n = 0, i = pvmi.group.last; n <= PVMI_GROUPS; i = n++) {
        if (used[i] != hash)
            continue;
        struct pvmi_group *g = look(i);
        if (strcmp(g->name, name) == 0) {
            pvmi.group.last = i;
            return g;
        }
    }
    return NULL;
}

static void set_used(int i, uint32_t hash)
{
    uint32_t word, *p = pvmi_look(at_used(i), sizeof word, &word);
    *p = hash;
    pvmi_put(at_used(i), sizeof word, p);
}

/* A new group without members; NULL: the table is full. Who leaves clears what it had of `member` and `ticket`. */
static struct pvmi_group *make(const char *name)
{
    const uint32_t *used = directory();
    for (int i = 0; i < PVMI_GROUPS; i++) {
        if (used[i])
            continue;
        struct pvmi_group *g = look(i);
        memset(g, 0, offsetof(struct pvmi_group, member));
        g->at = i;
        g->hash = hash_of(name);
        strcpy(g->name, name);
        set_used(i, g->hash);
        return g;
    }
    return NULL;
}

/* ----------------------------------------------------------- null group -- */

bool pvmi_is_all(const char *group)
{
    return !group || group[0] == '\0';
}

/* Everybody of a stand-alone program, with the PE number as instance. */
static struct pvmi_group *everybody(void)
{
    struct pvmi_group *g = pvmi_group_find("");
    if (g)
        return g;
    g = make("");
    if (!g)
        return NULL;
    g->size = g->high = core_size();
    for (int pe = 0; pe < core_size(); pe++)
        g->member[pe] = pe + 1;
    pvmi_group_keep(g);
    return g;
}

static int check_name(const char *name)
{
    if (pvmi_is_all(name))
        return pvmi.network ? pvmi_fail(PvmNullGroup, "only stand-alone programs have the null group") : 0;
    if (strlen(name) >= PVMI_GROUP_NAME)
        return pvmi_fail(PvmBadParam, "the group's name has %zu characters; %d are possible", strlen(name),
                         PVMI_GROUP_NAME - 1);
    return 0;
}

int pvmi_group_open(const char *name, struct pvmi_group **g)
{
    int rc = check_name(name);
    if (rc < 0)
        return rc;
    pvmi_lock();
    *g = pvmi_is_all(name) ? everybody() : pvmi_group_find(name);
    if (*g)
        return 0;
    pvmi_unlock();
    return pvmi_answer(PvmNoGroup); /* programs ask until there is one */
}

int pvmi_group_inst(const struct pvmi_group *g, int slot)
{
    for (int i = 0; i < g->high; i++)
        if (g->member[i] == slot + 1)
            return i;
    return -1;
}

/* ------------------------------------------------------- joining, leaving -- */

static int join(const char *name)
{
    struct pvmi_group *g = pvmi_group_find(name);
    int inst = 0;
    if (!g && !(g = make(name)))
        return PvmOutOfRes;
    if (pvmi_group_inst(g, pvmi.me) >= 0)
        return PvmDupGroup;
    if (g->frozen)
        return PvmDenied;
    while (inst < g->high && g->member[inst])
        inst++;
    if (inst == g->high)
        g->high++;
    g->member[inst] = pvmi.me + 1;
    g->ticket[inst] = 0;
    g->size++;
    g->lost -= g->lost > 0;
    pvmi_group_keep(g);
    return inst;
}

int pvm_joingroup(char *group)
{
    int rc = pvmi_begin("pvm_joingroup");
    if (rc < 0)
        return rc;
    if (pvmi_is_all(group))
        return pvmi_fail(PvmNullGroup, "no name of a group%s", pvmi.network ? "" : "; all tasks are in the null group");
    if ((rc = check_name(group)) < 0)
        return rc;
    pvmi_lock();
    rc = join(group);
    pvmi_unlock();
    if (rc == PvmOutOfRes)
        return pvmi_fail(rc, "there are %d groups already", PVMI_GROUPS);
    if (rc == PvmDenied)
        return pvmi_fail(rc, "group \"%s\" is frozen", group);
    return rc < 0 ? pvmi_answer(rc) : rc;
}

/* A dead one may have been in the barrier. The free instances at the end are given back last: what a copy
 * says of them must be written, too. */
static void leave(struct pvmi_group *g, int inst, bool died)
{
    g->member[inst] = 0;
    if (g->ticket[inst]) {
        g->waiting--;
        g->ghosts += died && !g->whole;
    }
    g->ticket[inst] = 0;
    g->size--;
    g->lost += died;
    if (g->frozen) {
        g->defunct = 1;
        pvmi_group_release(g, PVMI_DEFUNCT);
    } else
        pvmi_group_fewer(g, died);
    pvmi_group_keep(g);
    while (g->high > 0 && !g->member[g->high - 1])
        g->high--;
    pvmi_group_keep(g);
    if (g->size == 0)
        set_used(g->at, 0);
}

int pvm_lvgroup(char *group)
{
    struct pvmi_group *g;
    int rc = pvmi_begin("pvm_lvgroup"), inst;
    if (rc < 0)
        return rc;
    if (pvmi_is_all(group))
        return pvmi_fail(PvmNullGroup, "no name of a group");
    if ((rc = pvmi_group_open(group, &g)) < 0)
        return rc;
    inst = pvmi_group_inst(g, pvmi.me);
    if (inst >= 0)
        leave(g, inst, false);
    pvmi_unlock();
    pvmi_frozen_drop(group);
    return inst < 0 ? pvmi_answer(PvmNotInGroup) : 0;
}

void pvmi_group_forget(int slot)
{
    uint32_t used[PVMI_GROUPS];
    memcpy(used, directory(), sizeof used);
    for (int i = 0; i < PVMI_GROUPS; i++) {
        if (!used[i])
            continue;
        struct pvmi_group *g = look(i);
        int inst = g->name[0] ? pvmi_group_inst(g, slot) : -1;
        if (inst >= 0)
            leave(g, inst, slot != pvmi.me);
    }
    if (slot == pvmi.me)
        pvmi_frozen_drop(NULL);
}

/* ------------------------------------------------------------- questions -- */

int pvmi_group_slot(const char *name, int instance, int *slot)
{
    const struct pvmi_frozen *f = pvmi_frozen_find(name);
    struct pvmi_group *g;
    int rc;
    if (f) {
        *slot = instance >= 0 && instance < f->n ? pvmi_slot_of(f->tid[instance]) : -1;
        return 0;
    }
    if ((rc = pvmi_group_open(name, &g)) < 0)
        return rc;
    *slot = instance >= 0 && instance < g->high ? g->member[instance] - 1 : -1;
    pvmi_unlock();
    return 0;
}

static int frozen_instance(const struct pvmi_frozen *f, int tid)
{
    for (int i = 0; i < f->n; i++)
        if (f->tid[i] == tid)
            return i;
    return -1;
}

int pvm_gettid(char *group, int instance)
{
    int rc = pvmi_begin("pvm_gettid"), slot;
    if (rc < 0 || (rc = pvmi_group_slot(group, instance, &slot)) < 0)
        return rc;
    if (slot < 0)
        return pvmi_answer(PvmNoInst);
    core_looked(); /* programs ask until it has left, too */
    return pvmi_tid_of(slot);
}

int pvm_getinst(char *group, int tid)
{
    const struct pvmi_frozen *f;
    struct pvmi_group *g;
    int rc = pvmi_begin("pvm_getinst"), slot, inst;
    if (rc < 0)
        return rc;
    slot = pvmi_slot_of(tid);
    if (tid < 0 || (slot < 0 && tid == 0))
        return pvmi_fail(PvmBadParam, "%d is no tid", tid);
    if ((f = pvmi_frozen_find(group)))
        inst = slot < 0 ? -1 : frozen_instance(f, pvmi_tid_of(slot));
    else if ((rc = pvmi_group_open(group, &g)) < 0)
        return rc;
    else {
        inst = slot < 0 ? -1 : pvmi_group_inst(g, slot);
        pvmi_unlock();
    }
    if (inst < 0)
        return pvmi_answer(PvmNotInGroup);
    core_looked();
    return inst;
}

int pvm_gsize(char *group)
{
    struct pvmi_group *g;
    int rc = pvmi_begin("pvm_gsize"), size;
    const struct pvmi_frozen *f = rc < 0 ? NULL : pvmi_frozen_find(group);
    if (f)
        return f->size;
    core_looked(); /* programs ask until all have joined */
    if (rc < 0 || (rc = pvmi_group_open(group, &g)) < 0)
        return rc;
    size = g->size;
    pvmi_unlock();
    return size;
}

/* NULL: no memory. */
static int *frozen_members(const struct pvmi_frozen *f, int *n)
{
    int *slots = malloc(((size_t)f->n + 1) * sizeof *slots);
    for (int i = 0; slots && i < f->n; i++)
        if (pvmi_slot_of(f->tid[i]) >= 0)
            slots[(*n)++] = pvmi_slot_of(f->tid[i]);
    return slots;
}

int pvmi_group_members(const char *name, int **slots, int *n)
{
    const struct pvmi_frozen *f = pvmi_frozen_find(name);
    struct pvmi_group *g;
    int rc;
    *n = 0;
    if (f && (*slots = frozen_members(f, n)))
        return 0;
    if ((rc = pvmi_group_open(name, &g)) < 0)
        return rc;
    *slots = malloc(((size_t)g->high + 1) * sizeof **slots);
    for (int i = 0; *slots && i < g->high; i++)
        if (g->member[i])
            (*slots)[(*n)++] = g->member[i] - 1;
    pvmi_unlock();
    return *slots ? 0 : pvmi_fail(PvmNoMem, "the list of %d members", g->high);
}
