/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The face of the benchmarks' common library, in reading order. Nothing here knows SHMEM, so the
 * programs that measure the bare machine use it too; what needs SHMEM is in job.h.
 */
#ifndef BENCH_H
#define BENCH_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* ---- clock.c ---- */

/* Nanoseconds of the monotonic clock, common to all processes of one machine. */
static inline int64_t bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Median time of one bench_now(), ns; measured once. */
double bench_timer_cost(void);

/* Tells machines apart: equal for processes whose bench_now() is the same clock. */
uint64_t bench_machine(void);
/* Tells processes apart, also those of several machines; a whole number below 2^53, so that a double can hold it. */
uint64_t bench_process(void);

/* Percentage of `ns` nanoseconds that this CPU lost in interruptions longer than 1 us. */
double bench_detour_percent(int64_t ns);

/* ---- series.c: samples and what is said of them ---- */

#define BENCH_MAX_SAMPLES 4096
#define BENCH_KEPT_SAMPLES 1024 /* in a record: all thousand sequences of SYNCH1 */
#define BENCH_LEAST_SAMPLES 6   /* of fewer not even the whole range holds the median with 95 % */

struct bench_series {
    size_t n;
    bool rates; /* each value is work over time, not time over work */
    double v[BENCH_MAX_SAMPLES]; /* in the order of measuring */
};

struct bench_stats {
    size_t n;
    double min, p25, median, p75, p95, max;
    double mean;            /* of the times, also for rates: what the whole run took, disturbances included */
    double ci_low, ci_high; /* 95 % confidence interval of the median, by order statistics */
};

void bench_series_clear(struct bench_series *s);
/* Silently full at BENCH_MAX_SAMPLES. */
void bench_series_add(struct bench_series *s, double value);
void bench_series_append(struct bench_series *to, const struct bench_series *from);
/* v := v * factor, and v := factor / v (a time becomes a rate). */
void bench_series_scale(struct bench_series *to, const struct bench_series *from, double factor);
void bench_series_invert(struct bench_series *to, const struct bench_series *from, double factor);
/* All NAN for an empty series. */
struct bench_stats bench_stats(const struct bench_series *s);

/* ---- sampler.c: how many repetitions, how many samples ---- */

enum bench_stop { BENCH_STOP_BUDGET, BENCH_STOP_CI, BENCH_STOP_FULL };

/* Warm-up, then a batch large enough for the clock, then samples until the median is known. */
struct bench_sampler {
    double batch_ns;  /* a batch shall last at least this */
    double budget_ns; /* of the whole case */
    size_t min_samples;
    struct bench_series *out; /* ns per repetition */
    int warm, tries, restarts;
    bool sampling;
    long reps;
    double fastest; /* ns per repetition, of all so far */
    int64_t started, sampling_since;
    enum bench_stop stop;
};

void bench_sampler_begin(struct bench_sampler *s, struct bench_series *out, double budget_ns);
/* Repetitions to run and time next; 0 when done. */
long bench_sampler_next(struct bench_sampler *s);
/* What they took, ns. */
void bench_sampler_give(struct bench_sampler *s, double elapsed_ns);
const char *bench_stop_name(enum bench_stop stop);
/* Whether the median is known within 2 %. */
bool bench_precise(const struct bench_series *s);

typedef void bench_body(void *arg, long reps);
/* The whole loop for a body that one process runs alone; `prepare` (or NULL) comes before each batch, untimed. */
enum bench_stop bench_measure(bench_body *body, void (*prepare)(void *arg), void *arg, double budget_ns,
                              struct bench_series *out);

/* ---- options.c ---- */

enum bench_kind { BENCH_FLAG, BENCH_LONG, BENCH_DOUBLE, BENCH_TEXT };

struct bench_option {
    const char *name; /* without the dashes */
    enum bench_kind kind;
    void *value; /* bool *, long *, double *, const char ** */
    const char *help;
};

struct bench_options {
    const char *target; /* heap, global, both */
    bool quick, progress, burner, as_tasks, help;
    double max_seconds;
    const char *out, *implementation, *network;
    const char *cache; /* hot, rotate, flush, written, all; NULL: as the program thinks fit */
};
extern struct bench_options bench_options;

/*
 * Reads the common options and the program's own (a table ended by a NULL name, or NULL).
 * Returns 0, or -1 with a message in `why`.
 */
int bench_options_parse(int argc, char **argv, const struct bench_option *own, char *why, size_t size);
void bench_options_help(FILE *f, const char *program, const char *purpose, const struct bench_option *own);

/* ---- region.c: a timed run as a region of a trace, where the library records any ---- */

void bench_region_begin(const char *format, ...) __attribute__((format(printf, 1, 2)));
void bench_region_end(void);

/* ---- plan.c: the time budget over the cases, and the progress lines ---- */

void bench_plan_begin(int cases, double seconds);
/* Announces the next case and returns its share of the time left, ns. */
double bench_plan_next(const char *format, ...) __attribute__((format(printf, 1, 2)));
void bench_plan_end(void);

/* Each case from here on gets this many samples even when its share is used up, until the program took three times its
 * time. */
void bench_plan_insist(size_t samples);
/* How many that are now. */
size_t bench_plan_insists(void);

/*
 * The size after `bytes`, 0 after `most`: twice as large, or with --quick eight times and at last `most` itself.
 * Programs that begin at powers of eight and end at the same size so have figures beside each other's in short runs,
 * too.
 */
size_t bench_next_size(size_t bytes, size_t most);

/* ---- json.c ---- */

struct bench_json {
    FILE *f;
    bool comma;
};

/* A NULL key: an element of an array, or the outermost object. */
void bench_json_open(struct bench_json *j, const char *key, char bracket);
void bench_json_close(struct bench_json *j, char bracket);
void bench_json_text(struct bench_json *j, const char *key, const char *value);
/* Not a finite number: null. */
void bench_json_number(struct bench_json *j, const char *key, double value);
/* The same with the digits of a sample: a batch is timed to 1 in 10000 at best. */
void bench_json_short(struct bench_json *j, const char *key, double value);
/* The same with all digits. */
void bench_json_exact(struct bench_json *j, const char *key, double value);
void bench_json_integer(struct bench_json *j, const char *key, long long value);
void bench_json_bool(struct bench_json *j, const char *key, bool value);

/* ---- record.c: the output ---- */

#define BENCH_MAX_PARAMS 16

struct bench_param {
    const char *key;
    char kind; /* i integer, s text, b bool */
    long integer;
    const char *text;
};

struct bench_params {
    int n;
    struct bench_param p[BENCH_MAX_PARAMS];
};

/* The texts must live until the record is written. */
void bench_param_integer(struct bench_params *p, const char *key, long value);
void bench_param_text(struct bench_params *p, const char *key, const char *value);
void bench_param_bool(struct bench_params *p, const char *key, bool value);

struct bench_record {
    const char *test, *metric, *unit;
    const struct bench_params *params;
    const struct bench_series *series;
    bool has_value; /* else the value is the median */
    bool exact;     /* all digits of the value: it is no measurement */
    double value;
    bool verified;
    const char *stop;
    bool has_pair;
    int pair[2];
};

/* Opens the output (stdout for a NULL path). Returns 0, or -1 with errno. A process that never opened it writes
 * nothing. */
int bench_report_open(const char *path, const char *library, const char *implementation);
FILE *bench_report_file(void);
/* From here on each record says that the PEs are tasks, and of how many processes (0: not known). */
void bench_report_tasks(int processes);
void bench_report_write(const struct bench_record *r);
/* A figure computed from others: itself the only sample. */
void bench_report_value(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                        double value, bool right);
/* Returns 0, or -1 when not everything could be written. */
int bench_report_close(void);

/* ---- place.c: where a process runs, and what others took from it ---- */

struct bench_place { /* plain bytes, for PEs to send */
    uint64_t process; /* bench_process() */
    int cpu;          /* it runs on */
    char allowed[60]; /* CPUs it may use, as in 0-3,8 */
    double detour;    /* bench_detour_percent at the start; NAN where PEs share CPUs */
};
struct bench_toll { /* between start and end, % of the time */
    double seconds;
    double waited; /* of its first thread, for a CPU that others had; NAN where the kernel doesn't count it */
    double stolen; /* by the hypervisor, of an average CPU that it may use */
    double detour; /* as above, at the end */
    long involuntary, voluntary; /* switches */
};
/* At the start, on all PEs at the same time; `crowded`: they are more than the CPUs. */
void bench_place_look(struct bench_place *p, bool crowded);
/* At the end, likewise. */
void bench_toll_look(struct bench_toll *t, bool crowded);
/* How many processes `npes` PEs are of. */
int bench_processes(const struct bench_place *places, int npes);
/* The numbers below n whose element is true, as the kernel writes lists of CPUs. */
void bench_cpu_list(const bool *has, int n, char *text, size_t size);

/* ---- env.c ---- */

struct bench_env {
    const char *library, *implementation; /* as in the records */
    const char *name, *standard;          /* what the library says of itself, or NULL */
    int npes, machines;
    const char *network; /* what lies between the PEs, or NULL */
    const struct bench_place *places; /* of each PE, npes of them; NULL: of this process alone, which looks itself */
};
extern const char bench_flags[]; /* what the program was compiled with */
void bench_env_write(const struct bench_env *e);
/* `tolls` of as many PEs as there were places; NULL: of this process alone. */
void bench_env_write_end(const struct bench_toll *tolls);
/* More PEs than CPUs. */
bool bench_crowded(int npes, int machines);
int bench_cores(void);        /* CPUs this process may use */
int bench_cores_of_job(void); /* and all processes of the job, as far as can be seen */

/* ---- distance.c ---- */

/* What two CPUs share, nearest first: "same CPU", "same core", "same L2", "same L3", "same socket"; else "other
 * socket". */
const char *bench_distance(int cpu, int other);

/* ---- pattern.c: data that says where it came from ---- */

void bench_pattern_fill(void *to, size_t bytes, uint64_t seed);
/* True when all bytes are as filled with this seed. */
bool bench_pattern_check(const void *at, size_t bytes, uint64_t seed);
uint64_t bench_pattern_seed(int pe, size_t bytes, int round);
/* Keeps the compiler from removing the computation of `value`. */
static inline void bench_use(long value)
{
    __asm__ volatile("" : : "r"(value) : "memory");
}

/* ---- cache.c: in which state a test finds its buffers ---- */

enum bench_cache {
    BENCH_HOT, /* the same buffers again and again */
    BENCH_ROTATING, /* so many in turn that what was used last is not in the caches any more */
    BENCH_FLUSHED, /* the same, thrown out of the caches before each sample, which is one repetition */
    BENCH_WRITTEN, /* the same, written by their sender before each transfer and read by its receiver after it, both
                      timed */
    BENCH_CACHES,
};
#define BENCH_ALL_CACHES ((1 << BENCH_CACHES) - 1)
#define BENCH_UNTOUCHED (BENCH_ALL_CACHES & ~(1 << BENCH_WRITTEN)) /* those in which the program touches no message */
const char *bench_cache_name(enum bench_cache cache); /* for the records: hot, rotating, flushed, written */
/* Sets have the bit 1 << cache. That of an option's value; 0: it has none. */
int bench_cache_set(const char *text);
/* What --cache says; without it `quick` in a quick run and `full` in others. Of that what is possible, or else hot. */
int bench_caches(int quick, int full, int possible);
int bench_caches_count(int set);

size_t bench_last_cache(
    void); /* bytes of the largest cache that a core can use; sysconf adds up those of all cores on AMD's servers */
size_t bench_free_memory(void);
/*
 * Bytes that each of the two places that a message goes between rotates over: together twice the largest cache, but
 * those of all processes, two in each, at most a quarter of the memory that is free. Processes may see different
 * numbers: one decides.
 */
size_t bench_rotation(int processes);

/*
 * Hands out places in a buffer, as offsets: always 0, or, rotating, the next of those that lie side by side in whole
 * cache lines. Processes that begin alike and take equally many have the same ones, which one-sided transfers need.
 */
struct bench_buffers {
    size_t step, span, at, resume;
    bool two; /* not rotating: its position is nowhere to go on from */
};
/*
 * For messages of so many bytes, in a buffer of bench_buffers_bytes(room, largest). The position is where the case
 * before ended (bench_buffers_position, of one process for all): what it left in the caches isn't met again before all
 * else was.
 */
void bench_buffers_begin(struct bench_buffers *b, enum bench_cache cache, size_t bytes, size_t room, long position);
/*
 * Two places in turns, in a buffer of bench_buffers_bytes(0, largest) twice: where one-sided messages land whose
 * receiver reads them. The next one's sender may be ahead by one, but not by two, as it waits for a message of whoever
 * reads.
 */
void bench_buffers_two(struct bench_buffers *b, size_t bytes, long position);
long bench_buffers_position(const struct bench_buffers *b);
size_t bench_buffers_bytes(size_t room, size_t largest);
/*
 * How many places there are. A program goes once through all of them with its largest messages before it measures:
 * memory that another process maps costs that one a page fault at its first touch, which no cache is to blame for.
 */
long bench_buffers_lap(const struct bench_buffers *b);
static inline size_t bench_buffers_next(struct bench_buffers *b)
{
    const size_t at = b->at;

    b->at += b->step;
    if (b->at >= b->span) {
        __asm__ volatile(
            ""); /* keeps this a branch: a conditional move would lengthen the loop around a one-word put */
        b->at = 0;
    }
    return at;
}
/* `cache`; of rotating buffers also `rotates_over_bytes`: of all places of a process; of written ones what their time
 * is of. */
void bench_param_cache(struct bench_params *p, enum bench_cache cache, size_t rotates_over);

/*
 * The places that the case's samples begin without (none: the caches are left alone). All ways of measuring several
 * processes together flush them before each batch, untimed; a batch then is one repetition.
 */
void bench_cold_add(const void *at, size_t bytes);
void bench_cold_clear(void);
bool bench_cold(void);
void bench_cold_flush(void);

/* Throws so many bytes out of all caches; false: no memory for what that takes here. */
bool bench_flush(const void *at, size_t bytes);

/* ---- fresh.c: messages written anew before each transfer and read after it, BENCH_WRITTEN ---- */

/*
 * What `from` writes in its round `round`, and what its receiver then reads. The sum of all that was read is compared
 * with what had been written: bench_fresh_right, once after a case, says whether it always was the same.
 */
void bench_fresh_write(void *at, size_t bytes, int from, long round);
void bench_fresh_read(const void *at, size_t bytes, int from, long round);
bool bench_fresh_right(void);

/* The parts of these: words of 8 bytes, the first of this value and each one more than the one before; their sum; and
 * for what was reduced, words that are `step` apart. */
uint64_t bench_fresh_value(int from, long round);
void bench_fresh_fill(void *at, size_t bytes, uint64_t first);
uint64_t bench_fresh_sum(const void *at, size_t bytes);
void bench_fresh_expect(const void *at, size_t bytes, uint64_t first, uint64_t step);
/* The same of what was added up elsewhere. */
void bench_fresh_compare(uint64_t sum, size_t bytes, uint64_t first, uint64_t step);

/* Sizes in this mode where a test has no others: the limits are measured at these, too. */
#define BENCH_FRESH_SMALLEST 4096ul
#define BENCH_FRESH_LARGEST (16ul << 20)
size_t bench_next_fresh(size_t bytes); /* 0 after the last */
int bench_fresh_sizes(void);

/* ---- burner.c ---- */

#define BENCH_BURNERS 16

/* Starts so many processes that burn a core each, in a session of their own; they die with their parent. 0, or -1 with
 * errno. */
int bench_burners_start(int n);
/* Of those, so many burn from here on and the others sleep. */
void bench_burners_run(int n);
int bench_burner_start(void); /* one */
int bench_burners(void); /* that were started, burning or not */
void bench_burner_stop(void); /* all */

#endif
