/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A deadlock as a finding (knot.h): who waits for whom, each call with its line, and what nearly ended it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check/finding.h"
#include "core/live/knot.h"

enum { NOBODY = -1 };

/* The one PE of the set for which a member waits, or one that has not come; NOBODY: several may end the wait. */
static int waits_for(const struct core_watch *w, unsigned pe)
{
    const struct core_wire_blocked_thread *t = &w->knot->now[pe].of[0];
    int found = NOBODY;

    if (w->knot->now[pe].ended || t->everybody)
        return NOBODY;
    for (unsigned to = 0; to < w->npes && to < CORE_BLOCKED_PES; to++) {
        if (!(t->pes[to / 64] >> to % 64 & 1) || !w->knot->in[to])
            continue;
        if (t->mode == CORE_BLOCKED_ALL && to != pe)
            return (int)to;
        if (found != NOBODY)
            return NOBODY;
        found = (int)to;
    }
    return found;
}

/* The first member that waits for one PE, and on the cycle that begins there, if there is one; NOBODY: no member does.
 */
static int begin_of_chain(const struct core_watch *w)
{
    unsigned pe = 0;
    int at;

    while (pe < w->npes && (!w->knot->in[pe] || waits_for(w, pe) == NOBODY))
        pe++;
    if (pe == w->npes)
        return NOBODY;
    at = (int)pe;
    for (unsigned i = 0; i < w->npes; i++)
        if ((at = waits_for(w, (unsigned)at)) == NOBODY || at == (int)pe)
            return (int)pe;
    return at;
}

/* "PE 0 waits for PE 1, which waits for PE 0", or to the end of the chain; false: nobody waits for one PE alone. */
static bool say_chain(const struct core_watch *w, char *text, size_t size)
{
    enum { LONGEST = 8 };
    int first = begin_of_chain(w), at = first, steps = 0;
    size_t n;

    if (first == NOBODY)
        return false;
    n = (size_t)snprintf(text, size, "PE %d", at);
    do {
        int to = waits_for(w, (unsigned)at);

        if (to == NOBODY)
            break;
        n += (size_t)snprintf(text + n, size - n, "%s waits for %s %d", steps ? ", which" : "",
                              to == at ? "itself, PE" : "PE", to);
        at = to;
    } while (at != first && ++steps < LONGEST);
    if (at != first)
        snprintf(text + n, size - n,
                 steps == LONGEST         ? ", and so on"
                 : w->knot->now[at].ended ? ", which has ended"
                                          : ", which waits for others");
    return true;
}

static bool same(const struct core_wire_blocked_thread *a, const struct core_wire_blocked_thread *b)
{
    return strcmp(a->call, b->call) == 0 && strcmp(a->site, b->site) == 0 && strcmp(a->miss, b->miss) == 0;
}

/* How many of the other members' first threads are in the same place; those are not to be said again. */
static unsigned count_alike(const struct core_watch *w, unsigned pe, bool *said)
{
    unsigned alike = 0;

    for (unsigned q = pe + 1; q < w->npes; q++)
        if (w->knot->in[q] && !said[q] && w->knot->now[q].n == 1 && w->knot->now[pe].n == 1 && !w->knot->now[q].ended &&
            same(&w->knot->now[pe].of[0], &w->knot->now[q].of[0])) {
            said[q] = true;
            alike++;
        }
    return alike;
}

static void add_threads(struct core_finding *f, unsigned pe, const struct core_knot_pe *p, unsigned alike)
{
    for (unsigned i = 0; i < p->n; i++) {
        const struct core_wire_blocked_thread *t = &p->of[i];
        char more[48] = "";

        if (alike)
            snprintf(more, sizeof more, ", and %u other PE%s likewise", alike, alike > 1 ? "s" : "");
        core_finding_at_text(f, (int)pe, t->site, "%s%s", t->call, more);
        if (t->miss[0])
            core_finding_at_text(f, -1, "", "%s", t->miss);
    }
}

static void add_members(struct core_finding *f, const struct core_watch *w, bool *said)
{
    for (unsigned pe = 0; pe < w->npes; pe++) {
        if (!w->knot->in[pe] || said[pe])
            continue;
        if (w->knot->now[pe].ended)
            core_finding_at_text(f, (int)pe, "", "has ended");
        else
            add_threads(f, pe, &w->knot->now[pe], count_alike(w, pe, said));
    }
}

/* PEs that write may be at it: texts end. */
static void close_texts(struct core_watch *w)
{
    for (unsigned pe = 0; pe < w->npes; pe++)
        for (unsigned i = 0; i < CORE_BLOCKED_THREADS; i++) {
            struct core_wire_blocked_thread *t = &w->knot->now[pe].of[i];

            t->call[sizeof t->call - 1] = t->miss[sizeof t->miss - 1] = t->site[sizeof t->site - 1] = '\0';
            if (!t->told) {
                snprintf(t->call, sizeof t->call, "a call");
                t->miss[0] = t->site[0] = '\0';
            }
        }
}

static unsigned count_members(const struct core_watch *w, bool ended)
{
    unsigned n = 0;

    for (unsigned pe = 0; pe < w->npes; pe++)
        n += w->knot->in[pe] && w->knot->now[pe].ended == ended;
    return n;
}

void core_knot_say(struct core_watch *w)
{
    const unsigned waiting = count_members(w, false), others = w->npes - waiting - count_members(w, true);
    bool *said = calloc(w->npes, sizeof *said);
    struct core_finding f;
    char what[320];

    if (!said)
        return;
    close_texts(w);
    if (!say_chain(w, what, sizeof what))
        snprintf(what, sizeof what,
                 others ? "%u PEs wait for each other, and nobody else can end that"
                        : "all %u PEs wait, and nothing is on its way to them",
                 waiting);
    core_finding_begin(&f, CORE_FINDING_DEADLOCK, "", "%s", what);
    add_members(&f, w, said);
    core_finding_end_of(&f, w->header, -1);
    free(said);
}
