/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks that do a part of a daemon's work: a tasker that starts what others spawn, by
 * fork and exec, and reports what has ended; a hoster that is asked for hosts. They
 * are written as PVM's pages pvm_reg_tasker and pvm_reg_hoster say.
 */
#include <signal.h>
#include <sys/select.h>
#include <sys/wait.h>

#include "pcheck.h"

#define SM_TASKX (-2147221503 + 10) /* 0x80040001 + 10 */
#define SM_STHOST (-2147221503 + 14)
#define SM_STHOSTACK (-2147221503 + 15)
#define SM_STTASK (-2147221503 + 16)
#define DAEMON ((int)0x80000000)
enum { READY = 1, QUIT = 2, REPORT = 3, GONE = 4, WORKERS = 3, STRINGS = 20 };

static char program[512];
void pvmendtask(void); /* libpvm3 has these, and pvm3.h has not */
int pvmputenv(char *text);

static void say(int tid, int tag, int value)
{
    OK(pvm_initsend(PvmDataDefault));
    OK(pvm_pkint(&value, 1, 1));
    OK(pvm_send(tid, tag));
}

static int hear(int tid, int tag)
{
    struct timeval limit = {20, 0};
    int value = -999;
    CHECK(pvm_trecv(tid, tag, &limit) > 0, "nothing of t%x with tag %d", (unsigned)tid, tag);
    pvm_upkint(&value, 1, 1);
    return value;
}

/* ------------------------------------------------------------------- tasker -- */

static struct {
    int tid, pid;
} started[64];
static int nstarted;

static void read_strings(char **to, int *n)
{
    static char text[2 * STRINGS][1024];
    static int used;
    OK(pvm_upkint(n, 1, 1));
    CHECK(*n < STRINGS, "%d strings", *n);
    for (int i = 0; i < *n; i++) {
        to[i] = text[used++ % (2 * STRINGS)];
        OK(pvm_upkstr(to[i]));
    }
    to[*n] = NULL;
}

static void start(void)
{
    char path[1024], *argv[STRINGS + 1], *env[STRINGS + 1];
    int tid, flags, argc, envc, pid;
    OK(pvm_upkint(&tid, 1, 1));
    OK(pvm_upkint(&flags, 1, 1));
    OK(pvm_upkstr(path));
    read_strings(argv, &argc);
    read_strings(env, &envc);
    CHECK(argc > 0 && strcmp(argv[0], path) == 0 && path[0] == '/', "%d arguments, the first is %s", argc, argv[0]);
    if ((pid = fork()) == 0) {
        pvmendtask();
        for (int i = 0; i < envc; i++)
            pvmputenv(env[i]);
        for (int fd = 3; argc > 2 && fd < 100; fd++) /* some taskers do that */
            close(fd);
        execv(path, argv);
        _exit(1);
    }
    started[nstarted].tid = tid;
    started[nstarted++].pid = pid;
}

static void reap(void)
{
    int status, pid = waitpid(-1, &status, WNOHANG);
    for (int i = 0; pid > 0 && i < nstarted; i++) {
        int end[] = {started[i].tid, status, 0, 0, 0, 0};
        if (started[i].pid != pid)
            continue;
        OK(pvm_initsend(PvmDataDefault));
        OK(pvm_pkint(end, 6, 1));
        OK(pvm_send(DAEMON, SM_TASKX));
    }
}

/* False: the tasker is to end. */
static bool serve(int id)
{
    int tag = 0, from = 0;
    OK(pvm_bufinfo(id, NULL, &tag, &from));
    if (tag == QUIT)
        return false;
    CHECK(tag == SM_STTASK && from == DAEMON, "tag %d of %x", tag, (unsigned)from);
    start();
    return true;
}

/* Waits outside of PVM, as PVM's own example of a tasker does. */
static int tasker(int parent)
{
    bool going = true;
    int *fds, id;
    pvm_setopt(PvmResvTids, 1);
    GIVES(pvm_reg_tasker(), 0);
    pvm_setopt(PvmRoute, PvmDontRoute);
    CHECK(pvm_getfds(&fds) >= 1, "no descriptors");
    say(parent, READY, getpid());
    while (going) {
        struct timeval step = {0, 100000};
        fd_set set;
        FD_ZERO(&set);
        FD_SET(fds[0], &set);
        select(fds[0] + 1, &set, NULL, NULL, &step);
        reap();
        while (going && (id = pvm_nrecv(-1, -1)) > 0)
            going = serve(id);
    }
    GIVES(pvm_reg_tasker(), 0); /* no longer */
    say(parent, READY, 0);
    return pc_finish();
}

/* Which process started it, and its PVMTEST. */
static int worker(int parent)
{
    const char *text = getenv("PVMTEST");
    int *tids, n = pvm_siblings(&tids);
    CHECK(n == WORKERS || n == 1, "%d siblings", n);
    say(parent, REPORT, text && strcmp(text, "exported") == 0 ? getppid() : -1);
    pvm_recv(parent, QUIT);
    return pc_finish();
}

static void spawn_by(int boss, bool closes)
{
    char *args[] = {"worker", closes ? "closes" : NULL, NULL};
    int tids[WORKERS];
    GIVES(pvm_spawn(program, args, PvmTaskDefault, NULL, WORKERS, tids), WORKERS);
    for (int i = 0; i < WORKERS; i++)
        CHECK(hear(tids[i], REPORT) == boss || boss == 0, "not started by the tasker");
    OK(pvm_notify(PvmTaskExit, GONE, WORKERS, tids));
    OK(pvm_sendsig(tids[0], SIGKILL));
    GIVES(hear(-1, GONE), tids[0]);
    for (int i = 1; i < WORKERS; i++) {
        say(tids[i], QUIT, 0);
        hear(-1, GONE);
    }
}

static void test_tasker(void)
{
    char *args[] = {"tasker", NULL};
    int boss, tid, pid;
    setenv("PVMTEST", "exported", 1);
    OK(pvm_export("PVMTEST"));
    GIVES(pvm_spawn(program, args, PvmTaskDefault, NULL, 1, &boss), 1);
    pid = hear(boss, READY);
    GIVES(pvm_reg_tasker(), PvmAlready);
    spawn_by(pid, false);
    spawn_by(pid, true);
    /* one that never becomes a task: the tasker says that it has ended */
    GIVES(pvm_spawn("/bin/true", NULL, PvmTaskDefault, NULL, 1, &tid), 1);
    OK(pvm_notify(PvmTaskExit, GONE, 1, &tid));
    GIVES(hear(-1, GONE), tid);
    GIVES(pvm_pstat(tid), PvmNoTask);
    GIVES(pvm_spawn("/no/such/file", NULL, PvmTaskDefault, NULL, 1, &tid), 0);
    CHECK(tid == PvmNoFile, "%d", tid);
    pvm_setopt(PvmResvTids, 1); /* words of one that is no tasker */
    OK(pvm_initsend(PvmDataDefault));
    GIVES(pvm_send(DAEMON, SM_TASKX), PvmNoData);
    OK(pvm_pkint(&boss, 1, 1));
    GIVES(pvm_send(DAEMON, SM_TASKX), PvmDenied);
    pvm_setopt(PvmResvTids, 0);
    say(boss, QUIT, 0);
    hear(boss, READY);
    spawn_by(0, false);
}

/* ------------------------------------------------------------------- hoster -- */

/* Answers in the other order; the second host has a daemon, as it says. */
static void answer(void)
{
    char options[1024], login[1024], command[1024];
    int n, tids[4], wid = pvm_getmwid(pvm_getrbuf());
    OK(pvm_upkint(&n, 1, 1));
    CHECK(n == 2, "%d hosts", n);
    for (int i = 0; i < n; i++) {
        OK(pvm_upkint(&tids[i], 1, 1));
        OK(pvm_upkstr(options));
        OK(pvm_upkstr(login));
        OK(pvm_upkstr(command));
        CHECK(strcmp(login, i ? "beta.example" : "me@alpha") == 0 && strcmp(options, i ? "" : "pw") == 0, "%s, %s",
              login, options);
        CHECK(strstr(command, i ? "-nbeta.example" : "-nalpha"), "%s", command);
        CHECK((tids[i] & 0x3ffff) == 0 && tids[i] > 0x40000, "tid %x", (unsigned)tids[i]);
    }
    OK(pvm_initsend(PvmDataDefault));
    while (n-- > 0) {
        OK(pvm_pkint(&tids[n], 1, 1));
        OK(pvm_pkstr(n ? "ddpro<2312> arch<ALPHA> ip<80a95c43:0b3f> mtu<4096>" : "PvmDSysErr"));
    }
    OK(pvm_setmwid(pvm_getsbuf(), wid));
    OK(pvm_send(DAEMON, SM_STHOSTACK));
}

static int hoster(int parent)
{
    pvm_setopt(PvmResvTids, 1);
    GIVES(pvm_reg_hoster(), 0);
    say(parent, READY, 0);
    OK(pvm_recv(-1, SM_STHOST));
    answer();
    OK(pvm_recv(DAEMON, SM_STHOST));
    if (check_failures)
        fprintf(stderr, "FAIL: %ld checks of the hoster\n", check_failures);
    _exit(check_failures != 0); /* without a word */
}

static void test_hoster(void)
{
    char *args[] = {"hoster", NULL}, *hosts[] = {"alpha so=pw lo=me", "localhost", "beta.example", " "};
    int boss, infos[4];
    GIVES(pvm_spawn(program, args, PvmTaskDefault, NULL, 1, &boss), 1);
    hear(boss, READY);
    GIVES(pvm_reg_hoster(), PvmAlready);
    GIVES(pvm_addhosts(hosts, 4, infos), 0);
    CHECK(infos[0] == PvmDSysErr && infos[1] == PvmDupHost && infos[2] == PvmBadVersion && infos[3] == PvmBadParam,
          "%d, %d, %d, %d", infos[0], infos[1], infos[2], infos[3]);
    GIVES(pvm_addhosts(hosts, 1, infos), 0);
    CHECK(infos[0] == PvmCantStart, "%d", infos[0]);
    GIVES(pvm_reg_hoster(), 0); /* the old one has gone */
    GIVES(pvm_addhosts(hosts, 1, infos), 0); /* it does not ask itself */
    CHECK(infos[0] == PvmCantStart, "%d", infos[0]);
    GIVES(pvm_reg_hoster(), 0);
}

int main(int argc, char **argv)
{
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    pc_start();
    pvm_setopt(PvmAutoErr, 0);
    if (argc > 1)
        return (strcmp(argv[1], "tasker") == 0   ? tasker
                : strcmp(argv[1], "hoster") == 0 ? hoster
                                                 : worker)(pvm_parent());
    test_tasker();
    test_hoster();
    return pc_finish();
}
