/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What two processes measure while the others do something else: the echo of the T3E-900 study, in which one sends and
 * awaits the answer and the other receives and then sends, and streams of messages one way.
 */
#ifndef BENCH_PAIR_H
#define BENCH_PAIR_H

#include "face.h"

struct pair {
    int first, second; /* the first measures */
    const struct face_way *way;
    long bytes;
    enum bench_cache cache; /* for the records: face_cache made it so */
    bench_body *body; /* called with the pair */
    long round;       /* echoes so far, the same on both */
};

/* The way after this one (NULL: the first), NULL at the end: all of the interface's, with --quick only some. */
const struct face_way *pair_ways(const struct face_way *way);

bool pair_has_me(const struct pair *p);
int pair_other(const struct pair *p); /* of the two */

/* Bodies. A stream's messages are answered by one number. */
void pair_echo(void *pair, long reps);
void pair_stream(void *pair, long reps);

/* By the two only: ns for a repetition, on the first. */
enum bench_stop pair_measure(struct pair *p, double budget_ns, struct bench_series *out);
/* By the two only: whether echoes bring what was sent. */
bool pair_right(const struct pair *p);
/* By all: a series that one process has, and why it ended, to the first process. */
void pair_collect(struct bench_series *s, enum bench_stop *stop, int from);

#endif
