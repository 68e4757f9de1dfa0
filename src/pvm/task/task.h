/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Between the files of what concerns a task as a whole.
 */
#ifndef PVM_TASK_H
#define PVM_TASK_H

#include "pvm/pvmi.h"

void pvmi_forget_dead(int slot);  /* pvmi.vm.on_dead */
void pvmi_forget_start(void);     /* network mode */
void pvmi_clock_start(void);      /* answer who asks for the time */
void pvmi_signal_start(void);     /* obey who cannot signal this process itself */

#endif
