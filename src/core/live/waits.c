/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asking for lines, from outside and as a PE (waits.h). With MPT_CHECK the PEs say more, of each thread, beside whom
 * they wait for (wait/blocked.h).
 */
#include "core/live/waits.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/param.h"
#include "core/live/supervise.h"

enum { STEP_MS = 5, STEPS = 60 }; /* sleepers look up every 20 ms, of many PEs later */

/* What lies at this place of the PE's slice, of this size, or zeros. */
static bool read_at(const struct core_watch *w, unsigned pe, uint64_t offset, void *p, size_t n)
{
    if (pread(w->fd, p, n, (off_t)(core_wire_slice(w->header, pe) + offset)) == (ssize_t)n)
        return true;
    memset(p, 0, n);
    return false;
}

static void read_site(const struct core_watch *w, unsigned pe, struct core_waits_in *in)
{
    struct core_wire_site site;

    if (!read_at(w, pe, CORE_SITE_OFFSET, &site, sizeof site) || !site.told)
        return;
    memcpy(in->site, site.text, sizeof in->site);
    in->site[sizeof in->site - 1] = '\0';
}

/* ------------------------------------------------------- with MPT_CHECK -- */

static bool is_wait(const struct core_wire_blocked_thread *t)
{
    return t->mode != CORE_BLOCKED_NOT && t->tests == 0;
}

static void take(struct core_waits_in *in, unsigned pe, const struct core_wire_blocked_thread *t)
{
    const uint64_t now = core_clock_ms();

    *in = (struct core_waits_in){.pe = pe, .tests = t->tests};
    if (t->tests) {
        in->ms = t->to_ms - t->from_ms;
        in->ago_ms = now > t->to_ms ? now - t->to_ms : 0;
    }
    memcpy(in->call, t->call, sizeof in->call - 1);
    memcpy(in->site, t->site, sizeof t->site - 1);
    memcpy(in->miss, t->miss, sizeof in->miss - 1);
}

static unsigned read_told(const struct core_watch *w, unsigned pe, struct core_waits_in in[CORE_WAITS_MAX])
{
    struct core_wire_blocked b;
    unsigned n = 0;

    if (!core_params.check || !read_at(w, pe, CORE_BLOCKED_OFFSET, &b, sizeof b))
        return 0;
    for (unsigned i = 0; i < CORE_BLOCKED_THREADS; i++)
        if (b.of[i].mode != CORE_BLOCKED_NOT && b.of[i].told)
            take(&in[n++], pe, &b.of[i]);
    return n;
}

static bool has_told(const struct core_watch *w, unsigned pe)
{
    struct core_wire_blocked b;

    read_at(w, pe, CORE_BLOCKED_OFFSET, &b, sizeof b);
    for (unsigned i = 0; i < CORE_BLOCKED_THREADS; i++)
        if (is_wait(&b.of[i]) && b.of[i].told != CORE_BLOCKED_ASKED)
            return false;
    return true;
}

/* -------------------------------------------------------------- interface -- */

unsigned core_waits_read(const struct core_watch *w, unsigned pe, struct core_waits_in in[CORE_WAITS_MAX])
{
    unsigned n;
    struct core_ctrl c;

    if (!w->pids[pe])
        return 0;
    core_watch_read(w, pe, &c);
    if ((n = read_told(w, pe, in)) > 0 || !c.where[0])
        return n;
    in[0] = (struct core_waits_in){.pe = pe};
    memcpy(in[0].call, c.where, sizeof c.where);
    read_site(w, pe, &in[0]);
    return 1;
}

static bool all_told(const struct core_watch *w)
{
    for (unsigned pe = 0; pe < w->npes; pe++) {
        struct core_wire_site site;
        struct core_ctrl c;

        if (!w->pids[pe])
            continue;
        core_watch_read(w, pe, &c);
        if (core_params.check ? !has_told(w, pe)
                              : c.where[0] && read_at(w, pe, CORE_SITE_OFFSET, &site, sizeof site) && !site.told)
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
