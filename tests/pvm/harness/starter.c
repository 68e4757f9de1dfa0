/* SPDX-License-Identifier: BSD-3-Clause
 *
 * starter COUNT PROGRAM [ARGUMENT ...]: tasks of a program whose output, and that of
 * the tasks they spawn, is printed here, as the console's `spawn -COUNT ->` does.
 */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };

int main(int argc, char **argv)
{
    int tids[MOST], count = argc > 2 ? atoi(argv[1]) : 0, started;

    if (count < 1 || count > MOST) {
        fprintf(stderr, "usage: starter COUNT PROGRAM [ARGUMENT ...]\n");
        return 2;
    }
    pvm_catchout(stdout);
    started = pvm_spawn(argv[2], argv + 3, PvmTaskDefault, NULL, count, tids);
    printf("%d started\n", started);
    for (int i = started > 0 ? started : 0; i < count; i++)
        printf("code %d\n", tids[i]);
    fflush(stdout);
    pvm_exit(); /* when all output is there */
    return 0;
}
