/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies that reverse the bytes of every item, for data in another byte order.
 * As with plain copies a build serves every processor of its architecture: loops
 * are compiled for their instruction set one by one and chosen as they are called.
 */
#include <string.h>

#include "core/core.h"
#include "core/mem/copy_loops.h"

/* One item after the other, on any processor and for what the loops leave. */
__attribute__((always_inline)) static inline void items(char *to, ptrdiff_t ts, const char *from, ptrdiff_t fs,
                                                        size_t width, size_t n)
{
    for (; n; n--, to += ts, from += fs) {
        uint64_t x = 0;

        memcpy(&x, from, width);
        x = __builtin_bswap64(x) >> (64 - 8 * width);
        memcpy(to, &x, width);
    }
}
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "an item lies in the low bytes of a word");

void core_swap_strided(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride, size_t width, size_t n)
{
    switch (width) {
    case 2:
        items(to, to_stride, from, from_stride, 2, n);
        return;
    case 4:
        items(to, to_stride, from, from_stride, 4, n);
        return;
    case 8:
        items(to, to_stride, from, from_stride, 8, n);
        return;
    }
    core_fatal("byte order of items of %zu bytes", width);
}

#if defined(__x86_64__)
#include <immintrin.h>

enum { LINE = 64, HALF = 32 };

/* Which byte goes where in 16 bytes of items of this width. */
static const uint8_t *order_of(size_t width)
{
    static const uint8_t order[3][16] = {{1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14},
                                         {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12},
                                         {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8}};
    return order[width == 2 ? 0 : width == 4 ? 1 : 2];
}

/* Bytes to the next line of the destination, if whole items lie before it. */
static size_t bytes_to_line(const void *p, size_t width)
{
    size_t head = -(uintptr_t)p & (LINE - 1);

    return head % width == 0 ? head : 0;
}

#define AVX512 __attribute__((target("avx512f,avx512bw"), always_inline)) static inline

AVX512 void swap_line(char *to, const char *from, __m512i order)
{
    _mm512_storeu_si512(to, _mm512_shuffle_epi8(_mm512_loadu_si512(from), order));
}

/* n < 64 */
AVX512 void swap_part(char *to, const char *from, size_t n, __m512i order)
{
    __mmask64 bytes = ((__mmask64)1 << n) - 1;

    _mm512_mask_storeu_epi8(to, bytes, _mm512_shuffle_epi8(_mm512_maskz_loadu_epi8(bytes, from), order));
}

__attribute__((target("avx512f,avx512bw"))) static size_t swap_avx512(char *to, const char *from, size_t width,
                                                                      size_t n)
{
    size_t all = n;
    __m512i order = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)order_of(width)));
    size_t head = n >= 8 * LINE ? bytes_to_line(to, width) : 0;

    if (head) {
        swap_part(to, from, head, order);
        to += head, from += head, n -= head;
    }
    for (; n >= 4 * LINE; to += 4 * LINE, from += 4 * LINE, n -= 4 * LINE)
        for (size_t at = 0; at < 4 * LINE; at += LINE)
            swap_line(to + at, from + at, order);
    for (; n >= LINE; to += LINE, from += LINE, n -= LINE)
        swap_line(to, from, order);
    if (n)
        swap_part(to, from, n, order);
    return all;
}

__attribute__((target("avx2"))) static size_t swap_avx2(char *to, const char *from, size_t width, size_t n)
{
    __m256i order = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)order_of(width)));
    size_t done = 0;

    for (; n - done >= HALF; done += HALF) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(from + done));

        _mm256_storeu_si256((__m256i *)(to + done), _mm256_shuffle_epi8(x, order));
    }
    return done;
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

const struct core_swap_loops core_swap_loops[] = {
    {"avx512", has_avx512, swap_avx512}, {"avx2", has_avx2, swap_avx2}, {0}};
#else
const struct core_swap_loops core_swap_loops[] = {{0}};
#endif

/* The row to use. */
static const struct core_swap_loops *chosen(void)
{
    const struct core_swap_loops *row = __atomic_load_n(&core_state.mem.copies.swap, __ATOMIC_RELAXED);

    if (MPT_UNLIKELY(!row)) {
        for (row = core_swap_loops; row->name && !row->usable();)
            row++;
        __atomic_store_n(&core_state.mem.copies.swap, row, __ATOMIC_RELAXED);
    }
    return row;
}

void core_swap(void *to, const void *from, size_t width, size_t n)
{
    ptrdiff_t w = (ptrdiff_t)width;
    size_t bytes = n * width, done = 0;
    const struct core_swap_loops *row = chosen();

    if (row->name && bytes >= 64)
        done = row->swap(to, from, width, bytes);
    if (done < bytes)
        core_swap_strided((char *)to + done, w, (const char *)from + done, w, width, n - done / width);
}
