/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Updates of elements in a window's memory (12.3.4), atomic for each element.
 * Elements of 1, 2, 4 and 8 bytes at an address that is a multiple of their size
 * are changed by instructions, all others under the spin lock of the target's
 * control block; which, follows from size and address alone, so all who change
 * one element agree, in whatever way they reach it. Several elements at once are
 * changed under the lock, too: programs that accumulate a structure as bytes rely
 * on getting all of it or nothing, though the standard promises elements only.
 */
#include <sched.h>
#include <string.h>

#include "core/live/dead.h"
#include "mpi/ft/ft.h"
#include "mpi/rma/rma.h"
#include "mpi/type/type.h"

enum way { READ = 1, SWAP, ADD, AND, OR, XOR, ADD_FLOAT, COMBINE };

static enum way find_way(const struct mpii_op *op, const struct mpii_type *e)
{
    static const struct {
        MPI_Op op;
        enum way way;
    } ways[] = {{MPI_SUM, ADD}, {MPI_BAND, AND}, {MPI_BOR, OR}, {MPI_BXOR, XOR}};
    const struct mpii_basic *row;

    if (op->handle == MPI_NO_OP || op->handle == MPI_REPLACE)
        return op->handle == MPI_NO_OP ? READ : SWAP;
    row = mpii_basic_row(e);
    if (!row || row->parts != 1)
        return COMBINE;
    if (row->class == MPII_FLOAT && op->handle == MPI_SUM && row->size >= sizeof(float)) /* not the half ones */
        return ADD_FLOAT;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (ways[i].op == op->handle && (row->class == MPII_INT || row->class == MPII_UINT))
            return ways[i].way;
    return COMBINE;
}

uint8_t mpii_rma_way(const struct mpii_op *op, const struct mpii_type *e)
{
    uint8_t *k = &mpii_state.rma.ways[(uintptr_t)op->handle & 31][(uintptr_t)e->handle & 255],
            way = __atomic_load_n(k, __ATOMIC_RELAXED);

    if (MPT_UNLIKELY(!way)) {
        way = mpii_op_check(op, e) == MPI_SUCCESS ? (uint8_t)find_way(op, e) : RMA_NO_WAY;
        __atomic_store_n(k, way, __ATOMIC_RELAXED);
    }
    return way;
}

#define NO_FLOAT(T, old, value) (T)0

/* n elements by instructions. SUM: their sum as floating-point numbers. */
#define UPDATES(T, SUM)                                                                                              \
    static T combine_##T(const struct mpii_rma_update *u, enum way way, T *object, T value)                          \
    {                                                                                                                \
        T old = __atomic_load_n(object, __ATOMIC_ACQUIRE), new;                                                      \
                                                                                                                     \
        do {                                                                                                         \
            new = old;                                                                                               \
            if (way == ADD_FLOAT)                                                                                    \
                new = SUM(T, old, value);                                                                            \
            else                                                                                                     \
                mpii_op_apply(u->op, &value, &new, 1, u->element);                                                   \
        } while (!__atomic_compare_exchange_n(object, &old, new, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));         \
        return old;                                                                                                  \
    }                                                                                                                \
                                                                                                                     \
    static T update_##T(const struct mpii_rma_update *u, enum way way, T *object, T value)                           \
    {                                                                                                                \
        switch (way) {                                                                                               \
        case READ:                                                                                                   \
            return __atomic_load_n(object, __ATOMIC_ACQUIRE);                                                        \
        case SWAP:                                                                                                   \
            return __atomic_exchange_n(object, value, __ATOMIC_ACQ_REL);                                             \
        case ADD:                                                                                                    \
            return __atomic_fetch_add(object, value, __ATOMIC_ACQ_REL);                                              \
        case AND:                                                                                                    \
            return __atomic_fetch_and(object, value, __ATOMIC_ACQ_REL);                                              \
        case OR:                                                                                                     \
            return __atomic_fetch_or(object, value, __ATOMIC_ACQ_REL);                                               \
        case XOR:                                                                                                    \
            return __atomic_fetch_xor(object, value, __ATOMIC_ACQ_REL);                                              \
        case ADD_FLOAT:                                                                                              \
        case COMBINE:                                                                                                \
            break;                                                                                                   \
        }                                                                                                            \
        return combine_##T(u, way, object, value);                                                                   \
    }                                                                                                                \
                                                                                                                     \
    static void updates_##T(const struct mpii_rma_update *u, char *target, const char *operand, char *old,           \
                            MPI_Count n)                                                                             \
    {                                                                                                                \
        enum way way = (enum way)u->way;                                                                             \
                                                                                                                     \
        for (MPI_Count i = 0; i < n; i++) {                                                                          \
            T value = 0, before;                                                                                     \
                                                                                                                     \
            if (way != READ)                                                                                         \
                memcpy(&value, operand + i * (MPI_Count)sizeof(T), sizeof value);                                    \
            before = update_##T(u, way, (T *)(void *)target + i, value);                                             \
            if (old)                                                                                                 \
                memcpy(old + i * (MPI_Count)sizeof(T), &before, sizeof before);                                      \
        }                                                                                                            \
    }                                                                                                                \
                                                                                                                     \
    static void compare_##T(char *target, const char *compare, const char *value, char *old)                         \
    {                                                                                                                \
        T expected, new;                                                                                             \
                                                                                                                     \
        memcpy(&expected, compare, sizeof expected);                                                                 \
        memcpy(&new, value, sizeof new);                                                                             \
        __atomic_compare_exchange_n((T *)(void *)target, &expected, new, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); \
        memcpy(old, &expected, sizeof expected);                                                                     \
    }

#define FLOAT_SUM(F)                                            \
    static uint##F##_t sum_of_##F(uint##F##_t a, uint##F##_t b) \
    {                                                           \
        union {                                                 \
            uint##F##_t bits;                                   \
            float##F value;                                     \
        } x = {a}, y = {b};                                     \
                                                                \
        x.value = y.value + x.value;                            \
        return x.bits;                                          \
    }
typedef float float32;
typedef double float64;
FLOAT_SUM(32)
FLOAT_SUM(64)
#define SUM_32(T, a, b) sum_of_32(a, b)
#define SUM_64(T, a, b) sum_of_64(a, b)

UPDATES(uint8_t, NO_FLOAT)
UPDATES(uint16_t, NO_FLOAT)
UPDATES(uint32_t, SUM_32)
UPDATES(uint64_t, SUM_64)

/* -------------------------------------------------- elements of one and two bytes --
 * Eight bytes at a time: others may change single elements of them meanwhile. */

static uint64_t update_word(const struct mpii_rma_update *u, uint64_t *object, uint64_t value, MPI_Count n)
{
    uint64_t old = __atomic_load_n(object, __ATOMIC_ACQUIRE), new;

    do {
        new = u->way == SWAP ? value : old;
        if (u->way == READ)
            return old;
        if (u->way != SWAP)
            mpii_op_apply(u->op, &value, &new, n, u->element);
    } while (!__atomic_compare_exchange_n(object, &old, new, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return old;
}

static void updates_single(const struct mpii_rma_update *u, char *target, const char *operand, char *old, MPI_Count n)
{
    if (u->element->size == 1)
        updates_uint8_t(u, target, operand, old, n);
    else
        updates_uint16_t(u, target, operand, old, n);
}

static void updates_short(const struct mpii_rma_update *u, char *target, const char *operand, char *old, MPI_Count n)
{
    MPI_Count size = u->element->size, each = (MPI_Count)sizeof(uint64_t) / size;
    MPI_Count at = (MPI_Count)(-(uintptr_t)target % sizeof(uint64_t)) / size;

    if (n < at + each) {
        updates_single(u, target, operand, old, n);
        return;
    }
    updates_single(u, target, operand, old, at);
    for (; n - at >= each; at += each) {
        uint64_t value = 0, before;

        if (u->way != READ)
            memcpy(&value, operand + at * size, sizeof value);
        before = update_word(u, (uint64_t *)(void *)(target + at * size), value, each);
        if (old)
            memcpy(old + at * size, &before, sizeof before);
    }
    updates_single(u, target + at * size, operand ? operand + at * size : NULL, old ? old + at * size : NULL, n - at);
}

static bool by_instructions(const struct mpii_type *e, const char *target)
{
    uintptr_t size = (uintptr_t)e->size;

    return e->dense && size <= 8 && (size & (size - 1)) == 0 && ((uintptr_t)target & (size - 1)) == 0;
}

/* ---------------------------------------------------------- under the lock -- */

enum { DEAD_TRIES = 1 << 20 };

static void take(const struct mpii_rma_update *u)
{
    for (unsigned tries = 0; !u->alone && __atomic_exchange_n(&u->ctrl->busy, 1, __ATOMIC_ACQUIRE);)
        while (__atomic_load_n(&u->ctrl->busy, __ATOMIC_RELAXED))
            if (++tries % 64 == 0 || core_oversubscribed()) {
                sched_yield(); /* its holder may have lost the core */
                if (MPT_UNLIKELY(mpii_state.ft.on) && tries > DEAD_TRIES && core_dead_count() > 0)
                    return; /* or its life: what it was changing is undefined then */
            }
}

static void drop(const struct mpii_rma_update *u)
{
    if (!u->alone)
        __atomic_store_n(&u->ctrl->busy, 0, __ATOMIC_RELEASE);
}

static bool aligned(const void *p, const struct mpii_type *e)
{
    uintptr_t align = e->size > 16 ? 16 : (uintptr_t)e->size;

    return (align & (align - 1)) == 0 && (uintptr_t)p % align == 0;
}

/* Where a loop can't run on the memory itself: in copies. */
static void change_copies(const struct mpii_rma_update *u, char *target, const char *operand, MPI_Count n)
{
    _Alignas(64) char a[512], b[512];
    MPI_Count size = u->element->size, extent = u->element->extent, most = (MPI_Count)sizeof a / extent;

    for (MPI_Count at = 0; at < n; at += most) {
        MPI_Count k = n - at < most ? n - at : most;

        if (operand)
            mpii_unpack(a, k, u->element, 0, operand + at * size, k * size);
        mpii_copy(b, k, u->element, target + at * extent, k, u->element);
        mpii_op_apply(u->op, a, b, k, u->element);
        mpii_copy(target + at * extent, k, u->element, b, k, u->element);
    }
}

static void change(const struct mpii_rma_update *u, char *target, const char *operand, char *old, MPI_Count n)
{
    if (old)
        mpii_pack(old, target, n, u->element, 0, n * u->element->size);
    if (u->op->handle == MPI_NO_OP)
        return;
    if (u->op->handle == MPI_REPLACE)
        mpii_unpack(target, n, u->element, 0, operand, n * u->element->size);
    else if (u->element->dense && aligned(target, u->element) && aligned(operand, u->element))
        mpii_op_apply(u->op, operand, target, n, u->element);
    else
        change_copies(u, target, operand, n);
}

void mpii_rma_apply(const struct mpii_rma_update *u, char *target, const char *operand, char *old, MPI_Count n)
{
    if (!u->alone && by_instructions(u->element, target)) {
        if (n > 1)
            take(u);
        switch (u->element->size) {
        case 1:
        case 2:
            updates_short(u, target, operand, old, n);
            break;
        case 4:
            updates_uint32_t(u, target, operand, old, n);
            break;
        default:
            updates_uint64_t(u, target, operand, old, n);
        }
        if (n > 1)
            drop(u);
        return;
    }
    take(u);
    change(u, target, operand, old, n);
    drop(u);
}

void mpii_rma_apply_runs(const struct mpii_rma_update *u, char *base, const struct mpii_rma_run *runs, int n,
                         const char *operand, char *old)
{
    for (int i = 0; i < n; i++)
        for (int64_t k = 0; k < runs[i].count; k++) {
            mpii_rma_apply(u, mpii_rma_at(base, runs[i].at + k * runs[i].stride), operand, old,
                           runs[i].n / u->element->size);
            if (operand)
                operand += runs[i].n;
            if (old)
                old += runs[i].n;
        }
}

void mpii_rma_compare_swap(const struct mpii_rma_update *u, char *target, const char *compare, const char *value,
                           char *old)
{
    size_t n = (size_t)u->element->size;

    if (by_instructions(u->element, target)) {
        switch (n) {
        case 1:
            compare_uint8_t(target, compare, value, old);
            return;
        case 2:
            compare_uint16_t(target, compare, value, old);
            return;
        case 4:
            compare_uint32_t(target, compare, value, old);
            return;
        default:
            compare_uint64_t(target, compare, value, old);
            return;
        }
    }
    take(u);
    memcpy(old, target, n);
    if (memcmp(old, compare, n) == 0)
        memcpy(target, value, n);
    drop(u);
}
