// SPDX-License-Identifier: BSD-3-Clause
// Two ranks that wait in vain, or seem to: for in_vain.py. What ends the others' waits comes after LONG_MS.
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { LONG_MS = 3000, ENDED = 7 };

static int me, other;

static void nap(int ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000l};

    while (nanosleep(&t, &t) != 0)
        ;
}

static void receive(int tag)
{
    int got;

    MPI_Recv(&got, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send(int tag)
{
    MPI_Send(&me, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
}

static void on_alarm(int sig)
{
    (void)sig;
    _exit(ENDED);
}

static void set_alarm(void)
{
    const struct itimerval in = {.it_value = {LONG_MS / 1000, 0}};

    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &in, NULL);
}

static void set_timer(void)
{
    const struct itimerspec in = {.it_value = {LONG_MS / 1000, 0}};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    timer_t timer;

    signal(SIGUSR1, on_alarm);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &in, NULL) != 0)
        abort();
}

static void *send_later(void *arg)
{
    (void)arg;
    nap(LONG_MS);
    send(1);
    return NULL;
}

static void wait_with_thread(void)
{
    pthread_t thread;

    if (me == 0 && pthread_create(&thread, NULL, send_later, NULL) != 0)
        abort();
    receive(1);
    if (me == 1)
        send(1);
    else
        pthread_join(thread, NULL);
}

static void poll_until_late(void)
{
    double end = MPI_Wtime() + LONG_MS * 1e-3;
    int there;

    while (me == 0 && MPI_Wtime() < end)
        MPI_Iprobe(other, 9, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (me == 0)
        send(1);
    else
        receive(1);
}

// Rank 0 is stopped while it waits, and has its message by then.
static void answer_when_stopped(void)
{
    if (me == 0) {
        printf("%d\n", (int)getpid());
        fflush(stdout);
        receive(1);
        send(2);
    } else {
        nap(1000);
        send(1);
        receive(2);
    }
}

static void be_slow(void)
{
    if (me == 0) {
        nap(LONG_MS);
        send(1);
    } else {
        receive(1);
    }
}

static void meet_until_late(void)
{
    int late = 0, one;

    for (double end = MPI_Wtime() + LONG_MS * 1e-3; !late;) {
        for (int i = 0; i < 20; i++)
            MPI_Barrier(MPI_COMM_WORLD);
        one = MPI_Wtime() > end;
        MPI_Allreduce(&one, &late, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
}

static void compute_until_late(void)
{
    double end = MPI_Wtime() + LONG_MS * 1e-3;

    MPI_Barrier(MPI_COMM_WORLD);
    while (MPI_Wtime() < end)
        ;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void wait_both(void)
{
    receive(1);
}

static void wait_apart(void)
{
    if (me == 0)
        receive(1);
    else
        MPI_Barrier(MPI_COMM_WORLD);
}

static void wait_for_alarm(void)
{
    set_alarm();
    receive(1);
}

static void wait_for_timer(void)
{
    set_timer();
    receive(1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*play)(void);
    } plays[] = {{"both", wait_both},
                 {"apart", wait_apart},
                 {"alarm", wait_for_alarm},
                 {"timer", wait_for_timer},
                 {"thread", wait_with_thread},
                 {"polls", poll_until_late},
                 {"stopped", answer_when_stopped},
                 {"slow", be_slow},
                 {"meet", meet_until_late},
                 {"compute", compute_until_late}};
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    other = 1 - me;
    for (size_t i = 0; i < sizeof plays / sizeof *plays; i++)
        if (argc > 1 && strcmp(argv[1], plays[i].name) == 0)
            plays[i].play();
    MPI_Finalize();
    return 0;
}
