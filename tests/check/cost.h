/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What --check does for a call, counted and not timed: walks of the stack, and system calls that look at the program's
 * memory. The functions below take the places of the C library's, for the library, too.
 */
#ifndef CHECK_COST_H
#define CHECK_COST_H

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>

enum { ROUNDS = 1000 };

static struct cost {
    long walks, looks;
} cost;

int backtrace(void **frames, int n)
{
    static int (*next)(void **, int);

    if (!next)
        next = (int (*)(void **, int))dlsym(RTLD_NEXT, "backtrace");
    cost.walks++;
    return next(frames, n);
}

ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long n_to, const struct iovec *from,
                         unsigned long n_from, unsigned long flags)
{
    static ssize_t (*next)(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long,
                           unsigned long);

    if (!next)
        next = (__typeof__(next))dlsym(RTLD_NEXT, "process_vm_readv");
    cost.looks++;
    return next(pid, to, n_to, from, n_from, flags);
}

long syscall(long number, ...)
{
    static long (*next)(long, ...);
    long a[6];
    va_list list;

    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (!next)
        next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    cost.looks += number == SYS_rt_sigprocmask;
    return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Is what ROUNDS calls have cost since `before` not more than so many walks and looks a call? */
static int is_cheap(const char *what, struct cost before, double walks, double looks)
{
    const double had_walks = (double)(cost.walks - before.walks) / ROUNDS,
                 had_looks = (double)(cost.looks - before.looks) / ROUNDS, some = 0.05; /* until lines are known */

    printf("%s: %.2f walks of the stack a call (%.0f), %.2f looks at memory (%.0f)\n", what, had_walks, walks,
           had_looks, looks);
    return had_walks <= walks + some && had_looks <= looks + some;
}

#endif
