/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: the source of a nonblocking put must stay as it is until the put is complete. What it was is known by a sum,
 * and compared when a call completes the put. Before that other PEs may have told this one that their data has come,
 * by memory that it waits for or reads: then nothing is said, as it may well reuse the source.
 */
#include "core/check/landing.h"
#include "core/check/memory.h"
#include "shmem/check.h"
#include "shmem/found.h"

enum { SUMMED = 64 << 10 };

static struct shmemi_pending *const pending = &shmemi.found.pending;

void shmemi_pending_put(const struct core_flow *flow, const void *source, size_t n, const void *dest, int pe,
                        const char *where)
{
    struct shmemi_put p = {flow, where, source, n < SUMMED ? n : SUMMED, n, core_race_noted(where), 0, false};
    struct core_memory_pages pages = {0};
    bool read_here = core_addr(pe, dest) != NULL; /* the put itself needs it to be there */
    uintptr_t d = (uintptr_t)dest, s = (uintptr_t)source;

    if (pe == mpt_fast.me && d < s + n && s < d + n)
        return; /* the put itself changes it */
    if (!core_memory_sum(source, p.summed, read_here ? NULL : &pages, &p.sum))
        return;
    pthread_mutex_lock(&shmemi.found.lock);
    pending->put[pending->n++ % SHMEMI_PENDING] = p;
    pthread_mutex_unlock(&shmemi.found.lock);
}

static void expect(const struct shmemi_put *p)
{
    struct core_landing l = {.lo = (uintptr_t)p->source,
                             .n = p->n,
                             .owner = p->flow,
                             .group = pending,
                             .site = p->site,
                             .kind = CORE_FINDING_INCOMPLETE,
                             .arg = "what it brings",
                             .rule = shmemi_rule(p->where),
                             .advice = "call shmem_quiet before, or use a call that is not _nbi"};

    snprintf(l.call, sizeof l.call, "%s", p->where);
    core_landing_add(&l);
}

/* Of private memory; symmetric memory is the race checker's. */
void shmemi_pending_get(const struct core_flow *flow, const void *dest, size_t n, int pe, const char *where)
{
    struct shmemi_put p = {flow, where, dest, 0, n, 0, 0, true};

    if (pe == mpt_fast.me || core_segment_holds(dest, 1))
        return;
    p.site = core_race_noted(where);
    pthread_mutex_lock(&shmemi.found.lock);
    pending->put[pending->n++ % SHMEMI_PENDING] = p;
    __atomic_store_n(&pending->gets, pending->gets + 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&shmemi.found.lock);
    if (core_landing_on())
        expect(&p);
}

static bool overlaps(const struct shmemi_put *p, const void *at, size_t n)
{
    const uintptr_t a = (uintptr_t)p->source, b = (uintptr_t)at;

    return p->brings && a < b + n && b < a + p->n;
}

static void say_used(const struct shmemi_put *p, const void *source, size_t n, const char *where)
{
    struct core_finding f;

    core_finding_begin(&f, CORE_FINDING_INCOMPLETE, shmemi_rule(p->where),
                       "%s: source=%p (%zu bytes) is what %s brings, which is not complete", where, source, n,
                       p->where);
    core_finding_advise(&f, "call shmem_quiet before, or use a get that is not _nbi");
    core_finding_at(&f, mpt_fast.me, core_race_noted(where), "%s", where);
    core_finding_at(&f, mpt_fast.me, p->site, "%s", p->where);
    core_finding_end(&f);
}

void shmemi_pending_used(const void *source, size_t n, const char *where)
{
    const struct shmemi_put *found = NULL;
    struct shmemi_put p;

    if (__atomic_load_n(&pending->gets, __ATOMIC_RELAXED) == 0)
        return;
    pthread_mutex_lock(&shmemi.found.lock);
    for (size_t i = 0; i < pending->n && i < SHMEMI_PENDING && !found; i++)
        if (overlaps(&pending->put[i], source, n))
            found = &pending->put[i];
    if (found)
        p = *found;
    pthread_mutex_unlock(&shmemi.found.lock);
    if (found)
        say_used(&p, source, n, where);
}

/* What is in memory by now: asked once for the puts of one source to several PEs. */
struct now {
    const void *source;
    size_t summed;
    struct core_memory_pages pages;
    uint64_t sum;
    bool there;
};

static void compare(const struct shmemi_put *p, struct now *now, const char *where)
{
    struct core_finding f;

    if (now->source != p->source || now->summed != p->summed) {
        now->source = p->source;
        now->summed = p->summed;
        now->there = core_memory_sum(p->source, p->summed,
                                     core_segment_holds(p->source, p->summed) ? NULL : &now->pages, &now->sum);
    }
    if (now->there && now->sum == p->sum)
        return;
    core_finding_begin(&f, CORE_FINDING_BUFFER, shmemi_rule(p->where),
                       "%s: source=%p (%zu bytes) was %s before %s completed the put", p->where, p->source, p->n,
                       now->there ? "changed" : "freed", where);
    core_finding_advise(&f, "change it after shmem_quiet, or use a put that is not _nbi");
    core_finding_at(&f, mpt_fast.me, p->site, "%s", p->where);
    core_finding_at(&f, mpt_fast.me, core_race_noted(where), "%s", where);
    core_finding_end(&f);
}

void shmemi_pending_complete(const struct core_flow *flow, const char *where)
{
    struct now now = {0};
    size_t kept = 0, gets = 0, n;

    if (flow)
        core_landing_remove(flow);
    else
        core_landing_remove_all(pending);
    pthread_mutex_lock(&shmemi.found.lock);
    n = pending->n < SHMEMI_PENDING ? pending->n : SHMEMI_PENDING;
    for (size_t i = 0; i < n; i++)
        if (flow && pending->put[i].flow != flow) {
            gets += pending->put[i].brings;
            pending->put[kept++] = pending->put[i];
        } else if (!pending->put[i].brings) {
            compare(&pending->put[i], &now, where);
        }
    pending->n = kept;
    pending->gets = gets;
    pthread_mutex_unlock(&shmemi.found.lock);
}

bool shmemi_pending_any(void)
{
    return __atomic_load_n(&pending->n, __ATOMIC_RELAXED) != 0;
}

void shmemi_pending_forget(void)
{
    pthread_mutex_lock(&shmemi.found.lock);
    pending->n = pending->gets = 0;
    pthread_mutex_unlock(&shmemi.found.lock);
}
