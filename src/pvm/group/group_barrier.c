/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers of groups, and pvm_freezegroup, which is one. A member that arrives
 * leaves a ticket in the table, the value that its own word (PVMI_WORD_BARRIER)
 * will be given to end its wait; the last one hands them out. So each waits on
 * memory of its own, and a barrier of P tasks on fewer cores costs one scheduling
 * of each. The null group's barrier of everybody is the engine's.
 */
#include "pvm/group/group.h"
#include "pvm/trace.h"

#include <stdlib.h>

#include "coll/coll.h"

enum { OUTCOME = 3 }; /* lowest bits of what a waiter is given, an enum pvmi_outcome; tickets are multiples of 4 */

/* Who is to be released: found under the lock, told without it. */
static struct released {
    int slot;
    uint64_t ticket;
} released[PVMI_TASKS];

static int collect(struct pvmi_group *g)
{
    int n = 0;
    for (int i = 0; i < g->high && n < g->waiting; i++) {
        if (!g->ticket[i])
            continue;
        released[n++] = (struct released){g->member[i] - 1, g->ticket[i]};
        g->ticket[i] = 0;
    }
    g->waiting = g->want = g->freezing = g->whole = g->ghosts = 0;
    return n;
}

static void tell(int n, enum pvmi_outcome how)
{
    for (int i = 0; i < n; i++)
        pvmi_post(released[i].slot, PVMI_WORD_BARRIER, released[i].ticket | how);
}

void pvmi_group_release(struct pvmi_group *g, enum pvmi_outcome how)
{
    tell(collect(g), how);
}

/* One that takes a number of members given takes that many still: others may join. But when a member has died before
 * it came nobody is likely to. */
void pvmi_group_fewer(struct pvmi_group *g, bool died)
{
    if (g->waiting + g->ghosts == 0)
        g->want = g->freezing = g->whole = 0;
    if (!g->whole) {
        if (died && g->waiting > 0 && g->size + g->ghosts < g->want)
            pvmi_group_release(g, PVMI_MEMBER_DIED);
        return;
    }
    g->want = g->size;
    if (g->waiting < g->want)
        return;
    if (g->freezing)
        g->frozen = g->size;
    pvmi_group_release(g, PVMI_ALL_CAME);
}

/* Has this arrival completed it? */
static bool arrive(struct pvmi_group *g, int inst, int count, bool whole, bool freezing, uint64_t ticket)
{
    if (g->want == 0) {
        g->want = count;
        g->freezing = freezing;
        g->whole = whole;
    }
    g->whole = g->whole && whole;
    g->waiting++;
    if (g->waiting + g->ghosts < g->want) {
        g->ticket[inst] = ticket;
        return false;
    }
    if (freezing)
        g->frozen = g->size;
    g->waiting--; /* its own wait does not begin */
    return true;
}

/* Under the lock: may this task arrive? 0 or a code. */
static int check(const struct pvmi_group *g, int inst, int count, bool freezing)
{
    if (g->defunct)
        return PvmNoGroup;
    if (inst < 0)
        return PvmNotInGroup;
    if (freezing && g->frozen)
        return PvmDupGroup;
    if (g->frozen && count > g->size) /* nobody can join */
        return PvmMismatch;
    if (g->want && (g->want != count || g->freezing != freezing))
        return PvmMismatch;
    if (g->lost > 0 && count > g->size + g->ghosts)
        return PvmNoInst;
    return 0;
}

static bool everybodys(const char *name, int count)
{
    return pvmi_is_all(name) && !pvmi.network && (count == -1 || count == core_size());
}

/* Members that died told nobody: found out, they are removed, which may end the wait. */
static void look_after(const char *name)
{
    int n, *slots;
    if (!pvmi.network || pvmi_group_members(name, &slots, &n) < 0)
        return;
    for (int i = 0; i < n; i++)
        pvmi_alive(slots[i]);
    free(slots);
}

static void wait_for_others(const char *name, uint64_t before)
{
    struct core_waiter w;
    core_wait_begin_for(&w, pvmi.call, pvmi_own_word(PVMI_WORD_BARRIER), sizeof(uint64_t));
    while (pvmi_word(PVMI_WORD_BARRIER) == before) {
        core_wait_pause(&w);
        pvmi_machine_check(pvmi.call);
        if (MPT_LIKELY(!pvmi.msg.due && !core_wait_is_long(&w)))
            continue;
        core_wait_end(&w);
        if (core_wait_is_long(&w))
            look_after(name);
        pvmi_attend();
        core_wait_begin_for(&w, pvmi.call, pvmi_own_word(PVMI_WORD_BARRIER), sizeof(uint64_t));
    }
    core_wait_end(&w);
}

static int too_few(const char *name, int count)
{
    return pvmi_fail(PvmNoInst, "a member of group \"%s\" has died; the barrier of %d cannot be complete",
                     name ? name : "", count);
}

/* Wait as one of `count` members (-1: all); freezing: by pvm_freezegroup. */
static int group_barrier(const char *name, int count, bool freezing)
{
    struct pvmi_group *g;
    uint64_t before = pvmi_word(PVMI_WORD_BARRIER), ticket = (pvmi.group.tickets += OUTCOME + 1);
    int rc = pvmi_group_open(name, &g), inst, want, others = 0;
    bool done = false;
    if (rc < 0)
        return rc;
    inst = pvmi_group_inst(g, pvmi.me);
    want = count == -1 ? g->want ? g->want : g->size : count;
    rc = check(g, inst, want, freezing);
    if (rc == 0) {
        done = arrive(g, inst, want, count == -1, freezing, ticket);
        if (done)
            others = collect(g);
        pvmi_group_keep(g);
    }
    pvmi_unlock();
    if (rc == PvmNoInst)
        return too_few(name, count);
    if (rc < 0)
        return pvmi_fail(rc, "group \"%s\", count %d", name ? name : "", count);
    if (done)
        tell(others, PVMI_ALL_CAME);
    else
        wait_for_others(name, before);
    switch (done ? PVMI_ALL_CAME : (enum pvmi_outcome)(pvmi_word(PVMI_WORD_BARRIER) & OUTCOME)) {
    case PVMI_ALL_CAME:
        break;
    case PVMI_DEFUNCT:
        return pvmi_fail(PvmNoGroup, "a member has left the frozen group \"%s\"", name ? name : "");
    case PVMI_MEMBER_DIED:
        return too_few(name, count);
    }
    return 0;
}

int pvm_barrier(char *group, int count)
{
    int rc = pvmi_begin("pvm_barrier");
    PVMI_TRACE(t);
    if (rc < 0)
        return rc;
    if (everybodys(group, count)) {
        t.role = CORE_TRACE_COLLECTIVE;
        t.message = ++pvmi.msg.met;
        coll_init();
        core_quiet_all();
        coll_barrier(COLL_WORLD, "pvm_barrier");
        return 0;
    }
    if (count == 0 || count < -1) /* as measured of the library of old; its page says PvmBadParam */
        return pvmi_fail(PvmMismatch, "count is %d", count);
    return group_barrier(group, count, false);
}

/* It is a member, so the group is there. */
static int frozen_size(const char *name)
{
    struct pvmi_group *g;
    int rc = pvmi_group_open(name, &g);
    if (rc < 0)
        return rc;
    rc = g->frozen;
    if (rc > 0 && !g->defunct)
        pvmi_frozen_keep(g);
    pvmi_unlock();
    return rc;
}

int pvm_freezegroup(char *group, int size)
{
    int rc = pvmi_begin("pvm_freezegroup");
    if (rc < 0)
        return rc;
    if (pvmi_is_all(group))
        return pvmi_fail(PvmNullGroup, "no name of a group");
    if (size < -1 || size == 0)
        return pvmi_fail(PvmBadParam, "size is %d", size);
    if ((rc = group_barrier(group, size, true)) < 0)
        return rc;
    return frozen_size(group);
}
