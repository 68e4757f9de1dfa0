/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two ways of asynchronous transfers behind one face. A slot is busy from submit until somebody waited for it.
 */
#define _GNU_SOURCE 1
#include "engine.h"

#include <aio.h>
#include <errno.h>
#include <string.h>
#ifdef IO_URING
#include <liburing.h>
#endif

static struct {
    bool busy, done;
    size_t bytes;
    ssize_t result; /* negative: errno */
    struct aiocb control;
} slots[MOST_SLOTS];

#ifdef IO_URING
static struct io_uring ring;
#endif
static bool by_ring;

const char *engine_start(int n, bool threads)
{
    memset(slots, 0, sizeof slots);
    by_ring = false;
#ifdef IO_URING
    by_ring = !threads && io_uring_queue_init((unsigned)n, &ring, 0) == 0;
#endif
    (void)n;
    (void)threads;
    return by_ring ? "io_uring" : "threads";
}

void engine_stop(void)
{
#ifdef IO_URING
    if (by_ring)
        io_uring_queue_exit(&ring);
#endif
    by_ring = false;
}

#ifdef IO_URING
static int ring_submit(int slot, int fd, bool writes, void *buffer, size_t bytes, off_t offset)
{
    struct io_uring_sqe *const e = io_uring_get_sqe(&ring);
    int n;

    if (!e) {
        errno = EAGAIN;
        return -1;
    }
    if (writes)
        io_uring_prep_write(e, fd, buffer, (unsigned)bytes, (unsigned long long)offset);
    else
        io_uring_prep_read(e, fd, buffer, (unsigned)bytes, (unsigned long long)offset);
    io_uring_sqe_set_data(e, &slots[slot]);
    n = io_uring_submit(&ring);
    if (n == 1)
        return 0;
    errno = n < 0 ? -n : EAGAIN;
    return -1;
}

/* Completions come in any order. */
static int ring_wait(int slot)
{
    while (!slots[slot].done) {
        struct io_uring_cqe *c;
        const int error = io_uring_wait_cqe(&ring, &c);

        if (error == -EINTR)
            continue;
        if (error) {
            errno = -error;
            return -1;
        }
        for (int i = 0; i < MOST_SLOTS; i++)
            if (io_uring_cqe_get_data(c) == &slots[i]) {
                slots[i].result = c->res;
                slots[i].done = true;
            }
        io_uring_cqe_seen(&ring, c);
    }
    return 0;
}
#endif

static int thread_submit(int slot, int fd, bool writes, void *buffer, size_t bytes, off_t offset)
{
    slots[slot].control =
        (struct aiocb){.aio_fildes = fd, .aio_buf = buffer, .aio_nbytes = bytes, .aio_offset = offset};
    return writes ? aio_write(&slots[slot].control) : aio_read(&slots[slot].control);
}

static int thread_wait(int slot)
{
    const struct aiocb *const list[] = {&slots[slot].control};
    int error;

    while ((error = aio_error(&slots[slot].control)) == EINPROGRESS)
        if (aio_suspend(list, 1, NULL) && errno != EINTR && errno != EAGAIN)
            return -1;
    slots[slot].result = error ? -error : aio_return(&slots[slot].control);
    return 0;
}

int engine_submit(int slot, int fd, bool writes, void *buffer, size_t bytes, off_t offset)
{
    slots[slot].busy = true;
    slots[slot].done = false;
    slots[slot].bytes = bytes;
#ifdef IO_URING
    if (by_ring)
        return ring_submit(slot, fd, writes, buffer, bytes, offset);
#endif
    return thread_submit(slot, fd, writes, buffer, bytes, offset);
}

int engine_wait(int slot)
{
    if (!slots[slot].busy)
        return 0;
    slots[slot].busy = false;
#ifdef IO_URING
    if (by_ring && ring_wait(slot))
        return -1;
#endif
    if (!by_ring && thread_wait(slot))
        return -1;
    if (slots[slot].result == (ssize_t)slots[slot].bytes)
        return 0;
    errno = slots[slot].result < 0 ? (int)-slots[slot].result : EIO;
    return -1;
}
