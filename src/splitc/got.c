/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: between a get and the sync() that completes it its variable must not be touched. What has come is
 * known by a sum, and compared in sync(): memory that the program has written meanwhile, or whose function has
 * returned, is found then. Reads are not seen. Only gets that are one copy are looked at.
 */
#include "splitc/splitci.h"

enum { SUMMED = 4096 };

static uint64_t sum_of(const void *p, size_t n)
{
    const unsigned char *b = p;
    uint64_t h = 0xcbf29ce484222325ull;

    for (size_t i = 0; i < n; i++)
        h = (h ^ b[i]) * 0x100000001b3ull;
    return h;
}

void splitci_got(const void *to, size_t n, const char *file, int line)
{
    size_t summed = n < SUMMED ? n : SUMMED, kept = 0, known;

    if (!core_arena_holds(to, n) && !core_segment_holds(to, n))
        return; /* memory that may be gone before sync() */
    known = splitci.got.n < SPLITCI_GOT ? splitci.got.n : SPLITCI_GOT;
    for (size_t i = 0; i < known; i++) { /* what this get has overwritten is not compared */
        const struct splitci_get *g = &splitci.got.get[i];

        if ((uintptr_t)g->to + g->n <= (uintptr_t)to || (uintptr_t)to + n <= (uintptr_t)g->to)
            splitci.got.get[kept++] = *g;
    }
    splitci.got.n = kept;
    if (kept < SPLITCI_GOT)
        splitci.got.get[splitci.got.n++] = (struct splitci_get){to, summed, sum_of(to, summed), file, line};
}

static void tell(const struct splitci_get *g)
{
    struct core_finding f;
    char site[CORE_FINDING_SITE];

    snprintf(site, sizeof site, "%s:%d", g->file, g->line);
    core_finding_begin(&f, CORE_FINDING_SPLIT_PHASE, SPLITCI_RULE,
                       "sync: the variable of a get (%zu bytes at %p) was changed before sync()", g->n, g->to);
    core_finding_advise(&f, "call sync() before the variable is used, or read by = instead of :=");
    core_finding_at_text(&f, core_me(), site, "get");
    core_finding_at(&f, core_me(), core_site(), "sync");
    core_finding_end(&f);
}

void splitci_got_all(void)
{
    for (size_t i = 0; i < splitci.got.n; i++)
        if (sum_of(splitci.got.get[i].to, splitci.got.get[i].n) != splitci.got.get[i].sum)
            tell(&splitci.got.get[i]);
    splitci.got.n = 0;
}
