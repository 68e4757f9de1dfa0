/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs that wait in loops of their own: a word goes round the ring of all processors, and each looks for it in one
 * of the ways that do not wait. Where processors of the program share cores none of them may keep the core for a time
 * slice, which would take some hundred times as long as a loop over splitc_poll.
 */
#include <sched.h>
#include <stdlib.h>

#include "sccheck.h"
#include "split-c/split-c.h"

enum { LAPS = 30, ATTEMPTS = 4, MUCH = 100 /* times as long: up to 20 are usual, slices make it 300 and more */ };
static const double SHORT = 4e-3; /* seconds for a lap: with slices it is one for each processor or more */

static int word;
static struct sc_global mine;

static int by_poll(int lap)
{
    splitc_poll();
    return *(volatile int *)&word >= lap;
}

static int by_sync(int lap)
{
    int copy;

    bulk_get(&copy, mine, sizeof copy);
    sync();
    return copy >= lap;
}

static int by_is_sync(int lap)
{
    return is_sync() && *(volatile int *)&word >= lap;
}

static int by_bulk_read(int lap)
{
    int copy;

    bulk_read(&copy, mine, sizeof copy);
    return copy >= lap;
}

static int by_fetch_add(int lap)
{
    return fetch_add(mine, 0) >= lap;
}
static int by_cmp_swap(int lap)
{
    return cmp_swap(mine, -1, -1) >= lap;
}

static const struct way {
    const char *name;
    int (*arrived)(int lap);
} ways[] = {{"splitc_poll", by_poll},    {"bulk_get and sync", by_sync}, {"is_sync", by_is_sync},
            {"bulk_read", by_bulk_read}, {"fetch_add", by_fetch_add},    {"cmp_swap", by_cmp_swap}};

/* Seconds for LAPS laps, the same on all processors. */
static double laps(const struct way *way)
{
    struct sc_global next = sc_global_of((MYPROC + 1) % PROCS, &word);
    double start;

    word = 0;
    barrier();
    start = get_seconds();
    for (int lap = 1; lap <= LAPS; lap++) {
        if (MYPROC == 0)
            bulk_write(next, &lap, sizeof lap);
        for (unsigned n = 1; !way->arrived(lap); n++)
            if (n % 4096 == 0 && get_seconds() > start + 50) {
                fprintf(stderr, "FAIL: %s: nothing for 50 s\n", way->name);
                exit(1);
            }
        if (MYPROC != 0)
            bulk_write(next, &lap, sizeof lap);
    }
    return all_bcast_d(get_seconds() - start);
}

static void splitc_main(int argc, char **argv)
{
    cpu_set_t cores;
    int share = sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) < PROCS;

    (void)argc, (void)argv;
    mine = sc_global_of(MYPROC, &word);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        double usual = 1, took = 1e9;

        for (int attempt = 0; attempt < ATTEMPTS && took > MUCH * usual && took > SHORT * LAPS; attempt++) {
            usual = laps(&ways[0]);
            took = laps(&ways[i]); /* all processors have the same two numbers */
        }
        if (MYPROC == 0 && getenv("SC_VERBOSE"))
            fprintf(stderr, "%-18s %8.1f us, %6.1f times\n", ways[i].name, took / LAPS * 1e6, took / usual);
        if (share && took > MUCH * usual && took > SHORT * LAPS) {
            if (MYPROC == 0)
                fprintf(stderr, "%s: %.0f times as long as a loop over splitc_poll\n", ways[i].name, took / usual);
            CHECK(!"a loop keeps the core");
        }
    }
    if (check_status() != 0)
        exit(1);
}
SC_MAIN_VOID(splitc_main(argc, argv))
