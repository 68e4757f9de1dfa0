/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same tests in both ways of running: under mptrun the PEs are the family; a
 * program started plainly spawns the others itself. Members have numbers from 0. */
#ifndef TESTS_PVM_MESSAGE_FAMILY_H
#define TESTS_PVM_MESSAGE_FAMILY_H

#include "pcheck.h"

enum { FM_MAX = 64, FM_SPAWNED = 4, FM_TAG = 0x7ffffff0 };

static int fm_tids[FM_MAX];
static bool fm_alone; /* stand-alone: the PEs of a job */

static inline int fm_tid(int member)
{
    return fm_tids[member];
}

/* A name for calls that take a tid: PE numbers will do where there are any. -1 stays. */
static inline int fm_name(int member)
{
    return member < 0 || fm_alone ? member : fm_tids[member];
}

/* -1: no member. */
static inline int fm_of(int tid)
{
    for (int i = 0; i < pc_size; i++)
        if (fm_tids[i] == tid)
            return i;
    return -1;
}

static inline void fm_barrier(void)
{
    OK(fm_alone ? pvm_barrier(NULL, -1) : pvm_barrier("family", pc_size));
}

static inline void fm_spawn(void)
{
    char path[512];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    fm_tids[0] = pc_tid;
    pc_size = 1 + pvm_spawn(path, NULL, PvmTaskDefault, NULL, FM_SPAWNED - 1, fm_tids + 1);
    if (pc_size != FM_SPAWNED) {
        fprintf(stderr, "FAIL: only %d of %d tasks were spawned\n", pc_size, FM_SPAWNED);
        exit(1);
    }
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_pkint(fm_tids, FM_SPAWNED, 1));
    OK(pvm_mcast(fm_tids, FM_SPAWNED, FM_TAG));
}

static inline void fm_start(void)
{
    pc_start();
    pvm_setopt(PvmAutoErr, 0);
    fm_alone = pvm_gsize(NULL) >= 1;
    if (fm_alone) {
        for (int i = 0; i < pc_size; i++)
            fm_tids[i] = pvm_gettid(NULL, i);
        return;
    }
    if (pvm_parent() < 0) {
        fm_spawn();
    } else {
        pc_size = FM_SPAWNED;
        OK(pvm_precv(pvm_parent(), FM_TAG, fm_tids, FM_SPAWNED, PVM_INT, NULL, NULL, NULL));
    }
    pc_me = fm_of(pc_tid);
    OK(pvm_joingroup("family"));
    fm_barrier();
}

/* Only the first one's status is seen: it learns of the others' failures. */
static inline int fm_finish(void)
{
    if (!fm_alone && pc_me > 0) {
        int failures = (int)check_failures;
        OK(pvm_psend(fm_tids[0], FM_TAG, &failures, 1, PVM_INT));
    }
    for (int i = 1; !fm_alone && pc_me == 0 && i < pc_size; i++) {
        int failures = -1;
        OK(pvm_precv(fm_tids[i], FM_TAG, &failures, 1, PVM_INT, NULL, NULL, NULL));
        CHECK(failures == 0, "%d failures of member %d", failures, i);
    }
    return pc_finish();
}

#endif
