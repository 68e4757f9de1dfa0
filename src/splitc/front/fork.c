/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fork() in Split-C programs: splitc_main's stack is shared memory, which a child gets a copy of (core/mem/malloc.c);
 * both processes stand on a private stack until that is done.
 */
#include <errno.h>
#include <unistd.h>

#include "core/core.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* they have their own */

extern pid_t __fork(void); /* fork, by a name that the C library keeps for others */
void sc_outside(void (*f)(void *), void *arg);

struct outcome {
    pid_t pid;
    int error;
};

static void do_fork(void *arg)
{
    struct outcome *o = arg;
    pid_t pid = __fork();

    o->pid = pid;
    o->error = errno;
}

pid_t fork(void)
{
    struct outcome o = {0, 0};

    if ((uintptr_t)&o - mpt_malloc.lo >= mpt_malloc.n)
        return __fork();
    sc_outside(do_fork, &o);
    if (o.pid < 0)
        errno = o.error;
    return o.pid;
}

#endif
