/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of io: see mpi/state.h.
 */
#ifndef MPI_IO_STATE_H
#define MPI_IO_STATE_H

struct mpii_io_rep;

struct mpii_io_state {
    const struct mpii_io_rep *reps; /* data representations that programs have registered, the latest first; never
                                       freed: files refer to them */
};

#endif
