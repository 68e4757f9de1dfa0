/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators made by several threads at once (7.4.2, 11.6): each thread has a communicator of its own that it
 * duplicates, splits and frees; on the common one they make communicators of groups, told apart by their tags. */
#include "mcheck.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 25 };

static MPI_Comm own[THREADS];

static void use(MPI_Comm c, int expected)
{
    int n = -1, me = -1, sum = -1;

    OK(MPI_Comm_size(c, &n));
    OK(MPI_Comm_rank(c, &me));
    CHECK(n == expected, "size %d, expected %d", n, expected);
    OK(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK(sum == n * (n - 1) / 2, "sum %d of %d processes", sum, n);
}

static void *work(void *arg)
{
    const int id = (int)(intptr_t)arg;
    MPI_Group world;

    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Comm a, b, c, d;
        MPI_Request r;

        OK(MPI_Comm_dup(own[id], &a));
        OK(MPI_Comm_idup(own[id], &b, &r));
        OK(MPI_Comm_split(a, mc_rank % 2, -mc_rank, &c));
        OK(MPI_Comm_create_group(MPI_COMM_WORLD, world, id, &d));
        use(c, (mc_size + 1 - mc_rank % 2) / 2);
        use(d, mc_size);
        OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
        use(b, mc_size);
        OK(MPI_Comm_free(&a));
        OK(MPI_Comm_free(&b));
        OK(MPI_Comm_free(&c));
        OK(MPI_Comm_free(&d));
    }
    OK(MPI_Group_free(&world));
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];

    mc_start_threads();
    for (int i = 0; i < THREADS; i++)
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &own[i]));
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&thread[i], NULL, work, (void *)i) == 0, "no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++)
        OK(MPI_Comm_free(&own[i]));
    return mc_finish();
}
