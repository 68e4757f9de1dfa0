/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The face of core: everything the layers above may call, in reading order.
 * Functions return 0 or a negative errno unless said otherwise; only the faces
 * above (shmem, mpi, ...) turn that into their standard's way of failing.
 */
#ifndef CORE_CORE_H
#define CORE_CORE_H

/* The job and who is in it. */
#include "core/job/job.h"
#include "core/job/open.h"
#include "core/live/process.h"

/* Memory that other PEs reach: what is symmetric (segment, its heap), what is not (arena). */
#include "core/mem/arena.h"
#include "core/mem/dump.h"
#include "core/mem/guard.h"
#include "core/mem/heap.h"
#include "core/mem/malloc.h"
#include "core/mem/segment.h"

/* To move it: copies, the private memory of PEs of this node, puts, gets and atomics anywhere. */
#include "core/mem/copy.h"
#include "core/rma/cma.h"
#include "core/rma/late.h"
#include "core/rma/rma.h"

/* To wait, also in loops of the program's own. */
#include "core/wait/look.h"
#include "core/wait/wait.h"

/* Messages; progress. */
#include "core/channel/channel.h"
#include "core/channel/push.h"

/* What is left open, and decided by a seed. */
#include "core/adversary/adversary.h"

/* What --check finds. */
#include "core/check/finding.h"
#include "core/check/race.h"

/* What --trace records. */
#include "core/trace/trace.h"

/* What all stand on: messages about errors, parameters, lines of the program, threads; the machine's cores; words of
 * the launcher's options.
 */
#include "core/base/empty.h"
#include "core/base/error.h"
#include "core/base/param.h"
#include "core/base/site.h"
#include "core/base/thread.h"
#include "core/job/asked.h"
#include "core/topo/cores.h"

#include "mpt/fast.h"

#endif
