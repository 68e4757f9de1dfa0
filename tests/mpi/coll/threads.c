/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_THREAD_MULTIPLE: threads of each rank run blocking, nonblocking and persistent collectives at the same time, each
 * on a communicator of its own. */
#include <pthread.h>

#include "cases.h"

enum { THREADS = 4, ROUNDS = 200, N = 3000 };

static MPI_Comm comms[THREADS];

static void round_of(int t, int k, long *in, long *out)
{
    MPI_Comm c = comms[t];
    int root = k % mc_size, n = k % 20 == 19 ? N : 1 + k % 7, seen = -1;
    MPI_Request q;

    for (int i = 0; i < n; i++)
        in[i] = mc_rank + i + t;
    OK(MPI_Allreduce(in, out, n, MPI_LONG, MPI_SUM, c));
    CHECK(out[n - 1] == (long)mc_size * (mc_size - 1) / 2 + (long)mc_size * (n - 1 + t), "thread %d round %d: sum %ld",
          t, k, out[n - 1]);
    if (mc_rank == root)
        seen = t * 1000 + k;
    OK(MPI_Ibcast(&seen, 1, MPI_INT, root, c, &q));
    OK(MPI_Barrier(c));
    OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    CHECK(seen == t * 1000 + k, "thread %d round %d: broadcast %d", t, k, seen);
}

static void *run(void *arg)
{
    int t = *(int *)arg;
    long *in = malloc(N * sizeof *in), *out = malloc(N * sizeof *out), one = t, sum = 0;
    MPI_Request q;

    OK(MPI_Allreduce_init(&one, &sum, 1, MPI_LONG, MPI_SUM, comms[t], MPI_INFO_NULL, &q));
    for (int k = 0; k < ROUNDS; k++) {
        round_of(t, k, in, out);
        if (k % 10)
            continue;
        OK(MPI_Start(&q));
        OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
        CHECK(sum == (long)t * mc_size, "thread %d: persistent sum %ld", t, sum);
    }
    OK(MPI_Request_free(&q));
    free(in);
    free(out);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];

    mc_start_threads();
    for (int t = 0; t < THREADS; t++) {
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &comms[t]));
        numbers[t] = t;
    }
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, run, &numbers[t]);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < THREADS; t++)
        OK(MPI_Comm_free(&comms[t]));
    return mc_finish();
}
