/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps a trace's folder: see folder.h.
 */
#include "core/trace/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "core/base/param.h"
#include "core/trace/record.h"

bool core_trace_counts_only(void)
{
    return core_params.stats[0] && strcmp(core_params.stats, "0") != 0;
}

/* pe.N.trace or pe.N.tail, N >= first */
static bool is_trace(const char *name, unsigned first)
{
    size_t digits = strncmp(name, "pe.", 3) == 0 ? strspn(name + 3, "0123456789") : 0;

    return digits > 0 && (strcmp(name + 3 + digits, ".trace") == 0 || strcmp(name + 3 + digits, ".tail") == 0) &&
           strtoul(name + 3, NULL, 10) >= first;
}

int core_trace_folder_begin(const char *dir, unsigned first)
{
    struct dirent *e;
    DIR *d;

    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return -errno;
    if (!(d = opendir(dir)))
        return -errno;
    while ((e = readdir(d)))
        if (is_trace(e->d_name, first))
            unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
    return access(dir, W_OK) == 0 ? 0 : -errno;
}

void core_trace_date(char text[32])
{
    time_t now = (time_t)(core_clock_epoch_ns() / CORE_CLOCK_S);
    struct tm parts;

    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
}

static void write_commands(FILE *out, const struct core_trace_job *job)
{
    for (unsigned i = 0; i < job->n_commands; i++) {
        fputs(i ? ",[" : "[", out);
        for (char *const *word = job->commands[i]; *word; word++) {
            if (word != job->commands[i])
                fputc(',', out);
            core_json_text(out, *word, strlen(*word));
        }
        fputc(']', out);
    }
}

static void write_hosts(FILE *out, const struct core_trace_job *job)
{
    char here[256] = "";

    gethostname(here, sizeof here - 1);
    for (unsigned pe = 0; pe < job->pes; pe++) {
        const char *host = job->host ? job->host((int)pe) : here;

        fputs(pe ? "," : "", out);
        core_json_text(out, host, strlen(host));
    }
}

static void write_cores(FILE *out, const struct core_trace_job *job)
{
    for (unsigned pe = 0; pe < job->pes; pe++) {
        const int *cores = job->cores ? job->cores(job->arg, pe) : NULL;

        fputs(pe ? "," : "", out);
        if (!cores) {
            fputs("null", out);
            continue;
        }
        for (unsigned i = 0; i < job->cores_each; i++)
            fprintf(out, "%s%d", i ? "," : "[", cores[i]);
        fputc(']', out);
    }
}

static void describe(FILE *out, const struct core_trace_job *job)
{
    fprintf(out, "{\"version\":%d,\n\"command\":[", CORE_TRACE_VERSION);
    write_commands(out, job);
    fprintf(out, "],\n\"pes\":%u,\n\"hosts\":[", job->pes);
    write_hosts(out, job);
    fputs("],\n\"cores\":[", out);
    write_cores(out, job);
    fprintf(out, "],\n\"tasks\":%u,\n\"began\":\"%s\"", job->tasks, job->began);
    if (job->ended[0])
        fprintf(out, ",\n\"ended\":\"%s\",\n\"status\":%d", job->ended, job->status);
    fputs("}\n", out);
}

int core_trace_folder_describe(const char *dir, const struct core_trace_job *job)
{
    char *path = NULL, *part = NULL;
    FILE *out = NULL;
    int rc = 0;

    if (asprintf(&path, "%s/job.json", dir) < 0 || asprintf(&part, "%s/job.json.%d", dir, (int)getpid()) < 0)
        rc = -ENOMEM;
    if (rc == 0 && !(out = fopen(part, "we")))
        rc = -errno;
    if (out) {
        describe(out, job);
        if ((fclose(out) != 0 || rename(part, path) != 0) && (rc = -errno))
            unlink(part);
    }
    free(path);
    free(part);
    return rc;
}

unsigned long long core_trace_folder_dropped(const char *dir, unsigned pes, unsigned *by)
{
    unsigned long long sum = 0;

    *by = 0;
    for (unsigned pe = 0; pe < pes; pe++) {
        struct core_trace_header h;
        char *path = NULL;
        int fd = asprintf(&path, "%s/pe.%u.trace", dir, pe) < 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC);

        if (fd >= 0 && read(fd, &h, sizeof h) == (ssize_t)sizeof h && h.dropped > 0) {
            sum += h.dropped;
            ++*by;
        }
        if (fd >= 0)
            close(fd);
        free(path);
    }
    return sum;
}
