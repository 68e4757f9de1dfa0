/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With MPT_CHECK: who can end a wait in a collective (core/wait/blocked.h). In a barrier all that have not come yet; in
 * others, whose members need not all wait for each other, some member.
 */
#include "coll/blocked.h"

/* Of teams whose members tell it, in memory that all can load. */
static bool tells_who_came(const struct coll_team *t)
{
    return t->slot >= 0 && !t->groups && (t->way == COLL_ON_DISSEMINATION || t->way == COLL_ON_CENTRAL);
}

/* All have come: the end of the barrier is under way. */
static void who_is_missing(const void *team, struct core_wire_blocked_thread *b)
{
    const struct coll_team *t = team;
    bool missing = false;

    core_blocked_all(b);
    for (int r = 0; r < t->size; r++)
        if (__atomic_load_n(&coll_sync_of(t, r)->arrived, __ATOMIC_ACQUIRE) < t->epoch) {
            core_blocked_pe(b, coll_team_pe(t, r));
            missing = true;
        }
    if (!missing)
        core_blocked_free(b);
}

static void any_member(const void *team, struct core_wire_blocked_thread *b)
{
    const struct coll_team *t = team;

    core_blocked_any(b);
    for (int r = 0; r < t->size; r++)
        core_blocked_pe(b, coll_team_pe(t, r));
}

static void any_in_block(const void *block, struct core_wire_blocked_thread *b)
{
    const struct coll_block *n = block;

    core_blocked_any(b);
    for (int i = 0; i < n->size; i++)
        core_blocked_pe(b, n->pes[i]);
}

const struct core_blocked_by *coll_blocked_barrier(struct core_blocked_by *by, const struct coll_team *t)
{
    *by = (struct core_blocked_by){tells_who_came(t) ? who_is_missing : any_member, NULL, t};
    return by;
}

const struct core_blocked_by *coll_blocked_team(struct core_blocked_by *by, const struct coll_team *t)
{
    *by = (struct core_blocked_by){any_member, NULL, t};
    return by;
}

const struct core_blocked_by *coll_blocked_block(struct core_blocked_by *by, const struct coll_block *n)
{
    *by = (struct core_blocked_by){any_in_block, NULL, n};
    return by;
}
