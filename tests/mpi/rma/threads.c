/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several threads of each rank at once: on one window under lock_all, on windows of
 * their own with locks and fences, beside threads that send messages.
 */
#include <pthread.h>

#include "window.h"

enum { THREADS = 3, TIMES = 60 };

static struct window common;
static MPI_Comm comms[THREADS];

static void on_the_common_one(int id)
{
    int64_t one = 1, old;

    for (int k = 0; k < TIMES; k++) {
        int to = (mc_rank + id + k) % mc_size;
        int64_t value = 1000 * mc_rank + id, got = 0;
        MPI_Aint own = (MPI_Aint)(1 + mc_rank * THREADS + id) * 8;

        OK(MPI_Fetch_and_op(&one, &old, MPI_INT64_T, to, window_disp(&common, to, 0), MPI_SUM, common.win));
        OK(MPI_Put(&value, 1, MPI_INT64_T, to, window_disp(&common, to, own), 1, MPI_INT64_T, common.win));
        OK(MPI_Win_flush(to, common.win));
        OK(MPI_Get(&got, 1, MPI_INT64_T, to, window_disp(&common, to, own), 1, MPI_INT64_T, common.win));
        OK(MPI_Win_flush_local(to, common.win));
        CHECK(got == value, "thread %d: %lld at rank %d", id, (long long)got, to);
    }
}

static void on_its_own(int id)
{
    int64_t *base, one = 1, count;
    MPI_Win win;

    OK(MPI_Win_allocate(64, 8, MPI_INFO_NULL, comms[id], &base, &win));
    base[0] = base[1] = 0;
    MPI_Barrier(comms[id]);
    for (int k = 0; k < TIMES; k++) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        OK(MPI_Get(&count, 1, MPI_INT64_T, 0, 1, 1, MPI_INT64_T, win));
        OK(MPI_Win_flush(0, win));
        count++;
        OK(MPI_Put(&count, 1, MPI_INT64_T, 0, 1, 1, MPI_INT64_T, win));
        OK(MPI_Win_unlock(0, win));
    }
    OK(MPI_Win_fence(0, win));
    OK(MPI_Accumulate(&one, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, MPI_SUM, win));
    OK(MPI_Win_fence(0, win));
    if (mc_rank == 0)
        CHECK(base[0] == mc_size && base[1] == (int64_t)TIMES * mc_size, "thread %d: %lld and %lld", id,
              (long long)base[0], (long long)base[1]);
    OK(MPI_Win_free(&win));
}

static void messages(int id)
{
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size;

    for (int k = 0; k < TIMES; k++) {
        int out = k * 10 + mc_rank, in = -1;

        OK(MPI_Sendrecv(&out, 1, MPI_INT, right, k, &in, 1, MPI_INT, left, k, comms[id], MPI_STATUS_IGNORE));
        CHECK(in == k * 10 + left, "thread %d: message %d", id, in);
    }
}

static void *work(void *arg)
{
    int id = (int)(intptr_t)arg;

    on_the_common_one(id);
    on_its_own(id);
    messages(id);
    on_the_common_one(id);
    return NULL;
}

int main(void)
{
    int64_t sum;

    mc_start_threads();
    for (int i = 0; i < THREADS; i++)
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    for (int f = 0; f < FLAVOURS; f++) {
        pthread_t thread[THREADS];

        if (!window_possible((enum flavour)f))
            continue;
        common = window_make((enum flavour)f, (MPI_Aint)(1 + mc_size * THREADS) * 8, 8);
        OK(MPI_Win_lock_all(0, common.win));
        for (intptr_t i = 0; i < THREADS; i++)
            CHECK(pthread_create(&thread[i], NULL, work, (void *)i) == 0, "thread %d", (int)i);
        for (int i = 0; i < THREADS; i++)
            pthread_join(thread[i], NULL);
        OK(MPI_Win_unlock_all(common.win));
        MPI_Barrier(MPI_COMM_WORLD);
        sum = *(int64_t *)(void *)common.base;
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        CHECK(sum == (int64_t)mc_size * THREADS * TIMES * 2, "%s: sum %lld", flavour_names[f], (long long)sum);
        window_free(&common);
    }
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    return mc_finish();
}
