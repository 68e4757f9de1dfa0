/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * em3d: electromagnetic waves on an irregular graph. E nodes and H nodes in turn get new values from their neighbours
 * of the other kind; some neighbours are on the next or the previous process. Values of those are brought to places
 * behind the own ones ("ghosts"), ordered by process, so that the local step knows one array only.
 */
#ifndef BENCH_APP_EM3D_H
#define BENCH_APP_EM3D_H

#include "app.h"

enum em3d_kind { EM3D_E, EM3D_H, EM3D_KINDS };

/* What moves from one process to another before a step: values of `from` there become ghosts here. */
struct em3d_link {
    int pe;    /* the other process */
    int n;     /* values */
    int first; /* the first one's place among the receiver's ghosts */
    int *node; /* their numbers on the sender, ascending */
};

struct em3d_side {
    double *value;       /* nodes, then room for ghosts; of the language */
    int *from;           /* degree neighbours of each node: places in the other kind's value */
    double *weight;      /* of each */
    int links;           /* processes that this kind's ghosts come from, */
    struct em3d_link in[2];
    struct em3d_link out[2]; /* and that the own values go to: as many */
};

struct em3d {
    int nodes, degree, steps; /* nodes of each kind on each process */
    struct em3d_side side[EM3D_KINDS];
};
extern struct em3d em3d;
extern const struct bench_option em3d_options[];
extern const struct app_problem em3d_problem;

/* Reads the options, makes this process's part of the graph; `ghosts` becomes the most that any kind may need on any
 * process. Returns what is wrong, or NULL. */
const char *em3d_setup(size_t *ghosts);

#endif
