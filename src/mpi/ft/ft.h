/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Going on after processes have died (User-Level Failure Mitigation): what this process knows of the dead,
 * which communicators are in trouble, and what that means for their calls. In jobs that are not started so
 * nobody is ever known to be dead; a communicator may still be revoked.
 */
#ifndef MPI_FT_H
#define MPI_FT_H

#include "mpi/mpii.h"

/* Why calls on a communicator cannot go their usual ways (c->trouble). */
enum mpii_trouble {
    MPII_REVOKED = 1, /* MPIX_Comm_revoke */
    MPII_FAILED = 2,  /* a member is dead: collectives can't be carried out any more */
    MPII_UNACKED = 4, /* so is one who might have sent here, and MPIX_Comm_failure_ack was not called since */
};

extern bool mpii_ft_on; /* from the start in such jobs; else from the first revocation or agreement on */
void mpii_ft_start(void);
void mpii_ft_finish(void);

/* By waits and tests, with the lock held, outside of handlers: who has died since? */
void mpii_ft_look(void);
bool mpii_ft_is_dead(int proc);
static inline bool mpii_ft_dead(int proc) { return MPT_UNLIKELY(mpii_ft_on) && mpii_ft_is_dead(proc); }
void mpii_ft_foreign_died(int proc); /* the connection to a process of another job has broken */
void mpii_ft_made(struct mpii_comm *c); /* a new communicator, or one whose context is known now */

/* The class of what is wrong: of collectives, a send to a process, a receive from a rank (MPI_ANY_SOURCE); MPI_SUCCESS. */
int mpii_ft_error(const struct mpii_comm *c);
int mpii_ft_send_error(const struct mpii_comm *c, int proc);
int mpii_ft_recv_error(const struct mpii_comm *c, int source);
static inline bool mpii_ft_class(int error) { return error >= MPIX_ERR_PROC_FAILED && error <= MPIX_ERR_REVOKED; }
void mpii_ft_look_again(void); /* one that was pending is waited for again */
int mpii_ft_raise(void *object, int error, const char *call) __attribute__((cold)); /* in words, on any object with a handler */

/* The failed members of c, both groups of an intercommunicator, in the order in which this process has learnt of them.
 * Their number; procs may be NULL. */
int mpii_ft_failed(const struct mpii_comm *c, int *procs);
/* At most so many of them as a group that the user gets. */
int mpii_ft_group(void *object, const struct mpii_comm *c, int most, MPI_Group *group, const char *call);
void mpii_ft_ack(struct mpii_comm *c, int n);
void mpii_ft_revoke(struct mpii_comm *c);
void mpii_ft_windows(void); /* ft_objects.c: their communicators may be in trouble now */

/* ----------------------------------------------------- agreement (ft_agree.c) --
 * All members that live decide the same, also when others, who may have decided already, die meanwhile. */
struct mpii_agreement;
struct mpii_agreed {
    int32_t flag;     /* & of what all gave */
    int32_t error;    /* MPIX_ERR_PROC_FAILED: somebody has failed whom not all have acknowledged */
    uint64_t context; /* for a communicator of those that live */
    const unsigned char *failed; /* a byte for each of members() */
};
/* NULL: out of memory. */
struct mpii_agreement *mpii_agree_start(struct mpii_comm *c, int flag);
bool mpii_agree_done(const struct mpii_agreement *a);
/* The order is the same everywhere: of an intercommunicator the first side's members and then the other's. */
int mpii_agree_members(const struct mpii_comm *c, int *procs);
struct mpii_agreed mpii_agree_result(const struct mpii_agreement *a); /* valid until it is released */
void mpii_agree_release(struct mpii_agreement *a);
void mpii_agree_news(void); /* some process is dead */
void mpii_agree_finish(void);

#endif
