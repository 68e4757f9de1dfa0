/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums of the program's memory, by which --check finds that it was changed. The program may have given the memory back
 * to the system meanwhile, so a page is looked at by a system call before the first load from it.
 *
 *     struct core_memory_pages pages = {0};      // of one call of the program's: pages stay for so long
 *     struct core_memory_sum s;
 *     core_memory_sum_begin(&s, &pages);
 *     core_memory_sum_add(&s, block, n);         // for each block
 *     known = core_memory_sum_end(&s, &sum);     // false: some of it cannot be read
 */
#ifndef CORE_CHECK_MEMORY_H
#define CORE_CHECK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CORE_MEMORY_LANES = 8, CORE_MEMORY_PAGES = 16, CORE_MEMORY_PAGE = 4096 };

/* Pages that can be read, by address; zero as long as none is known. */
struct core_memory_pages {
    uintptr_t page[CORE_MEMORY_PAGES];
    unsigned looked; /* system calls that were needed */
};

struct core_memory_sum {
    uint64_t h; /* of what is short */
    uint64_t lane[CORE_MEMORY_LANES]; /* of whole rounds of so many words, if there were any */
    uint64_t rounds;
    struct core_memory_pages *pages;
    bool failed;
};

/* pages NULL: the library has just read or written the memory, so it is there. */
void core_memory_sum_begin(struct core_memory_sum *s, struct core_memory_pages *pages);
void core_memory_sum_add(struct core_memory_sum *s, const void *at, size_t n);
bool core_memory_sum_end(const struct core_memory_sum *s, uint64_t *sum);

/* All of it at once. */
bool core_memory_sum(const void *at, size_t n, struct core_memory_pages *pages, uint64_t *sum);

#endif
