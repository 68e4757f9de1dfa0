/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The pipes by which processes that sleep on descriptors are woken: others open the writing end in /proc, once.
 */
#ifndef CORE_BASE_PEER_PIPE_H
#define CORE_BASE_PEER_PIPE_H

/* Those of n slices, made at first use by whichever thread comes first: -1, not opened yet. NULL: no memory. */
int *core_peer_pipes(int **all, unsigned n);
/* Descriptor `fd` of process `pid`, which *known remembers. Below 0: it cannot be opened. */
int core_peer_pipe(int *known, int pid, int fd);

#endif
