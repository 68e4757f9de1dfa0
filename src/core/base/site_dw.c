/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines and functions by libdw (elfutils), which is loaded when the first message needs it. Debug information is looked
 * for in the file itself: nothing is fetched from anywhere.
 */
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/site.h"
#include "core/state.h"

/* Each as the header declares it. */
/* clang-format off */
#define SYMBOLS(X) \
    X(dwfl_begin) X(dwfl_end) X(dwfl_report_begin) X(dwfl_report_elf) X(dwfl_report_end) \
    X(dwfl_module_info) X(dwfl_module_getsrc) X(dwfl_lineinfo) X(dwfl_module_addrname) \
    X(dwfl_module_addrdie) X(dwarf_getscopes) X(dwarf_getscopes_die) X(dwarf_tag) X(dwarf_attr) \
    X(dwarf_formudata) X(dwarf_getsrcfiles) X(dwarf_filesrc) X(dwarf_attr_integrate) \
    X(dwarf_formstring)
/* clang-format on */
#define MEMBER(name) __typeof__(&name) name;

/* What was looked up last: each time costs a reading of the file's debug information, and a wrong line in a loop is
 * found again and again. */
enum { KEPT = 64 };
struct kept {
    uint64_t of; /* the file's name and the place, as a sum; 0: nothing is kept here */
    bool ok;
    struct core_site_line line;
};
struct core_dw {
    SYMBOLS(MEMBER)
    bool busy; /* with these: */
    struct kept kept[KEPT];
};

/* NULL: it is not there. */
static struct core_dw *load(void)
{
    struct core_base_state *state = &core_state.base;
    struct core_dw *dw;
    void *library;

    if (state->dw || state->no_dw)
        return state->dw;
    state->no_dw = true;
    dw = calloc(1, sizeof *dw);
    library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!dw || !library)
        return NULL;
#define FIND(name)                                      \
    if (!(*(void **)&dw->name = dlsym(library, #name))) \
        return NULL;
    SYMBOLS(FIND)
    return state->dw = dw;
}

static int find_no_elf(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base, char **file, Elf **elf)
{
    (void)m, (void)data, (void)name, (void)base, (void)file, (void)elf;
    return -1;
}

static int find_no_debuginfo(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base, const char *file,
                             const char *link, GElf_Word crc, char **path)
{
    (void)m, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)path;
    return -1;
}

/* The end of a path that does not fit. */
static void keep_end(char *to, size_t n, const char *path)
{
    size_t long_by = strlen(path) >= n ? strlen(path) - n + 1 : 0;
    const char *slash = long_by ? strchr(path + long_by, '/') : NULL;

    snprintf(to, n, "%s", slash ? slash + 1 : path + long_by);
}

/* Headers of this library whose functions compilers take into the program's. */
static bool is_our_header(const char *path)
{
    static const char *const names[] = {"/shmem.h", "/mpt/fast.h", "/mpt/shmem.h", "/am.h", "/splitc.h", "/pvm3.h"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]), all = strlen(path);

        if (all >= n && strcmp(path + all - n, names[i]) == 0)
            return true;
    }
    return strstr(path, "/mpt/") != NULL;
}

static Dwarf_Word number_of(const struct core_dw *dw, Dwarf_Die *die, unsigned what)
{
    Dwarf_Attribute a;
    Dwarf_Word n = 0;

    return dw->dwarf_attr(die, what, &a) && dw->dwarf_formudata(&a, &n) == 0 ? n : 0;
}

/* Out of inlined functions of our headers, one by one. */
static void leave_headers(const struct core_dw *dw, Dwfl_Module *m, Dwarf_Addr address, struct core_site_line *l,
                          const char **file)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *cu = dw->dwfl_module_addrdie(m, address, &bias), *within = NULL, *scopes = NULL;
    Dwarf_Files *files;
    size_t n_files = 0;
    /* Of the innermost the callers: by address, those that its function is defined in would follow. */
    int n = cu && dw->dwarf_getscopes(cu, address - bias, &within) > 0 ? dw->dwarf_getscopes_die(within, &scopes) : 0;

    free(within);
    if (n <= 0 || dw->dwarf_getsrcfiles(cu, &files, &n_files) != 0)
        n = 0;
    for (int i = 0; i < n; i++) {
        int tag = dw->dwarf_tag(&scopes[i]);

        if (tag == DW_TAG_inlined_subroutine && is_our_header(*file)) {
            *file = dw->dwarf_filesrc(files, number_of(dw, &scopes[i], DW_AT_call_file), NULL, NULL);
            l->line = (int)number_of(dw, &scopes[i], DW_AT_call_line);
            if (!*file)
                *file = "";
        } else if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) && !is_our_header(*file)) {
            Dwarf_Attribute a;
            const char *name = dw->dwarf_formstring(dw->dwarf_attr_integrate(&scopes[i], DW_AT_name, &a));

            snprintf(l->function, sizeof l->function, "%s", name ? name : l->function);
            break;
        }
    }
    free(scopes);
}

static void look(const struct core_dw *dw, Dwfl_Module *m, Dwarf_Addr address, struct core_site_line *l)
{
    Dwfl_Line *line = dw->dwfl_module_getsrc(m, address);
    const char *file = line ? dw->dwfl_lineinfo(line, NULL, &l->line, NULL, NULL, NULL) : NULL,
               *name = dw->dwfl_module_addrname(m, address);

    snprintf(l->function, sizeof l->function, "%s", name ? name : "");
    if (!file)
        return;
    leave_headers(dw, m, address, l, &file);
    keep_end(l->file, sizeof l->file, file);
}

static bool look_in(const struct core_dw *dw, Dwfl *dwfl, const char *object, uintptr_t at,
                    struct core_site_line *found)
{
    enum { BASE = 0x10000000 };
    Dwfl_Module *m;
    Dwarf_Addr start;

    dw->dwfl_report_begin(dwfl);
    m = dw->dwfl_report_elf(dwfl, object, object, -1, BASE, true);
    if (dw->dwfl_report_end(dwfl, NULL, NULL) != 0 || !m)
        return false;
    dw->dwfl_module_info(m, NULL, &start, NULL, NULL, NULL, NULL, NULL);
    look(dw, m, start + at, found);
    return found->line > 0 || found->function[0];
}

/* One thread at a time; others look for themselves. */
static struct kept *keeper_of(struct core_dw *dw, uint64_t of)
{
    return __atomic_exchange_n(&dw->busy, true, __ATOMIC_ACQUIRE) ? NULL : &dw->kept[of % KEPT];
}

static void let_go(struct core_dw *dw)
{
    __atomic_store_n(&dw->busy, false, __ATOMIC_RELEASE);
}

static bool look_up(const struct core_dw *dw, const char *object, uintptr_t at, struct core_site_line *found)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = find_no_elf, .find_debuginfo = find_no_debuginfo};
    Dwfl *dwfl = dw->dwfl_begin(&callbacks);
    bool ok = dwfl && look_in(dw, dwfl, object, at, found);

    if (dwfl)
        dw->dwfl_end(dwfl);
    return ok;
}

bool core_site_look(const char *object, uintptr_t at, struct core_site_line *found)
{
    struct core_dw *dw = load();
    const uint64_t of = core_hash_word(core_hash_text(CORE_HASH_BEGIN, object), at);
    struct kept *kept;
    bool ok, hit;

    *found = (struct core_site_line){.line = 0};
    if (!dw)
        return false;
    kept = keeper_of(dw, of);
    hit = kept && kept->of == of;
    ok = hit ? kept->ok : look_up(dw, object, at, found);
    if (hit)
        *found = kept->line;
    else if (kept)
        *kept = (struct kept){of, ok, *found};
    if (kept)
        let_go(dw);
    return ok;
}
