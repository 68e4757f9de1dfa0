/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loops over vectors of words, compiled once for each instruction set (CMakeLists.txt), and the table of them.
 */
#include "benchlib/transpose.h"

#include <string.h>

enum {
    PAGES = 8,   /* streamed side by side: more address translations and memory banks at work */
    TURN = 128,  /* bytes of each in turn */
    AHEAD = 256, /* bytes of each asked for early */
};

static void fence(void)
{
#if defined(__x86_64__)
    _mm_sfence();
#else
    __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

static void copy_stream(void *to, const void *from, size_t bytes)
{
    const size_t head = bytes_to_line(to) < bytes ? bytes_to_line(to) : bytes;
    char *d = to;
    const char *s = from;

    memcpy(d, s, head);
    d += head, s += head, bytes -= head;
    for (; bytes >= PAGES * PAGE; d += PAGES * PAGE, s += PAGES * PAGE, bytes -= PAGES * PAGE)
        for (size_t at = 0; at < PAGE; at += TURN)
            for (size_t page = at; page < PAGES * PAGE; page += PAGE)
                for (size_t line = page; line < page + TURN; line += LINE) {
                    __builtin_prefetch(s + line + AHEAD, 0, 3);
                    stream_line(d + line, s + line);
                }
    for (; bytes >= LINE; d += LINE, s += LINE, bytes -= LINE)
        stream_line(d, s);
    memcpy(d, s, bytes);
}

static void set(bl_word *to, bl_word word, size_t words)
{
    const vec v = all_of(word);
    size_t i = 0;

    for (; i + 4 * W <= words; i += 4 * W)
        for (int k = 0; k < 4 * W; k += W)
            store(to + i + k, v);
    for (; i + W <= words; i += W)
        store(to + i, v);
    for (; i < words; i++)
        to[i] = word;
}

static void set_string(bl_word *to, bl_word word, size_t words)
{
#if defined(__x86_64__)
    __asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(word) : "memory");
#else
    set(to, word, words);
#endif
}

static void copy_string(void *to, const void *from, size_t bytes)
{
#if defined(__x86_64__)
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
#else
    memcpy(to, from, bytes);
#endif
}

static void set_stream(bl_word *to, bl_word word, size_t words)
{
    _Alignas(LINE) bl_word line[LINE_WORDS];

    for (int k = 0; k < LINE_WORDS; k++)
        line[k] = word;
    for (; words && bytes_to_line(to); words--)
        *to++ = word;
    for (; words >= LINE_WORDS; to += LINE_WORDS, words -= LINE_WORDS)
        stream_line(to, line);
    while (words--)
        *to++ = word;
}

/* ---- gathers ---- */

typedef uint64_t pair __attribute__((vector_size(16), may_alias, aligned(1)));

/* Two words to a store: fewer stores than words, and no wider vector to be put together first. */
#define GATHER_LOADS(name, type)                                                \
    static void name(bl_word *x, const bl_word *a, const type *index, size_t n) \
    {                                                                           \
        for (; n >= 8; n -= 8, x += 8, index += 8)                              \
            for (int k = 0; k < 8; k += 2)                                      \
                *(pair *)(x + k) = (pair){a[index[k]], a[index[k + 1]]};        \
        for (; n >= 2; n -= 2, x += 2, index += 2)                              \
            *(pair *)x = (pair){a[index[0]], a[index[1]]};                      \
        if (n)                                                                  \
            *x = a[*index];                                                     \
    }
GATHER_LOADS(gather_loads, int64_t)
GATHER_LOADS(gather32_loads, int32_t)

#if defined(__AVX512F__)
static void gather_wide(bl_word *x, const bl_word *a, const int64_t *index, size_t n)
{
    for (; n >= 4 * W; n -= 4 * W, x += 4 * W, index += 4 * W)
        for (int k = 0; k < 4 * W; k += W)
            store(x + k, (vec)_mm512_i64gather_epi64(_mm512_loadu_si512(index + k), (const void *)a, 8));
    for (; n >= W; n -= W, x += W, index += W)
        store(x, (vec)_mm512_i64gather_epi64(_mm512_loadu_si512(index), (const void *)a, 8));
    gather_loads(x, a, index, n);
}

static void gather32_wide(bl_word *x, const bl_word *a, const int32_t *index, size_t n)
{
    for (; n >= W; n -= W, x += W, index += W)
        store(x, (vec)_mm512_i32gather_epi64(_mm256_loadu_si256((const void *)index), (const void *)a, 8));
    gather32_loads(x, a, index, n);
}
#else /* AVX2's gathers lose to loads on many processors, most of all on those mended against data sampling */
#define gather_wide gather_loads
#define gather32_wide gather32_loads
#endif

static void get(bl_word *x, const bl_word *a, ptrdiff_t inc, size_t n)
{
    size_t i = 0;

    for (; i + 4 <= n; i += 4, a += 4 * inc) {
        const bl_word p = a[0], q = a[inc], r = a[2 * inc], s = a[3 * inc];

        x[i] = p, x[i + 1] = q, x[i + 2] = r, x[i + 3] = s;
    }
    for (; i < n; i++, a += inc)
        x[i] = *a;
}

const struct bl_kernels FOR_ISA(bl_kernels) = {
    .name = BL_TEXT(ISA),
    .copy_stream = copy_stream,
    .set_stream = set_stream,
    .transpose_stream = bl_turn_stream,
    .fence = fence,
    .copy_string = copy_string,
    .set_string = set_string,
    .set = set,
    .transpose = bl_turn_cached,
    .transpose_in_place = bl_turn_in_place,
    .gather = gather_wide,
    .gather32 = gather32_wide,
    .gather_loads = gather_loads,
    .gather32_loads = gather32_loads,
    .get = get,
};
