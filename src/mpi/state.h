/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All that MPI remembers from call to call in this process, in one struct: a part for
 * each folder (its state.h), and the counters. What does not begin as zeros is set in
 * start/state.c. It changes with the lock held where nothing else is said.
 *
 * Not here: predefined objects (datatypes, operations, error handlers, the empty group
 * and MPI_FILE_NULL), which are part of their handles, and constant tables; collectives
 * (mpi/collective), which keep what they use again; and what the libraries with MPI's
 * names keep (front_mpich, front_malloc, fortran), which are not part of libmpt.
 */
#ifndef MPI_STATE_H
#define MPI_STATE_H

#include "mpi/check/state.h"
#include "mpi/collective/state.h"
#include "mpi/comm/state.h"
#include "mpi/dyn/state.h"
#include "mpi/env/state.h"
#include "mpi/front/state.h"
#include "mpi/ft/state.h"
#include "mpi/io/state.h"
#include "mpi/p2p/state.h"
#include "mpi/request/state.h"
#include "mpi/rma/state.h"
#include "mpi/rt/state.h"
#include "mpi/start/state.h"
#include "mpi/tool/state.h"
#include "mpi/trace/state.h"
#include "mpi/type/state.h"
#include "mpi/ulfm/state.h"

struct mpii_state {
    struct mpii_rt_state rt; /* these five: of every message */
    struct mpii_comm_state comm;
    struct mpii_collective_state collective;
    struct mpii_counters counters;
    struct mpii_p2p_state p2p;
    struct mpii_request_state request;
    struct mpii_ft_state ft;
    struct mpii_start_state start;
    struct mpii_type_state type;
    struct mpii_env_state env;
    struct mpii_io_state io;
    struct mpii_dyn_state dyn;
    struct mpii_ulfm_state ulfm;
    struct mpii_tool_state tool;
    struct mpii_front_state front;
    struct mpii_trace_state trace;
    struct mpii_rma_state rma; /* long tables come last, as in core/state.h */
    struct mpii_check_state check;
};
/* Hidden, so that code finds it without a table of addresses. */
extern struct mpii_state mpii_state __attribute__((visibility("hidden")));

/* Each thread's. */
struct mpii_thread {
    struct mpii_rt_thread rt;
    struct mpii_rma_thread rma;
    struct mpii_env_thread env;
    struct mpii_trace_thread trace;
};
extern _Thread_local struct mpii_thread mpii_thread __attribute__((visibility("hidden"), tls_model("initial-exec")));

#endif
