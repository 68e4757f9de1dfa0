/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Limits of the system that a start of many PEs would run into half-way, looked
 * at before the first one is started: descriptors, processes, memory, address
 * space. A job of few PEs looks only at what costs nothing to look at.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/job/start.h"
#include "core/topo/topology.h"

enum {
    FEW = 16,             /* PEs for which no files are read */
    PIDS_RESERVED = 300,  /* numbers that the kernel gives to no user's process */
    PE_LEAST = 192 << 10, /* bytes that the smallest PE takes: pages of its own, page tables, the kernel's */
};
#define NONE UINT64_MAX

/* A limit that may be met. */
struct limit {
    const char *what, *name;
    uint64_t value, need, used; /* `need` is on top of what is used */
    const char *cure;
};

static bool holds(const struct limit *l, char *why, size_t n)
{
    char used[64] = "";

    if (l->value == NONE || (l->need <= l->value && l->used <= l->value - l->need))
        return true;
    if (l->used > 0)
        snprintf(used, sizeof used, " beside %llu in use", (unsigned long long)l->used);
    snprintf(why, n, "%llu %s are needed%s, and %s is %llu; %s", (unsigned long long)l->need, l->what, used, l->name,
             (unsigned long long)l->value, l->cure);
    return false;
}

/* The number in a file; NONE: "max", or there is none. */
static uint64_t number_in(const char *path)
{
    char text[64], *end;
    uint64_t value;

    if (core_topology_read(path, text, sizeof text) != 0)
        return NONE;
    value = strtoull(text, &end, 10);
    return end == text ? NONE : value;
}

static uint64_t rlimit_of(__rlimit_resource_t which, bool hard)
{
    struct rlimit lim;

    if (getrlimit(which, &lim) != 0)
        return NONE;
    return (hard ? lim.rlim_max : lim.rlim_cur) == RLIM_INFINITY ? NONE
                                                                 : (uint64_t)(hard ? lim.rlim_max : lim.rlim_cur);
}

/* Limits on processes and descriptors do not hold for processes with CAP_SYS_RESOURCE. */
static bool privileged(void)
{
    enum { CAP_SYS_RESOURCE = 24 };
    char text[4096], *at;

    if (core_topology_read("/proc/self/status", text, sizeof text) != 0 || !(at = strstr(text, "\nCapEff:")))
        return geteuid() == 0;
    return strtoull(at + strlen("\nCapEff:"), NULL, 16) >> CAP_SYS_RESOURCE & 1;
}

/* ---------------------------------------------------------------- descriptors -- */

uint64_t core_limits_files(void)
{
    return privileged() ? number_in("/proc/sys/fs/nr_open") : rlimit_of(RLIMIT_NOFILE, true);
}

static bool files_allow(const struct core_need *need, char *why, size_t n)
{
    struct limit l = {.what = "open files",
                      .name = "the hard limit on them (ulimit -Hn)",
                      .value = rlimit_of(RLIMIT_NOFILE, true),
                      .need = need->files,
                      .cure = "raise it in /etc/security/limits.conf (nofile), or LimitNOFILE= of the service"};

    if (l.need > l.value && privileged()) {
        l.value = core_limits_files();
        l.name = "fs.nr_open";
        l.cure = "raise it by sysctl";
    }
    return holds(&l, why, n);
}

/* ------------------------------------------------------------------ processes -- */

/* Threads of all processes here, which /proc/loadavg shows behind a slash. */
static uint64_t all_threads(void)
{
    char text[128], *slash;

    if (core_topology_read("/proc/loadavg", text, sizeof text) != 0 || !(slash = strchr(text, '/')))
        return 0;
    return strtoull(slash + 1, NULL, 10);
}

/* Threads of this user's processes. */
static uint64_t own_threads(void)
{
    DIR *dir = opendir("/proc");
    uint64_t n = 0;
    char path[64];
    struct stat st;

    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (!isdigit((unsigned char)e->d_name[0]))
            continue;
        snprintf(path, sizeof path, "/proc/%.20s/task", e->d_name);
        if (stat(path, &st) == 0 && st.st_uid == getuid() && st.st_nlink > 2)
            n += st.st_nlink - 2; /* one link for each thread beside . and .. */
    }
    if (dir)
        closedir(dir);
    return n;
}

static bool user_allows(const struct core_need *need, char *why, size_t n)
{
    struct limit l = {.what = "processes",
                      .name = "the limit on this user's (ulimit -u)",
                      .value = rlimit_of(RLIMIT_NPROC, false),
                      .need = need->npes,
                      .cure = "raise it by ulimit -u, or in /etc/security/limits.conf (nproc)"};

    /* The kernel exempts root as well. A quarter of the limit is not worth a look at all processes. */
    if (l.value == NONE || l.value / 4 > need->npes || getuid() == 0 || privileged())
        return true;
    l.used = own_threads();
    return holds(&l, why, n);
}

static bool kernel_allows(const struct core_need *need, char *why, size_t n)
{
    uint64_t threads = all_threads();
    struct limit pids = {.what = "process numbers",
                         .name = "kernel.pid_max",
                         .value = number_in("/proc/sys/kernel/pid_max"),
                         .need = need->npes,
                         .used = threads + PIDS_RESERVED,
                         .cure = "raise it by sysctl -w kernel.pid_max=4194304"},
                 all = {.what = "processes",
                        .name = "kernel.threads-max",
                        .value = number_in("/proc/sys/kernel/threads-max"),
                        .need = need->npes,
                        .used = threads,
                        .cure = "raise it by sysctl"};

    return holds(&pids, why, n) && holds(&all, why, n);
}

/* --------------------------------------------------------------- control groups -- */

/* The group with the least room for `need` more. */
struct group {
    const char *max, *now; /* files */
    uint64_t room, value, used;
    char dir[PATH_MAX];
};

static void look_at_group(const char *dir, void *arg)
{
    struct group *g = arg;
    char path[PATH_MAX + 32];
    uint64_t value, used;

    snprintf(path, sizeof path, "%s/%s", dir, g->max);
    value = number_in(path);
    snprintf(path, sizeof path, "%s/%s", dir, g->now);
    used = number_in(path);
    if (value == NONE || used == NONE || (used < value ? value - used : 0) >= g->room)
        return;
    g->room = used < value ? value - used : 0;
    g->value = value;
    g->used = used;
    snprintf(g->dir, sizeof g->dir, "%s", dir);
}

static bool groups_allow(const struct core_need *need, char *why, size_t n)
{
    struct group g = {.max = "pids.max", .now = "pids.current", .room = NONE, .value = NONE};
    char name[sizeof g.dir + 16];

    core_topology_groups("pids", look_at_group, &g);
    snprintf(name, sizeof name, "%s/pids.max", g.dir);
    return holds(
        &(struct limit){.what = "processes",
                        .name = name,
                        .value = g.value,
                        .need = need->npes,
                        .used = g.used,
                        .cure = "raise it there, by TasksMax= of the service or --pids-limit of the container"},
        why, n);
}

/* --------------------------------------------------------------------- memory -- */

static uint64_t memory_line(const char *text, const char *name)
{
    const char *at = strstr(text, name);

    return at ? strtoull(at + strlen(name), NULL, 10) << 10 : 0;
}

/* Of a group all that it may have counts: file pages in its use can be given back. */
static bool memory_allows(const struct core_need *need, char *why, size_t n)
{
    struct group two = {.max = "memory.max", .now = "memory.current", .room = NONE},
                 one = {.max = "memory.limit_in_bytes", .now = "memory.usage_in_bytes", .room = NONE};
    uint64_t least = (uint64_t)need->npes * PE_LEAST, room = NONE;
    const char *where = "this machine has";
    char text[8192];

    if (core_topology_read("/proc/meminfo", text, sizeof text) == 0 && strstr(text, "MemAvailable:"))
        room = memory_line(text, "MemAvailable:") + memory_line(text, "SwapFree:");
    core_topology_groups("memory", look_at_group, &two);
    core_topology_groups("memory", look_at_group, &one);
    if (two.room != NONE && two.value < room)
        room = two.value, where = "this control group (memory.max) has";
    if (one.room != NONE && one.value < room)
        room = one.value, where = "this control group (memory.limit_in_bytes) has";
    if (least <= room)
        return true;
    snprintf(why, n, "they take %llu MiB of memory at least, and %s %llu", (unsigned long long)(least >> 20), where,
             (unsigned long long)(room >> 20));
    return false;
}

static bool space_allows(const struct core_need *need, char *why, size_t n)
{
    struct limit l = {.what = "bytes of address space",
                      .name = "the limit of each process (ulimit -v)",
                      .value = rlimit_of(RLIMIT_AS, false),
                      .need = need->space,
                      .cure = "raise it, or lower SHMEM_SYMMETRIC_SIZE and MPT_GLOBALS_MAX"};

    return holds(&l, why, n);
}

bool core_limits_allow(const struct core_need *need, char *why, size_t n)
{
    return space_allows(need, why, n) && files_allow(need, why, n) && user_allows(need, why, n) &&
           (need->npes <= FEW ||
            (kernel_allows(need, why, n) && groups_allow(need, why, n) && memory_allows(need, why, n)));
}
