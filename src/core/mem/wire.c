/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes the memory of a job: computes where everything lies and creates the
 * sparse memfd that launcher and PEs map. See wire.h for the picture.
 */
#include "core/mem/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/number.h"
#include "core/base/siphash.h"
#include "core/mem/segment.h"
#include "mpt/version.h"

/* Parts begin at multiples of the largest page size in use (arm64: 64 KiB) of
 * the *file*, so that each can be mapped on its own. */
#define PART_ALIGN (64ul << 10)

/* User addresses have 47 bits on the narrowest machine served; half of that
 * leaves room for the program and its libraries. */
#define FILE_MAX (1ull << 46)

/* Up to here every PE can have its heap at the same address (segment.c), as Split-C's programs
 * need it. It is no arena that spoils that. */
#define EVEN_MAX (1ull << 45)

/* Less than this is no use as an arena. */
#define ARENA_MIN CORE_WIRE_ALIGN
#ifdef __SANITIZE_THREAD__
#define ARENAS_MAX (1ull << 38) /* it leaves little address space */
#else
#define ARENAS_MAX FILE_MAX
#endif

/* PEs inherit the memfd under a number above those that scripts use. */
enum { FD_MIN = 100 };

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

uint64_t core_wire_build(void)
{
    static const char version[] = MPT_VERSION;
    static const uint64_t shape[] = {
        CORE_WIRE_VERSION,        sizeof(struct core_header),
        sizeof(struct core_ctrl), CORE_HEADER_SIZE,
        CORE_SITE_OFFSET,         CORE_COLL_SIZE,
        CORE_CHAN_RING,           sizeof(void *),
        CORE_BLOCKED_OFFSET,      sizeof(struct core_wire_blocked),
    };

    return core_hash(core_hash(CORE_HASH_BEGIN, version, sizeof version), shape, sizeof shape);
}

/* The smallest offset inside a slice that is >= off and a multiple of `align` in the file. */
static bool put_part(uint64_t off, uint64_t align, uint64_t *out)
{
    uint64_t at;

    if (__builtin_add_overflow(off, CORE_HEADER_SIZE + align - 1, &at))
        return false;
    *out = at / align * align - CORE_HEADER_SIZE;
    return true;
}

uint64_t core_wire_room(void)
{
    struct rlimit lim;

    if (getrlimit(RLIMIT_AS, &lim) == 0 && lim.rlim_cur / 2 < ARENAS_MAX)
        return lim.rlim_cur / 2;
    return ARENAS_MAX;
}

/* Stride and file size with as much of the arena as there is room for. */
static int fit_arena(struct core_header *h, unsigned npes, uint64_t arena)
{
    uint64_t most = core_wire_room(), stride, file, limit = FILE_MAX;

    if (!__builtin_mul_overflow(core_round_up(h->off_arena + ARENA_MIN, CORE_WIRE_ALIGN), npes, &file) &&
        file <= EVEN_MAX - CORE_WIRE_ALIGN)
        limit = EVEN_MAX - CORE_WIRE_ALIGN;
    for (; arena >= ARENA_MIN; arena /= 2) {
        stride = core_round_up(h->off_arena + arena, CORE_WIRE_ALIGN);
        if (arena > most / npes || __builtin_mul_overflow(stride, npes, &file) || file > limit)
            continue;
        break;
    }
    if (arena < ARENA_MIN) {
        arena = 0;
        stride = core_round_up(h->off_arena, CORE_WIRE_ALIGN);
        if (__builtin_mul_overflow(stride, npes, &file) || file > FILE_MAX)
            return -EOVERFLOW;
    }
    h->arena_size = arena / CORE_WIRE_ALIGN * CORE_WIRE_ALIGN;
    h->stride = stride;
    h->file_size = file + CORE_WIRE_ALIGN;
    return 0;
}

int core_wire_layout(struct core_header *h, unsigned npes, struct core_sizes sizes)
{
    uint64_t chan = ((uint64_t)npes + 63) / 64 * 64 + (uint64_t)npes * CORE_CHAN_RING;
    struct core_header plan = *h;

    if (sizes.heap > FILE_MAX || sizes.data > FILE_MAX)
        return -EOVERFLOW;
    if (sizes.arena > FILE_MAX)
        sizes.arena = FILE_MAX;
    plan.npes = npes;
    plan.open = sizes.open;
    plan.used = plan.alive = sizes.open ? 0 : npes;
    plan.coll_size = sizes.open ? 0 : CORE_COLL_SIZE;
    plan.heap_size = core_round_up(sizes.heap, PART_ALIGN);
    plan.data_max = core_round_up(sizes.data, PART_ALIGN);
    if (!put_part(CORE_BLOCKED_OFFSET + sizeof(struct core_wire_blocked), PART_ALIGN, &plan.off_coll) ||
        !put_part(plan.off_coll + plan.coll_size, PART_ALIGN, &plan.off_face) ||
        !put_part(plan.off_face + CORE_FACE_SIZE, PART_ALIGN, &plan.off_chan) ||
        !put_part(plan.off_chan + chan, PART_ALIGN, &plan.off_data) ||
        !put_part(plan.off_data + plan.data_max, CORE_WIRE_ALIGN, &plan.off_heap) ||
        !put_part(plan.off_heap + plan.heap_size, CORE_WIRE_ALIGN, &plan.off_arena) ||
        fit_arena(&plan, npes, sizes.arena))
        return -EOVERFLOW;
    *h = plan;
    return 0;
}

uint64_t core_wire_each(unsigned npes, struct core_sizes sizes)
{
    struct core_header h = {0};

    sizes.arena = 0;
    return core_wire_layout(&h, 1, sizes) == 0 ? h.stride + npes * (uint64_t)CORE_CHAN_RING : FILE_MAX;
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

static const char *size_text(char text[32], uint64_t bytes)
{
    unsigned unit = 0;

    for (; unit < 4 && bytes && bytes % 1024 == 0; unit++)
        bytes /= 1024;
    snprintf(text, 32, "%llu%.*s", (unsigned long long)bytes, unit ? 1 : 0, &"KMGT"[unit ? unit - 1 : 0]);
    return text;
}

const char *core_wire_why(char text[CORE_WIRE_WHY], int error, unsigned npes, struct core_sizes sizes)
{
    const struct {
        const char *name;
        uint64_t bytes;
    } heap = {"SHMEM_SYMMETRIC_SIZE", sizes.heap}, globals = {"MPT_GLOBALS_MAX", sizes.data};
    bool first = heap.bytes >= globals.bytes;
    char large[32], small[32], each[128];
    const char *why = error == EOVERFLOW ? each
                      : error == EFBIG   ? "there is a limit on file size (ulimit -f)"
                                         : strerror(error);

    snprintf(each, sizeof each,
             "each takes at least %llu MiB of address space, all together may take 2^46 bytes; lower these variables",
             (unsigned long long)core_wire_each(npes, sizes) >> 20);

    snprintf(text, CORE_WIRE_WHY, "%s=%s (and %s=%s): %s", first ? heap.name : globals.name,
             size_text(large, first ? heap.bytes : globals.bytes), first ? globals.name : heap.name,
             size_text(small, first ? globals.bytes : heap.bytes), why);
    return text;
}

int core_wire_lay(int fd, struct core_header **header, unsigned npes, unsigned ncores, struct core_sizes sizes)
{
    struct core_header plan = {0}, *h;
    int rc = core_wire_layout(&plan, npes, sizes);

    if (rc || (rc = allow_size(plan.file_size)))
        return rc;
    if (ftruncate(fd, (off_t)plan.file_size))
        return -errno;
    h = mmap(NULL, CORE_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (h == MAP_FAILED)
        return -errno;
    plan.magic = CORE_WIRE_MAGIC;
    plan.version = CORE_WIRE_VERSION;
    plan.ncores = ncores;
    plan.build = core_wire_build();
    plan.key = h->key;
    rc = core_random(plan.secret, sizeof plan.secret);
    *h = plan;
    if (rc)
        munmap(h, CORE_HEADER_SIZE);
    else
        *header = h;
    return rc;
}

int core_wire_begin(uint64_t *key)
{
    int fd = make_memfd(), rc;

    if (fd < 0)
        return fd;
    rc = core_random(key, sizeof *key);
    if (rc == 0 && pwrite(fd, key, sizeof *key, offsetof(struct core_header, key)) != (ssize_t)sizeof *key)
        rc = -errno;
    if (rc == 0)
        return fd;
    close(fd);
    return rc;
}

int core_wire_create(struct core_header **header, unsigned npes, unsigned ncores, struct core_sizes sizes)
{
    int fd = make_memfd(), rc = fd < 0 ? fd : core_wire_lay(fd, header, npes, ncores, sizes);

    if (rc == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return rc;
}
