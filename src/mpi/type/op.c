/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations (6.9): predefined ones and the user's, which types they fit, and
 * combining two vectors by one. The loops themselves are coll's (coll/op.h).
 */
#include <limits.h>

#include "core/check/finding.h"
#include "core/check/landing.h"
#include "mpi/type/op_rows.h"
#include "mpi/type/type.h"

#define PREDEFINED(op_) \
    [(uintptr_t)(op_) & \
        0x1f] = {.object = {.kind = MPII_OP, .refs = 1}, .commutes = true, .handle = (op_), .name = #op_}
#define IN_ORDER(op_) \
    [(uintptr_t)(op_) & 0x1f] = {.object = {.kind = MPII_OP, .refs = 1}, .handle = (op_), .name = #op_}
static struct mpii_op predefined[32] = {
    PREDEFINED(MPI_SUM),    PREDEFINED(MPI_MIN),    PREDEFINED(MPI_MAX),   PREDEFINED(MPI_PROD), PREDEFINED(MPI_BAND),
    PREDEFINED(MPI_BOR),    PREDEFINED(MPI_BXOR),   PREDEFINED(MPI_LAND),  PREDEFINED(MPI_LOR),  PREDEFINED(MPI_LXOR),
    PREDEFINED(MPI_MINLOC), PREDEFINED(MPI_MAXLOC), IN_ORDER(MPI_REPLACE), IN_ORDER(MPI_NO_OP),
};

struct mpii_op *mpii_op_of(MPI_Op handle)
{
    if ((uintptr_t)handle < MPII_PREDEFINED_MAX) {
        struct mpii_op *op = &predefined[(uintptr_t)handle & 0x1f];

        return ((uintptr_t)handle & ~(uintptr_t)0x1f) == 0x20 && op->object.kind == MPII_OP ? op : NULL;
    }
    struct mpii_op *op = mpii_object_of(handle, MPII_OP);

    return op && !op->freed ? op : NULL;
}

const char *mpii_op_name(MPI_Op handle)
{
    const struct mpii_op *op = mpii_op_of(handle);

    return op && op->name ? op->name : "an operation of the program's";
}

void mpii_op_release(struct mpii_op *op)
{
    if (--op->object.refs == 0)
        mpii_object_free(op);
}

static bool moves_only(const struct mpii_op *op)
{
    return op->handle == MPI_REPLACE || op->handle == MPI_NO_OP;
}

/* What MPI_Type_create_f90_xxx gives is as good as the type it stands for (6.9.2); and so, as other libraries have it,
 * is a duplicate of either. */
static coll_op_fn *loop_of(const struct mpii_op *op, const struct mpii_type *t)
{
    coll_op_fn *loop;

    while (t->recipe && t->recipe->combiner == MPI_COMBINER_DUP)
        t = t->recipe->types[0];
    loop = mpii_op_loop_of(op->handle, t->handle);
    if (MPT_LIKELY(loop != NULL) || !t->recipe || !mpii_type_is_predefined(t))
        return loop;
    return mpii_op_loop_of(op->handle, t->element->handle);
}

/* Characters are not for reductions, though this library takes those of C for the integers that they are. */
static void look_at_characters(const struct mpii_type *t)
{
    if (MPT_UNLIKELY(core_params.check) && t->handle == MPI_CHAR)
        core_finding_of_call(CORE_FINDING_ARGUMENT, "MPI-5.0, 6.9.2",
                             "datatype is MPI_CHAR, which predefined operations do not take: it is for characters "
                             "(MPI_SIGNED_CHAR and MPI_UNSIGNED_CHAR are integers)");
}

coll_op_fn *mpii_op_loop(const struct mpii_op *op, const struct mpii_type *t)
{
    if (op->function || moves_only(op))
        return NULL;
    look_at_characters(t);
    return loop_of(op, t);
}

int mpii_op_check(const struct mpii_op *op, const struct mpii_type *t)
{
    return op->function || moves_only(op) || mpii_op_loop(op, t) ? MPI_SUCCESS : MPI_ERR_OP;
}

static void apply_user(const struct mpii_op *op, char *in, char *inout, MPI_Count count, struct mpii_type *t)
{
    MPI_Datatype type = t->handle;

    core_landing_pause(1);
    mpii_thread.rt.reducing = true;
    if (op->wide) {
        ((MPI_User_function_c *)op->function)(in, inout, &count, &type);
        count = 0;
    }
    while (count > 0) { /* a function of the small form gets as many as it can be told */
        int n = count > INT_MAX ? INT_MAX : (int)count;

        ((MPI_User_function *)op->function)(in, inout, &n, &type);
        in += n * t->extent;
        inout += n * t->extent;
        count -= n;
    }
    mpii_thread.rt.reducing = false;
    core_landing_pause(-1);
}

void mpii_op_say_call(void)
{
    struct core_finding f;

    core_finding_begin(&f, CORE_FINDING_CALL_STATE, "MPI-5.0, 6.9.5",
                       "the function of an operation calls MPI to communicate");
    core_finding_at(&f, core_me(), core_site(), "this call");
    core_finding_advise(&f, "let the function compute only; it may ask for datatypes and call MPI_Abort");
    core_finding_end(&f);
}

void mpii_op_apply(const struct mpii_op *op, const void *in, void *inout, MPI_Count count, struct mpii_type *t)
{
    mpii_op_join(op, in, inout, inout, count, t);
}

void mpii_op_join(const struct mpii_op *op, const void *left, const void *right, void *result, MPI_Count count,
                  struct mpii_type *t)
{
    if (count == 0)
        return;
    if (MPT_LIKELY(!op->function && !moves_only(op))) {
        loop_of(op, t)(left, right, result, (size_t)count);
        return;
    }
    if (result != right)
        mpii_copy(result, count, t, right, count, t);
    if (op->function)
        apply_user(op, (char *)(uintptr_t)left, result, count, t);
    else if (op->handle == MPI_REPLACE)
        mpii_copy(result, count, t, left, count, t);
}

/* ---- the calls ---- */

static int check_op(MPI_Op handle, struct mpii_op **op, const char *call)
{
    *op = mpii_op_of(handle);
    if (*op)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_started(call));
    if (handle == MPI_OP_NULL)
        return mpii_error(NULL, MPI_ERR_OP, call, "op is MPI_OP_NULL");
    return mpii_error(NULL, MPI_ERR_OP, call, "op is %p, which is not an operation (freed?)",
                      mpii_bad_handle(MPII_OP, handle));
}

int mpii_Op_create(MPII_Function *user_fn, int commute, MPI_Op *op, int wide)
{
    struct mpii_op *new_op;

    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_pointer(NULL, (const void *)(uintptr_t)user_fn, "user_fn", __func__));
    MPII_TRY(mpii_check_pointer(NULL, op, "op", __func__));
    new_op = mpii_object_new(MPII_OP, sizeof *new_op);
    if (!new_op)
        return mpii_error(NULL, MPI_ERR_NO_MEM, __func__, "out of memory");
    new_op->function = user_fn;
    new_op->commutes = commute != 0;
    new_op->wide = wide;
    new_op->handle = (MPI_Op)(void *)new_op;
    *op = new_op->handle;
    return MPI_SUCCESS;
}

int mpii_Op_free(MPI_Op *op)
{
    struct mpii_op *o;

    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_pointer(NULL, op, "op", __func__));
    MPII_TRY(check_op(*op, &o, __func__));
    if (!o->function)
        return mpii_error(NULL, MPI_ERR_OP, __func__, "op is %s, which is predefined and cannot be freed",
                          mpii_op_name(*op));
    o->freed = true;
    mpii_op_release(o);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}

int mpii_Op_commutative(MPI_Op op, int *commute)
{
    struct mpii_op *o;

    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_pointer(NULL, commute, "commute", __func__));
    MPII_TRY(check_op(op, &o, __func__));
    *commute = o->commutes;
    return MPI_SUCCESS;
}

int mpii_Reduce_local(const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op)
{
    struct mpii_type *t;
    struct mpii_op *o;

    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_count(NULL, count, "count", __func__));
    MPII_TRY(mpii_check_type(NULL, datatype, &t, "datatype", __func__));
    MPII_TRY(check_op(op, &o, __func__));
    MPII_TRY(mpii_check_buffer(NULL, inbuf, count, t, "inbuf", __func__));
    MPII_TRY(mpii_check_buffer(NULL, inoutbuf, count, t, "inoutbuf", __func__));
    if (moves_only(o) || mpii_op_check(o, t) != MPI_SUCCESS)
        return mpii_error(NULL, MPI_ERR_OP, __func__, "op is %s, which is not defined for datatype %s",
                          mpii_op_name(op), t->name[0] ? t->name : "(a derived one)");
    if (MPT_UNLIKELY(core_params.check) && t->dense && inbuf != inoutbuf &&
        (uintptr_t)inbuf < (uintptr_t)inoutbuf + (size_t)(count * t->size) &&
        (uintptr_t)inoutbuf < (uintptr_t)inbuf + (size_t)(count * t->size))
        return mpii_error(NULL, MPI_ERR_BUFFER, __func__, "inbuf %p and inoutbuf %p overlap", inbuf, inoutbuf);
    if (count > 0 && inbuf == inoutbuf)
        return mpii_error(NULL, MPI_ERR_BUFFER, __func__, "inbuf and inoutbuf are the same: %p", inbuf);
    mpii_op_apply(o, inbuf, inoutbuf, count, t);
    return MPI_SUCCESS;
}
