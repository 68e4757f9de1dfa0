/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the program called this library: file and line for messages about what is wrong. Costs nothing before.
 */
#ifndef CORE_SITE_H
#define CORE_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An address within the call by which this thread is in the library; 0: it is not in a call of the program's. */
uintptr_t core_site(void);
/* The same address in words that another process understands, which has loaded the same object, wherever; and back.
 * 0: not known. */
uint64_t core_site_away(uintptr_t site);
uintptr_t core_site_here(uint64_t away);
/* "ring.c:42 in exchange" where the program has debug information (-g) and libdw is there; else "exchange+0x2f in
 * ring", or "ring+0x1139". Returns text; "" for address 0. */
const char *core_site_text(uintptr_t site, char *text, size_t n);

/* ---- by debug information (site_dw.c, or site_dw_none.c without its library) ---- */

struct core_site_line {
    char file[96], function[64]; /* as the compiler was told, and without its folders if that is long; "" if unknown */
    int line; /* 0: unknown */
};
/* What lies at byte `at` of an object file, as loaded. Functions inlined from this library's headers count as their
 * callers. */
bool core_site_look(const char *object, uintptr_t at, struct core_site_line *found);

#endif
