/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many cores there are for us: the affinity mask, cut by the CPU quota of
 * the cgroups (containers), version 2 and version 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/topo/topology.h"

int core_topology_read(const char *path, char *text, size_t n)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC), rc = 0;
    ssize_t got;

    if (fd < 0)
        return -errno;
    got = read(fd, text, n - 1);
    if (got < 0)
        rc = -errno;
    else
        text[got] = '\0';
    close(fd);
    return rc;
}

cpu_set_t *core_topology_mask(pid_t pid, size_t *size)
{
    /* The kernel refuses a set smaller than its own. */
    for (int cpus = CPU_SETSIZE; cpus <= 1 << 20; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC(cpus);

        *size = CPU_ALLOC_SIZE(cpus);
        if (!set)
            return NULL;
        CPU_ZERO_S(*size, set);
        if (sched_getaffinity(pid, *size, set) == 0)
            return set;
        CPU_FREE(set);
        if (errno != EINVAL)
            return NULL;
    }
    return NULL;
}

/* Cores granted by the group in `dir`, rounded up: its quota is in one file with the period, or in two (version 1). */
static void look_at_quota(const char *dir, void *arg)
{
    char path[PATH_MAX + 32], text[64];
    unsigned *best = arg, cores;
    long quota, period;
    char *end;
    bool two;

    snprintf(path, sizeof path, "%s/cpu.max", dir);
    two = core_topology_read(path, text, sizeof text) != 0;
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", dir);
    if (two && core_topology_read(path, text, sizeof text) != 0)
        return;
    quota = strtol(text, &end, 10); /* "max" and -1 mean none */
    if (end == text || quota <= 0)
        return;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", dir);
    if (two && core_topology_read(path, text, sizeof text) != 0)
        return;
    period = strtol(two ? text : end, NULL, 10);
    cores = period > 0 ? (unsigned)((quota + period - 1) / period) : 0;
    if (cores && (!*best || cores < *best))
        *best = cores;
}

unsigned core_topology_quota(void)
{
    unsigned best = 0;

    core_topology_groups("cpu", look_at_quota, &best);
    return best;
}

unsigned core_topology_cores(void)
{
    size_t size;
    cpu_set_t *set = core_topology_mask(0, &size);
    unsigned cores, quota = core_topology_quota();
    long online;

    if (set)
        cores = (unsigned)CPU_COUNT_S(size, set);
    else
        cores = (online = sysconf(_SC_NPROCESSORS_ONLN)) > 0 ? (unsigned)online : 1;
    CPU_FREE(set);
    return quota && quota < cores ? quota : cores;
}
