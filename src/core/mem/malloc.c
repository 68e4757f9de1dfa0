/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Large blocks of the program's malloc come from the arena, so that PEs of the
 * node read messages in them by plain loads. The names malloc, free, ... are in
 * the libraries that programs are linked with (src/mpi/front_malloc); here is
 * what they call, when it may begin, and what a fork needs: its child must not
 * share such blocks with this PE.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/base/page.h"
#include "core/internal.h"

enum {
    PAGE = 4096, /* of blocks */
    FREED = 0xdb,
    CLEAR_MIN = 32 << 20,  /* larger blocks give their pages back; glibc's limit, too */
    IDLE_MAX = 128 << 20,  /* so much may freed blocks keep */
    AUTO_MIN = 64 << 10,
    ARENA_MIN = 256 << 20, /* a smaller one is left to windows and buffers */
};

struct core_malloc mpt_malloc = {.min = SIZE_MAX};

static struct core_blocks *const blocks = &core_state.mem.blocks;

static void idle_add(size_t n)
{
    __atomic_fetch_add(&blocks->idle, n, __ATOMIC_RELAXED);
}

/* Blocks that are taken are the idle ones, mostly. */
static void idle_take(size_t n)
{
    size_t had = __atomic_load_n(&blocks->idle, __ATOMIC_RELAXED);

    while (had > 0 && !__atomic_compare_exchange_n(&blocks->idle, &had, had > n ? had - n : 0, true, __ATOMIC_RELAXED,
                                                   __ATOMIC_RELAXED))
        ;
}

static void *alloc(size_t n, size_t align)
{
    void *p = n > SIZE_MAX / 2 ? NULL : core_arena_try(core_round_up(n, PAGE), align < PAGE ? PAGE : align);

    if (p)
        idle_take(n);
    return p;
}

/* Pages give what they hold back, if they lie in it whole: the system's may be larger than ours. */
static bool clear(char *p, size_t n)
{
    const size_t page = core_page_size(), head = -(uintptr_t)p % page, tail = ((uintptr_t)p + n) % page;

    if (n < CLEAR_MIN || !core_arena_clear(p, n))
        return false;
    memset(p, 0, head);
    memset(p + n - tail, 0, tail);
    return true;
}

/* What a block held before is still there. */
static void *alloc_zero(size_t n)
{
    void *p = alloc(n, 0);

    if (p && !clear(p, n))
        memset(p, 0, n);
    return p;
}

static void release(void *p)
{
    size_t n;

    if (core_thread.mem.frozen) /* a handler of the program's for forks: it cannot be given back just now */
        return;
    n = core_arena_size_of(p);
    if (MPT_UNLIKELY(core_params.check)) /* whoever uses it still is to notice */
        memset(p, FREED, 64);
    if (n >= CLEAR_MIN || __atomic_load_n(&blocks->idle, __ATOMIC_RELAXED) + n > IDLE_MAX)
        core_arena_clear(p, n);
    else
        idle_add(n);
    core_arena_drop(p);
}

static bool resize(void *p, size_t n)
{
    return n <= SIZE_MAX / 2 && core_arena_resize(p, core_round_up(n, PAGE));
}

/* ----------------------------------------------------------------------- fork --
 * The child gets private copies. Until it has them this PE stays where it forked:
 * the child is to see memory as it was then. No block changes hands meanwhile. */

static void before_fork(void)
{
    void *base;

    if (blocks->in_child)
        return;
    core_arena_freeze(&base, &blocks->frozen_n);
    core_thread.mem.frozen = true;
    blocks->frozen_base = (uintptr_t)base;
    blocks->frozen_n = core_round_up(blocks->frozen_n, core_page_size());
    if (blocks->frozen_n > 0 && pipe2(blocks->gate, O_CLOEXEC) != 0) {
        core_error("fork: no pipe to wait for the child's copy of memory (%s): it may see later changes",
                   strerror(errno));
        blocks->gate[0] = blocks->gate[1] = -1;
    }
}

static void open_gate(void)
{
    if (blocks->gate[0] >= 0)
        close(blocks->gate[0]);
    blocks->gate[0] = blocks->gate[1] = -1;
    core_thread.mem.frozen = false;
    core_arena_thaw();
}

static void after_fork_here(void)
{
    char byte;

    if (blocks->in_child)
        return;
    if (blocks->gate[0] >= 0) {
        close(blocks->gate[1]);
        while (read(blocks->gate[0], &byte, 1) < 0 && errno == EINTR)
            ;
    }
    open_gate();
}

static void after_fork_in_child(void)
{
    off_t offset = (off_t)(core_wire_slice(core_seg->header, core_seg->idx) + core_seg->header->off_arena);
    int err;

    if (blocks->in_child)
        return;
    blocks->in_child = true;
    mpt_malloc.min = SIZE_MAX; /* the rest of the arena is the parent's */
    err = blocks->frozen_n > 0 ? core_unshare(blocks->frozen_base, blocks->frozen_n, offset) : 0;
    if (err != 0) {
        core_error("a process forked by this PE cannot get memory of its own: %s", strerror(-err));
        _exit(EXIT_FAILURE);
    }
    if (blocks->gate[0] >= 0)
        close(blocks->gate[1]); /* the last: the parent reads the end */
    open_gate();
}

/* ---------------------------------------------------------------------- start -- */

/* The word in brackets. */
static bool chosen(const char *file, const char *word)
{
    char text[128] = "", bracketed[32];
    FILE *f = fopen(file, "re");

    if (!f)
        return false;
    if (!fgets(text, sizeof text, f))
        text[0] = '\0';
    fclose(f);
    snprintf(bracketed, sizeof bracketed, "[%s]", word);
    return strstr(text, bracketed) != NULL;
}

/* Where the system gives huge pages to all private memory and none to shared memory,
 * programs would compute more slowly in the arena. */
static bool loses_huge_pages(void)
{
#define HUGE "/sys/kernel/mm/transparent_hugepage/"
    return chosen(HUGE "enabled", "always") &&
           (chosen(HUGE "shmem_enabled", "never") || chosen(HUGE "shmem_enabled", "deny"));
#undef HUGE
}

/* Every name that the whole process uses must be the front's: another allocator
 * would not know our blocks. */
static bool is_everybodys(const struct core_malloc_front *front)
{
    for (; front->name; front++)
        if (dlsym(RTLD_DEFAULT, front->name) != front->function)
            return false;
    return true;
}

/* SIZE_MAX: none. */
static size_t limit(void)
{
    const char *text = core_params.malloc_min;
    uint64_t n;

    if (strcmp(text, "auto") == 0)
        return loses_huge_pages() ? SIZE_MAX : AUTO_MIN;
    if (core_param_size(text, &n) != 0)
        core_fatal("MPT_MALLOC_MIN=%s: expected auto or a size, for example 1M", text);
    return n == 0 ? SIZE_MAX : n < PAGE ? PAGE : n;
}

static void start(size_t min)
{
    if (min == SIZE_MAX || blocks->started || core_node_size() < 2 || core_seg->header->arena_size < ARENA_MIN)
        return;
    for (const struct core_malloc_front *const *f = mpt_malloc.fronts; *f && !blocks->started; f++)
        blocks->started = is_everybodys(*f);
    if (!blocks->started || pthread_atfork(before_fork, after_fork_here, after_fork_in_child) != 0)
        return;
    madvise(core_seg->own + core_seg->header->off_arena, core_seg->header->arena_size, MADV_HUGEPAGE);
    mpt_malloc.lo = (uintptr_t)core_seg->own + core_seg->header->off_arena;
    mpt_malloc.n = core_seg->header->arena_size;
    mpt_malloc.alloc = alloc;
    mpt_malloc.alloc_zero = alloc_zero;
    mpt_malloc.release = release;
    mpt_malloc.resize = resize;
    mpt_malloc.size = core_arena_size_of;
    /* Release: a thread that sees the limit sees the rest. */
    /* model: publish.set */
    __atomic_store_n(&mpt_malloc.min, min, __ATOMIC_RELEASE);
    core_debug("blocks of malloc from %zu bytes on come from the arena", min);
}

void core_malloc_start(void)
{
    if (mpt_malloc.min == SIZE_MAX)
        start(limit());
}

void core_malloc_start_all(void)
{
    start(PAGE);
    if (mpt_malloc.n)
        /* model: publish.set */
        __atomic_store_n(&mpt_malloc.min, PAGE, __ATOMIC_RELEASE);
}
