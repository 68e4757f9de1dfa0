/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * em3d in Split-C (common/em3d.h): each processor gets the values that it needs one by one, split-phase; or their owners
 * store them in bulk.
 */
#include <split-c/split-c.h>

#include "../common/em3d_local.h"

static double *packed;

/* The owners' new values must be there: a barrier first. */
static void fetch(struct em3d_side *side)
{
    int i, l;

    barrier();
    for (l = 0; l < side->links; l++) {
        const struct em3d_link *const in = &side->in[l];
        double *const ghost = side->value + em3d.nodes + in->first;
        double *global value = toglobal(in->pe, side->value);
        const int *const node = in->node;
        const int n = in->n;

        for (i = 0; i < n; i++)
            ghost[i] := value[node[i]];
    }
    sync();
}

static void send(struct em3d_side *side)
{
    int i, l;

    for (l = 0; l < side->links; l++) {
        const struct em3d_link *const out = &side->out[l];

        for (i = 0; i < out->n; i++)
            packed[i] = side->value[out->node[i]];
        bulk_store(toglobal(out->pe, side->value + em3d.nodes + out->first), packed, sizeof(double) * out->n);
    }
    all_store_sync();
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
    int kind;

    if (why)
        return why;
    for (kind = 0; kind < EM3D_KINDS; kind++)
        em3d.side[kind].value = all_malloc(sizeof(double) * (em3d.nodes + ghosts));
    packed = app_alloc(sizeof *packed * em3d.nodes);
    return NULL;
}

static const struct app_case cases[] = {
    {"small messages", &em3d_problem, NULL, small},
    {"bulk transfers", &em3d_problem, NULL, bulk},
};
const struct app_program app_program = {.name = "splitc_em3d", .purpose = "em3d in Split-C", .own = em3d_options,
                                        .ncases = 2, .cases = cases, .setup = setup,
                                        .seconds = 8, .quick_seconds = 2};
