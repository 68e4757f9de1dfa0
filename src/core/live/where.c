/* SPDX-License-Identifier: BSD-3-Clause
 *
 * In which calls the PEs of a job that is ended were, in lines for those that were in the same: waits and, with
 * MPT_CHECK, loops of tests, with how often these were in vain.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/live/supervise.h"
#include "core/live/waits.h"

enum { LINES = 8, LATE_MS = 1000 };

/* "0, 2-5, 7": the PEs in `in`, cut where the text is full. */
static void list_pes(const bool *in, unsigned npes, char *text, size_t size)
{
    size_t n = 0;

    text[0] = '\0';
    for (unsigned pe = 0; pe < npes; pe++) {
        unsigned last = pe;

        if (!in[pe])
            continue;
        if (n + 32 > size) {
            snprintf(text + n, size - n, ", ...");
            return;
        }
        while (last + 1 < npes && in[last + 1])
            last++;
        n += (size_t)snprintf(text + n, size - n, last > pe ? "%s%u-%u" : "%s%u", n ? ", " : "", pe, last);
        pe = last;
    }
}

/* The calls of all PEs, in their order. */
struct calls {
    struct core_waits_in *of;
    unsigned n;
};

static bool same_place(const struct core_waits_in *a, const struct core_waits_in *b)
{
    return !a->tests == !b->tests && strcmp(a->call, b->call) == 0 && strcmp(a->site, b->site) == 0 &&
           strcmp(a->miss, b->miss) == 0;
}

/* Notes the PEs that are where this one is, and takes their calls away; the least of what their loops have done. How
 * many they are. */
static unsigned take_same(struct calls *all, struct core_waits_in *place, bool *in)
{
    unsigned count = 0;

    for (unsigned i = 0; i < all->n; i++) {
        struct core_waits_in *c = &all->of[i];

        if (!c->call[0] || !same_place(c, place))
            continue;
        place->tests = c->tests < place->tests ? c->tests : place->tests;
        place->ms = c->ms < place->ms ? c->ms : place->ms;
        place->ago_ms = c->ago_ms < place->ago_ms ? c->ago_ms : place->ago_ms;
        count += !in[c->pe];
        in[c->pe] = true;
        c->call[0] = '\0';
    }
    return count;
}

/* ", in vain 1200 times in 2.1 s" */
static void say_often(const struct core_waits_in *place, bool several, char *text, size_t size)
{
    size_t n;

    text[0] = '\0';
    if (!place->tests)
        return;
    n = (size_t)snprintf(text, size, ", %s%llu times in vain in %.1f s", several ? "each at least " : "",
                         (unsigned long long)place->tests, (double)place->ms / 1e3);
    if (place->ago_ms > LATE_MS)
        snprintf(text + n, size - n, ", the last %.1f s ago", (double)place->ago_ms / 1e3);
}

static void say_place(struct core_watch *w, const bool *in, unsigned count, const struct core_waits_in *place)
{
    char pes[160], often[96];

    list_pes(in, w->npes, pes, sizeof pes);
    say_often(place, count > 1, often, sizeof often);
    core_watch_say(w, "PE%s %s w%s %s %s%s%s%s%s", count > 1 ? "s" : "", pes, count > 1 ? "ere" : "as",
                   place->tests ? "looping over" : "waiting in", place->call, often, place->site[0] ? " [" : "",
                   place->site, place->site[0] ? "]" : "");
    if (place->miss[0])
        core_watch_say(w, "  %s", place->miss);
}

static void say_all(struct core_watch *w, struct calls *all, bool *in)
{
    unsigned lines = 0, rest = 0;

    for (unsigned i = 0; i < all->n; i++) {
        struct core_waits_in place = all->of[i];
        unsigned count;

        if (!place.call[0])
            continue;
        memset(in, 0, w->npes * sizeof *in);
        count = take_same(all, &place, in);
        if (lines++ < LINES)
            say_place(w, in, count, &place);
        else
            rest += count;
    }
    if (rest)
        core_watch_say(w, "%u more PEs were waiting in other calls", rest);
}

static void say(struct core_watch *w, bool waits)
{
    struct calls all = {calloc(2 * w->npes + CORE_WAITS_MAX, sizeof *all.of), 0};
    bool *in = calloc(w->npes, sizeof *in);
    struct core_waits_in of[CORE_WAITS_MAX];

    for (unsigned pe = 0; all.of && in && pe < w->npes; pe++) {
        unsigned n = core_waits_read(w, pe, of);

        for (unsigned i = 0; i < n && all.n < 2 * w->npes + CORE_WAITS_MAX; i++)
            if (waits || of[i].tests)
                all.of[all.n++] = of[i];
    }
    if (all.of && in)
        say_all(w, &all, in);
    free(all.of);
    free(in);
}

void core_watch_say_where(struct core_watch *w)
{
    core_waits_ask(w);
    say(w, true);
}

void core_watch_say_where_now(struct core_watch *w)
{
    say(w, true);
}

void core_watch_say_loops(struct core_watch *w)
{
    say(w, false);
}
