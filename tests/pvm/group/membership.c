/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Joining and leaving: instances from 0, the lowest free one first; what the
 * questions answer about members, former members and strangers; the null group;
 * as many groups as there may be; every error.
 */
#include "pcheck.h"

static void null_group(void)
{
    int x = 1;
    for (int way = 0; way < 2; way++) {
        char *all = way ? "" : NULL;
        GIVES(pvm_joingroup(all), PvmNullGroup);
        GIVES(pvm_lvgroup(all), PvmNullGroup);
        GIVES(pvm_freezegroup(all, 1), PvmNullGroup);
        GIVES(pvm_gsize(all), pc_size);
        GIVES(pvm_getinst(all, pc_tid), pc_me);
        for (int pe = 0; pe < pc_size; pe++) {
            int tid = pvm_gettid(all, pe);
            CHECK(tid > 0 && pvm_get_PE(tid) == pe, "instance %d is t%x", pe, (unsigned)tid);
            GIVES(pvm_getinst(all, tid), pe);
        }
        GIVES(pvm_gettid(all, pc_size), PvmNoInst);
        GIVES(pvm_gettid(all, -1), PvmNoInst);
        GIVES(pvm_reduce(PvmSum, &x, 1, PVM_INT, 1, all, pc_size), PvmNoInst);
    }
}

/* Of names without a group, and of one this task is not in. */
static void unknown(char *name, int code)
{
    int x = 1, y[64];
    GIVES(pvm_lvgroup(name), code);
    GIVES(pvm_barrier(name, 1), code);
    GIVES(pvm_freezegroup(name, 1), code);
    if (code == PvmNotInGroup) {
        GIVES(pvm_getinst(name, pc_tid), code);
        code = PvmNoInst;
    } else {
        GIVES(pvm_gsize(name), code);
        GIVES(pvm_gettid(name, 0), code);
        GIVES(pvm_getinst(name, pc_tid), code);
        GIVES(pvm_bcast(name, 1), code);
    }
    GIVES(pvm_reduce(PvmSum, &x, 1, PVM_INT, 1, name, 0), code);
    GIVES(pvm_gather(y, &x, 1, PVM_INT, 1, name, 0), code);
    GIVES(pvm_scatter(&x, y, 1, PVM_INT, 1, name, 0), code);
}

static void errors(void)
{
    char text[200];
    memset(text, 'n', sizeof text);
    text[150] = '\0';
    GIVES(pvm_joingroup(text), PvmBadParam);
    GIVES(pvm_gsize(text), PvmBadParam);
    unknown("nobody's", PvmNoGroup);
    if (pc_me == 0)
        GIVES(pvm_joingroup("first"), 0);
    GIVES(pvm_barrier(NULL, -1), 0);
    if (pc_me != 0)
        unknown("first", PvmNotInGroup);
    GIVES(pvm_getinst("first", 1 << 18 | 0x3ff00), PvmNotInGroup);
    GIVES(pvm_getinst("first", -5), PvmBadParam);
    GIVES(pvm_barrier(NULL, -1), 0);
    if (pc_me == 0)
        GIVES(pvm_lvgroup("first"), 0);
    GIVES(pvm_barrier(NULL, -1), 0);
    GIVES(pvm_gsize("first"), PvmNoGroup);
    GIVES(pvm_barrier(NULL, -1), 0);
}

/* One task after the other; afterwards all look. present[pe]: its instance, -1. */
static void look(const int *present)
{
    int members = 0;
    GIVES(pvm_barrier(NULL, -1), 0);
    for (int pe = 0; pe < pc_size; pe++)
        members += present[pe] >= 0;
    for (int pe = 0; pe < pc_size && members; pe++) {
        int tid = pvm_gettid(NULL, pe);
        if (present[pe] < 0)
            GIVES(pvm_getinst("turns", tid), PvmNotInGroup);
        else {
            GIVES(pvm_getinst("turns", tid), present[pe]);
            GIVES(pvm_gettid("turns", present[pe]), tid);
        }
    }
    GIVES(pvm_gsize("turns"), members ? members : PvmNoGroup);
    GIVES(pvm_barrier(NULL, -1), 0);
}

static void in_turns(void)
{
    int present[64], free_one = 0;
    for (int pe = 0; pe < pc_size; pe++)
        present[pe] = -1;
    for (int pe = 0; pe < pc_size; pe++) {
        if (pc_me == pe) {
            GIVES(pvm_joingroup("turns"), pe);
            GIVES(pvm_joingroup("turns"), PvmDupGroup);
        }
        present[pe] = pe;
        look(present);
    }
    for (int pe = 0; pe < pc_size; pe += 2) {
        if (pc_me == pe) {
            GIVES(pvm_lvgroup("turns"), 0);
            if (pc_size > 1)
                GIVES(pvm_lvgroup("turns"), PvmNotInGroup);
        }
        present[pe] = -1;
        look(present);
    }
    for (int pe = (pc_size - 1) / 2 * 2; pe >= 0; pe -= 2, free_one += 2) {
        if (pc_me == pe)
            GIVES(pvm_joingroup("turns"), free_one);
        present[pe] = free_one;
        look(present);
    }
    for (int pe = 0; pe < pc_size; pe++) {
        if (pc_me == pe)
            GIVES(pvm_lvgroup("turns"), 0);
        present[pe] = -1;
        look(present);
    }
}

static void very_many(void)
{
    char name[32];
    int n = 0, rc = 0;
    for (; n < 5000; n++) {
        snprintf(name, sizeof name, "many %d", n);
        if ((rc = pvm_joingroup(name)) != 0)
            break;
    }
    CHECK(rc == PvmOutOfRes && n > 200, "%d groups, then %d", n, rc);
    for (int way = 0; way < 2; way++)
        for (int i = n - 1; i >= 0; i--) {
            snprintf(name, sizeof name, "many %d", i);
            GIVES(way ? pvm_lvgroup(name) : pvm_gettid(name, 0), way ? 0 : pc_tid);
        }
    GIVES(pvm_gsize("many 0"), PvmNoGroup);
}

int main(void)
{
    pc_start();
    null_group();
    errors();
    in_turns();
    if (pc_me == pc_size - 1)
        very_many();
    GIVES(pvm_barrier(NULL, -1), 0);
    return pc_finish();
}
