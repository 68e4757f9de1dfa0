/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Children of core/base/child.h on stacks in memory that processes share, as that of tasks is, one started by another:
 * whether they have our memory or are copies of us, whoever starts one goes on when it has done.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/child.h"
#include "harness.h"

enum { STACK = 64 << 10, ANSWER = 4711 };

struct shared {
    _Alignas(64) char stacks[2][STACK];
    volatile int done;
    int seen; /* of `done`, by who started the second one */
};

struct job {
    struct shared *shared;
    int answer;
};

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* The child has begun by the time that whoever started it goes on. */
int clone(int (*run)(void *), void *stack, int flags, void *arg, ...)
{
    int (*real)(int (*)(void *), void *, int, void *, ...) =
        (int (*)(int (*)(void *), void *, int, void *, ...))dlsym(RTLD_NEXT, "clone");
    int pid = real(run, stack, flags, arg), error = errno;

    sleep_ms(5);
    errno = error;
    return pid;
}

static int work(void *arg)
{
    struct job *j = arg;

    sleep_ms(50);
    j->shared->done++;
    j->answer = ANSWER;
    return 0;
}

static int middle(void *arg)
{
    struct job *j = arg;
    pid_t pid = core_child_start(
        &(struct core_child){work, j, j->shared->stacks[1] + STACK, SIGCHLD, &j->answer, sizeof j->answer});

    j->shared->seen = pid > 0 ? j->shared->done : -errno;
    waitpid(pid, NULL, __WALL);
    return 0;
}

static void check(struct shared *shared, const char *kind)
{
    struct job j = {.shared = shared};
    pid_t pid;

    shared->done = 0;
    pid = core_child_start(
        &(struct core_child){middle, &j, shared->stacks[0] + STACK, SIGCHLD, &j.answer, sizeof j.answer});
    EXPECT(pid > 0, "%s: errno %d", kind, errno);
    EXPECT(shared->seen == 1 && shared->done == 1, "%s: went on before its child had done (%d, %d)", kind, shared->seen,
           shared->done);
    EXPECT(j.answer == ANSWER, "%s: the answer is %d", kind, j.answer);
    EXPECT(waitpid(pid, NULL, __WALL) == pid, "%s: no child to wait for", kind);
}

/* As emulators of a processor do. */
static bool refuse_children_on_our_memory(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_VFORK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &(struct sock_fprog){sizeof filter / sizeof *filter, filter}) ==
               0;
}

int main(void)
{
    struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    check(shared, "as the system has them");
    if (refuse_children_on_our_memory())
        check(shared, "copies");
    return 0;
}
