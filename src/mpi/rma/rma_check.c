/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What must hold before an operation may begin: an epoch that allows it, a target
 * whose memory holds what is asked for, types that fit.
 */
#include "mpi/rma/rma.h"
#include "mpi/rma/rma_race.h"

int mpii_rma_check_rank(struct mpii_win *w, int rank, const char *call)
{
    return mpii_error(w, MPI_ERR_RANK, call, "target rank is %d, not a rank of this window of %d processes", rank,
                      w->size);
}

void mpii_rma_quicken(struct mpii_win *w, struct mpii_rma_peer *p)
{
    bool open = w->access_all || w->fence_used || (p->access != RMA_CLOSED && p->access != RMA_AWAITS_POST);

    p->bell = mpt_idx(p->pe) < mpt_fast.node_n ? mpt_bell_of(mpt_idx(p->pe)) : NULL;
    p->fast = open && !w->comm->trouble && !core_params.check && !core_adversary_on() && p->base && p->bell &&
                      p != &w->peers[w->rank] && (size_t)p->unit >> 31 == 0
                  ? (size_t)p->size
                  : 0;
}

void mpii_rma_quicken_all(struct mpii_win *w)
{
    for (int i = 0; i < w->size; i++)
        mpii_rma_quicken(w, &w->peers[i]);
}

/* A post may come later than MPI_Win_start returns. */
static int await_post(struct mpii_win *w, struct mpii_rma_peer *p, const char *call)
{
    uint64_t *posted = &mpii_rma_posted(w, w->ctrl)[p - w->peers];
    struct core_waiter waiter;

    core_wait_begin_for(&waiter, call, posted, sizeof *posted);
    while (__atomic_load_n(posted, __ATOMIC_ACQUIRE) < p->starts && !mpii_rma_in_vain(w, (int)(p - w->peers)))
        mpii_wait_pause(&waiter);
    core_wait_end(&waiter);
    if (MPT_UNLIKELY(__atomic_load_n(posted, __ATOMIC_ACQUIRE) < p->starts))
        return mpii_rma_troubled(w, (int)(p - w->peers), call);
    p->access = RMA_OPEN_PSCW;
    if (MPT_UNLIKELY(core_race_on()) && p->ctrl)
        mpii_rma_race_posted(w, (int)(p - w->peers), p->starts);
    mpii_rma_quicken(w, p);
    return MPI_SUCCESS;
}

int mpii_rma_open_slow(struct mpii_win *w, struct mpii_rma_peer *p, const char *call)
{
    if (p->access == RMA_AWAITS_POST)
        return await_post(w, p, call);
    if (w->fence && !w->started && !w->locks) {
        if (!w->fence_used) {
            w->fence_used = true;
            mpii_rma_quicken_all(w);
        }
        return MPI_SUCCESS;
    }
    return mpii_error(w, MPI_ERR_RMA_SYNC, call,
                      "no epoch is open for rank %d: MPI_Win_fence, MPI_Win_start or MPI_Win_lock comes first",
                      (int)(p - w->peers));
}

/* First byte and length of what the target's data spans, from its base. */
static bool span(const struct mpii_rma_call *c, int64_t *first, MPI_Count *bytes)
{
    static char *const somewhere = (char *)(1ul << 46); /* differences of addresses are what counts */
    int64_t start;

    *first = c->at;
    *bytes = c->bytes;
    if (MPT_LIKELY(c->ttype->dense))
        return true;
    start = (char *)mpii_span(somewhere, c->tcount, c->ttype, bytes) - somewhere;
    return !__builtin_add_overflow(c->at, start, first);
}

/* A dynamic window's memory: on this node its table of regions is seen. Data of
 * several regions is left to the target. */
static int find_region(struct mpii_rma_call *c, MPI_Aint disp)
{
    const struct mpii_rma_peer *p = c->p;
    uint64_t slice_offset;
    int64_t first;
    MPI_Count n;

    c->at = disp;
    c->base = NULL;
    c->cma = false;
    if (!p->ctrl || c->bytes == 0)
        return MPI_SUCCESS; /* the target knows what is attached */
    if (!span(c, &first, &n) || !mpii_rma_attached(p->pe, p->ctrl, (uint64_t)first, (uint64_t)n, &slice_offset)) {
        if (!c->ttype->dense)
            return MPI_SUCCESS;
        return mpii_error(c->w, MPI_ERR_RMA_RANGE, c->name,
                          "target_disp is %#llx: no region attached by rank %d holds %lld bytes there", (long long)disp,
                          c->rank, (long long)n);
    }
    if (c->rank == c->w->rank)
        c->base = (char *)(uintptr_t)first;
    else if (slice_offset != RMA_PRIVATE)
        c->base = core_slice_at(p->pe, slice_offset);
    else
        c->cma = p->cma;
    if (c->base) /* the region's first byte in question: data may begin before the type's origin */
        c->at = disp - first;
    return MPI_SUCCESS;
}

int mpii_rma_check_target(struct mpii_rma_call *c, MPI_Aint disp, MPI_Count count, MPI_Datatype type)
{
    int64_t first;
    MPI_Count n;

    c->tcount = count;
    c->base = NULL;
    c->cma = false;
    MPII_TRY(mpii_check_type(c->w, type, &c->ttype, "target_datatype", c->name));
    MPII_TRY(mpii_check_count(c->w, count, "target_count", c->name));
    if (__builtin_mul_overflow(count, c->ttype->size, &c->bytes))
        return mpii_error(c->w, MPI_ERR_COUNT, c->name, "target_count is %lld: that is more than memory holds",
                          (long long)count);
    mpii_state.counters.accesses++;
    mpii_state.counters.access_bytes += (uint64_t)c->bytes;
    if (!c->p)
        return MPI_SUCCESS;
    if (c->w->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return find_region(c, disp);
    c->base = c->p->base;
    c->cma = c->p->cma;
    if (MPT_UNLIKELY(disp < 0))
        return mpii_error(c->w, MPI_ERR_DISP, c->name, "target_disp is %lld, less than 0", (long long)disp);
    if (__builtin_mul_overflow((int64_t)disp, (int64_t)c->p->unit, &c->at) || !span(c, &first, &n))
        first = -1, n = c->bytes;
    if (MPT_LIKELY(first >= 0 && n <= c->p->size && first <= c->p->size - n) || n == 0)
        return MPI_SUCCESS;
    return mpii_error(c->w, MPI_ERR_RMA_RANGE, c->name,
                      "target_disp is %lld: bytes %lld to %lld are outside rank %d's memory of %lld bytes",
                      (long long)disp, (long long)first, (long long)(first + n), c->rank, (long long)c->p->size);
}

int mpii_rma_check_origin(struct mpii_rma_call *c, const void *buf, MPI_Count count, MPI_Datatype type)
{
    c->origin = buf;
    c->ocount = count;
    MPII_TRY(mpii_check_type(c->w, type, &c->otype, "origin_datatype", c->name));
    MPII_TRY(mpii_check_count(c->w, count, "origin_count", c->name));
    return mpii_check_buffer(c->w, buf, count, c->otype, "origin_addr", c->name);
}

int mpii_rma_check_result(struct mpii_rma_call *c, void *buf, MPI_Count count, MPI_Datatype type)
{
    c->result = buf;
    c->rcount = count;
    MPII_TRY(mpii_check_type(c->w, type, &c->rtype, "result_datatype", c->name));
    MPII_TRY(mpii_check_count(c->w, count, "result_count", c->name));
    return mpii_check_buffer(c->w, buf, count, c->rtype, "result_addr", c->name);
}

int mpii_rma_check_asserts(struct mpii_win *w, int given, int allowed, const char *call)
{
    if (MPT_LIKELY((given & ~allowed) == 0))
        return MPI_SUCCESS;
    return mpii_error(w, MPI_ERR_ASSERT, call, "assert is %d: %d is not for this call", given, given & ~allowed);
}
