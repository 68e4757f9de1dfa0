/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A master starts one task after another, a message from each: what it takes of
 * memory, page tables included, grows with the tasks it has at a time and not
 * with those it ever had.
 */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pvm/pcheck.h"

enum { TASKS = 2600, SETTLED = 1300, AT_A_TIME = 10, TAG = 1, MORE_KB = 4096 };

/* KB of resident memory and page tables. */
static long memory(void)
{
    char line[256];
    long rss = 0, tables = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f)) {
        sscanf(line, "VmRSS: %ld", &rss);
        sscanf(line, "VmPTE: %ld", &tables);
    }
    if (f)
        fclose(f);
    return rss + tables;
}

int main(int argc, char **argv)
{
    char program[4096], *args[] = {"task", NULL};
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    int tids[AT_A_TIME];
    long settled = 0, end;
    program[n > 0 ? n : 0] = 0;
    pc_start();
    if (argc > 1 && strcmp(argv[1], "task") == 0) {
        pvm_initsend(PvmDataDefault);
        OK(pvm_send(pvm_parent(), TAG));
        return pc_finish();
    }
    for (int done = 0; done < TASKS; done += AT_A_TIME) {
        GIVES(pvm_spawn(program, args, PvmTaskDefault, NULL, AT_A_TIME, tids), AT_A_TIME);
        for (int i = 0; i < AT_A_TIME; i++)
            OK(pvm_recv(tids[i], TAG));
        if (done == SETTLED)
            settled = memory();
    }
    end = memory();
    CHECK(end - settled < MORE_KB, "%ld KB after %d tasks, %ld KB after %d", settled, SETTLED, end, TASKS);
    return pc_finish();
}
