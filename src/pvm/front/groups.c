/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What tools of the library of old ask libgpvm3 about its group server. There is
 * none: groups lie in memory that all tasks share. Part of libgpvm3 only.
 */
#include <sys/time.h>

#include "pvm3.h"

struct timeval pvmgs_tmout = {1, 0}; /* how long to wait for the server's answer */

int lpvmerr(const char *call, int code);
int gs_getgstid(void);

int gs_getgstid(void)
{
    return lpvmerr("gs_getgstid", PvmNoTask);
}
