/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_spawn: all rows of the tasks to be are written before the first is started,
 * so a task knows its siblings, and may be sent to, from the beginning.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pvm/trace.h"
#include "pvm/spawn/system.h"
#include "pvm/output/output.h"
#include "pvm/spawn/spawn.h"

enum {
    FLAG_SPAWNED = 2,
    ALL_FLAGS = PvmTaskHost | PvmTaskArch | PvmTaskDebug | PvmTaskTrace | PvmMppFront | PvmHostCompl | PvmNoSpawnParent
};

struct order {
    const char *file;
    char **argv;       /* the program's path and arguments, NULL at the end */
    char **env, entry[64]; /* environment; what differs from task to task in it */
    const char *wd;
    int flags, count, *tids;
};

/* ------------------------------------------------------------------- where -- */

static bool is_here(const char *host)
{
    return strcmp(host, ".") == 0 || strcmp(host, "localhost") == 0 || strcmp(host, pvmi_host_name(1)) == 0;
}

/* A folder may follow a colon. 0, or the code for each task. */
static int choose_host(struct order *o, char *where)
{
    char name[256] = "";
    const char *colon = where ? strchr(where, ':') : NULL;
    size_t n = !where ? 0 : colon ? (size_t)(colon - where) : strlen(where);
    bool fits = true;
    if (colon && colon[1])
        o->wd = colon + 1;
    if (!(o->flags & (PvmTaskHost | PvmTaskArch)))
        return 0;
    if (n >= sizeof name)
        return PvmNoHost;
    if (n)
        memcpy(name, where, n);
    if (o->flags & PvmTaskHost)
        fits = is_here(name);
    if (o->flags & PvmTaskArch)
        fits = fits && strcmp(name, pvmi_arch()) == 0;
    return fits != ((o->flags & PvmHostCompl) != 0) ? 0 : PvmNoHost;
}

/* -------------------------------------------------- arguments, environment -- */

static int make_argv(struct order *o, char **given)
{
    bool debug = o->flags & PvmTaskDebug;
    size_t n = 0, at = 0;
    char *path = pvmi_find_program(o->file), *debugger = NULL;
    if (!path)
        return PvmNoFile;
    if (debug) {
        char *text = pvmi_expand(core_params.pvm_debugger);
        debugger = text ? pvmi_find_program(text) : NULL;
        free(text);
    }
    while (given && given[n])
        n++;
    o->argv = calloc(n + 3, sizeof *o->argv);
    if (!o->argv || (debug && !debugger)) {
        free(path);
        free(debugger);
        return o->argv ? PvmNoFile : PvmNoMem;
    }
    if (debug)
        o->argv[at++] = debugger;
    o->argv[at++] = path;
    for (size_t i = 0; i < n; i++)
        o->argv[at++] = given[i];
    return 0;
}

/* This process's own, and the entry that says which slot is the task's. */
static int make_env(struct order *o)
{
    size_t n = 0, at = 0, len = strlen(core_job_env_open);
    while (environ[n])
        n++;
    o->env = calloc(n + 2, sizeof *o->env);
    if (!o->env)
        return PvmNoMem;
    o->env[at++] = o->entry;
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], core_job_env_open, len) != 0 || environ[i][len] != '=')
            o->env[at++] = environ[i];
    return 0;
}

static void drop(struct order *o)
{
    if (o->argv) {
        if (o->flags & PvmTaskDebug)
            free(o->argv[1]);
        free(o->argv[0]);
    }
    free(o->argv);
    free(o->env);
}

/* -------------------------------------------------------------------- rows -- */

static struct pvmi_task *row_of(int slot)
{
    return pvmi_look(PVMI_AT(task[slot]), 0, NULL);
}

static struct pvmi_task row_for(const struct order *o, int first, int n)
{
    struct pvmi_task row = {.parent = o->flags & PvmNoSpawnParent ? PvmParentNotSet : pvmi.tid,
                            .flag = FLAG_SPAWNED,
                            .context = pvmi.context,
                            .out_tid = pvmi.opt[PvmOutputTid],
                            .out_tag = pvmi.opt[PvmOutputCode],
                            .out_context = pvmi.opt[PvmOutputContext],
                            .batch = first,
                            .batch_n = n};
    size_t len = strlen(o->file), skip = len < sizeof row.name ? 0 : len - sizeof row.name + 1;
    snprintf(row.name, sizeof row.name, "%s", o->file + skip);
    return row;
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Places for as many as there are; their slots to *slots. Returns their number. They are given out in any order:
 * sorted, the row of siblings (pvm_siblings) has the order of the tids that the spawner gets. */
static int reserve(const struct order *o, int *slots)
{
    int n = 0, slot;
    while (n < o->count && (slot = pvmi_slot_reserve()) >= 0)
        slots[n++] = slot;
    qsort(slots, (size_t)n, sizeof *slots, by_number);
    pvmi_lock();
    for (int i = 0; i < n; i++) {
        struct pvmi_task *row = row_of(slots[i]), fresh = row_for(o, pvmi_tid_of(slots[0]), n);
        fresh.watched = row->watched;
        fresh.uses = row->uses;
        *row = fresh;
        __atomic_store_n(&row->state, PVMI_STARTING, __ATOMIC_RELEASE);
    }
    int32_t *high = pvmi_look(PVMI_AT(high), 0, NULL);
    for (int i = 0; i < n; i++)
        if (*high <= slots[i])
            *high = slots[i] + 1;
    pvmi_unlock();
    return n;
}

static void set_process(int slot, int pid)
{
    struct pvmi_task *row = row_of(slot);
    uint64_t born = core_process_born(pid);
    pvmi_lock();
    if (row->pid == 0) { /* the task itself writes it, too */
        row->pid = pid;
        row->born = born;
    }
    pvmi_unlock();
    core_job_expect(slot, pid, born);
}

/* ------------------------------------------------------------------- start -- */

static int code_of(int error)
{
    switch (error) {
    case EAGAIN:
    case EMFILE:
    case ENFILE:
        return PvmOutOfRes;
    case ENOMEM:
        return PvmNoMem;
    case EACCES:
        return PvmDenied;
    default:
        return PvmNoFile;
    }
}

/* By a tasker, which has the machine's memory under a descriptor of its own. The tid, or a code. */
static int start_by(int tasker, int fd, struct order *o, int slot)
{
    const struct pvmi_task *row = row_of(tasker);
    int tid = pvmi_tid_of(slot), rc;
    core_job_env_write(o->entry, sizeof o->entry, fd, slot);
    core_job_expect(slot, row->pid, row->born); /* at least the tasker must be there */
    rc = pvmi_tasker_start(tasker, tid, o->flags, o->argv, o->entry);
    if (rc == 0)
        return tid;
    pvmi_never_came(slot);
    return rc;
}

/* The tid, or a code. */
static int start(struct order *o, int slot)
{
    struct pvmi_start s = {o->argv, o->env, o->wd, STDERR_FILENO, core_job_fd()};
    int pid, error, out = -1, tid = pvmi_tid_of(slot);
    core_job_env_write(o->entry, sizeof o->entry, s.fd, slot);
    if (pvmi.opt[PvmOutputTid] > 0)
        out = pvmi_output_pipe(
            pvmi.opt[PvmOutputTid],
            (struct pvmi_flow){tid, row_of(slot)->parent, pvmi.opt[PvmOutputCode], pvmi.opt[PvmOutputContext]});
    if (out >= 0)
        s.out = out;
    error = pvmi_start_program(&s, &pid);
    if (out >= 0)
        close(out);
    if (error) {
        __atomic_store_n(&row_of(slot)->state, PVMI_GONE, __ATOMIC_RELEASE);
        core_job_expect(slot, -1, 0);
        return code_of(error);
    }
    set_process(slot, pid);
    return tid;
}

/* Those started come first, then the codes of the others. Returns the number of the former. */
static int start_all(struct order *o)
{
    int *slots = calloc((size_t)o->count, sizeof *slots), n, good = 0, bad = o->count, fd,
        tasker = pvmi_role_slot(PVMI_TASKER, &fd);
    if (!slots)
        return PvmNoMem;
    fflush(stdout); /* what was printed before the spawn comes before what the task prints */
    n = reserve(o, slots);
    for (int i = 0; i < o->count; i++) {
        int tid = i >= n ? PvmOutOfRes : tasker >= 0 ? start_by(tasker, fd, o, slots[i]) : start(o, slots[i]);
        if (tid > 0)
            o->tids[good++] = tid;
        else
            o->tids[--bad] = tid;
    }
    free(slots);
    return good;
}

static int none(const struct order *o, int code)
{
    for (int i = 0; i < o->count; i++)
        o->tids[i] = code;
    return 0;
}

/* Tasks that PVM does not start itself come under a debugger, or not at all: the T3E, too, knew no spawning in a
 * partition. */
static int alone(const struct order *o)
{
    none(o, PvmNotImpl);
    return pvmi_fail(PvmNotImpl,
                     "%s: a program of a launcher has the tasks it was started with; start it plainly to spawn others",
                     o->file);
}

int pvm_spawn(char *file, char **argv, int flags, char *where, int count, int *tids)
{
    int rc = pvmi_begin("pvm_spawn"), *own = NULL;
    struct order o = {.file = file, .flags = flags, .count = count, .tids = tids};
    PVMI_TRACE(t);
    if (rc < 0)
        return rc;
    if (!file || count < 1 || flags & ~ALL_FLAGS)
        return pvmi_fail(PvmBadParam, "file %s, flags %d, %d tasks", file ? file : "NULL", flags, count);
    if (!tids && !(o.tids = own = calloc((size_t)count, sizeof *own)))
        return pvmi_fail(PvmNoMem, "%d tids", count);
    if (*core_params.pvm_wd)
        o.wd = core_params.pvm_wd;
    if (!pvmi.network)
        rc = alone(&o);
    else if ((rc = choose_host(&o, where)) < 0 || (rc = make_argv(&o, argv)) < 0 || (rc = make_env(&o)) < 0)
        rc = none(&o, rc);
    else
        rc = start_all(&o);
    drop(&o);
    free(own);
    return rc == PvmNoMem ? pvmi_fail(rc, "%d tasks", count) : rc;
}
