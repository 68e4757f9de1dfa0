/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a thread that sleeps says of its wait (blocked.h). One place for each thread, taken for the time of the wait.
 */
#include "core/wait/blocked.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "core/base/site.h"
#include "core/internal.h"

static struct core_wire_blocked *own_page(void)
{
    return (struct core_wire_blocked *)(void *)(core_seg->slices + core_seg->idx * core_seg->header->stride +
                                                CORE_BLOCKED_OFFSET);
}

/* ------------------------------------------------------------------- who -- */

static void begin(struct core_wire_blocked_thread *b, enum core_blocked_mode mode)
{
    b->mode = mode;
    b->everybody = 0;
    memset(b->pes, 0, sizeof b->pes);
}

void core_blocked_any(struct core_wire_blocked_thread *b)
{
    begin(b, CORE_BLOCKED_ANY);
}

void core_blocked_all(struct core_wire_blocked_thread *b)
{
    begin(b, CORE_BLOCKED_ALL);
}

void core_blocked_free(struct core_wire_blocked_thread *b)
{
    begin(b, CORE_BLOCKED_FREE);
}

void core_blocked_everybody(struct core_wire_blocked_thread *b)
{
    b->everybody = 1;
}

/* A PE that the set has no room for: any may end the wait, which says least. */
void core_blocked_pe(struct core_wire_blocked_thread *b, int pe)
{
    if (pe >= 0 && pe < CORE_BLOCKED_PES) {
        b->pes[pe / 64] |= 1ul << pe % 64;
    } else if (pe >= core_size() || pe < 0) {
        b->mode = CORE_BLOCKED_FREE; /* of another job */
    } else if (b->mode != CORE_BLOCKED_FREE) {
        b->mode = CORE_BLOCKED_ANY;
        b->everybody = 1;
    }
}

static void by_time(const void *arg, struct core_wire_blocked_thread *b)
{
    (void)arg;
    core_blocked_free(b);
}

const struct core_blocked_by core_blocked_by_time = {.who = by_time};

bool core_blocked_timer(void)
{
    static const struct {
        int which, signal;
    } timers[] = {{ITIMER_REAL, SIGALRM}, {ITIMER_VIRTUAL, SIGVTALRM}, {ITIMER_PROF, SIGPROF}};

    for (size_t i = 0; i < sizeof timers / sizeof *timers; i++) {
        struct itimerval left;
        struct sigaction action;

        if (getitimer(timers[i].which, &left) == 0 && (left.it_value.tv_sec || left.it_value.tv_usec) &&
            sigaction(timers[i].signal, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
            return true;
    }
    return false;
}

static void find_who(const struct core_waiter *w, struct core_wire_blocked_thread *b)
{
    core_blocked_any(b);
    if (core_blocked_timer())
        core_blocked_free(b);
    else if (w->by && w->by->who)
        w->by->who(w->by->arg, b);
    else
        core_blocked_everybody(b);
}

/* ------------------------------------------------------------------- say -- */

void core_blocked_call(struct core_wire_blocked_thread *b, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(b->call, sizeof b->call, fmt, ap);
    va_end(ap);
}

void core_blocked_miss(struct core_wire_blocked_thread *b, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(b->miss, sizeof b->miss, fmt, ap);
    va_end(ap);
}

void core_blocked_say(struct core_wire_blocked_thread *b, const char *where, const struct core_blocked_by *by,
                      uintptr_t site)
{
    snprintf(b->call, sizeof b->call, "%s", where ? where : "a call");
    b->miss[0] = '\0';
    if (by && by->say)
        by->say(by->arg, b);
    core_site_text(site, b->site, sizeof b->site);
}

/* By itself, once a wait is long: a PE that is interrupted can't be asked. Not of a large job, as it takes a
 * millisecond or more. */
static bool is_long(const struct core_waiter *w, const struct core_wire_blocked_thread *b)
{
    enum { LOOKS = 100, MANY = 64 };

    return w->waited_long && b->looks > LOOKS && core_size() <= MANY;
}

static void say(const struct core_waiter *w, struct core_wire_blocked_thread *b)
{
    const bool asked = __atomic_load_n(&core_seg->header->ask_sites, __ATOMIC_ACQUIRE);
    const enum core_blocked_told told = asked           ? CORE_BLOCKED_ASKED
                                        : is_long(w, b) ? CORE_BLOCKED_UNASKED
                                                        : CORE_BLOCKED_UNTOLD;

    if (MPT_LIKELY(b->told >= told))
        return;
    __atomic_store_n(&b->told, CORE_BLOCKED_UNTOLD, __ATOMIC_RELEASE);
    core_blocked_say(b, w->where, w->by, core_site());
    __atomic_store_n(&b->told, told, __ATOMIC_RELEASE);
}

/* ---------------------------------------------------------------- places -- */

struct core_wire_blocked_thread *core_blocked_take(void)
{
    struct core_wire_blocked *page = own_page();

    page->network = core_has_network();
    for (unsigned i = 0; i < CORE_BLOCKED_THREADS; i++) {
        uint32_t none = CORE_BLOCKED_NOT;

        if (__atomic_compare_exchange_n(&page->of[i].mode, &none, CORE_BLOCKED_FREE, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            return &page->of[i];
    }
    return NULL;
}

/* Odd versions: who reads it (by pread) reads again. What is changed is stored after the first, before the second. */
static void begin_change(struct core_wire_blocked_thread *place)
{
    __atomic_store_n(&place->version, place->version + 1, __ATOMIC_RELAXED);
    /* model: seqlock.begin */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void end_change(struct core_wire_blocked_thread *place)
{
    /* model: seqlock.end */
    __atomic_store_n(&place->version, place->version + 1, __ATOMIC_RELEASE);
}

/* What is said is the same as before: only then looks add up. */
static void write_who(struct core_wire_blocked_thread *place, const struct core_wire_blocked_thread *b, bool anew)
{
    if (!anew && place->mode == b->mode && place->everybody == b->everybody &&
        memcmp(place->pes, b->pes, sizeof b->pes) == 0) {
        __atomic_store_n(&place->looks, place->looks + 1, __ATOMIC_RELEASE);
        return;
    }
    begin_change(place);
    place->serial++;
    place->looks = 0;
    place->told = 0;
    place->mode = b->mode;
    place->everybody = b->everybody;
    memcpy(place->pes, b->pes, sizeof b->pes);
    end_change(place);
}

void core_blocked_look(const struct core_waiter *w)
{
    struct core_wire_blocked_thread b, *place = core_thread.wait.blocked.place;
    const bool anew = core_thread.wait.blocked.wait != w;

    if (!core_seg->header || (!place && !(place = core_blocked_take())))
        return;
    core_thread.wait.blocked.place = place;
    core_thread.wait.blocked.wait = w;
    find_who(w, &b);
    write_who(place, &b, anew);
    say(w, place);
}

void core_blocked_give(struct core_wire_blocked_thread *place)
{
    begin_change(place);
    place->serial++;
    place->told = CORE_BLOCKED_UNTOLD;
    place->tests = 0;
    __atomic_store_n(&place->mode, CORE_BLOCKED_NOT, __ATOMIC_RELAXED);
    end_change(place);
}

/* Of a wait inside another one as well: that takes a place again. */
void core_blocked_end(const struct core_waiter *w)
{
    struct core_wire_blocked_thread *place = core_thread.wait.blocked.place;

    if (!place || core_thread.wait.blocked.wait != w)
        return;
    core_thread.wait.blocked.place = NULL;
    core_thread.wait.blocked.wait = NULL;
    core_blocked_give(place);
}
