/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one can ask a communicator, without communicating (MPI-5.0, 7.4.1, 7.6.1,
 * 7.8), and its name.
 */
#include "mpi/comm/comm.h"

int mpii_Comm_size(MPI_Comm comm, int *size)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_comm_asked(comm, &c, size, "size", __func__));
    *size = c->size;
    return MPI_SUCCESS;
}

int mpii_Comm_rank(MPI_Comm comm, int *rank)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_comm_asked(comm, &c, rank, "rank", __func__));
    *rank = c->rank;
    return MPI_SUCCESS;
}

int mpii_Comm_test_inter(MPI_Comm comm, int *flag)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_comm_asked(comm, &c, flag, "flag", __func__));
    *flag = c->inter;
    return MPI_SUCCESS;
}

int mpii_Comm_remote_size(MPI_Comm comm, int *size)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_comm_asked(comm, &c, size, "size", __func__));
    if (!c->inter)
        return mpii_error(c, MPI_ERR_COMM, __func__, "comm is an intracommunicator: it has no remote group");
    *size = c->remote->size;
    return MPI_SUCCESS;
}

int mpii_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result)
{
    struct mpii_comm *a, *b;
    int relation, remote;

    MPII_TRY(mpii_check_comm(comm1, &a, __func__));
    MPII_TRY(mpii_check_comm(comm2, &b, __func__));
    MPII_TRY(mpii_check_pointer(a, result, "result", __func__));
    if (a == b || a->inter != b->inter) {
        *result = a == b ? MPI_IDENT : MPI_UNEQUAL;
        return MPI_SUCCESS;
    }
    relation = mpii_group_relation(a->group, b->group);
    remote = a->inter ? mpii_group_relation(a->remote, b->remote) : MPI_IDENT;
    if (relation < 0 || remote < 0)
        return mpii_error(a, MPI_ERR_NO_MEM, __func__, "no memory to compare groups of %d processes", a->nprocs);
    if (relation == MPI_UNEQUAL || remote == MPI_UNEQUAL)
        *result = MPI_UNEQUAL;
    else
        *result = relation == MPI_IDENT && remote == MPI_IDENT ? MPI_CONGRUENT : MPI_SIMILAR;
    return MPI_SUCCESS;
}

int mpii_Comm_set_name(MPI_Comm comm, const char *comm_name)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_comm_asked(comm, &c, comm_name, "comm_name", __func__));
    mpii_name_keep(c->name, comm_name);
    return MPI_SUCCESS;
}

int mpii_Comm_get_name(MPI_Comm comm, char *comm_name, int *resultlen)
{
    struct mpii_comm *c = NULL;

    MPII_TRY(mpii_check_started(__func__));
    if (comm != MPI_COMM_NULL)
        MPII_TRY(mpii_check_comm(comm, &c, __func__));
    return mpii_name_give(c, c ? c->name : "MPI_COMM_NULL", comm_name, "comm_name", resultlen, __func__);
}
