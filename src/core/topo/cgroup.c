/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The control groups this process is in: what each of them allows is looked at
 * by whoever asks. Version 2 has one tree of groups, version 1 one for each
 * controller, or for several that are mounted together.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/topo/topology.h"

#define ROOT "/sys/fs/cgroup"

/* Is it one of the names in this list with commas? */
static bool in_list(const char *list, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, n) == 0 && (at[n] == ',' || at[n] == '\0'))
            return true;
    return false;
}

/* The group `path` and those above it. A container often sees its own group as
 * the root, whatever the path says, so the root counts too. */
static void walk(const char *mount, const char *path, void each(const char *dir, void *arg), void *arg)
{
    char dir[PATH_MAX];
    size_t root = strlen(mount), n;

    if (root + strlen(path) >= sizeof dir)
        return;
    n = (size_t)snprintf(dir, sizeof dir, "%s%s", mount, path[1] ? path : "");
    for (;;) {
        each(dir, arg);
        while (n > root && dir[--n] != '/')
            ;
        if (n <= root && dir[root] == '\0')
            return;
        dir[n] = '\0';
    }
}

void core_topology_groups(const char *controller, void each(const char *dir, void *arg), void *arg)
{
    char text[8192], mount[PATH_MAX], *line, *save;

    if (core_topology_read("/proc/self/cgroup", text, sizeof text))
        return;
    /* Lines "<hierarchy>:<controllers>:<path>"; version 2 has no controllers there. */
    for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *controllers = strchr(line, ':'), *path;

        if (!controllers || !(path = strchr(++controllers, ':')))
            continue;
        *path++ = '\0';
        if (!*controllers) {
            walk(ROOT, path, each, arg);
            walk(ROOT "/unified", path, each, arg);
        } else if (in_list(controllers, controller)) {
            snprintf(mount, sizeof mount, ROOT "/%s", controllers);
            walk(mount, path, each, arg);
            snprintf(mount, sizeof mount, ROOT "/%s", controller);
            if (strcmp(controllers, controller) != 0)
                walk(mount, path, each, arg);
        }
    }
}
