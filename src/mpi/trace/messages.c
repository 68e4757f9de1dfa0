/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages counted and recorded: see trace.h.
 */
#include <stdlib.h>

#include "core/base/hash.h"
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
    uint64_t h = c->context ^ CORE_HASH_BEGIN;

    for (int i = 0; i < n; i++)
        h = core_hash_word(h, (uint32_t)pes[i]);
    return h | 1;
}

uint32_t mpii_trace_group(struct mpii_comm *c)
{
    int n, *pes;

    if (MPT_LIKELY(c->trace.group != 0) || !(pes = members(c, &n)))
        return c->trace.group;
    c->trace.group = core_trace_group(key_of(c, pes, n), pes, n, c->name);
    free(pes);
    return c->trace.group;
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

void mpii_trace_sent(struct mpii_request *r, struct mpii_comm *c, int proc, int tag, size_t n)
{
    const uint64_t number = proc < core_size() ? ++trace->sent[proc] : 0;

    if (r) {
        r->traced.number = number;
        r->traced.proc = proc;
        r->traced.bytes = n;
    }
    record_sent(r ? r->traced.began : core_trace_current(), c, proc, tag, n, number);
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

/* ---------------------------------------------------- collective operations -- */

int mpii_trace_rank(const struct mpii_comm *c, int rank)
{
    if (rank == MPI_ANY_SOURCE)
        return CORE_TRACE_PEER_ANY;
    return rank >= 0 && rank < c->nprocs ? mpii_trace_pe(c->procs[rank]) : CORE_TRACE_PEER_NONE;
}

static uint64_t record_together(int kind, uint16_t name, const struct mpii_request *r)
{
    const struct core_trace_record *now = mpii_thread.trace.call;
    bool starts = kind == CORE_TRACE_START;

    return core_trace_add(
        &(struct core_trace_record){.kind = (uint8_t)kind,
                                    .role = CORE_TRACE_COLLECTIVE | (starts ? CORE_TRACE_BEGINS : 0),
                                    .call = name,
                                    .peer = r->traced.proc,
                                    .bytes = starts ? r->traced.bytes : 0,
                                    .group = r->traced.group,
                                    .message = r->traced.number,
                                    .value = r->traced.began,
                                    .begin = starts && now ? now->begin : 0}); /* others may go on already */
}

void mpii_trace_together(struct mpii_request *r, const struct core_trace_record *t)
{
    r->traced = (struct mpii_trace_message){
        .number = t->message, .began = core_trace_current(), .proc = t->peer, .group = t->group, .collective = true};
}

/* Members may start several in any order, so starts are numbered for each. */
void mpii_trace_made(struct mpii_request *r, int root)
{
    const struct core_trace_record *call = mpii_thread.trace.call;

    r->traced = (struct mpii_trace_message){.number = 1ull << 63 | (uint64_t)(++r->comm->trace.made & 0x7fffffff) << 32,
                                            .began = UINT64_MAX,
                                            .bytes = call ? call->bytes : 0,
                                            .proc = root == MPI_ROOT ? core_me() : mpii_trace_rank(r->comm, root),
                                            .group = mpii_trace_group(r->comm),
                                            .collective = true};
}

void mpii_trace_started(struct mpii_request *r, const char *what)
{
    const uint64_t round = (uint32_t)(r->traced.number + 1);

    r->traced.number = r->traced.number >> 32 << 32 | round;
    r->traced.began = core_trace_current();
    r->traced.began = record_together(CORE_TRACE_START, core_trace_name(what), r);
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

void mpii_trace_ended(struct mpii_request *r)
{
    if (r->ops->message == MPII_RECEIVES_MESSAGE)
        record_received(r);
    else if (r->ops->message == MPII_SENDS_MESSAGE)
        record_done(r);
    else if (r->traced.collective)
        record_together(CORE_TRACE_DONE, 0, r);
    else if (r->ops->traced)
        r->ops->traced(r);
}

/* --------------------------------------------------------------- partitions -- */

void mpii_trace_part(struct mpii_comm *c, const struct mpii_trace_partition *p, int kind)
{
    const struct core_trace_record *now = mpii_thread.trace.call;

    core_trace_add(&(struct core_trace_record){.kind = (uint8_t)kind,
                                               .role = kind == CORE_TRACE_SEND      ? CORE_TRACE_SENDS
                                                       : kind == CORE_TRACE_RECEIVE ? CORE_TRACE_RECEIVES
                                                                                    : 0,
                                               .peer = mpii_trace_pe(p->proc),
                                               .tag = p->tag,
                                               .bytes = p->bytes,
                                               .group = mpii_trace_group(c),
                                               .message = p->number,
                                               .value = p->began,
                                               .begin = now && kind == CORE_TRACE_SEND ? now->begin : 0});
}
