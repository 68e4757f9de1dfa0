/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ParkBench's COMMS over SHMEM. COMMS1: PEs 0 and 1 put a message to and fro; COMMS2: both put at once, and wait for the
 * other's; COMMS3: every PE puts to every other. A message is there when the word that follows it is.
 */
#include "common/comms.h"
#include "common/job.h"

#include <string.h>

#define MAX_PES 64
#define ROOM BENCH_COMMS_LARGEST /* for a message */

enum pattern { COMMS1, COMMS2, COMMS3, PATTERNS };
static const char *const tests[] = {"COMMS1", "COMMS2", "COMMS3"};

static struct {
    char *out, *in; /* symmetric; `in` has a place for each sender */
    long *came;     /* symmetric, by sender: number of its last message */
} area;
static long number; /* of the messages; the same on all PEs that play */
static struct bench_series samples, rates;

struct comms {
    enum pattern pattern;
    bool signal;
    long bytes;
};

static char *place_of(int from)
{
    return area.in + (size_t)from * ROOM;
}

static inline __attribute__((always_inline)) void send(const struct comms *c, int to)
{
    char *const place = place_of(bench_job.me);
    long *const word = &area.came[bench_job.me];

#if BENCH_SHMEM(1, 5)
    if (c->signal) {
        shmem_putmem_signal(place, area.out, (size_t)c->bytes, (uint64_t *)word, (uint64_t)number, SHMEM_SIGNAL_SET, to);
        return;
    }
#endif
    if (c->bytes > 0) {
        shmem_putmem(place, area.out, (size_t)c->bytes, to);
        shmem_fence();
    }
    shmem_long_p(word, number, to);
}

static inline void receive(int from)
{
    shmem_long_wait_until(&area.came[from], SHMEM_CMP_GE, number);
}

static void to_and_fro(void *arg, long reps)
{
    for (long i = 0; i < reps; i++) {
        number++;
        if (bench_job.me == 0) {
            send(arg, 1);
            receive(1);
        } else if (bench_job.me == 1) {
            receive(0);
            send(arg, 0);
        }
    }
}

static void both_at_once(void *arg, long reps)
{
    for (long i = 0; i < reps; i++) {
        number++;
        if (bench_job.me < 2) {
            send(arg, 1 - bench_job.me);
            receive(1 - bench_job.me);
        }
    }
}

static void all_to_all(void *arg, long reps)
{
    for (long i = 0; i < reps; i++) {
        number++;
        for (int d = 1; d < bench_job.npes; d++)
            send(arg, (bench_job.me + d) % bench_job.npes);
        for (int d = 1; d < bench_job.npes; d++)
            receive((bench_job.me + d) % bench_job.npes);
    }
}

static bench_body *const bodies[] = {to_and_fro, both_at_once, all_to_all};

/* What each PE sends says whose it is. */
static bool check(struct comms *c)
{
    const size_t bytes = (size_t)c->bytes;
    const int me = bench_job.me;
    bool right = true;

    for (int round = 1; round <= 2; round++) {
        bench_pattern_fill(area.out, bytes, bench_pattern_seed(me, bytes, round));
        shmem_barrier_all();
        bodies[c->pattern](c, 1);
        for (int from = 0; from < bench_job.npes; from++)
            if (from != me && (c->pattern == COMMS3 || (me < 2 && from < 2)))
                right = bench_pattern_check(place_of(from), bytes, bench_pattern_seed(from, bytes, round)) && right;
        shmem_barrier_all();
    }
    return bench_agree_right(right);
}

static double messages(enum pattern pattern)
{
    return pattern == COMMS3 ? bench_job.npes * (bench_job.npes - 1.0) : 2;
}

static struct bench_params parameters(const struct comms *c)
{
    struct bench_params p = bench_job_params();

    bench_param_text(&p, "call", c->signal ? "shmem_putmem_signal" : "shmem_putmem, shmem_long_p");
    return p;
}

static double one_way(void *arg, long bytes, bool *right)
{
    struct comms *c = arg;
    const char *const test = tests[c->pattern];
    const double budget = bench_agree_budget(bench_plan_next("%s %ld bytes", test, bytes));
    struct bench_params p = parameters(c);
    enum bench_stop stop;
    bool mine;

    c->bytes = bytes;
    mine = check(c);
    stop = bench_measure_together(bodies[c->pattern], c, budget, c->pattern == COMMS3 ? BENCH_SPAN : BENCH_PE0, &samples, NULL);
    bench_series_scale(&samples, &samples, 1e-3 / messages(c->pattern));
    bench_param_text(&p, "pattern", test);
    bench_param_integer(&p, "message_bytes", bytes);
    bench_emit("message time", &p, "latency", "us", &samples, mine, bench_stop_name(stop));
    if (bytes > 0) {
        bench_series_invert(&rates, &samples, (double)bytes);
        bench_emit("message time", &p, "bandwidth", "MB/s", &rates, mine, bench_stop_name(stop));
    }
    *right = *right && mine;
    /* In whole picoseconds, as PEs agree on integers. */
    return (double)bench_agree(bench_job.me == 0 ? (long)(bench_stats(&samples).median * 1e6) : 0) * 1e-6;
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"comms", "time of a message by its size: COMMS1, COMMS2, COMMS3", NULL, 2, 30, 6};
    const int forms = BENCH_SHMEM(1, 5) ? 2 : 1;

    bench_job_start(argc, argv, &program);
    if (bench_job.npes > MAX_PES)
        bench_job_fatal("comms: at most %d PEs", MAX_PES);
    area.out = shmem_malloc(ROOM);
    area.in = shmem_malloc((size_t)bench_job.npes * ROOM);
    area.came = shmem_calloc((size_t)bench_job.npes, sizeof *area.came);
    if (!area.out || !area.in || !area.came)
        bench_job_fatal("comms: the symmetric heap has no room for %d messages of %ld bytes", bench_job.npes + 1, ROOM);
    memset(area.in, 0, (size_t)bench_job.npes * ROOM);
    shmem_barrier_all();
    bench_plan_begin(PATTERNS * forms * bench_comms_cases(), bench_options.max_seconds);
    for (int pattern = 0; pattern < PATTERNS; pattern++)
        for (int form = 0; form < forms; form++) {
            struct comms c = {.pattern = (enum pattern)pattern, .signal = form == 1};
            const struct bench_params p = parameters(&c);

            bench_comms(&(struct bench_comms){tests[pattern], &p, one_way, &c});
        }
    return bench_job_finish();
}
