/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cores: how many there are for this process, and how far apart those of two PEs are.
 */
#ifndef CORE_CORES_H
#define CORE_CORES_H

/* Cores this process may use: affinity mask and CPU quota considered. */
unsigned core_topology_cores(void);

/* Distance between the cores of two PEs of this node: 0 same core, 1 shared cache, 2 same NUMA node, 3 further; -1
 * unknown. */
int core_topology_distance(int pe_a, int pe_b);

#endif
