/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start and end of a benchmark job and its symmetric targets.
 */
#define _GNU_SOURCE 1
#include "job.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct bench_job bench_job;
static void (*call_early)(void);

void bench_job_early(void (*early)(void))
{
    call_early = early;
}

void bench_job_fatal(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    shmem_global_exit(2);
    abort();
}

/* What every PE saw of itself, on PE 0. */
static void *gather(const void *mine, size_t bytes)
{
    char *all = shmem_malloc(bytes * (size_t)bench_job.npes);

    if (!all)
        bench_job_fatal("the symmetric heap is too small");
    shmem_putmem(all + bytes * (size_t)bench_job.me, mine, bytes, 0);
    shmem_barrier_all();
    return all;
}

static void open_report(void)
{
    static char name[SHMEM_MAX_NAME_LEN + 1], short_name[SHMEM_MAX_NAME_LEN + 1];
    static char standard[32];
    int major, minor;
    struct bench_place mine, *places;
    struct bench_env e = {.library = bench_job.library ? bench_job.library : "SHMEM",
                          .name = name,
                          .standard = standard,
                          .npes = bench_job.npes,
                          .machines = bench_job.machines,
                          .network = bench_options.network};

    bench_place_look(&mine, bench_crowded(bench_job.npes, bench_job.machines));
    places = gather(&mine, sizeof mine);
    bench_job.processes = (int)bench_agree(bench_job.me == 0 ? bench_processes(places, bench_job.npes) : 0);
    if (bench_job.me == 0) {
        shmem_info_get_name(name);
        shmem_info_get_version(&major, &minor);
        snprintf(standard, sizeof standard, "OpenSHMEM %d.%d", major, minor);
        bench_job_name(short_name);
        e.implementation = bench_options.implementation ? bench_options.implementation : short_name;
        e.places = places;
        if (bench_report_open(bench_options.out, e.library, e.implementation))
            bench_job_fatal("%s: %s", bench_options.out, strerror(errno));
        if (bench_options.burner && bench_burner_start())
            bench_job_fatal("no burner: %s", strerror(errno));
        bench_env_write(&e);
    }
    shmem_barrier_all();
    shmem_free(places);
}

/* Ends the process in order: nothing was wrong with the job. */
static void leave(int status)
{
    shmem_barrier_all();
    shmem_finalize();
    exit(status);
}

void bench_job_start(int argc, char **argv, const struct bench_program *program)
{
    char why[128];
    int bad;

    shmem_init();
    bench_job.me = shmem_my_pe();
    bench_job.npes = shmem_n_pes();
    if (call_early)
        call_early();
    bad = bench_options_parse(argc, argv, program->own, why, sizeof why);
    if (!bad && bench_job.npes < program->min_pes) {
        snprintf(why, sizeof why, "needs at least %d PEs", program->min_pes);
        bad = 1;
    }
    if (bad) {
        if (bench_job.me == 0)
            fprintf(stderr, "%s: %s\n", program->name, why);
        leave(2);
    }
    if (bench_options.help) {
        if (bench_job.me == 0)
            bench_options_help(stdout, program->name, program->purpose, program->own);
        leave(0);
    }
    if (bench_job.me != 0)
        bench_options.progress = false;
    if (bench_options.max_seconds == 0)
        bench_options.max_seconds = bench_options.quick ? program->quick_seconds : program->seconds;
    bench_agree_start();
    open_report();
}

int bench_job_finish(void)
{
    int status = bench_agree_failed() ? 1 : 0;
    struct bench_toll mine, *tolls;

    bench_plan_end();
    bench_toll_look(&mine, bench_crowded(bench_job.npes, bench_job.machines));
    bench_burner_stop();
    tolls = gather(&mine, sizeof mine);
    bench_env_write_end(tolls);
    if (bench_report_close()) {
        fprintf(stderr, "the records could not be written\n");
        status = 2;
    }
    shmem_barrier_all();
    shmem_free(tolls);
    shmem_finalize();
    return status;
}

static bool allocate(int places, const size_t *largest, size_t room, char **out)
{
    bool all = true;

    for (int i = 0; i < places; i++) {
        out[i] = shmem_align(4096, bench_buffers_bytes(room, largest[i]));
        all = all && out[i];
    }
    for (int i = 0; !all && i < places; i++)
        shmem_free(out[i]);
    return all;
}

size_t bench_job_buffers(int places, const size_t *largest, int caches, char **out)
{
    size_t room = caches & 1 << BENCH_ROTATING ? (size_t)bench_agree((long)bench_rotation(bench_job.npes)) : 0;

    while (!allocate(places, largest, room, out)) {
        if (room == 0)
            bench_job_fatal(
                "the symmetric heap has no room for %d buffers of %zu bytes or more: raise SHMEM_SYMMETRIC_SIZE",
                places, largest[0]);
        room /= 2;
    }
    for (int i = 0; i < places; i++)
        memset(out[i], i + 1, bench_buffers_bytes(room, largest[i]));
    shmem_barrier_all();
    return room;
}

void bench_job_rotate(struct bench_buffers *b, enum bench_cache cache, size_t bytes, size_t room)
{
    bench_buffers_begin(b, cache, bytes, room, bench_agree(bench_buffers_position(b)));
}

bool bench_job_cold_add(const void *at, size_t bytes, int pe)
{
    const void *const here = shmem_ptr(at, pe);

    if (here)
        bench_cold_add(here, bytes);
    return here != NULL;
}

int bench_job_targets(void *global, size_t bytes, struct bench_target out[2])
{
    int n = 0;

    if (strcmp(bench_options.target, "global") != 0) {
        char *heap = shmem_align(4096, bytes);

        if (!heap)
            bench_job_fatal("the symmetric heap is too small for %zu bytes: raise SHMEM_SYMMETRIC_SIZE", bytes);
        out[n++] = (struct bench_target){"heap", heap};
    }
    if (strcmp(bench_options.target, "heap") != 0)
        out[n++] = (struct bench_target){"global", global};
    return n;
}
