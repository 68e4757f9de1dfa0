/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Task identifiers: bits 29..18 say on which host, bits 17..0 which slot of the
 * machine, both from 1; in network mode also how often the slot was used before. Stand-alone programs may use PE
 * numbers instead, as on the T3D and T3E.
 */
#include <stdlib.h>

#include "pvm/pvmi.h"

enum { HOST_AT = 18, HOST_MAX = 0xfff, LOCAL_MAX = 0x3ffff, USES_AT = 13, USES_MAX = 0x1f, SLOT_MAX = 0x1fff };

/* The job's nodes, by their lowest PE, are the hosts. Once, when nothing else knows them. */
static void find_hosts(void)
{
    int size = core_size();
    if (MPT_LIKELY(pvmi.vm.hosts.of || pvmi.network))
        return;
    int *of = malloc((size_t)size * sizeof *of), *first = malloc(((size_t)size + 1) * sizeof *first);
    if (!of || !first)
        core_fatal("no memory for the table of %d PEs' hosts", size);
    pvmi.vm.hosts.n = 0;
    for (int pe = 0; pe < size; pe++) {
        int node = core_node_of(pe);
        of[pe] = node == pe ? ++pvmi.vm.hosts.n : of[node];
        if (node == pe)
            first[pvmi.vm.hosts.n] = pe;
    }
    if (pvmi.vm.hosts.n > HOST_MAX)
        core_fatal("PVM has names for %d hosts; this job has %d nodes", HOST_MAX, pvmi.vm.hosts.n);
    pvmi.vm.hosts.of = of;
    pvmi.vm.hosts.first_pe = first;
}

int pvmi_nhosts(void)
{
    find_hosts();
    return pvmi.vm.hosts.n;
}

int pvmi_host_of(int slot)
{
    find_hosts();
    return pvmi.vm.hosts.of ? pvmi.vm.hosts.of[slot] : 1;
}

const char *pvmi_host_name(int host)
{
    find_hosts();
    return core_host(pvmi.vm.hosts.first_pe ? pvmi.vm.hosts.first_pe[host] : 0);
}

static int uses_of(int slot)
{
    const struct pvmi_task *row = pvmi_look(PVMI_AT(task[slot]), 0, NULL);
    return row->uses;
}

int pvmi_tid_of(int slot)
{
    if (MPT_UNLIKELY(pvmi.network))
        return 1 << HOST_AT | (uses_of(slot) & USES_MAX) << USES_AT | (slot + 1);
    return pvmi_host_of(slot) << HOST_AT | (slot + 1);
}

static int look_up(int tid)
{
    int slot = (tid & (pvmi.network ? SLOT_MAX : LOCAL_MAX)) - 1;
    if (!pvmi.network && tid >= 0 && tid < core_size())
        return tid;
    if (tid <= 0 || slot < 0 || slot >= core_size() || slot >= PVMI_TASKS || tid != pvmi_tid_of(slot))
        return -1;
    return slot;
}

int pvmi_slot_of(int tid)
{
    if (tid != pvmi.vm.known.tid || pvmi.network) {
        pvmi.vm.known.slot = look_up(tid);
        pvmi.vm.known.tid = tid;
    }
    return pvmi.vm.known.slot;
}

int pvm_tidtohost(int tid)
{
    int rc = pvmi_begin("pvm_tidtohost");
    if (rc < 0)
        return rc;
    unsigned host = (unsigned)tid >> HOST_AT & HOST_MAX;
    int slot = pvmi_slot_of(tid);
    if (slot >= 0)
        return pvmi_host_of(slot) << HOST_AT;
    if (host == 0 || (tid & 1 << 30))
        return pvmi_fail(PvmBadParam, "%d (%#x) is no tid", tid, (unsigned)tid);
    return (int)(host << HOST_AT); /* as pvm_config names hosts */
}
