/* SPDX-License-Identifier: BSD-3-Clause */
/* What the C library asks the kernel of a thread: the same as processes and as tasks, whose thread is the carrier. And
 * users and groups, which it changes for all threads of a process. */
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int me;

static int is_right_cpu(void)
{
    for (int i = 0; i < 1000; i++) {
        unsigned before, after;
        int told;

        syscall(SYS_getcpu, &before, NULL, NULL);
        told = sched_getcpu();
        syscall(SYS_getcpu, &after, NULL, NULL);
        if (before == after && told != (int)before)
            return 0;
    }
    return 1;
}

static int is_right_affinity(void)
{
    cpu_set_t set, kernels;

    CPU_ZERO(&set);
    CPU_ZERO(&kernels);
    if (pthread_getaffinity_np(pthread_self(), sizeof set, &set) != 0 ||
        pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0)
        return 0;
    sched_getaffinity(0, sizeof kernels, &kernels);
    return CPU_EQUAL(&set, &kernels) && pthread_setaffinity_np(pthread_self(), 0, &set) == EINVAL;
}

static int has_clock(void)
{
    struct timespec a, b;
    clockid_t clock;

    if (pthread_getcpuclockid(pthread_self(), &clock) != 0 || clock_gettime(clock, &a) != 0)
        return 0;
    for (volatile long i = 0; i < 10000000; i++)
        continue;
    clock_gettime(clock, &b);
    return (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec > 1000000;
}

static void say_changes(const char *who)
{
    uid_t u = getuid();
    gid_t g = getgid();

    printf("%d: %s %d %d %d %d\n", me, who, setgid(g), setuid(u), setegid(g), seteuid(u));
    printf("%d: %s %d %d %d %d\n", me, who, setregid(g, g), setreuid(u, u), setresgid(g, g, g), setresuid(u, u, u));
    errno = 0;
    printf("%d: %s no such number %d %s\n", me, who, setuid((uid_t)-1), strerror(errno));
    fflush(stdout);
}

int main(void)
{
    struct sched_param param;
    int policy;

    shmem_init();
    me = shmem_my_pe();
    for (int i = 0; i < 3; i++) {
        shmem_barrier_all();
        printf("%d: cpu %d affinity %d clock %d\n", me, is_right_cpu(), is_right_affinity(), has_clock());
        printf("%d: policy %d\n", me,
               pthread_getschedparam(pthread_self(), &policy, &param) == 0 && policy == SCHED_OTHER);
        say_changes("the PE");
    }
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        say_changes("its child");
        _exit(0);
    }
    waitpid(child, NULL, 0);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
