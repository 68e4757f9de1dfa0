/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals to tasks: pvm_kill, pvm_sendsig, wrong tids and signals; messages to the
 * dead and to those that never answer; pvm_halt, which ends everybody.
 */
#include <fcntl.h>
#include <pcheck.h>
#include <signal.h>
#include <sys/wait.h>

enum { READY = 1, CAUGHT = 2, GONE = 3, FLOOD = 4 };

static char *self;
static volatile sig_atomic_t caught;

static void note(int sig)
{
    caught = sig;
}

/* Says READY, then which signal came, until SIGTERM. */
static int run_catcher(void)
{
    signal(SIGUSR1, note);
    signal(SIGTERM, note);
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_send(pvm_parent(), READY));
    for (;;) {
        int sig = caught;
        if (!sig) {
            usleep(1000);
            continue;
        }
        caught = 0;
        OK(pvm_initsend(PvmDataRaw));
        OK(pvm_pkint(&sig, 1, 1));
        OK(pvm_send(pvm_parent(), CAUGHT));
        if (sig == SIGTERM)
            return pc_finish();
    }
}

static int start(const char *mode)
{
    char *argv[] = {(char *)(uintptr_t)mode, NULL};
    int tid;
    GIVES(pvm_spawn(self, argv, 0, NULL, 1, &tid), 1);
    CHECK(pvm_recv(tid, READY) > 0, "not ready");
    return tid;
}

static void test_signals(void)
{
    int tid = start("catch"), sig = 0;
    OK(pvm_notify(PvmTaskExit, GONE, 1, &tid));
    OK(pvm_sendsig(tid, 0));
    OK(pvm_sendsig(tid, SIGUSR1));
    CHECK(pvm_recv(tid, CAUGHT) > 0 && pvm_upkint(&sig, 1, 1) == 0 && sig == SIGUSR1, "signal %d", sig);
    OK(pvm_kill(tid));
    CHECK(pvm_recv(tid, CAUGHT) > 0 && pvm_upkint(&sig, 1, 1) == 0 && sig == SIGTERM, "signal %d", sig);
    CHECK(pvm_recv(-1, GONE) > 0, "end");
    OK(pvm_kill(tid)); /* it has gone: no error */
    OK(pvm_sendsig(tid, SIGKILL));
    GIVES(pvm_pstat(tid), PvmNoTask);
    signal(SIGUSR1, note);
    OK(pvm_sendsig(pc_tid, SIGUSR1));
    CHECK(caught == SIGUSR1, "own signal: %d", (int)caught);
}

static void test_wrong(void)
{
    static const int tids[] = {0, -1, -2147483647 - 1, 0x40000000, 0x7fffffff};
    for (size_t i = 0; i < sizeof tids / sizeof *tids; i++) {
        GIVES(pvm_kill(tids[i]), PvmBadParam);
        GIVES(pvm_sendsig(tids[i], SIGKILL), PvmBadParam);
    }
    GIVES(pvm_sendsig(pc_tid, -1), PvmBadParam);
    GIVES(pvm_sendsig(pc_tid, 1000), PvmBadParam);
    OK(pvm_kill(0x40777)); /* could be one */
    OK(pvm_kill(0x80001)); /* of a host that is not there */
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_send(0x40777, 1));
}

/* A task that takes nothing is killed while its sender waits for room. */
static void test_flood(void)
{
    int tid = start("sit"), big[256] = {0};
    pid_t pid = 0;
    struct pvmtaskinfo *info;
    int n;
    OK(pvm_tasks(tid, &n, &info));
    if (CHECK(n == 1 && info->ti_pid > 0, "%d tasks", n) && (pid = fork()) == 0) {
        usleep(300000);
        check_kill(info->ti_pid, SIGKILL);
        _exit(0);
    }
    check_kill(info->ti_pid, SIGSTOP);
    for (int i = 0; i < 3000; i++) {
        OK(pvm_initsend(PvmDataRaw));
        OK(pvm_pkint(big, 100, 1));
        OK(pvm_send(tid, FLOOD));
    }
    waitpid(pid, NULL, 0);
    GIVES(pvm_pstat(tid), PvmNoTask);
}

/* A machine of its own, in which one task ignores SIGTERM. What all of them held open is closed when they end. */
static void test_halt(void)
{
    int end[2], status;
    char byte, fd[16];
    pid_t pid;
    CHECK(pipe(end) == 0, "pipe");
    snprintf(fd, sizeof fd, "%d", end[1]);
    if ((pid = fork()) == 0) {
        close(end[0]);
        execl(self, self, "halt", fd, (char *)NULL);
        _exit(127);
    }
    close(end[1]);
    alarm(20);
    CHECK(read(end[0], &byte, 1) == 0, "something was written");
    CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM,
          "who called pvm_halt ended with %#x", (unsigned)status);
    close(end[0]);
}

static int run_halt(void)
{
    pc_start();
    start("sit");
    start("deaf");
    start("sit");
    pvm_halt();
    return 3;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    self = realpath("/proc/self/exe", NULL);
    if (strcmp(mode, "halt") == 0)
        return run_halt();
    pvm_setopt(PvmAutoErr, 0);
    if (strcmp(mode, "catch") == 0)
        return run_catcher();
    if (*mode) {
        if (strcmp(mode, "deaf") == 0)
            signal(SIGTERM, SIG_IGN);
        pvm_initsend(PvmDataRaw);
        pvm_send(pvm_parent(), READY);
        pvm_recv(-1, 77);
        return 1;
    }
    pc_start();
    test_signals();
    test_wrong();
    test_flood();
    test_halt();
    return pc_finish();
}
