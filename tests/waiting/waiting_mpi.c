/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Right programs of MPI that wait: for slow senders, for sleepers, in threads, for timers and children. Run by
 * waiting.py with a seed, which chooses what happens; --check must be silent.
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 1 << 20, SHORT_MS = 3, LONG_MS = 90, MOST = 64 };

static int rank, size, level;
static unsigned state; /* of the numbers that all ranks draw alike */
static unsigned char *large, *large_in;

static unsigned draw(unsigned n)
{
    state = state * 1103515245u + 12345u;
    return (state >> 16) % n;
}

/* Mostly short, now and then longer than a deadlock takes to be told. */
static void nap(void)
{
    unsigned long_one = draw(4) == 0, ms = 1 + draw(long_one ? LONG_MS : SHORT_MS), who = draw((unsigned)size);

    if ((unsigned)rank == who)
        usleep(ms * 1000);
}

static void expect(int is, int wanted)
{
    if (is != wanted) {
        fprintf(stderr, "rank %d has %d, not %d\n", rank, is, wanted);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void ring(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size, got = -1;

    nap();
    if (rank > 0)
        MPI_Recv(&got, 1, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    nap();
    MPI_Send(&rank, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&got, 1, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(got, before);
}

static void to_one(void)
{
    int root = (int)draw((unsigned)size), sum = 0, got;

    nap();
    if (rank != root)
        MPI_Ssend(&rank, 1, MPI_INT, root, 2, MPI_COMM_WORLD);
    for (int i = 1; rank == root && i < size; i++) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        nap();
        sum += got;
    }
    if (rank != root)
        for (int i = 1; i < size; i++)
            nap();
    if (rank == root)
        expect(sum, size * (size - 1) / 2 - root);
    MPI_Barrier(MPI_COMM_WORLD); /* the next ones are not for these receives */
}

static void large_ones(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Request r[2];

    memset(large, rank, LARGE);
    nap();
    MPI_Irecv(large_in, LARGE, MPI_BYTE, before, 3, MPI_COMM_WORLD, &r[0]);
    nap();
    MPI_Isend(large, LARGE, MPI_BYTE, next, 3, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    expect(large_in[LARGE - 1], (unsigned char)before);
}

static void strided(void)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Datatype t;

    memset(large, rank, LARGE);
    MPI_Type_vector(LARGE / 16, 8, 16, MPI_BYTE, &t);
    MPI_Type_commit(&t);
    nap();
    MPI_Sendrecv(large, 1, t, next, 4, large_in, 1, t, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(large_in[0], (unsigned char)before);
    MPI_Type_free(&t);
}

static void collectives(void)
{
    int sum = 0, one = 1;
    MPI_Request r;

    nap();
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(sum, size);
    nap();
    MPI_Barrier(MPI_COMM_WORLD);
    nap();
    MPI_Bcast(large, LARGE, MPI_BYTE, (int)draw((unsigned)size), MPI_COMM_WORLD);
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r);
    nap();
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    expect(sum, size);
}

static void halves(void)
{
    MPI_Comm half;
    int sum = 0, n;

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_size(half, &n);
    if (rank % 2)
        nap();
    else
        (void)(draw(4) == 0), (void)draw(2), (void)draw((unsigned)size);
    state = state & ~0xffu; /* the halves have drawn alike, but for what they kept */
    for (int i = 0, one = 1; i < 3; i++)
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, half);
    expect(sum, n);
    MPI_Comm_free(&half);
    MPI_Bcast(&state, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
}

static void tests(void)
{
    int got = -1, done = 0;
    MPI_Request r;

    MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &r);
    nap();
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
    if (rank % 2)
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    else
        while (!done) {
            MPI_Test(&r, &done, MPI_STATUS_IGNORE);
            if (!done)
                usleep(500);
        }
    expect(got, (rank + size - 1) % size);
}

static void windows(void)
{
    int *shared, mine = -1;
    MPI_Win w;

    MPI_Win_allocate(sizeof *shared, sizeof *shared, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &w);
    *shared = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
    nap();
    MPI_Get(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, w);
    MPI_Win_flush(0, w);
    mine++;
    MPI_Put(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, w);
    MPI_Win_unlock(0, w);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_fence(0, w);
    nap();
    MPI_Win_fence(0, w);
    if (rank == 0)
        expect(*shared, size);
    MPI_Win_free(&w);
}

static void *thread_sends(void *seed)
{
    usleep(1000 * *(unsigned *)seed);
    MPI_Send(&rank, 1, MPI_INT, rank, 6, MPI_COMM_WORLD);
    return NULL;
}

/* The main thread waits for a thread that sleeps outside of the library. */
static void threads(void)
{
    unsigned ms = 1 + draw(LONG_MS);
    pthread_t thread;
    int got = -1;

    if (level < MPI_THREAD_MULTIPLE)
        return;
    pthread_create(&thread, NULL, thread_sends, &ms);
    MPI_Recv(&got, 1, MPI_INT, rank, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
    expect(got, rank);
}

static volatile sig_atomic_t rings;

static void on_alarm(int sig)
{
    (void)sig;
    rings++;
}

static void alarms(void)
{
    struct itimerval t = {.it_value.tv_usec = 1000 * (1 + draw(LONG_MS))}, off = {.it_value.tv_sec = 0};

    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &t, NULL);
    nap();
    MPI_Barrier(MPI_COMM_WORLD);
    setitimer(ITIMER_REAL, &off, NULL);
}

/* A child that has nothing to do with the job. */
static void children(void)
{
    unsigned ms = draw(LONG_MS), who = draw((unsigned)size);

    if ((unsigned)rank == who) {
        pid_t child = fork();

        if (child == 0) {
            usleep(ms * 1000);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void any_of(void)
{
    MPI_Request r[MOST];
    int got[MOST], at, root = (int)draw((unsigned)size), k = 0;

    for (int i = 0; rank == root && i < size; i++)
        if (i != root)
            MPI_Irecv(&got[k], 1, MPI_INT, i, 7, MPI_COMM_WORLD, &r[k]), k++;
    nap();
    if (rank != root)
        MPI_Send(&rank, 1, MPI_INT, root, 7, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < k; i++)
        MPI_Waitany(k, r, &at, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    static void (*const all[])(void) = {ring,  to_one,  large_ones, strided, collectives, halves,
                                        tests, windows, threads,    alarms,  children,    any_of};
    const unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1, steps = argc > 2 ? (unsigned)atoi(argv[2]) : 6;

    state = seed * 2654435761u + 1;
    MPI_Init_thread(NULL, NULL, seed % 3 ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    large = malloc(LARGE);
    large_in = malloc(LARGE);
    for (unsigned i = 0; i < steps; i++)
        all[draw(sizeof all / sizeof *all)]();
    if (draw(3) == 0)
        nap();
    MPI_Finalize();
    free(large);
    free(large_in);
    return 0;
}
