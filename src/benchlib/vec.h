/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The vectors of the instruction set this file is compiled for: width, loads, stores, streaming stores, gathers and
 * the transposition of a square of words in registers. Everything else is written once in terms of these.
 */
#ifndef BENCHLIB_VEC_H
#define BENCHLIB_VEC_H

#include "benchlib/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__MOVDIR64B__)
enum { W = 8 };
#define ISA movdir64b
#elif defined(__AVX512F__)
enum { W = 8 };
#define ISA avx512
#elif defined(__AVX2__)
enum { W = 4 };
#define ISA avx2
#else /* SSE2, NEON */
enum { W = 2 };
#define ISA base
#endif

#define BL_PASTE2(a, b) a##_##b
#define BL_PASTE(a, b) BL_PASTE2(a, b)
#define FOR_ISA(name) BL_PASTE(name, ISA)
#define BL_TEXT2(a) #a
#define BL_TEXT(a) BL_TEXT2(a)

enum { LINE = 64, LINE_WORDS = 8, PAGE = 4096 };

typedef uint64_t vec __attribute__((vector_size(W * 8), may_alias));
typedef uint64_t vec_anywhere __attribute__((vector_size(W * 8), may_alias, aligned(1)));

static inline vec load(const void *p)
{
    return *(const vec_anywhere *)p;
}

static inline void store(void *p, vec v)
{
    *(vec_anywhere *)p = v;
}

/* p is aligned to the vector. */
static inline void stream(void *p, vec v)
{
#if defined(__AVX512F__)
    _mm512_stream_si512(p, (__m512i)v);
#elif defined(__AVX2__)
    _mm256_stream_si256(p, (__m256i)v);
#elif defined(__x86_64__)
    _mm_stream_si128(p, (__m128i)v);
#elif defined(__clang__)
    __builtin_nontemporal_store(v, (vec *)p);
#else
    *(vec *)p = v;
#endif
}

/* A whole line; `to` is aligned to it. */
static inline void stream_line(void *to, const void *from)
{
#if defined(__MOVDIR64B__)
    _movdir64b(to, from); /* reads the line and stores it past the caches in one go */
#else
    for (int i = 0; i < LINE_WORDS; i += W)
        stream((bl_word *)to + i, load((const bl_word *)from + i));
#endif
}

static inline vec all_of(bl_word word)
{
    return word - (vec){0};
}

static inline size_t bytes_to_line(const void *p)
{
    return -(uintptr_t)p & (LINE - 1);
}

/* rows[j] word i = a[i * lda + j] for i, j < W. */
static inline __attribute__((always_inline)) void load_turned(vec rows[W], const bl_word *a, size_t lda)
{
#if defined(__AVX512F__) /* halves are put together by loads, since there is one unit for shuffles */
    vec p[4], h[4];

    for (int half = 0; half < 8; half += 4) {
        for (size_t i = 0; i < 4; i++)
            h[i] =
                (vec)_mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const void *)(a + i * lda + half))),
                                        _mm256_loadu_si256((const void *)(a + (i + 4) * lda + half)), 1);
        for (int i = 0; i < 4; i += 2) { /* pairs of rows, of both halves */
            p[i] = __builtin_shufflevector(h[i], h[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
            p[i + 1] = __builtin_shufflevector(h[i], h[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
        }
        for (int k = 0; k < 2; k++) {
            rows[half + k] = __builtin_shufflevector(p[k], p[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            rows[half + k + 2] = __builtin_shufflevector(p[k], p[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
#elif defined(__AVX2__)
    vec p[4];

    for (size_t i = 0; i < 4; i += 2) {
        const vec q = load(a + i * lda), r = load(a + (i + 1) * lda);

        p[i] = __builtin_shufflevector(q, r, 0, 4, 2, 6);
        p[i + 1] = __builtin_shufflevector(q, r, 1, 5, 3, 7);
    }
    for (int k = 0; k < 2; k++) {
        rows[k] = __builtin_shufflevector(p[k], p[k + 2], 0, 1, 4, 5);
        rows[k + 2] = __builtin_shufflevector(p[k], p[k + 2], 2, 3, 6, 7);
    }
#else
    const vec q = load(a), r = load(a + lda);

    rows[0] = __builtin_shufflevector(q, r, 0, 2);
    rows[1] = __builtin_shufflevector(q, r, 1, 3);
#endif
}

#if defined(__AVX512F__)
/* The line that begins `s` words (0 to 8) into `first`, which `second` continues. */
static inline vec joined(vec first, vec second, size_t s)
{
    static const uint64_t from[2 * W] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    return (vec)_mm512_permutex2var_epi64((__m512i)first, (__m512i)load(from + s), (__m512i)second);
}

/* Only words `from` to `to` of v, each in its place; nothing else of p is touched. */
static inline void store_words(bl_word *p, vec v, size_t from, size_t to)
{
    _mm512_mask_storeu_epi64(p, (__mmask8)((1u << to) - (1u << from)), (__m512i)v);
}
#endif

static inline __attribute__((always_inline)) void store_square(bl_word *b, size_t ldb, const vec rows[W])
{
    for (int i = 0; i < W; i++)
        store(b + (size_t)i * ldb, rows[i]);
}

#endif
