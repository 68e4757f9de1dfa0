/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process that is to run several PEs makes them here, before its program begins: when this library is initialised,
 * its variables are still as they are in the file.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/task/hooks.h"
#include "core/task/machine.h"
#include "core/task/signals.h"

extern char **environ;

/* The environment of a task: its own place in the job. */
static char **own_environment(unsigned fd, unsigned slice)
{
    size_t n = 0, k = 0;
    char **own, *place;

    while (environ[n])
        n++;
    own = malloc((n + 1) * sizeof *own);
    if (!own || asprintf(&place, CORE_WIRE_ENV "=%u:%u:%u", CORE_WIRE_VERSION, fd, slice) < 0)
        core_fatal("--tasks: out of memory");
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], CORE_WIRE_ENV_TASKS "=", sizeof CORE_WIRE_ENV_TASKS) != 0)
            own[k++] = strncmp(environ[i], CORE_WIRE_ENV "=", sizeof CORE_WIRE_ENV) == 0 ? place : environ[i];
    own[k] = NULL;
    return own;
}

/* A descriptor for each, as a program may open another file in its place. The usual limit may be too low for them. */
static int open_nothing(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    struct rlimit limit;

    if (fd >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return fd;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Standard input is the first PE's of the job; of others it is at its end, as of processes. */
static void open_input(struct core_task *t)
{
    int fd = t->bit == 0 ? STDIN_FILENO : open_nothing();

    t->in = t->bit == 0 ? stdin : fd >= 0 ? fdopen(fd, "r") : NULL;
    if (!t->in)
        core_fatal("--tasks: no standard input for PE %u: %s", t->pe, strerror(errno));
    t->descriptors[STDIN_FILENO] = fd;
}

static void open_output(struct core_task *t, int out, int err)
{
    t->out = t->bit == 0 || out < 0 ? stdout : fdopen(out, "w");
    t->err = t->bit == 0 || err < 0 ? stderr : fdopen(err, "w");
    if (!t->out || !t->err)
        core_fatal("--tasks: no output for PE %u", t->pe);
    if (t->bit > 0)
        setvbuf(t->err, NULL, _IONBF, 0);
    t->descriptors[STDOUT_FILENO] = fileno(t->out);
    t->descriptors[STDERR_FILENO] = fileno(t->err);
}

/* "<tasks>:<out>,<err>:<out>,<err>..." of MPT_TASKS_HERE, where PEs have other numbers than slices "<tasks>@<PE>:..."
 */
static void make_tasks(struct core_task_host *h, unsigned fd, unsigned first, unsigned pe, const char *outputs)
{
    struct core_task_own *own = calloc(h->n, sizeof *own);

    if (!own)
        core_fatal("--tasks: out of memory");
    for (unsigned i = 0; i < h->n; i++) {
        struct core_task *t = &h->tasks[i];
        int out = -1, err = -1, used = 0;

        *t = (struct core_task){.host = h, .bit = i, .pe = pe + i, .single = 1};
        if (sscanf(outputs, ":%d,%d%n", &out, &err, &used) == 2)
            outputs += used;
        t->own = &own[i];
        t->environ = own_environment(fd, first + i);
        open_input(t);
        open_output(t, out, err);
    }
}

static bool map_job(struct core_task_host *h, int fd, unsigned first)
{
    struct core_header header;

    if (pread(fd, &header, sizeof header, 0) != (ssize_t)sizeof header || header.magic != CORE_WIRE_MAGIC) {
        core_error("--tasks: descriptor %d is not a job", fd);
        return false;
    }
    h->base = core_segment_map_whole(fd, &header, first);
    if (!h->base)
        return false;
    h->board = core_wire_board(h->base, &header, first);
    h->board->n = h->n;
    h->header = (const struct core_header *)(void *)h->base;
    h->first = first;
    h->launcher = header.launcher;
    h->lone = header.npes == h->n;
    return true;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* What keeps a process for itself. NULL: nothing. */
static const char *in_the_way(void)
{
    static const char *const names[] = {"libasan", "libtsan", "libubsan", "liblsan", "vgpreload"};
    const char *preloaded = core_param_foreign("LD_PRELOAD");
    Dl_info here, program;

    if (SANITIZED)
        return "this library was built with a sanitizer";
#ifdef MPT_WHEEL /* some programs crash there: docs/adr/0058-the-wheel.md */
    return "the Python wheel's library has no tasks; run it on processes, without --tasks, or build the library from "
           "source";
#endif
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct link_map *l = core_task_real.open_library(NULL, RTLD_LAZY | RTLD_NOLOAD);

        if (preloaded && strstr(preloaded, names[i]))
            return names[i];
        for (; l; l = l->l_next)
            if (strstr(l->l_name, names[i]))
                return names[i];
    }
    if (dladdr((void *)(uintptr_t)&in_the_way, &here) && dladdr((void *)getauxval(AT_ENTRY), &program) &&
        here.dli_fbase == program.dli_fbase)
        return "the program is linked with the static library; link it with libmpt.so";
    return NULL;
}

/* Programs may write to them. */
static char **own_arguments(int argc, char **argv)
{
    char **own = calloc((size_t)argc + 1, sizeof *own);

    for (int k = 0; own && k < argc; k++)
        if (!(own[k] = strdup(argv[k])))
            core_fatal("--tasks: out of memory");
    if (!own)
        core_fatal("--tasks: out of memory");
    return own;
}

static void start_tasks(struct core_task_host *h, int argc, char **argv)
{
    for (unsigned i = 0; i < h->n; i++) {
        struct core_task *t = &h->tasks[i];
        int rc;

        t->argc = argc;
        t->argv = argv;
        if (i == 0)
            continue;
        t->argv = own_arguments(argc, argv);
        if (core_task_load(t) != 0)
            _exit(EXIT_FAILURE);
        rc = core_task_thread(t, t->bases[0] + core_image_entry(&h->images[0]));
        if (rc != 0)
            core_fatal("--tasks: no thread for PE %u: %s", t->pe, strerror(-rc));
        core_task_ready(h->board, i);
    }
    core_image_learned(&h->block);
    core_task_await_threads(h);
}

/* A child that a PE forks has only this thread, and is no PE. What other PEs have not written yet is theirs; its own
 * input and output are where programs look for them. */
static void be_no_task(void)
{
    struct core_task *self = core_task_here();

    for (unsigned i = 0; i < self->host->n; i++) {
        const struct core_task *t = &self->host->tasks[i];

        if (t->out && t->out != self->out)
            __fpurge(t->out);
        if (t->err && t->err != self->err)
            __fpurge(t->err);
    }
    core_task_take_descriptors(self);
    core_task_give_signals(self);
    core_task_self = NULL;
}

/* What waits and locks ask for. In a process of several threads the kernel takes milliseconds for the first time. */
static void ask_for_barriers(void)
{
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
}

struct core_task_host core_task_process;

void core_task_prepare(void)
{
    const struct link_map *l = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);

    while (l && l->l_next)
        l = l->l_next;
    core_task_process.last = l;
    ask_for_barriers();
}

__attribute__((constructor(102))) static void begin(int argc, char **argv)
{
    const char *here = core_param_foreign(CORE_WIRE_ENV_TASKS), *job = core_param_foreign(CORE_WIRE_ENV);
    unsigned n, version, first;
    int fd, used = 0, pe = -1;
    struct core_task_host *host = &core_task_process;

    if (core_task_self || !here || !job || sscanf(here, "%u%n@%d%n", &n, &used, &pe, &used) < 1 || n < 2)
        return;
    if (n > CORE_TASKS_MOST || sscanf(job, "%u:%d:%u", &version, &fd, &first) != 3 || version != CORE_WIRE_VERSION) {
        core_error("--tasks: %s=%s, %s=%s: not understood; launcher and library must be of the same version",
                   CORE_WIRE_ENV, job, CORE_WIRE_ENV_TASKS, here);
        _exit(EXIT_FAILURE);
    }
    host->n = host->alive = n;
    host->block.file = -1;
    host->nap_ns = 200000;
    host->again = UINT64_MAX;
    host->sets_pointer = core_task_sets_pointer();
    host->pid = getpid();
    host->carrier = (int)syscall(SYS_gettid);
    host->environ = dlsym(RTLD_DEFAULT, "environ");
    host->tasks = calloc(n, sizeof *host->tasks);
    if (!host->tasks)
        core_fatal("--tasks: out of memory");
    core_task_find_real();
    if (in_the_way()) {
        core_error("--tasks: PEs of this program cannot be tasks: %s", in_the_way());
        _exit(EXIT_FAILURE);
    }
    make_tasks(host, (unsigned)fd, first, pe < 0 ? first : (unsigned)pe, here + used);
    if (!map_job(host, fd, first) || core_task_images(host) != 0)
        _exit(EXIT_FAILURE);
    ask_for_barriers();
    core_task_self = core_task_owner = core_task_first = &host->tasks[0];
    host->tasks[0].thread = core_task_thread_pointer();
    core_task_find_variables(core_task_first);
    start_tasks(host, argc, argv);
    environ = host->tasks[0].environ;
    pthread_atfork(NULL, NULL, be_no_task);
    core_task_hook_first(host);
    core_task_preempt(host);
}
