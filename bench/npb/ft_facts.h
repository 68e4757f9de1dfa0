/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sizes of FT's classes and the checksums their runs must have.
 */
#ifndef NPB_FT_FACTS_H
#define NPB_FT_FACTS_H

#include "common/npb.h"

#define FT_MOST_STEPS 20

struct ft_facts {
    int nx, ny, nz, steps;
    double sums[FT_MOST_STEPS][2];
};

extern const struct ft_facts ft_facts[NPB_CLASSES];

#endif
