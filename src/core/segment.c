/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Maps the node's memfd and fills `mpt_fast`. Each PE maps the whole file once,
 * at an address chosen so that its *own* heap lies at the same address in every
 * PE; a peer's memory is then own address + (peer - me) * stride. Where that
 * address is taken the file goes anywhere: offsets still agree.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "core/internal.h"

#ifdef __SANITIZE_THREAD__
#define OWN_HEAP_ADDRESS 0ul /* ThreadSanitizer keeps most of the address space */
#else
#define OWN_HEAP_ADDRESS 0x200000000000ul
#endif

struct mpt_fast mpt_fast = {.me = -1};
struct core_segment core_seg;

static void *map_whole(int fd, size_t length, size_t own_heap_at)
{
    int flags = MAP_SHARED | MAP_NORESERVE;
    if (OWN_HEAP_ADDRESS && OWN_HEAP_ADDRESS > own_heap_at) {
        void *want = (void *)(OWN_HEAP_ADDRESS - own_heap_at);
        void *p = mmap(want, length, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, fd, 0);
        if (p == want)
            return p;
        if (p != MAP_FAILED) /* kernels before 4.17 take the address as a hint */
            munmap(p, length);
    }
    /* Anywhere, but such that the heap is aligned as it is in every other PE. */
    char *room = mmap(NULL, length + CORE_WIRE_ALIGN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return MAP_FAILED;
    size_t skip = -((uintptr_t)room + own_heap_at) & (CORE_WIRE_ALIGN - 1);
    void *p = mmap(room + skip, length, PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, 0);
    if (p == MAP_FAILED) {
        int error = errno;
        munmap(room, length + CORE_WIRE_ALIGN);
        errno = error;
    }
    return p;
}

/* The header must be of this build: its layout is not a stable format. */
static int check_header(const struct core_header *h, size_t file_size, unsigned idx)
{
    if (h->magic != CORE_WIRE_MAGIC || h->version != CORE_WIRE_VERSION) {
        core_error("the launcher's job has another format: launcher and library must be of the same version");
        return -EPROTO;
    }
    if (h->build != core_wire_build()) {
        core_error("launcher and library are of different builds (%llx and %llx); use the oshrun installed beside the library",
                   (unsigned long long)h->build, (unsigned long long)core_wire_build());
        return -EPROTO;
    }
    if (idx >= h->npes || h->file_size > file_size) {
        core_error("damaged job: PE %u of %u, %zu of %llu bytes", idx, h->npes, file_size,
                   (unsigned long long)h->file_size);
        return -EPROTO;
    }
    return 0;
}

int core_segment_map(int fd, unsigned idx)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || (size_t)st.st_size < CORE_HEADER_SIZE) {
        core_error("%s names file descriptor %d, which is not a job; was the program started by something that closes descriptors?",
                   CORE_WIRE_ENV, fd);
        return -EBADF;
    }
    struct core_header *h = mmap(NULL, CORE_HEADER_SIZE, PROT_READ, MAP_SHARED, fd, 0);
    if (h == MAP_FAILED)
        return -errno;
    int rc = check_header(h, (size_t)st.st_size, idx);
    if (rc == 0) {
        core_seg.length = h->file_size;
        core_seg.base = map_whole(fd, h->file_size, CORE_HEADER_SIZE + idx * h->stride + h->off_heap);
        if (core_seg.base == MAP_FAILED) {
            rc = -errno;
            core_error("cannot map %llu bytes of address space (%u PEs, SHMEM_SYMMETRIC_SIZE=%llu): %s; is there a limit (ulimit -v)?",
                       (unsigned long long)h->file_size, h->npes, (unsigned long long)h->heap_size, strerror(errno));
        }
    }
    munmap(h, CORE_HEADER_SIZE);
    if (rc != 0)
        return rc;

    h = core_seg.header = (struct core_header *)core_seg.base;
    core_seg.slices = core_seg.base + CORE_HEADER_SIZE;
    core_seg.idx = idx;
    core_seg.fd = fd;
    core_seg.inode = st.st_ino;
    char *own = core_seg.slices + idx * h->stride;
    mpt_fast.heap_lo = (uintptr_t)own + h->off_heap;
    mpt_fast.heap_len = h->heap_size;
    mpt_fast.heap_to = -(idx * h->stride);
    mpt_fast.stride = h->stride;
    mpt_fast.ctrl = (uintptr_t)core_seg.slices + CORE_CTRL_OFFSET;
    mpt_fast.me = (int)idx;
    mpt_fast.npes = (int)h->npes;
    /* Huge pages where the system offers them to who asks; harmless elsewhere. */
    madvise(own + h->off_heap, h->heap_size, MADV_HUGEPAGE);
    return 0;
}

void *core_coll_area(int pe, size_t *size)
{
    if (size)
        *size = CORE_COLL_SIZE;
    return core_seg.slices + mpt_idx(pe) * core_seg.header->stride + core_seg.header->off_coll;
}

void *core_chan_area(int receiver)
{
    return core_seg.slices + mpt_idx(receiver) * core_seg.header->stride + core_seg.header->off_chan;
}
