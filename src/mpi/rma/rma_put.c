/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Put, MPI_Get and their forms with requests (12.3.1, 12.3.2, 12.3.5).
 */
#include <string.h>

#include "mpi/rma/rma.h"
#include "mpi/rma/rma_race.h"

/* Not more data than the other side has room for. */
static int check_sizes(const struct mpii_rma_call *c, MPI_Count from, MPI_Count to, const char *what)
{
    if (MPT_LIKELY(from <= to))
        return MPI_SUCCESS;
    return mpii_error(c->w, MPI_ERR_TRUNCATE, c->name, "the %s has %lld bytes of data, but there is room for %lld",
                      what, (long long)from, (long long)to);
}

/* An operation of a process on its own memory may overlap itself when nothing moves. */
static void move(void *to, const void *from, MPI_Count n, bool self)
{
    if (MPT_UNLIKELY(self))
        memmove(to, from, (size_t)n);
    else
        core_copy(to, from, (size_t)n);
}

static int put(struct mpii_rma_call *c)
{
    MPI_Count n = c->ocount * c->otype->size;

    MPII_TRY(check_sizes(c, n, c->bytes, "origin"));
    if (!c->p || n == 0)
        return MPI_SUCCESS;
    if (MPT_UNLIKELY(core_race_on())) {
        c->bytes = n;
        mpii_rma_race_begin(c, CORE_RACE_WRITE);
    }
    if (MPT_UNLIKELY(!c->base)) {
        c->bytes = n;
        return c->cma && mpii_rma_put_cma(c) ? MPI_SUCCESS : mpii_rma_by_message(c, RMA_PUT, NULL);
    }
    if (MPT_LIKELY(c->otype->dense && c->ttype->dense) && core_late_on()) {
        core_late_put(c->w, c->p->pe, c->base + c->at, c->origin, (size_t)n, !c->request);
        return MPI_SUCCESS;
    }
    if (MPT_LIKELY(c->otype->dense && c->ttype->dense)) {
        move(c->base + c->at, c->origin, n, c->rank == c->w->rank);
        core_changed(c->p->pe, c->base + c->at, (size_t)n);
        return MPI_SUCCESS;
    }
    mpii_copy(c->base + c->at, c->tcount, c->ttype, c->origin, c->ocount, c->otype);
    core_changed_scattered(c->p->pe);
    return MPI_SUCCESS;
}

static int get_now(struct mpii_rma_call *c)
{
    if (MPT_UNLIKELY(!c->base)) {
        c->cma = c->cma && mpii_rma_get_cma(c);
        return c->cma ? MPI_SUCCESS : mpii_rma_by_message(c, RMA_GET, NULL);
    }
    if (MPT_LIKELY(c->rtype->dense && c->ttype->dense) && core_late_on() && !c->request)
        core_late_get(c->w, c->p->pe, c->result, c->base + c->at, (size_t)c->bytes);
    else if (MPT_LIKELY(c->rtype->dense && c->ttype->dense))
        move(c->result, c->base + c->at, c->bytes, c->rank == c->w->rank);
    else
        mpii_copy(c->result, c->rcount, c->rtype, c->base + c->at, c->tcount, c->ttype);
    return MPI_SUCCESS;
}

static int get(struct mpii_rma_call *c)
{
    MPI_Count room = c->rcount * c->rtype->size;
    int err;

    MPII_TRY(check_sizes(c, c->bytes, room, "target"));
    if (!c->p || c->bytes == 0)
        return MPI_SUCCESS;
    if (MPT_LIKELY(!core_race_on()))
        return get_now(c);
    mpii_rma_race_begin(c, CORE_RACE_READ);
    err = get_now(c);
    if (c->bytes <= (MPI_Count)sizeof(uint64_t)) /* it may be a flag */
        mpii_rma_race_fetched(c, c->base || c->cma);
    return err;
}

/* The origin's buffer of a get is called origin_addr all the same. */
static int check_landing(struct mpii_rma_call *c, void *buf, MPI_Count count, MPI_Datatype type)
{
    MPII_TRY(mpii_rma_check_origin(c, buf, count, type));
    c->result = buf;
    c->rcount = count;
    c->rtype = c->otype;
    return MPI_SUCCESS;
}

/* What the quick forms leave to others is in functions of their own, that they need no stack. */
static __attribute__((noinline)) int put_slow(const void *origin, MPI_Count origin_count, MPI_Datatype origin_datatype,
                                              int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                                              MPI_Datatype target_datatype, MPI_Win win)
{
    struct mpii_rma_call c;

    c.op = NULL, c.element = NULL, c.request = NULL;
    MPII_TRY(mpii_rma_begin(&c, win, target_rank, "MPI_Put", __builtin_return_address(0)));
    MPII_TRY(mpii_rma_check_origin(&c, origin, origin_count, origin_datatype));
    MPII_TRY(mpii_rma_check_target(&c, target_disp, target_count, target_datatype));
    return mpii_rma_watched(&c, RMA_USES_ORIGIN, put(&c));
}

static __attribute__((noinline)) int get_slow(void *origin, MPI_Count origin_count, MPI_Datatype origin_datatype,
                                              int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                                              MPI_Datatype target_datatype, MPI_Win win)
{
    struct mpii_rma_call c;

    c.op = NULL, c.element = NULL, c.request = NULL;
    MPII_TRY(mpii_rma_begin(&c, win, target_rank, "MPI_Get", __builtin_return_address(0)));
    MPII_TRY(check_landing(&c, origin, origin_count, origin_datatype));
    MPII_TRY(mpii_rma_check_target(&c, target_disp, target_count, target_datatype));
    return mpii_rma_watched(&c, RMA_USES_LANDING, get(&c));
}

static __attribute__((noinline)) int put_bytes(char *to, const void *from, size_t n, const struct mpii_rma_peer *p)
{
    core_copy(to, from, n);
    mpii_rma_changed(p, to, n);
    return MPI_SUCCESS;
}

static __attribute__((noinline)) int tell(const struct mpii_rma_peer *p, const char *to, size_t n)
{
    core_changed(p->pe, to, n);
    return MPI_SUCCESS;
}

int mpii_Put(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
             MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    size_t n;
    struct mpii_rma_peer *p;
    char *to = mpii_rma_fast(win, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                             target_datatype, &n, &p);

    if (MPT_UNLIKELY(!to))
        return put_slow(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                        target_datatype, win);
    if (MPT_UNLIKELY(n != sizeof(core_word)))
        return put_bytes(to, origin_addr, n, p);
    *(volatile core_word *)(void *)to = *(const core_word *)origin_addr;
    return MPT_UNLIKELY(mpii_rma_is_watched(p, to, n)) ? tell(p, to, n) : MPI_SUCCESS;
}

int mpii_Get(void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
             MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    size_t n;
    struct mpii_rma_peer *p;
    const char *from = mpii_rma_fast(win, origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                                     target_count, target_datatype, &n, &p);

    if (MPT_UNLIKELY(!from))
        return get_slow(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                        target_datatype, win);
    core_copy(origin_addr, from, n);
    return MPI_SUCCESS;
}

int mpii_Rput(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
              MPI_Request *request)
{
    struct mpii_rma_call c = {0};

    MPII_TRY(mpii_rma_begin(&c, win, target_rank, __func__, __builtin_return_address(0)));
    MPII_TRY(mpii_rma_check_origin(&c, origin_addr, origin_count, origin_datatype));
    MPII_TRY(mpii_rma_check_target(&c, target_disp, target_count, target_datatype));
    MPII_TRY(check_sizes(&c, c.ocount * c.otype->size, c.bytes, "origin"));
    MPII_TRY(mpii_rma_request_make(&c, request));
    return mpii_rma_watched(&c, RMA_USES_ORIGIN, mpii_rma_request_give(&c, request, put(&c)));
}

int mpii_Rget(void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
              MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
              MPI_Request *request)
{
    struct mpii_rma_call c = {0};

    MPII_TRY(mpii_rma_begin(&c, win, target_rank, __func__, __builtin_return_address(0)));
    MPII_TRY(check_landing(&c, origin_addr, origin_count, origin_datatype));
    MPII_TRY(mpii_rma_check_target(&c, target_disp, target_count, target_datatype));
    MPII_TRY(check_sizes(&c, c.bytes, c.rcount * c.rtype->size, "target"));
    MPII_TRY(mpii_rma_request_make(&c, request));
    return mpii_rma_watched(&c, RMA_USES_LANDING, mpii_rma_request_give(&c, request, get(&c)));
}
