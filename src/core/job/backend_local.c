/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs on one machine: made by mptrun, which leaves the memory's descriptor in
 * the environment ("<version>:<fd>:<pe>"), or by the program itself.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/job/foreign.h"
#include "core/live/dead.h"
#include "core/internal.h"

static bool here(void)
{
    return true; /* asked last */
}

static int refuse_foreign_launcher(void)
{
    int rank, size;
    const char *cure, *launcher = core_foreign_launcher(&rank, &size, &cure);
    if (!launcher)
        return 0;
    char who[64] = "";
    if (size > 0)
        snprintf(who, sizeof who, " as process %d of %d", rank, size);
    core_error("this program was started by %s%s, which cannot start PEs of this library; use %s%soshrun -np N program",
               launcher, who, cure ? cure : "", cure ? ", or " : "");
    return -ENOTSUP;
}

static int find_job(int npes_hint, int *fd, unsigned *idx)
{
    const char *wire = core_param_foreign(CORE_WIRE_ENV);
    unsigned version;
    if (wire) {
        if (sscanf(wire, "%u:%d:%u", &version, fd, idx) != 3 || version != CORE_WIRE_VERSION) {
            core_error("%s=%s: not understood; launcher and library must be of the same version", CORE_WIRE_ENV, wire);
            return -EPROTO;
        }
        return 0;
    }
    int rc = refuse_foreign_launcher();
    if (rc != 0)
        return rc;
    int npes = npes_hint > 0 ? npes_hint : core_params.npes > 0 ? (int)core_params.npes : 1;
    rc = core_singleton_start(npes, fd);
    *idx = rc < 0 ? 0 : (unsigned)rc;
    return rc < 0 ? rc : 0;
}

static int join(int npes_hint, struct core_location *location)
{
    int rc = find_job(npes_hint, &location->fd, &location->slice);
    if (rc != 0)
        return rc;
    location->me = (int)location->slice;
    if ((rc = core_segment_size(location->fd, &location->nslices)) != 0)
        return rc;
    location->npes = (int)location->nslices;
    return 0;
}

/* Cards lie in the slices, between the control page's end and the next part. */
static struct core_card *card_in(unsigned slice)
{
    return (struct core_card *)((char *)core_seg->slices + slice * core_seg->header->stride + CORE_CARD_OFFSET);
}
_Static_assert(sizeof(struct core_card) <= CORE_CARD_SIZE, "a card fits where it lies in the slice");

static void wait_for_all(const char *where, void look(const struct core_waiter *w))
{
    struct core_header *h = core_seg->header;
    uint32_t round = core_state.job.local.arrivals += h->npes;
    uint32_t arrived = __atomic_add_fetch(&h->started, 1, __ATOMIC_SEQ_CST);
    if (arrived == round) {
        core_wake_node();
        return;
    }
    struct core_waiter w;
    core_wait_begin(&w, where);
    while ((int32_t)(__atomic_load_n(&h->started, __ATOMIC_ACQUIRE) - round) < 0) {
        core_job_barrier_step();
        core_wait_pause(&w);
        look(&w);
    }
    core_wait_end(&w);
}

static void look_for_gone(const struct core_waiter *w)
{
    core_job_look_for_left(w);
    core_job_look_for_ended(w);
}

/* Where PEs may die nobody can be counted on. */
static bool all_here(uint32_t round)
{
    for (int pe = 0; pe < core_size(); pe++)
        if ((int32_t)(__atomic_load_n(&core_ctrl_of((unsigned)pe)->barriers, __ATOMIC_ACQUIRE) - round) < 0 &&
            !core_pe_dead(pe))
            return false;
    return true;
}

static void survivors_barrier(const char *where)
{
    struct core_waiter w;
    uint32_t round = __atomic_add_fetch(&core_ctrl_of(core_seg->idx)->barriers, 1, __ATOMIC_ACQ_REL);
    core_wake_node();
    core_wait_begin(&w, where);
    while (!all_here(round))
        core_wait_pause(&w);
    core_wait_end(&w);
}

static void barrier(const char *where)
{
    if (core_survivable())
        survivors_barrier(where);
    else
        wait_for_all(where, look_for_gone);
}

/* The first PE that has not handed in its card; -1: there is none. */
static int missing(void)
{
    for (unsigned i = 0; i < core_seg->header->npes; i++)
        if (__atomic_load_n(&card_in(i)->magic, __ATOMIC_ACQUIRE) == 0)
            return (int)i;
    return -1;
}

/* There is no limit, as a PE may do other things before it starts; but the user is told. */
static void look_for_missing(const struct core_waiter *w)
{
    uint64_t *since = &core_state.job.local.since, *told = &core_state.job.local.told, now;
    int pe = w->waited_long ? missing() : -1;
    if (pe < 0)
        return;
    if (core_pe_left(pe)) {
        core_job_be_first();
        core_fatal("waits for PE %d to start, which has exited: PEs that reach each other by a network start together",
                   pe);
    }
    now = core_clock_ms();
    *since = *since ? *since : now;
    if (*told || core_params.timeout == 0 || now - *since < core_params.timeout * 1000ull)
        return;
    *told = now;
    core_error("has waited %u s for PE %d to start, and goes on waiting: PEs that reach each other by a network start "
               "together "
               "(so does the first MPI_Session_init of each)",
               core_params.timeout, pe);
}

static int exchange(const struct core_card *own, const struct core_card **all)
{
    unsigned n = core_seg->header->npes;
    struct core_card *cards = calloc(n, sizeof *cards);
    if (!cards) {
        core_error("no memory for the addresses of %u PEs", n);
        return -ENOMEM;
    }
    *card_in(core_seg->idx) = *own;
    wait_for_all("the exchange of addresses", look_for_missing);
    for (unsigned i = 0; i < n; i++)
        cards[i] = *card_in(i);
    *all = cards;
    return 0;
}

const struct core_backend core_backend_local = {
    .name = "local", .here = here, .join = join, .exchange = exchange, .barrier = barrier};
