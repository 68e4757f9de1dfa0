/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Timed runs as regions of a trace (mptrun --trace), where the library knows regions: others have no such functions.
 */
#define _GNU_SOURCE 1
#include "bench.h"

#include <dlfcn.h>
#include <stdarg.h>

enum { NAME_SIZE = 96 };

void bench_region_begin(const char *format, ...)
{
    void (*begin)(const char *name) = NULL;
    char name[NAME_SIZE];
    va_list ap;

    *(void **)&begin = dlsym(RTLD_DEFAULT, "mpt_region_begin");
    if (!begin)
        return;
    va_start(ap, format);
    vsnprintf(name, sizeof name, format, ap);
    va_end(ap);
    begin(name);
}

void bench_region_end(void)
{
    static void (*end)(void);
    static bool looked;

    if (!looked)
        *(void **)&end = dlsym(RTLD_DEFAULT, "mpt_region_end");
    looked = true;
    if (end)
        end();
}
