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

#define PLAIN_GATHER(name, type)                                                                                       \
    static inline void name(bl_word *x, const bl_word *a, const type *index, size_t n)                                 \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
                                                                                                                       \
        for (; i + 4 <= n; i += 4) {                                                                                   \
            const bl_word p = a[index[i]], q = a[index[i + 1]], r = a[index[i + 2]], s = a[index[i + 3]];              \
                                                                                                                       \
            x[i] = p, x[i + 1] = q, x[i + 2] = r, x[i + 3] = s;                                                        \
        }                                                                                                              \
        for (; i < n; i++)                                                                                             \
            x[i] = a[index[i]];                                                                                        \
    }
PLAIN_GATHER(plain_gather, int64_t)
PLAIN_GATHER(plain_gather32, int32_t)

#if defined(__AVX512F__)
static void gather(bl_word *x, const bl_word *a, const int64_t *index, size_t n)
{
    for (; n >= 4 * W; n -= 4 * W, x += 4 * W, index += 4 * W)
        for (int k = 0; k < 4 * W; k += W)
            store(x + k, (vec)_mm512_i64gather_epi64(_mm512_loadu_si512(index + k), (const void *)a, 8));
    for (; n >= W; n -= W, x += W, index += W)
        store(x, (vec)_mm512_i64gather_epi64(_mm512_loadu_si512(index), (const void *)a, 8));
    plain_gather(x, a, index, n);
}

static void gather32(bl_word *x, const bl_word *a, const int32_t *index, size_t n)
{
    for (; n >= W; n -= W, x += W, index += W)
        store(x, (vec)_mm512_i32gather_epi64(_mm256_loadu_si256((const void *)index), (const void *)a, 8));
    plain_gather32(x, a, index, n);
}
#else /* AVX2's gathers lose to loads on many processors, most of all on those mended against data sampling */
static void gather(bl_word *x, const bl_word *a, const int64_t *index, size_t n)
{
    plain_gather(x, a, index, n);
}

static void gather32(bl_word *x, const bl_word *a, const int32_t *index, size_t n)
{
    plain_gather32(x, a, index, n);
}
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
    .set = set,
    .set_string = set_string,
    .transpose = bl_turn_cached,
    .transpose_in_place = bl_turn_in_place,
    .gather = gather,
    .gather32 = gather32,
    .get = get,
};
