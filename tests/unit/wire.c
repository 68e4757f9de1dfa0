/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Layout of a job's memory: parts in order and apart, aligned in the file, and
 * sizes that cannot be are refused, not wrapped around.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/mem/wire.h"
#include "harness.h"

#define PAGE 65536ull
#define ARENA (64ull << 20)

static const unsigned counts[] = {1, 2, 3, 64, 65, 1000};
static const uint64_t sizes[] = {0, 1, 4095, 4096, 65537, 3250586, 1ull << 30, 5ull << 30};

static void check_layout(unsigned npes, uint64_t heap, uint64_t data)
{
    struct core_header h = {0};
    uint64_t chan = npes + (uint64_t)npes * CORE_CHAN_RING;

    CHECK(core_wire_layout(&h, npes, (struct core_sizes){heap, data, ARENA, false}) == 0, "%u PEs, heap %llu", npes,
          (unsigned long long)heap);
    CHECK(h.npes == npes && h.heap_size >= heap && h.data_max >= data, "sizes as asked for");
    CHECK(h.heap_size < heap + PAGE && h.data_max < data + PAGE, "and not much more");
    CHECK(h.off_coll >= sizeof(struct core_ctrl), "collective area behind the control line");
    CHECK(h.off_chan >= h.off_coll + CORE_COLL_SIZE, "rings behind the collective area");
    CHECK(h.off_data >= h.off_chan + chan, "globals behind the rings");
    CHECK(h.off_heap >= h.off_data + h.data_max, "heap behind the globals");
    CHECK(h.off_arena >= h.off_heap + h.heap_size, "arena behind the heap");
    CHECK(h.arena_size == ARENA && h.stride >= h.off_arena + h.arena_size, "all inside the slice");
    CHECK((CORE_HEADER_SIZE + h.off_arena) % CORE_WIRE_ALIGN == 0, "arena at %llx", (unsigned long long)h.off_arena);
    CHECK(h.stride % CORE_WIRE_ALIGN == 0, "stride %llx", (unsigned long long)h.stride);
    CHECK((CORE_HEADER_SIZE + h.off_heap) % CORE_WIRE_ALIGN == 0, "heap at %llx", (unsigned long long)h.off_heap);
    CHECK((CORE_HEADER_SIZE + h.off_coll) % PAGE == 0 && (CORE_HEADER_SIZE + h.off_chan) % PAGE == 0 &&
              (CORE_HEADER_SIZE + h.off_data) % PAGE == 0,
          "each part can be mapped on its own");
    CHECK(h.file_size >= CORE_HEADER_SIZE + npes * h.stride, "the last slice is in the file");
}

static void test_refusals(void)
{
    static const uint64_t huge[] = {1ull << 46, 1ull << 47, 1ull << 63, UINT64_MAX - 1, UINT64_MAX};
    struct core_header h = {.npes = 77};

    for (unsigned i = 0; i < sizeof huge / sizeof *huge; i++) {
        CHECK(core_wire_layout(&h, 2, (struct core_sizes){huge[i], 0, ARENA, false}) == -EOVERFLOW, "heap %llx",
              (unsigned long long)huge[i]);
        CHECK(core_wire_layout(&h, 2, (struct core_sizes){0, huge[i], ARENA, false}) == -EOVERFLOW, "globals %llx",
              (unsigned long long)huge[i]);
    }
    CHECK(core_wire_layout(&h, 1u << 31, (struct core_sizes){1ull << 40, 0, ARENA, false}) == -EOVERFLOW,
          "many PEs with large heaps");
    CHECK(h.npes == 77, "a refusal writes nothing");
}

/* An arena is as large as there is room for, down to none. */
static void test_arena(void)
{
    static const struct {
        unsigned npes;
        uint64_t heap, arena, least, most;
    } cases[] = {
        {2, 1ull << 30, 1ull << 30, 1ull << 30, 1ull << 30},
        {1000, 1ull << 30, 1ull << 40, 1ull << 28, 1ull << 36},
        {2, 1ull << 30, UINT64_MAX, 1ull << 36, 1ull << 45},
        {1, (1ull << 46) - (1ull << 30), 1ull << 40, 1ull << 28, 1ull << 30},
        {2, 1ull << 30, 0, 0, 0},
        {2, 1ull << 30, 4096, 0, 0},
    };

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct core_header h = {0};
        int rc = core_wire_layout(&h, cases[i].npes, (struct core_sizes){cases[i].heap, 0, cases[i].arena, false});

        CHECK(rc == 0 && h.arena_size >= cases[i].least && h.arena_size <= cases[i].most, "case %u: %llx bytes", i,
              (unsigned long long)h.arena_size);
        CHECK(h.file_size <= (1ull << 46) + (2ull << 20), "case %u: file of %llx bytes", i,
              (unsigned long long)h.file_size);
        CHECK(cases[i].heap > 1ull << 40 || h.file_size <= 1ull << 45, "case %u: heaps can have one address in all PEs",
              i);
        CHECK(h.off_arena + h.arena_size <= h.stride, "case %u: inside the slice", i);
    }
}

static void test_create(void)
{
    struct core_header *h;
    struct stat st;
    int fd = core_wire_create(&h, 4, 2, (struct core_sizes){1ull << 30, 1ull << 30, ARENA, false});

    CHECK(fd >= 0, "%d", fd);
    if (fd < 0)
        return;
    CHECK(h->magic == CORE_WIRE_MAGIC && h->version == CORE_WIRE_VERSION && h->build == core_wire_build(),
          "says what it is");
    CHECK(h->npes == 4 && h->ncores == 2 && h->launcher == 0 && h->started == 0, "as asked for, nobody in it");
    CHECK(fstat(fd, &st) == 0 && (uint64_t)st.st_size == h->file_size, "as long as it says");
    CHECK(st.st_blocks * 512ll <= 65536, "sparse: %lld blocks", (long long)st.st_blocks);
    CHECK(fd > 9, "fd %d could be one that a script uses", fd);
    munmap(h, CORE_HEADER_SIZE);
    close(fd);
}

int main(void)
{
    for (unsigned n = 0; n < sizeof counts / sizeof *counts; n++)
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
                check_layout(counts[n], sizes[i], sizes[k]);
    test_refusals();
    test_arena();
    test_create();
    return check_verdict();
}
