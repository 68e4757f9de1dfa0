/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines of unknowns that run through all PEs' slabs, eight side by side: elimination goes up from PE to PE,
 * substitution comes back down. The lines are worked on in units, so that all PEs have one most of the time.
 */
#ifndef NPB_CFD_PIPE_H
#define NPB_CFD_PIPE_H

#include "common/npb.h"

struct cfd_pipe {
    int chunks, groups, units; /* vectors of a row, units of a row, units of all */
    int lag;                   /* units between this PE's elimination and its substitution */
    int slots;                 /* of each buffer */
    size_t up_bytes, down_bytes, kept_bytes; /* of eight lines */
    char *from_below, *from_above, *stage_up, *stage_down; /* the first two symmetric */
    char *kept;
    uint64_t *signal; /* symmetric: units come from below, from above */
    uint64_t done;    /* units of earlier runs */
};

/*
 * Works on this PE's part of the eight lines at `row`, lanes `lane` and on. `state` is what the PE before in this
 * direction left, zero at the boundary, and becomes what the next one gets. `kept` is there again at the substitution.
 */
typedef void cfd_pipe_stage(int row, int lane, void *kept, void *state);

#define CFD_PIPE_STATE 2048 /* bytes of a state at most */

/* Rows 1 … rows of `chunks` vectors each. Collective. */
void cfd_pipe_make(struct cfd_pipe *p, int rows, int chunks, size_t up_bytes, size_t down_bytes, size_t kept_bytes);
void cfd_pipe_run(struct cfd_pipe *p, cfd_pipe_stage *eliminate, cfd_pipe_stage *substitute);

#endif
