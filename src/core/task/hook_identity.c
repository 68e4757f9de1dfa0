/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Users and groups are the process's, so of all its PEs. The C library tells each thread to change its own, and waits
 * for all; it knows its threads by what the thread pointer points to. While a task runs, that is not what belongs to
 * the carrier: it would wait for itself. So these calls are made with the thread pointer of the carrier.
 */
#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/task/hooks.h"
#include "core/task/machine.h"
#include "core/task/own.h"

struct call {
    int (*make)(const struct call *);
    unsigned id[3];
    const char *user;
    const gid_t *list;
    size_t n;
    int rc, error;
};

/* The place of errno, too, belongs to the thread pointer. */
static __attribute__((noinline, noclone)) void carry_out(struct call *c)
{
    errno = 0;
    c->rc = c->make(c);
    c->error = errno;
}

/* No handler comes in between: it would take this task for the first one. */
static void carry_out_as(uintptr_t thread, struct call *c)
{
    const uintptr_t own = core_task_thread_pointer();
    sigset_t all, old;

    sigfillset(&all);
    core_task_real.signal_mask(SIG_SETMASK, &all, &old);
    core_task_set_thread_pointer(thread);
    carry_out(c);
    core_task_set_thread_pointer(own);
    core_task_real.signal_mask(SIG_SETMASK, &old, NULL);
}

static int change(struct call c)
{
    const struct core_task *t = core_task_self;

    if (!t && core_task_owner && core_task_owner->host->n > 1 && getpid() == core_task_owner->host->pid) {
        core_error("users and groups cannot be changed by a thread of a PE that is a task");
        errno = ENOTSUP;
        return -1;
    }
    if (t && getpid() == t->host->pid)
        carry_out_as(t->host->tasks[0].thread, &c);
    else
        carry_out(&c); /* in a child, whose only thread is this one */
    if (c.rc != 0)
        errno = c.error;
    return c.rc;
}

/* Functions of one, two and three numbers of users or of groups. */
#define ONE(name)                                                     \
    static int make_##name(const struct call *c)                      \
    {                                                                 \
        return core_task_real.name(c->id[0]);                         \
    }                                                                 \
    static int change_##name(unsigned a)                              \
    {                                                                 \
        return change((struct call){.make = make_##name, .id = {a}}); \
    }
#define TWO(name)                                                        \
    static int make_##name(const struct call *c)                         \
    {                                                                    \
        return core_task_real.name(c->id[0], c->id[1]);                  \
    }                                                                    \
    static int change_##name(unsigned a, unsigned b)                     \
    {                                                                    \
        return change((struct call){.make = make_##name, .id = {a, b}}); \
    }
#define THREE(name)                                                         \
    static int make_##name(const struct call *c)                            \
    {                                                                       \
        return core_task_real.name(c->id[0], c->id[1], c->id[2]);           \
    }                                                                       \
    static int change_##name(unsigned a, unsigned b, unsigned d)            \
    {                                                                       \
        return change((struct call){.make = make_##name, .id = {a, b, d}}); \
    }

ONE(setuid)
ONE(setgid)
ONE(seteuid)
ONE(setegid)
TWO(setreuid)
TWO(setregid)
THREE(setresuid)
THREE(setresgid)

static int make_setgroups(const struct call *c)
{
    return core_task_real.setgroups(c->n, c->list);
}

static int change_setgroups(size_t n, const gid_t *list)
{
    return change((struct call){.make = make_setgroups, .list = list, .n = n});
}

static int make_initgroups(const struct call *c)
{
    return core_task_real.initgroups(c->user, c->id[0]);
}

static int change_initgroups(const char *user, gid_t group)
{
    return change((struct call){.make = make_initgroups, .id = {group}, .user = user});
}

const struct core_task_hook core_task_hooks_identity[] = {
    HOOK("setuid", change_setuid, setuid),
    HOOK("setgid", change_setgid, setgid),
    HOOK("seteuid", change_seteuid, seteuid),
    HOOK("setegid", change_setegid, setegid),
    HOOK("setreuid", change_setreuid, setreuid),
    HOOK("setregid", change_setregid, setregid),
    HOOK("setresuid", change_setresuid, setresuid),
    HOOK("setresgid", change_setresgid, setresgid),
    HOOK("setgroups", change_setgroups, setgroups),
    HOOK("initgroups", change_initgroups, initgroups),
    {0},
};
