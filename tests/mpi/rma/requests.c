/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The forms with requests: many under way at once, completed one by one, all, by
 * tests and together with messages; freed ones; large and scattered data.
 */
#include "window.h"

enum { N = 40, LARGE = 50000 };

static void many(struct window *w)
{
    int64_t out[N], in[N], old[N], one = 1;
    MPI_Request r[N];
    MPI_Status statuses[N], status;
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size, index, flag;

    memset(w->base, 0, (size_t)w->bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Win_lock_all(0, w->win));
    for (int i = 0; i < N; i++) {
        out[i] = mc_rank * 1000 + i;
        OK(MPI_Rput(&out[i], 1, MPI_INT64_T, right, window_disp(w, right, 8 * i), 1, MPI_INT64_T, w->win, &r[i]));
    }
    OK(MPI_Waitall(N, r, statuses));
    for (int i = 0; i < N; i++)
        CHECK(r[i] == MPI_REQUEST_NULL, "request %d", i);
    OK(MPI_Win_flush_all(w->win));
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        OK(MPI_Rget(&in[i], 1, MPI_INT64_T, mc_rank, window_disp(w, mc_rank, 8 * i), 1, MPI_INT64_T, w->win, &r[i]));
    for (int k = 0; k < N; k++) {
        OK(MPI_Waitany(N, r, &index, &status));
        CHECK(index >= 0 && index < N && in[index] == left * 1000 + index, "get %d came as %lld", index,
              index >= 0 ? (long long)in[index] : 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        OK(MPI_Rget_accumulate(&one, 1, MPI_INT64_T, &old[i], 1, MPI_INT64_T, 0, window_disp(w, 0, 8 * N), 1,
                               MPI_INT64_T, MPI_SUM, w->win, &r[i]));
    for (int i = 0; i < N; i++) {
        for (flag = 0; !flag;)
            OK(MPI_Test(&r[i], &flag, MPI_STATUS_IGNORE));
        CHECK(i == 0 || old[i] > old[i - 1], "%s: %lld after %lld: accumulates of one origin are in order",
              flavour_names[w->flavour], (long long)old[i], i ? (long long)old[i - 1] : 0);
    }
    OK(MPI_Raccumulate(&one, 1, MPI_INT64_T, 0, window_disp(w, 0, 8 * N), 1, MPI_INT64_T, MPI_SUM, w->win, &r[0]));
    OK(MPI_Request_free(&r[0]));
    OK(MPI_Win_unlock_all(w->win));
    MPI_Barrier(MPI_COMM_WORLD);
    if (mc_rank == 0)
        CHECK(((int64_t *)(void *)w->base)[N] == (int64_t)mc_size * (N + 1), "%s: the sum is %lld",
              flavour_names[w->flavour], (long long)((int64_t *)(void *)w->base)[N]);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Every second element of the origin to every third of the target and back. */
static void large(struct window *w)
{
    int32_t *out = malloc(LARGE * 2 * sizeof *out), *in = calloc(LARGE * 2, sizeof *in),
            *old = calloc(LARGE, sizeof *old);
    int right = (mc_rank + 1) % mc_size;
    MPI_Datatype second, third;
    MPI_Request r;

    OK(MPI_Type_vector(LARGE, 1, 2, MPI_INT32_T, &second));
    OK(MPI_Type_vector(LARGE, 1, 3, MPI_INT32_T, &third));
    OK(MPI_Type_commit(&second));
    OK(MPI_Type_commit(&third));
    for (int i = 0; i < LARGE * 2; i++)
        out[i] = mc_rank * 1000000 + i;
    memset(w->base, 0, (size_t)w->bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, w->win));
    OK(MPI_Rput(out, 1, second, right, window_disp(w, right, 0), 1, third, w->win, &r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Win_flush(right, w->win));
    OK(MPI_Rget(in, 1, second, right, window_disp(w, right, 0), 1, third, w->win, &r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    for (int i = 0; i < LARGE * 2; i++)
        if (!CHECK(in[i] == (i % 2 ? 0 : out[i]), "%s: element %d is %d", flavour_names[w->flavour], i, in[i]))
            break;
    OK(MPI_Type_free(&third)); /* it is in use */
    OK(MPI_Type_vector(LARGE, 1, 3, MPI_INT32_T, &third));
    OK(MPI_Type_commit(&third));
    OK(MPI_Rget_accumulate(out, 1, second, old, LARGE, MPI_INT32_T, right, window_disp(w, right, 0), 1, third, MPI_SUM,
                           w->win, &r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Win_unlock(right, w->win));
    for (int i = 0; i < LARGE; i++)
        if (!CHECK(old[i] == out[2 * i], "%s: old element %d is %d", flavour_names[w->flavour], i, old[i]))
            break;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0, left = (mc_rank + mc_size - 1) % mc_size; i < LARGE; i++)
        if (!CHECK(((int32_t *)(void *)w->base)[3 * i] == 2 * (left * 1000000 + 2 * i), "%s: sum %d",
                   flavour_names[w->flavour], i))
            break;
    OK(MPI_Type_free(&second));
    OK(MPI_Type_free(&third));
    free(out);
    free(in);
    free(old);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* With messages of point-to-point in one Waitall. */
static void beside_messages(struct window *w)
{
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size;
    int64_t put = 31 + mc_rank, sent = 71 + mc_rank, came = 0, got = 0;
    MPI_Request r[4];

    OK(MPI_Win_lock_all(0, w->win));
    OK(MPI_Irecv(&came, 1, MPI_INT64_T, left, 5, MPI_COMM_WORLD, &r[0]));
    OK(MPI_Rput(&put, 1, MPI_INT64_T, right, window_disp(w, right, 8 * (N + 2)), 1, MPI_INT64_T, w->win, &r[1]));
    OK(MPI_Isend(&sent, 1, MPI_INT64_T, right, 5, MPI_COMM_WORLD, &r[2]));
    OK(MPI_Rget(&got, 1, MPI_INT64_T, MPI_PROC_NULL, 0, 1, MPI_INT64_T, w->win, &r[3]));
    OK(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
    OK(MPI_Win_unlock_all(w->win));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(came == 71 + left && got == 0 && ((int64_t *)(void *)w->base)[N + 2] == 31 + left, "%lld, %lld, %lld",
          (long long)came, (long long)got, (long long)((int64_t *)(void *)w->base)[N + 2]);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void all(struct window *w)
{
    many(w);
    large(w);
    beside_messages(w);
}

int main(void)
{
    mc_start();
    window_each(LARGE * 12, 4, all);
    return mc_finish();
}
