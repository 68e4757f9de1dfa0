/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What LU, SP and BT share: a field of five conserved quantities on a cube, its exact solution, and the right-hand side
 * of the compressible Navier-Stokes equations. Layouts differ: see struct cfd. Section 3 of RNR-94-007.
 */
#ifndef NPB_CFD_H
#define NPB_CFD_H

#include "common/npb.h"

#define CFD_MOST 162 /* points in a direction */
#define CFD_C1 1.4
#define CFD_C2 0.4
#define CFD_C34 0.1        /* c3 c4 */
#define CFD_C1C5 1.96
#define CFD_DISSIPATION 0.25
#define CFD_WEIGHTS 5

/* Of each point beside u: 1 / density, the velocities, half their square. */
enum cfd_extra { CFD_INVERSE, CFD_VELOCITY, CFD_ENERGY = 4, CFD_EXTRAS };

enum cfd_layout {
    CFD_PLAIN, /* slabs of z, rows of y, lanes of x */
    CFD_SKEWED /* slabs of x, rows of y + z, lanes of z: a row's points don't depend on each other in LU's sweeps */
};

/*
 * A quantity m of point (x, y, z) is at offset(point) + m * lanes. PEs have slabs of the interior, and two more of
 * their neighbours' or the boundary's on either side.
 */
struct cfd {
    enum cfd_layout layout;
    int n, rows;
    int from, slabs;   /* my interior slabs: coordinates from … from + slabs - 1, of 1 … n - 2 */
    long lanes, slab;  /* words of a quantity in a row, of a slab */
    long step[3];      /* words to the next point in x, y, z */
    double *u;         /* symmetric, as rhs; these point to coordinate 0 of the slabs, mine or not */
    double *rhs, *forcing, *extra;
    uint64_t *signal;  /* symmetric: exchanges that came from below, from above */
    uint64_t exchanges;
};

/* Points of a row without the boundary, lane by lane from `first` on. */
struct cfd_run {
    int first[3], count;
    long at; /* offset of the first */
};

/* ---- cfd_field.c ---- */

/* Sets u to the initial values and forcing so that the exact solution is stationary. Collective. */
void cfd_make(struct cfd *c, int n, enum cfd_layout layout);
/* u to its initial values, rhs to 0. Collective. */
void cfd_begin(struct cfd *c);
/* My outer slabs of u to the neighbours, and theirs here. */
void cfd_exchange(struct cfd *c);
struct cfd_run cfd_run(const struct cfd *c, int slab, int row);
static inline long cfd_offset(const struct cfd *c, int x, int y, int z)
{
    return x * c->step[0] + y * c->step[1] + z * c->step[2];
}
void cfd_exact(int n, int x, int y, int z, double u[5]);
/* Why so many PEs can't share so many points, or NULL. */
const char *cfd_unfit(int n, int npes);

/* ---- cfd_rhs.c ---- */

/* Those of the fourth difference at coordinate i, by distance -2 … 2. */
void cfd_weights(int i, int n, double w[CFD_WEIGHTS]);
/* extra, for my slabs and one on either side. */
void cfd_extras(struct cfd *c);
/* rhs := factor * (forcing + the change of u). Needs extra and two slabs of u on either side. */
void cfd_rhs(struct cfd *c, double factor);
/* All of it: the exchange of u, extra, rhs. Collective. */
void cfd_update(struct cfd *c, double factor);

/* u += factor * rhs */
void cfd_add(const struct cfd *c, double factor);

/* ---- cfd_norm.c ---- */

/* A class: its size, and the norms that its end must have. */
struct cfd_facts {
    int n, iterations;
    double dt;
    double rhs[5], error[5];
};

/* Over all PEs: the root of the sum of squares divided by the number of interior points. */
void cfd_rhs_norm(const struct cfd *c, double norm[5]);
void cfd_error_norm(const struct cfd *c, double norm[5]);
/* Both norms within 1e-8; what differs goes to stderr. Collective. */
bool cfd_right(const struct cfd *c, const struct cfd_facts *f);

/* ---- cfd_program.c ---- */

struct cfd_program {
    const char *name, *purpose; /* as in struct npb_kernel */
    const struct cfd_facts *classes;
    double operations[4];       /* of an iteration: factors of n^3, n^2, n and 1 */
    struct cfd *field;          /* what setup makes */
    void (*setup)(const struct cfd_facts *facts);
    void (*run)(void);
    /* What else must be right at the end beside the norms; NULL: nothing. Collective. */
    bool (*also_right)(enum npb_class c);
};

/* Returns the exit status. */
int cfd_main(int argc, char **argv, const struct cfd_program *p);

#endif
