/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PE 1 of some, or all, come to grief in the way that is asked for.
 */
#include <shmem.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int depth;

__attribute__((noinline)) static int sink(int n)
{
    volatile char room[4096];

    room[0] = (char)n;
    depth = n;
    return n > 0 ? sink(n + 1) + room[0] : 0;
}

__attribute__((noinline)) static void store(volatile int *p)
{
    *p = 1; /* here */
}

static void own(int signal)
{
    (void)signal;
    _exit(9);
}

static void fail(const char *how)
{
    void (*volatile nothing)(void) = NULL;

    if (strcmp(how, "stack") == 0)
        sink(1);
    if (strcmp(how, "call") == 0)
        nothing();
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "sent") == 0)
        raise(SIGSEGV);
    if (strcmp(how, "handler") == 0)
        signal(SIGSEGV, own);
    if (strcmp(how, "child") == 0 && fork() != 0) {
        int status;

        wait(&status);
        printf("the child's signal: %d\n", WTERMSIG(status));
        return;
    }
    store((volatile int *)16);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "store";

    shmem_init();
    if (shmem_my_pe() == 1 || argc > 2)
        fail(how);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
