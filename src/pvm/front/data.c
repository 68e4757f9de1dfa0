/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The variables of libpvm3 (front.h), and the few internals of the library of old
 * that its programs refer to. Part of libpvm3 only.
 */
#include <stdio.h>
#include <unistd.h>

#include "pvm/front/front.h"

int pvm_errno, pvm_nerr = PVMI_FRONT_TEXTS;
char *pvm_errlist[PVMI_FRONT_TEXTS]; /* by code, its sign left out */
int pvmmytid = -1, pvmmyctx, pvmdebmask, pvm_useruid = -1;
char pvmctrc[68]; /* what to trace: nothing is */

/* Name of a tag of the system's own messages; there are none, so tags are numbers. */
char *pvmnametag(int tag, int *found)
{
    static char text[16];
    snprintf(text, sizeof text, "%d", tag);
    if (found)
        *found = 0;
    return text;
}

/* How the Fortran library of old complains. */
int pvmlogerror(const char *text)
{
    return fprintf(stderr, "libpvm [t%x]: %s", (unsigned)pvmmytid, text) < 0;
}

__attribute__((constructor)) static void tell(void)
{
    static const struct pvmi_front mine = {&pvm_errno, &pvmmytid, &pvmmyctx, &pvmdebmask, pvm_errlist};
    pvm_useruid = (int)getuid();
    mpt_pvm_front(&mine);
}
