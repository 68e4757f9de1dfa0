/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads and stores: the functions that gcc and clang call before each with -fsanitize=thread. Their names are the
 * compilers'; they are those of plain accesses of 1 to 16 bytes, unaligned ones, volatile ones (which compilers tell
 * apart when asked), ranges, and pointers to tables of virtual functions.
 */
#include <stdbool.h>

#include "instrument/look.h"

/* Threads may change the line meanwhile: then something is told twice, or not, which was told just before. */
static bool was_told(uintptr_t at, size_t n, unsigned how)
{
    const struct core_watch_line *line = core_watch_line_of(at);
    unsigned from = at % CORE_WATCH_LINE;
    uint64_t told;

    if (from + n > CORE_WATCH_LINE || line->at != at - from || line->epoch != mpt_watch.epoch || how > CORE_WATCH_WRITE)
        return false;
    told = how == CORE_WATCH_WRITE ? line->writes : line->reads | line->writes;
    return (core_watch_bits(from, n) & ~told) == 0;
}

void instrument_watched(uintptr_t at, size_t n, unsigned how, uintptr_t pc)
{
    if (was_told(at, n, how))
        return;
    unsigned ranges = __atomic_load_n(&mpt_watch.n, __ATOMIC_ACQUIRE);

    for (unsigned i = 0; i < ranges; i++) {
        const struct core_watch_range *r = &mpt_watch.range[i];
        uintptr_t lo = at > r->lo ? at : r->lo, end = at + n < r->lo + r->n ? at + n : r->lo + r->n;
        if (lo < end)
            mpt_watch.access((const void *)lo, end - lo, how, pc);
    }
}

/* Programs without it are not asked to tell of what they read. */
__attribute__((constructor)) static void say_so(void)
{
    mpt_watch.instrumented = 1;
}

#define ACCESS(name, size, how)                        \
    void __tsan_##name##size(const void *at);          \
    void __tsan_##name##size(const void *at)           \
    {                                                  \
        instrument_look(at, size, how, INSTRUMENT_PC); \
    }
#define SIZES(name, how) \
    ACCESS(name, 1, how) \
    ACCESS(name, 2, how) ACCESS(name, 4, how) ACCESS(name, 8, how) ACCESS(name, 16, how)
#define FORMS(name, how) SIZES(name, how) SIZES(unaligned_##name, how)

FORMS(read, CORE_WATCH_READ)
FORMS(write, CORE_WATCH_WRITE)
FORMS(read_write, CORE_WATCH_WRITE) /* one after the other, of the same */
FORMS(volatile_read, CORE_WATCH_READ | CORE_WATCH_VOLATILE)
FORMS(volatile_write, CORE_WATCH_WRITE | CORE_WATCH_VOLATILE)

#define RANGE(name, how)                                  \
    void __tsan_##name##_range(const void *at, size_t n); \
    void __tsan_##name##_range(const void *at, size_t n)  \
    {                                                     \
        instrument_look_range(at, n, how, INSTRUMENT_PC); \
    }
RANGE(read, CORE_WATCH_READ)
RANGE(write, CORE_WATCH_WRITE)

void __tsan_vptr_read(void *const *at);
void __tsan_vptr_read(void *const *at)
{
    instrument_look(at, sizeof *at, CORE_WATCH_READ, INSTRUMENT_PC);
}

/* Each constructor and destructor sets it, mostly to what it is. */
void __tsan_vptr_update(void *const *at, const void *value);
void __tsan_vptr_update(void *const *at, const void *value)
{
    if (*at != value)
        instrument_look(at, sizeof *at, CORE_WATCH_WRITE, INSTRUMENT_PC);
}
