/* SPDX-License-Identifier: BSD-3-Clause */
/* leave_am WHERE: the last PE calls exit(0) in the middle; the others wait there for what it does not do. */
#include <am.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int never;

int main(int argc, char **argv)
{
    am_enable();
    gam_barrier();
    if (AM_MY_PROC == AM_PROCS - 1) {
        usleep(200000);
        exit(0);
    }
    if (argc > 1 && strcmp(argv[1], "wait") == 0)
        am_wait_for(never);
    gam_barrier();
    printf("went on\n");
    am_disable();
    return 0;
}
