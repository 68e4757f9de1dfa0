/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Maps the node's memfd and fills `mpt_fast`. Each PE maps the whole file once,
 * at an address chosen so that its *own* heap lies at the same address in every
 * PE; a peer's memory is then own address + (peer - me) * stride. Where that
 * address is taken the file goes anywhere: offsets still agree.
 *
 * PE numbers of a node usually follow one another. Where a launcher dealt them
 * round the nodes, mpt_fast covers the run of numbers around this PE, and a table
 * leads to the other slices.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/mem/dump.h"
#include "core/task/task.h"

#define OWN_HEAP_ADDRESS 0x200000000000ul

/* The program may have ThreadSanitizer, which keeps most of the address space, and makes 0 of addresses there. */
extern void *__tsan_get_current_fiber(void) __attribute__((weak));

struct mpt_fast mpt_fast = {.me = -1};

static void *map_whole(int fd, size_t length, size_t own_heap_at, size_t align)
{
    int flags = MAP_SHARED | MAP_NORESERVE;
    if (!__tsan_get_current_fiber && OWN_HEAP_ADDRESS > own_heap_at) {
        void *want = (void *)(OWN_HEAP_ADDRESS - own_heap_at);
        void *p = mmap(want, length, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, fd, 0);
        if (p == want)
            return p;
        if (p != MAP_FAILED) /* kernels before 4.17 take the address as a hint */
            munmap(p, length);
    }
    /* Anywhere, but such that the heap is aligned as it is in every other PE. */
    char *room = mmap(NULL, length + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return MAP_FAILED;
    size_t skip = -((uintptr_t)room + own_heap_at) & (align - 1);
    void *p = mmap(room + skip, length, PROT_READ | PROT_WRITE, flags | MAP_FIXED, fd, 0);
    if (p == MAP_FAILED) {
        int error = errno;
        munmap(room, length + align);
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
        core_error(
            "launcher and library are of different builds (%llx and %llx); use the oshrun installed beside the library",
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

static int look_at(int fd, struct core_header *h, struct stat *st)
{
    if (fstat(fd, st) == 0 && pread(fd, h, sizeof *h, 0) == (ssize_t)sizeof *h)
        return 0;
    core_error("%s names file descriptor %d, which is not a job; was the program started by something that closes "
               "descriptors?",
               CORE_WIRE_ENV, fd);
    return -EBADF;
}

int core_segment_size(int fd, unsigned *nslices)
{
    struct core_header h;
    struct stat st;
    int rc = look_at(fd, &h, &st);
    if (rc == 0)
        rc = check_header(&h, (size_t)st.st_size, 0);
    if (rc == 0)
        *nslices = h.npes;
    return rc;
}

char *core_segment_map_whole(int fd, const struct core_header *h, unsigned first)
{
    char *base = map_whole(fd, h->file_size, CORE_HEADER_SIZE + first * h->stride + h->off_heap,
                           core_heap_alignment(h->heap_size));
    if (base != MAP_FAILED)
        return base;
    core_error("cannot map %llu bytes of address space for %u PEs: %s", (unsigned long long)h->file_size, h->npes,
               strerror(errno));
    return NULL;
}

static int map_file(int fd, unsigned idx)
{
    struct core_header h;
    struct stat st;
    int rc = look_at(fd, &h, &st);
    if (rc != 0 || (rc = check_header(&h, (size_t)st.st_size, idx)) != 0)
        return rc;
    core_seg->length = h.file_size;
    core_seg->open = h.open;
    core_seg->base = core_task_on()
                         ? core_task_base()
                         : map_whole(fd, h.file_size, CORE_HEADER_SIZE + (h.open ? 0 : idx) * h.stride + h.off_heap,
                                     core_heap_alignment(h.heap_size));
    if (core_seg->base == MAP_FAILED) {
        char why[CORE_WIRE_WHY];
        rc = -errno;
        core_error("cannot map %llu bytes of address space for %u %s with %s; is there a limit (ulimit -v)?",
                   (unsigned long long)h.file_size, h.npes, h.open ? "slots" : "PEs",
                   core_wire_why(why, -rc, h.npes, (struct core_sizes){.heap = h.heap_size, .data = h.data_max}));
        return rc;
    }
    core_seg->header = (struct core_header *)core_seg->base;
    core_seg->slices = core_seg->base + CORE_HEADER_SIZE;
    core_seg->fd = fd;
    core_seg->inode = st.st_ino;
    return 0;
}

/* ------------------------------------------------ slices and PE numbers -- */

static int make_table(const struct core_location *location)
{
    if (!location->pes)
        return 0;
    core_seg->slice_of = malloc((size_t)location->npes * sizeof *core_seg->slice_of);
    if (!core_seg->slice_of) {
        core_error("no memory for the table of %d PEs", location->npes);
        return -ENOMEM;
    }
    for (int pe = 0; pe < location->npes; pe++)
        core_seg->slice_of[pe] = UINT_MAX;
    for (unsigned i = 0; i < location->nslices; i++)
        core_seg->slice_of[location->pes[i]] = i;
    return 0;
}

/* The slices whose PEs this one shares memory with, as far as their numbers
 * follow one another: all of the node's, or this PE's own, or, for tests, its
 * share when MPT_NODES divides the machine into pretended nodes. */
static void find_run(const struct core_location *location)
{
    unsigned n = location->nslices, lo = location->slice, hi = location->slice + 1;
    if (core_seg->shared) {
        while (lo > 0 && core_slice_pe(lo - 1) == core_slice_pe(lo) - 1)
            lo--;
        while (hi < n && core_slice_pe(hi) == core_slice_pe(hi - 1) + 1)
            hi++;
    } else if (core_params.nodes > 0 && !location->pes) {
        unsigned share = (n + core_params.nodes - 1) / core_params.nodes;
        lo = location->slice / share * share;
        hi = lo + share < n ? lo + share : n;
    }
    core_seg->run_first = lo;
    core_seg->run_n = hi - lo;
}

unsigned core_slice_of(int pe)
{
    if ((unsigned)pe >= (unsigned)mpt_fast.npes)
        return UINT_MAX;
    return core_seg->slice_of ? core_seg->slice_of[pe] : (unsigned)pe;
}

/* Huge pages where the system offers them on request; harmless elsewhere. What is used of heap and arena comes into
 * core files as it is given out (dump.h). */
static void advise(char *own, const struct core_header *h)
{
    if (!core_task_on() || core_task_once(CORE_TASK_KEEPS_OUT_OF_DUMPS))
        core_dump_leave_out(core_seg->base, core_seg->length);
    if (!h->open) /* where this process stands may change there */
        madvise(own + h->off_heap, h->heap_size, MADV_HUGEPAGE);
}

int core_segment_attach(const struct core_location *location)
{
    int rc = map_file(location->fd, location->slice);
    if (rc != 0 || (rc = make_table(location)) != 0)
        return rc;
    core_seg->pes = location->pes;
    core_seg->shared =
        core_seg->open || (core_params.transport != CORE_TRANSPORT_OFI && core_params.transport != CORE_TRANSPORT_TCP);
    find_run(location);
    mpt_fast.npes = location->npes;
    advise(core_seg->slices + location->slice * core_seg->header->stride, core_seg->header);
    return 0;
}

int core_segment_stand(unsigned idx, int me)
{
    const struct core_header *h = core_seg->header;
    char *own = core_seg->slices + idx * h->stride, *first = core_seg->slices + core_seg->run_first * h->stride;
    mpt_fast.heap_lo = (uintptr_t)own + h->off_heap;
    mpt_fast.heap_len = h->heap_size;
    mpt_fast.heap_to = (uintptr_t)first - (uintptr_t)own;
    mpt_fast.stride = h->stride;
    mpt_fast.ctrl = (uintptr_t)first + CORE_CTRL_OFFSET;
    mpt_fast.node_first = (unsigned)core_slice_pe(core_seg->run_first);
    mpt_fast.me = me;
    core_seg->idx = idx;
    core_seg->own = own;
    if (core_task_on()) {
        struct core_ctrl *ctrl = core_ctrl_of(idx);

        ctrl->bit = core_task_bit();
        ctrl->host = idx - ctrl->bit;
        ctrl->tasked = CORE_TASK_ALONE;
        if (ctrl->helpers == 0) /* the first of the process may have found more (job.c) */
            ctrl->helpers = core_task_threads();
    }
    if (core_arena_init(own + h->off_arena, h->arena_size) == 0)
        return 0;
    core_error("no memory for the arena's bookkeeping");
    return -ENOMEM;
}

int core_segment_map(const struct core_location *location)
{
    int rc = core_segment_attach(location);
    return rc != 0 ? rc : core_segment_stand(location->slice, location->me);
}

unsigned core_node_size(void)
{
    if (mpt_fast.node_n == 0)
        return 0;
    return core_seg->shared ? core_seg->header->npes : core_seg->run_n;
}

int core_node_pe(unsigned i)
{
    return core_slice_pe(core_seg->shared ? i : core_seg->run_first + i);
}

/* For PEs outside the run. */
bool core_on_node_slow(int pe)
{
    return mpt_fast.node_n > 0 && core_seg->shared && core_slice_of(pe) != UINT_MAX;
}

void *core_addr_slow(int pe, const void *p)
{
    uintptr_t a = (uintptr_t)p;
    if (!core_on_node_slow(pe))
        return NULL;
    char *slice = core_seg->slices + core_slice_of(pe) * core_seg->header->stride;
    __asm__ volatile("" : "+r"(a) : : "memory"); /* as in mpt_addr */
    if (a - mpt_fast.heap_lo < mpt_fast.heap_len)
        return slice + core_seg->header->off_heap + (a - mpt_fast.heap_lo);
    if (a - mpt_fast.data_lo < mpt_fast.data_len)
        return slice + core_seg->header->off_data + (a - mpt_fast.data_lo);
    return NULL;
}

/* Where this PE's slice holds the n bytes at p, which may be given by the address
 * of a global or by where they lie in the slice; NULL: outside. */
char *core_own_address(const void *p, size_t n)
{
    size_t at = (uintptr_t)p - (uintptr_t)core_seg->own;
    if (core_segment_holds(p, n))
        return core_addr(core_me(), p);
    return core_seg->own && at < mpt_fast.stride && n <= mpt_fast.stride - at ? core_seg->own + at : NULL;
}

bool core_slice_offset(const void *p, size_t n, uint64_t *offset)
{
    char *at = core_own_address(p, n);
    *offset = at ? (uint64_t)(at - core_seg->own) : 0;
    return at != NULL;
}

void *core_slice_at(int pe, uint64_t offset)
{
    return core_on_node(pe) ? core_seg->slices + core_slice_of(pe) * mpt_fast.stride + offset : NULL;
}

void *core_coll_area(size_t *size)
{
    if (size)
        *size = core_seg->header->coll_size;
    return core_seg->slices + core_seg->idx * core_seg->header->stride + core_seg->header->off_coll;
}

void *core_face_area(size_t *size)
{
    if (size)
        *size = CORE_FACE_SIZE;
    return core_seg->own + core_seg->header->off_face;
}

void *core_coll_at(int pe, const void *own)
{
    ptrdiff_t apart = (ptrdiff_t)core_slice_of(pe) - (ptrdiff_t)core_seg->idx;
    return (char *)own + apart * (ptrdiff_t)core_seg->header->stride;
}

void *core_chan_area(int receiver)
{
    return core_seg->slices + core_slice_of(receiver) * core_seg->header->stride + core_seg->header->off_chan;
}
