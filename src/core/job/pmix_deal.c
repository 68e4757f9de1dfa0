/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many PEs each process of a PMIx job has: one, or as many tasks as MPT_TASKS says in its environment. All are
 * numbered in the order of processes. Where any has several, one process of each node asks for what all have told, and
 * the others read it behind the node's memory.
 */
#include "core/job/pmix.h"

#ifdef CORE_HAVE_PMIX
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/internal.h"

#define KEY_TASKS "mpt.tasks"

int core_pmix_deal_tell(unsigned tasks)
{
    uint32_t n = tasks;
    return core_pmix_put(KEY_TASKS, &n, sizeof n, false);
}

static uint32_t *new_table(unsigned size)
{
    uint32_t *first = malloc((size + 1ul) * sizeof *first);
    if (!first)
        core_error("no memory for a table of %u processes", size);
    return first;
}

int core_pmix_deal_learn(struct core_pmix_process *p, unsigned size)
{
    uint32_t *first = new_table(size), n, sum = 0;
    if (!first)
        return -ENOMEM;
    for (unsigned rank = 0; rank < size; rank++, sum += n) {
        first[rank] = sum;
        long got = core_pmix_get((int)rank, KEY_TASKS, &n, sizeof n);
        if (got != (long)sizeof n || n == 0 || n > INT_MAX - sum) {
            core_error("process %u of the job says no number of its PEs", rank);
            free(first);
            return got < 0 ? (int)got : -EPROTO;
        }
    }
    first[size] = sum;
    if (sum > size)
        p->first = first;
    else
        free(first);
    return 0;
}

int core_pmix_deal_write(const struct core_pmix_process *p, unsigned size, int fd, const struct core_header *h)
{
    size_t n = (size + 1ul) * sizeof *p->first;
    if (p->first && pwrite(fd, p->first, n, (off_t)h->file_size) != (ssize_t)n)
        return -errno;
    return 0;
}

int core_pmix_deal_read(struct core_pmix_process *p, unsigned size, int fd, const struct core_header *h)
{
    size_t n = (size + 1ul) * sizeof *p->first;
    struct stat st;
    uint32_t *first;
    if (fstat(fd, &st) != 0)
        return -errno;
    if ((uint64_t)st.st_size == h->file_size)
        return 0;
    if (!(first = new_table(size)))
        return -ENOMEM;
    p->first = first;
    return pread(fd, first, n, (off_t)h->file_size) == (ssize_t)n ? 0 : -EPROTO;
}

unsigned core_pmix_rank_of(const struct core_pmix_process *p, unsigned pe, unsigned size)
{
    unsigned low = 0, high = size;
    if (!p->first)
        return pe;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        *(p->first[middle] <= pe ? &low : &high) = middle;
    }
    return low;
}
#endif
