/* SPDX-License-Identifier: BSD-3-Clause */
/* leave_am WHERE: the last PE calls exit(0) in the middle; the others wait there for what it does not do. PEs 0 and 1
 * of 3 do without it in `computes` and `passes`. */
#include <am.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile int never, came;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compute(double seconds)
{
    for (double end = now() + seconds; now() < end;)
        ;
}

static void computes(void)
{
    for (double end = now() + 3.2; now() < end; compute(20e-6))
        am_poll();
}

static void on_word(vnn_t from, am_word word)
{
    (void)from;
    came += (int)word;
}

static void passes(void)
{
    for (int i = 0; i < 6; i++)
        if (i % 2 == AM_MY_PROC) {
            compute(0.7);
            am_request_1(!AM_MY_PROC, on_word, 1);
        } else {
            while (came <= i / 2)
                am_poll();
        }
}

int main(int argc, char **argv)
{
    am_enable();
    gam_barrier();
    if (AM_MY_PROC == AM_PROCS - 1) {
        usleep(200000);
        exit(0);
    }
    if (argc > 1 && strcmp(argv[1], "wait") == 0)
        am_wait_for(never);
    else if (argc > 1 && strcmp(argv[1], "poll") == 0)
        while (!never)
            am_poll();
    else if (argc > 1 && strcmp(argv[1], "computes") == 0)
        computes();
    else if (argc > 1 && strcmp(argv[1], "passes") == 0)
        passes();
    else
        gam_barrier();
    printf("went on\n");
    am_disable();
    return 0;
}
