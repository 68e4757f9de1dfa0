/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The variables of libpvm3, from the side of the bodies (front.h). Until a front
 * tells its own, these are written.
 */
#include "pvm/front/front.h"
#include "pvm/pvmi.h"

static int own_error, own_tid = -1, own_context, own_debug;
static struct pvmi_front front = {.error = &own_error, .tid = &own_tid, .context = &own_context, .debug = &own_debug};
int *pvmi_errno = &own_error;

void pvmi_front_update(void)
{
    *front.tid = pvmi.in ? pvmi.tid : -1;
    *front.context = pvmi.context;
    *front.debug = pvmi.opt[PvmDebugMask];
}

void mpt_pvm_front(const struct pvmi_front *f)
{
    front = *f;
    *f->error = *pvmi_errno;
    pvmi_errno = f->error;
    for (int i = 0; i < PVMI_FRONT_TEXTS; i++)
        f->texts[i] = (char *)(uintptr_t)pvmi_text(-i);
    pvmi_front_update();
}
