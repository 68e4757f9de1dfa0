/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partitioned communication: the calls. Moving the data: partition_move.c.
 */
#include <stdio.h>

#include "mpi/check/watch.h"
#include "mpi/p2p/partition.h"
#include "mpi/rt/ledger.h"

/* ---------------------------------------------------------------- requests -- */

static void part_free(struct mpii_request *r)
{
    struct mpii_partition *p = mpii_partition_in(r);

    if (p->meeting) { /* has no peer yet */
        p->meeting->then = NULL;
        p->meeting->ops->cancel(p->meeting);
    }
    if (p->waiting)
        mpii_hook_remove(&p->hook);
    mpii_type_release(p->type);
    free(p->state);
    free(p->out);
    free(p->traced);
    free(p);
}

static void begin_round(struct mpii_partition *p)
{
    p->round++;
    if (MPT_UNLIKELY(core_trace_on()))
        mpii_partition_trace_begin(p);
}

static int start_send(struct mpii_request *r)
{
    begin_round(mpii_partition_in(r));
    return mpii_partition_send_begin(mpii_partition_in(r));
}

static int start_recv(struct mpii_request *r)
{
    begin_round(mpii_partition_in(r));
    return mpii_partition_recv_begin(mpii_partition_in(r));
}

/* With --check: more partitions or longer ones were sent. */
static bool blame(const struct mpii_request *r, int error, struct mpii_blame *b)
{
    const struct mpii_partition *p = mpii_partition_in(r);
    const struct mpii_entry *e = mpii_ledger_of(MPII_REQUEST, p->r);

    if (error != MPI_ERR_TRUNCATE)
        return false;
    *b = (struct mpii_blame){.kind = CORE_FINDING_TRUNCATION, .rule = "MPI-5.0, 4.2.1 and 3.2.4", .n = 1};
    b->at[0] = (struct mpii_blamed){.pe = core_me(), .site = e ? e->site : 0};
    snprintf(b->at[0].call, sizeof b->at[0].call, "MPI_Precv_init of %zu bytes, rank %d sends %zu",
             p->bytes * (size_t)p->partitions, p->peer, p->peer_bytes * (size_t)p->peer_partitions);
    return true;
}

const struct mpii_request_ops mpii_partition_send_ops = {.what = "partitioned send",
                                                         .shared = true,
                                                         .start = start_send,
                                                         .free = part_free,
                                                         .traced = mpii_partition_trace_end,
                                                         .troubled = mpii_partition_troubled};
const struct mpii_request_ops mpii_partition_recv_ops = {.what = "partitioned receive",
                                                         .shared = true,
                                                         .blame = blame,
                                                         .start = start_recv,
                                                         .free = part_free,
                                                         .traced = mpii_partition_trace_end,
                                                         .troubled = mpii_partition_troubled};

struct arguments {
    void *buf;
    int partitions;
    MPI_Count count, all; /* elements of a partition and of all of them */
    struct mpii_type *t;
    int peer, tag;
    struct mpii_comm *c;
    bool sender;
};

static int check(struct arguments *a, MPI_Datatype datatype, MPI_Comm comm, const MPI_Request *request,
                 const char *call)
{
    MPII_TRY(mpii_check_comm(comm, &a->c, call));
    if (a->partitions < 0)
        return mpii_error(a->c, MPI_ERR_ARG, call, "partitions is %d, less than 0", a->partitions);
    MPII_TRY(mpii_check_count(a->c, a->count, "count", call));
    MPII_TRY(mpii_check_type(a->c, datatype, &a->t, "datatype", call));
    if (a->peer != MPI_PROC_NULL && (unsigned)a->peer >= (unsigned)a->c->nprocs) /* no wildcards here */
        return mpii_error(a->c, MPI_ERR_RANK, call, "%s is %d, not a rank of this communicator of %d processes",
                          a->sender ? "dest" : "source", a->peer, a->c->nprocs);
    MPII_TRY(mpii_check_tag(a->c, a->tag, false, call));
    if (a->t->section)
        a->all = 1;
    else if (__builtin_mul_overflow(a->count, (MPI_Count)a->partitions, &a->all))
        return mpii_error(a->c, MPI_ERR_COUNT, call, "%d partitions of %lld elements are more than can be counted",
                          a->partitions, (long long)a->count);
    MPII_TRY(mpii_check_buffer(a->c, a->buf, a->all, a->t, "buf", call));
    return mpii_check_pointer(a->c, request, "request", call);
}

static struct mpii_partition *part_new(const struct arguments *a)
{
    struct mpii_request *r = mpii_request_new(a->sender ? &mpii_partition_send_ops : &mpii_partition_recv_ops, a->c);
    struct mpii_partition *p = r ? calloc(1, sizeof *p) : NULL;
    size_t n = (size_t)a->partitions + 1;

    if (p) {
        mpii_type_hold(a->t);
        *p = (struct mpii_partition){.r = r,
                                     .sender = a->sender,
                                     .buf = a->buf,
                                     .type = a->t,
                                     .count = a->all,
                                     .bytes = (size_t)mpii_p2p_bytes(a->all, a->t) /
                                              (size_t)(a->partitions ? a->partitions : 1),
                                     .partitions = a->partitions,
                                     .peer = a->peer,
                                     .proc = a->peer == MPI_PROC_NULL ? -1 : a->c->procs[a->peer],
                                     .tag = a->tag,
                                     .serial = ++mpii_state.p2p.partitioned};
        *(struct mpii_partition **)(void *)r->own = p;
        p->state = a->sender ? calloc(n, 1) : NULL;
        p->out = a->sender ? calloc(n, sizeof *p->out) : NULL;
        if (!a->sender || (p->state && p->out))
            return p;
        mpii_request_free(r);
    } else if (r) {
        r->ops = mpii_state.request.sent->ops; /* nothing of ours to give back */
        mpii_request_free(r);
    }
    return NULL;
}

static int init(const struct arguments *a, MPI_Request *request, const char *call)
{
    struct mpii_partition *p = part_new(a);

    if (!p)
        return mpii_error(a->c, MPI_ERR_NO_MEM, call, "no memory for %d partitions", a->partitions);
    p->r->persistent = true;
    p->r->active = false;
    p->r->done = true;
    if (MPT_UNLIKELY(core_params.check))
        mpii_watch_request(p->r);
    *request = mpii_request_handle(p->r);
    if (p->peer != MPI_PROC_NULL)
        (a->sender ? mpii_partition_send_meet : mpii_partition_recv_meet)(p);
    return MPI_SUCCESS;
}

int mpii_Psend_init(const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                    MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct arguments a = {(void *)(uintptr_t)buf, partitions, count, 0, NULL, dest, tag, NULL, true};

    (void)info; /* no hint is understood */
    MPII_TRY(check(&a, datatype, comm, request, __func__));
    return init(&a, request, __func__);
}

int mpii_Precv_init(void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                    MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct arguments a = {buf, partitions, count, 0, NULL, source, tag, NULL, false};

    (void)info;
    MPII_TRY(check(&a, datatype, comm, request, __func__));
    return init(&a, request, __func__);
}

/* ------------------------------------------------------------------ --check -- */

uint64_t mpii_partition_signature(const struct mpii_partition *p)
{
    return MPT_LIKELY(!core_params.check) || p->type->section ? 0 : mpii_signature(p->type, p->count);
}

/* Of the same amount; others are an error when they have come. */
void mpii_partition_compare(const struct mpii_partition *p, uint64_t theirs)
{
    const uint64_t own = mpii_partition_signature(p);
    const struct mpii_entry *e;
    struct core_finding f;

    if (own == 0 || theirs == 0 || own == theirs ||
        p->bytes * (size_t)p->partitions != p->peer_bytes * (size_t)p->peer_partitions)
        return;
    e = mpii_ledger_of(MPII_REQUEST, p->r);
    core_finding_begin(&f, CORE_FINDING_TYPE, "MPI-5.0, 4.2.1 and 3.3.1",
                       "MPI_Precv_init: the types are not those of MPI_Psend_init of rank %d with tag %d", p->peer,
                       p->tag);
    core_finding_at(&f, core_me(), e ? e->site : 0, "MPI_Precv_init");
    core_finding_end(&f);
}

static bool is_watched(const struct mpii_partition *p)
{
    return MPT_UNLIKELY(core_params.check) && !p->type->section && p->proc >= 0 && p->partitions > 0;
}

static const void *place_of(const struct mpii_partition *p, int i)
{
    return (const char *)p->buf + i * (p->count / p->partitions) * p->type->extent;
}

static void give_away(struct mpii_partition *p, int i)
{
    if (MPT_UNLIKELY(core_trace_on()))
        mpii_partition_trace_ready(p, i);
    if (!is_watched(p))
        return;
    mpii_watch_add(p->r, "MPI_Pready", MPII_WATCH_READS, "buf", place_of(p, i), p->count / p->partitions, p->type);
    mpii_watch_start(p->r, 0);
}

void mpii_partition_watch(struct mpii_partition *p)
{
    if (!is_watched(p))
        return;
    mpii_watch_drop(p->r); /* of the round before */
    for (int i = 0; i < p->partitions; i++)
        mpii_watch_add(p->r, "MPI_Precv_init", MPII_WATCH_WRITES, "buf", place_of(p, i), p->count / p->partitions,
                       p->type);
    mpii_watch_start(p->r, 0);
}

/* Where the sender's partitions are others, when a piece of one comes is not followed. */
void mpii_partition_watch_piece(struct mpii_partition *p, int i, bool landed)
{
    if (!is_watched(p))
        return;
    if (p->peer_partitions != p->partitions || p->peer_bytes != p->bytes)
        mpii_watch_drop(p->r);
    else
        (landed ? mpii_watch_landed_at : mpii_watch_arrives_at)(p->r, place_of(p, i));
}

/* ------------------------------------------------------------------- ready -- */

static int check_request(MPI_Request handle, const struct mpii_request_ops *ops, struct mpii_partition **p,
                         const char *call)
{
    struct mpii_request *r;

    *p = NULL;
    MPII_TRY(mpii_request_check(handle, &r, call));
    if (!r)
        return mpii_error(NULL, MPI_ERR_REQUEST, call, "request is MPI_REQUEST_NULL");
    if (r->ops != ops)
        return mpii_error(r->comm, MPI_ERR_REQUEST, call, "request is of a %s, not of a %s", r->ops->what, ops->what);
    *p = mpii_partition_in(r);
    return MPI_SUCCESS;
}

static int check_ready(const struct mpii_partition *p, int partition, const char *call)
{
    if ((unsigned)partition >= (unsigned)p->partitions)
        return mpii_error(p->r->comm, MPI_ERR_ARG, call, "partition is %d; expected 0 to %d", partition,
                          p->partitions - 1);
    if (p->state[partition] != PART_NOT_READY)
        return mpii_error_blame(&(struct mpii_blame){.kind = CORE_FINDING_REQUEST_USE, .rule = "MPI-5.0, 4.2.2"},
                                p->r->comm, MPI_ERR_ARG, call, "partition %d is ready already", partition);
    return MPI_SUCCESS;
}

static int check_active(MPI_Request request, struct mpii_partition **p, const char *call)
{
    MPII_TRY(check_request(request, &mpii_partition_send_ops, p, call));
    if (!(*p)->r->active)
        return mpii_error((*p)->r->comm, MPI_ERR_REQUEST, call,
                          "request is of a partitioned send that has not been started");
    return MPI_SUCCESS;
}

/* The request ends with the same error. */
static int push(struct mpii_partition *p, const char *call)
{
    mpii_partition_push(p);
    if (MPT_UNLIKELY(core_trace_on()))
        mpii_partition_trace_pushed(p);
    if (MPT_UNLIKELY(p->failed == MPI_ERR_NO_MEM))
        return mpii_error(p->r->comm, p->failed, call, "no memory for a partition of %zu bytes", p->bytes);
    return MPI_SUCCESS;
}

int mpii_Pready(int partition, MPI_Request request)
{
    struct mpii_partition *p;

    MPII_TRY(check_active(request, &p, __func__));
    MPII_TRY(check_ready(p, partition, __func__));
    p->state[partition] = PART_READY;
    give_away(p, partition);
    return push(p, __func__);
}

int mpii_Pready_range(int partition_low, int partition_high, MPI_Request request)
{
    struct mpii_partition *p;

    MPII_TRY(check_active(request, &p, __func__));
    if (partition_low > partition_high)
        return mpii_error(p->r->comm, MPI_ERR_ARG, __func__, "partition_low is %d, above partition_high %d",
                          partition_low, partition_high);
    MPII_TRY(check_ready(p, partition_low, __func__));
    for (int i = partition_high; i > partition_low; i--) /* the highest first: it may be out of range */
        MPII_TRY(check_ready(p, i, __func__));
    memset(p->state + partition_low, PART_READY, (size_t)(partition_high - partition_low) + 1);
    for (int i = partition_low; i <= partition_high; i++)
        give_away(p, i);
    return push(p, __func__);
}

int mpii_Pready_list(int length, const int array_of_partitions[], MPI_Request request)
{
    struct mpii_partition *p;
    int error = MPI_SUCCESS, i;

    MPII_TRY(check_active(request, &p, __func__));
    MPII_TRY(mpii_check_count(p->r->comm, length, "length", __func__));
    if (length > 0)
        MPII_TRY(mpii_check_pointer(p->r->comm, array_of_partitions, "array_of_partitions", __func__));
    for (i = 0; i < length && error == MPI_SUCCESS; i++) {
        error = check_ready(p, array_of_partitions[i], __func__); /* twice in the list: found too */
        if (error == MPI_SUCCESS)
            p->state[array_of_partitions[i]] = PART_READY;
    }
    for (i -= 2; error != MPI_SUCCESS && i >= 0; i--) /* nothing of a bad list is sent */
        p->state[array_of_partitions[i]] = PART_NOT_READY;
    for (i = 0; error == MPI_SUCCESS && i < length; i++)
        give_away(p, array_of_partitions[i]);
    return error == MPI_SUCCESS ? push(p, __func__) : error;
}

static bool look(struct mpii_partition *p, int partition)
{
    bool arrived = mpii_partition_arrived(p, partition);

    if (MPT_UNLIKELY(core_trace_on()) && arrived && p->r->active)
        mpii_partition_trace_here(p, partition);
    if (arrived && is_watched(p))
        mpii_watch_end_at(p->r, place_of(p, partition));
    return arrived;
}

int mpii_Parrived(MPI_Request request, int partition, int *flag)
{
    struct mpii_partition *p;

    MPII_TRY(check_request(request, &mpii_partition_recv_ops, &p, __func__));
    MPII_TRY(mpii_check_pointer(p->r->comm, flag, "flag", __func__));
    if ((unsigned)partition >= (unsigned)p->partitions)
        return mpii_error(p->r->comm, MPI_ERR_ARG, __func__, "partition is %d; expected 0 to %d", partition,
                          p->partitions - 1);
    mpii_depends_on_time();
    *flag = look(p, partition);
    if (*flag)
        return MPI_SUCCESS;
    mpii_progress();
    *flag = look(p, partition);
    if (*flag)
        mpii_test_found();
    else
        mpii_test_failed("MPI_Parrived", NULL);
    return MPI_SUCCESS;
}
