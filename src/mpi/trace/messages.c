/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages counted and recorded: see trace.h.
 */
#include <stdlib.h>

#include "mpi/mpii.h"

static struct mpii_trace_state *const trace = &mpii_state.trace;

void mpii_trace_call(struct core_trace_record *call, enum mpii_trace_direct direct)
{
    mpii_thread.trace = (struct mpii_trace_thread){call, (uint8_t)direct};
}

int mpii_trace_start(void)
{
    size_t n = (size_t)core_size();

    if (!core_trace_on() || trace->sent)
        return MPI_SUCCESS;
    trace->sent = calloc(2 * n, sizeof *trace->sent);
    if (!trace->sent)
        return MPI_ERR_NO_MEM;
    trace->received = trace->sent + n;
    return MPI_SUCCESS;
}

/* ------------------------------------------------------------------- groups -- */

int mpii_trace_pe(int proc)
{
    return proc >= 0 && proc < core_size() ? proc : CORE_TRACE_PEER_NONE;
}

/* The processes of c, those first that all members call the first. */
static int *members(const struct mpii_comm *c, int *n)
{
    const struct mpii_group *a = c->first || !c->remote ? c->group : c->remote,
                            *b = c->remote ? (c->first ? c->remote : c->group) : NULL;
    int *pes = malloc(((size_t)a->size + (b ? (size_t)b->size : 0) + 1) * sizeof *pes);

    *n = 0;
    for (int i = 0; pes && i < a->size; i++)
        pes[(*n)++] = mpii_trace_pe(a->procs[i]);
    for (int i = 0; pes && b && i < b->size; i++)
        pes[(*n)++] = mpii_trace_pe(b->procs[i]);
    return pes;
}

/* Communicators of processes apart may have one context, so the members count, too. */
static uint64_t key_of(const struct mpii_comm *c, const int *pes, int n)
{
    uint64_t h = c->context ^ 0xcbf29ce484222325ull;

    for (int i = 0; i < n; i++)
        h = (h ^ (uint32_t)pes[i]) * 0x100000001b3ull;
    return h | 1;
}

uint32_t mpii_trace_group(struct mpii_comm *c)
{
    int n, *pes;

    if (MPT_LIKELY(c->trace_group != 0) || !(pes = members(c, &n)))
        return c->trace_group;
    c->trace_group = core_trace_group(key_of(c, pes, n), pes, n, c->name);
    free(pes);
    return c->trace_group;
}

/* ----------------------------------------------------------------- messages -- */

void mpii_trace_begun(struct mpii_request *r)
{
    r->traced = (struct mpii_trace_message){.began = core_trace_current(), .proc = -1};
}

/* Does the record of the call under way tell of a message that began with `began`? */
static struct core_trace_record *own_record(enum mpii_trace_direct what, uint64_t began)
{
    const struct mpii_trace_thread *own = &mpii_thread.trace;

    return own->call && own->direct == what && began == core_trace_current() ? own->call : NULL;
}

static void record_sent(uint64_t began, struct mpii_comm *c, int proc, int tag, size_t n, uint64_t number)
{
    struct core_trace_record *call = own_record(MPII_TRACE_SENDS, began);
    const struct core_trace_record *now = mpii_thread.trace.call;

    if (call && call->message == 0) {
        call->role |= CORE_TRACE_SENDS;
        call->message = number;
        return;
    }
    core_trace_add(&(struct core_trace_record){.kind = CORE_TRACE_SEND,
                                               .role = CORE_TRACE_SENDS,
                                               .peer = mpii_trace_pe(proc),
                                               .tag = tag,
                                               .bytes = n,
                                               .group = mpii_trace_group(c),
                                               .message = number,
                                               .value = began,
                                               .begin = now ? now->begin : 0}); /* its receiver may have it already */
}

void mpii_trace_sent_as(struct mpii_request *r, struct mpii_comm *c, int proc, int tag, size_t n, uint64_t number)
{
    if (r) {
        r->traced.number = number;
        r->traced.proc = proc;
        r->traced.bytes = n;
    }
    record_sent(r ? r->traced.began : core_trace_current(), c, proc, tag, n, number);
}

void mpii_trace_sent(struct mpii_request *r, struct mpii_comm *c, int proc, int tag, size_t n)
{
    mpii_trace_sent_as(r, c, proc, tag, n, proc < core_size() ? ++trace->sent[proc] : 0);
}

uint64_t mpii_trace_comes(int from)
{
    return from < core_size() ? ++trace->received[from] : 0;
}

void mpii_trace_met(struct mpii_request *r, int from, uint64_t number)
{
    r->traced.number = number;
    r->traced.proc = from;
    r->traced.bytes = (uint64_t)r->bytes;
}

static void record_received(const struct mpii_request *r)
{
    struct core_trace_record *call = own_record(MPII_TRACE_RECEIVES, r->traced.began), t;

    if (r->cancelled || r->traced.proc < 0)
        return;
    t = call ? *call : (struct core_trace_record){.kind = CORE_TRACE_RECEIVE, .value = r->traced.began};
    t.role |= CORE_TRACE_RECEIVES;
    t.group = mpii_trace_group(r->comm);
    t.peer = mpii_trace_pe(r->traced.proc);
    t.tag = r->tag;
    t.bytes = (uint64_t)r->bytes;
    t.message = r->traced.number;
    if (call)
        *call = t;
    else
        core_trace_add(&t);
}

static void record_done(const struct mpii_request *r)
{
    if (own_record(MPII_TRACE_SENDS, r->traced.began) || r->cancelled || r->traced.proc < 0)
        return;
    core_trace_add(&(struct core_trace_record){.kind = CORE_TRACE_SENT,
                                               .peer = mpii_trace_pe(r->traced.proc),
                                               .tag = r->tag,
                                               .bytes = r->traced.bytes,
                                               .group = mpii_trace_group(r->comm),
                                               .message = r->traced.number,
                                               .value = r->traced.began});
}

void mpii_trace_ended(const struct mpii_request *r)
{
    if (r->ops->message == MPII_RECEIVES_MESSAGE)
        record_received(r);
    else if (r->ops->message == MPII_SENDS_MESSAGE)
        record_done(r);
}
