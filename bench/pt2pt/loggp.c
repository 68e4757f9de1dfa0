/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parameters of the LogGP model between the first two processes, as mpi/mpi_loggp.c has them: o_s, what a send
 * takes; o_r, what the receive of a message takes that has surely come; L, what is left of a message's way; g, the time
 * between messages of a stream; G, the time of each further byte of a long message. A value for each short size.
 */
#include "../common/fit.h"
#include "pair.h"

#define BURST 16 /* sends or receives that are timed together */
#define SHORT_MAX 512
#define WARM_UP 3
#define LEAST 10
#define LARGEST (4l << 20)

static const char test[] = "LogGP";
enum part { SEND, RECEIVE };
static struct bench_series parts[2], samples;

/* The second receives when it has been told that all is on its way, and tells in ns what that took. */
static void burst(const struct pair *p, double took[2])
{
    int64_t t0 = bench_now();

    if (face.me == p->first) {
        for (int i = 0; i < BURST; i++)
            face_send(p->way, p->second, p->bytes);
        took[SEND] = (double)(bench_now() - t0) / BURST;
        face_tell(p->second, 0);
        took[RECEIVE] = (double)face_told(p->second) / BURST;
        return;
    }
    face_told_aside(p->first);
    t0 = bench_now();
    for (int i = 0; i < BURST; i++)
        face_receive(p->way, p->first, p->bytes);
    face_tell(p->first, (long)(bench_now() - t0));
}

static void overheads(const struct pair *p, double budget_ns)
{
    const int64_t end = bench_now() + (int64_t)budget_ns;
    const bool first = face.me == p->first;
    bool go = true;

    bench_series_clear(&parts[SEND]);
    bench_series_clear(&parts[RECEIVE]);
    for (long n = 0; go; n++) {
        double took[2] = {0, 0};

        burst(p, took);
        if (first && n >= WARM_UP) {
            bench_series_add(&parts[SEND], took[SEND] * 1e-3);
            bench_series_add(&parts[RECEIVE], took[RECEIVE] * 1e-3);
        }
        go = n < WARM_UP + LEAST || (bench_now() < end && n < BENCH_MAX_SAMPLES);
        if (first) {
            face_tell(p->second, go);
            face_told(p->second);
        } else {
            go = face_told(p->first);
            face_tell(p->first, 0);
        }
    }
}

static void emit(const struct bench_params *p, const char *metric, const struct bench_series *s, bool right,
                 enum bench_stop stop)
{
    bench_report_write(&(struct bench_record){.test = test,
                                              .metric = metric,
                                              .unit = "us",
                                              .params = p,
                                              .series = s,
                                              .verified = right,
                                              .stop = bench_stop_name(stop)});
}

static void one_size(struct pair *p)
{
    const double budget = face_case("%s %ld bytes", p->way->call, p->bytes) / 3;
    struct bench_params q = face_params(p->way);
    enum bench_stop way = BENCH_STOP_BUDGET, gap = BENCH_STOP_BUDGET;
    bool right = true;
    double latency = 0;

    if (pair_has_me(p)) {
        right = pair_right(p);
        overheads(p, budget);
        p->body = pair_echo;
        way = pair_measure(p, budget, &samples);
        if (face.me == p->first)
            latency = bench_stats(&samples).median * 0.5e-3;
        p->body = pair_stream;
        gap = pair_measure(p, budget, &samples);
    }
    right = face_right(right);
    if (face.me != p->first)
        return;
    bench_param_integer(&q, "message_bytes", p->bytes);
    emit(&q, "o_s", &parts[SEND], right, way);
    emit(&q, "o_r", &parts[RECEIVE], right, way);
    bench_series_scale(&samples, &samples, 1e-3);
    emit(&q, "g", &samples, right, gap);
    bench_report_value(test, &q, "L", "us",
                       latency - bench_stats(&parts[SEND]).median - bench_stats(&parts[RECEIVE]).median, right);
}

/* From the line through long messages' times. */
static void per_byte(struct pair *p)
{
    const struct bench_params q = face_params(p->way);
    struct bench_point points[16];
    struct bench_line line;
    size_t n = 0;
    bool right = true;

    p->body = pair_echo;
    for (size_t bytes = 65536; bytes; bytes = bench_next_size(bytes, LARGEST)) {
        const double budget = face_case("%s G, %zu bytes", p->way->call, bytes);

        p->bytes = (long)bytes;
        right = face_right(!pair_has_me(p) || pair_right(p)) && right;
        if (pair_has_me(p))
            pair_measure(p, budget, &samples);
        points[n++] =
            (struct bench_point){(double)bytes, face.me == p->first ? bench_stats(&samples).median * 0.5e-3 : 0};
    }
    if (face.me != p->first)
        return;
    line = bench_fit(points, n, BENCH_RELATIVE);
    if (isfinite(line.r_inf))
        bench_report_value(test, &q, "G", "ns/byte", 1e3 / line.r_inf, right);
}

static int cases(void)
{
    int of_way = 0, ways = 0;

    for (size_t bytes = 65536; bytes; bytes = bench_next_size(bytes, LARGEST))
        of_way++;
    for (int bytes = 8; bytes <= SHORT_MAX; bytes *= 8)
        of_way++;
    for (const struct face_way *way = pair_ways(NULL); way; way = pair_ways(way))
        ways++;
    return of_way * ways;
}

int main(int argc, char **argv)
{
    static const struct face_program program = {"loggp", "overheads, latency and gaps of the LogGP model", 2, 15, 2, 0,
                                                0};

    face_start(argc, argv, &program, LARGEST);
    bench_plan_begin(cases(), bench_options.max_seconds);
    for (const struct face_way *way = pair_ways(NULL); way; way = pair_ways(way)) {
        struct pair p = {.first = 0, .second = 1, .way = way};

        for (p.bytes = 8; p.bytes <= SHORT_MAX; p.bytes *= 8)
            one_size(&p);
        per_byte(&p);
    }
    return face_finish();
}
