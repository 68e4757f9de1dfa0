/* SPDX-License-Identifier: BSD-3-Clause */
/* leave WHERE: the last PE calls exit(0) in the middle; the others wait for it there. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

splitc_main(int argc, char **argv)
{
    barrier();
    if (MYPROC == PROCS - 1) {
        usleep(200000);
        exit(0);
    }
    if (argc > 1 && argv[1][0] == 's')
        store_sync(8);
    else
        barrier();
    printf("went on\n");
    return 0;
}
