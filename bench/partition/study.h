/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The study of decompositions, the same for every library: what it asks of one, and what it tells it.
 */
#ifndef PARTITION_STUDY_H
#define PARTITION_STUDY_H

#include "../common/bench.h"
#include "field.h"

/* One way of exchanging ghosts. */
struct study_way {
    const char *method; /* derived datatype, packed, ... */
    const char *mode;   /* of sending, as published: buffered, synchronous; or NULL */
    int kind;           /* for the library's own use */
    bool brief;         /* also with --quick */
};

struct study_library {
    int npes;
    bool reports; /* this process writes the records */
    const struct study_way *ways; /* ended by a NULL method */
    /* Two fields of so many cells, the same on all processes, and what else is needed for faces of a cube of n. */
    void (*begin)(int n, size_t cells, struct cell *fields[2]);
    void (*end)(void);
    /* The processes stand so from here on; returns which part is this one's. */
    int (*place)(const int dims[3]);
    void (*prepare)(const struct grid *g, const struct study_way *way);
    /* Fills the ghosts of all neighbours' sides; returns ns spent in calls that initiate sends. */
    double (*exchange)(const struct grid *g, struct cell *field);
    void (*finish)(void); /* of what prepare began */
    /* Collective, as job.h and mpijob.h have them. */
    double (*budget)(const char *label);
    bool (*right)(bool mine);
    enum bench_stop (*measure)(bench_body *body, void *arg, double budget_ns, struct bench_series *out);
    double (*mean)(double mine); /* on the process that reports */
};

/* Options of the programs, and what is wrong with them, NULL for nothing. */
extern const struct bench_option study_options[];
const char *study_complaint(int npes);
void study_run(const struct study_library *lib);

#endif
