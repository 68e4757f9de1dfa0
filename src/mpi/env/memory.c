/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Alloc_mem (9.2): memory of the arena, where peers of the node reach it
 * without a copy; ordinary memory when that is full. A table of what was given
 * tells a wrong address from a right one.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/mpii.h"

static struct mpii_alloc_blocks *const blocks = &mpii_state.env.blocks;

struct mpii_alloc_block {
    void *base;
    bool arena;
};

static size_t place(const void *base)
{
    return (size_t)(((uintptr_t)base >> 4) * 0x9e3779b97f4a7c15u >> 20) & (blocks->room - 1);
}

static struct mpii_alloc_block *find(const void *base)
{
    size_t i;

    if (blocks->room == 0 || !base)
        return NULL;
    for (i = place(base); blocks->at[i].base && blocks->at[i].base != base; i = (i + 1) & (blocks->room - 1))
        ;
    return blocks->at[i].base ? &blocks->at[i] : NULL;
}

static void insert(struct mpii_alloc_block b)
{
    size_t i = place(b.base);

    while (blocks->at[i].base)
        i = (i + 1) & (blocks->room - 1);
    blocks->at[i] = b;
}

static bool make_room(void)
{
    struct mpii_alloc_block *old = blocks->at, *new;
    size_t had = blocks->room, want = blocks->room ? 2 * blocks->room : 64;

    if (2 * (blocks->n + 1) <= blocks->room)
        return true;
    new = calloc(want, sizeof *new);
    if (!new)
        return false;
    blocks->at = new;
    blocks->room = want;
    for (size_t i = 0; i < had; i++)
        if (old[i].base)
            insert(old[i]);
    free(old);
    return true;
}

/* Those behind it in its run may have to move up. */
static void take_out(struct mpii_alloc_block *b)
{
    size_t i = (size_t)(b - blocks->at);

    b->base = NULL;
    blocks->n--;
    for (i = (i + 1) & (blocks->room - 1); blocks->at[i].base; i = (i + 1) & (blocks->room - 1)) {
        struct mpii_alloc_block moved = blocks->at[i];

        blocks->at[i].base = NULL;
        insert(moved);
    }
}

static size_t alignment(MPI_Info info)
{
    const char *text = mpii_info_get(info, "mpi_minimum_memory_alignment");
    long wish = text ? strtol(text, NULL, 10) : 0;
    size_t align = 64;

    while ((long)align < wish && align < (size_t)1 << 62)
        align *= 2;
    return align;
}

int mpii_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr)
{
    struct mpii_alloc_block b = {NULL, true};
    size_t align, n = size > 0 ? (size_t)size : 1;

    MPII_TRY(mpii_check_started(__func__));
    if (size < 0)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "size is %lld, less than 0", (long long)size);
    MPII_TRY(mpii_check_info(NULL, info, __func__));
    MPII_TRY(mpii_check_pointer(NULL, baseptr, "baseptr", __func__));
    align = alignment(info);
    if (make_room() && !(b.base = core_arena_alloc(n, align))) {
        b.arena = false;
        if (posix_memalign(&b.base, align, n) != 0)
            b.base = NULL;
    }
    if (!b.base)
        return mpii_error(NULL, MPI_ERR_NO_MEM, __func__, "no memory for size = %lld bytes", (long long)size);
    insert(b);
    blocks->n++;
    *(void **)baseptr = b.base;
    return MPI_SUCCESS;
}

int mpii_Free_mem(void *base)
{
    struct mpii_alloc_block *b;

    MPII_TRY(mpii_check_started(__func__));
    b = find(base);
    if (!b)
        return mpii_error(NULL, MPI_ERR_BASE, __func__, "base is %p, which MPI_Alloc_mem has not given (freed?)", base);
    if (b->arena)
        core_arena_free(base);
    else
        free(base);
    take_out(b);
    return MPI_SUCCESS;
}
