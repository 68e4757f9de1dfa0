/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffers of operations under way (watch.h): a checksum when the program must let go of one, compared when the library
 * writes to it, and when the program may have it back. Between these the program runs, or the operation's own data
 * come.
 */
#include "mpi/check/watch.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/site.h"
#include "core/check/landing.h"
#include "mpi/check/own.h"
#include "mpi/check/watch_tree.h"

enum { WINDOW_MOST = 1 << 11 }; /* watches in a chain: an epoch of more operations is looked at in part */

static struct mpii_check_state *const state = &mpii_state.check;

static struct mpii_watch **chain_of(const void *owner)
{
    uintptr_t n = (uintptr_t)owner;

    return &state->chain[(n >> 4 ^ n >> 8 ^ n >> 14) % MPII_WATCH_CHAINS];
}

/* ---------------------------------------------------------------- findings -- */

/* Some callers know it as their body's. */
static struct call_name {
    char text[40];
} name_of(const struct mpii_watch *w)
{
    struct call_name name;

    if (strncmp(w->call, "mpii_", 5) == 0)
        snprintf(name.text, sizeof name.text, "MPI_%s", w->call + 5);
    else
        snprintf(name.text, sizeof name.text, "%s", w->call);
    return name;
}

static const char *way_name(const struct mpii_watch *w)
{
    return w->way == MPII_WATCH_READS ? "sent from" : "received into";
}

static void say_place(struct core_finding *f, const struct mpii_watch *w)
{
    core_finding_at(f, core_me(), w->site ? w->site : core_site(), "%s: %s = %p, %lld bytes", name_of(w).text, w->arg,
                    w->region.buf, (long long)(w->region.count * w->region.type->size));
}

static void say_touched(struct mpii_watch *w, const char *what, const char *when)
{
    struct core_finding f;

    w->said = true;
    core_finding_begin(&f, CORE_FINDING_BUFFER, w->win ? "MPI-5.0, 12.3" : "MPI-5.0, 3.7.2",
                       "%s: %s %s before the operation was complete", name_of(w).text, w->arg, what);
    say_place(&f, w);
    core_finding_at(&f, core_me(), core_site(), "%s", when);
    core_finding_end(&f);
}

static void say_overlap(struct mpii_watch *w, struct mpii_watch *other)
{
    struct core_finding f;

    if (w->owner == other->owner && !w->win)
        core_finding_begin(&f, CORE_FINDING_OVERLAP, "MPI-5.0, 2.3 and 6",
                           "%s: what is %s (%s) and what is %s (%s) overlap", name_of(w).text, way_name(other),
                           other->arg, way_name(w), w->arg);
    else
        core_finding_begin(&f, CORE_FINDING_OVERLAP, "MPI-5.0, 3.7.2", "%s: %s overlaps what %s, under way, %s",
                           name_of(w).text, w->arg, name_of(other).text,
                           other->way == MPII_WATCH_READS ? "sends" : "receives");
    say_place(&f, w);
    say_place(&f, other);
    core_finding_end(&f);
}

/* ----------------------------------------------------------------- overlaps -- */

/* Results of several one-sided calls may be of no interest to the program, and all go to one place. */
static bool is_conflict(const struct mpii_watch *a, const struct mpii_watch *b)
{
    if (a->way == MPII_WATCH_READS && b->way == MPII_WATCH_READS)
        return false;
    return !(a->win && b->win && a->way == b->way && a->region.low == b->region.low);
}

/* Both are of no use for more findings then. */
static bool look(struct mpii_watch *w, struct mpii_watch *other)
{
    if ((w->way == MPII_WATCH_READS && other->way == MPII_WATCH_READS) || w->said ||
        !mpii_regions_meet(&w->region, &other->region))
        return !w->said;
    if (is_conflict(w, other) && !other->said)
        say_overlap(w, other);
    w->said = other->said = true;
    return w->win != NULL; /* what its data have come to, too, has changed */
}

static void begin(struct mpii_watch *w)
{
    w->on = true;
    w->said = false;
    mpii_watch_tree_add(w);
    mpii_watch_tree_meet(w, look);
}

static void say_twice(struct mpii_watch *w)
{
    struct core_finding f;

    w->said = true;
    core_finding_begin(&f, CORE_FINDING_OVERLAP, "MPI-5.0, 5.1.11",
                       "%s: the datatype of %s describes memory more than once", name_of(w).text, w->arg);
    core_finding_advise(&f, "receive with a datatype whose entries do not overlap");
    say_place(&f, w);
    core_finding_end(&f);
}

/* ---------------------------------------------------------------- the watch -- */

static struct mpii_watch *make(void)
{
    struct mpii_watch *w = state->unused;

    if (!w)
        return calloc(1, sizeof *w);
    state->unused = w->next;
    state->n_unused--;
    memset(w, 0, sizeof *w);
    return w;
}

static void unmake(struct mpii_watch *w)
{
    if (state->n_unused == MPII_WATCH_UNUSED) {
        free(w);
        return;
    }
    w->next = state->unused;
    state->unused = w;
    state->n_unused++;
}

struct mpii_watch *mpii_watch_add(const void *owner, const char *call, enum mpii_watch_way way, const char *arg,
                                  const void *buf, MPI_Count count, struct mpii_type *t)
{
    struct mpii_watch *w, **chain = chain_of(owner);

    if (count <= 0 || !t || t->size == 0)
        return NULL;
    w = make();
    if (!w)
        return NULL;
    mpii_region_set(&w->region, buf, count, t);
    if (!t->basic)
        mpii_type_hold(t);
    w->owner = owner;
    w->call = call;
    w->arg = arg;
    w->way = (uint8_t)way;
    state->length[chain - state->chain]++;
    w->next = *chain;
    *chain = w;
    return w;
}

static void stop(struct mpii_watch *w)
{
    if (MPT_UNLIKELY(w->landing))
        core_landing_remove(w);
    w->landing = false;
    if (w->on)
        mpii_watch_tree_remove(w);
    w->on = w->known = w->landed = false;
    w->opened = 0;
}

static void drop_at(struct mpii_watch **at)
{
    struct mpii_watch *w = *at;

    stop(w);
    *at = w->next;
    state->length[chain_of(w->owner) - state->chain]--;
    if (w->win && w->owner != w->win)
        state->requested--;
    if (!w->region.type->basic)
        mpii_type_release(w->region.type);
    unmake(w);
}

void mpii_watch_drop(const void *owner)
{
    for (struct mpii_watch **at = chain_of(owner); *at;)
        if ((*at)->owner == owner)
            drop_at(at);
        else
            at = &(*at)->next;
}

static void compare(struct mpii_watch *w, struct core_memory_pages *pages, const char *when)
{
    uint64_t sum;

    if (!w->known || w->said)
        return;
    if (!mpii_region_sum(&w->region, pages, &sum))
        say_touched(w, "was given back to the system", when);
    else if (sum != w->sum)
        say_touched(w, w->way == MPII_WATCH_READS ? "was changed" : "was changed by the program", when);
}

/* What is to come there is not the program's to read before the operation is complete. */
static void expect(struct mpii_watch *w)
{
    enum { FEW = 32 };
    struct mpii_block blocks[FEW];
    struct core_landing l = {.owner = w, .kind = CORE_FINDING_BUFFER};
    MPI_Count done;
    int n;

    if (MPT_LIKELY(!core_landing_on()) || w->way != MPII_WATCH_WRITES || w->said)
        return;
    n = mpii_blocks(w->region.count, w->region.type, 0, blocks, FEW, &done);
    if (done != w->region.count * w->region.type->size)
        return;
    l.site = w->site ? w->site : core_site();
    memcpy(l.call, name_of(w).text, sizeof l.call);
    l.arg = w->arg;
    l.rule = w->win ? "MPI-5.0, 12.3" : "MPI-5.0, 3.7.2";
    for (int i = 0; i < n; i++) {
        l.lo = (uintptr_t)w->region.buf + (uintptr_t)blocks[i].at;
        l.n = (size_t)blocks[i].n;
        core_landing_add(&l);
    }
    w->landing = true;
}

static void start_one(struct mpii_watch *w, uintptr_t site, struct core_memory_pages *pages)
{
    w->site = site;
    w->landed = false;
    begin(w);
    if (w->way == MPII_WATCH_WRITES && !w->said && mpii_region_meets_itself(&w->region))
        say_twice(w);
    w->known = mpii_region_sum(&w->region, pages, &w->sum);
    expect(w);
    if (core_race_on())
        mpii_own_tell(w, site);
}

void mpii_watch_start(const void *owner, uintptr_t site)
{
    struct core_memory_pages pages = {0};

    if (site == 0)
        site = core_site();

    for (struct mpii_watch *w = *chain_of(owner); w; w = w->next)
        if (w->owner == owner && !w->on)
            start_one(w, site, &pages);
}

/* Is it one of the owner's (at buf, unless that is NULL)? */
static bool is_owned(const struct mpii_watch *w, const void *owner, const void *buf)
{
    return w->owner == owner && (!buf || w->region.buf == buf);
}

void mpii_watch_arrives_at(const void *owner, const void *buf)
{
    struct core_memory_pages pages = {0};

    for (struct mpii_watch *w = *chain_of(owner); w; w = w->next)
        if (is_owned(w, owner, buf) && w->on && w->way == MPII_WATCH_WRITES && !w->landed)
            compare(w, &pages, "its message came by now");
}

void mpii_watch_arrives(const void *owner)
{
    mpii_watch_arrives_at(owner, NULL);
}

void mpii_watch_landed_at(const void *owner, const void *buf)
{
    struct core_memory_pages pages = {0};

    for (struct mpii_watch *w = *chain_of(owner); w; w = w->next)
        if (is_owned(w, owner, buf) && w->on && w->way == MPII_WATCH_WRITES && !w->landed) {
            w->landed = true;
            w->known = mpii_region_sum(&w->region, &pages, &w->sum);
        }
}

void mpii_watch_landed(const void *owner)
{
    mpii_watch_landed_at(owner, NULL);
}

static bool is_result(const struct mpii_watch *w, const void *owner)
{
    return w->owner == owner && w->on && w->way == MPII_WATCH_WRITES && !w->landed;
}

void mpii_watch_opens(const void *owner)
{
    struct core_memory_pages pages = {0};

    for (struct mpii_watch *w = *chain_of(owner); w; w = w->next)
        if (is_result(w, owner)) {
            compare(w, &pages, "the library came to it by now");
            w->known = false;
            w->opened++;
        }
}

void mpii_watch_closes(const void *owner)
{
    struct core_memory_pages pages = {0};

    for (struct mpii_watch *w = *chain_of(owner); w; w = w->next)
        if (is_result(w, owner) && w->opened > 0 && --w->opened == 0)
            w->known = mpii_region_sum(&w->region, &pages, &w->sum);
}

/* What has not landed may be half written. */
static void end_one(struct mpii_watch *w, struct core_memory_pages *pages)
{
    if (w->on && (w->way == MPII_WATCH_READS || w->landed))
        compare(w, pages, "was completed here");
    if (core_race_on() && w->on && (w->way == MPII_WATCH_WRITES || w->win) && !w->said)
        mpii_own_tell(w, w->site);
    if (core_race_on() && w->win && w->owner != w->win) /* a request: what it brings is there */
        core_race_came_back();
    stop(w);
}

void mpii_watch_end_at(const void *owner, const void *buf)
{
    struct core_memory_pages pages = {0};

    for (struct mpii_watch *w = *chain_of(owner); w; w = w->next)
        if (is_owned(w, owner, buf))
            end_one(w, &pages);
}

void mpii_watch_end(const void *owner)
{
    mpii_watch_end_at(owner, NULL);
}

const struct mpii_watch *mpii_watch_of(const void *owner)
{
    const struct mpii_watch *w = *chain_of(owner);

    while (w && w->owner != owner)
        w = w->next;
    return w;
}

/* It reads now, and writes when it ends. */
static void tell_of_pass(const struct mpii_watch *w)
{
    if (w->way == MPII_WATCH_READS)
        mpii_own_tell(w, 0);
    else
        mpii_own_keep(w);
}

void mpii_watch_pass(const void *owner)
{
    mpii_own_forget();
    for (struct mpii_watch *w = *chain_of(owner); w; w = w->next)
        if (w->owner == owner) {
            begin(w);
            if (w->way == MPII_WATCH_WRITES && !w->said && mpii_region_meets_itself(&w->region))
                say_twice(w);
            if (core_race_on())
                tell_of_pass(w);
        }
    mpii_watch_drop(owner);
}

/* ----------------------------------------------------------------- requests -- */

void mpii_watch_then(struct mpii_request *r)
{
    if (r->freed)
        mpii_watch_drop(r);
    else
        mpii_watch_landed(r);
}

void mpii_watch_request(struct mpii_request *r)
{
    r->then = mpii_watch_then;
}

/* ------------------------------------------------------------------ windows -- */

void mpii_watch_one_sided(const struct mpii_watch_operation *op, enum mpii_watch_way way, const char *arg,
                          const void *buf, MPI_Count count, struct mpii_type *t)
{
    const void *owner = op->request ? (const void *)op->request : (const void *)op->win;
    struct core_memory_pages pages = {0};
    struct mpii_watch *watch = state->length[chain_of(owner) - state->chain] < WINDOW_MOST
                                   ? mpii_watch_add(owner, op->call, way, arg, buf, count, t)
                                   : NULL;

    if (!watch && op->request && core_race_on())
        core_race_came_back();
    if (!watch)
        return;
    watch->win = op->win;
    watch->rank = op->rank;
    state->requested += op->request != NULL;
    watch->site = op->site;
    begin(watch);
    watch->landed = op->done;
    watch->known =
        (way == MPII_WATCH_READS || op->done) && mpii_region_sum(&watch->region, op->done ? NULL : &pages, &watch->sum);
    expect(watch);
    if (core_race_on())
        mpii_own_tell(watch, op->site);
}

static bool is_of(const struct mpii_watch *watch, const struct mpii_win *w, int from, int to)
{
    return watch->win == w && watch->rank >= from && watch->rank < to;
}

static void complete(struct mpii_watch **chain, const struct mpii_win *w, int from, int to,
                     struct core_memory_pages *pages)
{
    unsigned ends = 0;

    for (const struct mpii_watch *watch = *chain; watch; watch = watch->next)
        ends += watch->on && is_of(watch, w, from, to);
    if (ends == state->under_way)
        mpii_watch_tree_clear();
    for (struct mpii_watch **at = chain; *at;)
        if (is_of(*at, w, from, to)) {
            end_one(*at, pages);
            drop_at(at);
        } else {
            at = &(*at)->next;
        }
}

void mpii_watch_completed(const struct mpii_win *w, int from, int to)
{
    struct core_memory_pages pages = {0};

    if (state->requested == 0) {
        complete(chain_of(w), w, from, to, &pages);
        return;
    }
    for (int i = 0; i < MPII_WATCH_CHAINS; i++)
        complete(&state->chain[i], w, from, to, &pages);
}
