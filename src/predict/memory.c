/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory, of which there is enough or the program ends.
 */
#include <stdio.h>
#include <stdlib.h>

#include "predict/sim.h"

static void *there(void *p, size_t n, size_t size)
{
    if (p)
        return p;
    fprintf(stderr, "mptsim: out of memory: %zu times %zu bytes\n", n, size);
    exit(EXIT_FAILURE);
}

void *sim_make(size_t n, size_t size)
{
    return there(calloc(n, size), n, size);
}

void *sim_grow(void *p, int n, size_t size)
{
    return there(reallocarray(p, (size_t)n, size), (size_t)n, size);
}
