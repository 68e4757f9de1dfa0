/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs as tasks: among how many processes PEs are dealt, and what stands against it.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/param.h"
#include "core/internal.h"
#include "core/job/asked.h"
#include "core/job/start.h"
#include "core/task/task.h"

int core_deal_read(const char *text, unsigned *processes)
{
    unsigned long n;
    char *end;

    if (strcmp(text, "auto") == 0) {
        *processes = UINT_MAX;
        return 0;
    }
    n = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || n >= UINT_MAX)
        return -1;
    *processes = (unsigned)n;
    return 0;
}

bool core_asked_tasks(const char *text)
{
    unsigned processes;

    return core_deal_read(text, &processes) == 0;
}

unsigned core_deal_processes(unsigned npes, unsigned ncores, unsigned asked)
{
    unsigned processes = asked < ncores ? asked : ncores;

    return processes > 0 && processes < npes ? processes : npes;
}

unsigned core_deal_first(unsigned npes, unsigned processes, unsigned process)
{
    return (unsigned)((uint64_t)npes * process / processes);
}

int core_deal_tell(int fd, const struct core_header *h, unsigned first, unsigned npes, unsigned processes)
{
    for (unsigned k = 0; k < processes; k++) {
        unsigned pe = core_deal_first(npes, processes, k);
        uint32_t n = core_deal_first(npes, processes, k + 1) - pe;
        off_t at = (off_t)(core_wire_slice(h, first + pe) + offsetof(struct core_task_board, n));

        if (n > 1 && pwrite(fd, &n, sizeof n, at) != (ssize_t)sizeof n)
            return -errno;
    }
    return 0;
}

bool core_deal_allowed(unsigned npes, unsigned processes, char *why, size_t n)
{
    unsigned most = (npes + processes - 1) / processes;

    *why = '\0';
    if (core_params.survive)
        snprintf(why, n, "PEs of one process do not outlive one another, which --ft and MPT_FT ask for");
    else if (most > CORE_TASKS_MOST)
        snprintf(why, n, "%u PEs in each of %u processes are more than the %u that one can have; use more processes",
                 most, processes, CORE_TASKS_MOST);
    return !*why;
}
