/* SPDX-License-Identifier: BSD-3-Clause */
/* Recovery with replacements: who lives shrinks, spawns as many as have died, and merges with them in the old order of
 * ranks. Then one of the new ones dies, and is found out by those of the other job. */
#include "ft.h"

static void check_all(MPI_Comm all, int size)
{
    int n, sum = 0, one = 1;

    MPI_Comm_size(all, &n);
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all));
    CHECK(n == size && sum == n, "%d of %d, expected %d", sum, n, size);
}

static bool failed_or_revoked(int code)
{
    return ft_class(code) == MPIX_ERR_PROC_FAILED || ft_class(code) == MPIX_ERR_REVOKED;
}

/* The new one of the highest rank dies in the middle of what all do; of eight one that rank 0 has not talked with. */
static void lose_a_new_one(MPI_Comm all, bool new_one)
{
    MPI_Comm rest;
    int size, rank, code, flag = 3, word = 1, victim;

    MPI_Comm_size(all, &size);
    MPI_Comm_rank(all, &rank);
    victim = size == 8 ? 5 : size - 1;
    OK(MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN));
    MPI_Barrier(all); /* over for some only, perhaps: one dies behind it */
    if (rank == victim) {
        CHECK(new_one, "rank %d is no new one", rank);
        ft_die();
    }
    if (rank == 0 && size < 8)
        CHECK(failed_or_revoked(MPI_Recv(&word, 1, MPI_INT, victim, 1, all, MPI_STATUS_IGNORE)),
              "a receive from a dead process");
    code = MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT, MPI_SUM, all);
    CHECK(failed_or_revoked(code), "class %d", ft_class(code));
    OK(MPIX_Comm_revoke(all));
    code = MPIX_Comm_agree(all, &flag);
    CHECK(ft_class(code) == MPIX_ERR_PROC_FAILED && flag == 3, "class %d, flag %d", ft_class(code), flag);
    OK(MPIX_Comm_shrink(all, &rest));
    check_all(rest, size - 1);
    OK(MPI_Comm_free(&rest));
}

static int be_new(MPI_Comm parents)
{
    MPI_Comm all;

    OK(MPI_Comm_set_errhandler(parents, MPI_ERRORS_RETURN));
    OK(MPI_Intercomm_merge(parents, 1, &all));
    check_all(all, mc_size + 2);
    lose_a_new_one(all, true);
    OK(MPI_Comm_free(&all));
    OK(MPI_Comm_free(&parents));
    MPI_Finalize();
    return check_failures != 0;
}

/* Two live. */
int main(int argc, char **argv)
{
    MPI_Comm parents, shrunk, inter, all;
    int codes[16], dead;

    (void)argc;
    ft_start();
    MPI_Comm_get_parent(&parents);
    if (parents != MPI_COMM_NULL)
        return be_new(parents);
    dead = mc_size - 2;
    if (mc_rank >= 2)
        ft_die();
    for (int r = 2; r < mc_size; r++)
        ft_await_death(MPI_COMM_WORLD, r);
    FAILS(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, dead, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter, codes),
          MPIX_ERR_PROC_FAILED);
    OK(MPIX_Comm_shrink(MPI_COMM_WORLD, &shrunk));
    check_all(shrunk, 2);
    OK(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, dead, MPI_INFO_NULL, 0, shrunk, &inter, codes));
    OK(MPI_Intercomm_merge(inter, 0, &all));
    check_all(all, mc_size);
    lose_a_new_one(all, false);
    OK(MPI_Comm_free(&all));
    OK(MPI_Comm_free(&inter));
    OK(MPI_Comm_free(&shrunk));
    return ft_finish();
}
