/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs that ask until the answer is another one: a turn goes round the ring of all tasks, as a message, as the
 * membership of a group or as an entry of the mailbox, and each asks for it in one of the ways that do not wait. Where
 * tasks share cores none of them may keep the core for a time slice, which would take some hundred times as long as a
 * loop over pvm_nrecv. Every second lap takes away what the one before has brought.
 */
#include <sched.h>
#include <sys/time.h>
#include <time.h>

#include "pcheck.h"

enum { LAPS = 30, ATTEMPTS = 4, MUCH = 100 /* times as long: up to 20 are usual, slices make it 300 and more */ };
static const double SHORT = 4e-3; /* seconds for a lap: with slices it is one for each task or more */

static int next, previous; /* PE numbers */

static char *name_of(int pe)
{
    static char text[32];

    snprintf(text, sizeof text, "asked%d", pe);
    return text;
}

/* ---- how it is passed on ---- */

static void by_message(int lap)
{
    pvm_initsend(PvmDataRaw);
    pvm_pkint(&lap, 1, 1);
    OK(pvm_send(pvm_gettid(NULL, next), 1));
}

static void by_group(int lap)
{
    OK(lap % 2 ? pvm_joingroup(name_of(next)) : pvm_lvgroup(name_of(next)));
}

static void by_entry(int lap)
{
    if (lap % 2) {
        pvm_initsend(PvmDataRaw);
        pvm_pkint(&lap, 1, 1);
        OK(pvm_putinfo(name_of(next), pvm_getsbuf(), PvmMboxDefault));
    } else
        OK(pvm_delinfo(name_of(next), 0, 0));
}

/* ---- how it is asked for ---- */

static bool by_nrecv(int lap)
{
    (void)lap;
    return pvm_nrecv(pvm_gettid(NULL, previous), 1) > 0;
}

static bool by_trecv(int lap)
{
    struct timeval none = {0, 0};

    (void)lap;
    return pvm_trecv(-1, 1, &none) > 0;
}

static bool by_probe(int lap)
{
    (void)lap;
    return pvm_probe(-1, 1) > 0 && pvm_recv(-1, 1) > 0;
}

static bool by_gsize(int lap)
{
    return (pvm_gsize(name_of(pc_me)) > 0) == (lap % 2 == 1);
}

static bool by_gettid(int lap)
{
    return (pvm_gettid(name_of(pc_me), 0) > 0) == (lap % 2 == 1);
}

static bool by_getinst(int lap)
{
    return (pvm_getinst(name_of(pc_me), pvm_gettid(NULL, previous)) >= 0) == (lap % 2 == 1);
}

static bool by_recvinfo(int lap)
{
    return (pvm_recvinfo(name_of(pc_me), 0, PvmMboxDefault) > 0) == (lap % 2 == 1);
}

static bool by_getmboxinfo(int lap)
{
    struct pvmmboxinfo *info;
    int n = -1;

    OK(pvm_getmboxinfo(name_of(pc_me), &n, &info));
    return (n > 0) == (lap % 2 == 1);
}

static const struct way {
    const char *name;
    void (*pass)(int lap);
    bool (*arrived)(int lap);
} ways[] = {
    {"pvm_nrecv", by_message, by_nrecv},     {"pvm_trecv", by_message, by_trecv},
    {"pvm_probe", by_message, by_probe},     {"pvm_gsize", by_group, by_gsize},
    {"pvm_gettid", by_group, by_gettid},     {"pvm_getinst", by_group, by_getinst},
    {"pvm_recvinfo", by_entry, by_recvinfo}, {"pvm_getmboxinfo", by_entry, by_getmboxinfo},
};

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void await(const struct way *way, int lap)
{
    double start = seconds();

    for (unsigned n = 1; !way->arrived(lap); n++)
        if (n % 4096 == 0 && seconds() > start + 50) {
            CHECK(false, "%s: lap %d: nothing for 50 s", way->name, lap);
            exit(1);
        }
}

/* Seconds for LAPS laps, the same in all tasks. */
static double laps(const struct way *way)
{
    double spent;

    pvm_barrier(NULL, pc_size);
    spent = seconds();
    for (int lap = 1; lap <= LAPS; lap++) {
        if (pc_me == 0)
            way->pass(lap);
        await(way, lap);
        if (pc_me != 0)
            way->pass(lap);
    }
    spent = seconds() - spent;
    pvm_barrier(NULL, pc_size);
    if (pc_me == 0) {
        pvm_initsend(PvmDataRaw);
        pvm_pkdouble(&spent, 1, 1);
        OK(pvm_bcast(NULL, 2));
    } else {
        OK(pvm_recv(-1, 2));
        OK(pvm_upkdouble(&spent, 1, 1));
    }
    return spent;
}

int main(void)
{
    cpu_set_t cores;
    bool share;

    pc_start();
    share = sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) < pc_size;
    next = (pc_me + 1) % pc_size;
    previous = (pc_me + pc_size - 1) % pc_size;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        double times = 1e9, usual = 1;

        for (int attempt = 0; attempt < ATTEMPTS && times > MUCH && times * usual > SHORT * LAPS; attempt++) {
            usual = laps(&ways[0]);
            times = laps(&ways[i]) / usual; /* all tasks have the same two numbers */
        }
        if (pc_me == 0 && getenv("PC_VERBOSE"))
            fprintf(stderr, "%-18s %8.1f us, %6.1f times\n", ways[i].name, times * usual / LAPS * 1e6, times);
        CHECK(!share || times <= MUCH || times * usual <= SHORT * LAPS,
              "%s: %.0f times as long as a loop over pvm_nrecv", ways[i].name, times);
    }
    return pc_finish();
}
