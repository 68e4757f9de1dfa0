/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo between the first process and another while all remaining ones send to each other, all to all, again and
 * again, as on the T3E-900 and the Origin 2000: how far the load slows the pair. Over MPI it is mpi/mpi_load.c.
 */
#define _GNU_SOURCE 1
#include <sched.h>

#include "pair.h"

#define LARGEST (2l << 20)
#define SATURATED 0.8 /* of the rate under the load before: the load has no more effect */

static const char test[] = "echo under network load";
static const struct load {
    const char *name;
    long bytes; /* from each of the other processes to each */
} loads[] = {{"none", 0}, {"0.01 MB alltoall", 10000}, {"0.1 MB alltoall", 100000}, {"1 MB alltoall", 1 << 20}};
#define LOADS (int)(sizeof loads / sizeof *loads)

static const long sizes[] = {1024, 65536, LARGEST};
#define SIZES (int)(sizeof sizes / sizeof *sizes)

static struct bench_series samples, rates;
static const char *distance;
static bool all_right;

/* The processes beside a pair, by number; the first of them leads. */
static int other(const struct pair *p, int i)
{
    i += i >= p->first;
    return i + (i >= p->second);
}

static void all_to_all(const struct pair *p, long bytes)
{
    const int n = face.n - 2;
    int mine = 0;

    while (other(p, mine) != face.me)
        mine++;
    for (int d = 1; d < n; d++)
        face_send(p->way, other(p, (mine + d) % n), bytes);
    for (int d = 1; d < n; d++)
        face_receive(p->way, other(p, (mine + n - d) % n), bytes);
}

/* Until the pair has told the leader that it is done; after each round the leader tells the others. */
static void make_load(const struct pair *p, const struct load *l)
{
    const int leader = other(p, 0);

    for (bool done = false; !done;) {
        if (l->bytes > 0)
            all_to_all(p, l->bytes);
        if (face.me != leader) {
            done = face_told(leader);
            continue;
        }
        if (l->bytes == 0)
            sched_yield();
        done = face_heard(p->first);
        for (int i = 1; (done || l->bytes > 0) && i < face.n - 2; i++)
            face_tell(other(p, i), done);
    }
    if (face.me == leader)
        face_told(p->first);
}

static struct bench_params parameters(const struct pair *p, const struct load *l)
{
    struct bench_params q = face_params(p->way);

    bench_param_text(&q, "distance", distance);
    bench_param_bool(&q, "oversubscribed", face.n > bench_cores_of_job());
    if (l)
        bench_param_text(&q, "load", l->name);
    return q;
}

/* The factor: 0 where it makes no sense. */
static void emit(const struct pair *p, const struct load *l, double factor, bool right, enum bench_stop stop)
{
    struct bench_params q = parameters(p, l);
    struct bench_record r = {.test = test,
                             .metric = "latency",
                             .unit = "us",
                             .params = &q,
                             .series = &samples,
                             .verified = right,
                             .stop = bench_stop_name(stop),
                             .has_pair = true,
                             .pair = {p->first, p->second}};

    bench_param_integer(&q, "message_bytes", p->bytes);
    bench_report_write(&r);
    r.metric = "bandwidth";
    r.unit = "MB/s";
    r.series = &rates;
    bench_report_write(&r);
    if (factor > 0)
        bench_report_value(test, &q, "bandwidth_reduction_factor", "x", factor, right);
}

/* The rate on the first process, MB/s. */
static double one_load(struct pair *p, const struct load *l, double without)
{
    const double budget = face_case("%s, %s, %ld bytes", p->way->call, l->name, p->bytes);
    enum bench_stop stop = BENCH_STOP_BUDGET;
    bool right = true;
    double rate;

    face_barrier();
    if (!pair_has_me(p)) {
        make_load(p, l);
    } else {
        right = pair_right(p);
        stop = pair_measure(p, budget, &samples);
        if (face.me == p->first)
            face_tell(other(p, 0), 1);
    }
    right = face_right(right);
    all_right = all_right && right;
    if (face.me != p->first)
        return 0;
    bench_series_scale(&samples, &samples, 0.5e-3);
    bench_series_invert(&rates, &samples, (double)p->bytes);
    rate = bench_stats(&rates).median;
    emit(p, l, without > 0 ? without / rate : 0, right, stop);
    return rate;
}

/* The largest message is what the studies tell of. */
static void summary(const struct pair *p, const double *rate)
{
    const struct bench_params q = parameters(p, NULL);
    int saturated = LOADS - 1;

    while (saturated > 1 && rate[saturated] > SATURATED * rate[saturated - 1])
        saturated--;
    bench_report_value(test, &q, "bandwidth_asymptotic", "MB/s", rate[LOADS - 1], all_right);
    bench_report_value(test, &q, "alltoall_load_at_saturation", "bytes", (double)loads[saturated].bytes, all_right);
}

static void find_distance(int second)
{
    if (face.me == second)
        face_tell(0, sched_getcpu());
    if (face.me == 0)
        distance = bench_distance(sched_getcpu(), (int)face_told(second));
}

static void with(int second, const struct face_way *way)
{
    struct pair p = {.first = 0, .second = second, .way = way, .body = pair_echo};

    find_distance(second);
    all_right = true;
    for (int size = 0; size < SIZES; size++) {
        double rate[LOADS];

        p.bytes = sizes[size];
        for (int l = 0; l < LOADS; l++)
            rate[l] = one_load(&p, &loads[l], l > 0 ? rate[0] : 0);
        if (size == SIZES - 1 && second == 1 && face.me == 0)
            summary(&p, rate);
    }
}

int main(int argc, char **argv)
{
    static const struct face_program program = {"load", "echo while the other processes load the network", 4, 40, 3, 0,
                                                0};
    int last, ways = 0;

    face_start(argc, argv, &program, LARGEST);
    last = bench_options.quick ? 1 : face.n - 1;
    for (const struct face_way *way = face_ways; way->call; way++)
        ways += way->brief;
    bench_plan_begin(last * ways * SIZES * LOADS, bench_options.max_seconds);
    for (int second = 1; second <= last; second++)
        for (const struct face_way *way = face_ways; way->call; way++)
            if (way->brief)
                with(second, way);
    return face_finish();
}
