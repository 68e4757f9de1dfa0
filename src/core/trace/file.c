/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE's file, mapped: what is stored there is the system's from then on, whatever becomes of the PE. All of it is
 * mapped at once; the file grows in steps, whose pages are made before they are written to, and a step that is full
 * leaves the PE's memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/trace/folder.h"
#include "core/trace/internal.h"

enum {
    STEP = 4 << 20, /* bytes */
    STEP_N = STEP / CORE_TRACE_RECORD_N,
    SUMS_N = 4096, /* slots, where only sums are kept */
    AT_END = 4 << 20 /* for what is only written at the end */
};

static struct core_trace_state *const trace = &core_state.trace;

/* Slots by which the file grows. */
static uint64_t step(void)
{
    return core_trace_counts_only() ? SUMS_N : STEP_N;
}

/* From `have` slots to `slots`. 0 or a negative errno: of a full disk, before anybody writes to what it lacks. */
static int grow_file(uint64_t have, uint64_t slots)
{
    off_t from = (off_t)(have * CORE_TRACE_RECORD_N), n = (off_t)(slots * CORE_TRACE_RECORD_N);
    int fd = open(trace->path, O_RDWR | O_CLOEXEC), rc;

    if (fd < 0)
        return -errno;
    rc = posix_fallocate(fd, from, n - from);
    if (rc == EOPNOTSUPP || rc == EINVAL)
        rc = ftruncate(fd, n) == 0 ? 0 : errno;
    close(fd);
    return -rc;
}

/* Writable pages; where the kernel cannot make them (before 5.14) the first store to each does. */
static void make_pages(uint64_t from, uint64_t to)
{
#ifdef MADV_POPULATE_WRITE
    madvise(&trace->slots[from], (to - from) * CORE_TRACE_RECORD_N, MADV_POPULATE_WRITE);
#else
    (void)from, (void)to;
#endif
}

int core_trace_file_open(const char *dir, int pe)
{
    uint64_t limit = core_params.trace_size / CORE_TRACE_RECORD_N;
    void *at;
    int fd, rc;

    if ((size_t)snprintf(trace->path, sizeof trace->path, "%s/pe.%d.trace", dir, pe) >= sizeof trace->path)
        return -ENAMETOOLONG;
    trace->limit = limit < STEP_N ? STEP_N : limit / STEP_N * STEP_N;
    trace->most = trace->limit + AT_END / CORE_TRACE_RECORD_N;
    unlink(trace->path);
    if ((fd = open(trace->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) < 0)
        return -errno;
    if ((rc = grow_file(0, step())) == 0) {
        at = mmap(NULL, trace->most * CORE_TRACE_RECORD_N, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
        if (at == MAP_FAILED)
            rc = -errno;
        else
            trace->slots = at;
    }
    close(fd);
    if (rc != 0)
        return rc;
    make_pages(0, step());
    trace->room = step();
    trace->next = 1;
    return 0;
}

/* One step more than there is, for whoever holds the lock. */
static bool grow(uint64_t most)
{
    uint64_t room = trace->room, more = room + step() < most ? room + step() : most;

    if (more <= room || grow_file(room, more) != 0)
        return false;
    make_pages(room, more);
    if (room >= 2 * STEP_N && !trace->sums) /* calls that are still open there find their page again */
        madvise(&trace->slots[room - 2 * STEP_N], STEP, MADV_DONTNEED);
    /* model: publish.set */
    __atomic_store_n(&trace->room, more, __ATOMIC_RELEASE);
    return true;
}

uint64_t core_trace_take_slow(uint64_t n, uint64_t slot, bool at_end)
{
    uint64_t most = at_end ? trace->most : trace->limit;
    bool fits = slot + n <= trace->most && slot + n <= most;

    pthread_mutex_lock(&trace->lock);
    while (fits && trace->room < slot + n)
        fits = grow(most);
    if (!fits)
        core_trace_header()->dropped++;
    pthread_mutex_unlock(&trace->lock);
    return fits ? slot : 0;
}

/* Without the end that was not used. */
void core_trace_file_close(void)
{
    uint64_t used = trace->next < trace->room ? trace->next : trace->room;

    if (truncate(trace->path, (off_t)(used * CORE_TRACE_RECORD_N)) != 0)
        core_debug("cannot cut %s: %s", trace->path, strerror(errno));
}
