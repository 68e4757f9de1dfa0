/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Alloc_mem (9.2): memory of the arena, where peers of the node reach it
 * without a copy; ordinary memory when that is full. A table of what was given
 * tells a wrong address from a right one.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/mpii.h"

struct block {
    void *base;
    bool arena;
};

static struct block *blocks; /* open addressing; base NULL: free */
static size_t nblocks, room; /* room: a power of two, or 0 */

static size_t place(const void *base)
{
    return (size_t)(((uintptr_t)base >> 4) * 0x9e3779b97f4a7c15u >> 20) & (room - 1);
}

static struct block *find(const void *base)
{
    size_t i;

    if (room == 0 || !base)
        return NULL;
    for (i = place(base); blocks[i].base && blocks[i].base != base; i = (i + 1) & (room - 1))
        ;
    return blocks[i].base ? &blocks[i] : NULL;
}

static void insert(struct block b)
{
    size_t i = place(b.base);

    while (blocks[i].base)
        i = (i + 1) & (room - 1);
    blocks[i] = b;
}

static bool make_room(void)
{
    struct block *old = blocks, *new;
    size_t had = room, want = room ? 2 * room : 64;

    if (2 * (nblocks + 1) <= room)
        return true;
    new = calloc(want, sizeof *new);
    if (!new)
        return false;
    blocks = new;
    room = want;
    for (size_t i = 0; i < had; i++)
        if (old[i].base)
            insert(old[i]);
    free(old);
    return true;
}

/* Those behind it in its run may have to move up. */
static void take_out(struct block *b)
{
    size_t i = (size_t)(b - blocks);

    b->base = NULL;
    nblocks--;
    for (i = (i + 1) & (room - 1); blocks[i].base; i = (i + 1) & (room - 1)) {
        struct block moved = blocks[i];

        blocks[i].base = NULL;
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
    struct block b = {NULL, true};
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
    nblocks++;
    *(void **)baseptr = b.base;
    return MPI_SUCCESS;
}

int mpii_Free_mem(void *base)
{
    struct block *b;

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
