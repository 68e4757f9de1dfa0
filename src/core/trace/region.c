/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The public calls of mpt/trace.h, and their forms for Fortran compilers (a name's length comes last, as an argument).
 */
#include "mpt/trace.h"

#include <string.h>

#include "core/trace/trace.h"

#define PUBLIC __attribute__((visibility("default")))

PUBLIC void mpt_region_begin(const char *name)
{
    if (core_trace_on())
        core_trace_region_begin(name ? name : "");
}

PUBLIC void mpt_region_end(void)
{
    if (core_trace_on())
        core_trace_region_end();
}

PUBLIC void mpt_region_begin_(const char *name, size_t n);
PUBLIC void mpt_region_end_(void);

void mpt_region_begin_(const char *name, size_t n)
{
    char text[256];

    while (n > 0 && name[n - 1] == ' ')
        n--;
    if (n >= sizeof text)
        n = sizeof text - 1;
    memcpy(text, name, n);
    text[n] = '\0';
    mpt_region_begin(text);
}

void mpt_region_end_(void)
{
    mpt_region_end();
}
