/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tasks of a PVM benchmark must agree on while they measure: how often to repeat, when to stop, whether the
 * data were right. Rank 0 decides, by messages between the timed batches.
 */
#include "pvmjob.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_SHARE = PVMJOB_TAGS + 1, TAG_GATHER };

static bool failed;

void pvmjob_barrier(void)
{
    pvmjob_must("pvm_barrier", pvm_barrier(pvmjob.group, pvmjob.size));
}

void pvmjob_share(void *data, int bytes)
{
    if (pvmjob.size == 1)
        return;
    if (pvmjob.rank != 0) {
        pvmjob_must("pvm_recv", pvm_recv(pvmjob.tids[0], TAG_SHARE));
        pvmjob_must("pvm_upkbyte", pvm_upkbyte(data, bytes, 1));
        return;
    }
    pvmjob_must("pvm_initsend", pvm_initsend(PvmDataRaw));
    pvmjob_must("pvm_pkbyte", pvm_pkbyte(data, bytes, 1));
    pvmjob_must("pvm_mcast", pvm_mcast(pvmjob.tids + 1, pvmjob.size - 1, TAG_SHARE));
}

void pvmjob_gather(const void *mine, int bytes, void *all)
{
    if (pvmjob.rank != 0) {
        pvmjob_must("pvm_initsend", pvm_initsend(PvmDataRaw));
        pvmjob_must("pvm_pkbyte", pvm_pkbyte((char *)mine, bytes, 1));
        pvmjob_must("pvm_send", pvm_send(pvmjob.tids[0], TAG_GATHER));
        return;
    }
    memcpy(all, mine, (size_t)bytes);
    for (int i = 1; i < pvmjob.size; i++) {
        pvmjob_must("pvm_recv", pvm_recv(pvmjob.tids[i], TAG_GATHER));
        pvmjob_must("pvm_upkbyte", pvm_upkbyte((char *)all + (size_t)i * (size_t)bytes, bytes, 1));
    }
}

long pvmjob_agree(long value)
{
    pvmjob_share(&value, (int)sizeof value);
    return value;
}

double pvmjob_case(const char *format, ...)
{
    char name[128];
    va_list ap;
    double budget;

    va_start(ap, format);
    vsnprintf(name, sizeof name, format, ap);
    va_end(ap);
    budget = bench_plan_next("%s", name);
    pvmjob_share(&budget, (int)sizeof budget);
    return budget;
}

/* The largest of all tasks' values, on rank 0. */
static double largest(double mine)
{
    static double *all;

    if (!all && !(all = calloc((size_t)pvmjob.size, sizeof *all)))
        pvmjob_fatal("out of memory");
    pvmjob_gather(&mine, (int)sizeof mine, all);
    for (int i = 0; pvmjob.rank == 0 && i < pvmjob.size; i++)
        mine = all[i] > mine ? all[i] : mine;
    return mine;
}

bool pvmjob_right(bool mine)
{
    const bool all = pvmjob_agree(largest(mine ? 0 : 1) == 0);

    failed = failed || !all;
    return all;
}

size_t pvmjob_rotation(int caches)
{
    return caches & 1 << BENCH_ROTATING ? (size_t)pvmjob_agree((long)bench_rotation(pvmjob.size)) : 0;
}

enum bench_stop pvmjob_measure(bench_body *body, void *arg, double budget_ns, enum pvmjob_span span,
                               struct bench_series *out)
{
    struct bench_sampler sampler;
    long reps;

    bench_sampler_begin(&sampler, out, budget_ns);
    while ((reps = pvmjob_agree(pvmjob.rank == 0 ? bench_sampler_next(&sampler) : 0)) > 0) {
        double elapsed;
        int64_t t0;

        bench_cold_flush();
        pvmjob_barrier();
        t0 = bench_now();
        body(arg, reps);
        elapsed = (double)(bench_now() - t0);
        if (span == PVMJOB_LONGEST)
            elapsed = largest(elapsed);
        if (pvmjob.rank == 0)
            bench_sampler_give(&sampler, elapsed);
    }
    return sampler.stop;
}

int pvmjob_finish(void)
{
    int status = failed ? 1 : 0;
    struct bench_toll mine, *tolls = calloc((size_t)pvmjob.size, sizeof *tolls);

    if (!tolls)
        pvmjob_fatal("out of memory");
    bench_plan_end();
    bench_toll_look(&mine, bench_crowded(pvmjob.size, 1));
    bench_burner_stop();
    pvmjob_gather(&mine, (int)sizeof mine, tolls);
    bench_env_write_end(tolls);
    free(tolls);
    if (bench_report_close()) {
        fprintf(stderr, "the records could not be written\n");
        status = 2;
    }
    pvmjob_barrier();
    pvm_lvgroup(pvmjob.group);
    pvm_exit();
    return status;
}
