/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long opening takes when every PE opens the same file of 100 MB before there is one, in one partition or four:
 * one PE happens to make each file, and all see to its space.
 */
#define _GNU_SOURCE 1
#include "place.h"

#include "../common/job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES (25600l * 4096)
#define MOST_RUNS 50

static const char *directories;
static bool memory_too;
static const struct bench_option own[] = {
    {"directories", BENCH_TEXT, &directories,
     "one to four, separated by commas (default: /tmp, /var/tmp and ., one of each file system)"},
    {"memory", BENCH_FLAG, &memory_too, "also where the file system is in memory"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

static struct place places[MOST_PARTITIONS], dirs[MOST_PARTITIONS];
static int place_count;

static void path_of(int partition, char path[sizeof dirs[0].directory + 64])
{
    snprintf(path, sizeof dirs[0].directory + 64, "%.*s/open", (int)sizeof dirs[0].directory,
             dirs[partition].directory);
}

static void die(const char *what, const char *path)
{
    bench_job_fatal("io_open: PE %d: %s: %s: %s", bench_job.me, path, what, strerror(errno));
}

static void open_all(int partitions, int fd[MOST_PARTITIONS])
{
    char path[sizeof dirs[0].directory + 64];

    for (int p = 0; p < partitions; p++) {
        path_of(p, path);
        fd[p] = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd[p] < 0)
            die("open", path);
        if (fallocate(fd[p], 0, 0, FILE_BYTES / partitions) && errno != EOPNOTSUPP)
            die("space for it", path);
    }
}

/* Each PE leaves a byte of its own in every file; PE 0 finds them all, and removes the files. */
static bool same_files(int partitions, const int fd[MOST_PARTITIONS])
{
    const char mine = (char)(bench_job.me % 100 + 1);
    char path[sizeof dirs[0].directory + 64], found;
    bool right = true;

    for (int p = 0; p < partitions; p++)
        right = pwrite(fd[p], &mine, 1, bench_job.me) == 1 && right;
    shmem_barrier_all();
    for (int p = 0; p < partitions && bench_job.me == 0; p++)
        for (int pe = 0; pe < bench_job.npes; pe++)
            right = pread(fd[p], &found, 1, pe) == 1 && found == (char)(pe % 100 + 1) && right;
    shmem_barrier_all();
    for (int p = 0; p < partitions; p++) {
        close(fd[p]);
        path_of(p, path);
        if (bench_job.me == 0 && unlink(path))
            die("unlink", path);
    }
    return right;
}

/* Seconds until the last PE had it open, on PE 0. */
static double once(int partitions, bool *right)
{
    static struct bench_series all;
    int fd[MOST_PARTITIONS];
    int64_t start, end;

    shmem_barrier_all();
    start = bench_now();
    open_all(partitions, fd);
    end = bench_now();
    bench_gather((double)(end - start) * 1e-9, &all);
    *right = bench_agree_right(same_files(partitions, fd)) && *right;
    return bench_job.me == 0 ? bench_stats(&all).max : 0;
}

/* The paper has the best time observed; so the value is the least one. */
static void run(int partitions)
{
    static struct bench_series times;
    char names[PLACE_NAMES], types[PLACE_NAMES];
    struct bench_params p = bench_job_params();
    const int64_t end = bench_now() + (int64_t)bench_plan_next("%d PEs, %d partitions", bench_job.npes, partitions);
    bool right = true;

    bench_series_clear(&times);
    do {
        const double last = once(partitions, &right);

        bench_series_add(&times, last);
    } while (bench_agree(bench_now() < end && times.n < MOST_RUNS));
    bench_param_integer(&p, "partitions", partitions);
    bench_param_integer(&p, "file_mb", 100);
    place_names(places, place_count, partitions, names, types);
    bench_param_integer(&p, "directories", partitions);
    bench_param_text(&p, "places", names);
    bench_param_text(&p, "filesystem", types);
    if (bench_job.me == 0)
        bench_emit_value("global file open", &p, "open_time", "s", bench_stats(&times).min, &times, right);
}

int main(int argc, char **argv)
{
    const struct bench_program program = {"io_open", "opening a file that no PE has made yet", own, 1, 10, 2};
    char why[256];

    bench_job_start(argc, argv, &program);
    place_count = place_list(directories, memory_too, places, why, sizeof why);
    if (place_count < 0)
        bench_job_fatal("io_open: %s", why);
    place_partitions(places, place_count, bench_agree(getpid()), dirs); /* named for PE 0's process */
    if (bench_job.me == 0 && place_make(dirs))
        die("a directory for each partition", places[0].directory);
    bench_plan_begin(2, bench_options.max_seconds);
    run(1);
    run(4);
    return bench_job_finish();
}
