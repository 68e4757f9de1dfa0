/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums of memory (memory.h). Of each word a key is taken that no other word of the sum has, and the product of both
 * halves is added, as vectors do at once: sums of long arrays are bound by memory.
 */
#include "core/check/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define WORD sizeof(uint64_t)
#define ROUND (CORE_MEMORY_LANES * WORD)
#define STEP 0x9e3779b97f4a7c16ull /* from a round's keys to the next one's */

static const uint64_t keys[CORE_MEMORY_LANES] = {
    0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93, 0xe7037ed1a0b428db,
    0x8ebc6af09c88c6e3, 0x589965cc75374cc3, 0x1d8e4e27c47d124f, 0xeb44accab455d165,
};

/* ------------------------------------------------------------------ is it there -- */

/* The signal mask that would be set is read before it is seen that this is no way to set one. */
static bool can_be_read(uintptr_t mask)
{
    enum { NO_SUCH_WAY = -1, MASK = 8 };

    return syscall(SYS_rt_sigprocmask, NO_SUCH_WAY, mask, NULL, MASK) == 0 || errno != EFAULT;
}

static uintptr_t *place_of(struct core_memory_pages *pages, uintptr_t page)
{
    return &pages->page[page % CORE_MEMORY_PAGES];
}

/* Of two pages in turn that are not known, a mask that lies across their border. */
static bool is_there(struct core_memory_pages *pages, uintptr_t from, size_t n)
{
    enum { ACROSS = 4 };
    const uintptr_t last = (from + n - 1) / CORE_MEMORY_PAGE;

    for (uintptr_t page = from / CORE_MEMORY_PAGE; page <= last; page++) {
        bool two = page < last && *place_of(pages, page + 1) != page + 1;

        if (*place_of(pages, page) == page)
            continue;
        pages->looked++;
        if (!can_be_read(two ? (page + 1) * CORE_MEMORY_PAGE - ACROSS : page * CORE_MEMORY_PAGE))
            return false;
        *place_of(pages, page) = page;
        if (two) {
            page++;
            *place_of(pages, page) = page;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------ sums -- */

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))

AVX2 static void add_rounds_avx2(uint64_t *lane, const unsigned char *from, size_t n, uint64_t rounds)
{
    enum { VECTORS = 2 };
    const __m256i step = _mm256_set1_epi64x((long long)STEP);
    __m256i sum[VECTORS], key[VECTORS];

    for (int i = 0; i < VECTORS; i++) {
        sum[i] = _mm256_loadu_si256((const __m256i *)lane + i);
        key[i] = _mm256_add_epi64(_mm256_loadu_si256((const __m256i *)keys + i),
                                  _mm256_set1_epi64x((long long)(STEP * rounds)));
    }
    for (; n > 0; n--, from += ROUND)
        for (int i = 0; i < VECTORS; i++) {
            __m256i word = _mm256_loadu_si256((const __m256i *)from + i), x = _mm256_xor_si256(word, key[i]);

            sum[i] = _mm256_add_epi64(sum[i], _mm256_mul_epu32(x, _mm256_srli_epi64(x, 32)));
            sum[i] = _mm256_add_epi64(sum[i], _mm256_shuffle_epi32(word, _MM_SHUFFLE(2, 3, 0, 1)));
            key[i] = _mm256_add_epi64(key[i], step);
        }
    for (int i = 0; i < VECTORS; i++)
        _mm256_storeu_si256((__m256i *)lane + i, sum[i]);
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
static void add_rounds_avx2(uint64_t *lane, const unsigned char *from, size_t n, uint64_t rounds)
{
    (void)lane, (void)from, (void)n, (void)rounds;
}

static bool has_avx2(void)
{
    return false;
}
#endif

static void add_rounds_plain(uint64_t *lane, const unsigned char *from, size_t n, uint64_t rounds)
{
    uint64_t word[CORE_MEMORY_LANES];

    for (; n > 0; n--, rounds++, from += ROUND) {
        memcpy(word, from, ROUND);
        for (int i = 0; i < CORE_MEMORY_LANES; i++) {
            uint64_t x = word[i] ^ (keys[i] + STEP * rounds);

            lane[i] += (x & UINT32_MAX) * (x >> 32) + (word[i] << 32 | word[i] >> 32);
        }
    }
}

static void add_rounds(struct core_memory_sum *s, const unsigned char *from, size_t n)
{
    if (s->rounds == 0)
        memset(s->lane, 0, sizeof s->lane);
    (has_avx2() ? add_rounds_avx2 : add_rounds_plain)(s->lane, from, n, s->rounds);
    s->rounds += n;
}

static inline uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

void core_memory_sum_begin(struct core_memory_sum *s, struct core_memory_pages *pages)
{
    s->h = 1;
    s->rounds = 0;
    s->pages = pages;
    s->failed = false;
}

void core_memory_sum_add(struct core_memory_sum *s, const void *at, size_t n)
{
    const unsigned char *from = at;
    uint64_t word;
    int saved = errno;

    if (n == 0 || s->failed)
        return;
    if (s->pages && !is_there(s->pages, (uintptr_t)at, n)) {
        s->failed = true;
        errno = saved;
        return;
    }
    errno = saved;
    if (n >= ROUND)
        add_rounds(s, from, n / ROUND);
    from += n / ROUND * ROUND;
    n %= ROUND;
    for (size_t step; n > 0; from += step, n -= step) {
        step = n < WORD ? n : WORD;
        word = n;
        memcpy(&word, from, step);
        s->h = mix(s->h, word);
    }
}

bool core_memory_sum_end(const struct core_memory_sum *s, uint64_t *sum)
{
    uint64_t h = s->h;

    for (int i = 0; s->rounds > 0 && i < CORE_MEMORY_LANES; i++)
        h = mix(h, s->lane[i]);
    *sum = h;
    return !s->failed;
}

bool core_memory_sum(const void *at, size_t n, struct core_memory_pages *pages, uint64_t *sum)
{
    struct core_memory_sum s;

    core_memory_sum_begin(&s, pages);
    core_memory_sum_add(&s, at, n);
    return core_memory_sum_end(&s, sum);
}
