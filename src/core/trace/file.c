/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE's file. What is recorded goes to a ring that is mapped from a second, small file, the tail: what is stored there
 * is the system's from then on, whatever becomes of the PE. The ring has blocks; before one is used again its slots are
 * written to the file of the trace, and cleared. At the end the rest is written, too, and the tail removed; of a PE
 * that was killed it stays, and readers look there. New pages of a mapped file would cost five times as much
 * (docs/adr/0071-clocks-ring-and-readers-of-traces.md).
 *
 * Sums (MPT_STATS) are changed in place to the end: there the file itself is mapped, and grows.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/trace/folder.h"
#include "core/trace/internal.h"

enum {
    RECORD_N = CORE_TRACE_RECORD_N,
    BLOCK_N = 2048, /* slots: 128 KiB */
    RING_N = 4 * BLOCK_N,
    LEAST_N = 16 * BLOCK_N, /* the lowest limit of a file */
    SUMS_N = 4096,         /* slots by which a file of sums grows */
    AT_END = 4 << 20       /* bytes for what is only written at the end */
};

static struct core_trace_state *const trace = &core_state.trace;

/* -------------------------------------------------------------- the files -- */

static int make_file(const char *path, off_t n, int *fd)
{
    int rc;

    unlink(path);
    if ((*fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) < 0)
        return -errno;
    rc = posix_fallocate(*fd, 0, n);
    if (rc == EOPNOTSUPP || rc == EINVAL)
        rc = ftruncate(*fd, n) == 0 ? 0 : errno;
    if (rc != 0)
        close(*fd);
    return -rc;
}

/* Programs close descriptors that they do not know, so the file is opened each time. False: not all was written. */
static bool write_slots(uint64_t first, const struct core_trace_record *from, uint64_t n)
{
    int fd = open(trace->path, O_RDWR | O_CLOEXEC);
    size_t done = 0, all = n * RECORD_N;

    while (fd >= 0 && done < all) {
        ssize_t wrote = pwrite(fd, (const char *)from + done, all - done, (off_t)(first * RECORD_N + done));

        if (wrote > 0)
            done += (size_t)wrote;
        else if (wrote == 0 || errno != EINTR)
            break;
    }
    if (fd >= 0)
        close(fd);
    return done == all;
}

void core_trace_file_write(uint64_t slot, const struct core_trace_record *t)
{
    pthread_mutex_lock(&trace->lock);
    if (!write_slots(slot, t, 1))
        core_trace_header()->dropped++;
    pthread_mutex_unlock(&trace->lock);
}

bool core_trace_file_read(uint64_t slot, struct core_trace_record *t)
{
    int fd;
    bool got;

    pthread_mutex_lock(&trace->lock); /* who writes it now is waited for */
    fd = open(trace->path, O_RDONLY | O_CLOEXEC);
    got = fd >= 0 && pread(fd, t, sizeof *t, (off_t)(slot * RECORD_N)) == (ssize_t)sizeof *t;
    if (fd >= 0)
        close(fd);
    pthread_mutex_unlock(&trace->lock);
    return got;
}

/* --------------------------------------------------------------- the start -- */

static char *tail_path(void)
{
    char *path = NULL;

    return asprintf(&path, "%.*stail", (int)(strlen(trace->path) - strlen("trace")), trace->path) < 0 ? NULL : path;
}

/* n bytes of a file, writable, in pages that are there (before Linux 5.14 the first store to each makes it). */
static void *map_file(int fd, size_t n, bool now)
{
    void *at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);

#ifdef MADV_POPULATE_WRITE
    if (at != MAP_FAILED && now)
        madvise(at, n, MADV_POPULATE_WRITE);
#else
    (void)now;
#endif
    return at == MAP_FAILED ? NULL : at;
}

static int open_sums(int fd)
{
    if (!(trace->slots = map_file(fd, trace->most * RECORD_N, false)))
        return -errno;
    trace->header = (struct core_trace_header *)(void *)trace->slots;
    trace->mask = UINT64_MAX;
    trace->room = SUMS_N;
    return 0;
}

static int open_ring(int fd)
{
    const size_t n = CORE_TRACE_TAIL_AT + RING_N * RECORD_N;
    char *path = tail_path();
    int tail, rc = path ? make_file(path, (off_t)n, &tail) : -ENOMEM;

    free(path);
    if (rc != 0)
        return rc;
    trace->tail = map_file(tail, n, true);
    trace->header = map_file(fd, RECORD_N, true);
    rc = trace->tail && trace->header ? 0 : -errno;
    close(tail);
    if (rc != 0)
        return rc;
    trace->slots = (struct core_trace_record *)(void *)((char *)trace->tail + CORE_TRACE_TAIL_AT);
    trace->mask = RING_N - 1;
    trace->room = RING_N;
    *trace->tail = (struct core_trace_tail){CORE_TRACE_TAIL_MAGIC, RING_N, 1, RING_N};
    return 0;
}

int core_trace_file_open(const char *dir, int pe)
{
    const bool sums = core_trace_counts_only();
    uint64_t limit = core_params.trace_size / RECORD_N;
    int fd, rc;

    if ((size_t)snprintf(trace->path, sizeof trace->path, "%s/pe.%d.trace", dir, pe) >= sizeof trace->path)
        return -ENAMETOOLONG;
    trace->limit = limit < LEAST_N ? LEAST_N : limit / BLOCK_N * BLOCK_N;
    trace->most = trace->limit + AT_END / RECORD_N;
    trace->next = 1;
    if ((rc = make_file(trace->path, sums ? SUMS_N * RECORD_N : RECORD_N, &fd)) != 0)
        return rc;
    rc = sums ? open_sums(fd) : open_ring(fd);
    close(fd);
    return rc;
}

/* --------------------------------------------------------------- more room -- */

/* For whoever holds the lock. False: of a full disk, before anybody writes to what it lacks. */
static bool grow(uint64_t most)
{
    uint64_t room = trace->room, more = room + SUMS_N < most ? room + SUMS_N : most;
    int fd = more > room ? open(trace->path, O_RDWR | O_CLOEXEC) : -1, rc;

    if (fd < 0)
        return false;
    rc = posix_fallocate(fd, (off_t)(room * RECORD_N), (off_t)((more - room) * RECORD_N));
    if (rc == EOPNOTSUPP || rc == EINVAL)
        rc = ftruncate(fd, (off_t)(more * RECORD_N)) == 0 ? 0 : errno;
    close(fd);
    if (rc != 0)
        return false;
    /* model: publish.set */
    __atomic_store_n(&trace->room, more, __ATOMIC_RELEASE);
    return true;
}

/* The slots below `end` are written to the file, and nobody stores to them any more. */
static void write_until(uint64_t end)
{
    uint64_t first = trace->tail->written;

    __atomic_store_n(&trace->low, end, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&trace->holders, __ATOMIC_SEQ_CST) > 0)
        sched_yield();
    while (first < end) {
        uint64_t at = first & trace->mask, n = end - first < RING_N - at ? end - first : RING_N - at;

        if (!write_slots(first, &trace->slots[at], n))
            core_trace_header()->dropped += n;
        first += n;
    }
    __atomic_store_n(&trace->tail->written, end, __ATOMIC_RELEASE);
}

/* The next block of the ring. */
static void turn(void)
{
    const uint64_t room = trace->room;

    write_until(room + BLOCK_N - RING_N);
    memset(&trace->slots[room & trace->mask], 0, BLOCK_N * RECORD_N);
    __atomic_store_n(&trace->tail->room, room + BLOCK_N, __ATOMIC_RELEASE);
    __atomic_store_n(&trace->room, room + BLOCK_N, __ATOMIC_RELEASE);
}

uint64_t core_trace_take_slow(uint64_t n, uint64_t slot, bool at_end)
{
    uint64_t most = at_end ? trace->most : trace->limit;
    bool fits = slot + n <= most;

    pthread_mutex_lock(&trace->lock);
    while (fits && trace->room < slot + n) {
        if (trace->tail)
            turn();
        else
            fits = grow(most);
    }
    if (!fits)
        core_trace_header()->dropped++;
    pthread_mutex_unlock(&trace->lock);
    return fits ? slot : 0;
}

/* ------------------------------------------------------------------ the end -- */

void core_trace_file_sync(void)
{
    int fd;

    pthread_mutex_lock(&trace->lock);
    fd = open(trace->path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && fsync(fd) != 0)
        core_debug("cannot write %s to the disk: %s", trace->path, strerror(errno));
    if (fd >= 0)
        close(fd);
    if (trace->tail)
        msync(trace->tail, CORE_TRACE_TAIL_AT + RING_N * RECORD_N, MS_SYNC);
    pthread_mutex_unlock(&trace->lock);
}

/* Without the end that was not used. */
void core_trace_file_close(void)
{
    uint64_t used = trace->next < trace->room ? trace->next : trace->room;
    char *tail = trace->tail ? tail_path() : NULL;

    pthread_mutex_lock(&trace->lock);
    if (trace->tail)
        write_until(used);
    else if (truncate(trace->path, (off_t)(used * RECORD_N)) != 0)
        core_debug("cannot cut %s: %s", trace->path, strerror(errno));
    if (tail)
        unlink(tail);
    pthread_mutex_unlock(&trace->lock);
    free(tail);
}
