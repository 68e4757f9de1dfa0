/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Epochs of groups: rings, random groups against a model, targets that are posted
 * late, epochs without operations, MPI_Win_test, access and exposure at once.
 */
#include "window.h"

enum { ROUNDS = 30 };

static MPI_Group world;

static MPI_Group group_of(int n, const int *ranks)
{
    MPI_Group g;

    OK(MPI_Group_incl(world, n, ranks, &g));
    return g;
}

/* Each puts to its right neighbour, exposed to its left one. */
static void ring(struct window *w, bool test)
{
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size;
    MPI_Group to = group_of(1, &right), from = group_of(1, &left);
    int64_t value;

    for (int round = 0; round < ROUNDS; round++) {
        int flag = 0;

        OK(MPI_Win_post(from, round % 2 ? MPI_MODE_NOSTORE : 0, w->win));
        OK(MPI_Win_start(to, 0, w->win));
        value = round * 100 + mc_rank;
        OK(MPI_Put(&value, 1, MPI_INT64_T, right, window_disp(w, right, 8), 1, MPI_INT64_T, w->win));
        OK(MPI_Win_complete(w->win));
        if (test)
            while (!flag)
                OK(MPI_Win_test(w->win, &flag));
        else
            OK(MPI_Win_wait(w->win));
        CHECK(((int64_t *)(void *)w->base)[1] == round * 100 + left, "%s: round %d: %lld from %d",
              flavour_names[w->flavour], round, (long long)((int64_t *)(void *)w->base)[1], left);
    }
    OK(MPI_Group_free(&to));
    OK(MPI_Group_free(&from));
}

/* A directed graph, the same on all ranks: an edge is a put from one to the other. */
static void graphs(struct window *w)
{
    uint64_t seed = check_seed(777);
    int64_t value, expected[64] = {0};

    memset(w->base, 0, 64 * 8);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        int to[64], from[64], nto = 0, nfrom = 0;
        MPI_Group targets, origins;

        for (int a = 0; a < mc_size; a++)
            for (int b = 0; b < mc_size; b++)
                if (check_random_below(&seed, 2)) {
                    if (a == mc_rank)
                        to[nto++] = b;
                    if (b == mc_rank) {
                        from[nfrom++] = a;
                        expected[a] = round * 1000 + a;
                    }
                }
        targets = group_of(nto, to);
        origins = group_of(nfrom, from);
        OK(MPI_Win_post(origins, 0, w->win));
        OK(MPI_Win_start(targets, 0, w->win));
        value = round * 1000 + mc_rank;
        for (int i = 0; i < nto; i++)
            OK(MPI_Put(&value, 1, MPI_INT64_T, to[i], window_disp(w, to[i], mc_rank * 8), 1, MPI_INT64_T, w->win));
        OK(MPI_Win_complete(w->win));
        OK(MPI_Win_wait(w->win));
        for (int a = 0; a < mc_size; a++)
            CHECK(((int64_t *)(void *)w->base)[a] == expected[a], "%s: round %d, from %d: %lld, not %lld",
                  flavour_names[w->flavour], round, a, (long long)((int64_t *)(void *)w->base)[a],
                  (long long)expected[a]);
        OK(MPI_Group_free(&targets));
        OK(MPI_Group_free(&origins));
    }
}

/* Rank 0 starts at once, the others post when they please; what it reads is what they stored before. */
static void late_posts(struct window *w)
{
    int others[64], zero = 0;
    int64_t got[64];
    MPI_Group all, root = group_of(1, &zero);

    for (int i = 1; i < mc_size; i++)
        others[i - 1] = i;
    all = group_of(mc_size - 1, others);
    for (int round = 0; round < 5; round++) {
        if (mc_rank == 0) {
            OK(MPI_Win_start(all, 0, w->win));
            for (int i = 1; i < mc_size; i++)
                OK(MPI_Get(&got[i], 1, MPI_INT64_T, i, window_disp(w, i, 16), 1, MPI_INT64_T, w->win));
            OK(MPI_Win_complete(w->win));
            for (int i = 1; i < mc_size; i++)
                CHECK(got[i] == round * 10 + i, "%s: round %d: rank %d had %lld", flavour_names[w->flavour], round, i,
                      (long long)got[i]);
        } else {
            usleep((useconds_t)(1000 * mc_rank));
            ((int64_t *)(void *)w->base)[2] = round * 10 + mc_rank;
            OK(MPI_Win_post(root, 0, w->win));
            OK(MPI_Win_wait(w->win));
        }
    }
    OK(MPI_Group_free(&all));
    OK(MPI_Group_free(&root));
    MPI_Barrier(MPI_COMM_WORLD);
}

/* With NOCHECK the post is known to have been made. Empty groups; epochs in which nothing happens. */
static void special(struct window *w)
{
    int64_t value = 5 + mc_rank;
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size, flag = 0;
    MPI_Group to = group_of(1, &right), from = group_of(1, &left);

    OK(MPI_Win_post(from, MPI_MODE_NOCHECK, w->win));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Win_start(to, MPI_MODE_NOCHECK, w->win));
    OK(MPI_Accumulate(&value, 1, MPI_INT64_T, right, window_disp(w, right, 24), 1, MPI_INT64_T, MPI_REPLACE, w->win));
    OK(MPI_Win_complete(w->win));
    OK(MPI_Win_wait(w->win));
    CHECK(((int64_t *)(void *)w->base)[3] == 5 + left, "under NOCHECK");
    OK(MPI_Win_post(MPI_GROUP_EMPTY, 0, w->win));
    OK(MPI_Win_start(MPI_GROUP_EMPTY, 0, w->win));
    OK(MPI_Win_complete(w->win));
    OK(MPI_Win_test(w->win, &flag));
    CHECK(flag == 1, "nobody is awaited");
    for (int i = 0; i < 3; i++) {
        OK(MPI_Win_start(to, 0, w->win)); /* before the post: it need not be there */
        OK(MPI_Win_post(from, 0, w->win));
        OK(MPI_Win_complete(w->win));
        OK(MPI_Win_wait(w->win));
    }
    OK(MPI_Win_post(world, 0, w->win));
    OK(MPI_Win_test(w->win, &flag));
    CHECK(mc_size == 1 || flag == 0 || flag == 1, "flag %d", flag);
    OK(MPI_Win_start(world, 0, w->win));
    OK(MPI_Win_complete(w->win));
    if (!flag)
        OK(MPI_Win_wait(w->win));
    OK(MPI_Group_free(&to));
    OK(MPI_Group_free(&from));
    MPI_Barrier(MPI_COMM_WORLD);
}

static void all(struct window *w)
{
    ring(w, false);
    ring(w, true);
    graphs(w);
    if (mc_size > 1)
        late_posts(w);
    special(w);
}

int main(void)
{
    mc_start();
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    window_each(64 * 8, 8, all);
    OK(MPI_Group_free(&world));
    return mc_finish();
}
