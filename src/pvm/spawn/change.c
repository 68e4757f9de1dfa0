/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that change the machine. Its hosts are those of the launcher's allocation, or
 * the one on which a program was started: none is added or taken away, no daemon is
 * started. Each such call says so.
 */
#include <stdlib.h>
#include <string.h>

#include "pvm/spawn/system.h"

/* ------------------------------------------------------------------- hosts -- */

/* A line of a host file: the name, then options. */
static bool is_host(const char *line, int host)
{
    size_t n = strcspn(line, " \t");
    const char *name = pvmi_host_name(host);
    return (strlen(name) == n && memcmp(line, name, n) == 0) ||
           (pvmi_nhosts() == 1 && n == 9 && memcmp(line, "localhost", n) == 0);
}

static bool is_member(const char *line)
{
    for (int h = 1; h <= pvmi_nhosts(); h++)
        if (is_host(line, h))
            return true;
    return false;
}

static int check_names(char **names, int count)
{
    if (!names || count < 1)
        return pvmi_fail(PvmBadParam, "%d hosts, names at %p", count, (void *)names);
    return 0;
}

static int code_of(const char *line, int if_member, int if_not)
{
    bool named = line && line[strspn(line, " \t")];
    return !named ? PvmBadParam : is_member(line) ? if_member : if_not;
}

static void report(char **names, int count, const int *codes, int *infos)
{
    for (int i = 0; i < count; i++) {
        if (infos)
            infos[i] = codes[i];
        pvmi_fail(codes[i], "%s: %s", names[i] ? names[i] : "NULL",
                  codes[i] == PvmBadVersion
                      ? "a daemon was started there, and this machine has none that could speak with it"
                      : "the hosts of this machine come from its launcher (pvm_config lists them)");
    }
}

/* A hoster is asked, if there is one that is not the caller itself; but no host is added, whatever it answers. */
static int add_hosts(char **names, int count, int *infos)
{
    int hoster = pvmi_role_slot(PVMI_HOSTER, NULL), rc = 0, asked = 0, *codes = calloc((size_t)count, sizeof *codes);
    if (!codes)
        return pvmi_fail(PvmNoMem, "%d hosts", count);
    if (hoster == pvmi.me)
        hoster = -1;
    for (int i = 0; i < count; i++)
        asked += (codes[i] = code_of(names[i], PvmDupHost, hoster >= 0 ? PvmOk : PvmCantStart)) == PvmOk;
    if (asked > 0)
        rc = pvmi_hoster_ask(hoster, names, count, codes);
    if (rc == 0)
        report(names, count, codes, infos);
    free(codes);
    return rc < 0 ? pvmi_fail(rc, "%d hosts", count) : 0; /* so many were added */
}

int pvm_addhosts(char **names, int count, int *infos)
{
    int rc = pvmi_begin("pvm_addhosts");
    return rc < 0 || (rc = check_names(names, count)) < 0 ? rc : add_hosts(names, count, infos);
}

static int delete_hosts(char **names, int count, int *infos)
{
    int *codes = calloc((size_t)count, sizeof *codes);
    if (!codes)
        return pvmi_fail(PvmNoMem, "%d hosts", count);
    for (int i = 0; i < count; i++)
        codes[i] = code_of(names[i], PvmDenied, PvmNoHost);
    report(names, count, codes, infos);
    free(codes);
    return 0;
}

int pvm_delhosts(char **names, int count, int *infos)
{
    int rc = pvmi_begin("pvm_delhosts");
    return rc < 0 || (rc = check_names(names, count)) < 0 ? rc : delete_hosts(names, count, infos);
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
