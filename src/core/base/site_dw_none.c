/* SPDX-License-Identifier: BSD-3-Clause
 *
 * In place of site_dw.c where libdw's headers were not there: no debug information.
 */
#include "core/base/site.h"

bool core_site_look(const char *object, uintptr_t at, struct core_site_line *found)
{
    (void)object;
    (void)at;
    *found = (struct core_site_line){.line = 0};
    return false;
}
