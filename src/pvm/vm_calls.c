/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that change the machine. Its hosts are those of the launcher's allocation, or
 * the one on which a program was started: none is added or taken away, no daemon is
 * started, and nobody can take over a daemon's work. Each such call says so.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pvm/pvmi.h"

/* ------------------------------------------------------------------- hosts -- */

/* A line of a host file: the name, then options. */
static bool is_host(const char *line, int host)
{
    size_t n = strcspn(line, " \t");
    const char *name = pvmi_host_name(host);
    return (strlen(name) == n && memcmp(line, name, n) == 0) || (pvmi_nhosts() == 1 && n == 9 && memcmp(line, "localhost", n) == 0);
}

static bool is_member(const char *line)
{
    for (int h = 1; h <= pvmi_nhosts(); h++)
        if (is_host(line, h))
            return true;
    return false;
}

static int change_hosts(char **names, int count, int *infos, int if_member, int if_not)
{
    if (!names || count < 1)
        return pvmi_fail(PvmBadParam, "%d hosts, names at %p", count, (void *)names);
    for (int i = 0; i < count; i++) {
        bool named = names[i] && names[i][strspn(names[i], " \t")];
        int code = !named ? PvmBadParam : is_member(names[i]) ? if_member : if_not;
        if (infos)
            infos[i] = code;
        pvmi_fail(code, "%s: the hosts of this machine come from its launcher (pvm_config lists them)", names[i] ? names[i] : "NULL");
    }
    return 0; /* so many were added or taken away */
}

int pvm_addhosts(char **names, int count, int *infos)
{
    int rc = pvmi_begin("pvm_addhosts");
    return rc < 0 ? rc : change_hosts(names, count, infos, PvmDupHost, PvmCantStart);
}

int pvm_delhosts(char **names, int count, int *infos)
{
    int rc = pvmi_begin("pvm_delhosts");
    return rc < 0 ? rc : change_hosts(names, count, infos, PvmDenied, PvmNoHost);
}

/* ------------------------------------------------------------------ daemon -- */

/* The machine itself: it begins with the first call of its first task. */
int pvm_start_pvmd(int argc, char **argv, int block)
{
    bool before = pvmi.in;
    int rc = pvmi_begin("pvm_start_pvmd");
    (void)block;
    if (rc < 0)
        return rc;
    if (argc < 0 || (argc > 0 && !argv))
        return pvmi_fail(PvmBadParam, "%d arguments at %p", argc, (void *)argv);
    if (before || pvmi.me != 0 || !pvmi.network)
        return pvmi_fail(PvmDupHost, "this task is in a virtual machine already");
    return 0;
}

static int no_daemon(const char *call, const char *what)
{
    int rc = pvmi_begin(call);
    return rc < 0 ? rc : pvmi_fail(PvmNotImpl, "there is no daemon whose %s a task could do", what);
}

int pvm_reg_hoster(void)
{
    return no_daemon("pvm_reg_hoster", "starting of daemons on other hosts");
}

int pvm_reg_rm(struct pvmhostinfo **hosts)
{
    if (hosts)
        *hosts = NULL;
    return no_daemon("pvm_reg_rm", "choosing of hosts");
}

int pvm_reg_tasker(void)
{
    return no_daemon("pvm_reg_tasker", "starting of tasks");
}

int pvm_reg_tracer(int tctx, int ttag, int octx, int otag, char *mask, int buffer, int options)
{
    (void)tctx, (void)ttag, (void)octx, (void)otag, (void)mask, (void)buffer, (void)options;
    return no_daemon("pvm_reg_tracer", "distributing of trace events");
}

/* ---------------------------------------------------------------- for programs -- */

static const char *setting(const char *name, const char *standard)
{
    const char *value = core_param_foreign(name);
    return value && *value ? value : standard;
}

char *pvmgettmp(void)
{
    return (char *)(uintptr_t)setting("PVM_TMP", "/tmp");
}

char *pvmgetrsh(void)
{
    return (char *)(uintptr_t)setting("PVM_RSH", "/usr/bin/ssh");
}

/* A name that no file has now, in `name` of PVMTMPNAMLEN bytes or, when that is NULL, in memory of ours. */
char *pvmtmpnam(char *name)
{
    static char own[PVMTMPNAMLEN];
    static unsigned count;
    char *to = name ? name : own;
    do
        snprintf(to, PVMTMPNAMLEN, "%.96s/pvmtmp%06d.%u", pvmgettmp(), (int)getpid() % 1000000, count++);
    while (access(to, F_OK) == 0);
    return to;
}

/* A signal does not shorten it. */
void pvmsleep(int seconds)
{
    struct timespec left = {.tv_sec = seconds > 0 ? seconds : 0};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

void pvmgetclock(struct timeval *now)
{
    gettimeofday(now, NULL);
}
