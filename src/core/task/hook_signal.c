/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals: each PE has its own handlers, mask and alarm. The process has one handler for all, which calls that of the
 * task that a signal is for: a fault is that of the task that runs, as is what it sends itself; an alarm that of who
 * has set it; what comes from outside is for all. A task that doesn't run gets its signals when it goes on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/task/hooks.h"
#include "core/task/signals.h"

enum { SIGNALS = 64 };

static struct {
    bool direct; /* a child that a PE has forked: it has its process's signals for itself */
    uint64_t known, alarms; /* of which `before` is known; that are one task's though nobody has a handler */
    struct sigaction before[SIGNALS + 1];
    bool masks; /* somebody has set one */
    sigset_t mask; /* the carrier's */
} core_task_signals;

static uint64_t bit_of(int sig)
{
    return 1ul << (sig - 1);
}

static const struct sigaction *action_of(const struct core_task *t, int sig)
{
    if (t->own->signals.set & bit_of(sig))
        return &t->own->signals.actions[sig];
    if (!(core_task_signals.known & bit_of(sig))) {
        core_task_real.sigaction(sig, NULL, &core_task_signals.before[sig]);
        core_task_signals.known |= bit_of(sig);
    }
    return &core_task_signals.before[sig];
}

/* ------------------------------------------------------------- delivery -- */

static bool is_harmless(int sig)
{
    return sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH || sig == SIGCONT;
}

static bool is_stop(int sig)
{
    return sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

/* The process ends, and its launcher names this task. */
static void die(const struct core_task *t, int sig)
{
    struct sigaction act = {.sa_handler = SIG_DFL};
    sigset_t set;

    t->host->board->running = t->bit;
    core_task_real.sigaction(sig, &act, NULL);
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), sig);
    sigemptyset(&set);
    sigaddset(&set, sig);
    core_task_real.signal_mask(SIG_UNBLOCK, &set, NULL);
}

static void act(struct core_task *t, int sig, siginfo_t *info, void *context)
{
    struct sigaction a = *action_of(t, sig);

    if (a.sa_handler == SIG_IGN || (a.sa_handler == SIG_DFL && is_harmless(sig)))
        return;
    if (a.sa_handler == SIG_DFL && is_stop(sig)) {
        kill(getpid(), SIGSTOP);
        return;
    }
    if (a.sa_handler == SIG_DFL) {
        die(t, sig);
        return;
    }
    if (a.sa_flags & SA_RESETHAND)
        t->own->signals.actions[sig].sa_handler = SIG_DFL;
    t->interrupts++;
    t->breaks += !(a.sa_flags & SA_RESTART);
    core_task_ready(t->host->board, t->bit); /* it may sleep, and its process here */
    if (a.sa_flags & SA_SIGINFO)
        a.sa_sigaction(sig, info, context);
    else
        a.sa_handler(sig);
}

/* Signals of a task that goes on, or has let them in. */
static void deliver(struct core_task *t)
{
    for (int sig = 1; sig <= SIGNALS; sig++) {
        siginfo_t info = {.si_signo = sig, .si_code = SI_USER};
        ucontext_t context = {0};
        sigset_t now, old;

        if (!(t->pending & bit_of(sig)) || (core_task_signals.masks && sigismember(&t->own->signals.mask, sig) == 1))
            continue;
        __atomic_fetch_and(&t->pending, ~bit_of(sig), __ATOMIC_RELAXED);
        now = action_of(t, sig)->sa_mask;
        sigaddset(&now, sig);
        sigaddset(&now, CORE_TASK_TICK);
        core_task_real.signal_mask(SIG_BLOCK, &now, &old);
        act(t, sig, &info, &context);
        core_task_real.signal_mask(SIG_SETMASK, &old, NULL);
    }
}

static void send_signal(struct core_task *t, int sig)
{
    __atomic_fetch_or(&t->pending, bit_of(sig), __ATOMIC_RELAXED);
    t->host->resume = core_task_resume;
    core_task_ready(t->host->board, t->bit);
}

static bool is_for_all(const siginfo_t *info)
{
    bool user = info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL;

    return (user && info->si_pid != getpid()) || (info->si_signo == SIGCHLD && info->si_code > 0);
}

static struct core_task *owner_of(const siginfo_t *info)
{
    struct core_task *t = info->si_value.sival_ptr, *here = core_task_here();
    const struct core_task_host *h = here->host;

    return info->si_signo == SIGALRM && info->si_code == SI_TIMER && t >= h->tasks && t < h->tasks + h->n ? t : here;
}

static void handle(int sig, siginfo_t *info, void *context)
{
    struct core_task *here = core_task_here(), *t = owner_of(info);
    const struct core_task_host *h = here->host;
    int error = errno;

    if (is_for_all(info)) {
        for (unsigned i = 0; i < h->n; i++)
            if (&h->tasks[i] != here && !h->tasks[i].ended) {
                if (action_of(&h->tasks[i], sig)->sa_handler == SIG_DFL)
                    act(&h->tasks[i], sig, info, context);
                else
                    send_signal(&h->tasks[i], sig);
            }
        t = here;
    }
    if (t == here)
        act(t, sig, info, context);
    else if (!t->ended)
        send_signal(t, sig);
    errno = error;
}

/* What a task sends itself while its mask keeps it out waits here: in the kernel another task might let it in. */
static bool is_kept(int sig)
{
    struct core_task *t = core_task_self;

    if (!t || !core_task_signals.masks || sig < 1 || sig > SIGNALS || sigismember(&t->own->signals.mask, sig) != 1)
        return false;
    __atomic_fetch_or(&t->pending, bit_of(sig), __ATOMIC_RELAXED);
    return true;
}

static int raise_signal(int sig)
{
    return is_kept(sig) ? 0 : core_task_real.raise(sig);
}

static int send_to_process(pid_t pid, int sig)
{
    return core_task_self && pid == core_task_self->host->pid && is_kept(sig) ? 0 : core_task_real.kill(pid, sig);
}

static int send_to_thread(pthread_t thread, int sig)
{
    return thread == pthread_self() ? raise_signal(sig) : core_task_real.kill_thread(thread, sig);
}

/* ---------------------------------------------------------- dispositions -- */

static bool all_have(const struct core_task_host *h, int sig, sighandler_t what)
{
    for (unsigned i = 0; i < h->n; i++)
        if (!h->tasks[i].ended && action_of(&h->tasks[i], sig)->sa_handler != what)
            return false;
    return true;
}

/* What all tasks want is the process's, so that programs which they execute find it, too. */
static int install(const struct core_task *t, int sig)
{
    const struct sigaction *a = action_of(t, sig);
    struct sigaction common = *a;

    if (a->sa_handler == SIG_IGN || (a->sa_handler == SIG_DFL && !(core_task_signals.alarms & bit_of(sig))))
        if (all_have(t->host, sig, a->sa_handler))
            return core_task_real.sigaction(sig, &common, NULL);
    common.sa_sigaction = handle;
    common.sa_flags = (a->sa_flags & ~SA_RESETHAND) | SA_SIGINFO;
    sigaddset(&common.sa_mask, CORE_TASK_TICK); /* handlers are not interrupted by other tasks */
    return core_task_real.sigaction(sig, &common, NULL);
}

static int set_action(int sig, const struct sigaction *new, struct sigaction *old)
{
    struct core_task *t = core_task_here();
    struct core_task_signals *s = &t->own->signals;

    if (core_task_signals.direct || sig < 1 || sig > SIGNALS || sig == SIGKILL || sig == SIGSTOP)
        return core_task_real.sigaction(sig, new, old);
    if (!s->actions && !(s->actions = calloc(SIGNALS + 1, sizeof *s->actions)))
        core_fatal("sigaction: out of memory");
    struct sigaction was = *action_of(t, sig);
    if (new) {
        s->actions[sig] = *new;
        s->set |= bit_of(sig);
        if (install(t, sig) != 0)
            return -1;
    }
    if (old)
        *old = was;
    return 0;
}

static sighandler_t set_handler(int sig, sighandler_t handler, int flags)
{
    struct sigaction new = {.sa_handler = handler, .sa_flags = flags}, old;

    return handler != SIG_ERR && set_action(sig, &new, &old) == 0 ? old.sa_handler : SIG_ERR;
}

static sighandler_t set_signal(int sig, sighandler_t handler)
{
    return set_handler(sig, handler, SA_RESTART);
}

static sighandler_t set_sysv_signal(int sig, sighandler_t handler)
{
    return set_handler(sig, handler, (int)(SA_RESETHAND | SA_NODEFER));
}

/* ------------------------------------------------------------------ masks -- */

static void note_masks(struct core_task_host *h, const sigset_t *old)
{
    for (unsigned i = 0; !core_task_signals.masks && i < h->n; i++)
        h->tasks[i].own->signals.mask = *old;
    core_task_signals.masks = true;
    h->resume = core_task_resume;
}

static int set_thread_mask(int how, const sigset_t *set, sigset_t *old)
{
    struct core_task *t = core_task_self;
    sigset_t was;
    int rc = core_task_real.signal_mask(how, set, &was);

    if (old && rc == 0)
        *old = was;
    if (!t || !set || rc != 0)
        return rc;
    note_masks(t->host, &was);
    core_task_real.signal_mask(SIG_BLOCK, NULL, &t->own->signals.mask);
    core_task_signals.mask = t->own->signals.mask;
    deliver(t);
    return 0;
}

static int set_mask(int how, const sigset_t *set, sigset_t *old)
{
    int rc = set_thread_mask(how, set, old);

    if (rc != 0)
        errno = rc;
    return rc == 0 ? 0 : -1;
}

/* Its signals make the task ready. */
static void wait_until_interrupted(void)
{
    const struct core_task *t = core_task_self;

    for (unsigned count = t->interrupts; t->interrupts == count;)
        core_task_doze(UINT64_MAX - 1);
}

static int wait_for_signal(void)
{
    if (!core_task_self)
        return core_task_real.pause();
    wait_until_interrupted();
    errno = EINTR;
    return -1;
}

static int wait_with_mask(const sigset_t *set)
{
    unsigned count;
    sigset_t old;

    if (!core_task_self)
        return core_task_real.sigsuspend(set);
    count = core_task_self->interrupts;
    set_thread_mask(SIG_SETMASK, set, &old);
    if (core_task_self->interrupts == count)
        wait_until_interrupted();
    set_thread_mask(SIG_SETMASK, &old, NULL);
    errno = EINTR;
    return -1;
}

void core_task_take_signals(struct core_task *t)
{
    if (core_task_signals.masks && memcmp(&t->own->signals.mask, &core_task_signals.mask, sizeof(sigset_t)) != 0) {
        core_task_signals.mask = t->own->signals.mask;
        core_task_real.signal_mask(SIG_SETMASK, &core_task_signals.mask, NULL);
    }
    if (MPT_UNLIKELY(t->pending))
        deliver(t);
}

void core_task_give_signals(struct core_task *t)
{
    for (int sig = 1; sig <= SIGNALS; sig++)
        if (core_task_signals.known & bit_of(sig))
            core_task_real.sigaction(sig, action_of(t, sig), NULL);
    core_task_signals.direct = true;
}

/* ----------------------------------------------------------------- alarms -- */

/* The task's timer; false: there is none to be had. */
static bool make_timer(struct core_task *t)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM, .sigev_value.sival_ptr = t};
    struct core_task_signals *s = &t->own->signals;

    event.sigev_notify_thread_id = t->host->carrier;
    s->timed = s->timed || timer_create(CLOCK_REALTIME, &event, &s->timer) == 0;
    core_task_signals.alarms |= bit_of(SIGALRM);
    return s->timed && install(t, SIGALRM) == 0;
}

static int set_timer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old)
{
    struct core_task *t = core_task_here();
    struct itimerspec to = {0}, was;

    if (core_task_signals.direct || which != ITIMER_REAL || !new)
        return core_task_real.setitimer(which, new, old);
    TIMEVAL_TO_TIMESPEC(&new->it_value, &to.it_value);
    TIMEVAL_TO_TIMESPEC(&new->it_interval, &to.it_interval);
    if (!make_timer(t) || timer_settime(t->own->signals.timer, 0, &to, &was) != 0)
        return -1;
    if (old) {
        TIMESPEC_TO_TIMEVAL(&old->it_value, &was.it_value);
        TIMESPEC_TO_TIMEVAL(&old->it_interval, &was.it_interval);
    }
    return 0;
}

static int get_timer(__itimer_which_t which, struct itimerval *value)
{
    struct core_task *t = core_task_here();
    struct itimerspec now = {0};

    if (core_task_signals.direct || which != ITIMER_REAL)
        return core_task_real.getitimer(which, value);
    if (t->own->signals.timed)
        timer_gettime(t->own->signals.timer, &now);
    TIMESPEC_TO_TIMEVAL(&value->it_value, &now.it_value);
    TIMESPEC_TO_TIMEVAL(&value->it_interval, &now.it_interval);
    return 0;
}

/* Whole seconds, as the kernel counts them: never 0 while there is an alarm. */
static unsigned set_alarm(unsigned seconds)
{
    struct itimerval new = {.it_value.tv_sec = seconds}, old = {0};

    if (core_task_signals.direct || set_timer(ITIMER_REAL, &new, &old) != 0)
        return core_task_real.alarm(seconds);
    if (old.it_value.tv_usec >= 500000 || (old.it_value.tv_sec == 0 && old.it_value.tv_usec > 0))
        old.it_value.tv_sec++;
    return (unsigned)old.it_value.tv_sec;
}

const struct core_task_hook core_task_hooks_signal[] = {
    HOOK("sigaction", set_action, sigaction),
    HOOK("__sigaction", set_action, sigaction),
    REPLACE("signal", set_signal),
    REPLACE("bsd_signal", set_signal),
    REPLACE("__sysv_signal", set_sysv_signal),
    HOOK("raise", raise_signal, raise),
    HOOK("kill", send_to_process, kill),
    HOOK("pthread_kill", send_to_thread, kill_thread),
    HOOK("pthread_sigmask", set_thread_mask, signal_mask),
    REPLACE("sigprocmask", set_mask),
    HOOK("pause", wait_for_signal, pause),
    HOOK("sigsuspend", wait_with_mask, sigsuspend),
    HOOK("setitimer", set_timer, setitimer),
    HOOK("getitimer", get_timer, getitimer),
    HOOK("alarm", set_alarm, alarm),
    {0},
};
