/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a program may ask about the virtual machine: its hosts, which are the
 * nodes of the job, and the tasks that run on them. Tables are handed out as the
 * library's own memory, good until the same call is made again.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "pvm/pvmi.h"

/* Names PVM gives to architectures, with its code of their data formats. */
static const struct {
    const char *machine, *name;
} architectures[] = {{"x86_64", "LINUX64"}, {"aarch64", "LINUX64A"}};
enum { DATA_SIGNATURE = 0x00408c41 };

const char *pvmi_arch(void)
{
    struct utsname u;
    uname(&u);
    for (size_t i = 0; i < sizeof architectures / sizeof *architectures; i++)
        if (strcmp(u.machine, architectures[i].machine) == 0)
            return architectures[i].name;
    return "LINUX";
}

static int host_tid(int host)
{
    return (int)((unsigned)host << 18);
}

int pvm_config(int *nhost, int *narch, struct pvmhostinfo **hosts)
{
    int rc = pvmi_begin("pvm_config"), n;
    if (rc < 0)
        return rc;
    n = pvmi_nhosts();
    if (nhost)
        *nhost = n;
    if (narch)
        *narch = 1;
    if (!hosts)
        return 0;
    struct pvmhostinfo *more = realloc(pvmi.vm.listed.config, (size_t)n * sizeof *more);
    if (!more)
        return pvmi_fail(PvmNoMem, "%d hosts", n);
    pvmi.vm.listed.config = more;
    for (int h = 1; h <= n; h++)
        more[h - 1] = (struct pvmhostinfo){host_tid(h), (char *)(uintptr_t)pvmi_host_name(h),
                                           (char *)(uintptr_t)pvmi_arch(), 1000, DATA_SIGNATURE};
    *hosts = more;
    return 0;
}

int pvm_mstat(char *host)
{
    int rc = pvmi_begin("pvm_mstat");
    if (rc < 0)
        return rc;
    if (!host || !*host)
        return pvmi_fail(PvmBadParam, "no name of a host");
    for (int h = 1; h <= pvmi_nhosts(); h++)
        if (strcmp(host, pvmi_host_name(h)) == 0 || strcmp(host, ".") == 0)
            return 0;
    return pvmi_answer(PvmNoHost);
}

int pvm_archcode(char *arch)
{
    int rc = pvmi_begin("pvm_archcode");
    if (rc < 0)
        return rc;
    if (!arch || !*arch)
        return pvmi_fail(PvmBadParam, "no name of an architecture");
    if (strcmp(arch, pvmi_arch()) != 0)
        return pvmi_fail(PvmNotFound, "no host is of architecture %s; all are %s", arch, pvmi_arch());
    return DATA_SIGNATURE;
}

char *pvm_version(void)
{
    return (char *)(uintptr_t)PVM_VER;
}

/* ----------------------------------------------------------------- tasks -- */

/* Does `where` (0: all, a host, a task) name the task of this slot? */
static bool chosen(int where, int slot)
{
    unsigned host = (unsigned)where >> 18 & 0xfff;
    if (where == 0)
        return true;
    if ((where & 0x3ffff) == 0)
        return (int)host == pvmi_host_of(slot);
    return pvmi_slot_of(where) == slot;
}

static int check_where(int where)
{
    int host = (int)((unsigned)where >> 18 & 0xfff);
    if (where == 0)
        return 0;
    if ((unsigned)where & 1u << 30)
        return pvmi_fail(PvmBadParam, "%#x names no host and no task", (unsigned)where);
    if (host < 1 || host > pvmi_nhosts())
        return pvmi_fail(PvmNoHost, "%#x: there are %d hosts", (unsigned)where, pvmi_nhosts());
    return 0;
}

static int slots_used(void)
{
    int32_t copy;
    return pvmi.network ? *(int32_t *)pvmi_look(PVMI_AT(high), sizeof copy, &copy) : core_size();
}

int pvm_tasks(int where, int *ntask, struct pvmtaskinfo **tasks)
{
    int rc = pvmi_begin("pvm_tasks"), n = 0;
    if (rc < 0 || (rc = check_where(where)) < 0)
        return rc;
    size_t most = (size_t)slots_used();
    core_looked_long();
    free(pvmi.vm.listed.tasks);
    free(pvmi.vm.listed.rows);
    struct pvmtaskinfo *list = pvmi.vm.listed.tasks = calloc(most + 1, sizeof *list);
    struct pvmi_task *rows = pvmi.vm.listed.rows = calloc(most + 1, sizeof *rows);
    if (!list || !rows)
        return pvmi_fail(PvmNoMem, "%zu tasks", most);
    for (int slot = 0; slot < (int)most; slot++) {
        struct pvmi_task *row = &rows[n];
        if (!chosen(where, slot) || !pvmi_alive(slot))
            continue;
        struct pvmi_task copy, *now = pvmi_look(PVMI_AT(task[slot]), sizeof copy, &copy);
        *row = *now;
        list[n++] = (struct pvmtaskinfo){.ti_tid = pvmi_tid_of(slot),
                                         .ti_ptid = row->parent > 0 ? row->parent : 0,
                                         .ti_host = host_tid(pvmi_host_of(slot)),
                                         .ti_flag = row->flag,
                                         .ti_a_out = row->name,
                                         .ti_pid = row->pid};
    }
    if (ntask) /* 0 for a task that has ended, or never was: no error */
        *ntask = n;
    if (tasks)
        *tasks = list;
    return 0;
}

int pvm_pstat(int tid)
{
    int rc = pvmi_begin("pvm_pstat"), slot;
    if (rc < 0)
        return rc;
    core_looked(); /* programs ask until the task has ended */
    slot = pvmi_slot_of(tid);
    if (slot < 0 && (tid <= 0 || tid >> 30))
        return pvmi_fail(PvmBadParam, "%d is no tid", tid);
    if (slot < 0 || !pvmi_alive(slot))
        return pvmi_answer(PvmNoTask);
    return PvmOk;
}

/* Tasks that a reset of the console spares. */
int pvm_getnoresets(int **tids, int *count)
{
    int rc = pvmi_begin("pvm_getnoresets"), n = 0, used;
    if (rc < 0)
        return rc;
    used = slots_used();
    int *more = realloc(pvmi.vm.listed.no_resets, ((size_t)used + 1) * sizeof *more);
    if (!more)
        return pvmi_fail(PvmNoMem, "%d tasks", used);
    pvmi.vm.listed.no_resets = more;
    for (int slot = 0; slot < used; slot++) {
        struct pvmi_task copy, *row = pvmi_look(PVMI_AT(task[slot]), sizeof copy, &copy);
        if (row->no_reset && pvmi_alive(slot))
            more[n++] = pvmi_tid_of(slot);
    }
    if (tids)
        *tids = more;
    if (count)
        *count = n;
    return 0;
}
