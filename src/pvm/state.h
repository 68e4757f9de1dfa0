/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All that a task remembers from call to call, in one struct: first what every call
 * looks at, then a part for each folder (its state.h). What is zero at the start is
 * not mentioned where it begins (task/task.c). Scratch memory that no call leaves
 * anything in stays with its function.
 */
#ifndef PVM_STATE_H
#define PVM_STATE_H

#include "pvm_names.h"
#pragma GCC visibility push(default)
#include "pvm3.h"
#pragma GCC visibility pop
#include "pvm/front/state.h"
#include "pvm/group/state.h"
#include "pvm/mbox/state.h"
#include "pvm/msg/state.h"
#include "pvm/output/state.h"
#include "pvm/pack/state.h"
#include "pvm/spawn/state.h"
#include "pvm/vm/state.h"

struct pvmi {
    bool in;          /* enrolled */
    bool network;     /* network mode, else stand-alone */
    const char *call; /* the user's call under way */
    int me;           /* slot = PE */
    int tid;
    int context;      /* current one */
    int opt[PvmNoReset + 1]; /* by PvmRoute ... */
    int sbuf, rbuf;   /* current buffers, 0: none */
    int errnum;
    unsigned long calls; /* begun */

    struct pvmi_msg_state msg;
    struct pvmi_pack_state pack;
    struct pvmi_group_state group;
    struct pvmi_mbox_state mbox;
    struct pvmi_vm_state vm;
    struct pvmi_spawn_state spawn;
    struct pvmi_front_state front;
    struct pvmi_output_state output; /* the only part that another thread looks at */
};
/* Hidden, so that code finds it without a table of addresses. */
extern struct pvmi pvmi __attribute__((visibility("hidden")));

#endif
