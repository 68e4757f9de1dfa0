/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See guard.h. Valgrind is asked by its client requests, some instructions without effect elsewhere, where their header
 * was there when this library was built. AddressSanitizer's functions are there if the program has been linked with it.
 */
#include "core/mem/guard.h"

#include <stdint.h>

#include "core/core.h"
#include "core/base/number.h"
#include "core/internal.h"
#include "core/mem/heap.h"
#include "core/mem/wire.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define RUNNING_ON_VALGRIND 0
#define VALGRIND_MAKE_MEM_NOACCESS(p, n) (void)(p), (void)(n)
#define VALGRIND_MAKE_MEM_DEFINED(p, n) (void)(p), (void)(n)
#define VALGRIND_MALLOCLIKE_BLOCK(p, n, zone, zeroed) (void)(p), (void)(n)
#define VALGRIND_FREELIKE_BLOCK(p, zone) (void)(p)
#define VALGRIND_CHECK_MEM_IS_ADDRESSABLE(p, n) ((void)(p), (void)(n), 0)
#endif

/* sanitizer/asan_interface.h */
extern void __asan_poison_memory_region(const volatile void *p, size_t n) __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *p, size_t n) __attribute__((weak));
extern void *__asan_region_is_poisoned(void *p, size_t n) __attribute__((weak));
extern void __asan_describe_address(void *p) __attribute__((weak));
/* sanitizer/lsan_interface.h */
extern void __lsan_ignore_object(const void *p) __attribute__((weak));

/* So much of a heap is poisoned from the start, and of a block that is freed; behind it only what follows each block.
 * For each eight bytes that are, or may be, poisoned one is written. */
#define POISONED ((size_t)64 << 20)
/* Larger blocks are followed by nothing: what is poisoned behind them would make the next such block expensive. */
#define LARGE ((size_t)1 << 30)

static bool has_asan(void)
{
    return __asan_poison_memory_region && __asan_unpoison_memory_region;
}

static bool has_valgrind(void)
{
    return RUNNING_ON_VALGRIND;
}

bool core_guard_on(void)
{
    return has_asan() || has_valgrind();
}

/* With the heap's lock. */
static void poison(char *p, size_t n)
{
    struct core_heap *heap = &core_state.mem.heap;

    n = core_min(n, POISONED);
    __asan_poison_memory_region(p, n);
    if (n > 0 && p + n > heap->poisoned_to)
        heap->poisoned_to = p + n;
}

static void unpoison(char *p, size_t n)
{
    const char *end = core_state.mem.heap.poisoned_to;

    if (p < end)
        __asan_unpoison_memory_region(p, core_min(n, (size_t)(end - p)));
}

static void close_region(void *p, size_t n)
{
    if (has_asan())
        poison(p, n);
    if (has_valgrind())
        VALGRIND_MAKE_MEM_NOACCESS(p, n);
}

void core_guard_heap(void *base, size_t n)
{
    if (has_asan()) {
        core_state.mem.heap.poisoned_to = base;
        poison(base, n);
    }
    if (has_valgrind())
        VALGRIND_MAKE_MEM_NOACCESS(base, n);
}

/* To valgrind what a block holds is known: other PEs write into it unseen. */
void core_guard_give(void *p, size_t n, size_t room)
{
    if (!core_guard_on())
        return;
    if (n <= LARGE)
        close_region((char *)p + n, room - n);
    if (has_asan())
        unpoison(p, n <= LARGE ? n : room);
    if (has_valgrind())
        VALGRIND_MALLOCLIKE_BLOCK(p, n, 0, 1);
}

void core_guard_take(void *p, size_t room, bool touched)
{
    if (!core_guard_on())
        return;
    if (has_valgrind())
        VALGRIND_FREELIKE_BLOCK(p, 0);
    if (!touched)
        close_region(p, room);
    else if (has_valgrind())
        VALGRIND_MAKE_MEM_DEFINED(p, room);
}

void core_guard_open(void *p, size_t room)
{
    if (has_asan())
        unpoison(p, room);
    if (has_valgrind())
        VALGRIND_MAKE_MEM_DEFINED(p, room);
}

void core_guard_hide(void *p, size_t n)
{
    if (has_valgrind())
        VALGRIND_MAKE_MEM_NOACCESS(p, n);
}

const void *core_guard_bad(const void *p, size_t n)
{
    uintptr_t bad = 0;

    if (n == 0)
        return NULL;
    if ((uintptr_t)p + n < (uintptr_t)p)
        return core_guard_on() ? p : NULL;
    if (__asan_region_is_poisoned)
        bad = (uintptr_t)__asan_region_is_poisoned((void *)(uintptr_t)p, n);
    if (!bad && has_valgrind())
        bad = VALGRIND_CHECK_MEM_IS_ADDRESSABLE(p, n); /* which says so, too */
    return (const void *)bad;
}

void core_guard_keep(const void *p)
{
    if (__lsan_ignore_object)
        __lsan_ignore_object(p);
}

void core_guard_describe(const void *at)
{
    if (__asan_describe_address)
        __asan_describe_address((void *)(uintptr_t)at);
}

/* Valgrind looks for pointers in all memory that the process may touch, at its end. The job's memory has holes, of many
 * gigabytes, which would be filled by that. */
static __attribute__((destructor(101))) void hide_holes(void)
{
    if (!has_valgrind() || !core_seg->base)
        return;
    core_heap_forget();
    VALGRIND_MAKE_MEM_NOACCESS(core_seg->base, core_seg->length);
}
