/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks of a virtual machine that are killed: whoever asked is told within a second
 * or two, after their last message, also by a handler; who sends to one that takes
 * no more goes on; what was sent to it and by it does no harm.
 */
#include <signal.h>
#include <time.h>

#include "pcheck.h"

enum { CHILDREN = 6, READY = 1, GO = 2, DATA = 3, GONE = 4, MANY = 100, LONG = 20000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Says who it is, and then is killed in one of several states. */
static int child(int parent)
{
    static char data[LONG];
    int what = -1, pid = getpid();
    OK(pvm_psend(parent, READY, &pid, 1, PVM_INT));
    OK(pvm_precv(parent, GO, &what, 1, PVM_INT, NULL, NULL, NULL));
    for (int i = 0; what == 1 && i < MANY; i++) {
        pvm_initsend(PvmDataRaw);
        pvm_pkbyte(data, i % 2 ? LONG : 100, 1);
        OK(pvm_send(parent, DATA));
    }
    if (what == 1)
        raise(SIGKILL);
    if (what == 2) /* takes nothing */
        sleep(60);
    if (what == 3) /* without a word */
        _exit(3);
    pvm_recv(-1, 99); /* 0: waits for what never comes */
    return 1;
}

static int note(double limit)
{
    struct timeval t = {(long)limit, 0};
    int tid = 0, id = pvm_trecv(-1, GONE, &t);
    if (id > 0)
        OK(pvm_upkint(&tid, 1, 1));
    return tid;
}

static int handled;
static int on_gone(int id)
{
    (void)id;
    OK(pvm_upkint(&handled, 1, 1));
    return 0;
}

static int start(int *tids, int *pids, int n)
{
    char path[512];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    int got = pvm_spawn(path, NULL, PvmTaskDefault, NULL, n, tids);
    CHECK(got == n, "%d of %d started", got, n);
    for (int i = 0; i < got; i++)
        OK(pvm_precv(tids[i], READY, &pids[i], 1, PVM_INT, NULL, NULL, NULL));
    return got;
}

static void go(int tid, int what)
{
    OK(pvm_psend(tid, GO, &what, 1, PVM_INT));
}

/* By a signal, while the child waits and this one waits for the news. */
static void waiting(int tid, int pid)
{
    go(tid, 0);
    usleep(50000);
    double before = now();
    HOLDS(check_kill(pid, SIGKILL));
    CHECK(note(10) == tid, "not told of t%x", (unsigned)tid);
    CHECK(now() - before < 2, "told after %.3f s", now() - before);
    GIVES(pvm_pstat(tid), PvmNoTask);
}

static void last_words(int tid)
{
    int got = 0, bytes;
    go(tid, 1);
    CHECK(note(10) == tid, "not told of t%x", (unsigned)tid);
    while (pvm_nrecv(tid, DATA) > 0) {
        OK(pvm_bufinfo(pvm_getrbuf(), &bytes, NULL, NULL));
        CHECK(bytes == (got % 2 ? LONG : 100), "message %d has %d bytes", got, bytes);
        got++;
    }
    CHECK(got == MANY, "%d messages of %d", got, MANY);
}

/* More than there is room for. */
static void deaf(int tid, int pid)
{
    static char data[LONG];
    go(tid, 2);
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_pkbyte(data, 100, 1));
    for (int i = 0; i < 50; i++)
        OK(pvm_send(tid, DATA));
    HOLDS(check_kill(pid, SIGKILL));
    double before = now();
    for (int i = 0; i < 5000; i++)
        OK(pvm_send(tid, DATA));
    OK(pvm_pkbyte(data, LONG, 1));
    for (int i = 0; i < 500; i++)
        OK(pvm_send(tid, DATA));
    CHECK(now() - before < 10, "sending to a dead task took %.3f s", now() - before);
    CHECK(note(10) == tid, "not told of t%x", (unsigned)tid);
}

static void by_handler(int tid, int pid)
{
    int h = pvm_addmhf(-1, GONE, -1, on_gone);
    struct timeval t = {0, 20000};
    OK(h);
    HOLDS(check_kill(pid, SIGKILL));
    double end = now() + 10;
    while (!handled && now() < end)
        pvm_trecv(-1, 98, &t);
    CHECK(handled == tid, "the handler got %x", (unsigned)handled);
    OK(pvm_delmhf(h));
}

/* Polling finds it too, and asking when it is late. */
static void polling(int tid)
{
    double end = now() + 10;
    int id = 0, t = 0;
    go(tid, 3);
    while ((id = pvm_nrecv(-1, GONE)) == 0 && now() < end)
        ;
    CHECK(id > 0, "not told of t%x", (unsigned)tid);
    OK(pvm_upkint(&t, 1, 1));
    CHECK(t == tid, "told of %x", (unsigned)t);
    OK(pvm_notify(PvmTaskExit, GONE, 1, &tid));
    CHECK(note(0) == tid, "not told at once");
    GIVES(pvm_send(tid, DATA), 0);
}

int main(void)
{
    int tids[CHILDREN], pids[CHILDREN];
    pc_start();
    pvm_setopt(PvmAutoErr, 0);
    if (pvm_parent() > 0)
        return child(pvm_parent());
    if (start(tids, pids, CHILDREN) != CHILDREN)
        return 1;
    OK(pvm_notify(PvmTaskExit, GONE, CHILDREN, tids));
    waiting(tids[0], pids[0]);
    last_words(tids[1]);
    deaf(tids[2], pids[2]);
    by_handler(tids[3], pids[3]);
    polling(tids[4]);
    OK(pvm_notify(PvmTaskExit | PvmNotifyCancel, GONE, 1, tids + 5));
    CHECK(note(0) == tids[5], "cancelled");
    HOLDS(check_kill(pids[5], SIGKILL));
    CHECK(note(1) == 0, "told of one that was cancelled");
    return pc_finish();
}
