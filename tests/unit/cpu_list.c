/* SPDX-License-Identifier: BSD-3-Clause
 *
 * CPU lists of the kernel, and the order in which CPUs are given out on the
 * machine at hand: each at most once, only allowed ones, as many as there are.
 */
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdlib.h>
#include <string.h>

#include "core/topo/topology.h"
#include "harness.h"

static void check_list(const char *text, const char *expected)
{
    char have[65] = "";
    cpu_set_t set;

    CPU_ZERO(&set);
    core_topology_parse(text, &set, 8);
    for (int cpu = 0; cpu < 64; cpu++)
        if (CPU_ISSET_S(cpu, 8, &set))
            snprintf(have + strlen(have), sizeof have - strlen(have), "%d ", cpu);
    CHECK(strcmp(have, expected) == 0, "\"%s\" gave %s", text, have);
}

static void check_order(void)
{
    size_t size;
    cpu_set_t *mask = core_topology_mask(0, &size);
    unsigned all = mask ? (unsigned)CPU_COUNT_S(size, mask) : 0, n;
    int *cpus = calloc(all + 1, sizeof *cpus);

    CHECK(all > 0 && cpus, "mask can be read");
    if (!all || !cpus)
        return;
    n = core_topology_order(cpus, all + 1);
    for (int tries = 0; n < all && tries < 50; tries++) { /* another job of the machine may be about to end */
        core_topology_release();
        usleep(200000);
        n = core_topology_order(cpus, all + 1);
    }
    CHECK(n == all, "%u of %u CPUs", n, all);
    for (unsigned i = 0; i < n; i++) {
        CHECK(CPU_ISSET_S((size_t)cpus[i], size, mask), "CPU %d is allowed, and given once", cpus[i]);
        CPU_CLR_S((size_t)cpus[i], size, mask);
    }
    CHECK(core_topology_order(cpus, 1) == 0, "all are claimed already");
    core_topology_release();
    CHECK(core_topology_order(cpus, 1) == 1, "as many as asked for, after the release");
    core_topology_release();
    CHECK(core_topology_cores() >= 1 && core_topology_cores() <= all, "%u cores", core_topology_cores());
    free(cpus);
    CPU_FREE(mask);
}

/* Each domain holds its CPU, and those further out hold those within. */
static void check_domains(void)
{
    size_t size;
    cpu_set_t *mask = core_topology_mask(0, &size), *near = CPU_ALLOC(size * 8), *far = CPU_ALLOC(size * 8);

    for (unsigned cpu = 0; mask && near && far && cpu < size * 8; cpu++) {
        if (!CPU_ISSET_S(cpu, size, mask))
            continue;
        core_topology_domain(cpu, CORE_DOMAIN_CORE, near, size);
        core_topology_domain(cpu, CORE_DOMAIN_SOCKET, far, size);
        CHECK(CPU_ISSET_S(cpu, size, near) && CPU_ISSET_S(cpu, size, far), "CPU %u is in its core and socket", cpu);
        CPU_AND_S(size, near, near, far);
        core_topology_domain(cpu, CORE_DOMAIN_CORE, far, size);
        CHECK(CPU_EQUAL_S(size, near, far), "the core of CPU %u lies in one socket", cpu);
        core_topology_domain(cpu, CORE_DOMAIN_NONE, near, size);
        CHECK(CPU_COUNT_S(size, near) == 1, "CPU %u alone", cpu);
    }
    CPU_FREE(mask);
    CPU_FREE(near);
    CPU_FREE(far);
}

/* A claim keeps other processes out, and ends with its holder. */
static bool child_can_claim(unsigned cpu)
{
    int status;
    pid_t pid = fork();
    if (pid == 0)
        _exit(core_topology_claim(cpu) ? 0 : 1);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void check_claims(void)
{
    enum { CPU = 1000000 }; /* no such CPU: no job has it */
    CHECK(child_can_claim(CPU), "free");
    CHECK(child_can_claim(CPU), "free again when its holder has ended");
    CHECK(core_topology_claim(CPU), "claimed here");
    CHECK(!child_can_claim(CPU), "claimed by another process");
    core_topology_release();
    CHECK(child_can_claim(CPU), "free after the release");
}

/* Claims are names of a network namespace: in one of our own no other job has any, where we may make one. */
static void be_alone(void)
{
    if (unshare(CLONE_NEWNET) != 0)
        printf("other jobs of this machine may hold CPUs\n");
}

int main(void)
{
    be_alone();
    check_claims();
    check_list("0\n", "0 ");
    check_list("0-3,8,10-11\n", "0 1 2 3 8 10 11 ");
    check_list("5,2\n", "2 5 ");
    check_list("\n", "");
    check_list("62-70\n", "62 63 ");
    check_order();
    check_domains();
    return check_verdict();
}
