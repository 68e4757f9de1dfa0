/* SPDX-License-Identifier: BSD-3-Clause */
/* leave WHERE: the last PE calls exit(0) in the middle; the others wait for it there. PEs 0 and 1 of 3 do without it in
 * `accesses` and `late`. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int flags[PROCS]::, counts[PROCS]::, locks[PROCS]::;

static void wait_for_flag(void)
{
    volatile int *flag = (int *)&flags[MYPROC];

    while (!*flag)
        splitc_poll();
}

static void late(void)
{
    double end = get_seconds() + 3.2;

    if (MYPROC == 0)
        wait_for_flag();
    else {
        while (get_seconds() < end)
            ;
        flags[0] = 1;
    }
}

/* The other's count is read again and again, and no poll finds anything. */
static void accesses(void)
{
    double end = get_seconds() + 3.2;

    for (int i = 0; i % 1024 || get_seconds() < end; i++) {
        counts[!MYPROC] = i;
        splitc_poll();
    }
    flags[!MYPROC] = 1;
    wait_for_flag();
}

splitc_main(int argc, char **argv)
{
    if (MYPROC == PROCS - 1)
        splitc_lock(&locks[0]);
    barrier();
    if (MYPROC == PROCS - 1) {
        usleep(200000);
        exit(0);
    }
    switch (argc > 1 ? argv[1][0] : 'b') {
    case 's': store_sync(8); break;
    case 'p': wait_for_flag(); break;
    case 'l':
        if (argv[1][1] == 'o')
            splitc_lock(&locks[0]);
        else
            late();
        break;
    case 'a': accesses(); break;
    default: barrier();
    }
    printf("went on\n");
    exit(0);
}
