/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the twins of MPI's calls (generated traced.c) have in common: each begins its record, fills in what its
 * arguments tell, calls the body, and ends it.
 */
#ifndef MPI_TRACED_H
#define MPI_TRACED_H

#include "mpi/mpii.h"
#include "mpi/trace/trace.h"

/* Twins in place of the calls that are recorded (generated traced.c). By code, not by a second table: of that each task
 * would have a copy, as it holds addresses. */
void mpii_traced_fill(struct mpii_table *table);

/* direct: enum mpii_trace_direct. What follows does nothing to a record that is not one (kind 0). */
void mpii_traced_begin(struct core_trace_record *t, const char *name, const void *from, enum mpii_trace_direct direct);
/* Returns result. in_vain: the call was a test that found nothing. */
int mpii_traced_end(struct core_trace_record *t, int result, bool in_vain);

/* ---- arguments: fill.c ---- */
/* Of (count, type); 0 if that is none. */
uint64_t mpii_traced_bytes(MPI_Count count, MPI_Datatype type);
/* Of counts[i] elements, for each process of comm (remote: that calls may send to). types: of each its own; or NULL */
uint64_t mpii_traced_many(const void *counts, MPI_Datatype type, const MPI_Datatype types[], MPI_Comm comm, bool remote,
                          int wide);
void mpii_traced_message(struct core_trace_record *t, MPI_Comm comm, int rank, int tag, uint64_t bytes, unsigned role);
/* root: MPI_PROC_NULL: there is none. */
void mpii_traced_together(struct core_trace_record *t, MPI_Comm comm, int root, uint64_t bytes, unsigned role);
void mpii_traced_file(struct core_trace_record *t, MPI_File fh, uint64_t bytes, unsigned role);
void mpii_traced_window(struct core_trace_record *t, MPI_Win win, int rank, unsigned role);
void mpii_traced_access(struct core_trace_record *t, MPI_Win win, int rank, MPI_Aint disp, uint64_t bytes,
                        const void *value, unsigned role);
void mpii_traced_neighbours(const struct core_trace_record *t, MPI_Comm comm);
/* After the body of a call that begins an operation of all members. */
void mpii_traced_begun(const struct core_trace_record *t, int result, const MPI_Request *request);

#endif
