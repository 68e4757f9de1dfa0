/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A machine with few places for tasks has many tasks in its life: places serve again,
 * tids are others. What a task left behind, messages above all, stays good; who names
 * one that has ended reaches nobody.
 */
#include <signal.h>

#include "pcheck.h"

enum {
    ROUNDS = 25,
    WORKERS = 3,
    LENGTH = 20000,
    LONG = 300000,
    DATA = 1,
    QUIT = 2,
    ECHO = 3,
    GONE = 4,
    ROW = 5,
    KEPT = 10
};

static char program[512], data[LONG], in[LONG];

static void send_data(int tid, int tag, int seed, int n)
{
    check_fill(data, (size_t)n, (uint64_t)seed);
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_pkint(&seed, 1, 1));
    OK(pvm_pkint(&n, 1, 1));
    OK(pvm_pkbyte(data, n, 1));
    OK(pvm_send(tid, tag));
}

static int check_data(void)
{
    int seed = -1, n = 0;
    OK(pvm_upkint(&seed, 1, 1));
    OK(pvm_upkint(&n, 1, 1));
    memset(in, 0, sizeof in);
    OK(pvm_upkbyte(in, n, 1));
    CHECK(check_differs(in, (size_t)n, (uint64_t)seed) == (size_t)n, "data of %d", seed);
    return seed;
}

/* Sends to its parent and its siblings, takes what they send, and ends in one way or another. */
static int worker(int parent, int how)
{
    int *tids, n = pvm_siblings(&tids);
    CHECK(n == WORKERS, "%d siblings", n);
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_pkint(tids, n, 1));
    OK(pvm_send(parent, ROW));
    send_data(parent, DATA, pc_tid, how % 2 ? LONG : LENGTH);
    for (int i = 0; i < n; i++)
        if (tids[i] != pc_tid)
            send_data(tids[i], ECHO, pc_tid, how % 3 ? 100 : LENGTH);
    for (int i = 1; i < n; i++) {
        OK(pvm_recv(-1, ECHO));
        check_data();
    }
    OK(pvm_recv(parent, QUIT));
    if (check_failures)
        fprintf(stderr, "FAIL: %ld checks of t%x\n", check_failures, (unsigned)pc_tid);
    if (how % 4 == 3)
        raise(SIGKILL);
    return pc_finish();
}

static int kept[KEPT], kept_tid[KEPT], nkept;

/* A few messages of tasks long gone are looked at much later. */
static void keep(int id, int tid)
{
    if (nkept < KEPT) {
        kept[nkept] = id;
        kept_tid[nkept++] = tid;
        pvm_setrbuf(0);
    }
}

static void round_of(int number)
{
    char how[12], *args[] = {"worker", how, NULL};
    int tids[WORKERS], seen[WORKERS] = {0}, old = nkept ? kept_tid[0] : 0;
    snprintf(how, sizeof how, "%d", number);
    GIVES(pvm_spawn(program, args, PvmTaskDefault, NULL, WORKERS, tids), WORKERS);
    OK(pvm_notify(PvmTaskExit, GONE, WORKERS, tids));
    for (int i = 0; i < WORKERS; i++) {
        int row[WORKERS], id, from = 0;
        OK(pvm_recv(tids[i], ROW));
        OK(pvm_upkint(row, WORKERS, 1));
        for (int k = 0; k < WORKERS; k++) /* in whatever order places serve again */
            CHECK(row[k] == tids[k], "sibling %d is %x, spawned as %x", k, (unsigned)row[k], (unsigned)tids[k]);
        id = pvm_recv(tids[i], DATA);
        OK(pvm_bufinfo(id, NULL, NULL, &from));
        CHECK(from == tids[i], "of %x", (unsigned)from);
        if (number % 3 == 0 && nkept < KEPT)
            keep(id, from);
        else
            GIVES(check_data(), tids[i]);
    }
    if (old) { /* somebody else may stand in its place now */
        GIVES(pvm_pstat(old), PvmNoTask);
        send_data(old, QUIT, 1, 10);
        GIVES(pvm_sendsig(old, SIGKILL), 0);
    }
    for (int i = 0; i < WORKERS; i++)
        send_data(tids[i], QUIT, 1, 10);
    for (int i = 0; i < WORKERS; i++) {
        struct timeval limit = {20, 0};
        int tid = -1;
        CHECK(pvm_trecv(-1, GONE, &limit) > 0, "not told");
        pvm_upkint(&tid, 1, 1);
        for (int k = 0; k < WORKERS; k++)
            seen[k] += tid == tids[k];
    }
    CHECK(seen[0] == 1 && seen[1] == 1 && seen[2] == 1, "told of %d, %d, %d", seen[0], seen[1], seen[2]);
}

int main(int argc, char **argv)
{
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    int many[20], spawned;
    program[n > 0 ? n : 0] = 0;
    if (argc > 2 && strcmp(argv[1], "places") == 0) /* by whoever tests */
        setenv("PVM_MAX_TASKS", argv[2], 1);
    pc_start();
    pvm_setopt(PvmAutoErr, 0);
    if (argc > 2 && strcmp(argv[1], "worker") == 0)
        return worker(pvm_parent(), atoi(argv[2]));
    for (int i = 0; i < ROUNDS; i++)
        round_of(i);
    for (int i = 0; i < nkept; i++) {
        OK(pvm_setrbuf(kept[i]));
        GIVES(check_data(), kept_tid[i]);
        OK(pvm_freebuf(kept[i]));
    }
    if (argc > 2) { /* more than there are places */
        char *args[] = {"60", NULL};
        spawned = pvm_spawn("/bin/sleep", args, PvmTaskDefault, NULL, 20, many);
        CHECK(spawned == atoi(argv[2]) - 1 && many[19] == PvmOutOfRes, "%d were spawned, the last is %d", spawned,
              many[19]);
        for (int i = 0; i < spawned; i++)
            OK(pvm_sendsig(many[i], SIGKILL));
    }
    return pc_finish();
}
