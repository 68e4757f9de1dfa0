/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: between a get and the sync() that completes it its variable must not be touched. What has come is
 * known by a sum, and compared in sync(): memory that the program has written meanwhile, or whose function has
 * returned, is found then. Reads are not seen. Only gets that are one copy are looked at.
 */
#include <string.h>

#include "core/check/memory.h"
#include "splitc/splitci.h"

enum { SUMMED = 4096, NARROW = 512 /* bytes */, GRANULE = 8 };

static uint64_t sum_of(const void *p, size_t n)
{
    uint64_t sum;

    core_memory_sum(p, n, NULL, &sum);
    return sum;
}

/* Bits that stand for the granules of a variable: two that overlap have one in common. False: none of [at, at + n) is
 * set; then they are set. */
static bool were_marked(uintptr_t at, size_t n)
{
    uint64_t *marks = splitci.got.marks, had = 0;

    for (uintptr_t g = at / GRANULE; g <= (at + n - 1) / GRANULE; g++) {
        uint64_t *word = &marks[g / 64 % SPLITCI_MARKS], bit = (uint64_t)1 << g % 64;

        had |= *word & bit;
        *word |= bit;
    }
    return had != 0;
}

/* Is it certain that nothing known overlaps it? Most gets of a loop go to places one after another. */
static bool is_apart(uintptr_t at, size_t n)
{
    bool outside = at >= splitci.got.high || at + n <= splitci.got.low, narrow = n <= NARROW, marked;

    if (splitci.got.n == 0) {
        memset(splitci.got.marks, 0, sizeof splitci.got.marks);
        splitci.got.wide = false;
        splitci.got.low = UINTPTR_MAX;
        splitci.got.high = 0;
        outside = true;
    }
    marked = narrow && were_marked(at, n);
    outside |= narrow && !marked && !splitci.got.wide;
    splitci.got.wide |= !narrow;
    splitci.got.low = at < splitci.got.low ? at : splitci.got.low;
    splitci.got.high = at + n > splitci.got.high ? at + n : splitci.got.high;
    return outside;
}

/* What a get overwrites is not compared. */
static void forget(uintptr_t at, size_t n)
{
    size_t kept = 0;

    splitci.got.scans++;
    for (size_t i = 0; i < splitci.got.n; i++) {
        const struct splitci_get *g = &splitci.got.get[i];

        if ((uintptr_t)g->to + g->n <= at || at + n <= (uintptr_t)g->to)
            splitci.got.get[kept++] = *g;
    }
    splitci.got.n = kept;
}

void splitci_got(const void *to, size_t n, const char *file, int line)
{
    size_t summed = n < SUMMED ? n : SUMMED;

    if (n == 0 || (!core_arena_holds(to, n) && !core_segment_holds(to, n)))
        return; /* memory that may be gone before sync() */
    if (!is_apart((uintptr_t)to, n))
        forget((uintptr_t)to, n);
    if (splitci.got.n < SPLITCI_GOT)
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
