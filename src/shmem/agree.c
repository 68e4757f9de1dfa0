/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: the PEs of a team make the same collective calls in the same order, with arguments that agree.
 *
 * Each PE writes what it begins into symmetric memory of its own and looks whether the others have written their call
 * of that number: of two that differ the later one finds it. Nobody waits, so calls synchronise no more than without
 * --check. A record is overwritten RING calls later; then it is not compared, as is one that is being written (its sum
 * is wrong). Teams are told apart by numbers that their members have in common, as their places in the table serve
 * again.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "core/base/site.h"
#include "shmem/check.h"
#include "shmem/found.h"

enum { RING = 4, MANY = 64 /* PEs: of more, only neighbours and the first are looked at */ };

struct record {
    _Alignas(64) uint64_t team, number;
    struct shmemi_same same;
    uint64_t site; /* offset in the program + 1; 0: not known */
    char call[40];
    uint64_t sum; /* of all before */
};

static struct shmemi_agree *const table = &shmemi.found.agree;

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0xff51afd7ed558ccdu;
    return h ^ h >> 29;
}

static uint64_t sum_of(const struct record *r)
{
    uint64_t word, h = 0x9e3779b97f4a7c15u;

    for (size_t at = 0; at < offsetof(struct record, sum); at += sizeof word) {
        memcpy(&word, (const char *)r + at, sizeof word);
        h = mix(h, word);
    }
    return h;
}

void shmemi_agree_start(void)
{
    size_t n = sizeof(struct record) * SHMEMI_AGREE_SLOTS * RING;

    table->ring = core_heap_alloc(n, 0); /* the same on all PEs; NULL: nothing is compared */
    if (table->ring)
        memset(table->ring, 0, n);
    memset(table->slot, 0, sizeof table->slot);
    table->slot[0].team = 1;
}

void shmemi_agree_finish(void)
{
    if (table->ring)
        core_heap_free(table->ring);
    table->ring = NULL;
}

/* ------------------------------------------------------------------- lines --
 * Where a peer's call is: the program lies at another address there, perhaps. */

static uintptr_t program(void)
{
    Dl_info where;

    return dladdr((void *)getauxval(AT_ENTRY), &where) ? (uintptr_t)where.dli_fbase : 0;
}

static uint64_t look_up(uintptr_t site)
{
    Dl_info where;

    return dladdr((void *)site, &where) && (uintptr_t)where.dli_fbase == program()
               ? site - (uintptr_t)where.dli_fbase + 1
               : 0;
}

/* Known of lines that have called before: the loader looks through all symbols. */
static uint64_t site_out(uintptr_t site)
{
    struct shmemi_agree_site *s = &table->site[(site ^ site >> 8) % SHMEMI_AGREE_SITES];
    uint64_t out;

    if (site == 0)
        return 0;
    pthread_mutex_lock(&shmemi.found.lock);
    if (s->site != site)
        *s = (struct shmemi_agree_site){site, look_up(site)};
    out = s->out;
    pthread_mutex_unlock(&shmemi.found.lock);
    return out;
}

static uintptr_t site_in(uint64_t site)
{
    return site ? program() + site - 1 : 0;
}

/* ------------------------------------------------------------------- calls -- */

static void describe(char *text, size_t n, const struct record *r)
{
    const struct shmemi_same *s = &r->same;
    size_t at = (size_t)snprintf(text, n, "%s", r->call);

    if (s->size && at < n)
        at += (size_t)snprintf(text + at, n - at, ", of PEs %d, %d, ... (%d)", s->start, s->start + s->stride, s->size);
    if (s->call == COLL_BROADCAST && at < n)
        at += (size_t)snprintf(text + at, n - at, ", root %ld", (long)s->root);
    if (s->call == SHMEMI_SPLIT_2D && at < n)
        at += (size_t)snprintf(text + at, n - at, ", xrange %ld", (long)s->root);
    if (s->call == SHMEMI_ALLOCATE && s->root && at < n)
        at += (size_t)snprintf(text + at, n - at, ", alignment %ld", (long)s->root);
    if (s->at && at < n)
        at += (size_t)snprintf(text + at, n - at, ", of the block at offset %#lx", (unsigned long)(s->at - 1));
    if (s->n && at < n)
        snprintf(text + at, n - at, ", %lu bytes", (unsigned long)s->n);
}

static bool have_one_in_common(const struct shmemi_same *a, const struct shmemi_same *b)
{
    for (int i = 0; i < a->size; i++) {
        int d = a->start + i * a->stride - b->start;

        for (int j = 0; j < b->size; j++)
            if (d == j * b->stride)
                return true;
    }
    return false;
}

static bool agree(const struct shmemi_same *a, const struct shmemi_same *b)
{
    if (a->call != b->call)
        return false;
    if (a->call == SHMEMI_SPLIT)
        return (a->start == b->start && a->stride == b->stride && a->size == b->size) || !have_one_in_common(a, b);
    return a->n == b->n && a->at == b->at && a->root == b->root && a->type == b->type && a->op == b->op &&
           a->start == b->start && a->stride == b->stride && a->size == b->size;
}

/* Ends the job. */
static void tell(const struct record *own, const struct record *theirs, int pe, const char *where)
{
    char mine[160], other[160];
    struct core_finding f;

    describe(mine, sizeof mine, own);
    describe(other, sizeof other, theirs);
    core_finding_begin(&f, CORE_FINDING_COLLECTIVE, shmemi_rule(where), "%s: PE %d calls %s", mine, pe, other);
    core_finding_at(&f, mpt_fast.me, core_site(), "%s", mine);
    core_finding_at(&f, pe, site_in(theirs->site), "%s", other);
    core_finding_end(&f);
    core_finding_stop();
}

/* ------------------------------------------------------------------- slots -- */

/* Of symmetric memory, by its own address or by that in this PE's slice. */
static uint64_t offset_of(const void *p)
{
    uintptr_t at = (uintptr_t)p, heap = (uintptr_t)core_addr(mpt_fast.me, (void *)mpt_fast.heap_lo);
    uintptr_t data = (uintptr_t)core_addr(mpt_fast.me, (void *)mpt_fast.data_lo);

    if (at - mpt_fast.heap_lo < mpt_fast.heap_len)
        return at - mpt_fast.heap_lo;
    if (at - heap < mpt_fast.heap_len)
        return at - heap;
    return mpt_fast.heap_len + (at - mpt_fast.data_lo < mpt_fast.data_len ? at - mpt_fast.data_lo : at - data);
}

/* An active set is known by its pSync, too. */
static uint64_t team_of_set(const struct coll_team *t)
{
    uint64_t h = mix(2, offset_of(t->words));

    return mix(mix(mix(h, (uint64_t)t->start), (uint64_t)t->stride), (uint64_t)t->size) | 1;
}

/* NULL: not one that is compared. */
static struct shmemi_agree_slot *slot_of(const struct coll_team *t)
{
    struct shmemi_agree_slot *s;
    uint64_t team;

    if (t->slot >= 0)
        return t->slot < SHMEMI_AGREE_TEAMS && table->slot[t->slot].team ? &table->slot[t->slot] : NULL;
    team = team_of_set(t);
    s = &table->slot[SHMEMI_AGREE_TEAMS + team / 2 % (SHMEMI_AGREE_SLOTS - SHMEMI_AGREE_TEAMS)];
    if (!s->team)
        s->team = team;
    return s->team == team ? s : NULL;
}

void shmemi_agree_new(const struct coll_team *t, const struct coll_team *parent)
{
    const struct shmemi_agree_slot *p;

    if (!table->ring || t->slot < 0 || t->slot >= SHMEMI_AGREE_TEAMS)
        return;
    p = slot_of(parent);
    table->slot[t->slot] = (struct shmemi_agree_slot){0};
    if (p)
        table->slot[t->slot].team =
            mix(mix(mix(mix(p->team, p->calls), (uint64_t)t->start), (uint64_t)t->stride), (uint64_t)t->size) | 1;
}

static void look(const struct record *own, int pe, const char *where)
{
    struct record theirs;
    const void *there = core_addr(pe, own);

    if (there)
        memcpy(&theirs, there, sizeof theirs);
    else
        core_get(CORE_FLOW_DEFAULT, pe, &theirs, own, sizeof theirs);
    if (theirs.team != own->team || theirs.number != own->number || theirs.sum != sum_of(&theirs))
        return;
    if (!agree(&own->same, &theirs.same))
        tell(own, &theirs, pe, where);
}

/* All that the PE has under way, which is compared then. */
static bool completes(unsigned call)
{
    return call == COLL_BARRIER || call == SHMEMI_ALLOCATE || call == SHMEMI_RESIZE || call == SHMEMI_FREE ||
           call == SHMEMI_FINALIZE;
}

void shmemi_agree(const struct coll_team *t, struct shmemi_same same, const char *where)
{
    struct shmemi_agree_slot *s;
    struct record r = {.same = same, .site = site_out(core_race_noted(where))}, *own;

    if (!completes(same.call))
        shmemi_pending_forget();
    if (!table->ring || t->size < 2 || !(s = slot_of(t)))
        return;
    r.team = s->team;
    r.number = ++s->calls;
    snprintf(r.call, sizeof r.call, "%s", where);
    r.sum = sum_of(&r);
    own = (struct record *)table->ring + (size_t)(s - table->slot) * RING + r.number % RING;
    *own = r;
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* of two PEs one at least sees the other's */
    for (int i = 1; i < t->size; i++)
        if (t->size <= MANY || i == 1 || i == t->size - 1 || (t->rank + i) % t->size == 0)
            look(own, coll_team_pe(t, (t->rank + i) % t->size), where);
}
