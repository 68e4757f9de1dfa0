/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * em3d in MPI (common/em3d.h): each rank gets the values that it needs one by one, one-sided, or their owners send them
 * in messages.
 */
#include "../common/em3d_local.h"
#include "../common/face_mpi.h"

static double *packed[2];
static MPI_Win window[EM3D_KINDS];

/* The owners' new values must be there: a barrier first. */
static void fetch(struct em3d_side *side)
{
    const MPI_Win w = window[side - em3d.side];

    app_barrier();
    for (int l = 0; l < side->links; l++) {
        const struct em3d_link *const in = &side->in[l];
        double *const ghost = side->value + em3d.nodes + in->first;

        for (int i = 0; i < in->n; i++)
            MPI_Get(&ghost[i], 1, MPI_DOUBLE, in->pe, in->node[i], 1, MPI_DOUBLE, w);
    }
    MPI_Win_flush_all(w);
}

static void send(struct em3d_side *side)
{
    MPI_Request request[4];

    for (int l = 0; l < side->links; l++) {
        const struct em3d_link *const in = &side->in[l];

        MPI_Irecv(side->value + em3d.nodes + in->first, in->n, MPI_DOUBLE, in->pe, 0, MPI_COMM_WORLD, &request[l]);
    }
    for (int l = 0; l < side->links; l++) {
        const struct em3d_link *const out = &side->out[l];

        for (int i = 0; i < out->n; i++)
            packed[l][i] = side->value[out->node[i]];
        MPI_Isend(packed[l], out->n, MPI_DOUBLE, out->pe, 0, MPI_COMM_WORLD, &request[side->links + l]);
    }
    MPI_Waitall(2 * side->links, request, MPI_STATUSES_IGNORE);
}

static void small(void)
{
    em3d_run(fetch);
}

static void bulk(void)
{
    em3d_run(send);
}

static const char *setup(void)
{
    size_t ghosts;
    const char *const why = em3d_setup(&ghosts);

    if (why)
        return why;
    for (int kind = 0; kind < EM3D_KINDS; kind++)
        em3d.side[kind].value =
            app_window(sizeof(double) * ((size_t)em3d.nodes + ghosts), sizeof(double), &window[kind]);
    for (int l = 0; l < 2; l++)
        packed[l] = app_alloc(sizeof *packed[l] * (size_t)em3d.nodes);
    return NULL;
}

static const struct app_case cases[] = {
    {"small messages", &em3d_problem, NULL, small},
    {"bulk transfers", &em3d_problem, NULL, bulk},
};
const struct app_program app_program = {.name = "mpi_em3d",
                                        .purpose = "em3d in MPI",
                                        .own = em3d_options,
                                        .ncases = 2,
                                        .cases = cases,
                                        .setup = setup,
                                        .seconds = 8,
                                        .quick_seconds = 2};
