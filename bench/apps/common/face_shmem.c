/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What runs an application in SHMEM, and in Split-C, whose programs may call SHMEM with the same processor numbers.
 */
#include "../../common/job.h"
#include "app.h"

#include <stdarg.h>
#include <string.h>

#define SLOT 64 /* bytes that one process gives at once */

struct app_job app_job;
static char *slots; /* one a process, used on process 0 */

void app_start(int argc, char **argv, const struct app_program *p)
{
    const struct bench_program program = {p->name, p->purpose, p->own, 1, p->seconds, p->quick_seconds};

    bench_job_start(argc, argv, &program);
    app_job.me = bench_job.me;
    app_job.npes = bench_job.npes;
    slots = shmem_malloc(SLOT * (size_t)app_job.npes);
    if (!slots)
        app_fatal("%s: the symmetric heap is too small", p->name);
}

int app_finish(void)
{
    shmem_free(slots);
    return bench_job_finish();
}

void app_barrier(void)
{
    shmem_barrier_all();
}

long app_agree(long value)
{
    return bench_agree(value);
}

bool app_right(bool mine)
{
    return bench_agree_right(mine);
}

void app_gather(const void *mine, size_t bytes, void *all)
{
    if (bytes > SLOT)
        app_fatal("app_gather: %zu bytes, at most %d", bytes, SLOT);
    shmem_putmem(slots + SLOT * (size_t)app_job.me, mine, bytes, 0);
    shmem_barrier_all();
    for (int pe = 0; app_job.me == 0 && pe < app_job.npes; pe++)
        memcpy((char *)all + bytes * (size_t)pe, slots + SLOT * (size_t)pe, bytes);
    shmem_barrier_all();
}

void app_fatal(const char *format, ...)
{
    char text[256];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    bench_job_fatal("%s", text);
}
