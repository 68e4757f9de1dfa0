/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the tests of one-sided communication: a window of each flavour over
 * MPI_COMM_WORLD, and each way of synchronisation around the operations that all
 * ranks make at once.
 */
#ifndef TESTS_MPI_RMA_WINDOW_H
#define TESTS_MPI_RMA_WINDOW_H

#include "mcheck.h"

enum flavour { PRIVATE, ALLOC_MEM, GLOBAL, ALLOCATE, SHARED, APART, DYNAMIC, FLAVOURS };
static const char *const flavour_names[FLAVOURS] = {
    "create on malloc", "create on MPI_Alloc_mem", "create on a global",
    "allocate",         "allocate_shared",         "allocate_shared apart",
    "dynamic"};
enum { GLOBAL_BYTES = 2 << 20 };
static _Alignas(64) char window_global[GLOBAL_BYTES];

struct window {
    enum flavour flavour;
    MPI_Win win;
    char *base;
    MPI_Aint bytes, unit;
    MPI_Aint *at; /* of each rank: displacement of its base */
};

/* Can all ranks share memory? */
static inline bool ranks_share_memory(void)
{
    static int known = -1;
    MPI_Comm node;
    int size;

    if (known < 0) {
        OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
        OK(MPI_Comm_size(node, &size));
        known = size == mc_size;
        MPI_Comm_free(&node);
        MPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
    return known;
}

static inline bool window_possible(enum flavour f)
{
    return (f != SHARED && f != APART) || ranks_share_memory();
}

static inline void window_memory(struct window *w)
{
    if (w->flavour == PRIVATE || w->flavour == DYNAMIC)
        w->base = malloc((size_t)w->bytes + 1);
    else if (w->flavour == ALLOC_MEM)
        OK(MPI_Alloc_mem(w->bytes, MPI_INFO_NULL, &w->base));
    else
        w->base = window_global;
}

static inline void window_share(struct window *w)
{
    MPI_Info info = MPI_INFO_NULL;

    if (w->flavour == APART) {
        OK(MPI_Info_create(&info));
        OK(MPI_Info_set(info, "alloc_shared_noncontig", "true"));
    }
    OK(MPI_Win_allocate_shared(w->bytes, (int)w->unit, info, MPI_COMM_WORLD, &w->base, &w->win));
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
}

/* Collective. The memory is zero, all ranks' is. */
static inline struct window window_make(enum flavour flavour, MPI_Aint bytes, MPI_Aint unit)
{
    struct window w = {.flavour = flavour, .bytes = bytes, .unit = unit, .at = calloc((size_t)mc_size, sizeof *w.at)};

    if (flavour == ALLOCATE) {
        OK(MPI_Win_allocate(bytes, (int)unit, MPI_INFO_NULL, MPI_COMM_WORLD, &w.base, &w.win));
    } else if (flavour == SHARED || flavour == APART) {
        window_share(&w);
    } else {
        if (flavour == GLOBAL && bytes > GLOBAL_BYTES) {
            fprintf(stderr, "%d ranks: the test's global has room for %d bytes, not for %ld\n", mc_size, GLOBAL_BYTES,
                    (long)bytes);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        window_memory(&w);
        if (flavour == DYNAMIC) {
            MPI_Aint at;

            OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w.win));
            OK(MPI_Win_attach(w.win, w.base, bytes));
            MPI_Get_address(w.base, &at);
            MPI_Allgather(&at, 1, MPI_AINT, w.at, 1, MPI_AINT, MPI_COMM_WORLD);
        } else {
            OK(MPI_Win_create(w.base, bytes, (int)unit, MPI_INFO_NULL, MPI_COMM_WORLD, &w.win));
        }
    }
    memset(w.base, 0, (size_t)bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    return w;
}

static inline void window_free(struct window *w)
{
    if (w->flavour == DYNAMIC) {
        MPI_Barrier(MPI_COMM_WORLD);
        OK(MPI_Win_detach(w->win, w->base));
    }
    OK(MPI_Win_free(&w->win));
    CHECK(w->win == MPI_WIN_NULL, "the handle is set to MPI_WIN_NULL");
    if (w->flavour == PRIVATE || w->flavour == DYNAMIC)
        free(w->base);
    if (w->flavour == ALLOC_MEM)
        OK(MPI_Free_mem(w->base));
    free(w->at);
}

/* Displacement of byte `byte` (a multiple of the unit) of a rank's memory. */
static inline MPI_Aint window_disp(const struct window *w, int rank, MPI_Aint byte)
{
    return w->flavour == DYNAMIC ? MPI_Aint_add(w->at[rank], byte) : byte / w->unit;
}

/* `test` of a window of each flavour that there can be here, made with these bytes and this unit. */
static inline void window_each(MPI_Aint bytes, MPI_Aint unit, void (*test)(struct window *w))
{
    for (int f = 0; f < FLAVOURS; f++) {
        struct window w;

        if (!window_possible((enum flavour)f))
            continue;
        w = window_make((enum flavour)f, bytes, unit);
        test(&w);
        window_free(&w);
    }
}

/* ---- synchronisation of all with all; between begin and end every rank may use any target ---- */

enum sync { FENCE, FENCE_ASSERTS, PSCW, LOCK_EACH, LOCK_ALL, LOCK_ALL_FLUSH, SYNCS };
static const char *const sync_names[SYNCS] = {"fence",        "fence with asserts", "post/start",
                                              "lock of each", "lock_all",           "lock_all and flushes"};

static inline void sync_begin(struct window *w, enum sync how)
{
    MPI_Group group;

    switch (how) {
    case FENCE:
        OK(MPI_Win_fence(0, w->win));
        break;
    case FENCE_ASSERTS:
        OK(MPI_Win_fence(MPI_MODE_NOPRECEDE, w->win));
        break;
    case PSCW:
        OK(MPI_Win_get_group(w->win, &group));
        OK(MPI_Win_post(group, 0, w->win));
        OK(MPI_Win_start(group, 0, w->win));
        OK(MPI_Group_free(&group));
        break;
    case LOCK_EACH:
        for (int i = 0; i < mc_size; i++)
            OK(MPI_Win_lock(MPI_LOCK_SHARED, i, 0, w->win));
        break;
    default:
        OK(MPI_Win_lock_all(0, w->win));
        break;
    }
}

/* On return all operations of all ranks are done, and local loads see them. */
static inline void sync_end(struct window *w, enum sync how)
{
    switch (how) {
    case FENCE:
        OK(MPI_Win_fence(0, w->win));
        break;
    case FENCE_ASSERTS:
        OK(MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, w->win));
        break;
    case PSCW:
        OK(MPI_Win_complete(w->win));
        OK(MPI_Win_wait(w->win));
        break;
    case LOCK_EACH:
        for (int i = 0; i < mc_size; i++)
            OK(MPI_Win_unlock(i, w->win));
        break;
    case LOCK_ALL_FLUSH:
        for (int i = 0; i < mc_size; i++)
            OK(i % 2 ? MPI_Win_flush(i, w->win) : MPI_Win_flush_local(i, w->win));
        OK(MPI_Win_flush_all(w->win));
        OK(MPI_Win_sync(w->win));
        OK(MPI_Win_unlock_all(w->win));
        break;
    default:
        OK(MPI_Win_unlock_all(w->win));
        break;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (how >= LOCK_EACH) /* local loads: see what came */
        OK(MPI_Win_sync(w->win));
}

#endif
