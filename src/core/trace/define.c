/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Definitions: the numbers of calls, regions, groups and places in the program, each written down when it is first met.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/base/site_call.h"
#include "core/internal.h"
#include "core/trace/internal.h"

enum { CALLS = 1 << 12, SITES = 1 << 16, GROUPS = 1 << 16 }; /* room in the tables; more have the number 0 */

static struct core_trace_state *const trace = &core_state.trace;

static void *make(size_t n)
{
    void *at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

static bool make_table(struct core_trace_table *t, uint32_t n)
{
    t->mask = n - 1;
    t->slots = make(n * sizeof *t->slots);
    return t->slots != NULL;
}

int core_trace_tables_make(void)
{
    trace->places = make(SITES * sizeof *trace->places);
    trace->seen = make(CORE_TRACE_SEEN_N * sizeof *trace->seen);
    return trace->places && trace->seen && make_table(&trace->calls, CALLS) && make_table(&trace->sites, SITES) &&
                   make_table(&trace->groups, GROUPS)
               ? 0
               : -ENOMEM;
}

/* ------------------------------------------------------------------ tables -- */

static inline uint32_t place_of(const struct core_trace_table *t, uint64_t key)
{
    return (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 40) & t->mask;
}

/* Its number, or 0; keys are not 0. */
static inline uint32_t find(const struct core_trace_table *t, uint64_t key)
{
    for (uint32_t at = place_of(t, key);; at = (at + 1) & t->mask) {
        /* pairs with the store in `enter`: the number is there */
        uint64_t had = __atomic_load_n(&t->slots[at].key, __ATOMIC_ACQUIRE);

        if (MPT_LIKELY(had == key))
            return t->slots[at].number;
        if (had == 0)
            return 0;
    }
}

/* With the lock held, a key that is not there. */
static void enter(struct core_trace_table *t, uint64_t key, uint32_t number)
{
    uint32_t at = place_of(t, key);

    while (t->slots[at].key)
        at = (at + 1) & t->mask;
    t->used++;
    t->slots[at].number = number;
    __atomic_store_n(&t->slots[at].key, key, __ATOMIC_RELEASE);
}

static bool has_room(const struct core_trace_table *t)
{
    return t->used < t->mask - t->mask / 4;
}

/* ----------------------------------------------------------------- writing -- */

enum { MORE_N = CORE_TRACE_RECORD_N - 1 };

static void put(uint64_t slot, const void *record)
{
    struct core_trace_record *to = core_trace_hold(slot);

    if (!to) {
        core_trace_file_write(slot, record);
        return;
    }
    memcpy((char *)to + 8, (const char *)record + 8, sizeof *to - 8);
    __atomic_store_n((uint64_t *)(void *)to, *(const uint64_t *)record, __ATOMIC_RELEASE);
    core_trace_let_go();
}

/* d and the n bytes that follow it, in records one after the other. The lock is not held. */
static void write_down(struct core_trace_record d, const void *text, size_t n, bool at_end)
{
    uint64_t slots = 1 + (n + MORE_N - 1) / MORE_N, slot = __atomic_fetch_add(&trace->next, slots, __ATOMIC_RELAXED);

    if (slot + slots > __atomic_load_n(&trace->room, __ATOMIC_ACQUIRE))
        slot = core_trace_take_slow(slots, slot, at_end);
    if (slot == 0)
        return;
    d.bytes = n;
    for (uint64_t i = 1; i < slots; i++) {
        size_t done = (i - 1) * MORE_N, left = n - done < MORE_N ? n - done : MORE_N;
        _Alignas(8) unsigned char more[CORE_TRACE_RECORD_N] = {CORE_TRACE_MORE};

        memcpy(more + 1, (const char *)text + done, left);
        put(slot + i, more);
    }
    put(slot, &d);
}

/* The next number of t for this key, or what another thread has just given it. *anew: it is to be written down. */
static uint32_t number_for(struct core_trace_table *t, uint64_t key, bool *anew)
{
    uint32_t number;

    *anew = false;
    pthread_mutex_lock(&trace->lock);
    number = find(t, key);
    if (number == 0 && has_room(t)) {
        *anew = true;
        enter(t, key, number = ++t->n);
    }
    pthread_mutex_unlock(&trace->lock);
    return number;
}

/* ------------------------------------------------------------ calls, groups -- */

static __attribute__((noinline, cold)) uint16_t define_call(uint64_t key, const char *name)
{
    bool anew;
    uint32_t number = number_for(&trace->calls, key, &anew);

    if (anew)
        write_down((struct core_trace_record){.kind = CORE_TRACE_DEF_CALL, .call = (uint16_t)number}, name,
                   strlen(name), false);
    return (uint16_t)number;
}

uint16_t core_trace_call_number(const char *literal)
{
    uint32_t number = find(&trace->calls, (uintptr_t)literal);

    return MPT_LIKELY(number != 0) ? (uint16_t)number : define_call((uintptr_t)literal, literal);
}

uint16_t core_trace_name(const char *literal)
{
    return core_trace_writes() ? core_trace_call_number(literal) : 0;
}

uint16_t core_trace_region_number(const char *name)
{
    const uint64_t h = core_hash_text(CORE_HASH_BEGIN, name) | 1ull << 63; /* no address */
    uint32_t number;

    number = find(&trace->calls, h);
    return number != 0 ? (uint16_t)number : define_call(h, name);
}

uint32_t core_trace_group(uint64_t key, const int *pes, int n, const char *name)
{
    uint64_t in_table = key == 0 ? UINT64_MAX : key;
    uint32_t number = find(&trace->groups, in_table);
    size_t pes_n = (size_t)n * sizeof *pes, name_n = strlen(name);
    char *text;
    bool anew;

    if (MPT_LIKELY(number != 0))
        return number;
    number = number_for(&trace->groups, in_table, &anew);
    if (!anew || !(text = malloc(pes_n + name_n + 1)))
        return number;
    memcpy(text, pes, pes_n);
    memcpy(text + pes_n, name, name_n);
    write_down((struct core_trace_record){.kind = CORE_TRACE_DEF_GROUP,
                                          .peer = CORE_TRACE_PEER_NONE,
                                          .group = number,
                                          .message = key,
                                          .value = (uint64_t)n},
               text, pes_n + name_n, false);
    free(text);
    return number;
}

void core_trace_sources(uint32_t group, const int *pes, int n)
{
    if (core_trace_writes() && !core_state.trace.paused)
        write_down(
            (struct core_trace_record){
                .kind = CORE_TRACE_DEF_SOURCES, .peer = CORE_TRACE_PEER_NONE, .group = group, .value = (uint64_t)n},
            pes, (size_t)n * sizeof *pes, false);
}

/* ------------------------------------------------------------------- sites -- */

/* In the sites' table: this return address lies in a library of ours, so the stack tells. */
#define WALK UINT32_MAX

/* The whole path of an object, which the program may be called without. */
static char *whole_path(const char *name)
{
    char *path = strchr(name, '/') ? realpath(name, NULL) : NULL;

    return path ? path : realpath("/proc/self/exe", NULL);
}

static uint32_t define_site(uintptr_t pc)
{
    Dl_info where;
    bool anew;
    uint32_t number = number_for(&trace->sites, pc, &anew);
    struct core_trace_place *p = &trace->places[number];

    if (!anew || !dladdr((void *)pc, &where) || !where.dli_fname)
        return number;
    p->offset = pc - (uintptr_t)where.dli_fbase;
    p->object = whole_path(where.dli_fname);
    if (p->object)
        write_down((struct core_trace_record){.kind = CORE_TRACE_DEF_SITE, .site = number, .value = p->offset},
                   p->object, strlen(p->object), false);
    return number;
}

static __attribute__((noinline, cold)) uint32_t site_number_slow(const void *from, uint32_t known)
{
    uintptr_t pc = known == WALK ? core_site() : trace->whole_sites ? (uintptr_t)from - 1 : core_site_by(from);
    uint32_t number = pc == 0 ? 0 : find(&trace->sites, pc);

    if (pc != 0 && number == 0)
        number = define_site(pc);
    if (from && known == 0 && has_room(&trace->sites)) {
        bool direct = pc == (uintptr_t)from - 1;

        if (direct && number == 0)
            return number;
        pthread_mutex_lock(&trace->lock);
        if (find(&trace->sites, (uintptr_t)from) == 0)
            enter(&trace->sites, (uintptr_t)from, direct ? number : WALK);
        pthread_mutex_unlock(&trace->lock);
    }
    return number;
}

uint32_t core_trace_site_number(const void *from)
{
    uint32_t number = from ? find(&trace->sites, (uintptr_t)from) : WALK;

    return MPT_LIKELY(number - 1 < WALK - 1) ? number : site_number_slow(from, number);
}

bool core_trace_site_fixed(const void *from)
{
    return from && find(&trace->sites, (uintptr_t)from) - 1 < WALK - 1;
}

void core_trace_lines(void)
{
    uint64_t end = core_clock_thread_ns() + 200 * (uint64_t)CORE_CLOCK_MS;

    for (uint32_t i = 1; i <= trace->sites.n && core_clock_thread_ns() < end; i++) {
        const struct core_trace_place *p = &trace->places[i];
        struct core_site_line l;
        char text[256];

        if (!p->object || !core_site_look(p->object, p->offset, &l) || l.line <= 0)
            continue;
        snprintf(text, sizeof text, "%s:%d in %s", l.file, l.line, l.function);
        write_down((struct core_trace_record){.kind = CORE_TRACE_DEF_LINE, .site = i}, text, strlen(text), true);
    }
}
