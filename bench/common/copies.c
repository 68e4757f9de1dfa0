/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copy loops, each written once for one instruction set and chosen at run time: the machine that builds
 * is not the machine that measures.
 */
#include "copies.h"

#include <string.h>

static bool always(void)
{
    return true;
}

static void by_libc(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

#if defined(__x86_64__)
#include <immintrin.h>

static void by_string(void *to, const void *from, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f");
}

__attribute__((target("avx2"))) static void by_avx2(void *to, const void *from, size_t bytes)
{
    const __m256i *s = from;
    __m256i *d = to;

    for (size_t i = 0; i < bytes / sizeof *d; i += 4) {
        const __m256i a = _mm256_load_si256(s + i), b = _mm256_load_si256(s + i + 1);
        const __m256i c = _mm256_load_si256(s + i + 2), e = _mm256_load_si256(s + i + 3);

        _mm256_store_si256(d + i, a);
        _mm256_store_si256(d + i + 1, b);
        _mm256_store_si256(d + i + 2, c);
        _mm256_store_si256(d + i + 3, e);
    }
}

__attribute__((target("avx2"))) static void by_avx2_nt(void *to, const void *from, size_t bytes)
{
    const __m256i *s = from;
    __m256i *d = to;

    for (size_t i = 0; i < bytes / sizeof *d; i += 4) {
        const __m256i a = _mm256_load_si256(s + i), b = _mm256_load_si256(s + i + 1);
        const __m256i c = _mm256_load_si256(s + i + 2), e = _mm256_load_si256(s + i + 3);

        _mm256_stream_si256(d + i, a);
        _mm256_stream_si256(d + i + 1, b);
        _mm256_stream_si256(d + i + 2, c);
        _mm256_stream_si256(d + i + 3, e);
    }
    _mm_sfence(); /* streaming stores are weakly ordered: a copy is over when others see it */
}

__attribute__((target("avx512f"))) static void by_avx512(void *to, const void *from, size_t bytes)
{
    const char *s = from;
    char *d = to;

    for (size_t i = 0; i < bytes; i += 256) {
        const __m512i a = _mm512_load_si512(s + i), b = _mm512_load_si512(s + i + 64);
        const __m512i c = _mm512_load_si512(s + i + 128), e = _mm512_load_si512(s + i + 192);

        _mm512_store_si512(d + i, a);
        _mm512_store_si512(d + i + 64, b);
        _mm512_store_si512(d + i + 128, c);
        _mm512_store_si512(d + i + 192, e);
    }
}

__attribute__((target("avx512f"))) static void by_avx512_nt(void *to, const void *from, size_t bytes)
{
    const char *s = from;
    char *d = to;

    for (size_t i = 0; i < bytes; i += 256) {
        const __m512i a = _mm512_load_si512(s + i), b = _mm512_load_si512(s + i + 64);
        const __m512i c = _mm512_load_si512(s + i + 128), e = _mm512_load_si512(s + i + 192);

        _mm512_stream_si512((void *)(d + i), a);
        _mm512_stream_si512((void *)(d + i + 64), b);
        _mm512_stream_si512((void *)(d + i + 128), c);
        _mm512_stream_si512((void *)(d + i + 192), e);
    }
    _mm_sfence();
}

/*
 * Several pages side by side, two lines of each in turn: more translations, row buffers and fill buffers are at work
 * than one page keeps busy.
 */
#define SIDE_BY_SIDE 8
#define TURN 128

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

#define BY_PAGES(name, features, move)                                                           \
    __attribute__((target(features))) static void name(void *to, const void *from, size_t bytes) \
    {                                                                                            \
        for (size_t first = 0; first < bytes; first += SIDE_BY_SIDE * 4096) {                    \
            const size_t end = least(SIDE_BY_SIDE * 4096, bytes - first);                        \
                                                                                                 \
            for (size_t line = 0; line < 4096; line += TURN)                                     \
                for (size_t at = first + line; at < first + end; at += 4096)                     \
                    move((char *)to + at, (const char *)from + at);                              \
        }                                                                                        \
        _mm_sfence();                                                                            \
    }

__attribute__((target("avx2"), always_inline)) static inline void turn_avx2(char *to, const char *from)
{
    const __m256i *s = (const __m256i *)from;
    __m256i *d = (__m256i *)to;
    const __m256i a = _mm256_load_si256(s), b = _mm256_load_si256(s + 1);
    const __m256i c = _mm256_load_si256(s + 2), e = _mm256_load_si256(s + 3);

    _mm256_stream_si256(d, a);
    _mm256_stream_si256(d + 1, b);
    _mm256_stream_si256(d + 2, c);
    _mm256_stream_si256(d + 3, e);
}

__attribute__((target("avx512f"), always_inline)) static inline void turn_avx512(char *to, const char *from)
{
    const __m512i a = _mm512_load_si512(from), b = _mm512_load_si512(from + 64);

    _mm512_stream_si512((void *)to, a);
    _mm512_stream_si512((void *)(to + 64), b);
}

BY_PAGES(by_avx2_pages, "avx2", turn_avx2)
BY_PAGES(by_avx512_pages, "avx512f", turn_avx512)
#else
/* Four 16-byte registers a turn: the natural width of NEON and of most other vector units. */
typedef long lane __attribute__((vector_size(16), may_alias));

static void by_vector(void *to, const void *from, size_t bytes)
{
    const lane *s = from;
    lane *d = to;

    for (size_t i = 0; i < bytes / sizeof *d; i += 4) {
        const lane a = s[i], b = s[i + 1], c = s[i + 2], e = s[i + 3];

        d[i] = a;
        d[i + 1] = b;
        d[i + 2] = c;
        d[i + 3] = e;
        __asm__ volatile("" : : : "memory"); /* keeps the loop from becoming a call of memcpy */
    }
}
#endif

const struct bench_copy bench_copies[] = {
    {"memcpy", by_libc, always},
#if defined(__x86_64__)
    {"rep_movsb", by_string, always},
    {"avx2", by_avx2, has_avx2},
    {"avx2_nt", by_avx2_nt, has_avx2},
    {"avx512", by_avx512, has_avx512},
    {"avx512_nt", by_avx512_nt, has_avx512},
    {"avx2_nt_pages", by_avx2_pages, has_avx2},
    {"avx512_nt_pages", by_avx512_pages, has_avx512},
#else
    {"vector", by_vector, always},
#endif
    {NULL, NULL, NULL},
};
