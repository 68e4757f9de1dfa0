/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The mailbox between tasks: waits for entries that come later, one entry for each
 * of many readers that delete what they read, counters that all replace, and
 * messages that go on meanwhile.
 */
#include "pcheck.h"

enum { ROUNDS = 60, ITEMS = 200 };

static int packed(int value)
{
    OK(pvm_initsend(PvmDataDefault));
    OK(pvm_pkint(&value, 1, 1));
    return pvm_getsbuf();
}

static int received(int rc)
{
    int v = -999;
    CHECK(rc > 0, "pvm_recvinfo: %d", rc);
    OK(pvm_upkint(&v, 1, 1));
    return v;
}

/* Each waits for what the task before it puts when it has got its own: a ring. */
static void ring(void)
{
    for (int k = 0; k < ROUNDS; k++) {
        char mine[32], next[32];
        snprintf(mine, sizeof mine, "ring %d %d", k, pc_me);
        snprintf(next, sizeof next, "ring %d %d", k, (pc_me + 1) % pc_size);
        if (pc_me != 0) {
            int v = received(pvm_recvinfo(mine, 0, PvmMboxWaitForInfo | PvmMboxReadAndDelete));
            CHECK(v == k + pc_me, "round %d: %d", k, v);
        }
        GIVES(pvm_putinfo(next, packed(k + pc_me + 1), PvmMboxOverWritable), 0);
        if (pc_me == 0) {
            int v = received(pvm_recvinfo(mine, 0, PvmMboxWaitForInfo | PvmMboxReadAndDelete));
            CHECK(v == k + pc_size, "round %d: %d", k, v);
        }
    }
    GIVES(pvm_barrier(NULL, -1), 0);
}

/* PE 0 puts items that anybody may delete; each is read once. */
static void work_queue(void)
{
    long sums[2] = {0, 0};
    if (pc_me == 0)
        for (int i = 1; i <= ITEMS; i++)
            OK(pvm_putinfo("work", packed(i), PvmMboxMultiInstance | PvmMboxOverWritable));
    if (pc_me == 0)
        for (int pe = 0; pe < pc_size; pe++)
            OK(pvm_putinfo("work", packed(0), PvmMboxDirectIndex(5000 + pe) | PvmMboxOverWritable));
    for (;;) {
        int v = received(pvm_recvinfo("work", 0, PvmMboxFirstAvail | PvmMboxReadAndDelete | PvmMboxWaitForInfo));
        if (v <= 0)
            break;
        sums[0] += v;
        sums[1]++;
    }
    GIVES(pvm_reduce(PvmSum, sums, 2, PVM_LONG, 3, NULL, 0), 0);
    if (pc_me == 0)
        CHECK(sums[0] == ITEMS * (ITEMS + 1) / 2 && sums[1] == ITEMS, "sum %ld of %ld items", sums[0], sums[1]);
    GIVES(pvm_barrier(NULL, -1), 0);
}

/* All wait for one entry, some after it is there; it is a large one, read whole by each. */
static void one_for_all(void)
{
    enum { N = 300000 };
    char *data = malloc(N);
    for (int k = 0; k < 5; k++) {
        char name[32];
        size_t right;
        snprintf(name, sizeof name, "large %d", k);
        if (pc_me == k % pc_size) {
            usleep(3000);
            check_fill(data, N, (uint64_t)k);
            OK(pvm_initsend(PvmDataRaw));
            OK(pvm_pkbyte(data, N, 1));
            GIVES(pvm_putinfo(name, pvm_getsbuf(), 0), 0);
        }
        CHECK(pvm_recvinfo(name, 0, PvmMboxWaitForInfo) > 0, "no entry");
        OK(pvm_upkbyte(data, N, 1));
        right = check_differs(data, N, (uint64_t)k);
        CHECK(right == N, "round %d: byte %zu", k, right);
    }
    GIVES(pvm_barrier(NULL, -1), 0);
    free(data);
}

/* Many classes at once, each task its own; none is lost or mixed up. */
static void side_by_side(uint64_t *s)
{
    int model[8];
    char name[32];
    for (int i = 0; i < 8; i++)
        model[i] = -1;
    for (int k = 0; k < 400; k++) {
        int i = (int)check_random_below(s, 8);
        snprintf(name, sizeof name, "side %d", pc_me * 8 + i);
        switch (check_random_below(s, 3)) {
        case 0:
            model[i] = k;
            GIVES(pvm_putinfo(name, packed(k), 0), 0);
            break;
        case 1:
            if (model[i] < 0)
                GIVES(pvm_recvinfo(name, 0, 0), PvmNotFound);
            else
                CHECK(received(pvm_recvinfo(name, 0, 0)) == model[i], "%s", name);
            break;
        default:
            GIVES(pvm_delinfo(name, 0, 0), model[i] < 0 ? PvmNotFound : 0);
            model[i] = -1;
        }
    }
    GIVES(pvm_barrier(NULL, -1), 0);
}

int main(void)
{
    pc_start();
    uint64_t own = check_seed(9) + (uint64_t)pc_me * 7577;
    ring();
    work_queue();
    one_for_all();
    side_by_side(&own);
    return pc_finish();
}
