/* SPDX-License-Identifier: BSD-3-Clause
 *
 * While all PEs of a job on several hosts record (core/trace): what the clock of each host is behind that of PE 0's.
 */
#ifndef CORE_JOB_CLOCKS_H
#define CORE_JOB_CLOCKS_H

/* At the start, once the network is there and channels can be opened. */
void core_clocks_start(void);
/* Compare them now, all PEs of the job together. */
void core_clocks_together(void);

#endif
