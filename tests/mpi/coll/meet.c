/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers of all: those of MPI and of OpenSHMEM in turn, one in a thread while the other is in the main program, with
 * messages under way that a process must see to while it waits. Nobody leaves one before all have come. */
#include <pthread.h>
#include <sched.h>
#include <shmem.h>

#include "cases.h"

enum { ROUNDS = 300, BODY = 1 << 20 };

static long come[2];              /* barriers of each kind that this PE has come to */
static long of_all[2][1024];      /* what others said: by kind and PE */
static char *out, *in;

static void barrier(int kind)
{
    if (kind == 0)
        shmem_barrier_all();
    else
        OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* Say so to all, meet, and look what they have said. */
static void meet(int kind)
{
    come[kind]++;
    for (int pe = 0; pe < mc_size; pe++)
        shmem_long_p(&of_all[kind][mc_rank], come[kind], pe);
    shmem_quiet();
    barrier(kind);
    for (int pe = 0; pe < mc_size; pe++)
        CHECK(of_all[kind][pe] == come[kind], "kind %d: PE %d has come to %ld barriers, this one to %ld", kind, pe,
              of_all[kind][pe], come[kind]);
    barrier(kind);
}

/* Of some words they travel with a meeting, of more or by a function of the program's they do not. */
static void first(void *in_, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    memcpy(inout, in_, (size_t)*n * sizeof(double));
}

static void reduce(int k, MPI_Op own)
{
    int n = k % 12;
    double mine[12], sum[12];

    for (int i = 0; i < n; i++)
        mine[i] = sum[i] = mc_rank * (i + 1) + k;
    if (k % 5 == 4) {
        OK(MPI_Allreduce(mine, sum, n, MPI_DOUBLE, own, MPI_COMM_WORLD));
        CHECK(n == 0 || sum[n - 1] == k, "round %d: not rank 0's value but %g", k, sum[n - 1]);
        return;
    }
    OK(MPI_Allreduce(k % 2 ? MPI_IN_PLACE : mine, sum, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++)
        CHECK(sum[i] == mc_size * (mc_size - 1) / 2.0 * (i + 1) + (double)k * mc_size, "round %d: sum %d is %g", k, i,
              sum[i]);
}

static void *others(void *arg)
{
    (void)arg;
    for (int k = 0; k < ROUNDS; k++)
        meet(1);
    return NULL;
}

/* Whose body comes only if the receiver makes progress in the barrier: the sender comes to it later. */
static void check_progress(void)
{
    int next = (mc_rank + 1) % mc_size, previous = (mc_rank + mc_size - 1) % mc_size;
    MPI_Request q;

    for (int k = 0; k < 20; k++) {
        memset(out, k + mc_rank, BODY);
        OK(MPI_Irecv(in, BODY, MPI_CHAR, previous, k, MPI_COMM_WORLD, &q));
        if (mc_rank == k % mc_size || mc_size == 1) {
            MPI_Request own;

            OK(MPI_Isend(out, BODY, MPI_CHAR, next, k, MPI_COMM_WORLD, &own));
            OK(MPI_Wait(&own, MPI_STATUS_IGNORE));
            OK(MPI_Barrier(MPI_COMM_WORLD));
        } else {
            OK(MPI_Barrier(MPI_COMM_WORLD));
            OK(MPI_Send(out, BODY, MPI_CHAR, next, k, MPI_COMM_WORLD));
        }
        OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
        CHECK(in[0] == (char)(k + previous) && in[BODY - 1] == (char)(k + previous), "round %d: wrong data", k);
    }
}

/* Who waits long looks at what the others say of themselves: also at what one has said in an earlier call. */
static void wait_long(void)
{
    enum { LONG_US = 300000 };
    int n = 0;

    if (mc_rank > 0)
        usleep(LONG_US);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (mc_rank == 0)
        usleep(LONG_US);
    OK(MPI_Allreduce(&(int){1}, &n, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(n == mc_size, "a sum of %d", n);
    if (mc_rank > 0)
        usleep(LONG_US);
    OK(MPI_Bcast(&n, 1, MPI_INT, mc_size - 1, MPI_COMM_WORLD));
    if (mc_rank == 0)
        usleep(LONG_US);
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

int main(void)
{
    pthread_t thread;
    MPI_Op own;
    int provided;

    mc_start_threads();
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    out = malloc(BODY);
    in = malloc(BODY);
    check_progress();
    for (int k = 0; k < ROUNDS; k++)
        meet(k % 3 == 0);
    if (provided == SHMEM_THREAD_MULTIPLE) {
        pthread_create(&thread, NULL, others, NULL);
        for (int k = 0; k < ROUNDS; k++)
            meet(0);
        pthread_join(thread, NULL);
    }
    OK(MPI_Op_create(first, false, &own));
    for (int k = 0; k < ROUNDS; k++)
        reduce(k, own);
    OK(MPI_Op_free(&own));
    wait_long();
    meet(1);
    free(in);
    free(out);
    shmem_finalize();
    return mc_finish();
}
