/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Schedules: a collective as a small program of sends, receives, copies and
 * reductions, built once and run by a stepper that never waits. Blocking calls
 * run one and throw it away, nonblocking ones are stepped as progress hooks, persistent
 * ones keep theirs.
 *
 * Steps run in the order in which they were added. Sends and receives are only
 * started; a wait step ends those before it. Between two ranks messages match in
 * the order of the steps, so both sides must add them in the same order.
 */
#ifndef MPI_SCHED_H
#define MPI_SCHED_H

#include "mpi/mpii.h"

/* count elements of a type at an address */
struct mpii_part {
    void *at;
    MPI_Count count;
    struct mpii_type *type;
};

struct mpii_sched;

/* Bits of a tag beside those that count. */
enum { MPII_TAG_PARTS = 1 << 21, MPII_TAG_PERSISTENT = 1 << 30 };

/* Messages go over `comm` with `tag` (lane COLL). NULL: out of memory. */
struct mpii_sched *mpii_sched_new(struct mpii_comm *comm, int tag);
void mpii_sched_free(struct mpii_sched *s); /* not while it is running; NULL is fine */

/* Messages of the steps to come go over this communicator: an intercommunicator or its local one. */
void mpii_sched_over(struct mpii_sched *s, struct mpii_comm *comm);

/* Adding steps. When memory runs out the schedule is spoiled: mpii_sched_spoiled. */
void mpii_sched_send(struct mpii_sched *s, struct mpii_part p, int to);
void mpii_sched_recv(struct mpii_sched *s, struct mpii_part p, int from);
void mpii_sched_copy(struct mpii_sched *s, struct mpii_part to, struct mpii_part from);
/* inout = in op inout, of inout's count and type */
void mpii_sched_reduce(struct mpii_sched *s, struct mpii_op *op, const void *in, struct mpii_part inout);
int mpii_sched_mark(const struct mpii_sched *s); /* the steps so far */
void mpii_sched_wait(struct mpii_sched *s, int mark); /* until the sends and receives before the mark are done */
void mpii_sched_wait_all(struct mpii_sched *s);
/* Members with other amounts of data would take another of two forms: data in one message, or in parts. Messages in
 * parts have tags of their own, and each must be as long as its receiver expects. What does not fit ends the job, for
 * its members would never agree again. Once, before the first step. `where`: name of the call. */
void mpii_sched_in_parts(struct mpii_sched *s, bool parts, const char *where);
/* A function of the builder's own; an error class ends the schedule. */
void mpii_sched_call(struct mpii_sched *s, int (*function)(void *arg), void *arg);

/* Memory that lives as long as the schedule; NULL (and spoiled) when there is none. */
void *mpii_sched_bytes(struct mpii_sched *s, MPI_Count n);
/* Room for count elements of type, as they lie in memory. */
struct mpii_part mpii_sched_room(struct mpii_sched *s, MPI_Count count, struct mpii_type *type);
bool mpii_sched_spoiled(const struct mpii_sched *s);
/* The types and operations of its steps stay until it is freed, whatever the user does. */
void mpii_sched_hold(struct mpii_sched *s);

/* n bytes as a part */
static inline struct mpii_part mpii_part_bytes(void *at, MPI_Count n)
{
    return (struct mpii_part){at, n, &mpii_basic_types[(uintptr_t)MPI_BYTE & 0xff]};
}
static inline MPI_Count mpii_part_size(struct mpii_part p)
{
    return p.count * p.type->size;
}
/* `count` elements of p from element `first` */
static inline struct mpii_part mpii_part_of(struct mpii_part p, MPI_Count first, MPI_Count count)
{
    return (struct mpii_part){(char *)p.at + first * p.type->extent, count, p.type};
}

/* With --check: what it writes is watched as that of this owner (check/watch.h). */
void mpii_sched_watch(struct mpii_sched *s, const void *owner);
const void *mpii_sched_watched(const struct mpii_sched *s); /* NULL: nobody's */

/* Running: rewind, then step until true. */
void mpii_sched_rewind(struct mpii_sched *s);
bool mpii_sched_step(struct mpii_sched *s);
int mpii_sched_error(const struct mpii_sched *s); /* first error class of its messages */
/* Rewind and run to the end, waiting; where: name of the call. Returns the error class. */
int mpii_sched_run(struct mpii_sched *s, const char *where);

#endif
