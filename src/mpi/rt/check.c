/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks of arguments: each says what is wrong with which value, and raises the
 * standard's error class. The quick halves are in mpii.h.
 */
#include "mpi/mpii.h"

int mpii_check_started(const char *call)
{
    return MPT_LIKELY(mpii_started())
               ? MPI_SUCCESS
               : mpii_error(NULL, MPI_ERR_OTHER, call, "MPI is not initialized (or has been finalized)");
}

/* With --check: what MPI_Comm_idup gives, before its request is complete. */
static bool is_unborn(MPI_Comm handle)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[MPII_COMM];
    const size_t at = (uintptr_t)handle - pool->base;

    return at < pool->used && (at & (pool->slot - 1)) == 0 && ((const struct mpii_object *)handle)->kind == MPII_UNBORN;
}

int mpii_check_comm_slow(MPI_Comm handle, const char *call)
{
    MPII_TRY(mpii_check_started(call));
    if (handle == MPI_COMM_NULL)
        return mpii_error(NULL, MPI_ERR_COMM, call, "comm is MPI_COMM_NULL");
    if (is_unborn(handle))
        return mpii_error(NULL, MPI_ERR_OTHER, call, "comm is of an MPI_Comm_idup that has not been completed (7.4.2)");
    return mpii_error(NULL, MPI_ERR_COMM, call, "comm is %p, which is not a communicator (freed?)",
                      mpii_bad_handle(MPII_COMM, handle));
}

int mpii_check_type_slow(void *object, MPI_Datatype handle, const char *arg, const char *call)
{
    const struct mpii_type *t = mpii_type_of(handle);

    MPII_TRY(mpii_check_started(call));
    if (handle == MPI_DATATYPE_NULL)
        return mpii_error(object, MPI_ERR_TYPE, call, "%s is MPI_DATATYPE_NULL", arg);
    if (t)
        return mpii_error(object, MPI_ERR_TYPE, call, "%s is a datatype that has not been committed", arg);
    return mpii_error(object, MPI_ERR_TYPE, call, "%s is %p, which is not a datatype (freed?)", arg,
                      mpii_bad_handle(MPII_TYPE, handle));
}

int mpii_check_count_slow(void *object, MPI_Count count, const char *arg, const char *call)
{
    return mpii_error(object, MPI_ERR_COUNT, call, "%s is %lld, less than 0", arg, (long long)count);
}

int mpii_check_rank_slow(struct mpii_comm *c, int rank, bool receive, const char *arg, const char *call)
{
    if (rank == MPI_PROC_NULL || (receive && rank == MPI_ANY_SOURCE))
        return MPI_SUCCESS;
    return mpii_error(c, MPI_ERR_RANK, call, "%s is %d, not a rank of this communicator of %d processes", arg, rank,
                      c->nprocs);
}

int mpii_check_tag_slow(struct mpii_comm *c, int tag, bool receive, const char *call)
{
    if (receive && tag == MPI_ANY_TAG)
        return MPI_SUCCESS;
    return mpii_error(c, MPI_ERR_TAG, call, "tag is %d; expected 0 to %d%s", tag, MPII_TAG_UB,
                      receive ? ", or MPI_ANY_TAG" : "");
}

int mpii_check_root(struct mpii_comm *c, int root, const char *call)
{
    if (MPT_LIKELY((unsigned)root < (unsigned)c->nprocs) || (c->inter && (root == MPI_ROOT || root == MPI_PROC_NULL)))
        return MPI_SUCCESS;
    return mpii_error(c, MPI_ERR_ROOT, call, "root is %d, not a rank of this communicator of %d processes", root,
                      c->nprocs);
}

/* More than there can be of any memory: who looks at the count says so. */
static bool is_too_much(MPI_Count count, const struct mpii_type *t)
{
    MPI_Count bytes;

    return __builtin_mul_overflow(count, t->size, &bytes) || __builtin_mul_overflow(count, t->extent, &bytes);
}

/* Of types with gaps only the ends are looked at: what lies between elements may be anything. */
static int guard(void *object, const void *buf, MPI_Count count, const struct mpii_type *t, const char *arg,
                 const char *call)
{
    const char *first = (const char *)buf + t->true_lb, *last = first + (count - 1) * t->extent;
    size_t span = (size_t)t->true_extent;
    const char *bad = core_guard_bad(first, t->dense ? (size_t)(count * t->size) : 1);

    if (!bad && !t->dense)
        bad = core_guard_bad(last + span - 1, 1);
    if (!bad)
        return MPI_SUCCESS;
    core_guard_describe(bad);
    return mpii_error(object, MPI_ERR_BUFFER, call, "%s=%p has %zu bytes of memory, but %lld elements of data need %zu",
                      arg, buf, (size_t)(bad - (const char *)buf), (long long)count,
                      (size_t)(last + span - (const char *)buf));
}

int mpii_check_buffer_slow(void *object, const void *buf, MPI_Count count, const struct mpii_type *t, const char *arg,
                           const char *call)
{
    if (count == 0 || t->size == 0)
        return MPI_SUCCESS;
    if (buf && buf != MPI_IN_PLACE)
        return count < 0 || is_too_much(count, t) ? MPI_SUCCESS : guard(object, buf, count, t, arg, call);
    if (buf == MPI_BOTTOM && (t->true_lb < 0 || t->true_lb > 65535)) /* absolute addresses */
        return MPI_SUCCESS;
    return mpii_error(object, MPI_ERR_BUFFER, call, "%s is %s, but there are %lld elements of data", arg,
                      buf == MPI_IN_PLACE ? "MPI_IN_PLACE, which is not allowed here" : "NULL", (long long)count);
}

int mpii_check_pointer(void *object, const void *p, const char *arg, const char *call)
{
    return MPT_LIKELY(p != NULL) ? MPI_SUCCESS : mpii_error(object, MPI_ERR_ARG, call, "%s is NULL", arg);
}
