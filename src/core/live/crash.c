/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See crash.h. What has just failed may hold any lock, so a copy of the process, which nobody waits for long, looks up
 * the lines. One PE of a job tells: after a mistake of all, others would say the same.
 */
#include "core/live/crash.h"

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/site.h"
#include "core/internal.h"
#include "core/mem/guard.h"
#include "core/task/task.h"
#if defined(__x86_64__) || defined(__aarch64__)
#include "core/task/machine.h"
#define PLACES true
#else /* all frames are told, this file's and the system's, too */
#define PLACES false
#define core_task_interrupted_at(c) ((void)(c), 0)
#define core_task_called_from(c) ((void)(c), NULL)
#endif

enum { DEEP = 64, TOLD = 24, PATIENCE_S = 5, LOOKS_EACH_S = 500, STACK = 256 << 10 };
enum { NOBODY, TELLING, SAID }; /* of header->crash */

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

static void tell_head(const siginfo_t *info)
{
    const bool address = (info->si_signo == SIGSEGV || info->si_signo == SIGBUS) && info->si_code != SI_KERNEL;

    if (address)
        core_error("%s at address %#lx:", strsignal(info->si_signo), (unsigned long)(uintptr_t)info->si_addr);
    else
        core_error("%s:", strsignal(info->si_signo));
}

/* False: it was the last that says something. The next instruction of a caller may be another line's. */
static bool tell_frame(void *frame, bool caller)
{
    char text[256];

    core_site_text((uintptr_t)frame - caller, text, sizeof text);
    if (text[0])
        core_error("  %s", text);
    else
        core_error("  %p", frame);
    return !strstr(text, " in main") && strncmp(text, "main+", strlen("main+")) != 0;
}

/* In the copy. Frames up to the fault are this file's and the system's. */
static void tell(const siginfo_t *info, const ucontext_t *at)
{
    void *frames[DEEP], *place = (void *)core_task_interrupted_at(at);
    int n, first = 0;

    alarm(PATIENCE_S);
    tell_head(info);
    n = backtrace(frames, DEEP);
    while (PLACES && first < n && frames[first] != place)
        first++;
    if (first == n) { /* what was called is no function, so the stack cannot be read */
        core_error("  %#lx, which is no code, called at", (unsigned long)(uintptr_t)place);
        tell_frame(core_task_called_from(at), true);
    }
    for (int i = first; i < n && i < first + TOLD; i++)
        if (!tell_frame(frames[i], i > first))
            return;
}

static void pause_for_a_look(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000000 / LOOKS_EACH_S}, NULL);
}

static void tell_in_a_copy(const siginfo_t *info, const ucontext_t *at)
{
    pid_t copy = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); /* fork runs what programs have asked for */

    if (copy == 0) {
        tell(info, at);
        _exit(0);
    }
    for (int i = 0; copy > 0 && i < PATIENCE_S * LOOKS_EACH_S && waitpid(copy, NULL, WNOHANG) == 0; i++)
        pause_for_a_look();
}

/* Whoever dies first ends the job, so all wait for the one that tells. The disposition is the default one already:
 * the instruction fails again when we return, and a signal that somebody sent is sent again. */
static void on_fault(int signal, siginfo_t *info, void *context)
{
    uint32_t *crash = &core_seg->header->crash, nobody = NOBODY;

    const bool sent = info->si_code <= 0, own = info->si_pid == getpid() && signal == SIGABRT; /* abort(3) */

    if (sent && !own) {
        kill(getpid(), signal);
        return;
    }
    if (getpid() != core_ctrl_of(core_seg->idx)->pid)
        return; /* a child of the program's */
    if (__atomic_compare_exchange_n(crash, &nobody, TELLING, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        tell_in_a_copy(info, context);
        __atomic_store_n(crash, SAID, __ATOMIC_RELAXED);
    }
    for (int i = 0; i < PATIENCE_S * LOOKS_EACH_S && __atomic_load_n(crash, __ATOMIC_RELAXED) == TELLING; i++)
        pause_for_a_look();
}

/* Where the program's own stack is at its end. Tasks have stacks of their own, and change them in handlers. */
static void make_stack(void)
{
    stack_t stack;
    void *at;

    if (core_task_on() || sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
        return;
    at = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return;
    stack = (stack_t){.ss_sp = at, .ss_size = STACK};
    if (sigaltstack(&stack, NULL) != 0)
        munmap(at, STACK);
}

void core_crash_watch(void)
{
    struct sigaction had, ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND};

    if (!core_params.backtrace || core_guard_on())
        return;
    make_stack();
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &had) == 0 && had.sa_handler == SIG_DFL && !(had.sa_flags & SA_SIGINFO))
            sigaction(signals[i], &ours, NULL);
}
