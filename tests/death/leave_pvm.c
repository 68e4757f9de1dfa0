/* SPDX-License-Identifier: BSD-3-Clause */
/* leave_pvm WHERE TASKS: the last one to join calls exit(0) in the middle; the others wait for it there. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char group[] = "all";
    int n = argc > 2 ? atoi(argv[2]) : 0, inst = pvm_joingroup(group);

    while (pvm_gsize(group) < n)
        usleep(1000);
    if (inst == n - 1) {
        usleep(200000);
        exit(0);
    }
    if (strcmp(argv[1], "recv") == 0)
        pvm_recv(-1, 5);
    else
        pvm_barrier(group, n);
    printf("went on\n");
    pvm_exit();
    return 0;
}
