/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the mailbox remembers: pvmi.mbox.
 */
#ifndef PVM_MBOX_STATE_H
#define PVM_MBOX_STATE_H

#include <stdint.h>

struct pvmi_mbox_state {
    uint64_t changes; /* by this task, so that each notice of one differs from the one before */
    struct {
        struct pvmmboxinfo *classes;
        char *texts;
        int *numbers;
    } listed; /* what pvm_getmboxinfo has handed out, until it does again */
};

#endif
