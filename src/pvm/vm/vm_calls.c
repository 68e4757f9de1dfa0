/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Settings and names that programs ask for, the time, sleep.
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "pvm/pvmi.h"

static const char *setting(const char *name, const char *standard)
{
    const char *value = core_param_foreign(name);
    return value && *value ? value : standard;
}

char *pvmgettmp(void)
{
    return (char *)(uintptr_t)setting("PVM_TMP", "/tmp");
}

char *pvmgetrsh(void)
{
    return (char *)(uintptr_t)setting("PVM_RSH", "/usr/bin/ssh");
}

_Static_assert(sizeof pvmi.vm.listed.temporary == PVMTMPNAMLEN, "room for a name");

/* A name that no file has now, in `name` of PVMTMPNAMLEN bytes or, when that is NULL, in memory of ours. */
char *pvmtmpnam(char *name)
{
    char *to = name ? name : pvmi.vm.listed.temporary;
    do
        snprintf(to, PVMTMPNAMLEN, "%.96s/pvmtmp%06d.%u", pvmgettmp(), (int)getpid() % 1000000, pvmi.vm.temporaries++);
    while (access(to, F_OK) == 0);
    return to;
}

/* A signal does not shorten it. */
void pvmsleep(int seconds)
{
    struct timespec left = {.tv_sec = seconds > 0 ? seconds : 0};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

void pvmgetclock(struct timeval *now)
{
    *now = core_clock_date();
}
