/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: the source of a nonblocking put must stay as it is until the put is complete. What it was is known by a sum,
 * and compared when a call completes the put. Before that other PEs may have told this one that their data has come,
 * by memory that it waits for or reads: then nothing is said, as it may well reuse the source.
 */
#include <sys/uio.h>
#include <unistd.h>

#include "core/base/site.h"
#include "shmem/check.h"
#include "shmem/found.h"

enum { SUMMED = 64 << 10, PIECE = 4096 };

/* By a system call: the memory may be gone, which is as wrong. False: it is. */
static bool sum_of(const void *p, size_t n, uint64_t *sum)
{
    uint64_t piece[PIECE / sizeof(uint64_t)], h = 0x9e3779b97f4a7c15u;

    for (size_t at = 0; at < n; at += PIECE) {
        size_t k = n - at < PIECE ? n - at : PIECE;
        struct iovec to = {piece, k}, from = {(char *)(uintptr_t)p + at, k};

        piece[(k - 1) / sizeof *piece] = 0;
        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)k)
            return false;
        for (size_t i = 0; i < (k + sizeof *piece - 1) / sizeof *piece; i++)
            h = (h ^ piece[i]) * 0xff51afd7ed558ccdu, h ^= h >> 32;
    }
    *sum = h;
    return true;
}

static struct shmemi_pending *const pending = &shmemi.found.pending;

void shmemi_pending_put(const struct core_flow *flow, const void *source, size_t n, const void *dest, int pe,
                        const char *where)
{
    struct shmemi_put p = {flow, where, source, n < SUMMED ? n : SUMMED, n, core_site(), 0};
    uintptr_t d = (uintptr_t)dest, s = (uintptr_t)source;

    if (pe == mpt_fast.me && d < s + n && s < d + n)
        return; /* the put itself changes it */
    if (!sum_of(source, p.summed, &p.sum))
        return;
    pthread_mutex_lock(&shmemi.found.lock);
    pending->put[pending->n++ % SHMEMI_PENDING] = p;
    pthread_mutex_unlock(&shmemi.found.lock);
}

static void compare(const struct shmemi_put *p, const char *where)
{
    struct core_finding f;
    uint64_t sum;
    bool there = sum_of(p->source, p->summed, &sum);

    if (there && sum == p->sum)
        return;
    core_finding_begin(&f, CORE_FINDING_BUFFER, shmemi_rule(p->where),
                       "%s: source=%p (%zu bytes) was %s before %s completed the put", p->where, p->source, p->n,
                       there ? "changed" : "freed", where);
    core_finding_advise(&f, "change it after shmem_quiet, or use a put that is not _nbi");
    core_finding_at(&f, mpt_fast.me, p->site, "%s", p->where);
    core_finding_at(&f, mpt_fast.me, core_site(), "%s", where);
    core_finding_end(&f);
}

void shmemi_pending_complete(const struct core_flow *flow, const char *where)
{
    size_t kept = 0, n;

    pthread_mutex_lock(&shmemi.found.lock);
    n = pending->n < SHMEMI_PENDING ? pending->n : SHMEMI_PENDING;
    for (size_t i = 0; i < n; i++)
        if (flow && pending->put[i].flow != flow)
            pending->put[kept++] = pending->put[i];
        else
            compare(&pending->put[i], where);
    pending->n = kept;
    pthread_mutex_unlock(&shmemi.found.lock);
}

bool shmemi_pending_any(void)
{
    return __atomic_load_n(&pending->n, __ATOMIC_RELAXED) != 0;
}

void shmemi_pending_forget(void)
{
    pthread_mutex_lock(&shmemi.found.lock);
    pending->n = 0;
    pthread_mutex_unlock(&shmemi.found.lock);
}
