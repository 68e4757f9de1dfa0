/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What /proc says of a process: one that sleeps, has a timer, has ended and was not asked for yet, or is not there.
 */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/live/process.h"
#include "harness.h"

enum { PATIENCE_MS = 20000 };

static int ready[2];

static void sleep_on(void)
{
    if (write(ready[1], "", 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

static void sleep_with_timer(void)
{
    const struct itimerspec in = {.it_value = {3600, 0}};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    timer_t timer;

    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &in, NULL) != 0)
        _exit(1);
    sleep_on();
}

static pid_t start(void (*play)(void))
{
    char byte;
    pid_t child = fork();

    if (child == 0)
        play();
    EXPECT(child > 0 && read(ready[0], &byte, 1) == 1, "a child");
    return child;
}

static bool ends(int pid)
{
    struct core_process_looks l;

    for (int ms = 0; ms < PATIENCE_MS; ms++) {
        if (core_process_look(pid, &l) && l.ending)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return false;
}

static void see(void (*play)(void), bool has_timer)
{
    struct core_process_looks l;
    pid_t child = start(play);

    EXPECT(core_process_look(child, &l) && !l.ending && l.threads == 1, "state %c, %u threads", l.state, l.threads);
    EXPECT(l.born == core_process_born(child) && core_process_alive(child, l.born), "it lives");
    EXPECT(core_process_may_wake(child, false) == has_timer, "timer: %d", !has_timer);
    check_kill(child, SIGKILL);
    EXPECT(ends(child), "it ends");
    EXPECT(core_process_may_wake(child, false), "the timers of one that ends are not known");
    EXPECT(waitpid(child, NULL, 0) == child, "its end");
    EXPECT(!core_process_look(child, &l) && core_process_may_wake(child, false), "there is none");
}

int main(void)
{
    EXPECT(pipe(ready) == 0, "a pipe");
    see(sleep_on, false);
    see(sleep_with_timer, true);
    return 0;
}
