/* SPDX-License-Identifier: BSD-3-Clause */
/* Revocation, agreement and shrinking: what each promises, with and without failures, on intercommunicators, too. */
#include "ft.h"

static void no_failure(void)
{
    MPI_Comm dup, shrunk;
    int flag = mc_rank == 0 ? 0x7e : 0x7f, result;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    OK(MPIX_Comm_agree(dup, &flag));
    CHECK(flag == 0x7e, "flag is %x", (unsigned)flag);
    OK(MPIX_Comm_is_revoked(dup, &flag));
    CHECK(!flag, "it is said to be revoked");
    OK(MPIX_Comm_shrink(dup, &shrunk));
    OK(MPI_Comm_compare(dup, shrunk, &result));
    CHECK(result == MPI_CONGRUENT, "the shrunk one compares as %d", result);
    OK(MPI_Barrier(shrunk));
    OK(MPI_Comm_free(&shrunk));
    OK(MPI_Comm_free(&dup));
}

/* Everybody is in something that only the revocation ends. */
static void revoked(void)
{
    MPI_Request requests[3];
    MPI_Comm dup, shrunk;
    int room[2], flag = 0, sum = 0, one = 1, n;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    OK(MPI_Irecv(&room[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, dup, &requests[0]));
    OK(MPI_Irecv(&room[1], 1, MPI_INT, (mc_rank + 1) % mc_size, 2, dup, &requests[1]));
    OK(MPI_Issend(&one, 1, MPI_INT, (mc_rank + 1) % mc_size, 3, dup, &requests[2]));
    if (mc_rank == mc_size / 2) {
        usleep(20000);
        OK(MPIX_Comm_revoke(dup));
    }
    for (int i = 0; i < 3; i++)
        FAILS(MPI_Wait(&requests[i], MPI_STATUS_IGNORE), MPIX_ERR_REVOKED);
    FAILS(MPI_Barrier(dup), MPIX_ERR_REVOKED);
    FAILS(MPI_Send(&one, 1, MPI_INT, 0, 4, dup), MPIX_ERR_REVOKED);
    FAILS(MPI_Recv(&one, 1, MPI_INT, 0, 4, dup, MPI_STATUS_IGNORE), MPIX_ERR_REVOKED);
    FAILS(MPI_Iprobe(0, 4, dup, &flag, MPI_STATUS_IGNORE), MPIX_ERR_REVOKED);
    FAILS(MPI_Comm_dup(dup, &shrunk), MPIX_ERR_REVOKED);
    OK(MPIX_Comm_is_revoked(dup, &flag));
    CHECK(flag, "it is not said to be revoked");
    flag = 3;
    OK(MPIX_Comm_agree(dup, &flag));
    OK(MPIX_Comm_shrink(dup, &shrunk));
    MPI_Comm_size(shrunk, &n);
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, shrunk));
    CHECK(n == mc_size && sum == n, "%d of %d", sum, n);
    OK(MPI_Comm_free(&shrunk));
    OK(MPI_Comm_free(&dup));
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* Who waits in a collective of the usual kinds when it is revoked. */
static void revoke_collectives(void)
{
    static char data[300000];
    MPI_Request request;

    for (int kind = 0; kind < 4; kind++) {
        MPI_Comm dup;
        int code = MPI_SUCCESS;

        OK(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
        OK(MPI_Barrier(dup));
        if (mc_rank == 0) {
            usleep(5000);
            OK(MPIX_Comm_revoke(dup));
        } else if (kind == 0) {
            code = MPI_Barrier(dup);
        } else if (kind == 1) {
            code = MPI_Bcast(data, sizeof data, MPI_CHAR, 0, dup);
        } else if (kind == 2) {
            code = MPI_Allreduce(MPI_IN_PLACE, data, 100, MPI_CHAR, MPI_BOR, dup);
        } else {
            OK(MPI_Ibarrier(dup, &request));
            code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        CHECK(mc_rank == 0 || ft_class(code) == MPIX_ERR_REVOKED, "kind %d: class %d", kind, ft_class(code));
        OK(MPI_Comm_free(&dup));
    }
}

static void nonblocking(MPI_Comm comm, int expected)
{
    MPI_Comm made;
    MPI_Request requests[3];
    int flags[2] = {-1 ^ (mc_rank == 0), 5}, n, sum = 0, one = 1;

    OK(MPIX_Comm_failure_ack(comm));
    OK(MPIX_Comm_iagree(comm, &flags[0], &requests[0]));
    OK(MPIX_Comm_ishrink(comm, &made, &requests[1]));
    OK(MPIX_Comm_iagree(comm, &flags[1], &requests[2]));
    OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    CHECK(flags[0] == -2 && flags[1] == 5, "flags are %x %x", (unsigned)flags[0], (unsigned)flags[1]);
    MPI_Comm_size(made, &n);
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made));
    CHECK(n == expected && sum == n, "%d of %d, expected %d", sum, n, expected);
    OK(MPI_Comm_free(&made));
}

/* Even ranks against odd ones; the last rank will not come. */
static MPI_Comm make_inter(void)
{
    MPI_Comm side, inter;

    OK(MPI_Comm_split(MPI_COMM_WORLD, mc_rank % 2, mc_rank, &side));
    OK(MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - mc_rank % 2, 5, &inter));
    OK(MPI_Comm_free(&side));
    OK(MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN));
    return inter;
}

static void shrink_inter(MPI_Comm inter)
{
    int flag = 1 << mc_rank % 2 | 4, n, remote, word = -1, code;
    MPI_Comm made;

    code = MPIX_Comm_agree(inter, &flag);
    CHECK(ft_class(code) == MPIX_ERR_PROC_FAILED && flag == 4, "class %d, flag %x", ft_class(code), (unsigned)flag);
    FAILS(MPI_Barrier(inter), MPIX_ERR_PROC_FAILED);
    OK(MPIX_Comm_shrink(inter, &made));
    MPI_Comm_size(made, &n);
    MPI_Comm_remote_size(made, &remote);
    CHECK(n + remote == mc_size - 1, "%d and %d of %d", n, remote, mc_size);
    OK(MPI_Allreduce(&mc_rank, &word, 1, MPI_INT, MPI_MIN, made));
    CHECK(word == 1 - mc_rank % 2, "the other side's lowest is %d", word);
    OK(MPI_Comm_free(&made));
    OK(MPI_Comm_free(&inter));
}

/* Communicators of those who live, by way of one with a dead member. */
static void make_from_dead(void)
{
    MPI_Comm group_comm, side, inter;
    MPI_Group all, living;
    int dead = mc_size - 1, code;

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_excl(all, 1, &dead, &living);
    OK(MPI_Comm_create_group(MPI_COMM_WORLD, living, 1, &group_comm));
    OK(MPI_Barrier(group_comm));
    OK(MPI_Comm_split(group_comm, mc_rank % 2, mc_rank, &side));
    code = MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - mc_rank % 2, 2, &inter);
    CHECK(code == MPI_SUCCESS, "an intercommunicator of those who live: class %d", ft_class(code));
    if (code == MPI_SUCCESS) {
        OK(MPI_Barrier(inter));
        OK(MPI_Comm_free(&inter));
    }
    OK(MPI_Comm_free(&side));
    OK(MPI_Comm_free(&group_comm));
    MPI_Group_free(&living);
    MPI_Group_free(&all);
}

static void one_dies(void)
{
    MPI_Comm inter = mc_size > 2 ? make_inter() : MPI_COMM_NULL, made;
    int flag = 6 | (mc_rank == 0), code, n, other;

    if (mc_rank == mc_size - 1)
        ft_die();
    code = MPIX_Comm_agree(MPI_COMM_WORLD, &flag);
    CHECK(ft_class(code) == MPIX_ERR_PROC_FAILED, "class %d", ft_class(code));
    OK(MPIX_Comm_failure_ack(MPI_COMM_WORLD));
    flag = 6;
    OK(MPIX_Comm_agree(MPI_COMM_WORLD, &flag));
    CHECK(flag == 6, "flag is %x", (unsigned)flag);
    FAILS(MPI_Barrier(MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Comm_dup(MPI_COMM_WORLD, &made), MPIX_ERR_PROC_FAILED);
    OK(MPIX_Comm_shrink(MPI_COMM_WORLD, &made));
    MPI_Comm_size(made, &n);
    CHECK(n == mc_size - 1, "%d are left", n);
    for (int i = 0; i < 300; i++)
        OK(MPI_Barrier(made));
    OK(MPI_Comm_split(made, 0, 0, &made)); /* the old one is lost on purpose */
    OK(MPI_Comm_size(made, &other));
    CHECK(other == n, "%d of %d", other, n);
    OK(MPI_Comm_free(&made));
    nonblocking(MPI_COMM_WORLD, mc_size - 1);
    if (n > 1)
        make_from_dead();
    if (inter != MPI_COMM_NULL)
        shrink_inter(inter);
}

static int calls;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    calls += ft_class(*code) == MPIX_ERR_PROC_FAILED;
}

static void handlers(void)
{
    MPI_Errhandler own;

    OK(MPI_Comm_create_errhandler(handler, &own));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, own));
    FAILS(MPI_Barrier(MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Send(&calls, 1, MPI_INT, mc_size - 1, 0, MPI_COMM_WORLD), MPIX_ERR_PROC_FAILED);
    CHECK(calls == 2, "the handler was called %d times", calls);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Errhandler_free(&own));
}

/* MPICH has no such. */
static void has_attribute(void)
{
#ifdef MPIX_FT
    int *ft = NULL, flag = 0;

    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPIX_FT, &ft, &flag));
    CHECK(flag && *ft, "the job is not said to survive deaths");
#endif
}

int main(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int n;

    ft_start();
    has_attribute();
    OK(MPI_Error_string(MPIX_ERR_REVOKED, text, &n));
    no_failure();
    revoked();
    revoke_collectives();
    nonblocking(MPI_COMM_WORLD, mc_size);
    if (mc_size > 1) {
        one_dies();
        handlers();
    }
    return ft_finish();
}
