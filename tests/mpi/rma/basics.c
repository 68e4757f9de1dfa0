/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each flavour of window with each synchronisation and each operation: all ranks
 * act on all at once, in slots of their own or on shared sums, and the results are
 * known exactly.
 */
#include "window.h"

enum { SMALL = 7, LARGE = 3000, SLOT = LARGE * 8, RANKS = 64 };

static void expect_slot(const struct window *w, const char *what, int n, int64_t seed, const char *sync)
{
    for (int from = 0; from < mc_size; from++) {
        const int64_t *slot = (const int64_t *)(const void *)(w->base + (size_t)from * SLOT);

        for (int i = 0; i < n; i++)
            if (!CHECK(slot[i] == seed + from * 1000000 + mc_rank * 10000 + i,
                       "%s, %s, %s: element %d of %d from rank %d is %lld", flavour_names[w->flavour], sync, what, i, n,
                       from, (long long)slot[i]))
                return;
    }
}

static void put_and_get(struct window *w, enum sync how, int n)
{
    int64_t *out = malloc((size_t)n * sizeof *out * (size_t)mc_size),
            *in = malloc((size_t)n * sizeof *in * (size_t)mc_size);

    for (int to = 0; to < mc_size; to++)
        for (int i = 0; i < n; i++)
            out[to * n + i] = 5 + mc_rank * 1000000 + to * 10000 + i;
    sync_begin(w, how);
    for (int k = 0; k < mc_size; k++) {
        int to = (mc_rank + k) % mc_size;

        OK(MPI_Put(out + to * n, n, MPI_INT64_T, to, window_disp(w, to, mc_rank * SLOT), n, MPI_INT64_T, w->win));
    }
    sync_end(w, how);
    expect_slot(w, "put", n, 5, sync_names[how]);
    MPI_Barrier(MPI_COMM_WORLD);
    sync_begin(w, how);
    for (int from = 0; from < mc_size; from++)
        OK(MPI_Get(in + from * n, n, MPI_INT64_T, from, window_disp(w, from, mc_rank * SLOT), n, MPI_INT64_T, w->win));
    sync_end(w, how);
    CHECK(memcmp(in, out, (size_t)n * sizeof *in * (size_t)mc_size) == 0, "%s, %s: get of %d",
          flavour_names[w->flavour], sync_names[how], n);
    free(in);
    free(out);
}

/* Every rank adds to every rank's sums; the old values that come back are partial sums. */
static void accumulate(struct window *w, enum sync how, int n)
{
    int64_t *one = malloc((size_t)n * sizeof *one), *old = malloc((size_t)n * sizeof *old * (size_t)mc_size);
    int64_t *sums = (int64_t *)(void *)w->base, whole = (int64_t)mc_size * (mc_size + 1) / 2;

    memset(w->base, 0, (size_t)n * sizeof *one);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        one[i] = mc_rank + 1;
    sync_begin(w, how);
    for (int to = 0; to < mc_size; to++)
        OK(MPI_Accumulate(one, n, MPI_INT64_T, to, window_disp(w, to, 0), n, MPI_INT64_T, MPI_SUM, w->win));
    sync_end(w, how);
    for (int i = 0; i < n; i++)
        if (!CHECK(sums[i] == whole, "%s, %s: sum %d is %lld, not %lld", flavour_names[w->flavour], sync_names[how], i,
                   (long long)sums[i], (long long)whole))
            break;
    MPI_Barrier(MPI_COMM_WORLD);
    sync_begin(w, how);
    for (int to = 0; to < mc_size; to++)
        OK(MPI_Get_accumulate(one, n, MPI_INT64_T, old + to * n, n, MPI_INT64_T, to, window_disp(w, to, 0), n,
                              MPI_INT64_T, MPI_SUM, w->win));
    sync_end(w, how);
    for (int i = 0; i < n; i++)
        CHECK(sums[i] == 2 * whole, "%s, %s: sum %d is %lld after get_accumulate", flavour_names[w->flavour],
              sync_names[how], i, (long long)sums[i]);
    for (int i = 0; i < n * mc_size; i++)
        if (!CHECK(old[i] >= whole && old[i] <= 2 * whole - (mc_rank + 1), "%s, %s: an old value is %lld",
                   flavour_names[w->flavour], sync_names[how], (long long)old[i]))
            break;
    free(one);
    free(old);
}

/* One ticket counter on each rank: all tickets are drawn, each once. */
static void fetch_and_op(struct window *w, enum sync how)
{
    enum { DRAWS = 20 };
    int64_t one = 1, mine[RANKS * DRAWS], *all = NULL, seen;

    memset(w->base, 0, 64);
    MPI_Barrier(MPI_COMM_WORLD);
    sync_begin(w, how);
    for (int to = 0; to < mc_size; to++)
        for (int k = 0; k < DRAWS; k++)
            OK(MPI_Fetch_and_op(&one, &mine[to * DRAWS + k], MPI_INT64_T, to, window_disp(w, to, 8), MPI_SUM, w->win));
    sync_end(w, how);
    seen = ((int64_t *)(void *)w->base)[1];
    CHECK(seen == (int64_t)mc_size * DRAWS, "%s, %s: counter is %lld", flavour_names[w->flavour], sync_names[how],
          (long long)seen);
    all = malloc(sizeof mine * (size_t)mc_size);
    MPI_Allgather(mine, mc_size * DRAWS, MPI_INT64_T, all, mc_size * DRAWS, MPI_INT64_T, MPI_COMM_WORLD);
    for (int to = 0; to < mc_size; to++) {
        bool drawn[RANKS * DRAWS] = {false};

        for (int from = 0; from < mc_size; from++)
            for (int k = 0; k < DRAWS; k++) {
                int64_t t = all[(from * mc_size + to) * DRAWS + k];

                if (CHECK(t >= 0 && t < mc_size * DRAWS && !drawn[t], "%s, %s: ticket %lld", flavour_names[w->flavour],
                          sync_names[how], (long long)t))
                    drawn[t] = true;
            }
    }
    free(all);
}

/* Rank by rank wins: one compare of all succeeds. */
static void compare_and_swap(struct window *w, enum sync how)
{
    int32_t mine = 100 + mc_rank, zero = 0, old[RANKS], now, winners;

    memset(w->base, 0, 64);
    MPI_Barrier(MPI_COMM_WORLD);
    sync_begin(w, how);
    for (int to = 0; to < mc_size; to++)
        OK(MPI_Compare_and_swap(&mine, &zero, &old[to], MPI_INT32_T, to, window_disp(w, to, 8), w->win));
    sync_end(w, how);
    now = ((int32_t *)(void *)w->base)[2];
    CHECK(now >= 100 && now < 100 + mc_size, "%s, %s: the word is %d", flavour_names[w->flavour], sync_names[how], now);
    for (int to = 0; to < mc_size; to++) {
        int won = old[to] == 0;

        CHECK(old[to] == 0 || (old[to] >= 100 && old[to] < 100 + mc_size), "old value %d", old[to]);
        MPI_Allreduce(&won, &winners, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        CHECK(winners == 1, "%s, %s: %d winners on rank %d", flavour_names[w->flavour], sync_names[how], winners, to);
    }
}

static void all(struct window *w)
{
    for (int s = 0; s < SYNCS; s++) {
        put_and_get(w, (enum sync)s, SMALL);
        put_and_get(w, (enum sync)s, LARGE);
        accumulate(w, (enum sync)s, SMALL);
        accumulate(w, (enum sync)s, LARGE);
        fetch_and_op(w, (enum sync)s);
        compare_and_swap(w, (enum sync)s);
    }
}

int main(void)
{
    mc_start();
    if (CHECK(mc_size <= RANKS, "%d ranks, the test has room for %d", mc_size, RANKS)) {
        window_each((MPI_Aint)SLOT * mc_size, 4, all);
        window_each((MPI_Aint)SLOT * mc_size, 8, all);
    }
    return mc_finish();
}
