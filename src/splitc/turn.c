/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls are made by all PEs in one order. Each says in its own memory which call it makes, before the
 * barrier that the call is or contains; after it, calls that allocate, reduce or broadcast look at what the next PE has
 * said. barrier() and all_store_sync() only say so, and compare with MPT_CHECK=1.
 *
 * There are two records, used in turn: nobody is two calls ahead of whoever still compares.
 */
#include "splitc/splitci.h"

struct sc_place sc_place;

/* Names of calls are the library's, which lies elsewhere in each process, but is the same. */
static const char anchor[] = "";

void splitci_turn(const char *call, const char *name, size_t bytes)
{
    struct splitci_turn *own = &splitci.shared->turn[++splitci.turns & 1];

    own->number = splitci.turns;
    own->call = (intptr_t)call - (intptr_t)anchor;
    own->bytes = bytes;
    own->name = splitci_constant(name) ? name : NULL;
    own->file = splitci_constant(sc_place.file) ? sc_place.file : NULL;
    own->line = sc_place.line;
    sc_place.file = NULL; /* said anew before the next one, if that is known */
}

static bool same_turn(const struct splitci_turn *a, const struct splitci_turn *b)
{
    return a->number == b->number && a->call == b->call && a->bytes == b->bytes;
}

static void describe(char *text, size_t n, const struct splitci_turn *t)
{
    int at = snprintf(text, n, "%s", (const char *)((intptr_t)anchor + t->call));

    if (t->name && at < (int)n)
        at += snprintf(text + at, n - (size_t)at, " %s[]", t->name);
    if (t->bytes && at < (int)n)
        at += snprintf(text + at, n - (size_t)at, " of %zu bytes", t->bytes);
    if (t->file && at < (int)n)
        snprintf(text + at, n - (size_t)at, " (%s:%d)", t->file, t->line);
}

static void place(struct core_finding *f, int pe, const struct splitci_turn *t, const char *call)
{
    char site[CORE_FINDING_SITE] = "";

    if (t && t->file)
        snprintf(site, sizeof site, "%s:%d", t->file, t->line);
    if (pe == core_me() && !site[0])
        core_finding_at(f, pe, core_site(), "%s", call);
    else
        core_finding_at_text(f, pe, site, "%s", call);
}

/* Ends the job. */
static void find(const struct splitci_turn *own, const struct splitci_turn *theirs, int pe, const char *mine,
                 const char *other)
{
    struct core_finding f;

    core_finding_begin(&f, CORE_FINDING_COLLECTIVE, SPLITCI_RULE, "%s: PE %d is in %s", mine, pe, other);
    place(&f, core_me(), own, mine);
    place(&f, pe, theirs->number == own->number ? theirs : NULL, other);
    core_finding_end(&f);
    core_finding_stop();
}

void splitci_turn_compare(void)
{
    const struct splitci_turn *own = &splitci.shared->turn[splitci.turns & 1];
    struct splitci_turn theirs;
    int next = (core_me() + 1) % core_size();
    char mine[200], other[200] = "another call";

    if (next == core_me())
        return;
    core_get(&splitci.flow, next, &theirs, own, sizeof theirs);
    if (MPT_LIKELY(same_turn(own, &theirs)))
        return;
    describe(mine, sizeof mine, own);
    if (theirs.number == own->number)
        describe(other, sizeof other, &theirs);
    core_job_be_first();
    if (core_params.check)
        find(own, &theirs, next, mine, other);
    core_fatal("%s: PE %d is in it, but PE %d in %s; all PEs make the collective calls of Split-C in the same order",
               mine, core_me(), next, other);
}
