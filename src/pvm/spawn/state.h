/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What spawning remembers: pvmi.spawn.
 */
#ifndef PVM_SPAWN_STATE_H
#define PVM_SPAWN_STATE_H

struct pvmi_spawn_state {
    struct pvmi_siblings {
        int *list, n;
        int of; /* whose they are; 0: not asked for yet */
    } siblings;
};

#endif
