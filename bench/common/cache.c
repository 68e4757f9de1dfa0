/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Throws memory out of the caches, for tests that begin with cold ones.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define LINE 64

#if defined(__x86_64__)
bool bench_flush(const void *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE)
        __builtin_ia32_clflush((const char *)at + i);
    __builtin_ia32_mfence();
    return true;
}
#else
#define AUXILIARY (64l << 20) /* read to empty the caches, where no instruction does it */

bool bench_flush(const void *at, size_t bytes)
{
    static char *auxiliary;
    long sum = at && bytes;

    if (!auxiliary) {
        auxiliary = malloc(AUXILIARY);
        if (!auxiliary)
            return false;
        memset(auxiliary, 1, AUXILIARY);
    }
    for (long i = 0; i < AUXILIARY; i += LINE)
        sum += auxiliary[i];
    bench_use(sum);
    return true;
}
#endif
