/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory of messages that a task had not taken, or not freed, when it was killed:
 * its sender gets it back.
 */
#include <signal.h>

#include "pcheck.h"

enum { MESSAGES = 40, LENGTH = 4 << 20, READY = 1, DATA = 2, GONE = 3, TAKEN = 3 };

/* KiB of shared memory that this task has touched and not given back. */
static long shared(void)
{
    char line[256];
    long kib = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "RssShmem: %ld", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib;
}

static int child(int parent)
{
    OK(pvm_psend(parent, READY, NULL, 0, PVM_INT));
    for (int i = 0; i < TAKEN; i++) {
        OK(pvm_recv(parent, DATA));
        pvm_setrbuf(0); /* it is kept */
    }
    OK(pvm_psend(parent, READY, NULL, 0, PVM_INT));
    sleep(60);
    return 1;
}

int main(int argc, char **argv)
{
    char *args[] = {"child", NULL}, *data = malloc(LENGTH);
    struct timeval limit = {20, 0};
    int tid;
    long before, full, after;
    pc_start();
    if (argc > 1)
        return child(pvm_parent());
    memset(data, 1, LENGTH);
    GIVES(pvm_spawn(argv[0], args, PvmTaskDefault, NULL, 1, &tid), 1);
    OK(pvm_precv(tid, READY, NULL, 0, PVM_INT, NULL, NULL, NULL));
    before = shared();
    for (int i = 0; i < MESSAGES; i++) {
        OK(pvm_initsend(PvmDataRaw));
        OK(pvm_pkbyte(data, LENGTH, 1));
        OK(pvm_send(tid, DATA));
        if (i == TAKEN)
            OK(pvm_precv(tid, READY, NULL, 0, PVM_INT, NULL, NULL, NULL));
    }
    full = shared();
    CHECK(full - before >= (long)(MESSAGES - 1) * LENGTH / 1024, "%ld KiB of shared memory, %ld before", full, before);
    OK(pvm_notify(PvmTaskExit, GONE, 1, &tid));
    OK(pvm_sendsig(tid, SIGKILL));
    CHECK(pvm_trecv(-1, GONE, &limit) > 0, "not told");
    after = shared();
    CHECK(after - before <= 80 << 10, "%ld KiB of shared memory after the end of whoever had it, %ld with it", after,
          full);
    free(data);
    return pc_finish();
}
