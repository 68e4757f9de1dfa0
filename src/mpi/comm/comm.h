/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files that make communicators share. A new communicator is made in
 * two steps: its members agree on a context (and who they are), then each makes
 * its object and lets it inherit from the old one.
 */
#ifndef MPI_COMM_H
#define MPI_COMM_H

#include "mpi/comm/group.h"
#include "mpi/mpii.h"

/* -------------------------------------------------------------- context.c -- */

enum { MPII_CONTEXT_WORLD = 1 << 3, MPII_CONTEXT_SELF = 2 << 3 }; /* salt 0: never made by mpii_context_new */

void mpii_contexts_init(void);
/* A context for processes that have no communicator yet (or must not use it):
 * the same for all who compute it from the same data. */
uint64_t mpii_context_meeting(uint64_t seed, const void *data, size_t n);
/* The local intracommunicator's context of an intercommunicator. */
static inline uint64_t mpii_context_local(uint64_t inter)
{
    return inter | 1u << 2;
}
/* The library's own collectives on c are of this call now, for messages only. Of windows and files: mpii_coll_within.
 */
static inline void mpii_comm_name_call(struct mpii_comm *c, const char *call)
{
    if (!c->within)
        c->within_name = call;
    if (c->local)
        c->local->within_name = call;
}
/* One new context that all members of c (intra or inter) learn. Collective. */
int mpii_context_agree(struct mpii_comm *c, uint64_t *context);

/* Tags of lane SETUP: the user's (below), or numbers that count exchanges. */
static inline int mpii_setup_tag(struct mpii_comm *c)
{
    return MPII_SETUP_TAG | (int)(c->setup_count++ & 0x3fffffff);
}

/* ----------------------------------------------------------------- comm.c -- */

/* Checks a call's communicator and output pointer (and stores MPI_COMM_NULL there). */
int mpii_comm_begin(MPI_Comm comm, MPI_Comm *newcomm, struct mpii_comm **c, const char *call);
/* Hands the new object to the user, with old's error handler and session; NULL raises MPI_ERR_NO_MEM on old. */
int mpii_comm_give(struct mpii_comm *old, struct mpii_comm *made, MPI_Comm *newcomm, const char *call);
/* The communicator of a question, and where its answer goes. */
static inline int mpii_comm_asked(MPI_Comm comm, struct mpii_comm **c, const void *out, const char *arg,
                                  const char *call)
{
    MPII_TRY(mpii_check_comm(comm, c, call));
    return mpii_check_pointer(*c, out, arg, call);
}
void mpii_comm_set_handler(struct mpii_comm *c, struct mpii_errhandler *handler); /* takes a reference of its own */

/* ------------------------------------------------------------- comm_dup.c -- */

/* Same groups and topology as c, another context; no attributes, no hints. NULL: out of memory. */
struct mpii_comm *mpii_comm_like(struct mpii_comm *c, uint64_t context);

/* ------------------------------------------------------------ comm_info.c -- */

/* Takes over those hints of `info` that the library knows (MPI_INFO_NULL: none). Raises on c. */
int mpii_comm_hints(struct mpii_comm *c, MPI_Info info, const char *call);

/* ---------------------------------------------------------------- inter.c -- */

/* Two processes exchange messages of n and *their_n bytes; each knows the other's size. */
int mpii_swap(struct mpii_comm *c, int with, int tag, const void *mine, size_t n, void *theirs, size_t their_n);
/* The groups of intercommunicator c, members of both, exchange n bytes of their ranks 0: theirs is
 * what the other side's rank 0 gave, mine then what this side's did. */
int mpii_inter_exchange(struct mpii_comm *c, void *mine, void *theirs, size_t n);
/* As above, ints of different number; *theirs is malloc'ed. `mine` counts on rank 0. */
int mpii_inter_exchange_ints(struct mpii_comm *c, const int *mine, int n, int **theirs, int *their_n);

/* --------------------------------------------------------- comm_meeting.c -- */

/* A passing communicator of processes that call with the same data, without any parent. ids: what
 * all of them call the members of g. NULL: out of memory. */
struct mpii_comm *mpii_meeting(const struct mpii_group *g, const int *ids, uint64_t seed, const void *data, size_t n);

/* ---------------------------------------------------------------- split.c -- */

/* MPI_Comm_split for colors that may also be MPI_UNDEFINED. */
int mpii_split(struct mpii_comm *c, int color, uint64_t kind, int key, MPI_Comm *newcomm, const char *call);

#endif
