/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rate of all PEs together that no program can exceed.
 */
#ifndef LINPACK_PEAK_H
#define LINPACK_PEAK_H

/* Gflop/s of all PEs at the same time; on PE 0. Collective. */
double peak_gflops(double budget_ns);

#endif
