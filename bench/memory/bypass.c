/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the T3E's CACHE_BYPASS directive asked for, word by word: stores that go past the caches, and loads announced
 * as not to be kept. Each loop ends when its stores are ordered for everybody.
 */
#include "memory.h"

#include "loops.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define CAN true
static inline void put(void *to, double value)
{
    long long word;

    memcpy(&word, &value, sizeof word);
    _mm_stream_si64(to, word);
}
static inline void finish(void)
{
    _mm_sfence();
}
#elif defined(__clang__)
#define CAN true
static inline void put(void *to, double value)
{
    __builtin_nontemporal_store(value, (double *)to);
}
static inline void finish(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
#else
#define CAN false /* no such store in this compiler's C */
static inline void put(void *to, double value)
{
    *(double *)to = value;
}
static inline void finish(void) {}
#endif

const bool mem_can_bypass = CAN;

#define KERNEL(name, target, expression)                                                      \
    void name(double *restrict a, double *restrict b, double *restrict c, double s, size_t n) \
    {                                                                                         \
        for (size_t i = 0; i < n; i++)                                                        \
            put(&target[i], expression);                                                      \
        finish();                                                                             \
        (void)a, (void)b, (void)c, (void)s;                                                   \
    }
KERNEL(mem_bypass_copy, c, a[i])
KERNEL(mem_bypass_scale, b, s *c[i])
KERNEL(mem_bypass_add, c, a[i] + b[i])
KERNEL(mem_bypass_triad, a, b[i] + s * c[i])

void mem_bypass_set(double *x, double value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(&x[i], value);
    finish();
}

void mem_bypass_transpose(double *restrict b, const double *restrict a, size_t lda, size_t n)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            put(&b[j * lda + i], a[i * lda + j]);
    finish();
}

void mem_bypass_in_place(double *a, size_t lda, size_t n)
{
    for (size_t j = 0; j + 1 < n; j++)
        for (size_t i = j + 1; i < n; i++) {
            const double kept = a[j * lda + i];

            put(&a[j * lda + i], a[i * lda + j]);
            put(&a[i * lda + j], kept);
        }
    finish();
}

/* What is bypassed here is the table: words asked for ahead, not to be kept. */
void mem_bypass_gather(double *restrict x, const double *restrict a, const int64_t *restrict index, size_t n)
{
    const size_t ahead = 16;

    for (size_t i = 0; i < n; i++) {
        if (i + ahead < n)
            __builtin_prefetch(&a[index[i + ahead]], 0, 0);
        x[i] = a[index[i]];
    }
}

#define STORES(name, statements)            \
    static void name(struct mem_streams *s) \
    {                                       \
        double v;                           \
                                            \
        memcpy(&v, &s->value, sizeof v);    \
        for (size_t i = 0; i < s->n; i++) { \
            statements;                     \
        }                                   \
        finish();                           \
    }
STORES(store_1, put(&s->x[0][i], v))
STORES(store_2, put(&s->x[0][i], v); put(&s->x[1][i], v))
STORES(store_3, put(&s->x[0][i], v); put(&s->x[1][i], v); put(&s->x[2][i], v))
STORES(store_4, put(&s->x[0][i], v); put(&s->x[1][i], v); put(&s->x[2][i], v); put(&s->x[3][i], v))

mem_loop *const mem_bypass_stores[4] = {store_1, store_2, store_3, store_4};
