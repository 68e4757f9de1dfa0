/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cores, caches, NUMA nodes and sockets that a CPU belongs to, from the kernel's own tables.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/topo/topology.h"

/* Files of a CPU's folder: a list of CPUs, and a number. A node is a folder in it (node_of). */
static const struct {
    const char *cpus, *number;
} files[] = {
    [CORE_DOMAIN_CORE] = {"topology/thread_siblings_list", "topology/core_id"},
    [CORE_DOMAIN_L3] = {"cache/index3/shared_cpu_list", "cache/index3/id"},
    [CORE_DOMAIN_SOCKET] = {"topology/core_siblings_list", "topology/physical_package_id"},
};

/* The NUMA node that the folder of a CPU names; -1: none. */
static int node_of(unsigned cpu)
{
    char path[64];
    int node = -1;

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u", cpu);
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && node < 0 && (e = readdir(dir));)
        if (sscanf(e->d_name, "node%d", &node) != 1)
            node = -1;
    if (dir)
        closedir(dir);
    return node;
}

/* Contents of a file of the CPU's folder; false: there is none. */
static bool contents(unsigned cpu, const char *file, char *text, size_t n)
{
    char path[96];

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/%s", cpu, file);
    return core_topology_read(path, text, n) == 0;
}

void core_topology_domain(unsigned cpu, enum core_domain domain, cpu_set_t *set, size_t size)
{
    char text[4096] = "", file[32];

    CPU_ZERO_S(size, set);
    if (domain == CORE_DOMAIN_NUMA) {
        snprintf(file, sizeof file, "node%d/cpulist", node_of(cpu));
        contents(cpu, file, text, sizeof text);
    } else if (domain != CORE_DOMAIN_NONE) {
        contents(cpu, files[domain].cpus, text, sizeof text);
    }
    core_topology_parse(text, set, size);
    CPU_SET_S(cpu, size, set);
}

int core_topology_domain_number(unsigned cpu, enum core_domain domain)
{
    char text[32];

    if (domain == CORE_DOMAIN_NUMA)
        return node_of(cpu);
    return domain != CORE_DOMAIN_NONE && contents(cpu, files[domain].number, text, sizeof text) ? atoi(text) : -1;
}
