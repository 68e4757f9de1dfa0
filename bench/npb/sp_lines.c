/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elimination and substitution of the pentadiagonal systems.
 */
#include "sp_lines.h"

#include "cfd.h"

/* What a point's neighbours need of it. */
struct spot {
    npb_vector flow, sound, spread; /* times t2, t2 and t1 */
};

NPB_INLINE struct spot look_at(const struct sp_lines *l, const struct sp_scheme *s, long k)
{
    struct spot p;

    /* The largest of the five quantities' diffusion is the energy's, as c1 c5 > 4/3. */
    p.flow = *(const npb_vector *)(l->velocity + k * l->step) * s->t2;
    p.sound = *(const npb_vector *)(l->sound + k * l->sound_step) * s->t2;
    p.spread = (*(const npb_vector *)(l->inverse + k * l->step) * (CFD_C1C5 * CFD_C34) + l->diffusion) * s->t1;
    return p;
}

/* The quantities that a system has. */
static const int first_of[SP_SYSTEMS + 1] = {0, 3, 4, 5};

NPB_CLONES void sp_lines_eliminate(const struct sp_lines *l, const struct sp_scheme *s, int from, int to,
                                   struct sp_factors *factors, struct sp_point last[2])
{
    struct spot before = look_at(l, s, from - 1), at = look_at(l, s, from);
    struct sp_point one = last[0], two = last[1]; /* one and two points before */

    for (int k = from; k < to; k++, factors++) {
        const struct spot after = look_at(l, s, k + 1);
        double *const rhs = l->rhs + k * l->rhs_step;
        double w[CFD_WEIGHTS];
        struct sp_point here;

        cfd_weights(k, s->n, w);
        for (int o = 0; o < CFD_WEIGHTS; o++)
            w[o] *= s->dissipation;
        NPB_UNROLL
        for (int j = 0; j < SP_SYSTEMS; j++) {
            const double sign = j == 0 ? 0 : j == 1 ? 1 : -1;
            const npb_vector low = w[1] - before.flow - before.spread - sign * before.sound;
            const npb_vector high = w[3] + after.flow - after.spread + sign * after.sound;
            const npb_vector b = low - w[0] * two.factors.next[j];
            const npb_vector middle = 1 + w[2] + 2 * at.spread - w[0] * two.factors.second[j] - b * one.factors.next[j];
            const npb_vector inverse = 1 / middle;

            here.factors.next[j] = (high - b * one.factors.second[j]) * inverse;
            here.factors.second[j] = w[4] * inverse;
            NPB_UNROLL
            for (int m = first_of[j]; m < first_of[j + 1]; m++) {
                npb_vector *const r = (npb_vector *)(rhs + m * l->rhs_lanes);

                *r = here.rest[m] = (*r - w[0] * two.rest[m] - b * one.rest[m]) * inverse;
            }
        }
        *factors = here.factors;
        two = one;
        one = here;
        before = at;
        at = after;
    }
    last[0] = one;
    last[1] = two;
}

NPB_CLONES void sp_lines_substitute(const struct sp_lines *l, int from, int to, const struct sp_factors *factors,
                                    npb_vector next[2][5])
{
    for (int k = to - 1; k >= from; k--) {
        double *const rhs = l->rhs + k * l->rhs_step;
        const struct sp_factors *const f = factors + (k - from);

        NPB_UNROLL
        for (int j = 0; j < SP_SYSTEMS; j++)
            NPB_UNROLL
        for (int m = first_of[j]; m < first_of[j + 1]; m++) {
            npb_vector *const r = (npb_vector *)(rhs + m * l->rhs_lanes);
            const npb_vector x = *r - f->next[j] * next[0][m] - f->second[j] * next[1][m];

            *r = x;
            next[1][m] = next[0][m];
            next[0][m] = x;
        }
    }
}
