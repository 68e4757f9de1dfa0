/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The face between a test of messages and the interface that carries them: a job, messages of one process to another in
 * the ways that the interface has, and single numbers beside them, by which processes agree. Each test here is written
 * once and linked with face_shmem.c, face_am.c, face_pvm.c or face_mpi.c.
 */
#ifndef BENCH_FACE_H
#define BENCH_FACE_H

#include "../common/bench.h"

/* ---- the job: collective, but for face_fatal ---- */

struct face {
    int me, n;
};
extern struct face face;

struct face_program {
    const char *name, *purpose; /* the name without the interface's */
    int least;                  /* processes */
    double seconds, quick_seconds;
    int quick_caches, caches; /* sets: which it measures unless --cache says; 0: the caches are left alone */
};
/* Which it measures. */
extern int face_caches;

/* Also makes room for messages of so many bytes from each process to each. */
void face_start(int argc, char **argv, const struct face_program *program, size_t bytes);
int face_finish(void); /* exit status */
void face_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void face_barrier(void);
/* The number of the first process, on all. */
long face_agree(long value);
/* The share of time of the next case, ns; the first process announces it. */
double face_case(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* True when all say so; else the exit status will be 1. */
bool face_right(bool mine);
/* As bench_measure, of all; the samples are on the first process. `longest`: of all processes' times, else of its own.
 */
enum bench_stop face_measure(bench_body *body, void *arg, double budget_ns, bool longest, struct bench_series *out);

/* ---- messages: by their two processes ---- */

struct face_way {
    const char *call;
    const char *encoding; /* or NULL */
    int kind;             /* for the interface's own use */
    bool brief;           /* also where a test takes one or two ways only */
};
extern const struct face_way face_ways[]; /* ended by one without a call */
struct bench_params face_params(const struct face_way *way);

/*
 * How messages of so many bytes find their places from here on; at first they are hot. Each process is sent to by all
 * others, or
 * (`one_source`), by one at a time, whose messages may rotate over all the room. Collective.
 */
void face_cache(enum bench_cache cache, long bytes, bool one_source);
long face_lap(void); /* messages until the places begin again */
void face_param_cache(struct bench_params *p, enum bench_cache cache);
/* What programs do to messages of written buffers: all of a new one, before it is sent, and of one that came. Of other
 * caches nothing. `round` is the same at both ends and at no two messages that one process sends another. */
static inline void face_write(long bytes, long round);
static inline void face_receive_and_read(const struct face_way *way, int from, long bytes, long round);
/* Off: messages stay as they are, for a check by their contents, until it is on again or the cache changes. */
void face_fresh(bool on);
extern bool face_is_fresh;

char *face_out(void);     /* where the next message is sent from */
char *face_out_ahead(int messages); /* and where the one after so many others */
char *face_in(int from);  /* where the next one then is */
/* The place that was sent from may change when a number has been told after it. A message follows the one before only
 * when the program knows that it was received, or doesn't care for what it holds. */
void face_send(const struct face_way *way, int to, long bytes);
void face_receive(const struct face_way *way, int from, long bytes);

static inline void face_write(long bytes, long round)
{
    if (face_is_fresh)
        bench_fresh_write(face_out(), (size_t)bytes, face.me, round);
}

static inline void face_receive_and_read(const struct face_way *way, int from, long bytes, long round)
{
    const char *const place = face_is_fresh ? face_in(from) : NULL;

    face_receive(way, from, bytes);
    if (place)
        bench_fresh_read(place, (size_t)bytes, from, round);
}

/* ---- numbers: one at a time from each process to each ---- */

void face_tell(int to, long value);
long face_told(int from);
bool face_heard(int from); /* face_told would return at once */
/* Waits for a number, whatever it is, and leaves messages that come meanwhile where they are, if the interface can. */
void face_told_aside(int from);

#endif
