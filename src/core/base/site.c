/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program's call: the innermost frame of the stack outside of this library and those with the interfaces' names.
 */
#include "core/base/site.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/site_call.h"
#include "core/state.h"

enum { DEEP = 64 };

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* By their files' names. */
static bool is_our_file(const char *path)
{
    static const char *const begins[] = {"libmpt.so",   "libmpi_abi.so",      "libmpi.so",
                                         "libmpich.so", "libmpi_abi_fort.so", "libmpifort_abi",
                                         "libpvm3.so",  "libgpvm3.so",        "libbenchlib."};
    const char *name = base_name(path);

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static const char *file_of(const void *at)
{
    Dl_info where;

    return dladdr(at, &where) && where.dli_fname ? where.dli_fname : "";
}

/* ---- which frames are ours: asked at every call under --check, so the answers are kept ---- */

enum side { UNKNOWN, OURS, THEIRS, NOBODYS };

static enum side look_up(uintptr_t call)
{
    const char *file = file_of((void *)call);

    if (is_our_file(file))
        return OURS;
    /* threads of this library begin in the C library */
    return file[0] && strncmp(base_name(file), "libc.so", 7) != 0 ? THEIRS : NOBODYS;
}

/* A word of the table is the address and, in its low bits, the answer: threads may read and write it at once. Four
 * words serve each address, as two that take turns in one would be looked up at every call. */
static enum side side_of(uintptr_t call)
{
    enum { WAYS = 4 };
    uint64_t *set = &core_state.base.frames[(call ^ call >> 9) % (CORE_SITE_FRAMES / WAYS) * WAYS];
    unsigned victim = (unsigned)(call >> 6) % WAYS;
    enum side side;

    for (unsigned i = 0; i < WAYS; i++) {
        uint64_t had = __atomic_load_n(&set[i], __ATOMIC_RELAXED);

        if (had >> 2 == call)
            return (enum side)(had & 3);
        if (had == 0) {
            victim = i;
            break;
        }
    }
    side = look_up(call);
    __atomic_store_n(&set[victim], (uint64_t)call << 2 | side, __ATOMIC_RELAXED);
    return side;
}

/* How many of the n frames lead to the first outside, that included; 0: all are ours. *found 0: it is nobody's. */
static int outside(void *const frames[], int n, uintptr_t *found)
{
    for (int i = 1; i < n; i++) {
        uintptr_t call = (uintptr_t)frames[i] - 1; /* the next instruction may be another line's */
        enum side side = side_of(call);

        if (side == OURS)
            continue;
        *found = side == THEIRS ? call : 0;
        return i + 1;
    }
    return 0;
}

bool core_site_apart(void)
{
    return side_of((uintptr_t)core_site) == OURS;
}

/* Each frame costs. So a walk ends where the program lay in earlier ones for the same caller in the library, and a
 * longer one follows only where it is deeper now. */
uintptr_t core_site(void)
{
    enum { SHORT = 6, MIDDLE = 12 };
    const uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    uint8_t *known = &core_state.base.depths[(caller ^ caller >> 8) % CORE_SITE_CALLERS];
    const int had = __atomic_load_n(known, __ATOMIC_RELAXED);
    void *frames[DEEP];
    uintptr_t found = 0;

    if (!core_site_apart())
        return 0; /* linked into the program: nothing tells them apart */
    for (int deep = had ? had : SHORT;; deep = deep < MIDDLE ? MIDDLE : DEEP) {
        int n = backtrace(frames, deep), needed = outside(frames, n, &found);

        if (needed > had)
            __atomic_store_n(known, (uint8_t)needed, __ATOMIC_RELAXED);
        if (needed || n < deep || deep == DEEP)
            return found;
    }
}

uintptr_t core_site_by(const void *return_address)
{
    uintptr_t call = (uintptr_t)return_address - 1;

    return core_site_apart() && side_of(call) == THEIRS ? call : core_site();
}

/* ---- for other processes ---- */

enum { AWAY_BITS = 40 };

static uint64_t name_of_object(const char *path)
{
    return core_hash_text(CORE_HASH_BEGIN, base_name(path)) >> AWAY_BITS;
}

uint64_t core_site_away(uintptr_t site)
{
    Dl_info where;

    if (site == 0 || !dladdr((void *)site, &where) || !where.dli_fname)
        return 0;
    return name_of_object(where.dli_fname) << AWAY_BITS | (site - (uintptr_t)where.dli_fbase);
}

struct wanted {
    uint64_t away;
    uintptr_t site;
};

static int has_it(struct dl_phdr_info *object, size_t size, void *arg)
{
    struct wanted *w = arg;
    uintptr_t offset = w->away & ((1ull << AWAY_BITS) - 1);
    Dl_info where;

    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &object->dlpi_phdr[i];
        uintptr_t first = object->dlpi_addr + p->p_vaddr;

        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || !dladdr((void *)first, &where) || !where.dli_fname)
            continue;
        w->site = (uintptr_t)where.dli_fbase + offset;
        if (name_of_object(where.dli_fname) == w->away >> AWAY_BITS && w->site >= first && w->site - first < p->p_memsz)
            return 1;
    }
    return 0;
}

uintptr_t core_site_here(uint64_t away)
{
    struct wanted w = {.away = away};

    return away != 0 && dl_iterate_phdr(has_it, &w) ? w.site : 0;
}

const char *core_site_text(uintptr_t site, char *text, size_t n)
{
    struct core_site_line l;
    Dl_info where;
    size_t at;

    text[0] = 0;
    if (site == 0 || !dladdr((void *)site, &where) || !where.dli_fname)
        return text;
    at = site - (uintptr_t)where.dli_fbase;
    if (core_site_look(where.dli_fname, at, &l) && l.line > 0)
        snprintf(text, n, "%s:%d%s%s", l.file, l.line, l.function[0] ? " in " : "", l.function);
    else if (where.dli_sname)
        snprintf(text, n, "%s+%#lx in %s", where.dli_sname, (unsigned long)(site - (uintptr_t)where.dli_saddr),
                 base_name(where.dli_fname));
    else
        snprintf(text, n, "%s+%#lx", base_name(where.dli_fname), (unsigned long)at);
    return text;
}
