/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers: nobody leaves one before all have come, and what was put into the
 * mailbox and sent before is there after it. Of everybody, of named groups, of parts of
 * them, with members that come or go meanwhile; counts that disagree.
 */
#include "pcheck.h"

enum { ROUNDS = 40 };

static void put_round(int k)
{
    char name[32];
    snprintf(name, sizeof name, "round of %d", pc_me);
    OK(pvm_initsend(PvmDataDefault));
    OK(pvm_pkint(&k, 1, 1));
    GIVES(pvm_putinfo(name, pvm_getsbuf(), PvmMboxDefault), 0);
}

/* Another may be one round ahead, but no further. */
static void check_round(int pe, int k)
{
    char name[32];
    int value = -1;
    snprintf(name, sizeof name, "round of %d", pe);
    CHECK(pvm_recvinfo(name, 0, PvmMboxDefault) > 0, "no entry \"%s\"", name);
    OK(pvm_upkint(&value, 1, 1));
    CHECK(value == k || value == k + 1, "PE %d is in round %d, this one in %d", pe, value, k);
}

/* Members: PEs with pe % step == pc_me % step. */
static void rounds(char *group, int count, int step, int *k)
{
    for (int i = 0; i < ROUNDS; i++) {
        int next = pc_me + step < pc_size ? pc_me + step : pc_me % step, value = -1, before = pc_me - step;
        put_round(++*k);
        pvm_initsend(PvmDataRaw);
        pvm_pkint(k, 1, 1);
        GIVES(pvm_send(pvm_gettid(NULL, next), 7), 0);
        GIVES(pvm_barrier(group, count), 0);
        for (int pe = pc_me % step; pe < pc_size; pe += step)
            check_round(pe, *k);
        while (before < 0)
            before += (pc_size - pc_me % step + step - 1) / step * step;
        CHECK(pvm_recv(pvm_gettid(NULL, before), 7) > 0, "the message of PE %d", before);
        OK(pvm_upkint(&value, 1, 1));
        CHECK(value == *k, "message of round %d in round %d", value, *k);
    }
}

static void errors(void)
{
    GIVES(pvm_barrier("all", 0), PvmMismatch);
    GIVES(pvm_barrier("all", -2), PvmMismatch);
    GIVES(pvm_barrier("all", 1), 0);
    GIVES(pvm_barrier(NULL, 0), PvmMismatch);
    GIVES(pvm_barrier(NULL, -1), 0);
}

/* The last one joins when the others wait already, perhaps. */
static void late_member(void)
{
    if (pc_me < pc_size - 1)
        OK(pvm_joingroup("late"));
    GIVES(pvm_barrier(NULL, -1), 0);
    if (pc_me == pc_size - 1) {
        usleep(20000);
        GIVES(pvm_joingroup("late"), pc_size - 1);
    }
    GIVES(pvm_barrier("late", pc_size), 0);
    GIVES(pvm_gsize("late"), pc_size);
    GIVES(pvm_barrier(NULL, -1), 0);
}

/* The last one leaves, and so completes a barrier of all members. */
static void member_that_leaves(void)
{
    GIVES(pvm_barrier("late", -1), 0);
    if (pc_me == pc_size - 1) {
        usleep(20000);
        GIVES(pvm_lvgroup("late"), 0);
    } else
        GIVES(pvm_barrier("late", -1), 0);
    GIVES(pvm_barrier(NULL, -1), 0);
    if (pc_me < pc_size - 1)
        GIVES(pvm_barrier("late", -1), 0);
    if (pc_me < pc_size - 1)
        GIVES(pvm_lvgroup("late"), 0);
    GIVES(pvm_barrier(NULL, -1), 0);
}

/* PEs 0 and 1 come with 2 and 3: the later one is refused. Of three it takes PE 2, too. */
static void disagreement(void)
{
    int mine = pc_me + 2, rc, third = 0;
    if (pc_size >= 3 && pc_me < 2) {
        rc = pvm_barrier("all", mine);
        CHECK(rc == 0 || rc == PvmMismatch, "pvm_barrier: %d", rc);
        if (rc == PvmMismatch) {
            third = mine == 2;
            pvm_initsend(PvmDataDefault);
            pvm_pkint(&third, 1, 1);
            GIVES(pvm_send(pvm_gettid(NULL, 2), 8), 0);
            GIVES(pvm_barrier("all", third ? 3 : 2), 0);
        }
    } else if (pc_size >= 3 && pc_me == 2) {
        OK(pvm_recv(-1, 8));
        OK(pvm_upkint(&third, 1, 1));
        if (third)
            GIVES(pvm_barrier("all", 3), 0);
    }
    GIVES(pvm_barrier(NULL, -1), 0);
}

int main(void)
{
    int k = 0;
    pc_start();
    put_round(0);
    OK(pvm_joingroup("all"));
    OK(pvm_joingroup(pc_me % 2 ? "odd" : "even"));
    GIVES(pvm_barrier(NULL, -1), 0);
    rounds(NULL, -1, 1, &k);
    rounds("all", -1, 1, &k);
    rounds("", pc_size, 1, &k);
    rounds("all", pc_size, 1, &k);
    GIVES(pvm_barrier(NULL, -1), 0); /* the other half goes its own pace from here */
    rounds(pc_me % 2 ? "odd" : "even", -1, 2, &k);
    GIVES(pvm_barrier("all", pc_size), 0);
    errors();
    late_member();
    member_that_leaves();
    disagreement();
    return pc_finish();
}
