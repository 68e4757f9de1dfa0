/* SPDX-License-Identifier: BSD-3-Clause */
/* The program the launcher tests run: probe MODE [ARGUMENTS], one mode per thing to look at. Modes that need the
 * library's start are in the second half of the table. */
#include <shmem.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me, n;

static int arguments(int argc, char **argv)
{
    for (int i = 2; i < argc; i++)
        printf("PE %d argument %d [%s]\n", me, i - 2, argv[i]);
    return 0;
}

static int variable(int argc, char **argv)
{
    for (int i = 2; i < argc; i++)
        printf("PE %d %s=[%s]\n", me, argv[i], getenv(argv[i]) ? getenv(argv[i]) : "unset");
    return 0;
}

/* Everything on stdin, as PE 0 sees it; the others report how much they could read. */
static int echo(int argc, char **argv)
{
    char buffer[65536];
    ssize_t got, total = 0;

    (void)argc, (void)argv;
    while ((got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0) {
        total += got;
        if (me == 0 && fwrite(buffer, 1, (size_t)got, stdout) != (size_t)got)
            return 1;
    }
    if (me != 0)
        printf("PE %d read %zd bytes\n", me, total);
    return got < 0;
}

/* lines COUNT LENGTH: lines of one letter each, in pieces that a buffer cuts anywhere. */
static int lines(int argc, char **argv)
{
    int count = argc > 2 ? atoi(argv[2]) : 1, length = argc > 3 ? atoi(argv[3]) : 10;
    char *line = malloc((size_t)length + 64);

    if (!line)
        return 1;
    for (int i = 0; i < count; i++) {
        int head = sprintf(line, "%d:%d:", me, i);
        memset(line + head, 'a' + me % 26, (size_t)length);
        line[head + length] = '\n';
        for (int at = 0, all = head + length + 1; at < all;) {
            int piece = all - at < 1000 ? all - at : 1000;
            ssize_t done = write(i % 4 == 3 ? STDERR_FILENO : STDOUT_FILENO, line + at, (size_t)piece);
            if (done < 0 && errno != EINTR)
                return 1;
            at += done > 0 ? (int)done : 0;
        }
    }
    free(line);
    return 0;
}

/* A last line without its end, on both streams. */
static int partial(int argc, char **argv)
{
    (void)argc, (void)argv;
    printf("whole %d\nhalf %d", me, me);
    fflush(stdout);
    fprintf(stderr, "error %d", me);
    return 0;
}

/* status S0 S1 ...: PE i exits with Si, in the order of the PEs. */
static int status(int argc, char **argv)
{
    usleep((useconds_t)me * 30000);
    return 2 + me < argc ? atoi(argv[2 + me]) : 0;
}

static volatile sig_atomic_t caught;

static void note(int sig)
{
    caught = sig;
}

static int identity(int argc, char **argv)
{
    (void)argc, (void)argv;
    printf("PE %d of %d\n", shmem_my_pe(), shmem_n_pes());
    return 0;
}

/* await SIGNAL FILE: says when it is ready by making FILE.<pe>, reports the signal, and ends well. */
static int await(int argc, char **argv)
{
    char file[4096];
    struct sigaction action = {.sa_handler = note};

    if (argc < 4)
        return 2;
    sigaction(atoi(argv[2]), &action, NULL);
    snprintf(file, sizeof file, "%s.%d", argv[3], me);
    close(open(file, O_CREAT | O_WRONLY, 0600));
    for (int i = 0; i < 1000 && !caught; i++)
        usleep(10000);
    printf("PE %d caught %d\n", me, (int)caught);
    shmem_barrier_all();
    return 0;
}

/* linger FILE: ready, then asleep with all signals at their defaults. */
static int linger(int argc, char **argv)
{
    char file[4096];

    if (argc < 3)
        return 2;
    snprintf(file, sizeof file, "%s.%d", argv[2], me);
    close(open(file, O_CREAT | O_WRONLY, 0600));
    sleep(30);
    return 0;
}

/* ring ROUNDS: a word goes round; prints one line on PE 0. */
static int ring(int argc, char **argv)
{
    static long word;
    int rounds = argc > 2 ? atoi(argv[2]) : 1;

    for (long r = 1; r <= rounds; r++) {
        if (me > 0)
            shmem_long_wait_until(&word, SHMEM_CMP_GE, r);
        shmem_long_p(&word, r, (me + 1) % n);
        if (me == 0)
            shmem_long_wait_until(&word, SHMEM_CMP_GE, r);
    }
    shmem_barrier_all();
    if (me == 0)
        printf("%d rounds of %d PEs\n", rounds, n);
    return 0;
}

static const struct mode {
    const char *name;
    int (*run)(int, char **);
} modes[] = {{"arguments", arguments}, {"variable", variable}, {"echo", echo},         {"lines", lines},
             {"partial", partial},     {"status", status},     {"identity", identity}, {"await", await},
             {"linger", linger},       {"ring", ring}};

int main(int argc, char **argv)
{
    int result = 2;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0)
            result = modes[i].run(argc, argv);
    fflush(stdout);
    shmem_finalize();
    return result;
}
