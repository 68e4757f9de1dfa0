/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo of the T3E-900 study: one process sends and at once awaits the answer, the other receives and then sends. It
 * goes between two ranks whatever the others do meanwhile.
 */
#ifndef BENCH_MPIJOB_ECHO_H
#define BENCH_MPIJOB_ECHO_H

#include "mpijob.h"

enum mpijob_mode { MPIJOB_STANDARD, MPIJOB_SYNCHRONOUS, MPIJOB_BUFFERED, MPIJOB_MODES };
const char *mpijob_mode_name(enum mpijob_mode mode);

struct mpijob_echo {
    MPI_Comm pair; /* of the two; MPI_COMM_NULL elsewhere */
    int me;        /* in it: 0 sends first */
    enum mpijob_mode mode;
    bench_body *body; /* mpijob_echo, or what is in its place; called with the struct */
    enum bench_cache cache;
    char *out, *in;
    size_t rotates; /* bytes that each of them rotates over */
    struct bench_buffers turn; /* in both */
    size_t extent; /* bytes that a message spans in memory */
    int count;
    MPI_Datatype type;
    long round; /* echoes of this pair, the same on both: what is written anew says which it is of */
};

/* `out` and `in` for messages that span so many bytes, for a set of caches; all bytes are 0. */
void mpijob_echo_room(struct mpijob_echo *e, size_t largest, int caches);
/* The cache and extent of the next case are known. */
void mpijob_echo_case(struct mpijob_echo *e);
/* Of messages of the largest extent: once through all places, if they rotate. */
void mpijob_echo_lap(struct mpijob_echo *e);
/* Room for buffered sends of messages up to so many bytes. */
void mpijob_echo_attach(size_t bytes);
void mpijob_echo_detach(void);
/* A communicator of two ranks of the world in this order; collective. */
void mpijob_echo_pair(struct mpijob_echo *e, int first, int second);
void mpijob_echo_unpair(struct mpijob_echo *e);
/* Echoes, by the two only. */
void mpijob_echo(void *echo, long reps);
/* The same `body` once, of what the buffers hold: whatever the caches, nothing is written anew. */
void mpijob_echo_as_filled(struct mpijob_echo *e);
/* Of bodies: before a message is sent and when it has come, what programs do to it if the case is of written buffers.
 */
static inline void mpijob_echo_compose(const struct mpijob_echo *e, char *out)
{
    if (e->cache == BENCH_WRITTEN)
        bench_fresh_write(out, e->extent, e->me, e->round);
}
static inline void mpijob_echo_consume(const struct mpijob_echo *e, const char *in)
{
    if (e->cache == BENCH_WRITTEN)
        bench_fresh_read(in, e->extent, 1 - e->me, e->round);
}
/* Half the time of an echo, us, on the first; by the two only. */
enum bench_stop mpijob_echo_measure(struct mpijob_echo *e, double budget_ns, struct bench_series *out);

#endif
