/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The variables of libpvm3, from the side of the bodies (front.h). Until a front
 * tells its own, these are written.
 */
#include "pvm/front/front.h"
#include "pvm/pvmi.h"

void pvmi_front_update(void)
{
    *pvmi.front.at.tid = pvmi.in ? pvmi.tid : -1;
    *pvmi.front.at.context = pvmi.context;
    *pvmi.front.at.debug = pvmi.opt[PvmDebugMask];
}

void mpt_pvm_front(const struct pvmi_front *f)
{
    *f->error = pvm_errno;
    pvmi.front.at = *f;
    for (int i = 0; i < PVMI_FRONT_TEXTS; i++)
        f->texts[i] = (char *)(uintptr_t)pvmi_text(-i);
    pvmi_front_update();
}
