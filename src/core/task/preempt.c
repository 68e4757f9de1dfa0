/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A task that does not call the library keeps the others of its process from running. A timer of the carrier's
 * processor time looks: where the program's own code runs, which holds no lock of the process, another task goes on
 * in the middle of the handler.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/param.h"
#include "core/task/hooks.h"
#include "core/task/machine.h"
#include "core/task/plugin.h"
#include "core/task/signals.h"

enum { TICK_US = 5000, LOOK_TICKS = 4 };
enum { REGULAR, EXTRA }; /* ticks */

/* Code of this library, which has a state of its own to bring to an end, and of what stands in front of it. */
static bool is_ours(const struct core_image *m)
{
    const char *name = m->soname ? m->soname : "";

    return strncmp(name, "libmpt.", 7) == 0 || strncmp(name, "libmpi", 6) == 0 || strncmp(name, "libpvm", 6) == 0;
}

static bool in_program(const struct core_task *t, uintptr_t at)
{
    const struct core_task_host *h = t->host;
    const struct core_plugin *p;

    for (unsigned i = 0; i < h->n_images; i++) {
        uintptr_t base = t->bases ? t->bases[i] : h->images[i].first;

        if (at - base - h->images[i].text < h->images[i].text_n)
            return !is_ours(&h->images[i]);
    }
    if (at - h->math < h->math_n)
        return true;
    p = core_plugin_at(t, at);
    return p && at - p->copies[t->bit].base - p->m.text < p->m.text_n;
}

static void tick(int sig, siginfo_t *info, void *context)
{
    const ucontext_t *c = context;
    struct core_task *t = core_task_self;
    int error = errno;

    (void)sig;
    if (!t)
        return;
    if (info->si_value.sival_int == REGULAR && ++t->host->ticks % LOOK_TICKS == 0)
        t->host->look_due = true;
    if (!in_program(t, core_task_interrupted_at(c)))
        return;
    if (t->host->network.n > 0)
        core_task_network_look(t->host);
    core_task_give_way();
    errno = error;
}

/* The text of libm, in which programs may be for long. */
static int find_math(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct core_task_host *h = arg;
    const char *name = strrchr(info->dlpi_name, '/');

    (void)size;
    if (!name || strncmp(name, "/libm.so", 8) != 0)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            h->math = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            h->math_n = info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

static bool start_timer(const struct core_task_host *h, clockid_t clock, unsigned us, int kind)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = CORE_TASK_TICK};
    const struct timespec t = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000l};
    const struct itimerspec every = {t, t};
    timer_t timer;

    event.sigev_notify_thread_id = h->carrier;
    event.sigev_value.sival_int = kind;
    return timer_create(clock, &event, &timer) == 0 && timer_settime(timer, 0, &every, NULL) == 0;
}

/* What is wrong with the environment is said when the job starts. */
static unsigned extra_us(void)
{
    char why[256];

    return core_param_load(why, sizeof why) == 0 ? core_params.tasks_tick_us : 0;
}

void core_task_preempt(struct core_task_host *h)
{
    struct sigaction act = {.sa_sigaction = tick, .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER};
    const unsigned extra = extra_us();

    core_task_real.iterate(find_math, h);
    if (core_task_real.sigaction(CORE_TASK_TICK, &act, NULL) == 0 &&
        start_timer(h, CLOCK_THREAD_CPUTIME_ID, TICK_US, REGULAR) &&
        (extra == 0 || start_timer(h, CLOCK_MONOTONIC, extra, EXTRA)))
        return;
    core_error("--tasks: no timer: a PE that does not call the library keeps others from running (%s)",
               strerror(errno));
}
