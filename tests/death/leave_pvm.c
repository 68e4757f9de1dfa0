/* SPDX-License-Identifier: BSD-3-Clause */
/* leave_pvm WHERE TASKS: the last one to join calls exit(0) in the middle; the others wait for it there. The first two
 * of 3 do without it in `passes`. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A message goes to and fro, and rests with each for most of a second. */
static void passes(char *group, int inst)
{
    for (int i = 0; i < 6; i++)
        if (i % 2 == inst) {
            usleep(700000);
            pvm_initsend(PvmDataDefault);
            pvm_send(pvm_gettid(group, !inst), 7);
        } else {
            while (pvm_nrecv(-1, 7) <= 0)
                ;
        }
}

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
    else if (strcmp(argv[1], "nrecv") == 0)
        while (pvm_nrecv(-1, 5) <= 0)
            ;
    else if (strcmp(argv[1], "probe") == 0)
        while (pvm_probe(-1, 5) <= 0)
            ;
    else if (strcmp(argv[1], "passes") == 0)
        passes(group, inst);
    else
        pvm_barrier(group, n);
    printf("went on\n");
    pvm_exit();
    return 0;
}
