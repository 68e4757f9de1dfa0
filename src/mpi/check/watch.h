/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: the program's memory that operations under way use. An operation is known by its owner: a request; a window
 * and a target; or whatever a blocking call has on its stack.
 *
 *     mpii_watch_add(r, "MPI_Irecv", MPII_WATCH_WRITES, buf, count, t);  // for each of its buffers
 *     mpii_watch_start(r, site); // under way: must not overlap others
 *     mpii_watch_arrives(r);   // the library is about to write: so far nobody may have written
 *     mpii_watch_landed(r);    // it has written: from now on nobody may write
 *     mpii_watch_end(r);       // the program is told that it is complete
 *     mpii_watch_drop(r);      // and will not be started again
 *
 * All of it only with core_params.check, and with the lock held.
 */
#ifndef MPI_CHECK_WATCH_H
#define MPI_CHECK_WATCH_H

#include "mpi/check/region.h"

enum mpii_watch_way { MPII_WATCH_READS, MPII_WATCH_WRITES };

struct mpii_win;

struct mpii_watch {
    struct mpii_region region; /* first */
    struct mpii_watch *next; /* in its chain */
    const void *owner;
    const struct mpii_win *win; /* whose calls complete it, too; or NULL */
    int rank; /* target of that */
    uint8_t way;
    bool on;     /* under way */
    bool known;  /* `sum` is what memory should hold */
    bool landed;
    bool said;   /* its defect, or it has another's data by now */
    bool landing; /* loads of it are looked at */
    uint16_t opened; /* messages that are on their way into it now */
    uint64_t sum;
    uintptr_t site; /* of its start */
    const char *call; /* a literal */
    const char *arg;  /* likewise: the argument's name */
};

/* NULL: nothing to watch, or no memory. */
struct mpii_watch *mpii_watch_add(const void *owner, const char *call, enum mpii_watch_way way, const char *arg,
                                  const void *buf, MPI_Count count, struct mpii_type *t);
void mpii_watch_start(const void *owner, uintptr_t site); /* the call's line; 0: to be found out */
void mpii_watch_arrives(const void *owner);
void mpii_watch_landed(const void *owner);
/* Of what the library writes to several times: before and after each. In between nothing is known. */
void mpii_watch_opens(const void *owner);
void mpii_watch_closes(const void *owner);
/* The same as of arrives, landed and end, of one of an owner's buffers, where they come one by one; the last one: it is
 * the program's again. */
void mpii_watch_arrives_at(const void *owner, const void *buf);
void mpii_watch_landed_at(const void *owner, const void *buf);
void mpii_watch_end_at(const void *owner, const void *buf);
void mpii_watch_end(const void *owner);
void mpii_watch_drop(const void *owner);
/* Of a blocking call, whose buffers were added: do they overlap, among themselves or what is under way? Drops them. */
void mpii_watch_pass(const void *owner);

/* One of an owner's, NULL: it has none. */
const struct mpii_watch *mpii_watch_of(const void *owner);

/* A request's: what was added is started with it, here and by the members below, until it is freed. */
void mpii_watch_request(struct mpii_request *r);
void mpii_watch_then(struct mpii_request *r); /* its `then` */
static inline bool mpii_watch_has(const struct mpii_request *r)
{
    return MPT_UNLIKELY(r->then != NULL) && r->then == mpii_watch_then;
}

/* An operation on `rank` of a window, begun by now: until the window's calls complete it, or its request (or NULL)
 * does. done: its data have been read, and what it writes has been written. */
struct mpii_watch_operation {
    const struct mpii_win *win;
    struct mpii_request *request;
    int rank;
    bool done;
    const char *call;
    uintptr_t site;
};
void mpii_watch_one_sided(const struct mpii_watch_operation *op, enum mpii_watch_way way, const char *arg,
                          const void *buf, MPI_Count count, struct mpii_type *t);
void mpii_watch_completed(const struct mpii_win *w, int from, int to); /* of ranks [from, to) */

#endif
