/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time from pvm_spawn to the first message of what was spawned, for one task and for several (to the last one's
 * message). Runs without a launcher. Each sample waits, untimed, until the tasks are gone.
 */
#include <stdlib.h>

#include "pvmjob.h"

#define MOST 16
enum { TAG_HELLO = 1, TAG_GONE };

static struct bench_series samples;

/* What a spawned copy does instead of the job's tasks: says where it is in the row and goes. */
static int greet(int parent)
{
    int *row, n = pvm_siblings(&row), me = pvm_mytid(), place = 0;

    while (place < n && row[place] != me)
        place++;
    pvmjob_must("pvm_initsend", pvm_initsend(PvmDataRaw));
    pvmjob_must("pvm_pkint", pvm_pkint(&place, 1, 1));
    pvmjob_must("pvm_send", pvm_send(parent, TAG_HELLO));
    pvm_exit();
    return 0;
}

static void await_end(int *tids, int n)
{
    pvmjob_must("pvm_notify", pvm_notify(PvmTaskExit, TAG_GONE, n, tids));
    for (int i = 0; i < n; i++)
        pvmjob_must("pvm_recv", pvm_recv(-1, TAG_GONE));
}

/* Spawns n and hears each of them once, under its own place. The time in ns. */
static double spawn(int n, bool *right)
{
    int tids[MOST], heard[MOST] = {0};
    const int64_t t0 = bench_now();
    int64_t t1;
    int got = pvm_spawn(pvmjob.program, NULL, PvmTaskDefault, NULL, n, tids);

    if (got != n)
        pvmjob_fatal("%s: %d of %d tasks started, code %d", pvmjob.program, got, n, tids[n - 1]);
    for (int i = 0; i < n; i++) {
        const int bufid = pvmjob_must("pvm_recv", pvm_recv(-1, TAG_HELLO));
        int from = 0, place = -1;

        pvm_bufinfo(bufid, NULL, NULL, &from);
        pvm_upkint(&place, 1, 1);
        if (place >= 0 && place < n && tids[place] == from)
            heard[place]++;
    }
    t1 = bench_now();
    for (int i = 0; i < n; i++)
        *right = *right && heard[i] == 1;
    await_end(tids, n);
    return (double)(t1 - t0);
}

static void run(int n)
{
    const int64_t end = bench_now() + (int64_t)pvmjob_case("%d tasks", n);
    struct bench_params p = pvmjob_params();
    bool right = true;

    bench_series_clear(&samples);
    spawn(n, &right);
    while (samples.n < 5 || (samples.n < 500 && bench_now() < end))
        bench_series_add(&samples, spawn(n, &right) * 1e-6);
    right = pvmjob_right(right);
    bench_param_integer(&p, "tasks", n);
    pvmjob_emit("pvm_spawn", &p, "time", "ms", &samples, right, NULL);
}

int main(int argc, char **argv)
{
    static const struct pvmjob_program program = {"pvm_spawn", "time from pvm_spawn to the first message", 1, 8, 2,
                                                  NULL};
    int parent, level;

    pvm_mytid();
    level = pvm_setopt(PvmAutoErr, 0);
    parent = pvm_parent();
    pvm_setopt(PvmAutoErr, level);
    if (parent >= 0)
        return greet(parent);
    pvmjob_start(argc, argv, &program);
    if (pvmjob.launched)
        pvmjob_fatal("%s: start it without a launcher: tasks of one can't spawn", program.name);
    bench_plan_begin(3, bench_options.max_seconds);
    for (int n = 1; n <= MOST; n *= 4)
        run(n);
    return pvmjob_finish();
}
