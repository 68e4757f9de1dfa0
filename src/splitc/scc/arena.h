/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that lives as long as a translation unit (arena.c). */
#ifndef SCC_ARENA_H
#define SCC_ARENA_H

#include "ast.h"

struct scc_arena *scc_arena_new(void);
void scc_arena_free(struct scc_arena *arena);
void *scc_arena_alloc(struct scc_arena *arena, size_t bytes); /* zeroed, 16-byte aligned */

#endif
