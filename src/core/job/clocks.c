/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first PE of each host asks PE 0 for the time, some times in a row, over the network that the job uses. Of the
 * answers it keeps that with the shortest round trip: PE 0 read its clock at some moment within it, so the middle is
 * wrong by half of it at most (Cristian, "Probabilistic clock synchronization", 1989). It writes a record CLOCK;
 * readers interpolate between these.
 *
 * At the job's start and end all PEs do so together, and PE 0 serves them; in between the first PE of each host asks
 * every so often as a call ends, and what comes meanwhile is answered when PE 0 makes progress. A question that was not
 * answered is dropped with the next row.
 */
#include "core/job/clocks.h"

#include <errno.h>
#include <pthread.h>

#include "core/base/clock.h"
#include "core/channel/internal.h"
#include "core/internal.h"

enum { TOGETHER = 48, MEANWHILE = 12 }; /* questions in a row */
#define EVERY_NS (1ull * CORE_CLOCK_S)  /* rows begin, ... */
#define EACH_NS (20ull * CORE_CLOCK_MS) /* and so much later for each PE of the job: PE 0 answers all */
#define PATIENCE_NS (2ull * CORE_CLOCK_S)

enum kind { ASK, ANSWER };

struct question {
    uint32_t kind, row;
    uint64_t asked; /* ticks of who asks */
    uint64_t ns;    /* the answer: PE 0's time */
};

static struct core_job_clocks *const clocks = &core_state.job.clocks;

static bool asks(void)
{
    return clocks->on && core_node_pe(0) == core_me() && !core_on_node(0);
}

static int post(int pe, const struct question *q)
{
    return core_channel_try(&(struct core_post){.pe = pe, .id = CORE_CHANNEL_CLOCK, .head = q, .head_n = sizeof *q});
}

/* ------------------------------------------------------- a row of questions -- */

/* These hold the lock. */
static void end_row(void)
{
    if (clocks->error != UINT64_MAX)
        core_trace_clock_was(clocks->middle, clocks->apart, clocks->error);
    clocks->error = UINT64_MAX;
    __atomic_store_n(&clocks->left, 0, __ATOMIC_RELEASE);
}

static void ask(void)
{
    struct question q = {.kind = ASK, .row = clocks->row, .asked = core_trace_now()};

    if (post(0, &q) != 0)
        end_row();
}

static void begin_row(unsigned n)
{
    end_row();
    clocks->row++;
    __atomic_store_n(&clocks->left, n, __ATOMIC_RELAXED);
    ask();
}

static void take_answer(const struct question *q)
{
    uint64_t now = core_trace_now(), half = (now - q->asked) / 2, error = core_trace_ticks_ns(half);

    if (error < clocks->error) {
        clocks->error = error;
        clocks->middle = q->asked + half;
        clocks->apart = (int64_t)(q->ns - core_trace_epoch_ns(clocks->middle));
    }
    __atomic_store_n(&clocks->left, clocks->left - 1, __ATOMIC_RELAXED);
    if (clocks->left > 0)
        ask();
    else
        end_row();
}

static void on_question(const struct core_mail *m)
{
    struct question q = *(const struct question *)m->head;

    if (!core_trace_writes())
        return;
    if (q.kind == ASK) {
        q.kind = ANSWER;
        q.ns = core_trace_epoch_ns(core_trace_now());
        (void)post(m->from, &q); /* one that finds no room is lost: the row ends with the next one */
        return;
    }
    pthread_mutex_lock(&clocks->lock);
    if (q.row == clocks->row && clocks->left > 0)
        take_answer(&q);
    pthread_mutex_unlock(&clocks->lock);
}

/* -------------------------------------------------------------------- when -- */

static void meanwhile(void)
{
    if (pthread_mutex_trylock(&clocks->lock) != 0)
        return;
    core_trace_call_at(core_trace_now() + clocks->every, meanwhile);
    begin_row(MEANWHILE);
    pthread_mutex_unlock(&clocks->lock);
}

static void row_together(void)
{
    uint64_t end = core_clock_ns() + PATIENCE_NS;
    struct core_waiter w;

    pthread_mutex_lock(&clocks->lock);
    begin_row(TOGETHER);
    pthread_mutex_unlock(&clocks->lock);
    core_wait_begin(&w, "the comparison of the hosts' clocks");
    core_wait_timed(&w);
    while (__atomic_load_n(&clocks->left, __ATOMIC_ACQUIRE) > 0 && core_clock_ns() < end)
        core_wait_pause(&w);
    core_wait_end(&w);
    core_trace_call_at(core_trace_now() + clocks->every, meanwhile);
}

void core_clocks_together(void)
{
    if (!clocks->on)
        return;
    if (asks())
        row_together();
    core_job_barrier("the comparison of the hosts' clocks");
}

static bool all_record(void)
{
    for (int pe = 0; pe < core_size(); pe++)
        if (!core_card_of(pe)->records)
            return false;
    return true;
}

void core_clocks_start(void)
{
    if (!core_state.rma.net_on || !core_trace_writes() || !all_record())
        return;
    if (core_channel_open(CORE_CHANNEL_CLOCK, on_question) != 0)
        core_fatal("no memory for the comparison of the hosts' clocks");
    clocks->error = UINT64_MAX;
    clocks->every = core_trace_ns_ticks(EVERY_NS + (uint64_t)core_size() * EACH_NS);
    clocks->on = true;
    if (asks())
        core_trace_call_at(core_trace_now(), meanwhile);
}
