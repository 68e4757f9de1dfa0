/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many tasks at once: a storm of 200 that all speak to the first task and to a
 * sibling, and are seen to end; one spawned after the other; trees of tasks that
 * spawn tasks; tasks killed at random while others come.
 */
#include <pcheck.h>
#include <signal.h>
#include <sys/wait.h>

enum { HELLO = 1, PASS = 2, GONE = 3, SUM = 4, STORM = 200, ONE_BY_ONE = 60, DEPTH = 3, FAN = 4 };

static char *self;

/* Says hello, tells its right neighbour a number, and what it was told to the parent. */
static int run_in_ring(void)
{
    int *siblings, n = pvm_siblings(&siblings), tid = pvm_mytid(), at = 0, got = -1;
    while (siblings[at] != tid)
        at++;
    OK(pvm_initsend(PvmDataDefault));
    OK(pvm_pkint(&at, 1, 1));
    OK(pvm_send(siblings[(at + 1) % n], PASS));
    CHECK(pvm_recv(siblings[(at + n - 1) % n], PASS) > 0 && pvm_upkint(&got, 1, 1) == 0, "no message");
    CHECK(got == (at + n - 1) % n, "%d told %d", at, got);
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_pkint(&got, 1, 1));
    OK(pvm_send(pvm_parent(), HELLO));
    return pc_finish();
}

/* Leaves say 1, others the sum of what their children say and 1. */
static int run_in_tree(int depth)
{
    int sum = 1, tids[FAN], one;
    char text[16], *argv[] = {(char *)(uintptr_t)"tree", text, NULL};
    snprintf(text, sizeof text, "%d", depth - 1);
    if (depth > 0) {
        CHECK(pvm_spawn(self, argv, 0, NULL, FAN, tids) == FAN, "spawn at depth %d", depth);
        for (int i = 0; i < FAN; i++) {
            CHECK(pvm_recv(-1, SUM) > 0 && pvm_upkint(&one, 1, 1) == 0, "no sum");
            sum += one;
        }
    }
    if (pvm_parent() > 0) {
        OK(pvm_initsend(PvmDataDefault));
        OK(pvm_pkint(&sum, 1, 1));
        OK(pvm_send(pvm_parent(), SUM));
        return pc_finish();
    }
    return sum;
}

static void spawn_all(const char *mode, int n, int *tids)
{
    char *argv[] = {(char *)(uintptr_t)mode, NULL};
    GIVES(pvm_spawn(self, argv, 0, NULL, n, tids), n);
}

static void wait_for_ends(int n)
{
    for (int i = 0; i < n; i++)
        CHECK(pvm_recv(-1, GONE) > 0, "end %d of %d", i, n);
}

static void test_storm(void)
{
    static int tids[STORM], seen[STORM];
    int told;
    spawn_all("ring", STORM, tids);
    OK(pvm_notify(PvmTaskExit, GONE, STORM, tids));
    for (int i = 0; i < STORM; i++) {
        CHECK(pvm_recv(-1, HELLO) > 0 && pvm_upkint(&told, 1, 1) == 0, "hello %d", i);
        if (CHECK(told >= 0 && told < STORM, "told %d", told))
            seen[told]++;
    }
    for (int i = 0; i < STORM; i++)
        CHECK(seen[i] == 1, "%d was told %d times", i, seen[i]);
    wait_for_ends(STORM);
    for (int i = 0; i < STORM; i++)
        GIVES(pvm_pstat(tids[i]), PvmNoTask);
}

static void test_one_by_one(void)
{
    for (int i = 0; i < ONE_BY_ONE; i++) {
        int tid, told = -1;
        spawn_all("ring", 1, &tid);
        CHECK(pvm_recv(tid, HELLO) > 0 && pvm_upkint(&told, 1, 1) == 0 && told == 0, "told %d", told);
    }
}

static void test_tree(void)
{
    int want = 0;
    for (int level = 0, n = 1; level <= DEPTH; level++, n *= FAN)
        want += n;
    GIVES(run_in_tree(DEPTH), want);
}

/* Whoever is killed while starting, too. */
static void test_killed(void)
{
    enum { N = 30 };
    int tids[N];
    uint64_t state = check_seed(11);
    spawn_all("sit", N, tids);
    OK(pvm_notify(PvmTaskExit, GONE, N, tids));
    for (int i = 0; i < N; i++) {
        OK(pvm_sendsig(tids[i], check_random_below(&state, 2) ? SIGKILL : SIGTERM));
        if (check_random_below(&state, 4) == 0)
            usleep(1000);
    }
    wait_for_ends(N);
}

int main(int argc, char **argv)
{
    self = realpath("/proc/self/exe", NULL);
    pvm_setopt(PvmAutoErr, 0);
    if (argc > 1 && strcmp(argv[1], "ring") == 0)
        return run_in_ring();
    if (argc > 1 && strcmp(argv[1], "tree") == 0)
        return run_in_tree(atoi(argv[2]));
    if (argc > 1) {
        pvm_recv(-1, -1);
        return 1;
    }
    pc_start();
    test_storm();
    test_one_by_one();
    test_tree();
    test_killed();
    return pc_finish();
}
