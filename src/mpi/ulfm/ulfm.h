/* SPDX-License-Identifier: BSD-3-Clause
 *
 * User-Level Failure Mitigation: revocation, and agreement among those who live.
 */
#ifndef MPI_ULFM_H
#define MPI_ULFM_H

#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

void mpii_ulfm_start(void);
void mpii_ulfm_finish(void);
void mpii_ulfm_made(struct mpii_comm *c); /* mpii_state.ft.above.made */
void mpii_ulfm_revoke(struct mpii_comm *c);
mpii_p2p_control_fn mpii_ulfm_on_revoke; /* P2P_REVOKE */
/* At most so many of the failed members as a group that the user gets. */
int mpii_ulfm_group(void *object, const struct mpii_comm *c, int most, MPI_Group *group, const char *call);

/* ----------------------------------------------------- agreement (agree.c) --
 * All members that live decide the same, also when others, who may have decided already, die meanwhile. */
struct mpii_agreement;
struct mpii_agreed {
    int32_t flag; /* & of what all gave */
    int32_t error; /* MPIX_ERR_PROC_FAILED: somebody has failed whom not all have acknowledged */
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
mpii_p2p_control_fn mpii_agree_on_word; /* P2P_AGREE */

#endif
