/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accumulates (12.3.4): all of them are updates of elements of one predefined
 * type, with or without the old value coming back.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/rma/rma.h"
#include "mpi/rma/rma_race.h"
#include "mpi/type/type.h"

/* Of the pieces that a direct update of scattered data goes through. */
enum { SCRATCH = 16 << 10, RUNS = 32 };

static int check_op(struct mpii_rma_call *c, MPI_Op op)
{
    c->op = mpii_op_of(op);
    if (!c->op)
        return mpii_error(c->w, MPI_ERR_OP, c->name,
                          op == MPI_OP_NULL ? "op is MPI_OP_NULL" : "op is %p, which is not an operation", (void *)op);
    if (c->op->function)
        return mpii_error(c->w, MPI_ERR_OP, c->name, "op is a user's operation: accumulates take predefined ones only");
    if (op == MPI_NO_OP && !c->rtype)
        return mpii_error(c->w, MPI_ERR_OP, c->name, "op is MPI_NO_OP, which is for calls that get the old value");
    return MPI_SUCCESS;
}

/* Both sides are of one predefined type, the same one, which the operation fits. */
static int check_elements(struct mpii_rma_call *c)
{
    struct mpii_type *other = c->otype;

    if (c->bytes == 0 && (!other || c->ocount * other->size == 0)) /* no element has the wrong type */
        return MPI_SUCCESS;
    c->element = c->ttype->basic ? c->ttype : mpii_type_element(c->ttype);
    if (!c->element)
        return mpii_error(c->w, MPI_ERR_TYPE, c->name, "target_datatype does not consist of one predefined type");
    if (other && other != c->ttype) {
        other = mpii_type_element(other);
        if (!other || mpii_signature(other, 1) != mpii_signature(c->element, 1))
            return mpii_error(c->w, MPI_ERR_TYPE, c->name,
                              "origin_datatype does not consist of target_datatype's predefined type");
    }
    c->way = mpii_rma_way(c->op, c->element);
    if (c->way == RMA_NO_WAY && c->bytes > 0)
        return mpii_error(c->w, MPI_ERR_OP, c->name, "op is not defined for target_datatype's predefined type");
    if (c->otype && c->ocount * c->otype->size != c->bytes)
        return mpii_error(c->w, c->ocount * c->otype->size > c->bytes ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT, c->name,
                          "the origin has %lld bytes of data, the target %lld", (long long)(c->ocount * c->otype->size),
                          (long long)c->bytes);
    if (c->rtype && c->rcount * c->rtype->size < c->bytes)
        return mpii_error(c->w, MPI_ERR_TRUNCATE, c->name, "the result has room for %lld bytes of %lld",
                          (long long)(c->rcount * c->rtype->size), (long long)c->bytes);
    return MPI_SUCCESS;
}

static struct mpii_rma_update update_of(const struct mpii_rma_call *c)
{
    return (struct mpii_rma_update){.op = c->op,
                                    .element = c->element,
                                    .ctrl = c->p->ctrl,
                                    .alone = c->p->access == RMA_OPEN_EXCLUSIVE,
                                    .way = c->way};
}

/* Piece by piece: runs of the target, packed data of the others. */
static void update_pieces(struct mpii_rma_call *c)
{
    struct mpii_rma_update u = update_of(c);
    _Alignas(64) char operand[SCRATCH], old[SCRATCH];
    MPI_Count unit = c->element->size, most = SCRATCH / unit * unit;
    struct mpii_rma_cursor cursor = {.type = c->ttype, .element = c->element, .count = c->tcount, .at = c->at};
    struct mpii_rma_run runs[RUNS];

    while (cursor.offset < c->bytes) {
        MPI_Count from = cursor.offset, n;
        int found;

        cursor.end = c->bytes - from < most ? c->bytes : from + most;
        found = mpii_rma_runs(&cursor, runs, RUNS);
        n = cursor.offset - from;
        if (c->otype)
            mpii_pack(operand, c->origin, c->ocount, c->otype, from, n);
        mpii_rma_apply_runs(&u, c->base, runs, found, operand, c->rtype ? old : NULL);
        if (c->rtype)
            mpii_unpack(c->result, c->rcount, c->rtype, from, old, n);
    }
}

static int update_now(struct mpii_rma_call *c)
{
    struct mpii_rma_update u;

    if (!c->base)
        return mpii_rma_by_message(c, c->rtype ? RMA_FETCH_UPDATE : RMA_UPDATE, NULL);
    if (c->ttype->dense && (!c->otype || c->otype->dense) && (!c->rtype || c->rtype->dense)) {
        u = update_of(c);
        mpii_rma_apply(&u, c->base + c->at, c->origin, c->result, c->bytes / c->element->size);
    } else {
        update_pieces(c);
    }
    if (c->op->handle != MPI_NO_OP)
        core_changed_scattered(c->p->pe);
    return MPI_SUCCESS;
}

/* Accumulates exclude each other on elements of the same type (12.7): here, of the same size and nature. */
static unsigned kind_of(const struct mpii_type *element)
{
    const struct mpii_basic *row = mpii_basic_row(element);
    unsigned nature;

    if (!row || row->size == 0)
        return 0;
    nature = row->parts > 1 ? 2 : row->class == MPII_FLOAT || row->class == MPII_LONG_DOUBLE;
    return (1 + (unsigned)__builtin_ctz(row->size) + 8 * nature) << __builtin_ctz(CORE_RACE_KIND) & CORE_RACE_KIND;
}

/* Of those whose results depend on the order among others: the window's info says that concurrent ones are the same
 * (12.2.1, accumulate_ops). Bits of a word may well be set and cleared at once, and locks and flags exchange words. */
static unsigned op_of(const struct mpii_op *op)
{
    static const MPI_Op rows[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX};

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (op->handle == rows[i])
            return (i + 1) << __builtin_ctz(CORE_RACE_OP);
    return 0;
}

static int update(struct mpii_rma_call *c)
{
    int err;

    if (!c->p || c->bytes == 0)
        return MPI_SUCCESS;
    if (MPT_LIKELY(!core_race_on()))
        return update_now(c);
    mpii_rma_race_begin(c, CORE_RACE_ATOMIC | kind_of(c->element) | op_of(c->op) | (c->rtype ? CORE_RACE_FETCHES : 0) |
                               (c->op->handle == MPI_NO_OP ? CORE_RACE_READ : CORE_RACE_WRITE));
    err = update_now(c);
    if (c->rtype)
        mpii_rma_race_fetched(c, c->base);
    return err;
}

static int check_accumulate(struct mpii_rma_call *c, const void *origin, MPI_Count ocount, MPI_Datatype otype,
                            MPI_Aint disp, MPI_Count tcount, MPI_Datatype ttype, MPI_Op op)
{
    MPII_TRY(check_op(c, op));
    if (c->op->handle != MPI_NO_OP) /* then the origin's arguments mean nothing */
        MPII_TRY(mpii_rma_check_origin(c, origin, ocount, otype));
    MPII_TRY(mpii_rma_check_target(c, disp, tcount, ttype));
    return c->p ? check_elements(c) : MPI_SUCCESS;
}

/* Elements of a predefined type in memory that is reached directly (mpii_rma_fast). */
static inline bool update_quickly(char *to, struct mpii_rma_peer *p, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                  const void *origin, void *old)
{
    struct mpii_rma_update u = {.op = mpii_op_of(op),
                                .element = &mpii_basic_types[(uintptr_t)type & 255],
                                .ctrl = p->ctrl,
                                .alone = p->access == RMA_OPEN_EXCLUSIVE};

    if (!u.op || u.op->function || !u.element->basic || (!old && op == MPI_NO_OP))
        return false;
    u.way = mpii_rma_way(u.op, u.element);
    if (u.way == RMA_NO_WAY)
        return false;
    mpii_rma_apply(&u, to, origin, old, count);
    mpii_rma_changed(p, to, (size_t)(count * u.element->size));
    return true;
}

static __attribute__((noinline)) int accumulate_slow(const void *origin_addr, MPI_Count origin_count,
                                                     MPI_Datatype origin_datatype, int target_rank,
                                                     MPI_Aint target_disp, MPI_Count target_count,
                                                     MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    struct mpii_rma_call c = {0};

    MPII_TRY(mpii_rma_begin(&c, win, target_rank, "MPI_Accumulate", __builtin_return_address(0)));
    MPII_TRY(check_accumulate(&c, origin_addr, origin_count, origin_datatype, target_disp, target_count,
                              target_datatype, op));
    return mpii_rma_watched(&c, RMA_USES_ORIGIN | RMA_USES_RESULT, update(&c));
}

int mpii_Accumulate(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                    MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    size_t n;
    struct mpii_rma_peer *p;
    char *to = mpii_rma_fast(win, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                             target_datatype, &n, &p);

    if (MPT_LIKELY(to != NULL) && update_quickly(to, p, target_count, target_datatype, op, origin_addr, NULL))
        return MPI_SUCCESS;
    return accumulate_slow(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
                           target_datatype, op, win);
}

int mpii_Raccumulate(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                     MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                     MPI_Request *request)
{
    struct mpii_rma_call c = {0};

    MPII_TRY(mpii_rma_begin(&c, win, target_rank, __func__, __builtin_return_address(0)));
    MPII_TRY(check_accumulate(&c, origin_addr, origin_count, origin_datatype, target_disp, target_count,
                              target_datatype, op));
    MPII_TRY(mpii_rma_request_make(&c, request));
    return mpii_rma_watched(&c, RMA_USES_ORIGIN | RMA_USES_RESULT, mpii_rma_request_give(&c, request, update(&c)));
}

int mpii_Get_accumulate(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
                        void *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank,
                        MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
                        MPI_Win win)
{
    struct mpii_rma_call c = {0};

    MPII_TRY(mpii_rma_begin(&c, win, target_rank, __func__, __builtin_return_address(0)));
    MPII_TRY(mpii_rma_check_result(&c, result_addr, result_count, result_datatype));
    MPII_TRY(check_accumulate(&c, origin_addr, origin_count, origin_datatype, target_disp, target_count,
                              target_datatype, op));
    return mpii_rma_watched(&c, RMA_USES_ORIGIN | RMA_USES_RESULT, update(&c));
}

int mpii_Rget_accumulate(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
                         void *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank,
                         MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
                         MPI_Win win, MPI_Request *request)
{
    struct mpii_rma_call c = {0};

    MPII_TRY(mpii_rma_begin(&c, win, target_rank, __func__, __builtin_return_address(0)));
    MPII_TRY(mpii_rma_check_result(&c, result_addr, result_count, result_datatype));
    MPII_TRY(check_accumulate(&c, origin_addr, origin_count, origin_datatype, target_disp, target_count,
                              target_datatype, op));
    MPII_TRY(mpii_rma_request_make(&c, request));
    return mpii_rma_watched(&c, RMA_USES_ORIGIN | RMA_USES_RESULT, mpii_rma_request_give(&c, request, update(&c)));
}

/* ------------------------------------------------------------- one element -- */

static __attribute__((noinline)) int fetch_slow(const void *origin_addr, void *result_addr, MPI_Datatype datatype,
                                                int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    struct mpii_rma_call c = {0};

    MPII_TRY(mpii_rma_begin(&c, win, target_rank, "MPI_Fetch_and_op", __builtin_return_address(0)));
    MPII_TRY(mpii_rma_check_result(&c, result_addr, 1, datatype));
    if (!mpii_type_is_predefined(c.rtype))
        return mpii_error(c.w, MPI_ERR_TYPE, c.name, "datatype is not a predefined one");
    MPII_TRY(check_accumulate(&c, origin_addr, 1, datatype, target_disp, 1, datatype, op));
    return mpii_rma_watched(&c, RMA_USES_ORIGIN | RMA_USES_RESULT, update(&c));
}

int mpii_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                      MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    size_t n;
    struct mpii_rma_peer *p;
    char *to = mpii_rma_fast(win, result_addr, 1, datatype, target_rank, target_disp, 1, datatype, &n, &p);

    if (MPT_LIKELY(to != NULL && origin_addr) && update_quickly(to, p, 1, datatype, op, origin_addr, result_addr))
        return MPI_SUCCESS;
    return fetch_slow(origin_addr, result_addr, datatype, target_rank, target_disp, op, win);
}

/* 12.3.4: integers, logicals, multi-language types and bytes. MPI_CHAR, which is none of these, is taken for an integer
 * as in reductions: programs compare and swap flags of type char. NULL: t is nothing of that. */
static struct mpii_type *comparable(struct mpii_type *t)
{
    struct mpii_type *element = t->recipe && mpii_type_is_predefined(t) ? t->element : t;
    const struct mpii_basic *row = mpii_basic_row(element);

    if (!row || row->parts != 1)
        return NULL;
    return row->class == MPII_INT || row->class == MPII_UINT || row->class == MPII_LOGICAL ||
                   element->handle == MPI_BYTE || element->handle == MPI_CHAR
               ? element
               : NULL;
}

int mpii_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype,
                          int target_rank, MPI_Aint target_disp, MPI_Win win)
{
    struct mpii_rma_call c = {0};
    struct mpii_rma_update u;

    MPII_TRY(mpii_rma_begin(&c, win, target_rank, __func__, __builtin_return_address(0)));
    MPII_TRY(mpii_rma_check_origin(&c, origin_addr, 1, datatype));
    MPII_TRY(mpii_rma_check_result(&c, result_addr, 1, datatype));
    c.element = comparable(c.otype);
    if (!c.element)
        return mpii_error(c.w, MPI_ERR_TYPE, c.name, "datatype is not an integer, logical or byte type");
    MPII_TRY(mpii_check_buffer(c.w, compare_addr, 1, c.otype, "compare_addr", c.name));
    MPII_TRY(mpii_rma_check_target(&c, target_disp, 1, datatype));
    if (!c.p)
        return MPI_SUCCESS;
    if (MPT_UNLIKELY(core_race_on()))
        mpii_rma_race_begin(&c, CORE_RACE_WRITE | CORE_RACE_ATOMIC | CORE_RACE_FETCHES | kind_of(c.element));
    if (!c.base) {
        if (MPT_UNLIKELY(core_race_on()))
            mpii_rma_race_fetched(&c, false);
        return mpii_rma_watched(&c, RMA_USES_ORIGIN | RMA_USES_RESULT,
                                mpii_rma_by_message(&c, RMA_COMPARE, compare_addr));
    }
    u = update_of(&c);
    mpii_rma_compare_swap(&u, c.base + c.at, compare_addr, origin_addr, result_addr);
    if (MPT_UNLIKELY(core_race_on()))
        mpii_rma_race_fetched(&c, true);
    core_changed(c.p->pe, c.base + c.at, (size_t)c.element->size);
    return mpii_rma_watched(&c, RMA_USES_ORIGIN | RMA_USES_RESULT, MPI_SUCCESS);
}
