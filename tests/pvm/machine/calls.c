/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls on the machine that are answered alike in both modes: hosts cannot be
 * changed, there is no daemon. And pvm_spawn where the launcher says who runs.
 */
#include <limits.h>
#include <pcheck.h>
#include <sys/time.h>

static bool network;

static void test_hosts(void)
{
    struct pvmhostinfo *hosts;
    int n, infos[3] = {1, 1, 1};
    OK(pvm_config(&n, NULL, &hosts));
    char *names[] = {hosts[0].hi_name, (char *)(uintptr_t)"no.such.host", (char *)(uintptr_t)" "};
    GIVES(pvm_addhosts(names, 3, infos), 0);
    CHECK(infos[0] == PvmDupHost && infos[1] == PvmCantStart && infos[2] == PvmBadParam, "%d, %d, %d", infos[0],
          infos[1], infos[2]);
    GIVES(pvm_delhosts(names, 3, infos), 0);
    CHECK(infos[0] == PvmDenied && infos[1] == PvmNoHost && infos[2] == PvmBadParam, "%d, %d, %d", infos[0], infos[1],
          infos[2]);
    GIVES(pvm_addhosts(names, 2, NULL), 0);
    GIVES(pvm_addhosts(NULL, 1, infos), PvmBadParam);
    GIVES(pvm_delhosts(names, 0, infos), PvmBadParam);
    CHECK(pvm_config(NULL, NULL, NULL) == 0, "pvm_config of nothing");
}

static void test_daemon(void)
{
    struct pvmhostinfo *none = (struct pvmhostinfo *)&network;
    GIVES(pvm_start_pvmd(0, NULL, 1), PvmDupHost);
    GIVES(pvm_start_pvmd(-1, NULL, 1), PvmBadParam);
    GIVES(pvm_start_pvmd(1, NULL, 1), PvmBadParam);
    if (!network) {
        GIVES(pvm_reg_hoster(), PvmNotImpl);
        GIVES(pvm_reg_tasker(), PvmNotImpl);
    }
    GIVES(pvm_reg_rm(&none), PvmNotImpl);
    CHECK(!none, "hosts of no resource manager");
    GIVES(pvm_reg_tracer(0, 0, 0, 0, NULL, 0, 0), PvmNotImpl);
}

static void test_names(void)
{
    char name[PVMTMPNAMLEN], other[PVMTMPNAMLEN];
    setenv("PVM_TMP", "/var/tmp", 1);
    CHECK(strcmp(pvmgettmp(), "/var/tmp") == 0, "%s", pvmgettmp());
    CHECK(pvmtmpnam(name) == name && pvmtmpnam(other) == other && strcmp(name, other) != 0, "%s, %s", name, other);
    CHECK(strncmp(name, "/var/tmp/", 9) == 0 && access(name, F_OK) != 0, "%s", name);
    CHECK(pvmtmpnam(NULL) && *pvmgetrsh() == '/', "%s", pvmgetrsh());
    setenv("PVM_RSH", "/bin/false", 1);
    CHECK(strcmp(pvmgetrsh(), "/bin/false") == 0, "%s", pvmgetrsh());
}

static void test_spawn(void)
{
    int tids[3] = {0};
    if (network)
        return;
    GIVES(pvm_spawn((char *)(uintptr_t)"/bin/true", NULL, 0, NULL, 3, tids), PvmNotImpl);
    CHECK(tids[0] == PvmNotImpl && tids[2] == PvmNotImpl, "%d, %d", tids[0], tids[2]);
    GIVES(pvm_spawn(NULL, NULL, 0, NULL, 3, tids), PvmBadParam);
    GIVES(pvm_parent(), PvmNoParent);
    GIVES(pvm_catchout(stdout), 0);
    GIVES(pvm_setopt(PvmOutputTid, pc_tid), 0);
}

static void test_siblings(void)
{
    int *tids = NULL, n = pvm_siblings(&tids);
    CHECK(n == 1 && tids && tids[0] == pc_tid, "%d siblings", n);
}

int main(void)
{
    network = getenv("MPT_JOB") == NULL;
    pc_start();
    test_hosts();
    test_daemon();
    test_names();
    test_spawn();
    test_siblings();
    return pc_finish();
}
