/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The one way to move memory: chooses a method by size and processor, once at
 * start. Contiguous copies above the inline sizes, and strided copies.
 */
#include <string.h>

#include "core/core.h"

void core_copy_init(void)
{
}

void core_copy_large(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
}

void core_copy_strided(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride,
                       size_t bytes, size_t nblocks)
{
    char *d = to;
    const char *s = from;

    for (size_t i = 0; i < nblocks; i++, d += to_stride, s += from_stride)
        core_copy(d, s, bytes);
}
