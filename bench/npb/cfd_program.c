/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The frame of LU, SP and BT: a program names its facts and what it does with the field, and the rest of a NAS kernel
 * follows, since the three begin and are verified alike.
 */
#include "cfd.h"

static const struct cfd_program *program;
static enum npb_class chosen;

static void setup(enum npb_class c)
{
    chosen = c;
    program->setup(&program->classes[c]);
}

static void prepare(void)
{
    cfd_begin(program->field);
}

static bool verify(void)
{
    bool right;

    cfd_update(program->field, 1);
    right = cfd_right(program->field, &program->classes[chosen]);
    return (!program->also_right || program->also_right(chosen)) && right;
}

static double operations(enum npb_class c)
{
    const double *const k = program->operations, n = program->classes[c].n;

    return program->classes[c].iterations * (((k[0] * n + k[1]) * n + k[2]) * n + k[3]);
}

static const char *unfit(enum npb_class c, int npes)
{
    return cfd_unfit(program->classes[c].n, npes);
}

int cfd_main(int argc, char **argv, const struct cfd_program *p)
{
    const struct npb_kernel kernel = {
        .name = p->name,
        .purpose = p->purpose,
        .quick = NPB_S,
        .usual = NPB_A,
        .unfit = unfit,
        .setup = setup,
        .prepare = prepare,
        .run = p->run,
        .verify = verify,
        .operations = operations,
    };

    program = p;
    return npb_main(argc, argv, &kernel);
}
