/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tags of PVM's reserved messages, as far as they exist here (spawn/system.h).
 */
#ifndef PVM_SYSTEM_TAG_H
#define PVM_SYSTEM_TAG_H

#include <stdbool.h>

/* Tags as PVM's own header has them. */
enum {
    PVMI_SM_FIRST = -0x7ffbffff, /* 0x80040001 */
    PVMI_SM_TASKX = PVMI_SM_FIRST + 10,
    PVMI_SM_STHOST = PVMI_SM_FIRST + 14,
    PVMI_SM_STHOSTACK = PVMI_SM_FIRST + 15,
    PVMI_SM_STTASK = PVMI_SM_FIRST + 16,
    PVMI_SM_LAST = PVMI_SM_STTASK
};
static inline bool pvmi_is_system_tag(int tag)
{
    return tag >= PVMI_SM_FIRST && tag <= PVMI_SM_LAST;
}

#endif
