/* SPDX-License-Identifier: BSD-3-Clause */
/* The program the set-up scripts run: one mode per way of starting and ending, named by the first argument. Prints
 * one line per PE to be compared by the script. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long word;

static void say_hello(void)
{
    printf("PE %d of %d\n", shmem_my_pe(), shmem_n_pes());
}

/* Neighbours exchange a word: the PEs started are one job. */
static int ring_works(void)
{
    int me = shmem_my_pe(), n = shmem_n_pes();

    shmem_long_p(&word, 1000 + me, (me + 1) % n);
    shmem_barrier_all();
    return word == 1000 + (me + n - 1) % n;
}

static int plain(int argc, char **argv)
{
    (void)argc, (void)argv;
    shmem_init();
    say_hello();
    int good = ring_works();
    shmem_finalize();
    return !good;
}

static int old(int argc, char **argv)
{
    start_pes(argc > 2 ? atoi(argv[2]) : 0);
    say_hello();
    return !ring_works();
}

/* level <name>: prints requested, provided and queried level. */
static int level(int argc, char **argv)
{
    static const struct {
        const char *name;
        int level;
    } levels[] = {{"single", SHMEM_THREAD_SINGLE},
                  {"funneled", SHMEM_THREAD_FUNNELED},
                  {"serialized", SHMEM_THREAD_SERIALIZED},
                  {"multiple", SHMEM_THREAD_MULTIPLE}};
    int requested = -1, provided = -1, queried = -1;

    for (size_t i = 0; argc > 2 && i < sizeof levels / sizeof *levels; i++)
        if (strcmp(argv[2], levels[i].name) == 0)
            requested = levels[i].level;
    int status = shmem_init_thread(requested, &provided);

    shmem_query_thread(&queried);
    printf("status %d requested %d provided %d queried %d\n", status, requested, provided, queried);
    int good = ring_works();
    shmem_finalize();
    return !good;
}

/* leave <pe> <status>: that PE calls shmem_global_exit, all others wait in a barrier that never completes. */
static int leave(int argc, char **argv)
{
    shmem_init();
    shmem_barrier_all();
    if (argc > 3 && shmem_my_pe() == atoi(argv[2])) {
        printf("leaving\n");
        shmem_global_exit(atoi(argv[3]));
    }
    shmem_barrier_all();
    printf("not reached\n");
    return 99;
}

/* fits <bytes>: can a block of so many bytes be had? */
static int fits(int argc, char **argv)
{
    shmem_init();
    size_t bytes = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    char *p = shmem_malloc(bytes);
    if (p) {
        p[0] = 1;
        p[bytes - 1] = 1;
    }
    printf("%s\n", p ? "fits" : "does not fit");
    shmem_finalize();
    return 0;
}

/* thread: shmem_init_thread and the end of the program tell about a bad environment. */
static int thread(int argc, char **argv)
{
    int provided;

    (void)argc, (void)argv;
    if (shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) != 0) {
        fprintf(stderr, "init_thread returned nonzero\n");
        return 5;
    }
    shmem_finalize();
    return 0;
}

static const struct mode {
    const char *name;
    int (*run)(int, char **);
} modes[] = {{"plain", plain}, {"old", old}, {"level", level}, {"leave", leave}, {"fits", fits}, {"thread", thread}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0)
            return modes[i].run(argc, argv);
    fprintf(stderr, "usage: modes MODE [ARGUMENTS]\n");
    return 2;
}
