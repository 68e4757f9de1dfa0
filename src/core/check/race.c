/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The race checker's memory: behind the job's in the same memfd, sparse as that is.
 */
#include "core/check/race.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/check/race_internal.h"
#include "core/check/watch.h"
#include "core/task/task.h"

enum { KNOWN = 1024 }; /* as in race_site.c */

static bool is_possible(void)
{
    return core_params.check && core_seg->header && !core_seg->open && core_seg->shared && !core_has_network() &&
           core_seg->pes == NULL && core_seg->header->npes == (unsigned)mpt_fast.npes && mpt_fast.npes <= CORE_RACE_PES;
}

static int map(void)
{
    uint64_t from = (core_seg->header->file_size + 4095) & ~(uint64_t)4095;
    size_t control = core_race_control_size(RACE->n);
    uint64_t lines = sizeof(struct core_race_line) / CORE_RACE_LINE * from;
    uint64_t n = control + lines + (from >> CORE_RACE_PAGE_LOG) * sizeof(struct core_race_page);
    struct stat file;
    void **kept = core_task_kept(CORE_TASK_KEEPS_RACES); /* tasks have one address space for all of theirs */
    char *at = core_task_on() ? *kept : NULL;

    if (fstat(core_seg->fd, &file) != 0)
        return -errno;
    if ((uint64_t)file.st_size < from + n && ftruncate(core_seg->fd, (off_t)(from + n)) != 0)
        return -errno;
    if (!at) {
        at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, core_seg->fd, (off_t)from);
        if (at == MAP_FAILED)
            return -errno;
        madvise(at, n, MADV_DONTDUMP);
    }
    if (core_task_on())
        *kept = at;
    RACE->lines = (struct core_race_line *)(at + control);
    RACE->pages = (struct core_race_page *)(at + control + lines);
    RACE->shared = (struct core_race_shared *)at;
    return 0;
}

void core_race_start(void)
{
    int rc;

    if (!is_possible() || RACE->shared)
        return;
    RACE->me = core_seg->idx;
    RACE->n = core_seg->header->npes;
    RACE->slice_pages = core_seg->header->stride >> CORE_RACE_PAGE_LOG;
    RACE->known = mmap(NULL, KNOWN * sizeof *RACE->known, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    rc = RACE->known == MAP_FAILED ? -ENOMEM : map();
    if (rc != 0) {
        core_error("--check: races between PEs are not looked for: no memory for what is known of them: %s",
                   strerror(-rc));
        return;
    }
    RACE->own = core_race_pe(RACE->me);
    if (RACE->own->clock == 0)
        __atomic_store_n(&RACE->own->clock, 1, __ATOMIC_RELAXED);
    RACE->own->instrumented |= mpt_watch.instrumented;
    core_race_watch();
}

/* The memory is made all the same, for the others to know. */
void core_race_blind(void)
{
    RACE->blinded = true;
    core_race_start();
    if (RACE->shared)
        __atomic_store_n(&RACE->shared->off, 1, __ATOMIC_RELAXED);
}

bool core_race_blinded(void)
{
    return RACE->blinded;
}

void core_race_pointed(void)
{
    if (!RACE->shared)
        return;
    __atomic_store_n(&RACE->shared->pointed, 1, __ATOMIC_RELAXED);
    if (!RACE->whole)
        core_watch_add(core_seg->base, core_seg->length);
    RACE->whole = true;
}
