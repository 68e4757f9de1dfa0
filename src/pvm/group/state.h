/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What groups remember: pvmi.group.
 */
#ifndef PVM_GROUP_STATE_H
#define PVM_GROUP_STATE_H

#include <stdint.h>

struct pvmi_group_state {
    int last;           /* in the table, the group that was found before: most likely it is wanted again */
    uint64_t tickets;   /* group_barrier.c: the last one of this task */
    struct pvmi_frozen *frozen; /* group_frozen.c: static groups that this task is in */
};

#endif
