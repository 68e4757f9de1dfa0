/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that wait in the kernel, for what another PE does: tasks_blocks MODE FOLDER. Each PE prints what it gets: the
 * same as processes and as tasks. A PE that kept its process while it waits would hang the job. */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <shmem.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LARGE = 3 << 20 };
static int me, n;
static const char *folder;

static const char *path_of(const char *what, int pe)
{
    static char path[2][200];
    static unsigned next;
    char *at = path[next++ % 2];

    snprintf(at, sizeof path[0], "%s/%s.%d", folder, what, pe);
    return at;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int own_fifo(const char *what)
{
    const char *path = path_of(what, me);
    int fd;

    if (mkfifo(path, 0600) != 0 || (fd = open(path, O_RDWR)) < 0) {
        perror(path);
        exit(1);
    }
    shmem_barrier_all();
    return fd;
}

/* The next PE's, to be written to. */
static int next_fifo(const char *what)
{
    return open(path_of(what, (me + 1) % n), O_RDWR);
}

/* ------------------------------------------------------------------ pipes -- */

/* From PE to PE round the circle, each waiting for the one before; every way to read. */
static void pipes(void)
{
    int in = own_fifo("pipe"), out = next_fifo("pipe");
    char text[64], a[3], b[8];
    struct iovec parts[2] = {{a, 2}, {b, 6}};
    ssize_t got;

    for (int round = 0; round < 3; round++) {
        if (me == 0) {
            usleep(20000);
            dprintf(out, "round %d\n", round);
        }
        memset(text, 0, sizeof text);
        if (round < 2) {
            got = read(in, text, sizeof text - 1);
        } else {
            memset(a, 0, sizeof a);
            got = readv(in, parts, 2);
            memcpy(text, a, 2);
            memcpy(text + 2, b, 6);
        }
        printf("%d: %zd bytes: %.7s\n", me, got, text);
        if (me > 0 && write(out, text, (size_t)got) != got)
            printf("%d: write fails\n", me);
    }
    close(in);
    close(out);
}

/* The same by streams, a way to read for each round. */
static void streams(void)
{
    FILE *in = fdopen(own_fifo("streams"), "r");
    int out = next_fifo("streams"), number = -1;
    char text[16] = "", *line = NULL;
    size_t room = 0;

    for (int round = 0; round < 5; round++) {
        if (me == 0) {
            usleep(10000);
            dprintf(out, "%d\n", 10 * round);
        }
        if (round == 0 && fgets(text, sizeof text, in))
            number = atoi(text);
        if (round == 1 && getline(&line, &room, in) > 0)
            number = atoi(line);
        if (round == 2 && fscanf(in, "%d", &number) == 1)
            fgetc(in);
        if (round == 3 && fread(text, 1, 3, in) == 3)
            number = atoi(text);
        if (round == 4) {
            number = fgetc(in) - '0';
            while (fgetc(in) != '\n')
                number *= 10;
        }
        printf("%d: round %d: %d\n", me, round, number);
        if (me > 0)
            dprintf(out, "%d\n", 10 * round);
    }
    free(line);
    fclose(in);
    close(out);
}

/* More than a pipe holds, to a PE that reads later. */
static void large(void)
{
    int in = own_fifo("large"), out = next_fifo("large");
    char *data = malloc(LARGE);
    size_t done = 0;

    for (size_t i = 0; i < LARGE; i++)
        data[i] = (char)(i * 7 + (size_t)me);
    if (me % 2 == 0 && write(out, data, LARGE) != LARGE)
        printf("%d: write fails\n", me);
    if (me % 2 == 1) {
        usleep(30000);
        for (ssize_t got; done < LARGE && (got = read(in, data + done, LARGE - done)) > 0;)
            done += (size_t)got;
        for (size_t i = 0; i < done; i++)
            if (data[i] != (char)(i * 7 + (size_t)me - 1))
                done = 0;
    }
    printf("%d: %zu\n", me, done);
    free(data);
    close(in);
    close(out);
}

/* --------------------------------------------------------------- sockets -- */

static struct sockaddr_un address(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};

    snprintf(a.sun_path, sizeof a.sun_path, "%s/s", folder);
    return a;
}

static void serve(void)
{
    struct sockaddr_un a = address();
    int s = socket(AF_UNIX, SOCK_STREAM, 0), *all = calloc((size_t)n, sizeof *all);
    char *data = malloc(LARGE);

    if (bind(s, (struct sockaddr *)&a, sizeof a) != 0 || listen(s, n) != 0)
        printf("no socket\n");
    shmem_barrier_all();
    for (int i = 1; i < n; i++) {
        int fd = accept(s, NULL, NULL), pe = 0;

        if (recv(fd, &pe, sizeof pe, 0) == sizeof pe && pe > 0 && pe < n)
            all[pe] = fd;
    }
    for (int pe = 1; pe < n; pe++) {
        memset(data, pe, LARGE);
        if (send(all[pe], data, LARGE, 0) != LARGE || recv(all[pe], data, LARGE, MSG_WAITALL) != LARGE)
            printf("PE %d fails\n", pe);
        printf("%d: from %d: %d %d\n", me, pe, data[0], data[LARGE - 1]);
        close(all[pe]);
    }
    close(s);
    free(all);
    free(data);
}

static void ask(void)
{
    struct sockaddr_un a = address();
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    char *data = malloc(LARGE);
    struct iovec part = {data, 1};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};

    shmem_barrier_all();
    usleep((useconds_t)me * 5000);
    if (connect(s, (struct sockaddr *)&a, sizeof a) != 0 || send(s, &me, sizeof me, 0) != sizeof me)
        printf("%d: cannot connect\n", me);
    printf("%d: first %zd\n", me, recvmsg(s, &m, 0));
    printf("%d: rest %zd, %d\n", me, recv(s, data + 1, LARGE - 1, MSG_WAITALL), data[LARGE - 1]);
    memset(data, me + 100, LARGE);
    printf("%d: sends %zd\n", me, send(s, data, LARGE, 0));
    close(s);
    free(data);
}

static void sockets(void)
{
    if (me == 0)
        serve();
    else
        ask();
}

/* ----------------------------------------------------------------- limits -- */

static void tell(const char *what, int rc, double began, double least)
{
    double took = now() - began;

    printf("%d: %s gives %d%s\n", me, what, rc, took >= least && took < least + 5 ? "" : ", at the wrong time");
}

/* A limit that is over, then something before it is. */
static void limits(void)
{
    int in = own_fifo("limits"), out = next_fifo("limits"), e = epoll_create1(0);
    struct pollfd p = {.fd = in, .events = POLLIN};
    struct epoll_event event = {.events = EPOLLIN};
    struct timeval limit = {0, 40000};
    struct timespec least = {0, 40000000};
    fd_set set;
    double t = now();

    epoll_ctl(e, EPOLL_CTL_ADD, in, &event);
    tell("poll", poll(&p, 1, 40), t, 0.04);
    t = now();
    tell("ppoll", ppoll(&p, 1, &least, NULL), t, 0.04);
    t = now();
    tell("epoll_wait", epoll_wait(e, &event, 1, 40), t, 0.04);
    FD_ZERO(&set);
    FD_SET(in, &set);
    t = now();
    tell("select", select(in + 1, &set, NULL, NULL, &limit), t, 0.04);
    printf("%d: left %ld, set %d\n", me, (long)(limit.tv_sec + limit.tv_usec), !!FD_ISSET(in, &set));
    t = now();
    tell("select of nothing", select(0, NULL, NULL, NULL, &(struct timeval){0, 40000}), t, 0.04);
    shmem_barrier_all();
    if (me % 2 == 0) { /* those wait for their neighbours, who come late */
        t = now();
        tell("poll", poll(&p, 1, 10000), t, 0);
        t = now();
        tell("epoll_wait", epoll_wait(e, &event, 1, -1), t, 0);
        FD_ZERO(&set);
        FD_SET(in, &set);
        tell("select", select(in + 1, &set, NULL, NULL, NULL), t, 0);
        printf("%d: set %d\n", me, !!FD_ISSET(in, &set));
    } else {
        usleep(20000);
        if (write(out, "x", 1) != 1)
            printf("%d: write fails\n", me);
    }
    close(e);
    close(in);
    close(out);
}

/* Who sleeps, or waits for nothing, leaves the core alone: also many of a process. */
static void asleep(void)
{
    int in = own_fifo("asleep");
    clock_t began = clock(), used;

    if (me % 2)
        usleep(600000);
    else
        poll(&(struct pollfd){.fd = in, .events = POLLIN}, 1, 600);
    used = clock() - began;
    printf("%d: %s\n", me, used < CLOCKS_PER_SEC / 6 ? "little" : "much");
    close(in);
}

/* Descriptor 0 is the PE's: of others than PE 0 it is at its end. */
static void standard(void)
{
    struct pollfd p = {.fd = 0, .events = POLLIN};
    fd_set set;
    char text[16] = "";
    ssize_t got;

    FD_ZERO(&set);
    FD_SET(0, &set);
    printf("%d: poll %d", me, poll(&p, 1, 20000));
    printf(", select %d", select(1, &set, NULL, NULL, NULL));
    printf(", set %d", !!FD_ISSET(0, &set));
    got = read(0, text, 5);
    printf(", read %zd %.5s\n", got, text);
}

static void on_signal(int sig)
{
    (void)sig;
}

/* A handler ends a call that waits, or the call begins again. */
static void handlers(void)
{
    struct sigaction act = {.sa_handler = on_signal};
    struct itimerval soon = {.it_value.tv_usec = 30000};
    int in = own_fifo("handlers"), out = next_fifo("handlers"), rc;
    char c = 0;

    sigaction(SIGALRM, &act, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    rc = (int)read(in, &c, 1);
    printf("%d: read %d %s\n", me, rc, strerror(errno));
    act.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &act, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    rc = poll(&(struct pollfd){.fd = in, .events = POLLIN}, 1, 20000);
    printf("%d: poll %d %s\n", me, rc, strerror(errno));
    shmem_barrier_all();
    setitimer(ITIMER_REAL, &soon, NULL);
    if (me % 2) {
        usleep(90000);
        usleep(90000); /* the first is ended by the alarm */
        if (write(out, "y", 1) != 1)
            printf("%d: write fails\n", me);
    } else {
        rc = (int)read(in, &c, 1);
        printf("%d: read %d %c\n", me, rc, c);
    }
    close(in);
    close(out);
}

/* -------------------------------------------------------------- locks -- */

/* Each adds to the number in a file, and is away from its core between reading and writing. */
static void locks(void)
{
    const char *path = path_of("lock", 0);
    int fd = open(path, O_RDWR | O_CREAT, 0600), value;

    shmem_barrier_all();
    for (int i = 0; i < 10; i++) {
        flock(fd, LOCK_EX);
        value = 0;
        if (pread(fd, &value, sizeof value, 0) < 0)
            printf("%d: read fails\n", me);
        usleep(500);
        value++;
        if (pwrite(fd, &value, sizeof value, 0) != sizeof value)
            printf("%d: write fails\n", me);
        flock(fd, LOCK_UN);
    }
    shmem_barrier_all();
    if (pread(fd, &value, sizeof value, 0) == sizeof value)
        printf("%d: %d\n", me, value);
    close(fd);
}

/* ---------------------------------------------------------------- threads -- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static sem_t posted;
static int ready;

/* Holds the locks for a while, then says so in each way. */
static void *holder(void *arg)
{
    sem_t *held = arg;

    pthread_mutex_lock(&mutex);
    pthread_rwlock_wrlock(&shared);
    sem_post(held);
    usleep(30000);
    ready = 1;
    pthread_rwlock_unlock(&shared);
    pthread_mutex_unlock(&mutex);
    usleep(20000);
    pthread_mutex_lock(&mutex);
    ready = 2;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    usleep(20000);
    sem_post(&posted);
    return NULL;
}

static struct timespec in_ms(clockid_t clock, long ms)
{
    struct timespec t;

    clock_gettime(clock, &t);
    t.tv_nsec += ms % 1000 * 1000000;
    t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

/* Locks, conditions and semaphores of a PE's threads, with limits that are reached and others. */
static void threads(void)
{
    struct timespec soon, late = in_ms(CLOCK_REALTIME, 20000);
    pthread_t thread;
    sem_t held;
    int rc = 0;

    sem_init(&held, 0, 0);
    sem_init(&posted, 0, 0);
    pthread_create(&thread, NULL, holder, &held);
    sem_wait(&held);
    soon = in_ms(CLOCK_REALTIME, 5);
    printf("%d: timed lock %d, semaphore %d", me, pthread_mutex_timedlock(&mutex, &soon),
           sem_timedwait(&posted, &soon));
    printf(" %s\n", strerror(errno));
    printf("%d: read lock %d\n", me, pthread_rwlock_rdlock(&shared));
    printf("%d: unlock %d, ready %d\n", me, pthread_rwlock_unlock(&shared), ready > 0);
    rc = pthread_mutex_timedlock(&mutex, &late);
    printf("%d: lock %d\n", me, rc);
    soon = in_ms(CLOCK_REALTIME, 5);
    for (rc = 0; rc == 0 && ready < 3;)
        rc = pthread_cond_timedwait(&condition, &mutex, &soon);
    printf("%d: condition %d\n", me, rc == ETIMEDOUT);
    for (rc = 0; rc == 0 && ready < 2;)
        rc = pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &late);
    printf("%d: condition %d, ready %d\n", me, rc, ready);
    pthread_mutex_unlock(&mutex);
    rc = sem_timedwait(&posted, &late);
    printf("%d: semaphore %d\n", me, rc);
    pthread_join(thread, NULL);
}

/* --------------------------------------------------------------- children -- */

static void children(void)
{
    enum { N = 3 };
    pid_t pids[N], pid;
    char *const command[] = {(char *)"sh", (char *)"-c", (char *)"echo spawned; exit 5", NULL};
    extern char **environ;
    int status, sum = 0;

    for (int i = 0; i < N; i++) {
        pids[i] = i % 2 ? fork() : vfork();
        if (pids[i] == 0) {
            usleep((useconds_t)(N - i) * 10000);
            _exit(10 * me + i);
        }
    }
    for (int i = 0; i < N; i++) {
        bool mine = false;

        pid = i == 1 ? waitpid(-1, &status, 0) : wait(&status);
        for (int k = 0; k < N; k++)
            if (pids[k] == pid) {
                mine = true;
                sum += WEXITSTATUS(status) == 10 * me + k;
            }
        if (!mine)
            printf("%d: waited for a child of another\n", me);
    }
    pid = wait(&status);
    printf("%d: %d right, then %d %s\n", me, sum, (int)pid, strerror(errno));
    fflush(stdout);
    if (posix_spawnp(&pid, "sh", NULL, NULL, command, environ) != 0)
        printf("%d: posix_spawnp fails\n", me);
    pid = waitpid(pid, &status, 0) == pid;
    printf("%d: spawned %d, status %d\n", me, (int)pid, WEXITSTATUS(status));
}

/* --------------------------------------------------------------- messages -- */

static void messages(void)
{
    siginfo_t info = {.si_signo = SIGUSR1, .si_code = SI_USER, .si_pid = 1};

    printf("%d: before\n", me);
    shmem_barrier_all();
    errno = ENOENT;
    warn("warn %d", me);
    warnx("warnx %d", me);
    errno = ENOENT;
    perror("perror");
    psignal(SIGUSR1, "psignal");
    psiginfo(&info, "psiginfo");
    error(0, EACCES, "error %d", me);
    error_at_line(0, 0, "file", 7, "line %d", me);
    shmem_barrier_all();
    shmem_finalize();
    if (me == 1)
        error(0, 0, "no end");
    errno = ENOENT;
    if (me % 2)
        err(0, "end %d", me);
    error(0, 0, "last");
    errx(0, "end %d", me);
}

static const struct {
    const char *name;
    void (*run)(void);
} modes[] = {
    {"pipes", pipes},   {"streams", streams},   {"large", large},       {"sockets", sockets},
    {"limits", limits}, {"standard", standard}, {"asleep", asleep},     {"handlers", handlers},
    {"locks", locks},   {"threads", threads},   {"children", children}, {"messages", messages},
};

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    folder = argc > 2 ? argv[2] : ".";
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, argv[1]) == 0)
            modes[i].run();
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
