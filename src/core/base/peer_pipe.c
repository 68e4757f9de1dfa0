/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/base/peer_pipe.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mpt/fast.h"

int *core_peer_pipes(int **all, unsigned n)
{
    /* model: publish.see */
    int *none = NULL, *fresh, *known = __atomic_load_n(all, __ATOMIC_ACQUIRE);

    if (MPT_LIKELY(known != NULL))
        return known;
    fresh = malloc(n * sizeof *fresh);
    if (!fresh)
        return NULL;
    for (unsigned i = 0; i < n; i++)
        fresh[i] = -1;
    /* model: publish.keep */
    if (__atomic_compare_exchange_n(all, &none, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return fresh;
    free(fresh);
    return none;
}

int core_peer_pipe(int *known, int pid, int fd)
{
    int none = -1, opened = __atomic_load_n(known, __ATOMIC_RELAXED);
    char path[64];

    if (MPT_LIKELY(opened >= 0))
        return opened;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
    /* The reading end too: its owner may end before we write, which is no SIGPIPE then. */
    opened = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (opened < 0 || __atomic_compare_exchange_n(known, &none, opened, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return opened;
    close(opened);
    return none; /* another thread's */
}
