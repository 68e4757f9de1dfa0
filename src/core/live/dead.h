/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs that survive deaths: a PE that can do without others says so, and asks now and then. Where some
 * PE alive has not said so, the job ends with the first one that dies. A PE that is dead stays
 * so; all that it did has been done.
 */
#ifndef CORE_DEAD_H
#define CORE_DEAD_H

#include <stdbool.h>
#include <stdint.h>

bool core_survivable(void);
void core_survive(bool yes);
uint32_t core_dead_count(void); /* of all PEs */
bool core_pe_dead(int pe);

#endif
