/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The recorder's start and end in a PE.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/site_call.h"
#include "core/internal.h"
#include "core/trace/counters.h"
#include "core/trace/folder.h"
#include "core/trace/internal.h"

static struct core_trace_state *const trace = &core_state.trace;

/* A child of the program's is no PE. */
static void in_child(void)
{
    trace->on = false;
}

static void write_header(const struct core_wire_trace_clock *c)
{
    *core_trace_header() = (struct core_trace_header){.magic = CORE_TRACE_MAGIC,
                                                      .version = CORE_TRACE_VERSION,
                                                      .pe = (uint32_t)core_me(),
                                                      .pes = (uint32_t)core_size(),
                                                      .record_n = CORE_TRACE_RECORD_N,
                                                      .ticks_per_second = c->ticks_per_second,
                                                      .ticks = c->ticks,
                                                      .epoch_ns = c->epoch_ns,
                                                      .pid = (uint64_t)getpid()};
}

/* The words of this program, which lie in `text`, up to `most`. */
static void words_here(char *text, size_t n, char *words[], size_t most)
{
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? 0 : read(fd, text, n - 1);
    size_t k = 0;

    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    for (char *c = text; c < text + got && k < most; c += strlen(c) + 1)
        words[k++] = c;
    words[k] = NULL;
}

/* Of a job that no launcher of ours has begun. */
static int describe(const char *dir, bool ended)
{
    enum { WORDS = 256 };
    char text[4096], *words[WORDS + 1], *const *commands[] = {words};
    struct core_trace_job job = {.commands = commands,
                                 .n_commands = 1,
                                 .pes = (unsigned)core_size(),
                                 .host = ended ? core_host : NULL, /* others are not known yet */
                                 .tasks = core_seg->header->tasks};

    words_here(text, sizeof text, words, WORDS);
    memcpy(job.began, trace->began, sizeof job.began);
    if (ended)
        core_trace_date(job.ended);
    return core_trace_folder_describe(dir, &job);
}

static bool describes(void)
{
    return core_me() == 0 && !core_seg->header->trace_clock.described;
}

static int open_file(void)
{
    char *dir = core_path_absolute(core_params.trace);
    int rc;

    if (!dir)
        return -ENOMEM;
    rc = mkdir(dir, 0777) == 0 || errno == EEXIST ? core_trace_file_open(dir, core_me()) : -errno;
    core_trace_date(trace->began);
    if (rc == 0 && describes() && (rc = core_trace_folder_begin(dir, (unsigned)core_size())) == 0)
        rc = describe(dir, false);
    free(dir);
    return rc;
}

int core_trace_start(void)
{
    struct core_wire_trace_clock *clock = &core_seg->header->trace_clock;
    int rc;

    if (trace->on || (!core_params.trace[0] && !core_trace_counts_only()))
        return 0;
    if (core_trace_counts_only() && (!core_params.trace[0] || !core_seg->header->trace_clock.described)) {
        if (core_me() == 0)
            core_error("MPT_STATS: only jobs that mptrun starts have statistics");
        return 0;
    }
    if ((rc = core_trace_tables_make()) != 0 || (rc = open_file()) != 0 ||
        (core_trace_counts_only() && (rc = core_trace_sums_make()) != 0)) {
        core_error("MPT_TRACE=%s: cannot record: %s", core_params.trace, strerror(-rc));
        return rc;
    }
    core_trace_clock_set(clock);
    trace->by_clock = clock->by_clock;
    trace->whole_sites = !core_site_apart();
    trace->call_at = UINT64_MAX;
    trace->soon = clock->ticks_per_second / 100000; /* 10 us */
    write_header(clock);
    core_trace_counters_start();
    pthread_atfork(NULL, NULL, in_child);
    if (!trace->sums)
        core_trace_cost();
    trace->on = true;
    return 0;
}

void core_trace_stop(void)
{
    if (!trace->on)
        return;
    core_trace_lines();
    trace->on = false;
    if (core_trace_header()->dropped && !core_seg->header->launcher)
        core_error("MPT_TRACE_SIZE: %llu records had no room and were dropped",
                   (unsigned long long)core_trace_header()->dropped);
    core_trace_file_close();
    if (describes()) {
        *strrchr(trace->path, '/') = '\0';
        describe(trace->path, true);
    }
}
