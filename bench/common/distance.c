/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far two CPUs of a machine are from each other, as the kernel tells it in /sys. It stands for the hops between the
 * nodes of machines whose network was the distance.
 */
#include "bench.h"

#include <stdlib.h>

/* True when the list in this file ("0-3,8") of CPU `cpu` has `other`. */
static bool shared(int cpu, const char *file, int other)
{
    char path[128], text[1024];
    const char *at = text;
    FILE *f;

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/%s", cpu, file);
    f = fopen(path, "r");
    if (!f)
        return false;
    if (!fgets(text, sizeof text, f))
        text[0] = '\0';
    fclose(f);
    while (*at >= '0' && *at <= '9') {
        char *end;
        const long first = strtol(at, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;

        if (other >= first && other <= last)
            return true;
        at = *end == ',' ? end + 1 : end;
    }
    return false;
}

const char *bench_distance(int cpu, int other)
{
    static const struct {
        const char *name, *file;
    } levels[] = {
        {"same core", "topology/thread_siblings_list"},
        {"same L2", "cache/index2/shared_cpu_list"},
        {"same L3", "cache/index3/shared_cpu_list"},
        {"same socket", "topology/core_siblings_list"},
    };

    if (cpu == other)
        return "same CPU";
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (shared(cpu, levels[i].file, other))
            return levels[i].name;
    return "other socket";
}
