/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the two groups of an intercommunicator talk while they make another one:
 * their ranks 0 swap messages, then tell their groups. Both send before they
 * receive, so neither waits for the other's turn.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/comm/comm.h"

int mpii_swap(struct mpii_comm *c, int with, int tag, const void *mine, size_t n, void *theirs, size_t their_n)
{
    struct mpii_type *bytes = mpii_type_of(MPI_BYTE);
    struct mpii_request *out, *in;
    int err, sent;

    MPII_TRY(mpii_irecv(theirs, (MPI_Count)their_n, bytes, with, tag, c, MPII_LANE_SETUP, &in));
    err = mpii_isend(mine, (MPI_Count)n, bytes, with, tag, c, MPII_LANE_SETUP, MPII_STANDARD, &out);
    if (err != MPI_SUCCESS)
        return err; /* the receive stays: out of memory, nothing can be done about it */
    err = mpii_request_wait(in, NULL);
    sent = mpii_request_wait(out, NULL);
    return err != MPI_SUCCESS ? err : sent;
}

int mpii_inter_exchange(struct mpii_comm *c, void *mine, void *theirs, size_t n)
{
    const int tag = mpii_setup_tag(c);
    char *both = malloc(2 * n);
    int err = both ? MPI_SUCCESS : MPI_ERR_NO_MEM;

    if (!both)
        return err;
    memcpy(both, mine, n);
    if (c->rank == 0)
        err = mpii_swap(c, 0, tag, both, n, both + n, n);
    if (err == MPI_SUCCESS)
        err = mpii_coll_bcast(c->local, both, 2 * n, 0);
    memcpy(mine, both, n);
    memcpy(theirs, both + n, n);
    free(both);
    return err;
}

int mpii_inter_exchange_ints(struct mpii_comm *c, const int *mine, int n, int **theirs, int *their_n)
{
    int err, tag;
    int *ints;

    MPII_TRY(mpii_inter_exchange(c, &n, their_n, sizeof n));
    tag = mpii_setup_tag(c);
    ints = malloc((size_t)*their_n * sizeof *ints + 1);
    if (!ints)
        return MPI_ERR_NO_MEM;
    err = c->rank == 0 ? mpii_swap(c, 0, tag, mine, (size_t)n * sizeof *mine, ints, (size_t)*their_n * sizeof *ints)
                       : MPI_SUCCESS;
    if (err == MPI_SUCCESS)
        err = mpii_coll_bcast(c->local, ints, (size_t)*their_n * sizeof *ints, 0);
    *theirs = ints;
    if (err == MPI_SUCCESS)
        return err;
    free(ints);
    return err;
}
