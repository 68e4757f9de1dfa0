/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared helper of the PVM test programs, over tests/harness.h. A program calls
 * pc_start() first and returns pc_finish(). PVM's own calls only. */
#ifndef TESTS_PVM_PCHECK_H
#define TESTS_PVM_PCHECK_H

#include <pvm3.h>

#include "harness.h"

/* PE number, 0 ... size - 1; of a lone task 0 of 1. */
#define pc_me check_me
#define pc_size check_npes
static int pc_tid = -1;

/* A call that must succeed: 0 or more. */
#define OK(call)                                                 \
    do {                                                         \
        int pc_code_ = (call);                                   \
        CHECK(pc_code_ >= 0, "%s returned %d", #call, pc_code_); \
    } while (0)
/* A call that must give exactly this value: an error code, say. */
#define GIVES(call, value_)                                                                                       \
    do {                                                                                                          \
        int pc_code_ = (call);                                                                                    \
        CHECK(pc_code_ == (value_), "%s returned %d, expected " #value_ " (%d)", #call, pc_code_, (int)(value_)); \
    } while (0)

/* Of a stand-alone program, and of tests of the network mode (then 0 of 1). Calls that fail say nothing. */
static inline void pc_start(void)
{
    pc_tid = pvm_mytid();
    if (pc_tid < 0) {
        fprintf(stderr, "FAIL: pvm_mytid returned %d\n", pc_tid);
        exit(1);
    }
    snprintf(check_who, sizeof check_who, "task t%x,", (unsigned)pc_tid);
    pvm_setopt(PvmAutoErr, 0);
    pc_me = pvm_get_PE(pc_tid);
    pc_size = pvm_gsize(NULL);
    if (pc_me < 0 || pc_size < 1)
        pc_me = 0, pc_size = 1;
}

static inline void pc_skip(const char *reason)
{
    if (pc_me <= 0)
        fprintf(stderr, "SKIP: %s\n", reason);
    pvm_exit();
    exit(CHECK_SKIP_STATUS);
}

static inline int pc_finish(void)
{
    if (check_failures)
        fprintf(stderr, "FAIL: %ld checks failed in task %d of %d\n", check_failures, pc_me, pc_size);
    pvm_exit();
    return check_failures != 0;
}

#endif
