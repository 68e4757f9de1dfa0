/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All that core knows of the PE it runs in, in one struct, which can be exchanged, made zero
 * after a fork, and read in a debugger: `print core_state`. Each folder has a part of its own,
 * declared in its state.h, and files use the parts of folders whose headers they may include.
 * tools/state.py finds data that lies elsewhere, and says what may.
 */
#ifndef CORE_STATE_H
#define CORE_STATE_H

#include "core/adversary/state.h"
#include "core/base/state.h"
#include "core/channel/state.h"
#include "core/check/state.h"
#include "core/job/state.h"
#include "core/live/state.h"
#include "core/mem/state.h"
#include "core/net/state.h"
#include "core/rma/state.h"
#include "core/topo/state.h"
#include "core/trace/state.h"
#include "core/wait/state.h"

/* The process's. Only core's own files and the inline functions of its headers look into it. (Hidden: then it is
 * reached relative to the instruction, and no address is loaded.) */
struct core_state {
    struct core_threads_state threads; /* of every wait and message: these, and the segment in `mem` */
    struct core_rma_state rma;
    struct core_wait_state wait;
    struct core_channel_state channel;
    struct core_trace_state trace; /* its first word */
    struct core_job_state job;
    struct core_topo_state topo;
    struct core_adversary_state adversary;
    struct core_net_state net;
    struct core_mem_state mem; /* long tables come last: of tasks, a page that is not written to is shared */
    struct core_base_state base;
    struct core_live_state live;
    struct core_looks looks;
    struct core_check_state check;
};
extern struct core_state core_state __attribute__((visibility("hidden")));

/* Each thread's. */
struct core_thread {
    struct core_mem_thread mem;
    struct core_wait_thread wait;
    struct core_channel_thread channel;
    struct core_live_thread live;
    struct core_check_thread check;
    struct core_trace_thread trace;
};
extern _Thread_local struct core_thread core_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

#endif
