/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * em3d in SHMEM (common/em3d.h): each PE gets the values that it needs one by one, or their owners put them in bulk.
 */
#include "../common/em3d_local.h"

#include <shmem.h>

static double *packed;

/* The owners' new values must be there: a barrier first. */
static void fetch(struct em3d_side *side)
{
    shmem_barrier_all();
    for (int l = 0; l < side->links; l++) {
        const struct em3d_link *const in = &side->in[l];
        double *const ghost = side->value + em3d.nodes + in->first;
        const int *const node = in->node;
        const int n = in->n;

        for (int i = 0; i < n; i++)
            shmem_double_get_nbi(&ghost[i], &side->value[node[i]], 1, in->pe);
    }
    shmem_quiet();
}

static void send(struct em3d_side *side)
{
    for (int l = 0; l < side->links; l++) {
        const struct em3d_link *const out = &side->out[l];

        for (int i = 0; i < out->n; i++)
            packed[i] = side->value[out->node[i]];
        shmem_putmem(side->value + em3d.nodes + out->first, packed, sizeof(double) * (size_t)out->n, out->pe);
    }
    shmem_barrier_all();
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
        if (!(em3d.side[kind].value = shmem_malloc(sizeof(double) * ((size_t)em3d.nodes + ghosts))))
            return "the symmetric heap is too small: raise SHMEM_SYMMETRIC_SIZE";
    packed = app_alloc(sizeof *packed * (size_t)em3d.nodes);
    return NULL;
}

static const struct app_case cases[] = {
    {"small messages", &em3d_problem, NULL, small},
    {"bulk transfers", &em3d_problem, NULL, bulk},
};
const struct app_program app_program = {.name = "shmem_em3d",
                                        .purpose = "em3d in SHMEM",
                                        .own = em3d_options,
                                        .ncases = 2,
                                        .cases = cases,
                                        .setup = setup,
                                        .seconds = 8,
                                        .quick_seconds = 2};
