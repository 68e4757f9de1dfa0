/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals of tasks (hook_signal.c).
 */
#ifndef CORE_TASK_SIGNALS_H
#define CORE_TASK_SIGNALS_H

#include <signal.h>

#include "core/task/own.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* Of preempt.c. The last ones are not to be had in an emulator (qemu-user), which keeps some for itself. */
#define CORE_TASK_TICK (SIGRTMAX - 4)

/* The carrier's mask becomes that of this task, which goes on; and what has come for it meanwhile. */
void core_task_take_signals(struct core_task *t);
/* In a child that this task has forked: its handlers become the process's. */
void core_task_give_signals(struct core_task *t);

#endif
