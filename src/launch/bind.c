/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which CPUs each PE may use. A lone PE and PEs that outnumber the cores, or the
 * cores that other jobs have left, are left to the scheduler, which then does
 * better; unless the user asked for sockets, NUMA nodes or caches, which many can share.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/param.h"
#include "core/topo/topology.h"
#include "launch/launch.h"

/* A PE that will run threads needs as many cores. Only a plain number counts. */
static unsigned threads_each(const struct launch_options *o)
{
    const char *text = core_param_foreign("OMP_NUM_THREADS");
    long n = o->cpus_each ? (long)o->cpus_each : text ? strtol(text, NULL, 10) : 1;

    return n > 1 && n < 65536 ? (unsigned)n : 1;
}

static bool is_wide(const struct launch_options *o)
{
    return o->bind_domain > CORE_DOMAIN_CORE;
}

/* The first CPU of `from` that is still there and not in `seen`; n: none. */
static unsigned next_unseen(const int *from, unsigned n, const cpu_set_t *seen, size_t size)
{
    for (unsigned i = 0; i < n; i++)
        if (from[i] >= 0 && !CPU_ISSET_S((size_t)from[i], size, seen))
            return i;
    return n;
}

/* n CPUs in an order that takes one of each domain before the second of any. */
static void take_turns(int *cpus, unsigned n, enum core_domain domain)
{
    size_t size;
    cpu_set_t *seen = core_topology_mask(0, &size), *same = seen ? CPU_ALLOC(size * 8) : NULL;
    int *from = malloc(n * sizeof *from);

    for (unsigned i = 0; from && i < n; i++)
        from[i] = cpus[i];
    for (unsigned k = 0; from && same && k < n; k++) {
        unsigned i = k ? next_unseen(from, n, seen, size) : n;

        if (i == n) { /* a new round */
            CPU_ZERO_S(size, seen);
            i = next_unseen(from, n, seen, size);
        }
        cpus[k] = from[i];
        core_topology_domain((unsigned)from[i], domain, same, size);
        CPU_OR_S(size, seen, seen, same);
        from[i] = -1;
    }
    free(from);
    CPU_FREE(same);
    CPU_FREE(seen);
}

/* As core_topology_order, one of each domain in turn. */
static unsigned order_by(int *cpus, unsigned n, unsigned ncores, enum core_domain domain)
{
    int *all = malloc(ncores * sizeof *all);
    unsigned found = all ? core_topology_order(all, ncores) : 0, taken = 0;

    take_turns(all, found, domain);
    core_topology_release();
    for (unsigned i = 0; i < found && taken < n; i++)
        if (core_topology_claim((unsigned)all[i]))
            cpus[taken++] = all[i];
    free(all);
    return taken;
}

static unsigned choose(const struct launch *l, unsigned want)
{
    enum core_domain turns = l->options.map_domain;

    return turns ? order_by(l->cpus, want, l->ncores, turns) : core_topology_order(l->cpus, want);
}

void launch_bind_plan(struct launch *l)
{
    const struct launch_options *o = &l->options;
    unsigned each = threads_each(o);
    uint64_t want = (uint64_t)l->processes * each;
    bool on = o->bind == BIND_YES || (o->bind == BIND_DEFAULT && core_params.bind && l->npes > 1);

    if (!on || (want > l->ncores && !is_wide(o)))
        return;
    l->cpus = malloc(want * sizeof *l->cpus);
    if (!l->cpus)
        return;
    unsigned found = choose(l, want < l->ncores ? (unsigned)want : l->ncores);
    if (found == 0 || (found < want && !is_wide(o))) {
        /* Other jobs are bound to the rest: PEs that spun would take their time. */
        core_topology_release();
        l->header->ncores = found ? found : 1;
        free(l->cpus);
        l->cpus = NULL;
        return;
    }
    for (uint64_t i = found; i < want; i++)
        l->cpus[i] = l->cpus[i % found];
    l->cpus_each = each;
}

void launch_bind_mask(const struct launch *l, unsigned process, cpu_set_t *mask, size_t size)
{
    cpu_set_t *wide = is_wide(&l->options) ? CPU_ALLOC(size * 8) : NULL, *ours;
    size_t ours_size;

    CPU_ZERO_S(size, mask);
    for (unsigned i = 0; i < l->cpus_each; i++) {
        unsigned cpu = (unsigned)l->cpus[process * l->cpus_each + i];

        CPU_SET_S(cpu, size, mask);
        if (!wide)
            continue;
        core_topology_domain(cpu, l->options.bind_domain, wide, size);
        CPU_OR_S(size, mask, mask, wide);
    }
    CPU_FREE(wide);
    ours = wide ? core_topology_mask(0, &ours_size) : NULL; /* not CPUs that were taken from us */
    if (ours && ours_size == size)
        CPU_AND_S(size, mask, mask, ours);
    CPU_FREE(ours);
}

/* ---------------------------------------------------------------- for people -- */

/* The CPUs of a set as the kernel writes them: 0-3,8. */
static void list(const cpu_set_t *set, size_t size, char *text, size_t n)
{
    size_t used = 0;

    *text = '\0';
    for (unsigned cpu = 0; cpu < size * 8 && used < n; cpu++) {
        unsigned last = cpu;

        if (!CPU_ISSET_S(cpu, size, set))
            continue;
        while (last + 1 < size * 8 && CPU_ISSET_S(last + 1, size, set))
            last++;
        used += (size_t)snprintf(text + used, n - used, last > cpu ? "%s%u-%u" : "%s%u", used ? "," : "", cpu, last);
        cpu = last;
    }
}

void launch_bind_text(const struct launch *l, unsigned process, char *text, size_t n)
{
    static const struct {
        enum core_domain domain;
        const char *name;
    } names[] = {{CORE_DOMAIN_CORE, "core"}, {CORE_DOMAIN_NUMA, "NUMA node"}, {CORE_DOMAIN_SOCKET, "socket"}};
    size_t size, used;
    cpu_set_t *mask = l->cpus ? core_topology_mask(0, &size) : NULL;
    char cpus[128];

    *text = '\0';
    if (!mask)
        return;
    launch_bind_mask(l, process, mask, size);
    list(mask, size, cpus, sizeof cpus);
    used = (size_t)snprintf(text, n, ", CPU%s %s", CPU_COUNT_S(size, mask) > 1 ? "s" : "", cpus);
    for (size_t i = 0, told = 0; i < sizeof names / sizeof *names; i++) {
        int number = core_topology_domain_number((unsigned)l->cpus[process * l->cpus_each], names[i].domain);

        if (number < 0 || used >= n || (names[i].domain == CORE_DOMAIN_CORE && CPU_COUNT_S(size, mask) > 1))
            continue;
        used += (size_t)snprintf(text + used, n - used, "%s%s %d", told++ ? ", " : " (", names[i].name, number);
        if (i + 1 == sizeof names / sizeof *names && used < n)
            snprintf(text + used, n - used, ")");
    }
    CPU_FREE(mask);
}
