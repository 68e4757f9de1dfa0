/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where output goes to: a queue in front of our stdout or stderr. Writing never
 * blocks, so the launcher goes on supervising while nobody reads.
 */
#ifndef LAUNCH_SINK_H
#define LAUNCH_SINK_H

#include <stdbool.h>
#include <stddef.h>

struct sink {
    int fd, given;  /* the one written to; the one it stands for, STDOUT_FILENO ... */
    char *data;     /* queue: [head, tail) of size bytes */
    size_t head, tail, size;
    bool blocked;   /* until `writable` */
    int error;      /* errno of a failed write; from then on output is dropped */
    enum sink_kind { SINK_PLAIN, SINK_NONBLOCK, SINK_SOCKET, SINK_POLLED } kind;
};

void sink_open(struct sink *s, int fd);
void sink_put(struct sink *s, const void *data, size_t n);
void sink_flush(struct sink *s);

static inline size_t sink_queued(const struct sink *s)
{
    return s->tail - s->head;
}

#endif
