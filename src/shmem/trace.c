/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See trace.h.
 */
#include "shmem/trace.h"

#include <stdlib.h>
#include <string.h>

#include "shmem/check.h"

void shmemi_note_caller(const void *from, const char *where)
{
    core_race_enter(from, where);
    core_trace_enter(from);
}

enum { NUMBERED = 1024 }; /* groups whose collectives are numbered */

void shmemi_trace_put(struct core_trace_record *t, int pe, const void *dest, const void *source, size_t n)
{
    t->role |= CORE_TRACE_STORES;
    t->peer = pe;
    t->bytes = n;
    t->message = core_trace_address(dest);
    if (source && n <= sizeof t->value)
        memcpy(&t->value, source, n);
}

void shmemi_trace_get(struct core_trace_record *t, int pe, const void *source, size_t n)
{
    t->role |= CORE_TRACE_LOADS;
    t->peer = pe;
    t->bytes = n;
    t->message = core_trace_address(source);
}

void shmemi_trace_atomic(struct core_trace_record *t, int pe, const void *object, struct core_amo amo, bool fetches)
{
    t->role =
        (uint8_t)(t->role | (amo.op == CORE_AMO_FETCH ? 0 : CORE_TRACE_STORES) | (fetches ? CORE_TRACE_LOADS : 0));
    t->peer = pe;
    t->bytes = amo.width;
    t->message = core_trace_address(object);
    t->value = amo.value;
}

void shmemi_trace_signal(struct core_trace_record *t, int pe, size_t n, const uint64_t *sig_addr, uint64_t signal)
{
    t->role |= CORE_TRACE_STORES;
    t->peer = pe;
    t->bytes = n + sizeof *sig_addr;
    t->message = core_trace_address(sig_addr);
    t->value = signal;
}

void shmemi_trace_waited(struct core_trace_record *t, const void *ivar, int64_t value, size_t n)
{
    t->role |= CORE_TRACE_WAITS;
    t->bytes = n;
    t->message = core_trace_address(ivar);
    t->value = (uint64_t)value;
}

void shmemi_trace_tested(const char *where, const void *ivar, int64_t value, size_t n)
{
    SHMEMI_TRACE(t, where);
    shmemi_trace_waited(&t, ivar, value, n);
}

/* ------------------------------------------------------------------ together -- */

/* The same at all members, whenever the team was made: teams of the same PEs count as one group, whose calls all
 * members make in the same order. */
static uint64_t key_of(struct coll_team *team)
{
    return UINT64_C(1) << 63 | (uint64_t)coll_team_pe(team, 0) << 42 |
           (uint64_t)(team->size > 1 ? coll_team_pe(team, 1) - coll_team_pe(team, 0) : 1) << 21 | (uint64_t)team->size;
}

static uint32_t group_of(struct coll_team *team)
{
    uint32_t group = 0;
    int *pes;

    if (shmemi_is_world(team))
        return 0;
    if (!(pes = malloc((size_t)team->size * sizeof *pes)))
        return 0;
    for (int i = 0; i < team->size; i++)
        pes[i] = coll_team_pe(team, i);
    group = core_trace_group(key_of(team), pes, team->size, "team");
    free(pes);
    return group;
}

/* The number of a group's collective on this PE; 0: not known. */
static uint64_t next_of(uint32_t group)
{
    uint64_t *met = __atomic_load_n(&shmemi.met, __ATOMIC_ACQUIRE);

    if (!met && (met = calloc(NUMBERED, sizeof *met))) {
        uint64_t *none = NULL;

        if (!__atomic_compare_exchange_n(&shmemi.met, &none, met, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            free(met); /* another thread's */
            met = none;
        }
    }
    return met && group < NUMBERED ? __atomic_add_fetch(&met[group], 1, __ATOMIC_RELAXED) : 0;
}

void shmemi_trace_together(struct core_trace_record *t, struct coll_team *team, size_t n, int root)
{
    uint32_t group = group_of(team);

    t->role |= CORE_TRACE_COLLECTIVE;
    t->group = group;
    t->bytes = n;
    t->peer = root < 0 ? CORE_TRACE_PEER_NONE : coll_team_pe(team, root);
    if (t->kind != CORE_TRACE_NONE)
        t->message = next_of(group);
}
