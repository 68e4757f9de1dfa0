/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Start, end, and the waits of the active messages. They join whatever job there is:
 * other faces of the library may have started it, and may go on after am_disable.
 */
#include <unistd.h>

#include "am/ami.h"
#include "am/trace.h"

struct ami ami;

/* Looks at the last sender's cache line before all are looked at; and how often they are in any case. */
enum { LOOKS = 4, OTHERS = 32 };

static void at_exit(int status, void *arg)
{
    (void)arg;
    if (status != 0 || getpid() != ami.owner || ami.context)
        return;
    if (ami.starts > 0)
        core_job_tell_leaving();
    while (ami.starts > 0)
        ami_core_finish();
}

static int first_start(void)
{
    int rc;

    ami.owner = getpid();
    if (!ami.peer && !(ami.peer = calloc((size_t)core_size(), sizeof *ami.peer))) {
        core_error("am_enable: out of memory");
        return -ENOMEM;
    }
    ami_module_start();
    core_malloc_start();
    coll_init();
    rc = core_channel_open(AMI_CHANNEL, ami_on_mail);
    if (rc != 0) {
        core_error("am_enable: cannot open the channel of messages: %s", strerror(-rc));
        return rc;
    }
    if (!ami.registered && on_exit(at_exit, NULL) == 0)
        ami.registered = true;
    core_job_barrier("am_enable"); /* every PE has opened its channel */
    return 0;
}

int ami_core_start(void)
{
    int rc = core_job_start(0);

    if (rc != 0)
        return rc;
    core_race_blind();
    /* Counted first: who leaves the barrier before us may send at once, and our handlers may answer. */
    if (ami.starts++ == 0 && (rc = first_start()) != 0) {
        ami.starts--;
        core_job_finish();
    }
    return rc;
}

void ami_core_finish(void)
{
    am_quiet();
    core_quiet_all();
    core_job_barrier("am_disable");
    ami.starts--;
    core_job_finish();
}

bool ami_core_started(void)
{
    return ami.starts > 0;
}

bool ami_core_free_to_wait(void)
{
    return !ami.context;
}

int am_enable_job(void)
{
    if (ami_core_start() != 0)
        exit(EXIT_FAILURE); /* core said why */
    return 0;
}

static int no_wait_here(const char *call)
{
    char name[128];

    if (!ami_up())
        return ami_error(AM_E_STATE, -1, NULL, "%s: called before am_enable or after am_disable", call);
    if (!ami.context)
        return 0;
    ami_handler_name(ami.context->handler, name, sizeof name);
    return ami_error(AM_E_RULE, -1, ami.context->handler, "%s: called from inside handler %s, which must not wait",
                     call, name);
}

int am_disable(void)
{
    int rc = no_wait_here("am_disable");

    if (rc == 0)
        ami_core_finish();
    return rc;
}

/* ------------------------------------------------------------------ waits -- */

int ami_core_poll(const char *where)
{
    int n;

    if (MPT_UNLIKELY(!ami.starts || ami.context))
        return 0;
    ami_stepped();
    n = ami_fast();
    if (n == 0 || ++ami.polls % OTHERS == 0)
        n += core_progress();
    if (n > 0)
        core_test_found(&ami.tests);
    else
        core_test_failed(&ami.tests, where, NULL);
    return n;
}

int am_poll(void)
{
    return ami_core_poll("am_poll");
}

static bool all_done(void)
{
    if (ami_due())
        return false;
    for (int pe = 0; pe < core_size(); pe++)
        if (ami.peer[pe].sent != ami.peer[pe].acked)
            return false;
    return true;
}

int am_quiet(void)
{
    struct core_waiter w;
    int rc = no_wait_here("am_quiet");
    AMI_TRACE(t, "am_quiet");
    t.role = CORE_TRACE_SYNC;

    if (rc != 0)
        return rc;
    for (int pe = 0; pe < core_size(); pe++) {
        struct ami_head h = {.kind = AMI_ASK, .words = 1, .done = ami.peer[pe].done};
        am_word sent = ami.peer[pe].sent;

        if (ami.peer[pe].sent != ami.peer[pe].acked &&
            core_send(pe, AMI_CHANNEL, &h, sizeof h, &sent, sizeof sent) != 0)
            core_fatal("am_quiet: PE %d cannot be asked", pe);
    }
    core_wait_begin(&w, "am_quiet");
    while (!all_done()) {
        core_wait_pause(&w);
        ami_stepped();
    }
    core_wait_end(&w);
    return 0;
}

void gam_barrier(void)
{
    AMI_TRACE(t, "gam_barrier");
    if (MPT_UNLIKELY(core_trace_on()))
        ami_trace_together(&t);
    if (no_wait_here("gam_barrier") == 0)
        coll_barrier(COLL_WORLD, "gam_barrier");
}

_Static_assert(sizeof(struct am_waiter) >= sizeof(struct core_waiter), "a waiter fits");

/* Anything may end it: a handler, or memory of this PE that somebody stores into. */
void am_wait_begin(struct am_waiter *w)
{
    const char *bell, *slice;

    if (no_wait_here("am_wait_for") != 0)
        core_job_abort(1); /* it would never end */
    bell = (const char *)mpt_bell_of(mpt_idx(core_me()));
    slice = core_slice_at(core_me(), 0);
    /* What is watched is told by its distance from the bell, so it cannot begin before that. */
    ami_trace_begin(&ami.wait, "am_wait_for", __builtin_return_address(0));
    core_wait_begin_for((struct core_waiter *)w, "am_wait_for", bell, mpt_fast.stride - (size_t)(bell - slice));
}

void am_wait_pause(struct am_waiter *w)
{
    /* Between two looks: an answer comes sooner to whoever does not snatch at its cache line all the time. */
    for (int looks = 0; looks < LOOKS && core_wait_tight_looks() && ++ami.pauses % OTHERS; looks++, core_relax())
        if (ami_fast() > 0)
            return;
    core_wait_pause((struct core_waiter *)w);
    ami_stepped();
}

void am_wait_end(struct am_waiter *w)
{
    core_wait_end((struct core_waiter *)w);
    ami_trace_end(&ami.wait);
}
