/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What tasks that start hosts or tasks in the machine's stead exchange with it:
 * PVM's reserved messages, as far as they exist here (system.c, tasker.c, hoster.c).
 */
#ifndef PVM_SYSTEM_H
#define PVM_SYSTEM_H

#include "pvm/pvmi.h"

/* Tags as PVM's own header has them. */
enum {
    PVMI_SM_FIRST = -0x7ffbffff, /* 0x80040001 */
    PVMI_SM_TASKX = PVMI_SM_FIRST + 10,
    PVMI_SM_STHOST = PVMI_SM_FIRST + 14,
    PVMI_SM_STHOSTACK = PVMI_SM_FIRST + 15,
    PVMI_SM_STTASK = PVMI_SM_FIRST + 16,
    PVMI_SM_LAST = PVMI_SM_STTASK
};
static inline bool pvmi_is_system_tag(int tag) { return tag >= PVMI_SM_FIRST && tag <= PVMI_SM_LAST; }

/* The slot of who has that role; -1: nobody. *fd: its descriptor of the machine's memory; NULL: not wanted. */
int pvmi_role_slot(enum pvmi_roles which, int *fd);
/* To it, in the daemon's name. 0 or a code. */
int pvmi_system_send(struct pvmi_msg *m, int slot, int tag);
/* A message of this task to the daemon. 0 or a code, reported. */
int pvmi_system_takes(struct pvmi_msg *m, int tag);

/* tasker.c: have the task of that place started; argv as for execve, `place` its entry of the environment.
 * 0 or a code. */
int pvmi_tasker_start(int tasker, int tid, int flags, char *const *argv, const char *place);
/* hoster.c: ask for the hosts of these lines of a host file; infos[i] becomes a code of those that are PvmOk. */
int pvmi_hoster_ask(int hoster, char **lines, int count, int *infos);

#endif
