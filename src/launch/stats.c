/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --stats: what PEs did, summed up by call (core/trace/sums.c), as a table or as JSON.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/json.h"
#include "core/base/param.h"
#include "core/trace/record.h"
#include "launch/options.h"

enum { CALLS = 1 << 12, NAME = 64, ROWS = 30, MATRIX = 16 };

/* Of one name. */
struct call {
    char name[NAME];
    uint64_t n, bytes, ns, waited_ns;
    uint64_t *pe_ns, *pe_waited_ns; /* of each PE */
};

struct stats {
    struct call *calls;
    unsigned n_calls, pes, told; /* PEs; of which there are sums */
    uint64_t ns; /* of the job */
    uint64_t *sent; /* bytes from PE to PE */
};

/* ---------------------------------------------------------------- reading -- */

static struct call *call_named(struct stats *s, const char *name)
{
    struct call *c = s->calls;

    for (; c < s->calls + s->n_calls; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    if (s->n_calls == CALLS)
        return NULL;
    c->pe_ns = calloc(2 * (size_t)s->pes, sizeof *c->pe_ns);
    if (!c->pe_ns)
        return NULL;
    c->pe_waited_ns = c->pe_ns + s->pes;
    snprintf(c->name, sizeof c->name, "%s", name);
    s->n_calls++;
    return c;
}

static void add_call(struct stats *s, unsigned pe, const char *name, const struct core_trace_record *r, double tick_ns)
{
    struct call *c = call_named(s, name);
    uint64_t ns = (uint64_t)((double)r->end * tick_ns);

    if (!c)
        return;
    c->n += r->value;
    c->bytes += r->bytes;
    c->ns += ns;
    c->pe_ns[pe] += ns;
    /* by another clock: never more than the call took */
    c->pe_waited_ns[pe] += r->message < ns ? r->message : ns;
    c->waited_ns += r->message < ns ? r->message : ns;
}

/* The names of calls lie in the records that follow their definitions. */
static void read_records(struct stats *s, unsigned pe, const struct core_trace_record *r, size_t n)
{
    const struct core_trace_header *h = (const void *)r;
    double tick_ns = h->ticks_per_second ? 1e9 / (double)h->ticks_per_second : 0;
    char (*names)[NAME] = calloc(CALLS, sizeof *names);

    for (size_t i = 1; names && i < n; i++)
        if (r[i].kind == CORE_TRACE_DEF_CALL && r[i].call < CALLS && i + 1 < n)
            snprintf(names[r[i].call], NAME, "%.*s", (int)(r[i].bytes < NAME ? r[i].bytes : NAME - 1),
                     (const char *)&r[i + 1] + 1);
    for (size_t i = 1; names && i < n; i++) {
        if (r[i].kind == CORE_TRACE_SUM && r[i].call < CALLS && names[r[i].call][0])
            add_call(s, pe, names[r[i].call], &r[i], tick_ns);
        else if (r[i].kind == CORE_TRACE_SUM_PEER && (unsigned)r[i].peer < s->pes)
            s->sent[(size_t)pe * s->pes + (unsigned)r[i].peer] += r[i].bytes;
    }
    free(names);
}

static void read_pe(struct stats *s, unsigned pe, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    void *at = MAP_FAILED;

    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size >= CORE_TRACE_RECORD_N)
        at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (at == MAP_FAILED)
        return;
    if (memcmp(at, CORE_TRACE_MAGIC, 8) == 0) {
        s->told++;
        read_records(s, pe, at, (size_t)st.st_size / CORE_TRACE_RECORD_N);
    }
    munmap(at, (size_t)st.st_size);
}

static void read_all(struct stats *s, const char *dir)
{
    for (unsigned pe = 0; pe < s->pes; pe++) {
        char *path = NULL;

        if (asprintf(&path, "%s/pe.%u.trace", dir, pe) < 0)
            continue;
        read_pe(s, pe, path);
        unlink(path);
        free(path);
    }
    rmdir(dir);
}

static int by_time(const void *a, const void *b)
{
    const struct call *x = a, *y = b;

    return (x->ns < y->ns) - (x->ns > y->ns);
}

/* ---------------------------------------------------------------- writing -- */

static const char *size_text(uint64_t bytes, char text[16])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    unsigned unit = 0;

    while (value >= 1024 && unit < 4) {
        value /= 1024;
        unit++;
    }
    snprintf(text, 16, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return text;
}

static unsigned most_pe(const struct stats *s, const struct call *c)
{
    unsigned most = 0;

    for (unsigned pe = 1; pe < s->pes; pe++)
        if (c->pe_ns[pe] > c->pe_ns[most])
            most = pe;
    return most;
}

static void write_matrix(const struct stats *s, FILE *out)
{
    bool any = false;
    char text[16];

    for (size_t i = 0; i < (size_t)s->pes * s->pes; i++)
        any |= s->sent[i] > 0;
    if (!any || s->pes > MATRIX)
        return;
    fprintf(out, "bytes sent and stored, from each PE (row) to each PE:\n      ");
    for (unsigned to = 0; to < s->pes; to++)
        fprintf(out, " %10u", to);
    for (unsigned from = 0; from < s->pes; from++) {
        fprintf(out, "\n%6u", from);
        for (unsigned to = 0; to < s->pes; to++)
            fprintf(out, " %10s", size_text(s->sent[(size_t)from * s->pes + to], text));
    }
    fputc('\n', out);
}

static void write_table(const struct stats *s, FILE *out)
{
    double all = (double)s->ns * s->pes, in_calls = 0, waiting = 0;
    char text[16];

    for (unsigned i = 0; i < s->n_calls; i++) {
        in_calls += (double)s->calls[i].ns;
        waiting += (double)s->calls[i].waited_ns;
    }
    fprintf(out, "statistics of %u PE%s, %.3f s: %.1f %% of the PEs' time in calls, %.1f %% waiting in them\n", s->pes,
            s->pes > 1 ? "s" : "", (double)s->ns / 1e9, 100 * in_calls / all, 100 * waiting / all);
    if (s->told < s->pes)
        fprintf(out, "%u of them did not start the library\n", s->pes - s->told);
    if (s->n_calls > 0)
        fprintf(out, "%-36s %10s %12s %10s %7s %8s  %s\n", "call", "calls", "bytes", "seconds", "of all", "waiting",
                "longest against mean");
    for (unsigned i = 0; i < s->n_calls && i < ROWS; i++) {
        const struct call *c = &s->calls[i];
        unsigned most = most_pe(s, c);
        double mean = (double)c->ns / s->pes;

        fprintf(out, "%-36s %10" PRIu64 " %12s %10.3f %5.1f %% %6.0f %%  %.2f (PE %u)\n", c->name, c->n,
                size_text(c->bytes, text), (double)c->ns / 1e9, 100 * (double)c->ns / all,
                c->ns ? 100 * (double)c->waited_ns / (double)c->ns : 0, mean > 0 ? (double)c->pe_ns[most] / mean : 1,
                most);
    }
    if (s->n_calls > ROWS)
        fprintf(out, "and %u others\n", s->n_calls - ROWS);
    write_matrix(s, out);
}

static void write_seconds(FILE *out, const char *name, const uint64_t *ns, unsigned n)
{
    fprintf(out, "\"%s\":[", name);
    for (unsigned i = 0; i < n; i++)
        fprintf(out, "%s%.9f", i ? "," : "", (double)ns[i] / 1e9);
    fputc(']', out);
}

static void write_json(const struct stats *s, FILE *out)
{
    fprintf(out, "{\"version\":1,\"pes\":%u,\"seconds\":%.9f,\n\"calls\":[", s->pes, (double)s->ns / 1e9);
    for (unsigned i = 0; i < s->n_calls; i++) {
        const struct call *c = &s->calls[i];

        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", out);
        core_json_text(out, c->name, strlen(c->name));
        fprintf(out, ",\"calls\":%" PRIu64 ",\"bytes\":%" PRIu64 ",", c->n, c->bytes);
        write_seconds(out, "seconds", c->pe_ns, s->pes);
        fputc(',', out);
        write_seconds(out, "waiting", c->pe_waited_ns, s->pes);
        fputc('}', out);
    }
    fputs("],\n\"bytes_sent\":[", out);
    for (unsigned from = 0; from < s->pes; from++) {
        fputs(from ? ",\n[" : "\n[", out);
        for (unsigned to = 0; to < s->pes; to++)
            fprintf(out, "%s%" PRIu64, to ? "," : "", s->sent[(size_t)from * s->pes + to]);
        fputc(']', out);
    }
    fputs("]}\n", out);
}

/* Jobs that a program spawns have files of their own, beside its job's. NULL: out of memory. */
static char *file_name(const struct launch *l)
{
    const char *name = core_params.stats, *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    char *own = NULL;

    if (l->options.spawner < 0 || strcmp(name, "1") == 0)
        return strdup(name);
    return asprintf(&own, "%.*sspawned.%d.%s", (int)(last - name), name, (int)getpid(), last) < 0 ? NULL : own;
}

static int cannot_write(const char *name)
{
    launch_say("--stats %s: cannot write: %s", name, strerror(errno));
    return EXIT_FAILURE;
}

static void write_to(const struct stats *s, const char *name)
{
    size_t n = strlen(name);
    FILE *out = strcmp(name, "1") == 0 ? stderr : fopen(name, "we");

    if (!out) {
        cannot_write(name);
        return;
    }
    if (n > 5 && strcmp(name + n - 5, ".json") == 0)
        write_json(s, out);
    else
        write_table(s, out);
    if (out != stderr && fclose(out) != 0)
        cannot_write(name);
}

int launch_stats_begin(const struct launch *l)
{
    char *name = file_name(l);
    int fd = !name || strcmp(name, "1") == 0 ? -1 : open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666), rc = 0;

    if (!name)
        rc = launch_no_memory();
    else if (fd >= 0)
        close(fd);
    else if (strcmp(name, "1") != 0)
        rc = cannot_write(name);
    free(name);
    return rc;
}

void launch_stats(struct launch *l, uint64_t ns)
{
    struct stats s = {.pes = l->npes, .ns = ns};
    char *name = file_name(l);

    s.calls = calloc(CALLS, sizeof *s.calls);
    s.sent = calloc((size_t)s.pes * s.pes, sizeof *s.sent);
    if (s.calls && s.sent && name) {
        read_all(&s, l->trace.dir);
        qsort(s.calls, s.n_calls, sizeof *s.calls, by_time);
        write_to(&s, name);
    } else {
        launch_say("--stats: out of memory");
    }
    for (unsigned i = 0; s.calls && i < s.n_calls; i++)
        free(s.calls[i].pe_ns);
    free(s.calls);
    free(s.sent);
    free(name);
}
