/* SPDX-License-Identifier: BSD-3-Clause
 *
 * In which order CPUs are given to PEs. Read from the kernel's own tables, for
 * as many PEs as there are: some 20 microseconds each, so that a PE can be bound
 * before its program begins, when its memory and threads have still to come.
 */
#include <stdbool.h>
#include <stdio.h>

#include "core/topo/topology.h"

void core_topology_parse(const char *list, cpu_set_t *set, size_t size)
{
    unsigned first, last;
    int used;

    while (sscanf(list, "%u%n", &first, &used) == 1) {
        list += used;
        last = first;
        if (sscanf(list, "-%u%n", &last, &used) == 1)
            list += used;
        for (; first <= last && first < size * 8; first++)
            CPU_SET_S(first, size, set);
        if (*list++ != ',')
            return;
    }
}

struct order {
    cpu_set_t *open;   /* may still be given in this round */
    cpu_set_t *later;  /* second thread of a core that is taken */
    cpu_set_t *group;  /* scratch: a package's CPUs */
    cpu_set_t *twins;  /* scratch: a core's CPUs */
    size_t size;
    int *cpus;
    unsigned n, max;
};

static void take(struct order *o, unsigned cpu)
{
    if (core_topology_claim(cpu))
        o->cpus[o->n++] = (int)cpu;
    CPU_CLR_S(cpu, o->size, o->open);
    core_topology_domain(cpu, CORE_DOMAIN_CORE, o->twins, o->size);
    CPU_AND_S(o->size, o->twins, o->twins, o->open);
    CPU_XOR_S(o->size, o->open, o->open, o->twins);
    CPU_OR_S(o->size, o->later, o->later, o->twins);
}

/* All open CPUs, package by package. */
static void take_round(struct order *o)
{
    for (unsigned cpu = 0; cpu < o->size * 8 && o->n < o->max; cpu++) {
        if (!CPU_ISSET_S(cpu, o->size, o->open))
            continue;
        core_topology_domain(cpu, CORE_DOMAIN_SOCKET, o->group, o->size);
        take(o, cpu);
        for (unsigned near = cpu + 1; near < o->size * 8 && o->n < o->max; near++)
            if (CPU_ISSET_S(near, o->size, o->group) && CPU_ISSET_S(near, o->size, o->open))
                take(o, near);
    }
}

unsigned core_topology_order(int *cpus, unsigned n)
{
    struct order o = {.cpus = cpus, .max = n};
    cpu_set_t *swap;

    o.open = core_topology_mask(0, &o.size);
    if (!o.open)
        return 0;
    o.later = CPU_ALLOC(o.size * 8);
    o.group = CPU_ALLOC(o.size * 8);
    o.twins = CPU_ALLOC(o.size * 8);
    if (o.later && o.group && o.twins)
        do {
            CPU_ZERO_S(o.size, o.later);
            take_round(&o);
            swap = o.open;
            o.open = o.later;
            o.later = swap;
        } while (o.n < o.max && CPU_COUNT_S(o.size, o.open) > 0);
    CPU_FREE(o.open);
    CPU_FREE(o.later);
    CPU_FREE(o.group);
    CPU_FREE(o.twins);
    return o.n;
}
