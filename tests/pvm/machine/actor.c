/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the scripts of this folder run, one part for each first argument. Programs
 * of the first task spawn this program in other parts.
 */
#include <pvm3.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char *self;

static int spawn(const char *part, const char *more, int n, int *tids)
{
    char *argv[] = {(char *)(uintptr_t)part, (char *)(uintptr_t)more, NULL};
    int got = pvm_spawn(self, argv, 0, NULL, n, tids);
    if (got != n) {
        fprintf(stderr, "%d of %d %s were spawned: %d\n", got, n, part, tids[0]);
        exit(3);
    }
    return got;
}

static void nap(int ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000l}, NULL);
}

static void signal_ready(int tid)
{
    pvm_initsend(PvmDataRaw);
    pvm_send(tid, 1);
}

/* ------------------------------------------------------------------ children -- */

static int speaker(void)
{
    printf("one\ntwo\n");
    fflush(stdout);
    fprintf(stderr, "to stderr\n");
    printf("half ");
    fflush(stdout);
    nap(20);
    printf("a line, no end");
    return 0;
}

static int flooder(const char *lines)
{
    for (int i = 0; i < (*lines ? atoi(lines) : 20000); i++)
        printf("line %d of many\n", i);
    return 0;
}

static int grandparent(void)
{
    int tid;
    printf("between\n");
    fflush(stdout);
    spawn("speaker", NULL, 1, &tid);
    return 0; /* its child may print longer than it lives */
}

static int waiter(void)
{
    signal_ready(pvm_parent());
    pvm_recv(-1, 99);
    printf("got what never came\n");
    return 0;
}

static int timed_waiter(void)
{
    struct timeval limit = {2, 0};
    signal_ready(pvm_parent());
    pvm_trecv(-1, 99, &limit);
    fprintf(stderr, "time over\n");
    return 0;
}

static int computer(void)
{
    struct timespec t, end;
    signal_ready(pvm_parent());
    clock_gettime(CLOCK_MONOTONIC, &end);
    do
        clock_gettime(CLOCK_MONOTONIC, &t);
    while ((t.tv_sec - end.tv_sec) * 1000 + (t.tv_nsec - end.tv_nsec) / 1000000 < 2000);
    fprintf(stderr, "computed\n");
    return 0;
}

/* ------------------------------------------------------------- first tasks -- */

/* Catches the output of `n` children in a part. */
static int catcher(const char *part, int n, int show)
{
    int tids[16];
    pvm_setopt(PvmShowTids, show);
    pvm_catchout(stdout);
    spawn(part, NULL, n, tids);
    printf("spawned\n");
    return pvm_exit();
}

/* Output as messages, in PVM's form. */
static int message_catcher(void)
{
    int tid, from, n, source;
    pvm_setopt(PvmOutputTid, pvm_mytid());
    pvm_setopt(PvmOutputCode, 55);
    spawn("speaker", NULL, 1, &tid);
    do {
        int buf = pvm_recv(-1, 55), parent = 0;
        char text[4096] = "";
        pvm_bufinfo(buf, NULL, NULL, &source);
        pvm_upkint(&from, 1, 1);
        pvm_upkint(&n, 1, 1);
        if (n > 0)
            pvm_upkbyte(text, n, 1);
        else if (n < 0)
            pvm_upkint(&parent, 1, 1);
        printf("%s %s %d %s%s|", from == tid ? "it" : "?", (unsigned)source == 0x80000000u ? "host" : "?",
               n < 1 ? n : 1, parent == pvm_mytid() ? "parent" : "", text);
    } while (n != 0);
    return pvm_exit();
}

/* Many tasks' output waits while this one does not look. */
static int hoarder(void)
{
    int tids[60], n, from, ended = 0, bytes = 0;
    pvm_setopt(PvmOutputTid, pvm_mytid());
    pvm_setopt(PvmOutputCode, 55);
    spawn("flooder", "400", 60, tids);
    nap(1500);
    while (ended < 60) {
        pvm_recv(-1, 55);
        pvm_upkint(&from, 1, 1);
        pvm_upkint(&n, 1, 1);
        ended += n == 0;
        bytes += n > 0 ? n : 0;
    }
    printf("%d bytes\n", bytes);
    return pvm_exit();
}

/* A child changes where its own output goes. */
static int changer(void)
{
    printf("before\n");
    fflush(stdout);
    pvm_setopt(PvmSelfOutputTid, 0);
    printf("after\n");
    fflush(stdout);
    return 0;
}

/* Ends while its children print: they must not die of it. */
static int leaver(const char *part)
{
    int tids[2];
    pvm_catchout(stdout);
    spawn(part, NULL, 2, tids);
    pvm_recv(tids[0], 1);
    exit(0);
}

static int late_speaker(void)
{
    signal_ready(pvm_parent());
    nap(400);
    for (int i = 0; i < 3; i++) {
        fprintf(stderr, "late %d\n", i);
        nap(20);
    }
    fprintf(stderr, "late end\n");
    return 0;
}

/* Spawns n of a part, waits until they are ready, prints process numbers, then: exit, wait or sleep. */
static int master(const char *part, int n, const char *then)
{
    int tids[16], ntask;
    struct pvmtaskinfo *info;
    spawn(part, NULL, n, tids);
    for (int i = 0; i < n; i++)
        pvm_recv(tids[i], 1);
    pvm_tasks(0, &ntask, &info);
    for (int i = 0; i < ntask; i++)
        printf("%x %d\n", (unsigned)info[i].ti_tid, info[i].ti_pid);
    fflush(stdout);
    if (strcmp(then, "exit") == 0)
        return 0;
    if (strcmp(then, "wait") == 0)
        pvm_recv(-1, 98);
    for (;;)
        pause();
}

/* Joins whatever machine there is, says who it is, and who is there; waits for its input to end. */
static int member(void)
{
    int n, tid = pvm_mytid();
    struct pvmtaskinfo *info;
    char line[16];
    if (tid < 0)
        return 1;
    pvm_tasks(0, &n, &info);
    printf("%x %d\n", (unsigned)tid, n);
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
        return pvm_exit();
    /* to all others, and one from each of them that is asked to */
    pvm_tasks(0, &n, &info);
    pvm_initsend(PvmDataRaw);
    for (int i = 0; i < n; i++)
        if (info[i].ti_tid != tid)
            pvm_send(info[i].ti_tid, 7);
    for (int i = 0; i + 1 < n; i++)
        pvm_recv(-1, 7);
    printf("met %d\n", n - 1);
    return pvm_exit();
}

/* Any program with any flags; its output is printed. */
static int runner(int flags, const char *file, const char *more)
{
    char *argv[] = {(char *)(uintptr_t)more, NULL};
    int tid, n;
    pvm_setopt(PvmShowTids, 0);
    pvm_catchout(stdout);
    n = pvm_spawn((char *)(uintptr_t)file, argv, flags, NULL, 1, &tid);
    if (n != 1)
        printf("%d %d\n", n, tid);
    return pvm_exit();
}

/* It leaves the machine and comes again, as another task: each time it catches output. */
static int comer(void)
{
    for (int i = 0; i < 3; i++) {
        pvm_catchout(stdout);
        spawn("speaker", NULL, 1, &(int){0});
        if (pvm_exit() < 0)
            return 1;
    }
    return 0;
}

static int loop(const char *n)
{
    for (int i = 0; i < atoi(n); i++) {
        int tid;
        spawn("waiter", NULL, 1, &tid);
        pvm_recv(tid, 1);
        pvm_initsend(PvmDataRaw);
        pvm_send(tid, 99);
    }
    return pvm_exit();
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "", *a = argc > 2 ? argv[2] : "", *b = argc > 3 ? argv[3] : "";
    struct {
        const char *name;
        int (*run)(void);
    } parts[] = {
        {"speaker", speaker},   {"grandparent", grandparent},
        {"waiter", waiter},     {"timed_waiter", timed_waiter},
        {"computer", computer}, {"messages", message_catcher},
        {"hoard", hoarder},     {"changer", changer},
        {"late", late_speaker}, {"member", member},
        {"comer", comer},
    };
    self = realpath("/proc/self/exe", NULL);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(part, parts[i].name) == 0)
            return parts[i].run();
    if (strcmp(part, "flooder") == 0)
        return flooder(a);
    if (strcmp(part, "catch") == 0)
        return catcher(a, atoi(b), argc < 5);
    if (strcmp(part, "leave") == 0)
        return leaver(a);
    if (strcmp(part, "master") == 0)
        return master(a, atoi(b), argc > 4 ? argv[4] : "exit");
    if (strcmp(part, "run") == 0)
        return runner(atoi(a), b, argc > 4 ? argv[4] : "");
    if (strcmp(part, "loop") == 0)
        return loop(a);
    if (strcmp(part, "plain") == 0) {
        int tid;
        spawn(a, NULL, 1, &tid);
        pvm_notify(PvmTaskExit, 5, 1, &tid);
        pvm_recv(-1, 5);
        return pvm_exit();
    }
    fprintf(stderr, "no part %s\n", part);
    return 2;
}
