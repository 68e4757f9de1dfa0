/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copy loops of particular processors. A build serves every processor of its
 * architecture: loops are compiled for their instruction set one by one and
 * chosen when the program starts.
 */
#include "core/core.h"
#include "core/mem/copy_loops.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

enum {
    LINE = 64,
    PAGE = 4096,
    PAGES = 8,   /* streamed side by side: more address translations and memory banks at work */
    AHEAD = 256, /* bytes of each page asked for early */
};

/* The cached loops store every byte once and in ascending order: a peer that
 * has seen a word may already have written it anew. */
static size_t to_line(const void *p)
{
    return -(uintptr_t)p & (LINE - 1);
}

/* ---------------------------------------------------------------- AVX-512 -- */

#define AVX512 __attribute__((target("avx512f,avx512bw"), always_inline)) static inline

AVX512 void move_line(char *to, const char *from)
{
    _mm512_storeu_si512(to, _mm512_loadu_si512(from));
}

/* n < 64 */
AVX512 void move_part(char *to, const char *from, size_t n)
{
    __mmask64 bytes = ((__mmask64)1 << n) - 1;

    _mm512_mask_storeu_epi8(to, bytes, _mm512_maskz_loadu_epi8(bytes, from));
}

AVX512 void move_4_lines(char *to, const char *from)
{
    __m512i a = _mm512_loadu_si512(from), b = _mm512_loadu_si512(from + LINE);
    __m512i c = _mm512_loadu_si512(from + 2 * LINE), d = _mm512_loadu_si512(from + 3 * LINE);

    _mm512_storeu_si512(to, a);
    _mm512_storeu_si512(to + LINE, b);
    _mm512_storeu_si512(to + 2 * LINE, c);
    _mm512_storeu_si512(to + 3 * LINE, d);
}

__attribute__((target("avx512f,avx512bw"))) static void cached_avx512(void *to, const void *from, size_t n)
{
    char *d = to;
    const char *s = from;

    if (n >= 8 * LINE) { /* worth the aligned stores */
        size_t head = to_line(d);

        if (head) {
            move_part(d, s, head);
            d += head, s += head, n -= head;
        }
    }
    for (; n >= 4 * LINE; d += 4 * LINE, s += 4 * LINE, n -= 4 * LINE)
        move_4_lines(d, s);
    for (; n >= LINE; d += LINE, s += LINE, n -= LINE)
        move_line(d, s);
    if (n)
        move_part(d, s, n);
}

AVX512 void stream_2_lines(char *to, const char *from)
{
    __m512i a = _mm512_loadu_si512(from), b = _mm512_loadu_si512(from + LINE);

    _mm_prefetch(from + AHEAD, _MM_HINT_T0);
    _mm_prefetch(from + AHEAD + LINE, _MM_HINT_T0);
    _mm512_stream_si512((void *)to, a);
    _mm512_stream_si512((void *)(to + LINE), b);
}

__attribute__((target("avx512f,avx512bw"))) static void stream_avx512(void *to, const void *from, size_t n)
{
    char *d = to;
    const char *s = from;
    size_t head = to_line(d);

    memcpy(d, s, head);
    d += head, s += head, n -= head;
    for (; n >= PAGES * PAGE; d += PAGES * PAGE, s += PAGES * PAGE, n -= PAGES * PAGE)
        for (size_t at = 0; at < PAGE; at += 2 * LINE)
            for (size_t page = at; page < PAGES * PAGE; page += PAGE)
                stream_2_lines(d + page, s + page);
    _mm_sfence();
    memcpy(d, s, n);
}

/* ------------------------------------------------------------------- AVX2 -- */

#define AVX2 __attribute__((target("avx2"), always_inline)) static inline

AVX2 void move_2_halves(char *to, const char *from)
{
    __m256i a = _mm256_loadu_si256((const __m256i *)from), b = _mm256_loadu_si256((const __m256i *)(from + 32));

    _mm256_storeu_si256((__m256i *)to, a);
    _mm256_storeu_si256((__m256i *)(to + 32), b);
}

AVX2 void move_4_halves(char *to, const char *from)
{
    __m256i a = _mm256_loadu_si256((const __m256i *)from), b = _mm256_loadu_si256((const __m256i *)(from + 32));
    __m256i c = _mm256_loadu_si256((const __m256i *)(from + 64)), d = _mm256_loadu_si256((const __m256i *)(from + 96));

    _mm256_storeu_si256((__m256i *)to, a);
    _mm256_storeu_si256((__m256i *)(to + 32), b);
    _mm256_storeu_si256((__m256i *)(to + 64), c);
    _mm256_storeu_si256((__m256i *)(to + 96), d);
}

__attribute__((target("avx2"))) static void cached_avx2(void *to, const void *from, size_t n)
{
    char *d = to;
    const char *s = from;

    if (n >= 8 * LINE) {
        size_t head = to_line(d);

        core_copy(d, s, head);
        d += head, s += head, n -= head;
    }
    for (; n >= 2 * LINE; d += 2 * LINE, s += 2 * LINE, n -= 2 * LINE)
        move_4_halves(d, s);
    if (n >= LINE) {
        move_2_halves(d, s);
        d += LINE, s += LINE, n -= LINE;
    }
    core_copy(d, s, n);
}

AVX2 void stream_4_halves(char *to, const char *from)
{
    __m256i a = _mm256_loadu_si256((const __m256i *)from), b = _mm256_loadu_si256((const __m256i *)(from + 32));
    __m256i c = _mm256_loadu_si256((const __m256i *)(from + 64)), d = _mm256_loadu_si256((const __m256i *)(from + 96));

    _mm_prefetch(from + AHEAD, _MM_HINT_T0);
    _mm_prefetch(from + AHEAD + LINE, _MM_HINT_T0);
    _mm256_stream_si256((__m256i *)to, a);
    _mm256_stream_si256((__m256i *)(to + 32), b);
    _mm256_stream_si256((__m256i *)(to + 64), c);
    _mm256_stream_si256((__m256i *)(to + 96), d);
}

__attribute__((target("avx2"))) static void stream_avx2(void *to, const void *from, size_t n)
{
    char *d = to;
    const char *s = from;
    size_t head = to_line(d);

    memcpy(d, s, head);
    d += head, s += head, n -= head;
    for (; n >= PAGES * PAGE; d += PAGES * PAGE, s += PAGES * PAGE, n -= PAGES * PAGE)
        for (size_t at = 0; at < PAGE; at += 2 * LINE)
            for (size_t page = at; page < PAGES * PAGE; page += PAGE)
                stream_4_halves(d + page, s + page);
    _mm_sfence();
    memcpy(d, s, n);
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

/* -------------------------------------------------------- one instruction -- */

/* AMD's from Zen 5 on: rep movsb knows by itself when to go past the caches. */
static bool has_good_strings(void)
{
    unsigned a, b, c, d;

    return __builtin_cpu_is("amd") && has_avx512() && __get_cpuid(1, &a, &b, &c, &d) &&
           (a >> 8 & 0xf) + (a >> 20 & 0xff) >= 0x1a;
}

static void stream_string(void *to, const void *from, size_t n)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
    _mm_sfence();
}

/* Intel's server cores: a large second level, and a slow mesh behind it. */
bool core_copy_streams_early(size_t second_level)
{
    return has_good_strings() || (__builtin_cpu_is("intel") && has_avx512() && second_level >= 1ul << 20);
}

const struct core_copy_loops core_copy_loops[] = {
    {"avx512 and rep movsb", has_good_strings, cached_avx512, stream_string},
    {"avx512", has_avx512, cached_avx512, stream_avx512},
    {"avx2", has_avx2, cached_avx2, stream_avx2},
    {0},
};

#else

bool core_copy_streams_early(size_t second_level)
{
    (void)second_level;
    return false;
}

const struct core_copy_loops core_copy_loops[] = {{0}};

#endif
