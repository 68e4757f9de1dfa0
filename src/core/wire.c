/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes the memory of a job: computes where everything lies and creates the
 * sparse memfd that launcher and PEs map. See wire.h for the picture.
 */
#include "core/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Parts begin at multiples of the largest page size in use (arm64: 64 KiB) of
 * the *file*, so that each can be mapped on its own. */
#define PART_ALIGN (64ul << 10)

/* User addresses have 47 bits on the narrowest machine served; half of that
 * leaves room for the program and its libraries. */
#define FILE_MAX (1ull << 46)

/* PEs inherit the memfd under a number above those that scripts use. */
enum { FD_MIN = 100 };

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

#ifndef MPT_VERSION
#define MPT_VERSION "0"
#endif

static uint64_t fnv(uint64_t hash, const void *data, size_t n)
{
    const unsigned char *p = data;

    while (n--)
        hash = (hash ^ *p++) * 0x100000001b3ull;
    return hash;
}

uint64_t core_wire_build(void)
{
    static const char version[] = MPT_VERSION;
    static const uint64_t shape[] = {
        CORE_WIRE_VERSION, sizeof(struct core_header), sizeof(struct core_ctrl), CORE_HEADER_SIZE,
        CORE_COLL_SIZE,    CORE_CHAN_RING,             sizeof(void *),
    };

    return fnv(fnv(0xcbf29ce484222325ull, version, sizeof version), shape, sizeof shape);
}

/* The smallest offset inside a slice that is >= off and a multiple of `align` in the file. */
static bool place(uint64_t off, uint64_t align, uint64_t *out)
{
    uint64_t at;

    if (__builtin_add_overflow(off, CORE_HEADER_SIZE + align - 1, &at))
        return false;
    *out = at / align * align - CORE_HEADER_SIZE;
    return true;
}

int core_wire_layout(struct core_header *h, unsigned npes, uint64_t heap_size, uint64_t data_max)
{
    uint64_t chan = ((uint64_t)npes + 63) / 64 * 64 + (uint64_t)npes * CORE_CHAN_RING;
    uint64_t coll, rings, data, heap, stride, file;

    if (heap_size > FILE_MAX || data_max > FILE_MAX)
        return -EOVERFLOW;
    heap_size = (heap_size + PART_ALIGN - 1) / PART_ALIGN * PART_ALIGN;
    data_max = (data_max + PART_ALIGN - 1) / PART_ALIGN * PART_ALIGN;
    if (!place(CORE_CARD_OFFSET + CORE_CARD_SIZE, PART_ALIGN, &coll) || !place(coll + CORE_COLL_SIZE, PART_ALIGN, &rings) ||
        !place(rings + chan, PART_ALIGN, &data) || !place(data + data_max, CORE_WIRE_ALIGN, &heap))
        return -EOVERFLOW;
    stride = (heap + heap_size + CORE_WIRE_ALIGN - 1) / CORE_WIRE_ALIGN * CORE_WIRE_ALIGN;
    if (__builtin_mul_overflow(stride, npes, &file) || file > FILE_MAX)
        return -EOVERFLOW;
    h->npes = npes;
    h->heap_size = heap_size;
    h->data_max = data_max;
    h->stride = stride;
    h->off_coll = coll;
    h->off_chan = rings;
    h->off_data = data;
    h->off_heap = heap;
    h->file_size = file + CORE_WIRE_ALIGN;
    return 0;
}

/* A memfd under a number that shell scripts leave alone. */
static int make_memfd(void)
{
    int fd = memfd_create("mpt-job", MFD_NOEXEC_SEAL), high;

    if (fd < 0 && errno == EINVAL) /* before Linux 6.3 */
        fd = memfd_create("mpt-job", 0);
    if (fd < 0)
        return -errno;
    high = fcntl(fd, F_DUPFD, FD_MIN);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

/* A file size limit would kill this process by SIGXFSZ: raise it, or say so. */
static int allow_size(uint64_t size)
{
    struct rlimit lim;

    if (getrlimit(RLIMIT_FSIZE, &lim) || lim.rlim_cur == RLIM_INFINITY || lim.rlim_cur >= size)
        return 0;
    if (lim.rlim_max != RLIM_INFINITY && lim.rlim_max < size)
        return -EFBIG;
    lim.rlim_cur = lim.rlim_max;
    return setrlimit(RLIMIT_FSIZE, &lim) ? -errno : 0;
}

int core_wire_create(struct core_header **header, unsigned npes, unsigned ncores, uint64_t heap_size,
                     uint64_t data_max)
{
    struct core_header plan = {0}, *h;
    int rc = core_wire_layout(&plan, npes, heap_size, data_max), fd;

    if (rc || (rc = allow_size(plan.file_size)))
        return rc;
    fd = make_memfd();
    if (fd < 0)
        return fd;
    if (ftruncate(fd, (off_t)plan.file_size)) {
        rc = -errno;
        goto close_fd;
    }
    h = mmap(NULL, CORE_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (h == MAP_FAILED) {
        rc = -errno;
        goto close_fd;
    }
    plan.magic = CORE_WIRE_MAGIC;
    plan.version = CORE_WIRE_VERSION;
    plan.ncores = ncores;
    plan.build = core_wire_build();
    *h = plan;
    *header = h;
    return fd;
close_fd:
    close(fd);
    return rc;
}
