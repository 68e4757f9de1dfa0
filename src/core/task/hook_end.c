/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a PE begins and ends: its main program, its constructors, what it does at exit.
 */
#include <stdlib.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/task/hooks.h"
#include "core/task/host.h"
#include "core/task/plugin.h"

typedef int main_function(int argc, char **argv, char **environment);

static int run_first(int argc, char **argv, char **environment)
{
    core_task_exit(core_task_real.main(argc, argv, environment));
}

/* Of the first instance it is the process's start, of others the task's. `init` is there in programs that were linked
 * with a C library before 2.34. */
static int start_main(main_function *program, int argc, char **argv, void (*init)(int, char **, char **),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
    struct core_task *t = core_task_self;

    if (!t || !t->bases) {
        core_task_real.main = program;
        return core_task_real.start_main(t ? run_first : program, argc, argv, init, fini, loader_fini, stack_end);
    }
    core_task_construct(t);
    core_task_exit(program(t->argc, t->argv, t->environ));
}

static void add_ending(struct core_task *t, void (*call)(void *, int), void *arg, void *library)
{
    struct core_task_ending *e = malloc(sizeof *e);

    if (!e)
        core_fatal("atexit: out of memory");
    *e = (struct core_task_ending){t->endings, call, arg, library};
    t->endings = e;
}

static int at_exit(void (*call)(void *), void *arg, void *library)
{
    if (!core_task_self)
        return core_task_real.at_exit(call, arg, library);
    add_ending(core_task_self, (void (*)(void *, int))(void (*)(void))call, arg,
               library); /* it does not look at the status */
    return 0;
}

static int thread_at_exit(void (*call)(void *), void *arg, void *library)
{
    if (!core_task_self)
        return core_task_real.thread_at_exit(call, arg, library);
    return at_exit(call, arg, library);
}

struct on_exit {
    void (*call)(int, void *);
    void *arg;
};

static void call_with_status(void *data, int status)
{
    struct on_exit e = *(struct on_exit *)data;

    free(data);
    e.call(status, e.arg);
}

static int with_status(void (*call)(int, void *), void *arg)
{
    struct on_exit *e;

    if (!core_task_self)
        return core_task_real.on_exit(call, arg);
    e = malloc(sizeof *e);
    if (!e)
        return -1;
    *e = (struct on_exit){call, arg};
    add_ending(core_task_self, call_with_status, e, NULL);
    return 0;
}

static void flush(struct core_task *t)
{
    if (t->out)
        fflush(t->out);
    if (t->err)
        fflush(t->err);
}

void core_task_exit(int status)
{
    struct core_task *t = core_task_self;

    if (!t)
        core_task_real.exit(status);
    while (t->endings) {
        struct core_task_ending *e = t->endings;

        t->endings = e->before;
        e->call(e->arg, status);
        free(e);
    }
    core_plugins_end(t);
    core_task_destruct(t);
    flush(t);
    core_task_end(t, status);
}

static void exit_at_once(int status)
{
    if (!core_task_self || getpid() != core_task_self->host->pid) /* a child that has our memory, before it executes */
        core_task_real.exit_at_once(status);
    if (status != 0 && core_task_self->host->launcher == 0) /* nobody sees how tasks end; the job does */
        core_task_real.exit_at_once(status);
    core_task_end(core_task_self, status);
}

/* Of a library that goes before the PE ends. */
static void finalize(void *library)
{
    struct core_task_ending **at = core_task_self ? &core_task_self->endings : NULL;

    if (!at) {
        core_task_real.finalize(library);
        return;
    }
    while (*at) {
        struct core_task_ending *e = *at;

        if (!library || e->library != library) {
            at = &e->before;
            continue;
        }
        *at = e->before;
        e->call(e->arg, 0);
        free(e);
        at = &core_task_self->endings; /* it may have asked for more */
    }
}

const struct core_task_hook core_task_hooks_end[] = {
    HOOK("__libc_start_main", start_main, start_main),
    HOOK("exit", core_task_exit, exit),
    HOOK("_exit", exit_at_once, exit_at_once),
    HOOK("_Exit", exit_at_once, exit_at_once),
    HOOK("__cxa_atexit", at_exit, at_exit),
    HOOK("__cxa_thread_atexit_impl", thread_at_exit, thread_at_exit),
    HOOK("__cxa_finalize", finalize, finalize),
    HOOK("on_exit", with_status, on_exit),
    {0},
};
