/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Static groups: the freeze waits for all, strangers are denied, barriers go on
 * until a member leaves; then those who wait in one learn it. The name is free
 * again when all have left.
 */
#include "pcheck.h"

static void once(bool with_count)
{
    bool stranger = pc_size > 1 && pc_me == pc_size - 1;
    int members = pc_size > 1 ? pc_size - 1 : 1, inst = -1;
    if (!stranger)
        OK(inst = pvm_joingroup("static"));
    GIVES(pvm_barrier(NULL, -1), 0);
    if (stranger)
        GIVES(pvm_freezegroup("static", members), PvmNotInGroup);
    else {
        GIVES(pvm_freezegroup("static", 0), PvmBadParam);
        GIVES(pvm_freezegroup("static", -2), PvmBadParam);
        GIVES(pvm_freezegroup("static", with_count ? members : -1), members);
        GIVES(pvm_freezegroup("static", members), PvmDupGroup);
        GIVES(pvm_joingroup("static"), PvmDupGroup);
        GIVES(pvm_barrier("static", members + 1), PvmMismatch);
        for (int i = 0; i < 30; i++)
            GIVES(pvm_barrier("static", i % 2 ? -1 : members), 0);
        GIVES(pvm_getinst("static", pc_tid), inst);
        GIVES(pvm_gettid("static", inst), pc_tid);
    }
    GIVES(pvm_barrier(NULL, -1), 0);
    if (stranger)
        GIVES(pvm_joingroup("static"), PvmDenied);
    GIVES(pvm_gsize("static"), members);
    GIVES(pvm_barrier(NULL, -1), 0);
    if (pc_me == 0) {
        usleep(10000);
        GIVES(pvm_lvgroup("static"), 0);
    } else if (!stranger) {
        GIVES(pvm_barrier("static", -1), PvmNoGroup);
        GIVES(pvm_barrier("static", members), PvmNoGroup);
    }
    GIVES(pvm_barrier(NULL, -1), 0);
    if (pc_me > 0 && !stranger)
        GIVES(pvm_lvgroup("static"), 0);
    GIVES(pvm_barrier(NULL, -1), 0);
    GIVES(pvm_gsize("static"), PvmNoGroup);
    GIVES(pvm_barrier(NULL, -1), 0);
}

int main(void)
{
    pc_start();
    once(true);
    once(false);
    once(true);
    return pc_finish();
}
