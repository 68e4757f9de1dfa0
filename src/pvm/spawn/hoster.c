/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_addhosts when a task has registered as hoster: it is asked to run a command on
 * each host, and says what came of that. A machine is one host, and speaks with no
 * daemon: hosts where the command worked are answered PvmBadVersion, others what the
 * hoster says.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pvm/pack/buffer.h"
#include "pvm/spawn/system.h"

enum { TEXT_MAX = 1000, HOST_AT = 18 };

/* tid of the i-th host asked for: behind those that are there. */
static int tid_of(int i)
{
    return (pvmi_nhosts() + 1 + i) << HOST_AT;
}

/* The value of an option, so= say, of a line of a host file; "" when it has none. */
static const char *option(const char *line, const char *name, char *text)
{
    size_t n = strlen(name);
    const char *p = line;

    text[0] = '\0';
    while (*(p += strcspn(p, " \t")) && *(p += strspn(p, " \t")))
        if (strncmp(p, name, n) == 0)
            snprintf(text, TEXT_MAX, "%.*s", (int)strcspn(p + n, " \t"), p + n);
    return text;
}

static int add_host(struct pvmi_msg *m, const char *line, int i)
{
    char text[TEXT_MAX], login[2 * TEXT_MAX], command[TEXT_MAX];
    int tid = tid_of(i), rc;
    const char *user;

    line += strspn(line, " \t");
    user = option(line, "lo=", text);
    snprintf(login, TEXT_MAX, "%s%s%.*s", user, *user ? "@" : "", (int)strcspn(line, " \t"), line);
    snprintf(command, sizeof command, "$PVM_ROOT/lib/pvmd -s -d0x0 -n%.255s %d 00000000:0000 %d %d 00000000:0000",
             login + (*user ? strlen(user) + 1 : 0), 1, pvmi.opt[PvmFragSize], pvmi_nhosts() + 1 + i);
    rc = pvmi_pack(m, PVM_INT, &tid, 1, 1);
    if (rc == 0)
        rc = pvmi_pack_string(m, option(line, "so=", text));
    if (rc == 0)
        rc = pvmi_pack_string(m, login);
    return rc == 0 ? pvmi_pack_string(m, command) : rc;
}

static int ask(int hoster, char **lines, int count, const int *infos)
{
    struct pvmi_msg *m = pvmi_msg_new(PvmDataDefault);
    int n = 0, rc;

    for (int i = 0; i < count; i++)
        n += infos[i] == PvmOk;
    rc = m ? pvmi_pack(m, PVM_INT, &n, 1, 1) : PvmNoMem;
    for (int i = 0; i < count && rc == 0; i++)
        if (infos[i] == PvmOk)
            rc = add_host(m, lines[i], i);
    if (rc == 0) {
        m->wid = pvmi.me + 1;
        rc = pvmi_system_send(m, hoster, PVMI_SM_STHOST);
    }
    pvmi_msg_free(m);
    return rc;
}

/* ------------------------------------------------------------------ answers -- */

static const struct {
    const char *name;
    int code;
} errors[] = {{"PvmDSysErr", PvmDSysErr},       {"PvmCantStart", PvmCantStart}, {"PvmDupHost", PvmDupHost},
              {"PvmBadVersion", PvmBadVersion}, {"PvmBadParam", PvmBadParam},   {"PvmOutOfRes", PvmOutOfRes},
              {"PvmNoHost", PvmNoHost},         {"PvmHostFail", PvmHostFail},   {"PvmIPLoopback", PvmIPLoopback},
              {"PvmDenied", PvmDenied}};

static int code_of(const char *status)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strcmp(status, errors[i].name) == 0)
            return errors[i].code;
    return PvmBadVersion;
}

/* A string of any length; the beginning of it to `text`. */
static bool take_string(struct pvmi_msg *m, char *text)
{
    char *all = malloc(m->length + 1);
    bool good = all && pvmi_unpack_string(m, all) == PvmOk;

    if (good)
        snprintf(text, TEXT_MAX, "%s", all);
    free(all);
    return good;
}

/* Pairs of a tid and what was said; some programs write before them how many there are. */
static void take_answers(struct pvmi_msg *m, int count, int *infos)
{
    char status[TEXT_MAX];
    int tid, i;

    while (pvmi_unpack(m, PVM_INT, &tid, 1, 1) == PvmOk) {
        if (tid >= 0 && tid < 1 << HOST_AT)
            continue;
        if (!take_string(m, status))
            return;
        i = (tid >> HOST_AT) - pvmi_nhosts() - 1;
        if (i < 0 || i >= count || tid != tid_of(i) || infos[i] != PvmAlready)
            continue;
        infos[i] = code_of(status);
    }
}

/* NULL: it has ended. */
static struct pvmi_msg *wait_for(int hoster)
{
    for (;;) {
        struct timeval limit = {.tv_usec = 200000};
        struct pvmi_msg *m = pvmi_wait(pvmi_tid_of(hoster), PVMI_SM_STHOSTACK, PVMI_CONTEXT_SYSTEM, &limit, pvmi.call);

        if (m)
            return m;
        if (!pvmi_alive(hoster))
            return pvmi_match(pvmi_tid_of(hoster), PVMI_SM_STHOSTACK, PVMI_CONTEXT_SYSTEM);
    }
}

int pvmi_hoster_ask(int hoster, char **lines, int count, int *infos)
{
    struct pvmi_msg *m;
    int rc = ask(hoster, lines, count, infos);

    if (rc < 0)
        return rc;
    for (int i = 0; i < count; i++)
        if (infos[i] == PvmOk)
            infos[i] = PvmAlready; /* until it is answered */
    if ((m = wait_for(hoster)))
        take_answers(m, count, infos);
    pvmi_msg_free(m);
    for (int i = 0; i < count; i++)
        if (infos[i] == PvmAlready)
            infos[i] = PvmCantStart;
    return 0;
}
