/* SPDX-License-Identifier: BSD-3-Clause */
/* One PE ends in a way it should not while the others wait somewhere: victim HOW PE WHERE [FILE].
 * HOW: segv, abort, kill=SIGNAL, exit=STATUS, _exit=STATUS, return=STATUS, none. WHERE: see places below.
 * FILE, when given, is created when all others are about to wait, and the victim waits for "FILE.go" to end. */
#include <shmem.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long lock, word, source = 1, dest;
static int victim;
static uint64_t signal_word;

static void in_barrier(void)
{
    shmem_barrier_all();
}
static void in_sync(void)
{
    shmem_team_sync(SHMEM_TEAM_WORLD);
}
static void in_reduce(void)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &dest, &source, 1);
}
static void in_malloc(void)
{
    shmem_free(shmem_malloc(64));
}
static void in_wait(void)
{
    shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
}
static void in_signal(void)
{
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 1);
}
static void in_lock(void)
{
    shmem_set_lock(&lock);
}
static void in_finalize(void)
{
    shmem_finalize();
}
static void in_sleep(void)
{
    sleep(60);
}

static void in_broadcast(void)
{
    shmem_long_broadcast(SHMEM_TEAM_WORLD, &dest, &source, 1, victim);
}

/* No call of the library at all: only the launcher can end this. */
static void in_loop(void)
{
    for (volatile unsigned long i = 0; i < 1ul << 40; i++)
        continue;
}

static const struct {
    const char *name;
    void (*wait)(void);
} places[] = {{"barrier", in_barrier},   {"sync", in_sync},   {"reduce", in_reduce}, {"broadcast", in_broadcast},
              {"malloc", in_malloc},     {"wait", in_wait},   {"signal", in_signal}, {"lock", in_lock},
              {"finalize", in_finalize}, {"sleep", in_sleep}, {"loop", in_loop}};

static int end(const char *how)
{
    int number = strchr(how, '=') ? atoi(strchr(how, '=') + 1) : 0;

    if (strcmp(how, "segv") == 0)
        *(volatile int *)(uintptr_t)number = 1;
    if (strcmp(how, "abort") == 0)
        abort();
    if (strncmp(how, "kill=", 5) == 0)
        raise(number);
    if (strncmp(how, "exit=", 5) == 0)
        exit(number);
    if (strncmp(how, "_exit=", 6) == 0)
        _exit(number);
    return number; /* return=, none */
}

static void announce(const char *file)
{
    char go[4096];

    if (!file)
        return;
    close(open(file, O_CREAT | O_WRONLY, 0600));
    snprintf(go, sizeof go, "%s.go", file);
    while (access(go, F_OK) != 0)
        usleep(5000);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    victim = atoi(argv[2]);
    shmem_init();
    if (shmem_my_pe() == victim) {
        shmem_set_lock(&lock);
        printf("victim is process %d\n", (int)getpid());
        fflush(stdout);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == victim) {
        usleep(60000); /* the others are waiting by now */
        announce(argc > 4 ? argv[4] : NULL);
        return end(argv[1]);
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(argv[3], places[i].name) == 0)
            places[i].wait();
    printf("PE %d went on\n", shmem_my_pe());
    return 0;
}
