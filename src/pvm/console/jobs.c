/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Spawning from the console, and jobs: tasks spawned together whose output comes to
 * the console as messages, and is shown line by line or written to a file.
 */
#include <stdlib.h>
#include <string.h>

#include "pvm/console/console.h"

struct source {
    int tid;
    bool ended;
    char *line; /* without an end so far */
    size_t n;
};

struct job {
    struct job *next;
    int number, ntasks;
    struct source *task;
    FILE *file; /* NULL: shown */
};

/* ------------------------------------------------------------------- output -- */

static void show(const struct job *j, const struct source *s, const char *text, size_t n)
{
    FILE *f = j->file ? j->file : stdout;
    fprintf(f, "[%d:t%x] %.*s\n", j->number, (unsigned)s->tid, (int)n, text);
    fflush(f);
}

static void take_text(const struct job *j, struct source *s, const char *text, size_t n)
{
    char *all = realloc(s->line, s->n + n);
    size_t at = 0;
    if (!all)
        return;
    memcpy(all + s->n, text, n);
    s->line = all;
    s->n += n;
    for (char *end; (end = memchr(all + at, '\n', s->n - at)); at = (size_t)(end + 1 - all))
        show(j, s, all + at, (size_t)(end - all) - at);
    memmove(all, all + at, s->n - at);
    s->n -= at;
}

static void end_job(struct job *j)
{
    struct job **at = &console.jobs;
    printf("[%d] finished\n", j->number);
    while (*at != j)
        at = &(*at)->next;
    *at = j->next;
    if (j->file)
        fclose(j->file);
    free(j->task);
    free(j);
}

static void take_end(struct job *j, struct source *s)
{
    if (s->n)
        show(j, s, s->line, s->n);
    free(s->line);
    s->line = NULL;
    s->n = 0;
    if (!s->ended)
        show(j, s, "EOF", 3);
    s->ended = true;
    for (int i = 0; i < j->ntasks; i++)
        if (!j->task[i].ended)
            return;
    end_job(j);
}

/* A task that one of the job's tasks has spawned belongs to the job. */
static struct source *join_job(struct job *j, int tid)
{
    struct source *more = realloc(j->task, ((size_t)j->ntasks + 1) * sizeof *more);
    if (!more)
        return NULL;
    j->task = more;
    more[j->ntasks] = (struct source){.tid = tid};
    return &more[j->ntasks++];
}

static struct source *find(int tid, struct job **job)
{
    for (struct job *j = console.jobs; j; j = j->next)
        for (int i = 0; i < j->ntasks; i++)
            if (j->task[i].tid == tid) {
                *job = j;
                return &j->task[i];
            }
    return NULL;
}

static void take_message(int bufid)
{
    int tid, n, parent = 0;
    struct job *j = NULL;
    struct source *s;
    char text[4096];
    (void)bufid;
    if (pvm_upkint(&tid, 1, 1) < 0 || pvm_upkint(&n, 1, 1) < 0)
        return;
    s = find(tid, &j);
    if (!s && n < 0 && pvm_upkint(&parent, 1, 1) >= 0 && find(parent, &j))
        s = join_job(j, tid);
    if (!s || n < 0)
        return;
    if (n == 0)
        take_end(j, s);
    else if (n <= (int)sizeof text && pvm_upkbyte(text, n, 1) >= 0)
        take_text(j, s, text, (size_t)n);
}

void jobs_look(void)
{
    int bufid;
    while ((bufid = pvm_nrecv(-1, OUTPUT_TAG)) > 0)
        take_message(bufid);
}

void cmd_jobs(int argc, char **argv)
{
    bool list = argc > 1 && strcmp(argv[1], "-l") == 0;
    if (wrong_args(argc, 1, 2, argv))
        return;
    for (const struct job *j = console.jobs; j; j = j->next) {
        printf("%2d:", j->number);
        for (int i = 0; list && i < j->ntasks; i++)
            printf(" t%x%s", (unsigned)j->task[i].tid, j->task[i].ended ? " (ended)" : "");
        putchar('\n');
    }
}

/* -------------------------------------------------------------------- spawn -- */

struct wanted {
    int count, flags;
    char *where;
    bool caught;
    const char *file, *mode; /* of the output */
};

static bool is_number(const char *s)
{
    return *s && s[strspn(s, "0123456789")] == '\0';
}

static bool is_arch(const char *s)
{
    struct pvmhostinfo *h;
    int n;
    size_t len = strcspn(s, ":");
    if (pvm_config(&n, NULL, &h) < 0)
        return false;
    for (int i = 0; i < n; i++)
        if (strlen(h[i].hi_arch) == len && memcmp(h[i].hi_arch, s, len) == 0)
            return true;
    return false;
}

static void take_option(struct wanted *w, char *option)
{
    if (is_number(option)) {
        w->count = atoi(option);
    } else if (*option == '>') {
        w->caught = true;
        w->mode = option[1] == '>' ? "ae" : "we";
        w->file = option + strspn(option, ">");
    } else if (strcmp(option, "?") == 0) {
        w->flags |= PvmTaskDebug;
    } else {
        w->where = option;
        if (*option != ':')
            w->flags |= is_arch(option) ? PvmTaskArch : PvmTaskHost;
    }
}

/* False after a message. The job waits for its tasks: their first messages may come at once. */
static bool open_job(struct job **j, const struct wanted *w)
{
    FILE *f = NULL;
    *j = NULL;
    if (!w->caught)
        return true;
    if (*w->file && !(f = fopen(w->file, w->mode))) {
        printf("spawn: cannot open %s\n", w->file);
        return false;
    }
    *j = calloc(1, sizeof **j);
    if (!*j)
        return false;
    (*j)->file = f;
    return true;
}

static void add_job(struct job *j, const int *tids, int n)
{
    struct job **end = &console.jobs;
    if (n < 1) {
        if (j->file)
            fclose(j->file);
        free(j);
        return;
    }
    for (int i = 0; i < n; i++)
        join_job(j, tids[i]);
    while (*end)
        end = &(*end)->next;
    *end = j;
    j->number = ++console.last_number;
    printf("[%d]\n", j->number);
}

void cmd_spawn(int argc, char **argv)
{
    struct wanted w = {.count = 1, .flags = PvmNoSpawnParent};
    struct job *j;
    int at = 1, n, *tids;
    for (; at < argc && argv[at][0] == '-'; at++)
        take_option(&w, argv[at] + 1);
    if (at >= argc || w.count < 1) {
        tell_usage("spawn");
        return;
    }
    tids = calloc((size_t)w.count, sizeof *tids);
    if (!tids || !open_job(&j, &w)) {
        free(tids);
        return;
    }
    pvm_setopt(PvmOutputTid, j ? pvm_mytid() : 0);
    pvm_setopt(PvmOutputCode, j ? OUTPUT_TAG : 0);
    n = pvm_spawn(argv[at], argv + at + 1, w.flags, w.where, w.count, tids);
    if (j)
        add_job(j, tids, n);
    printf("%d successful\n", n < 0 ? 0 : n);
    if (n < 0)
        puts(text_of(n));
    for (int i = 0; n >= 0 && i < w.count; i++)
        if (tids[i] > 0)
            printf("t%x\n", (unsigned)tids[i]);
        else
            puts(text_of(tids[i]));
    free(tids);
}
