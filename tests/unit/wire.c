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

#include "core/wire.h"
#include "unit.h"

#define PAGE 65536ull

static const unsigned counts[] = {1, 2, 3, 64, 65, 1000};
static const uint64_t sizes[] = {0, 1, 4095, 4096, 65537, 3250586, 1ull << 30, 5ull << 30};

static void check_layout(unsigned npes, uint64_t heap, uint64_t data)
{
    struct core_header h = {0};
    uint64_t chan = npes + (uint64_t)npes * CORE_CHAN_RING;

    CHECK(core_wire_layout(&h, npes, heap, data) == 0, "%u PEs, heap %llu", npes, (unsigned long long)heap);
    CHECK(h.npes == npes && h.heap_size >= heap && h.data_max >= data, "sizes as asked for");
    CHECK(h.heap_size < heap + PAGE && h.data_max < data + PAGE, "and not much more");
    CHECK(h.off_coll >= sizeof(struct core_ctrl), "collective area behind the control line");
    CHECK(h.off_chan >= h.off_coll + CORE_COLL_SIZE, "rings behind the collective area");
    CHECK(h.off_data >= h.off_chan + chan, "globals behind the rings");
    CHECK(h.off_heap >= h.off_data + h.data_max, "heap behind the globals");
    CHECK(h.stride >= h.off_heap + h.heap_size, "all inside the slice");
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
        CHECK(core_wire_layout(&h, 2, huge[i], 0) == -EOVERFLOW, "heap %llx", (unsigned long long)huge[i]);
        CHECK(core_wire_layout(&h, 2, 0, huge[i]) == -EOVERFLOW, "globals %llx", (unsigned long long)huge[i]);
    }
    CHECK(core_wire_layout(&h, 1u << 31, 1ull << 40, 0) == -EOVERFLOW, "many PEs with large heaps");
    CHECK(h.npes == 77, "a refusal writes nothing");
}

static void test_create(void)
{
    struct core_header *h;
    struct stat st;
    int fd = core_wire_create(&h, 4, 2, 1ull << 30, 1ull << 30);

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
    test_create();
    return unit_result();
}
