/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What tasks that start hosts or tasks in the machine's stead exchange with it:
 * PVM's reserved messages, as far as they exist here (system.c, tasker.c, hoster.c).
 */
#ifndef PVM_SYSTEM_H
#define PVM_SYSTEM_H

#include "pvm/msg/system_tag.h"
#include "pvm/pvmi.h"

/* The slot of whoever has that role; -1: nobody. *fd: its descriptor of the machine's memory; NULL: not wanted. */
int pvmi_role_slot(enum pvmi_roles which, int *fd);
/* To it, in the daemon's name. 0 or a code. */
int pvmi_system_send(struct pvmi_msg *m, int slot, int tag);

/* tasker.c: have a task started; argv as for execve, `entry` its own of the environment.
 * 0 or a code. */
int pvmi_tasker_start(int tasker, int tid, int flags, char *const *argv, const char *entry);
/* hoster.c: ask for the hosts of these lines of a host file; infos[i] becomes a code of those that are PvmOk. */
int pvmi_hoster_ask(int hoster, char **lines, int count, int *infos);

#endif
