/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ways of moving memory that this CPU knows, as a table, so that `limits` can say which is the
 * fastest at each size.
 */
#ifndef BENCH_COPIES_H
#define BENCH_COPIES_H

#include <stdbool.h>
#include <stddef.h>

struct bench_copy {
    const char *name;
    /* `bytes` is a multiple of 4096; both addresses are aligned to 64. Complete on return, also for streaming stores.
     */
    void (*copy)(void *to, const void *from, size_t bytes);
    bool (*usable)(void);
};

/* Ended by a NULL name. */
extern const struct bench_copy bench_copies[];

#endif
