/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the arguments of a call tell its record. Arguments may be wrong: the body says so afterwards.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/io/io.h"
#include "mpi/rma/win.h"
#include "mpi/traced/traced.h"

uint64_t mpii_traced_bytes(MPI_Count count, MPI_Datatype type)
{
    const struct mpii_type *t = mpii_type_of(type);

    return t && count > 0 ? (uint64_t)count * (uint64_t)t->size : 0;
}

uint64_t mpii_traced_many(const void *counts, MPI_Datatype type, const MPI_Datatype types[], MPI_Comm comm, bool remote,
                          int wide)
{
    const struct mpii_comm *c = mpii_comm_of(comm);
    int n = !c ? 0 : remote ? c->nprocs : c->size;
    uint64_t sum = 0;

    for (int i = 0; counts && i < n; i++) {
        MPI_Count count = wide ? ((const MPI_Count *)counts)[i] : ((const int *)counts)[i];

        sum += mpii_traced_bytes(count, types ? types[i] : type);
    }
    return sum;
}

void mpii_traced_message(struct core_trace_record *t, MPI_Comm comm, int rank, int tag, uint64_t bytes, unsigned role)
{
    struct mpii_comm *c = mpii_comm_of(comm);

    if (t->kind == CORE_TRACE_NONE || !c)
        return;
    t->role = (uint8_t)role;
    t->peer = mpii_trace_rank(c, rank);
    t->tag = tag;
    t->bytes = rank == MPI_PROC_NULL ? 0 : bytes;
    t->group = mpii_trace_group(c);
}

/* The root's own group may be the other one. */
static void fill_together(struct core_trace_record *t, struct mpii_comm *c, int root, uint64_t bytes, unsigned role)
{
    t->role = (uint8_t)role;
    t->bytes = bytes;
    t->peer = root == MPI_ROOT ? core_me() : mpii_trace_rank(c, root);
    t->group = mpii_trace_group(c);
    if (role & CORE_TRACE_COLLECTIVE)
        t->message = __atomic_add_fetch(&c->trace.calls, 1, __ATOMIC_RELAXED);
}

void mpii_traced_together(struct core_trace_record *t, MPI_Comm comm, int root, uint64_t bytes, unsigned role)
{
    struct mpii_comm *c = mpii_comm_of(comm);

    if (t->kind != CORE_TRACE_NONE && c)
        fill_together(t, c, root, bytes, role);
}

void mpii_traced_file(struct core_trace_record *t, MPI_File fh, uint64_t bytes, unsigned role)
{
    const struct mpii_file *f = t->kind == CORE_TRACE_NONE ? NULL : mpii_object_of(fh, MPII_FILE);

    if (f)
        fill_together(t, f->comm, MPI_PROC_NULL, bytes, role);
}

void mpii_traced_window(struct core_trace_record *t, MPI_Win win, int rank, unsigned role)
{
    const struct mpii_win *w = t->kind == CORE_TRACE_NONE ? NULL : mpii_win_of(win);

    if (w)
        fill_together(t, w->comm, rank, 0, role);
}

void mpii_traced_access(struct core_trace_record *t, MPI_Win win, int rank, MPI_Aint disp, uint64_t bytes,
                        const void *value, unsigned role)
{
    enum { AREA_SHIFT = 48, FIRST_WINDOW = 2 };
    const struct mpii_win *w = t->kind == CORE_TRACE_NONE ? NULL : mpii_win_of(win);
    uint64_t unit;

    if (!w)
        return;
    fill_together(t, w->comm, rank, bytes, role);
    unit = rank >= 0 && rank < w->size && w->flavor != MPI_WIN_FLAVOR_DYNAMIC ? (uint64_t)w->peers[rank].unit : 1;
    t->message =
        (uint64_t)(FIRST_WINDOW + t->group) << AREA_SHIFT | (((uint64_t)disp * unit) & ((1ull << AREA_SHIFT) - 1));
    if (value && bytes <= sizeof t->value)
        memcpy(&t->value, value, bytes);
}

/* *request: of the operation that the call has begun. */
void mpii_traced_begun(const struct core_trace_record *t, int result, const MPI_Request *request)
{
    struct mpii_request *r = t->kind == CORE_TRACE_NONE || result != MPI_SUCCESS ? NULL : mpii_request_of(*request);

    if (r && !r->persistent && r != mpii_state.request.ended)
        mpii_trace_together(r, t);
}

/* With its group's first neighbourhood call the trace gets whom this process waits for in them. */
void mpii_traced_neighbours(const struct core_trace_record *t, MPI_Comm comm)
{
    struct mpii_comm *c = t->kind == CORE_TRACE_NONE ? NULL : mpii_comm_of(comm);
    struct mpii_neighbours n;
    int *pes, count = 0;

    if (!c || c->trace.sources || mpii_topo_neighbours(c, &n) != MPI_SUCCESS ||
        !(pes = malloc(((size_t)n.in + 1) * sizeof *pes)))
        return;
    for (int i = 0; i < n.in; i++)
        if (n.sources[i] >= 0)
            pes[count++] = mpii_trace_rank(c, n.sources[i]);
    core_trace_sources(t->group, pes, count);
    c->trace.sources = true;
    free(pes);
}
