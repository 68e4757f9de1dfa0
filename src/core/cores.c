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

#include "core/topology.h"

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

/* Where each version keeps a group's quota. A version-1 controller may be
 * mounted alone or with cpuacct. */
static const struct {
    const char *controllers; /* field of /proc/self/cgroup that leads to the group */
    const char *mount, *quota, *period; /* period NULL: second number of the quota file */
} sources[] = {
    {"", "/sys/fs/cgroup", "cpu.max", NULL},
    {"", "/sys/fs/cgroup/unified", "cpu.max", NULL},
    {"cpu", "/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "cpu.cfs_period_us"},
    {"cpu,cpuacct", "/sys/fs/cgroup/cpu,cpuacct", "cpu.cfs_quota_us", "cpu.cfs_period_us"},
};

/* Cores granted by the group in `dir`, rounded up; 0 for no limit. */
static unsigned group_quota(const char *dir, unsigned source)
{
    char path[PATH_MAX + 32], text[64];
    long quota, period = 0;
    char *end;

    snprintf(path, sizeof path, "%s/%s", dir, sources[source].quota);
    if (core_topology_read(path, text, sizeof text))
        return 0;
    quota = strtol(text, &end, 10); /* "max" and -1 mean none */
    if (end == text || quota <= 0)
        return 0;
    if (sources[source].period) {
        snprintf(path, sizeof path, "%s/%s", dir, sources[source].period);
        if (core_topology_read(path, text, sizeof text))
            return 0;
        end = text;
    }
    period = strtol(end, NULL, 10);
    return period > 0 ? (unsigned)((quota + period - 1) / period) : 0;
}

/* The tightest quota of group `path` and those above it. A container often sees
 * its own group as the root, whatever the path says, so the root counts too. */
static unsigned path_quota(unsigned source, const char *path, unsigned best)
{
    char dir[PATH_MAX];
    size_t root = strlen(sources[source].mount), n;

    if (root + strlen(path) >= sizeof dir)
        return best;
    n = (size_t)snprintf(dir, sizeof dir, "%s%s", sources[source].mount, path[1] ? path : "");
    for (;;) {
        unsigned q = group_quota(dir, source);

        if (q && (!best || q < best))
            best = q;
        while (n > root && dir[--n] != '/')
            ;
        if (n <= root && dir[root] == '\0')
            return best;
        dir[n] = '\0';
    }
}

unsigned core_topology_quota(void)
{
    char text[8192], *line, *save;
    unsigned best = 0;

    if (core_topology_read("/proc/self/cgroup", text, sizeof text))
        return 0;
    /* Lines "<hierarchy>:<controllers>:<path>". */
    for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *controllers = strchr(line, ':'), *path;

        if (!controllers || !(path = strchr(++controllers, ':')))
            continue;
        *path++ = '\0';
        for (unsigned i = 0; i < sizeof sources / sizeof *sources; i++)
            if (strcmp(controllers, sources[i].controllers) == 0)
                best = path_quota(i, path, best);
    }
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
