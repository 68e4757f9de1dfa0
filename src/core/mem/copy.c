/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The one way to move memory: which loop copies how much, decided once at start
 * from the sizes of the caches.
 *
 * Measured on a 2-core virtual Sapphire Rapids (L1 48 KiB, L2 2 MiB, L3 reported
 * as 105 MiB), memfd and private pages alike, GB/s, the same buffers again:
 *
 *     copy of         vector loop   memcpy   streaming stores
 *     4 KiB                   186      163                  9
 *     64 KiB                   38       40                 16
 *     1 MiB                    25       29                 17
 *     1.5 MiB                  14       15                 17
 *     4 MiB                    12       12                 14
 *     32 MiB                    3        4                 10
 *
 * So: the vector loop while source and destination fit the first level, the C
 * library (here: rep movsb) up to where they outgrow the second, then streaming
 * stores. The C library would begin to stream at three quarters of the L3 it is
 * told of, which in a virtual machine is the whole host's. On AMD's from Zen 5 on
 * rep movsb itself takes the place of the streaming stores (docs/adr/0006-copies.md).
 */
#include "core/mem/copy_loops.h"

#include <string.h>
#include <unistd.h>

#include "core/core.h"

#define COPY_LAST 64
#define PART_MIN (64ul << 10) /* worth a fence */

static struct core_copies *const copy = &core_state.mem.copies;

static size_t cache_size(int name, size_t otherwise)
{
    long n = sysconf(name);

    return n > 0 ? (size_t)n : otherwise;
}

/* Where the outer cache serves a oversubscribed fast, streaming pays only past this
 * core's part of it: an eighth for source and destination together, and never
 * more than 4 MiB, since the size reported may be that of a larger machine. */
static size_t part_of_third_level(size_t second)
{
    size_t part = cache_size(_SC_LEVEL3_CACHE_SIZE, 8ul << 20) / 8;

    part = part < 4ul << 20 ? part : 4ul << 20;
    return part > second ? part : second;
}

void core_copy_init(void)
{
    size_t first = cache_size(_SC_LEVEL1_DCACHE_SIZE, 32ul << 10);
    size_t second = cache_size(_SC_LEVEL2_CACHE_SIZE, 512ul << 10);
    const struct core_copy_loops *loops = core_copy_loops;

    while (loops->name && !loops->usable())
        loops++;
    if (!loops->name)
        return;
    copy->cached = loops->cached;
    copy->cached_max = first / 4;
    copy->stream = loops->stream;
    copy->stream_min = core_copy_streams_early(second) ? second / 16 * 11 : part_of_third_level(second);
    core_debug("copies: %s up to %zu bytes, streaming from %zu bytes on", loops->name, copy->cached_max,
               copy->stream_min);
}

static void by_library(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
}

core_copy_loop *core_copy_loop_for(size_t n)
{
    if (n <= copy->cached_max)
        return copy->cached;
    return n < copy->stream_min ? by_library : copy->stream;
}

/* Programs wait for the last word of a block and then reset it. So the last
 * bytes are stored after all others, and once. The cached loops do so by
 * themselves; the C library and the streams write some bytes twice and not in
 * order, so the end is kept from them. Branches, not the pointer above: the
 * target of the usual call is known early. */
void core_copy_large(void *to, const void *from, size_t n)
{
    if (MPT_LIKELY(n <= copy->cached_max)) {
        copy->cached(to, from, n);
        return;
    }
    size_t head = n - COPY_LAST;
    if (head < copy->stream_min)
        memcpy(to, from, head);
    else
        copy->stream(to, from, head);
    /* On processors that reorder stores the end must wait; it's free on x86. */
    /* model: signal.put_fence */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __builtin_memcpy((char *)to + head, (const char *)from + head, COPY_LAST);
}

void core_copy_part(void *to, const void *from, size_t n, size_t all)
{
    if (n < PART_MIN || all < copy->stream_min || n >= copy->stream_min) {
        core_copy(to, from, n);
        return;
    }
    copy->stream(to, from, n - COPY_LAST);
    /* model: signal.put_fence */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __builtin_memcpy((char *)to + n - COPY_LAST, (const char *)from + n - COPY_LAST, COPY_LAST);
}
