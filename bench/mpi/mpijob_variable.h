/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_BUFFER_MAX while the job runs, by MPI's tool interface: up to which size standard sends are buffered. Other
 * libraries have no such variable.
 */
#ifndef BENCH_MPIJOB_VARIABLE_H
#define BENCH_MPIJOB_VARIABLE_H

#include "mpijob.h"

#define MPIJOB_VARIABLE "MPI_BUFFER_MAX"

/* Whether the library has it and lets it be set; the same on all ranks. Collective. */
bool mpijob_variable_open(void);
void mpijob_variable_close(void); /* once for each time that it was opened, whatever that said */
unsigned long long mpijob_variable_get(void);
void mpijob_variable_set(unsigned long long bytes);

#endif
