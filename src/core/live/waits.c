/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asking for lines, from outside and as a PE (waits.h).
 */
#include "core/live/waits.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/live/supervise.h"

enum { STEP_MS = 5, STEPS = 60 }; /* sleepers look up every 20 ms, of many PEs later */

static off_t site_at(const struct core_watch *w, unsigned pe)
{
    return (off_t)(core_wire_slice(w->header, pe) + CORE_SITE_OFFSET);
}

void core_waits_read(const struct core_watch *w, unsigned pe, struct core_waits_in *in)
{
    struct core_wire_site site;
    struct core_ctrl c;

    memset(in, 0, sizeof *in);
    if (!w->pids[pe])
        return;
    core_watch_read(w, pe, &c);
    memcpy(in->call, c.where, sizeof in->call);
    if (in->call[0] && pread(w->fd, &site, sizeof site, site_at(w, pe)) == (ssize_t)sizeof site && site.told) {
        memcpy(in->site, site.text, sizeof in->site);
        in->site[sizeof in->site - 1] = '\0';
    }
}

static bool all_told(const struct core_watch *w)
{
    for (unsigned pe = 0; pe < w->npes; pe++) {
        struct core_ctrl c;
        uint32_t told;

        if (!w->pids[pe])
            continue;
        core_watch_read(w, pe, &c);
        if (c.where[0] && pread(w->fd, &told, sizeof told, site_at(w, pe)) == (ssize_t)sizeof told && !told)
            return false;
    }
    return true;
}

void core_waits_ask(const struct core_watch *w)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000};

    __atomic_store_n(&w->header->ask_sites, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < STEPS && !all_told(w); i++)
        nanosleep(&step, NULL);
}
