/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Going on after processes have died: what this process knows of the dead,
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

void mpii_ft_begin(void);
void mpii_ft_end(void);

/* Waits and tests ask, with the lock held, outside of handlers: has anybody died since? */
void mpii_ft_look(void);
bool mpii_ft_is_dead(int proc);
static inline bool mpii_ft_dead(int proc)
{
    return MPT_UNLIKELY(mpii_state.ft.on) && mpii_ft_is_dead(proc);
}
void mpii_ft_foreign_died(int proc); /* the connection to a process of another job has broken */
void mpii_ft_made(struct mpii_comm *c); /* a new communicator, or one whose context is known now */

/* The class of what is wrong: of collectives, a send to a process, a receive from a rank (MPI_ANY_SOURCE); MPI_SUCCESS.
 */
int mpii_ft_error(const struct mpii_comm *c);
int mpii_ft_send_error(const struct mpii_comm *c, int proc);
int mpii_ft_recv_error(const struct mpii_comm *c, int source);
static inline bool mpii_ft_class(int error)
{
    return error >= MPIX_ERR_PROC_FAILED && error <= MPIX_ERR_REVOKED;
}
void mpii_ft_look_again(void); /* one that was pending is waited for again */
int mpii_ft_raise(void *object, int error, const char *call)
    __attribute__((cold)); /* in words, on any object with a handler */

/* The failed members of c, both groups of an intercommunicator, in the order in which this process has learnt of them.
 * Their number; procs may be NULL. */
int mpii_ft_failed(const struct mpii_comm *c, int *procs);
void mpii_ft_ack(struct mpii_comm *c, int n);

/* c is in this trouble now; to be followed by: requests and windows learn of what is new. */
void mpii_ft_trouble(struct mpii_comm *c, uint8_t what);
void mpii_ft_tell(void);
void mpii_ft_each_comm(void (*f)(struct mpii_comm *c));
void mpii_ft_each_request(void (*f)(struct mpii_request *r)); /* of a communicator, freed ones too */

#endif
