/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program's call: the innermost frame of the stack outside of this library and those with the interfaces' names.
 */
#include "core/base/site.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <string.h>

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

uintptr_t core_site(void)
{
    void *frames[DEEP];
    int n;

    if (!is_our_file(file_of((void *)(uintptr_t)core_site)))
        return 0; /* linked into the program: nothing tells them apart */
    n = backtrace(frames, DEEP);
    for (int i = 1; i < n; i++) {
        uintptr_t call = (uintptr_t)frames[i] - 1; /* the next instruction may be another line's */
        const char *file = file_of((void *)call);

        if (!is_our_file(file)) /* threads of this library begin in the C library */
            return file[0] && strncmp(base_name(file), "libc.so", 7) != 0 ? call : 0;
    }
    return 0;
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
