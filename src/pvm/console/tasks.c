/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The console's commands on hosts and tasks, in the form that PVM's users and their
 * scripts know.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pvm/console/console.h"

/* ------------------------------------------------------------------- hosts -- */

void cmd_conf(int argc, char **argv)
{
    struct pvmhostinfo *h;
    int n, formats;
    if (wrong_args(argc, 1, 1, argv) || pvm_config(&n, &formats, &h) < 0)
        return;
    printf("%d host%s, %d data format%s\n", n, n == 1 ? "" : "s", formats, formats == 1 ? "" : "s");
    printf("%24s %8s %8s %7s %10s\n", "HOST", "DTID", "ARCH", "SPEED", "DSIG");
    for (int i = 0; i < n; i++)
        printf("%24s %8x %8s %7d 0x%08x\n", h[i].hi_name, (unsigned)h[i].hi_tid, h[i].hi_arch, h[i].hi_speed,
               (unsigned)h[i].hi_dsig);
}

static void change_hosts(int argc, char **argv, int call(char **names, int count, int *infos), const char *field)
{
    int infos[WORDS_MAX], n;
    if (wrong_args(argc, 2, WORDS_MAX, argv))
        return;
    n = call(argv + 1, argc - 1, infos);
    printf("%d successful\n%24s %8s\n", n < 0 ? 0 : n, "HOST", field);
    for (int i = 0; i < argc - 1; i++)
        printf("%24s %s\n", argv[i + 1], text_of(infos[i]));
}

void cmd_add(int argc, char **argv)
{
    change_hosts(argc, argv, pvm_addhosts, "DTID");
}

void cmd_delete(int argc, char **argv)
{
    change_hosts(argc, argv, pvm_delhosts, "STATUS");
}

void cmd_mstat(int argc, char **argv)
{
    if (wrong_args(argc, 2, WORDS_MAX, argv))
        return;
    for (int i = 1; i < argc; i++) {
        int rc = pvm_mstat(argv[i]);
        printf("%24s  %s\n", argv[i], rc < 0 ? text_of(rc) : "ok");
    }
}

/* ------------------------------------------------------------------- tasks -- */

enum { SPAWNED = 2, CONNECTED = 4 };

struct choice {
    bool all, list, consoles;
    int host;
};

static const char *host_name(int dtid)
{
    struct pvmhostinfo *h;
    int n;
    if (pvm_config(&n, NULL, &h) < 0)
        return "?";
    for (int i = 0; i < n; i++)
        if (h[i].hi_tid == dtid)
            return h[i].hi_name;
    return "?";
}

static int host_by_name(const char *name)
{
    struct pvmhostinfo *h;
    int n;
    if (pvm_config(&n, NULL, &h) >= 0)
        for (int i = 0; i < n; i++)
            if (strcmp(h[i].hi_name, name) == 0)
                return h[i].hi_tid;
    printf("%s: no such host\n", name);
    return -1;
}

/* False after a message. */
static bool choose(int argc, char **argv, struct choice *c)
{
    *c = (struct choice){.host = pvm_tidtohost(pvm_mytid())};
    for (int i = 1; i < argc; i++)
        for (const char *p = argv[i] + (*argv[i] == '-'); *p; p++)
            switch (*p) {
            case 'a':
                c->all = true;
                break;
            case 'l':
                c->list = true;
                break;
            case 'x':
                c->consoles = true;
                break;
            case 'n':
                c->host = host_by_name(p + 1);
                p += strlen(p) - 1;
                break;
            case 'h':
                c->host = tid_of(p + 1);
                p += strlen(p) - 1;
                break;
            default:
                printf("ps: unknown option -%c\n", *p);
                return false;
            }
    return c->all || c->host > 0;
}

static bool is_console(const struct pvmtaskinfo *t)
{
    return strcmp(t->ti_a_out, "-") == 0 && !(t->ti_flag & SPAWNED);
}

static void print_task(const struct pvmtaskinfo *t, const struct choice *c)
{
    char flag[16];
    snprintf(flag, sizeof flag, "%x/%s%s%s", (unsigned)t->ti_flag, t->ti_flag & SPAWNED ? "f" : "",
             (t->ti_flag & (SPAWNED | CONNECTED)) == (SPAWNED | CONNECTED) ? "," : "",
             t->ti_flag & CONNECTED ? "c" : "");
    printf("%24s %8x ", is_console(t) ? "(cons)" : host_name(t->ti_host), (unsigned)t->ti_tid);
    if (c->list)
        printf("%8x %6d ", (unsigned)t->ti_ptid, t->ti_pid);
    printf("%9s %-12s\n", flag, t->ti_a_out);
}

void cmd_ps(int argc, char **argv)
{
    struct pvmtaskinfo *t;
    struct choice c;
    int n;
    if (!choose(argc, argv, &c) || pvm_tasks(c.all ? 0 : c.host, &n, &t) < 0)
        return;
    printf("%24s %8s%s %9s %s\n", "HOST", "TID", c.list ? "     PTID    PID" : "", "FLAG 0x", "COMMAND");
    for (int i = 0; i < n; i++)
        if (c.consoles || !is_console(&t[i]))
            print_task(&t[i], &c);
}

void cmd_pstat(int argc, char **argv)
{
    if (wrong_args(argc, 2, WORDS_MAX, argv))
        return;
    for (int i = 1; i < argc; i++) {
        int tid = tid_of(argv[i]), rc = tid ? pvm_pstat(tid) : 0;
        if (tid)
            printf("t%8x  %s\n", (unsigned)tid, rc < 0 ? text_of(rc) : "run");
    }
}

void cmd_id(int argc, char **argv)
{
    if (!wrong_args(argc, 1, 1, argv))
        printf("t%x\n", (unsigned)pvm_mytid());
}

/* ------------------------------------------------------------------ signals -- */

static void say_code(const char *what, int code)
{
    if (code < 0)
        printf("%s: %s\n", what, text_of(code));
}

static void kill_children(int parent)
{
    struct pvmtaskinfo *t;
    int n;
    if (pvm_tasks(0, &n, &t) < 0)
        return;
    for (int i = 0; i < n; i++)
        if (t[i].ti_ptid == parent)
            say_code("kill", pvm_kill(t[i].ti_tid));
}

void cmd_kill(int argc, char **argv)
{
    bool children = argc > 1 && strcmp(argv[1], "-c") == 0;
    if (wrong_args(argc, children ? 3 : 2, WORDS_MAX, argv))
        return;
    for (int i = children ? 2 : 1; i < argc; i++) {
        int tid = tid_of(argv[i]);
        if (tid && children)
            kill_children(tid);
        else if (tid)
            say_code(argv[i], pvm_kill(tid));
    }
}

/* Names without SIG. The C library's list (sigabbrev_np) is younger than the systems that the wheel is for. */
static const struct signal_name {
    int number;
    const char *name;
} signal_names[] = {
#define NAME(x) {SIG##x, #x}
    NAME(HUP),  NAME(INT),  NAME(QUIT), NAME(ILL),    NAME(TRAP),  NAME(ABRT), NAME(BUS),  NAME(FPE),
    NAME(KILL), NAME(USR1), NAME(SEGV), NAME(USR2),   NAME(PIPE),  NAME(ALRM), NAME(TERM), NAME(CHLD),
    NAME(CONT), NAME(STOP), NAME(TSTP), NAME(TTIN),   NAME(TTOU),  NAME(URG),  NAME(XCPU), NAME(XFSZ),
    NAME(PROF), NAME(IO),   NAME(SYS),  NAME(VTALRM), NAME(WINCH),
#undef NAME
};

/* A number, or a name with or without SIG. */
static int signal_of(const char *text)
{
    char *end;
    long n = strtol(text, &end, 10);
    const char *name = strncasecmp(text, "SIG", 3) == 0 ? text + 3 : text;
    if (end > text && !*end)
        return (int)n;
    for (size_t i = 0; i < sizeof(signal_names) / sizeof(signal_names[0]); i++)
        if (strcasecmp(signal_names[i].name, name) == 0)
            return signal_names[i].number;
    return -1;
}

void cmd_sig(int argc, char **argv)
{
    int sig;
    if (wrong_args(argc, 3, WORDS_MAX, argv))
        return;
    sig = signal_of(argv[1]);
    for (int i = 2; i < argc; i++) {
        int tid = tid_of(argv[i]);
        if (tid)
            say_code(argv[i], pvm_sendsig(tid, sig));
    }
}

/* ---------------------------------------------------------- mailbox, all tasks -- */

void cmd_names(int argc, char **argv)
{
    char all[] = "*";
    struct pvmmboxinfo *c;
    int n;
    if (wrong_args(argc, 1, 2, argv) || pvm_getmboxinfo(argc > 1 ? argv[1] : all, &n, &c) < 0)
        return;
    for (int i = 0; i < n; i++) {
        printf("<%s>:\n", c[i].mi_name);
        for (int k = 0; k < c[i].mi_nentries; k++)
            printf("\tindex=%d owner=0x%x/%d flags=0x%x\n", c[i].mi_indices[k], (unsigned)c[i].mi_owners[k],
                   c[i].mi_owners[k], (unsigned)c[i].mi_flags[k]);
        putchar('\n');
    }
}

static bool is_spared(int tid)
{
    int *tids, n;
    if (pvm_getnoresets(&tids, &n) < 0)
        return false;
    for (int i = 0; i < n; i++)
        if (tids[i] == tid)
            return true;
    return false;
}

static void empty_mailbox(void)
{
    char all[] = "*";
    struct pvmmboxinfo *c;
    int n;
    if (pvm_getmboxinfo(all, &n, &c) < 0)
        return;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < c[i].mi_nentries; k++)
            pvm_delinfo(c[i].mi_name, c[i].mi_indices[k], 0);
}

void cmd_reset(int argc, char **argv)
{
    struct pvmtaskinfo *t;
    int n, *tids, count = 0;
    if (wrong_args(argc, 1, 1, argv) || pvm_tasks(0, &n, &t) < 0 || !(tids = calloc((size_t)n + 1, sizeof *tids)))
        return;
    for (int i = 0; i < n; i++)
        if (t[i].ti_tid != pvm_mytid() && !is_console(&t[i]))
            tids[count++] = t[i].ti_tid;
    for (int i = 0; i < count; i++)
        if (!is_spared(tids[i]))
            pvm_kill(tids[i]);
    free(tids);
    empty_mailbox();
}

void cmd_halt(int argc, char **argv)
{
    if (wrong_args(argc, 1, 1, argv))
        return;
    signal(SIGTERM, SIG_IGN);
    pvm_halt();
    end_console();
}
