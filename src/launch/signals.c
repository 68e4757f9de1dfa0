/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals come to the launcher's loop as events; what they mean for the job is
 * core's business (core/live/signals.c).
 */
#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "launch/launch.h"

int launch_signals_open(struct launch *l)
{
    sigset_t set, block;

    core_watch_signals(&set);
    signal(SIGCHLD, SIG_DFL); /* ignored children could not be waited for */
    block = set;
    sigaddset(&block, SIGPIPE); /* write() tells */
    sigprocmask(SIG_BLOCK, &block, &l->old_mask);
    l->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    if (l->signal_fd < 0) {
        launch_say("cannot receive signals: %s%s", strerror(errno), launch_limit_of(errno));
        return 1;
    }
    return 0;
}

void launch_signals_read(struct launch *l)
{
    struct signalfd_siginfo info;

    while (read(l->signal_fd, &info, sizeof info) == (ssize_t)sizeof info)
        core_watch_take(&l->watch, (int)info.ssi_signo, info.ssi_code);
}
