/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads that write to global variables while shmem_init makes these shared
 * lose no store, and what the program has set up for its own faults works afterwards.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include "check.h"

enum { THREADS = 3, APART = 4096 / sizeof(long) };
static volatile long counts[THREADS * APART]; /* a page each, in .bss */
static volatile long data_counts[THREADS] = {1000, 1000, 1000};
static int stop;

struct worker {
    pthread_t thread;
    int index;
    volatile long done; /* on the stack of main: private */
};

static void *count(void *arg)
{
    struct worker *w = arg;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        counts[w->index * APART]++;
        data_counts[w->index]++;
        w->done++;
    }
    return NULL;
}

static sigjmp_buf back;
static void *volatile faulted; /* at */

static void own_handler(int sig, siginfo_t *info, void *context)
{
    (void)sig;
    (void)context;
    faulted = info->si_code > 0 ? info->si_addr : (void *)&faulted;
    siglongjmp(back, 1);
}

static void check_faults(void)
{
    char *forbidden = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    long *constant = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (sigsetjmp(back, 1) == 0)
        *(volatile char *)forbidden = 1;
    CHECK(faulted == forbidden, "a fault at %p was said to be at %p", (void *)forbidden, faulted);
    if (sigsetjmp(back, 1) == 0)
        *(volatile long *)constant = 1;
    CHECK(faulted == constant, "a fault at %p was said to be at %p", (void *)constant, faulted);
    if (sigsetjmp(back, 1) == 0)
        raise(SIGSEGV);
    CHECK(faulted == (void *)&faulted, "a signal sent was said to be a fault at %p", faulted);
}

int main(void)
{
    const struct sigaction own = {.sa_sigaction = own_handler, .sa_flags = SA_SIGINFO};
    struct worker workers[THREADS];
    const struct timespec moment = {.tv_nsec = 3000000};
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.index = i};
        if (pthread_create(&workers[i].thread, NULL, count, &workers[i]) != 0)
            return 77;
    }
    for (int i = 0; i < THREADS; i++)
        while (workers[i].done == 0) /* all are at it */
            nanosleep(&moment, NULL);
    sigaction(SIGSEGV, &own, NULL);
    check_start();
    nanosleep(&moment, NULL);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        CHECK(counts[i * APART] == workers[i].done, ".bss: %ld of %ld increments", counts[i * APART], workers[i].done);
        CHECK(data_counts[i] - 1000 == workers[i].done, ".data: %ld of %ld increments", data_counts[i] - 1000,
              workers[i].done);
    }
    check_faults();
    return check_finish();
}
