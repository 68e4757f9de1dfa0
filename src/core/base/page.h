/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pages of this system: 4 KiB on x86-64; 4, 16 or 64 KiB on arm64, as its kernel was built.
 */
#ifndef CORE_PAGE_H
#define CORE_PAGE_H

#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

static inline size_t core_page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Where the page of an address begins. */
static inline uintptr_t core_page_of(uintptr_t at)
{
    return at & ~(uintptr_t)(core_page_size() - 1);
}

#endif
