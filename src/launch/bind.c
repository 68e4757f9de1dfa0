/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which CPUs each PE may use. A lone PE and PEs that outnumber the cores, or the
 * cores that other jobs have left, are left to the scheduler, which then does
 * better.
 */
#include <stdlib.h>

#include "core/base/param.h"
#include "core/topo/topology.h"
#include "launch/launch.h"

/* A PE that will run threads needs as many cores. Only a plain number counts. */
static unsigned threads_each(void)
{
    const char *text = core_param_foreign("OMP_NUM_THREADS");
    long n = text ? strtol(text, NULL, 10) : 1;

    return n > 1 && n < 65536 ? (unsigned)n : 1;
}

void launch_bind_plan(struct launch *l)
{
    unsigned each = threads_each();
    uint64_t want = (uint64_t)l->processes * each;
    bool on = l->options.bind == BIND_YES || (l->options.bind == BIND_DEFAULT && core_params.bind && l->npes > 1);

    if (!on || want > l->ncores)
        return;
    l->cpus = malloc(want * sizeof *l->cpus);
    if (!l->cpus)
        return;
    unsigned found = core_topology_order(l->cpus, (unsigned)want);
    if (found < want) {
        /* Other jobs are bound to the rest: PEs that spun would take their time. */
        core_topology_release();
        l->header->ncores = found ? found : 1;
        free(l->cpus);
        l->cpus = NULL;
        return;
    }
    l->cpus_each = each;
}
