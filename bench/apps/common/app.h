/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The face between an application and what runs it: cases with their own phase clock, and the few collective calls that
 * a language gives (face_shmem.c, face_mpi.c). The same cases exist in Split-C, SHMEM and MPI; what they have in
 * common (input, loops over local data, checks) is here in common/ and compiled for each.
 */
#ifndef BENCH_APP_H
#define BENCH_APP_H

#include "../../common/bench.h"

/* ---- phases: every moment of a run belongs to one ---- */

enum app_phase { APP_LOCAL, APP_COMMUNICATION, APP_PHASES };

struct app_clock {
    enum app_phase phase;
    int64_t since, spent[APP_PHASES];
};
extern struct app_clock app_clock;

/* From here on `phase`; a run begins as local. */
static inline void app_phase(enum app_phase phase)
{
    const int64_t now = bench_now();

    app_clock.spent[app_clock.phase] += now - app_clock.since;
    app_clock.since = now;
    app_clock.phase = phase;
}

/* ---- a program: its cases ---- */

struct app_problem {
    const char *test;
    void (*params)(struct bench_params *p); /* beside npes and variant */
    void (*prepare)(void);                  /* fresh input; not timed */
    bool (*check)(void);                    /* was this process's part of the result right? collective, not timed */
    double (*work)(void);                   /* units that all processes do in one run */
    const char *unit;                       /* of work per microsecond: Mflop/s */
};

struct app_case {
    const char *variant; /* or NULL */
    const struct app_problem *problem;
    void (*begin)(void); /* collective, before the first run; may be NULL */
    void (*run)(void);   /* timed; all processes */
};

struct app_program {
    const char *name, *purpose;
    const struct bench_option *own;
    int ncases;
    const struct app_case *cases;
    double seconds, quick_seconds;     /* without --max-seconds */
    const char *(*setup)(void);        /* reads the options, allocates; collective. Returns what is wrong, or NULL */
    void (*further)(double budget_ns); /* collective, after the cases, as if one more; or NULL */
};
extern const struct app_program app_program; /* of the program */

/* ---- app.c ---- */

int app_main(int argc, char **argv);
/* malloc, or the end of the job. */
void *app_alloc(size_t bytes);

/* ---- face_shmem.c, face_mpi.c: collective but for app_fatal ---- */

extern struct app_job {
    int me, npes;
} app_job;

void app_start(int argc, char **argv, const struct app_program *p);
int app_finish(void); /* exit status */
void app_barrier(void);
long app_agree(long value);  /* process 0's, on all */
bool app_right(bool mine);   /* true when all say so, else the exit status will be 1 */
void app_gather(const void *mine, size_t bytes, void *all); /* in process order, to process 0; at most 64 bytes */
void app_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* ---- numbers that every process can compute for any other ---- */

/* A well mixed function of a 64-bit number (the finaliser of splitmix64). */
static inline uint64_t app_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* In [-1, 1). */
static inline double app_real(uint64_t x)
{
    return (double)(int64_t)app_mix(x) * 0x1p-63;
}

#endif
