/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums of memory (memory.h): words go round several lanes, so that multiplications overlap.
 */
#include "core/check/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORD sizeof(uint64_t)
#define ROUND (CORE_MEMORY_LANES * WORD)

/* The signal mask that would be set is read before it is seen that this is no way to set one. */
static bool can_be_read(uintptr_t page)
{
    enum { NO_SUCH_WAY = -1, MASK = 8 };

    return syscall(SYS_rt_sigprocmask, NO_SUCH_WAY, page, NULL, MASK) == 0 || errno != EFAULT;
}

static bool is_there(struct core_memory_pages *pages, uintptr_t from, size_t n)
{
    for (uintptr_t page = from / CORE_MEMORY_PAGE; page <= (from + n - 1) / CORE_MEMORY_PAGE; page++) {
        uintptr_t *known = &pages->page[page % CORE_MEMORY_PAGES];

        if (*known == page)
            continue;
        pages->looked++;
        if (!can_be_read(page * CORE_MEMORY_PAGE))
            return false;
        *known = page;
    }
    return true;
}

static inline uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

void core_memory_sum_begin(struct core_memory_sum *s, struct core_memory_pages *pages)
{
    for (int i = 0; i < CORE_MEMORY_LANES; i++)
        s->lane[i] = (uint64_t)i + 1;
    s->pages = pages;
    s->failed = false;
}

void core_memory_sum_add(struct core_memory_sum *s, const void *at, size_t n)
{
    const unsigned char *from = at;
    uint64_t word[CORE_MEMORY_LANES];
    int saved = errno;

    if (n == 0 || s->failed)
        return;
    if (s->pages && !is_there(s->pages, (uintptr_t)at, n)) {
        s->failed = true;
        errno = saved;
        return;
    }
    errno = saved;
    for (; n >= ROUND; from += ROUND, n -= ROUND) {
        memcpy(word, from, ROUND);
        for (int i = 0; i < CORE_MEMORY_LANES; i++)
            s->lane[i] = mix(s->lane[i], word[i]);
    }
    for (size_t step; n > 0; from += step, n -= step) {
        step = n < WORD ? n : WORD;
        word[0] = n;
        memcpy(word, from, step);
        s->lane[0] = mix(s->lane[0], word[0]);
    }
}

bool core_memory_sum_end(const struct core_memory_sum *s, uint64_t *sum)
{
    uint64_t h = s->lane[0];

    for (int i = 1; i < CORE_MEMORY_LANES; i++)
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
