/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receiving: finding a message in the queue and waiting for one. Whatever else the
 * task has to do when it asks for messages is done here: handlers run, the ends of
 * tasks are noticed, the end of the machine too.
 */

#include "core/base/clock.h"
#include "pvm/msg/fastpath.h"

enum { LOOK_EVERY = 16 };

void pvmi_attend(void)
{
    pvmi.msg.due = false;
    pvmi_notify_look();
    pvmi_handler_run();
}

/* True when that may have changed the queue. */
static bool attend(void)
{
    if (MPT_LIKELY(!pvmi.msg.due))
        return false;
    pvmi_attend();
    return true;
}

static struct pvmi_msg *find(struct pvmi_wanted *want)
{
    if (MPT_UNLIKELY(want->by_program))
        return pvmi_find_chosen(want);
    return pvmi_queue_find(want->tid, want->tag, want->context, want->take);
}

struct pvmi_msg *pvmi_look_now(struct pvmi_wanted *want, const char *where)
{
    struct pvmi_msg *m;

    attend();
    if ((m = find(want)) || want->failed) {
        core_test_found(&pvmi.msg.tests);
        return m;
    }
    if (pvmi.msg.watched && pvmi.msg.tests % LOOK_EVERY == 0)
        pvmi.msg.due = true;
    if (core_progress() > 0 || pvmi.msg.due) {
        attend();
        m = find(want);
    }
    if (m) {
        core_test_found(&pvmi.msg.tests);
        return m;
    }
    core_test_failed(&pvmi.msg.tests, where, &(struct core_blocked_by){NULL, pvmi_say_wanted, want});
    pvmi_outside();
    return NULL;
}

/* The first looks of a wait, while others need no turn: at who is asked for, or at each when they are few. NULL:
 * wait in the usual way. */
static struct pvmi_msg *fast(struct pvmi_wanted *want)
{
    bool any = want->tid == -1;
    struct core_peer *first, *end;

    if (++pvmi.msg.waits % 32 == 0 || (!any && want->slot < 0) || want->by_program || !want->take ||
        pvmi.msg.set_handlers || !core_fast_senders(any ? -1 : want->slot, &first, &end))
        return NULL;
    for (unsigned looks = 0; looks <= core_wait_tight_looks(); looks++) {
        enum pvmi_fast found = PVMI_FAST_NOTHING;

        for (struct core_peer *p = first; p < end && found != PVMI_FAST_OTHER; p++) {
            struct pvmi_msg *m = pvmi_fast_take(p, want, &found);

            if (m)
                return m;
        }
        if (found == PVMI_FAST_OTHER)
            return NULL;
        core_relax();
    }
    return NULL;
}

/* PvmPollSleep: so many looks before the first thing that could give the core away. */
static struct pvmi_msg *poll_first(struct pvmi_wanted *want)
{
    struct pvmi_msg *m = NULL;
    int n = pvmi.opt[PvmPollType] == PvmPollSleep ? pvmi.opt[PvmPollTime] : 0;

    while (!m && !want->failed && n-- > 0)
        if (core_progress() > 0) {
            attend();
            m = find(want);
        }
    return m;
}

/* A time limit as a moment; never: INT64_MAX. */
static int64_t end_of(const struct timeval *limit)
{
    int64_t us, now;

    if (!limit)
        return INT64_MAX;
    now = (int64_t)core_clock_us();
    if (__builtin_mul_overflow((int64_t)limit->tv_sec, 1000000, &us) ||
        __builtin_add_overflow(us, (int64_t)limit->tv_usec, &us) || __builtin_add_overflow(us, now, &us))
        return limit->tv_sec < 0 ? now : INT64_MAX;
    return us;
}

/* False when the time is over. A sleep ends in time. */
static bool in_time(struct core_waiter *w, int64_t end)
{
    int64_t left;

    if (MPT_LIKELY(end == INT64_MAX))
        return true;
    left = end - (int64_t)core_clock_us();
    if (left <= 0)
        return false;
    core_wait_timed(w);
    core_wait_limit(w, (uint64_t)left * 1000);
    return true;
}

/* Now and then, while nothing comes. `where` NULL: the wait has a limit. */
static void look_around(const char *where)
{
    pvmi_machine_check(where);
    if (pvmi.msg.watched)
        pvmi.msg.due = true;
}

struct pvmi_msg *pvmi_wait_wanted(struct pvmi_wanted *want, const struct timeval *limit, const char *where)
{
    const struct core_blocked_by by = {NULL, pvmi_say_wanted, want};
    struct core_waiter w;
    struct pvmi_msg *m;
    int64_t end;
    unsigned pauses = 0;
    bool news;

    core_acted();
    attend();
    if ((m = find(want)) || want->failed || (m = fast(want)) || (m = poll_first(want)))
        return m;
    end = end_of(limit);
    core_wait_begin(&w, where);
    core_wait_by(&w, &by);
    while (in_time(&w, end)) {
        core_wait_pause(&w); /* makes progress */
        if (MPT_UNLIKELY(core_wait_is_slow(&w)) && ++pauses % LOOK_EVERY == 0)
            look_around(end == INT64_MAX ? where : NULL);
        news = pvmi.msg.newcomers.first;
        if (MPT_UNLIKELY(pvmi.msg.due)) { /* handlers may wait, and look through newcomers */
            core_wait_end(&w);
            news = attend();
            core_wait_begin(&w, where);
            core_wait_by(&w, &by);
        }
        if (news && ((m = find(want)) || want->failed))
            break;
    }
    core_wait_end(&w);
    pvmi_outside();
    return m;
}

struct pvmi_msg *pvmi_match(int tid, int tag, int context)
{
    return pvmi_look_now(&(struct pvmi_wanted){.tid = tid, .tag = tag, .context = context, .take = true}, NULL);
}

struct pvmi_msg *pvmi_wait(int tid, int tag, int context, const struct timeval *limit, const char *where)
{
    return pvmi_wait_wanted(
        &(struct pvmi_wanted){.tid = tid, .tag = tag, .context = context, .slot = pvmi_slot_of(tid), .take = true},
        limit, where);
}
