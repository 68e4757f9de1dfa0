/* SPDX-License-Identifier: BSD-3-Clause */
/* One judge for every contiguous put and get: a row names a call and the size of its element, the judge makes
 * transfers of many lengths with it, from and to each kind of memory, and compares every byte, guards included.
 * The programs beside it only list their rows. */
#ifndef TESTS_RMA_TRANSFER_H
#define TESTS_RMA_TRANSFER_H

#include "../../check.h"

#define TRANSFER_GUARD 16
#define TRANSFER_DEST_BYTE 0xa5 /* what lies round the data; unlike, so that a byte too many shows */
#define TRANSFER_SOURCE_BYTE 0x4b
#define TRANSFER_MEMORY 4096
#define TRANSFER_KINDS 4

typedef void transfer_call(void *dest, const void *source, size_t nelems, int pe);

struct transfer {
    const char *name;
    size_t size;
    transfer_call *call;
};

static const size_t transfer_counts[] = {0, 1, 2, 3, 7, 8, 17, 64, 100};

/* The local side of a transfer need not be symmetric: stack, malloc, a global, or the symmetric heap. */
static unsigned char transfer_global[TRANSFER_MEMORY];
static unsigned char *transfer_private, *transfer_heap, *transfer_remote;

/* The calls with a context use one of their own, which a barrier doesn't complete: hence the quiet. */
static shmem_ctx_t transfer_ctx;

static inline void transfer_start(void)
{
    int status = shmem_ctx_create(0, &transfer_ctx);

    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    transfer_private = (unsigned char *)malloc(TRANSFER_MEMORY);
    transfer_heap = (unsigned char *)shmem_malloc(TRANSFER_MEMORY);
    transfer_remote = (unsigned char *)shmem_malloc(TRANSFER_MEMORY);
    REQUIRE(transfer_private && transfer_heap && transfer_remote, "no memory for 3 x %d bytes", TRANSFER_MEMORY);
}

static inline void transfer_finish(void)
{
    shmem_ctx_destroy(transfer_ctx);
    shmem_free(transfer_remote);
    shmem_free(transfer_heap);
    free(transfer_private);
}

static inline unsigned char *transfer_local(size_t kind, unsigned char *stack)
{
    unsigned char *memory[TRANSFER_KINDS] = {stack, transfer_private, transfer_global, transfer_heap};
    return memory[kind % TRANSFER_KINDS];
}

static inline uint64_t transfer_seed(int pe, size_t row, size_t i)
{
    return ((uint64_t)pe * 1000 + row) * 100 + i;
}

/* Fills the places of all lengths, guards round them, with what PE `pe` sends in row `row`. */
static inline void transfer_image(unsigned char *memory, int pe, size_t row, size_t size, int guard)
{
    size_t at = TRANSFER_GUARD;

    memset(memory, guard, TRANSFER_MEMORY);
    for (size_t i = 0; i < CHECK_COUNT(transfer_counts); i++) {
        check_fill(memory + at, transfer_counts[i] * size, transfer_seed(pe, row, i));
        at += transfer_counts[i] * size + TRANSFER_GUARD;
    }
}

static inline void transfer_compare(const unsigned char *memory, int pe, size_t row, const struct transfer *t,
                                    int guard, const char *side)
{
    unsigned char expected[TRANSFER_MEMORY];

    transfer_image(expected, pe, row, t->size, guard);
    for (size_t i = 0; i < TRANSFER_MEMORY; i++)
        if (!CHECK(memory[i] == expected[i], "%s, %s: byte %zu is 0x%02x, expected 0x%02x from PE %d", t->name, side, i,
                   memory[i], expected[i], pe))
            return;
}

static inline void transfer_all_lengths(const struct transfer *t, unsigned char *dest, const unsigned char *source,
                                        int pe)
{
    size_t at = TRANSFER_GUARD;

    for (size_t i = 0; i < CHECK_COUNT(transfer_counts); i++) {
        t->call(dest + at, source + at, transfer_counts[i], pe);
        at += transfer_counts[i] * t->size + TRANSFER_GUARD;
    }
}

static inline void transfer_check_puts(const struct transfer *rows, size_t nrows)
{
    unsigned char stack[TRANSFER_MEMORY];

    for (size_t row = 0; row < nrows; row++) {
        int to = (int)((check_me + row) % check_npes);
        int from = (int)((check_me + (size_t)check_npes * nrows - row) % check_npes);
        unsigned char *source = transfer_local(row, stack);

        memset(transfer_remote, TRANSFER_DEST_BYTE, TRANSFER_MEMORY);
        transfer_image(source, check_me, row, rows[row].size, TRANSFER_SOURCE_BYTE);
        shmem_barrier_all();
        transfer_all_lengths(&rows[row], transfer_remote, source, to);
        shmem_ctx_quiet(transfer_ctx);
        shmem_barrier_all();
        transfer_compare(transfer_remote, from, row, &rows[row], TRANSFER_DEST_BYTE, "target");
        transfer_compare(source, check_me, row, &rows[row], TRANSFER_SOURCE_BYTE, "source");
    }
}

static inline void transfer_check_gets(const struct transfer *rows, size_t nrows)
{
    unsigned char stack[TRANSFER_MEMORY];

    for (size_t row = 0; row < nrows; row++) {
        int from = (int)((check_me + row) % check_npes);
        unsigned char *dest = transfer_local(row, stack);

        memset(dest, TRANSFER_DEST_BYTE, TRANSFER_MEMORY);
        transfer_image(transfer_remote, check_me, row, rows[row].size, TRANSFER_SOURCE_BYTE);
        shmem_barrier_all();
        transfer_all_lengths(&rows[row], dest, transfer_remote, from);
        transfer_compare(dest, from, row, &rows[row], TRANSFER_DEST_BYTE, "destination");
        shmem_barrier_all();
        transfer_compare(transfer_remote, check_me, row, &rows[row], TRANSFER_SOURCE_BYTE, "source");
    }
}

#endif
