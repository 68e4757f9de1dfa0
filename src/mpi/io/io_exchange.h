/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A collective access under way. Between io_exchange.c, which plans and steps it,
 * and io_round.c, which moves the data of a round.
 */
#ifndef MPI_IO_EXCHANGE_H
#define MPI_IO_EXCHANGE_H

#include "mpi/io/io_window.h"

struct mpii_sched;

enum mpii_io_stage { MEET, ROUND, LISTS, BODIES, REPLIES, VERDICT, DONE };

/* What a member touches of the file. */
struct mpii_io_reach {
    int64_t low, high, bytes, blocks, jumps;
}; /* jumps: not in the order of the stream */

/* One side of what passes between a member and an aggregator in a round. */
struct mpii_io_peer {
    struct mpii_io_list list;
    struct mpii_io_run *more; /* all runs, when the list has no room */
    MPI_Count room;      /* of more */
    char *data;
    bool own;            /* data is ours to free */
    MPI_Offset at;       /* member's: first byte of the access, and how many */
    MPI_Count bytes;
    struct mpii_request *requests[3]; /* list, runs, data */
};

struct mpii_io_exchange {
    struct mpii_io_access *a;
    struct mpii_comm *c;
    enum mpii_io_stage stage;
    struct mpii_sched *meet, *verdict;
    struct mpii_io_reach *reaches; /* of all members */
    struct mpii_io_reach own;
    int64_t worst;            /* class */
    int tag;
    int aggregators;
    MPI_Offset base, end;     /* of the range */
    MPI_Count domain, cb, round, rounds;
    struct mpii_io_peer *to;       /* by aggregator: this member's part */
    struct mpii_io_peer *from;     /* by member: of this aggregator; NULL: is none */
    struct mpii_io_window window;
};

/* Of `tag` and the next ones: what a message is. */
enum mpii_io_kind { IO_LIST, IO_RUNS, IO_DATA, IO_REPLY, IO_KINDS };

/* Memory that must be there: in the middle of an exchange others wait for us. */
void *mpii_io_room(size_t n);
int mpii_io_aggregator_rank(const struct mpii_io_exchange *x, int i);

/* The steps of a round, in order, each when the messages of the one before are there. */
void mpii_io_round_open(struct mpii_io_exchange *x);   /* ask the aggregators; listen as one */
void mpii_io_round_bodies(struct mpii_io_exchange *x); /* as one: get ready for what the lists tell */
void mpii_io_round_serve(struct mpii_io_exchange *x);  /* as one: read or write */
void mpii_io_round_close(struct mpii_io_exchange *x);
bool mpii_io_round_arrived(const struct mpii_io_exchange *x, int first,
                           int last); /* as one: requests first .. last of all members */
bool mpii_io_round_answered(const struct mpii_io_exchange *x);                     /* this member's are done */

#endif
