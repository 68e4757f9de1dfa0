/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The random program's collective operations: all PEs choose the same one, of SHMEM, MPI or active messages.
 */
#include "random.h"

enum { MOST = 2048, EACH = 16 };

static long from[MOST], to[MOST], wide_from[1024 * EACH], wide_to[1024 * EACH]; /* symmetric */

static long value(int pe, long salt, int i)
{
    return (long)(check_mix((uint64_t)pe * 4096 + (uint64_t)salt + (uint64_t)i) >> 32);
}

static void sums(bool shmem)
{
    const int n = 1 + (int)random_agree(random_agree(4) ? 8 : MOST);
    const long salt = random_agree(1 << 30);

    for (int i = 0; i < n; i++)
        from[i] = value(mc_rank, salt, i);
    if (shmem)
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, from, (size_t)n);
    else
        OK(MPI_Allreduce(from, to, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; i += n / 4 + 1) {
        long sum = 0;

        for (int pe = 0; pe < mc_size; pe++)
            sum += value(pe, salt, i);
        CHECK(to[i] == sum, "sum %d of %d is %ld, not %ld", i, n, to[i], sum);
    }
}

static void broadcast(bool shmem)
{
    const int root = (int)random_agree(mc_size), n = 1 + (int)random_agree(random_agree(4) ? 8 : MOST);
    const uint64_t seed = (uint64_t)random_agree(1 << 30);
    long *at = shmem ? to : from;

    if (mc_rank == root)
        check_fill(from, (size_t)n * sizeof *from, seed);
    if (shmem)
        shmem_long_broadcast(SHMEM_TEAM_WORLD, to, from, (size_t)n, root);
    else
        OK(MPI_Bcast(from, n, MPI_LONG, root, MPI_COMM_WORLD));
    check_verify(at, (size_t)n * sizeof *from, seed, shmem ? "SHMEM's broadcast" : "MPI_Bcast");
}

static void exchange(bool shmem)
{
    const int n = 1 + (int)random_agree(EACH);
    const long salt = random_agree(1 << 30);

    for (int i = 0; i < mc_size * n; i++)
        wide_from[i] = value(mc_rank, salt, i);
    if (shmem)
        shmem_long_alltoall(SHMEM_TEAM_WORLD, wide_to, wide_from, (size_t)n);
    else
        OK(MPI_Alltoall(wide_from, n, MPI_LONG, wide_to, n, MPI_LONG, MPI_COMM_WORLD));
    for (int i = 0; i < mc_size * n; i++)
        if (!CHECK(wide_to[i] == value(i / n, salt, mc_rank * n + i % n), "element %d of an exchange of %d", i, n))
            break;
}

/* Under way while other operations take place. */
static void meanwhile(void)
{
    long mine = value(mc_rank, 3, 0), all = -1, sum = 0;
    MPI_Request request;

    OK(MPI_Iallreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request));
    for (long n = random_choose(4); n > 0; n--) {
        random_shmem_one((int)random_choose(mc_size));
        random_am_one((int)random_choose(mc_size));
        random_alone();
    }
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int pe = 0; pe < mc_size; pe++)
        sum += value(pe, 3, 0);
    CHECK(all == sum, "MPI_Iallreduce gave %ld, not %ld", all, sum);
}

static int color(int pe, int colors)
{
    return (int)(check_mix((uint64_t)pe) % (uint64_t)colors);
}

static void parts_of_mpi(void)
{
    const int colors = 1 + (int)random_agree(3), mine = color(mc_rank, colors);
    long one = 1, n = 0, expected = 0;
    MPI_Comm part;

    for (int pe = 0; pe < mc_size; pe++)
        expected += color(pe, colors) == mine;
    OK(MPI_Comm_split(MPI_COMM_WORLD, mine, mc_rank, &part));
    OK(MPI_Allreduce(&one, &n, 1, MPI_LONG, MPI_SUM, part));
    CHECK(n == expected, "%ld ranks of color %d, not %ld", n, mine, expected);
    OK(MPI_Comm_free(&part));
}

static void parts_of_shmem(void)
{
    const int stride = 1 + (int)random_agree(3), n = (mc_size + stride - 1) / stride;
    shmem_team_t team = SHMEM_TEAM_INVALID;

    shmem_sync_all();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, stride, n, NULL, 0, &team);
    CHECK((team != SHMEM_TEAM_INVALID) == (mc_rank % stride == 0), "a team of each %d PEs", stride);
    if (team == SHMEM_TEAM_INVALID)
        return;
    from[0] = mc_rank;
    shmem_long_max_reduce(team, to, from, 1);
    CHECK(to[0] == (long)(n - 1) * stride, "the team's last PE is %ld", to[0]);
    shmem_team_destroy(team);
}

static void meet(void)
{
    switch (random_agree(4)) {
    case 0:
        shmem_barrier_all();
        break;
    case 1:
        shmem_sync_all();
        break;
    case 2:
        OK(MPI_Barrier(MPI_COMM_WORLD));
        break;
    default:
        gam_barrier();
    }
}

void random_together(void)
{
    const bool shmem = random_agree(2);

    if (shmem)
        shmem_sync_all(); /* nobody looks at the last results any more */
    switch (random_agree(16)) {
    case 0:
        parts_of_mpi();
        break;
    case 1:
        parts_of_shmem();
        break;
    case 2:
        exchange(shmem);
        break;
    case 3:
    case 4:
    case 5:
        meanwhile();
        break;
    case 6:
    case 7:
        broadcast(shmem);
        break;
    case 8:
    case 9:
    case 10:
    case 11:
        sums(shmem);
        break;
    default:
        meet();
    }
}
