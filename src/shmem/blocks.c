/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: the blocks of the symmetric heap that the program has, with the lines that made them, and the last ones that
 * it has given back. Blocks that other interfaces have in the heap are not known here: nothing is said of them.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/site.h"
#include "shmem/check.h"
#include "shmem/found.h"

enum { GONE = 1024 };

static struct shmemi_blocks *const blocks = &shmemi.found.blocks;

/* Where the first block that begins behind `at` is in the list. */
static size_t behind(uintptr_t at)
{
    size_t lo = 0, hi = blocks->n;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;

        if (blocks->list[mid].lo > at)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

/* The block that `at` lies in. Between a block's end and the next there is room that is nobody's: it belongs to the
 * block before it, as it is that one's end that was overrun. */
static bool find(uintptr_t at, struct shmemi_block *found)
{
    size_t i = behind(at);

    if (i == 0 || at - blocks->list[i - 1].lo >= blocks->list[i - 1].room)
        return false;
    *found = blocks->list[i - 1];
    return true;
}

static bool was_there(uintptr_t at, struct shmemi_block *found)
{
    for (size_t i = 0; i < GONE && i < blocks->went; i++) {
        const struct shmemi_block *b = &blocks->gone[(blocks->went - 1 - i) % GONE];

        if (at - b->lo < b->n) {
            *found = *b;
            return true;
        }
    }
    return false;
}

static bool grow(void)
{
    size_t room = blocks->room ? 2 * blocks->room : 64;
    struct shmemi_block *list = realloc(blocks->list, room * sizeof *list);

    if (!list)
        return false;
    blocks->list = list;
    blocks->room = room;
    return true;
}

static void changed(void)
{
    __atomic_store_n(&blocks->version, blocks->version + 1, __ATOMIC_RELAXED);
}

void shmemi_block_made(const void *p, size_t n)
{
    struct shmemi_block b = {.lo = (uintptr_t)p, .n = n, .room = core_heap_size_of(p), .made = core_site()};

    pthread_mutex_lock(&shmemi.found.lock);
    if (blocks->n < blocks->room || grow()) {
        size_t i = behind(b.lo);

        memmove(&blocks->list[i + 1], &blocks->list[i], (blocks->n - i) * sizeof b);
        blocks->list[i] = b;
        blocks->n++;
        changed();
    }
    pthread_mutex_unlock(&shmemi.found.lock);
}

void shmemi_block_gone(const void *p)
{
    pthread_mutex_lock(&shmemi.found.lock);
    size_t i = behind((uintptr_t)p);

    if (i > 0 && blocks->list[i - 1].lo == (uintptr_t)p) {
        if (!blocks->gone)
            blocks->gone = calloc(GONE, sizeof *blocks->gone);
        blocks->list[i - 1].freed = core_site();
        if (blocks->gone)
            blocks->gone[blocks->went++ % GONE] = blocks->list[i - 1];
        memmove(&blocks->list[i - 1], &blocks->list[i], (blocks->n - i) * sizeof *blocks->list);
        blocks->n--;
        changed();
    }
    pthread_mutex_unlock(&shmemi.found.lock);
}

/* ------------------------------------------------------------------ findings -- */

enum state { IN_USE, FREED, UNKNOWN };

static enum state look_up(uintptr_t at, struct shmemi_block *b)
{
    struct core_check_thread *last = core_check_of_thread();
    enum state s;

    pthread_mutex_lock(&shmemi.found.lock);
    s = find(at, b) ? IN_USE : was_there(at, b) ? FREED : UNKNOWN;
    last->blocks = blocks->version;
    pthread_mutex_unlock(&shmemi.found.lock);
    last->block_n = 0;
    if (s == IN_USE) {
        last->block = b->lo;
        last->block_n = b->n;
    }
    return s;
}

/* Ends the job. */
static void tell(struct core_finding *f, const struct shmemi_block *b, const char *where)
{
    core_finding_at(f, mpt_fast.me, core_site(), "%s", where);
    if (b)
        core_finding_at(f, mpt_fast.me, b->made, "the block of %zu bytes was allocated", b->n);
    if (b && b->freed)
        core_finding_at(f, mpt_fast.me, b->freed, "it was freed");
    core_finding_end(f);
    core_finding_stop();
}

void shmemi_block_used(const void *p, size_t n, const char *arg, const char *where)
{
    uintptr_t at = (uintptr_t)p;
    struct core_finding f;
    struct shmemi_block b;
    enum state s;

    if (n == 0 || at - mpt_fast.heap_lo >= mpt_fast.heap_len)
        return;
    s = look_up(at, &b);
    if (s == IN_USE && at - b.lo <= b.n && n <= b.n - (at - b.lo))
        return;
    if (s != IN_USE && core_heap_holds(p))
        return;
    if (s == IN_USE)
        core_finding_begin(&f, CORE_FINDING_ARGUMENT, shmemi_rule(where),
                           "%s: %s=%p (%zu bytes) runs %zu bytes past the end of its block of %zu bytes", where, arg, p,
                           n, at + n - (b.lo + b.n), b.n);
    else if (s == FREED)
        core_finding_begin(&f, CORE_FINDING_FREED, shmemi_rule(where),
                           "%s: %s=%p (%zu bytes) lies in a block of the symmetric heap that was freed", where, arg, p,
                           n);
    else
        core_finding_begin(&f, CORE_FINDING_ARGUMENT, shmemi_rule(where),
                           "%s: %s=%p (%zu bytes) lies in no block of the symmetric heap", where, arg, p, n);
    tell(&f, s == UNKNOWN ? NULL : &b, where);
}

void shmemi_block_first(const void *p, const char *where)
{
    struct core_finding f;
    struct shmemi_block b;
    enum state s = look_up((uintptr_t)p, &b);

    if (core_heap_size_of(p) > 0)
        return;
    if (s == FREED)
        core_finding_begin(&f, CORE_FINDING_FREED, shmemi_rule(where), "%s: ptr=%p was freed before", where, p);
    else if (s == IN_USE)
        core_finding_begin(&f, CORE_FINDING_ARGUMENT, shmemi_rule(where),
                           "%s: ptr=%p is not the start of its block, but %zu bytes behind it", where, p,
                           (size_t)((uintptr_t)p - b.lo));
    else
        core_finding_begin(&f, CORE_FINDING_ARGUMENT, shmemi_rule(where),
                           "%s: ptr=%p is not the start of a block of the symmetric heap that is in use", where, p);
    tell(&f, s == UNKNOWN ? NULL : &b, where);
}
