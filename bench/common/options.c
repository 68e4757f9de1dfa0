/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Command line options: one table for what all programs share, one per program. Both `--name value` and
 * `--name=value` are read; what isn't understood is an error that names it.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

struct bench_options bench_options = {.target = "both"};

static const struct bench_option common[] = {
    {"target", BENCH_TEXT, &bench_options.target, "heap, global or both: the symmetric object that is the target"},
    {"quick", BENCH_FLAG, &bench_options.quick, "fewer sizes, a quarter of the time"},
    {"max-seconds", BENCH_DOUBLE, &bench_options.max_seconds, "time budget of the whole program"},
    {"out", BENCH_TEXT, &bench_options.out, "file for the records (default: standard output)"},
    {"progress", BENCH_FLAG, &bench_options.progress, "say on standard error which case runs"},
    {"burner", BENCH_FLAG, &bench_options.burner, "burn one core with another process during the run"},
    {"as-tasks", BENCH_FLAG, &bench_options.as_tasks,
     "say in the records that the PEs were to be tasks, which is seen where several are of one process"},
    {"network", BENCH_TEXT, &bench_options.network,
     "what lies between the PEs, in the records, as in \"tcp, 2 hosts\""},
    {"cache", BENCH_TEXT, &bench_options.cache,
     "hot, rotate, flush, written or all: where the buffers of transfers are"},
    {"implementation", BENCH_TEXT, &bench_options.implementation, "name of the library in the records"},
    {"help", BENCH_FLAG, &bench_options.help, "print this and stop"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

static const struct bench_option *find(const struct bench_option *table, const char *name, size_t length)
{
    for (const struct bench_option *o = table; o && o->name; o++)
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0)
            return o;
    return NULL;
}

static int assign(const struct bench_option *o, const char *text, char *why, size_t size)
{
    char *end = NULL;

    switch (o->kind) {
    case BENCH_FLAG:
        *(bool *)o->value = true;
        return 0;
    case BENCH_TEXT:
        *(const char **)o->value = text;
        return 0;
    case BENCH_LONG:
        *(long *)o->value = strtol(text, &end, 10);
        break;
    case BENCH_DOUBLE:
        *(double *)o->value = strtod(text, &end);
        break;
    }
    if (end != text && *end == '\0')
        return 0;
    snprintf(why, size, "--%s: '%s' is not a number", o->name, text);
    return -1;
}

static int check_common(char *why, size_t size)
{
    const char *t = bench_options.target;

    if (strcmp(t, "heap") && strcmp(t, "global") && strcmp(t, "both")) {
        snprintf(why, size, "--target: '%s' is none of heap, global, both", t);
        return -1;
    }
    if (bench_options.cache && !bench_cache_set(bench_options.cache)) {
        snprintf(why, size, "--cache: '%s' is none of hot, rotate, flush, written, all", bench_options.cache);
        return -1;
    }
    if (bench_options.max_seconds < 0) {
        snprintf(why, size, "--max-seconds: must not be negative");
        return -1;
    }
    return 0;
}

int bench_options_parse(int argc, char **argv, const struct bench_option *own, char *why, size_t size)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i] + 2, *text;
        const size_t length = strncmp(argv[i], "--", 2) == 0 ? strcspn(name, "=") : 0;
        const struct bench_option *o = length ? find(common, name, length) : NULL;

        if (length && !o)
            o = find(own, name, length);
        if (!o) {
            snprintf(why, size, "unknown option '%s'", argv[i]);
            return -1;
        }
        text = name[length] == '=' ? name + length + 1 : NULL;
        if (o->kind == BENCH_FLAG && text) {
            snprintf(why, size, "--%s takes no value", o->name);
            return -1;
        }
        if (o->kind != BENCH_FLAG && !text && !(text = argv[++i])) {
            snprintf(why, size, "--%s needs a value", o->name);
            return -1;
        }
        if (assign(o, text, why, size))
            return -1;
    }
    return check_common(why, size);
}

void bench_options_help(FILE *f, const char *program, const char *purpose, const struct bench_option *own)
{
    const struct bench_option *const tables[] = {own, common};

    fprintf(f, "%s: %s\n", program, purpose);
    for (int t = 0; t < 2; t++)
        for (const struct bench_option *o = tables[t]; o && o->name; o++)
            fprintf(f, "  --%-16s %s\n", o->name, o->help);
}
