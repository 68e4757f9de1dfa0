/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs that run at the same time bind to different CPUs: a CPU is claimed by an
 * abstract socket address, of which there can be one on a machine. It has no
 * name in the file system and is gone with the process that holds it, however
 * that ends.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/state.h"
#include "core/topo/topology.h"

static struct core_topo_state *const topo = &core_state.topo;

bool core_topology_claim(unsigned cpu)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "mpt-cpu-%u", cpu);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return true; /* no sockets here: nobody can know */
    if (bind(fd, (struct sockaddr *)&name, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)) != 0) {
        bool taken = errno == EADDRINUSE;
        close(fd);
        return !taken;
    }
    int *more = realloc(topo->claims, (topo->n_claims + 1) * sizeof *topo->claims);
    if (!more) {
        close(fd);
        return true;
    }
    topo->claims = more;
    topo->claims[topo->n_claims++] = fd;
    return true;
}

void core_topology_release(void)
{
    while (topo->n_claims > 0)
        close(topo->claims[--topo->n_claims]);
    free(topo->claims);
    topo->claims = NULL;
}
