/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks: exclusive ones exclude everybody, shared ones only writers; nobody waits
 * for ever; a target need not call anything for a lock on its memory to be taken
 * (where memory is shared); flushes complete operations while the lock stays.
 */
#include "window.h"

enum { TURNS = 200 };

static void exclusive(struct window *w)
{
    int64_t count, sum = 0;

    memset(w->base, 0, 64);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < TURNS; k++) {
        int target = k % mc_size;

        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, w->win));
        OK(MPI_Get(&count, 1, MPI_INT64_T, target, window_disp(w, target, 0), 1, MPI_INT64_T, w->win));
        OK(MPI_Win_flush(target, w->win));
        count++;
        OK(MPI_Put(&count, 1, MPI_INT64_T, target, window_disp(w, target, 0), 1, MPI_INT64_T, w->win));
        OK(MPI_Win_unlock(target, w->win));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, mc_rank, 0, w->win));
    sum = *(int64_t *)(void *)w->base;
    OK(MPI_Win_unlock(mc_rank, w->win));
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == (int64_t)TURNS * mc_size, "%s: %lld increments of %d", flavour_names[w->flavour], (long long)sum,
          TURNS * mc_size);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Writers keep two words equal; readers never see them differ. */
static void readers_and_writers(struct window *w)
{
    uint64_t rng = 17 + (uint64_t)mc_rank;
    int64_t two[2] = {0, 0};

    memset(w->base, 0, 64);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < TURNS; k++) {
        bool writer = check_random_below(&rng, 3) == 0;

        OK(MPI_Win_lock(writer ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 0, 0, w->win));
        if (writer) {
            two[0] = two[1] = mc_rank * 1000 + k;
            OK(MPI_Put(&two[0], 1, MPI_INT64_T, 0, window_disp(w, 0, 0), 1, MPI_INT64_T, w->win));
            OK(MPI_Win_flush(0, w->win));
            OK(MPI_Put(&two[1], 1, MPI_INT64_T, 0, window_disp(w, 0, 32), 1, MPI_INT64_T, w->win));
        } else {
            OK(MPI_Get(&two[1], 1, MPI_INT64_T, 0, window_disp(w, 0, 32), 1, MPI_INT64_T, w->win));
            OK(MPI_Win_flush(0, w->win));
            OK(MPI_Get(&two[0], 1, MPI_INT64_T, 0, window_disp(w, 0, 0), 1, MPI_INT64_T, w->win));
        }
        OK(MPI_Win_unlock(0, w->win));
        CHECK(two[0] == two[1], "%s: %lld and %lld under one lock", flavour_names[w->flavour], (long long)two[0],
              (long long)two[1]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Shared locks are held by all at once: each waits inside its epoch for all others. */
static void together(struct window *w)
{
    int64_t one = 1, seen = 0;

    memset(w->base, 0, 64);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w->win));
    OK(MPI_Accumulate(&one, 1, MPI_INT64_T, 0, window_disp(w, 0, 0), 1, MPI_INT64_T, MPI_SUM, w->win));
    while (seen < mc_size) {
        OK(MPI_Fetch_and_op(NULL, &seen, MPI_INT64_T, 0, window_disp(w, 0, 0), MPI_NO_OP, w->win));
        OK(MPI_Win_flush(0, w->win));
    }
    OK(MPI_Win_unlock(0, w->win));
    MPI_Barrier(MPI_COMM_WORLD);
}

/* All of lock_all and exclusive locks in turn; several targets locked at a time. */
static void mixed(struct window *w)
{
    int64_t one = 1, sum = 0;

    memset(w->base, 0, 64);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < TURNS / 4; k++) {
        if ((k + mc_rank) % 3 == 0) {
            OK(MPI_Win_lock_all(0, w->win));
            for (int t = 0; t < mc_size; t++)
                OK(MPI_Accumulate(&one, 1, MPI_INT64_T, t, window_disp(w, t, 0), 1, MPI_INT64_T, MPI_SUM, w->win));
            OK(MPI_Win_unlock_all(w->win));
        } else {
            for (int t = 0; t < mc_size; t++) /* in one order, as all do */
                OK(MPI_Win_lock(t % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, t, 0, w->win));
            for (int t = 0; t < mc_size; t++) {
                OK(MPI_Accumulate(&one, 1, MPI_INT64_T, t, window_disp(w, t, 0), 1, MPI_INT64_T, MPI_SUM, w->win));
                OK(MPI_Win_flush_local(t, w->win));
            }
            OK(MPI_Win_flush_all(w->win));
            OK(MPI_Win_flush_local_all(w->win));
            for (int t = mc_size; t-- > 0;)
                OK(MPI_Win_unlock(t, w->win));
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, mc_rank, 0, w->win));
    sum = *(int64_t *)(void *)w->base;
    OK(MPI_Win_unlock(mc_rank, w->win));
    CHECK(sum == (int64_t)(TURNS / 4) * mc_size, "%s: %lld of %d", flavour_names[w->flavour], (long long)sum,
          TURNS / 4 * mc_size);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* NOCHECK: nobody else can be there. And MPI_PROC_NULL is nobody. */
static void unchecked(struct window *w)
{
    int64_t value = 42 + mc_rank, right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size;

    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (int)right, MPI_MODE_NOCHECK, w->win));
    OK(MPI_Put(&value, 1, MPI_INT64_T, (int)right, window_disp(w, (int)right, 8), 1, MPI_INT64_T, w->win));
    OK(MPI_Win_unlock((int)right, w->win));
    OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win));
    OK(MPI_Win_unlock_all(w->win));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, mc_rank, 0, w->win));
    CHECK(((int64_t *)(void *)w->base)[1] == 42 + left, "put under NOCHECK");
    OK(MPI_Win_unlock(mc_rank, w->win));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, w->win));
    OK(MPI_Put(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, 0, MPI_INT, w->win));
    OK(MPI_Win_flush(MPI_PROC_NULL, w->win));
    OK(MPI_Win_unlock(MPI_PROC_NULL, w->win));
    MPI_Barrier(MPI_COMM_WORLD);
}

static void all(struct window *w)
{
    exclusive(w);
    readers_and_writers(w);
    together(w);
    mixed(w);
    unchecked(w);
}

int main(void)
{
    mc_start();
    window_each(256, 1, all);
    return mc_finish();
}
