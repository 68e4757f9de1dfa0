/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of the program by small numbers, in a table of all PEs: by module and offset, as PEs have modules at different
 * addresses.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "core/base/site.h"
#include "core/base/site_call.h"
#include "core/check/race_internal.h"

enum { KNOWN = 1024, EACH_TIME = UINT32_MAX };

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ b * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;

    return h ^ h >> 32;
}

static uint32_t module_of(const Dl_info *where)
{
    struct core_race_shared *shared = RACE->shared;
    uint32_t i;

    core_race_lock(&shared->modules_lock);
    for (i = 0; i < shared->modules; i++)
        if (strncmp(shared->module[i], where->dli_fname, sizeof shared->module[i] - 1) == 0)
            break;
    if (i == shared->modules && i < CORE_RACE_MODULES) {
        snprintf(shared->module[i], sizeof shared->module[i], "%s", where->dli_fname);
        shared->modules++;
    }
    core_race_unlock(&shared->modules_lock);
    if (i < CORE_RACE_MODULES)
        RACE->bases[i] = (uintptr_t)where->dli_fbase;
    return i;
}

/* 0: there is no room. */
static uint32_t enter(uint32_t module, uint64_t offset, const char *call)
{
    struct core_race_site *sites = RACE->shared->sites;
    uint64_t h = mix(offset + module, (uintptr_t)call[0] + strlen(call));

    for (unsigned tries = 0; tries < 256; tries++, h++) {
        uint32_t i = (uint32_t)(h % (CORE_RACE_SITES - 1)) + 1, none = 0;
        struct core_race_site *s = &sites[i];

        if (__atomic_compare_exchange_n(&s->state, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
            s->module = module;
            s->offset = offset;
            snprintf(s->call, sizeof s->call, "%s", call);
            /* model: publish.set */
            __atomic_store_n(&s->state, 2, __ATOMIC_RELEASE);
            return i;
        }
        while (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == 1)
            sched_yield();
        if (s->module == module && s->offset == offset && strncmp(s->call, call, sizeof s->call - 1) == 0)
            return i;
    }
    return 0;
}

static bool is_ours(const Dl_info *where)
{
    Dl_info own;

    return dladdr((void *)(uintptr_t)core_race_site, &own) && own.dli_fbase == where->dli_fbase;
}

/* EACH_TIME: the call came by another part of the library, which tells nothing. */
static uint32_t look_up(uintptr_t pc, const char *call, bool last)
{
    Dl_info where;

    if (pc == 0 || !dladdr((void *)pc, &where) || !where.dli_fname)
        return last ? enter(CORE_RACE_MODULES, 0, call) : EACH_TIME;
    if (is_ours(&where) && !last)
        return EACH_TIME;
    return enter(module_of(&where), pc - (uintptr_t)where.dli_fbase, call);
}

uint32_t core_race_site(uintptr_t pc, const char *call)
{
    struct core_race_known *k = &RACE->last;

    if (MPT_UNLIKELY(k->pc != pc || k->call != call)) {
        k = &RACE->known[mix(pc, (uintptr_t)call) % KNOWN];
        if (MPT_UNLIKELY(k->pc != pc || k->call != call))
            *k = (struct core_race_known){pc, call, look_up(pc - (pc != 0), call, false)};
        RACE->last = *k;
    }
    return k->site != EACH_TIME ? k->site : look_up(core_site(), call, true);
}

const char *core_race_site_call(uint32_t site)
{
    return site ? RACE->shared->sites[site].call : "another call";
}

const char *core_race_site_text(uint32_t site, char *text, size_t n)
{
    const struct core_race_site *s = &RACE->shared->sites[site];
    struct core_site_line l;
    const char *module, *slash;

    text[0] = 0;
    if (site == 0 || s->module >= CORE_RACE_MODULES)
        return text;
    if (RACE->bases[s->module])
        return core_site_text(RACE->bases[s->module] + s->offset, text, n);
    module = RACE->shared->module[s->module];
    slash = strrchr(module, '/');
    if (core_site_look(module, s->offset, &l) && l.line > 0)
        snprintf(text, n, "%s:%d%s%s", l.file, l.line, l.function[0] ? " in " : "", l.function);
    else
        snprintf(text, n, "%s+%#lx", slash ? slash + 1 : module, (unsigned long)s->offset);
    return text;
}

uintptr_t core_race_noted(const char *where)
{
    const struct core_check_thread *noted = &core_thread.check;

    return noted->where == where ? core_site_by((const void *)noted->pc) : core_site();
}
