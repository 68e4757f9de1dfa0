/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_spawn: what the tasks are told (arguments, folder, variables, context, parent,
 * siblings), what is said when they cannot be started, and that the program's own
 * children and its spawned tasks do not meet.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pcheck.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { REPORT = 11, GO = 12, MANY = 5 };

static char *self;

struct report {
    int tid, parent, siblings, context, argc, first_sibling;
    char argv0[PATH_MAX], last[256], folder[PATH_MAX], variable[64], export[64];
};

static void get_text(char *to, size_t room)
{
    char text[PATH_MAX];
    OK(pvm_upkstr(text));
    snprintf(to, room, "%s", text);
}

/* ------------------------------------------------------------------ children -- */

static char *or_empty(const char *text)
{
    return (char *)(uintptr_t)(text ? text : "");
}

static int run_reporter(int argc, char **argv)
{
    char folder[PATH_MAX];
    int *siblings, n, ints[6];
    pvm_setopt(PvmAutoErr, 0);
    n = pvm_siblings(&siblings);
    ints[0] = pvm_mytid(), ints[1] = pvm_parent(), ints[2] = n, ints[3] = pvm_getcontext(), ints[4] = argc,
    ints[5] = siblings[0];
    pvm_setcontext(PvmBaseContext);
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_pkint(ints, 6, 1));
    OK(pvm_pkint(siblings, n, 1));
    OK(pvm_pkstr(argv[0]));
    OK(pvm_pkstr(argv[argc - 1]));
    OK(pvm_pkstr(getcwd(folder, sizeof folder)));
    OK(pvm_pkstr(or_empty(getenv("MACHINE_TEST"))));
    OK(pvm_pkstr(or_empty(getenv("PVM_EXPORT"))));
    OK(pvm_pkstr(or_empty(getenv("MPT_MACHINE")))); /* not for programs that it starts */
    OK(pvm_send(ints[1] > 0 ? ints[1] : 0x40001, REPORT));
    OK(pvm_recv(-1, GO));
    return pc_finish();
}

static void read_report(struct report *r, const int *siblings, int n)
{
    int ints[6];
    char machine[64];
    OK(pvm_upkint(ints, 6, 1));
    *r = (struct report){.tid = ints[0],
                         .parent = ints[1],
                         .siblings = ints[2],
                         .context = ints[3],
                         .argc = ints[4],
                         .first_sibling = ints[5]};
    for (int i = 0; i < ints[2]; i++) {
        int tid = 0;
        OK(pvm_upkint(&tid, 1, 1));
        CHECK(i >= n || tid == siblings[i], "sibling %d is t%x, not t%x", i, (unsigned)tid, (unsigned)siblings[i]);
    }
    get_text(r->argv0, sizeof r->argv0);
    get_text(r->last, sizeof r->last);
    get_text(r->folder, sizeof r->folder);
    get_text(r->variable, sizeof r->variable);
    get_text(r->export, sizeof r->export);
    get_text(machine, sizeof machine);
    CHECK(machine[0] == '\0', "a task hands MPT_MACHINE=%s to its children", machine);
}

static int spawn_reporters(int flags, char *where, int n, int *tids)
{
    char *argv[] = {(char *)(uintptr_t)"report", (char *)(uintptr_t)"two words", NULL};
    return pvm_spawn(self, argv, flags, where, n, tids);
}

static struct report report_of(int tid, const int *tids, int n)
{
    struct report r = {0};
    CHECK(pvm_recv(tid, REPORT) > 0, "no report of t%x", (unsigned)tid);
    read_report(&r, tids, n);
    CHECK(r.tid == tid, "t%x says it is t%x", (unsigned)tid, (unsigned)r.tid);
    return r;
}

static void dismiss(int *tids, int n)
{
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_mcast(tids, n, GO));
}

/* --------------------------------------------------------------------- tests -- */

static void test_told(void)
{
    int tids[MANY], context = pvm_newcontext(), before = pvm_setcontext(context);
    char folder[PATH_MAX];
    setenv("MACHINE_TEST", "some value", 1);
    OK(pvm_export((char *)(uintptr_t)"MACHINE_TEST"));
    GIVES(spawn_reporters(PvmTaskDefault, NULL, MANY, tids), MANY);
    pvm_setcontext(before);
    for (int i = 0; i < MANY; i++) {
        struct report r = report_of(tids[i], tids, MANY);
        CHECK(i == 0 || tids[i] == tids[i - 1] + 1, "tids are not in a row");
        CHECK(r.parent == pc_tid && r.siblings == MANY && r.first_sibling == tids[0], "parent t%x, %d siblings",
              (unsigned)r.parent, r.siblings);
        CHECK(r.context == context, "context %d, not %d", r.context, context);
        CHECK(r.argc == 3 && strcmp(r.last, "two words") == 0 && strcmp(r.argv0, self) == 0, "%d arguments, %s, ... %s",
              r.argc, r.argv0, r.last);
        CHECK(strcmp(r.folder, getcwd(folder, sizeof folder)) == 0, "folder %s", r.folder);
        CHECK(strcmp(r.variable, "some value") == 0 && strcmp(r.export, "MACHINE_TEST") == 0, "variables %s, %s",
              r.variable, r.export);
    }
    dismiss(tids, MANY);
    OK(pvm_freecontext(context));
    OK(pvm_unexport((char *)(uintptr_t)"MACHINE_TEST"));
    CHECK(*or_empty(getenv("PVM_EXPORT")) == '\0', "PVM_EXPORT=%s", getenv("PVM_EXPORT"));
}

static void test_export_list(void)
{
    char *a = (char *)(uintptr_t)"AA", *b = (char *)(uintptr_t)"A";
    unsetenv("PVM_EXPORT");
    OK(pvm_export(a));
    OK(pvm_export(b));
    OK(pvm_export(a));
    CHECK(strcmp(getenv("PVM_EXPORT"), "AA:A") == 0, "%s", getenv("PVM_EXPORT"));
    OK(pvm_unexport(a));
    OK(pvm_unexport(a));
    CHECK(strcmp(getenv("PVM_EXPORT"), "A") == 0, "%s", getenv("PVM_EXPORT"));
    OK(pvm_unexport(b));
    GIVES(pvm_export(NULL), PvmBadParam);
    GIVES(pvm_unexport((char *)(uintptr_t)"A=1"), PvmBadParam);
}

static void test_where(void)
{
    struct {
        int flags;
        const char *where;
        int good;
    } cases[] = {
        {PvmTaskHost, ".", 1},
        {PvmTaskHost, "localhost", 1},
        {PvmTaskHost, "no.such.host", 0},
        {PvmTaskHost, "", 0},
        {PvmTaskHost, NULL, 0},
        {PvmTaskHost | PvmHostCompl, ".", 0},
        {PvmTaskHost | PvmHostCompl, "no.such.host", 1},
        {PvmTaskArch, "SUN4", 0},
        {PvmTaskArch | PvmHostCompl, "SUN4", 1},
        {PvmTaskDefault, "ignored", 1},
        {PvmMppFront, NULL, 1},
        {PvmTaskTrace, NULL, 1},
    };
    struct pvmhostinfo *hosts;
    int n;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int tids[2] = {1, 1};
        char *where = (char *)(uintptr_t)cases[i].where;
        int got = spawn_reporters(cases[i].flags, where, 2, tids);
        CHECK(got == 2 * cases[i].good, "flags %d, where %s: %d", cases[i].flags, where ? where : "NULL", got);
        CHECK(got == 2 || (tids[0] == PvmNoHost && tids[1] == PvmNoHost), "codes %d, %d", tids[0], tids[1]);
        for (int k = 0; k < got; k++)
            report_of(tids[k], tids, 2);
        if (got == 2)
            dismiss(tids, 2);
    }
    OK(pvm_config(&n, NULL, &hosts));
    int tid;
    GIVES(spawn_reporters(PvmTaskHost, hosts[0].hi_name, 1, &tid), 1);
    report_of(tid, &tid, 1);
    dismiss(&tid, 1);
    GIVES(spawn_reporters(PvmTaskArch, hosts[0].hi_arch, 1, &tid), 1);
    report_of(tid, &tid, 1);
    dismiss(&tid, 1);
}

static void test_folder(void)
{
    int tid;
    char where[] = ":/usr", both[] = ".:/", none[] = ":/no/such/folder";
    struct report r;
    GIVES(spawn_reporters(PvmTaskDefault, where, 1, &tid), 1);
    r = report_of(tid, &tid, 1);
    CHECK(strcmp(r.folder, "/usr") == 0, "%s", r.folder);
    dismiss(&tid, 1);
    GIVES(spawn_reporters(PvmTaskHost, both, 1, &tid), 1);
    r = report_of(tid, &tid, 1);
    CHECK(strcmp(r.folder, "/") == 0, "%s", r.folder);
    dismiss(&tid, 1);
    GIVES(spawn_reporters(PvmTaskDefault, none, 1, &tid), 0);
    CHECK(tid == PvmNoFile, "code %d", tid);
}

static void test_no_parent(void)
{
    int tid;
    GIVES(spawn_reporters(PvmNoSpawnParent, NULL, 1, &tid), 1);
    CHECK(report_of(tid, &tid, 1).parent == PvmParentNotSet, "parent");
    dismiss(&tid, 1);
}

static void write_script(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    CHECK(f, "%s", path);
    if (f) {
        fputs(text, f);
        fclose(f);
    }
    chmod(path, 0700);
}

/* By folders of PATH, beside the program, by a script that starts the task itself. */
static void test_lookup(void)
{
    char folder[PATH_MAX], path[PATH_MAX + 32], old[1 << 16], text[3 * PATH_MAX], *name = strrchr(self, '/') + 1;
    char *argv[] = {(char *)(uintptr_t)"report", NULL};
    int tid, tids[3];
    snprintf(folder, sizeof folder, "%.*s/mpt-spawn-XXXXXX", (int)(name - 1 - self), self); /* beside this program */
    CHECK(mkdtemp(folder), "%s", folder);
    snprintf(path, sizeof path, "%s/a-script", folder);
    snprintf(text, sizeof text, "#!/bin/sh\n'%s' report \"$@\"\n", self);
    write_script(path, text);
    snprintf(old, sizeof old, "%s", getenv("PATH"));
    snprintf(text, sizeof text, "%s:/bin:/usr/bin", folder);
    setenv("PATH", text, 1);
    GIVES(pvm_spawn((char *)(uintptr_t)"a-script", argv, 0, NULL, 1, &tid), 1);
    CHECK(report_of(tid, &tid, 1).argc == 3, "arguments through a script");
    dismiss(&tid, 1);
    setenv("PATH", old, 1);
    GIVES(pvm_spawn(name, argv, 0, NULL, 1, &tid), 1); /* beside us */
    report_of(tid, &tid, 1);
    dismiss(&tid, 1);
    write_script(path, "not a program");
    chmod(path, 0600);
    const char *bad[] = {"no-such-program", "", folder, path, "/no/such/path", "../no/such"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tids[0] = tids[1] = tids[2] = 7;
        GIVES(pvm_spawn((char *)(uintptr_t)bad[i], NULL, 0, NULL, 3, tids), 0);
        CHECK(tids[0] == PvmNoFile && tids[2] == PvmNoFile, "%s: %d, %d", bad[i], tids[0], tids[2]);
    }
    unlink(path);
    rmdir(folder);
}

static void test_bad(void)
{
    int tid;
    GIVES(pvm_spawn(NULL, NULL, 0, NULL, 1, &tid), PvmBadParam);
    GIVES(pvm_spawn(self, NULL, 0, NULL, 0, &tid), PvmBadParam);
    GIVES(pvm_spawn(self, NULL, 0, NULL, -3, &tid), PvmBadParam);
    GIVES(pvm_spawn(self, NULL, 1 << 20, NULL, 1, &tid), PvmBadParam);
    GIVES(spawn_reporters(0, NULL, 1, NULL), 1); /* whose tid nobody wants */
    CHECK(pvm_recv(-1, REPORT) > 0, "no report");
    OK(pvm_bufinfo(pvm_getrbuf(), NULL, NULL, &tid));
    dismiss(&tid, 1);
}

/* wait() of the program sees only what it has forked; no signal of a task's end comes. */
static volatile int signals;

static void on_child(int sig)
{
    (void)sig;
    signals++;
}

static void test_own_children(void)
{
    int tids[3], status;
    pid_t pid;
    signal(SIGCHLD, on_child);
    GIVES(spawn_reporters(0, NULL, 3, tids), 3);
    for (int i = 0; i < 3; i++)
        report_of(tids[i], tids, 3);
    OK(pvm_notify(PvmTaskExit, 99, 3, tids));
    dismiss(tids, 3);
    for (int i = 0; i < 3; i++)
        CHECK(pvm_recv(-1, 99) > 0, "end of a task");
    CHECK(signals == 0 && waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD, "%d signals", signals);
    signal(SIGCHLD, SIG_DFL);
    if ((pid = fork()) == 0) { /* a forked child is no task: it is told so, and its end harms nobody */
        int tid = pvm_mytid();
        exit(tid < 0 && pvm_initsend(0) < 0 ? 42 : 1);
    }
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 42, "forked child: %#x",
          (unsigned)status);
    GIVES(pvm_pstat(pc_tid), PvmOk);
}

/* Out and in again: another tid, and messages go as before. */
static void test_again(void)
{
    int before = pc_tid, tid, n;
    struct report r;
    OK(pvm_exit());
    OK(pvm_exit());
    pc_tid = pvm_mytid();
    CHECK(pc_tid > 0 && pc_tid != before, "t%x again", (unsigned)pc_tid);
    GIVES(pvm_pstat(before), PvmNoTask);
    GIVES(pvm_parent(), PvmNoParent);
    CHECK(pvm_siblings(NULL) == 1, "siblings");
    GIVES(spawn_reporters(0, NULL, 1, &tid), 1);
    r = report_of(tid, &tid, 1);
    CHECK(r.parent == pc_tid, "parent t%x", (unsigned)r.parent);
    OK(pvm_initsend(PvmDataDefault));
    n = 12345;
    OK(pvm_pkint(&n, 1, 1));
    OK(pvm_send(pc_tid, 3));
    CHECK(pvm_recv(-1, 3) > 0 && pvm_upkint(&n, 1, 1) == 0 && n == 12345, "message to itself: %d", n);
    dismiss(&tid, 1);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "report") == 0)
        return run_reporter(argc, argv);
    self = realpath("/proc/self/exe", NULL);
    pc_start();
    GIVES(pvm_parent(), PvmNoParent);
    test_told();
    test_export_list();
    test_where();
    test_folder();
    test_no_parent();
    test_lookup();
    test_bad();
    test_own_children();
    test_again();
    return pc_finish();
}
