/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of the benchmarks' common library: statistics against values worked out by hand, the search for N one-half on a
 * machine that follows Hockney's law, JSON escapes, options, patterns, every copy method, places that rotate and cold
 * ones.
 */
#define _GNU_SOURCE 1
#include "../../tests/harness.h"
#include "../common/bench.h"
#include "../common/copies.h"
#include "../common/fit.h"
#include "../common/footprint.h"
#include "../common/nhalf.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool close_to(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static void test_statistics(void)
{
    static struct bench_series s, t;
    struct bench_stats r;

    HOLDS(isnan(bench_stats(&s).median));
    for (int i = 0; i < 21; i++)
        bench_series_add(&s, (double)(i * 8 % 21)); /* 0..20 in another order */
    r = bench_stats(&s);
    HOLDS(r.n == 21 && r.min == 0 && r.max == 20 && r.median == 10);
    HOLDS(r.p25 == 5 && r.p75 == 15 && r.p95 == 19);
    /* binomial(21, 1/2): P(X <= 5) = 0.0133, P(X <= 6) = 0.0392, so the ranks are the 6th and the 16th. */
    HOLDS(r.ci_low == 5 && r.ci_high == 15);
    HOLDS(s.v[1] == 8); /* order kept */
    bench_series_clear(&s);
    for (int i = 0; i < 5; i++)
        bench_series_add(&s, i + 1.0);
    r = bench_stats(&s);
    HOLDS(r.ci_low == 1 && r.ci_high == 5); /* too few for 95 % */
    bench_series_add(&s, 6);
    HOLDS(bench_stats(&s).median == 3.5 && bench_stats(&s).ci_low == 1);
    bench_series_invert(&t, &s, 12);
    HOLDS(t.n == 6 && t.v[0] == 12 && t.v[5] == 2);
    HOLDS(close_to(bench_stats(&s).mean, 3.5) && close_to(bench_stats(&t).mean, 12 / 3.5));
    bench_series_scale(&t, &t, 0.5);
    HOLDS(t.v[0] == 6);
    bench_series_append(&t, &s);
    HOLDS(t.n == 12 && t.v[6] == 1);
    for (int i = 0; i < 2 * BENCH_MAX_SAMPLES; i++)
        bench_series_add(&s, 7);
    HOLDS(s.n == BENCH_MAX_SAMPLES);
}

/* t = (n + n_half) / r_inf, with n_half = 22 words and r_inf = 126 MB/s. */
static double hockney(void *arg, long words)
{
    ++*(int *)arg;
    return 126.0 * (double)words / (double)(words + 22);
}

static void test_nhalf(void)
{
    struct bench_nhalf h;
    int asked = 0;

    bench_rmax(hockney, &asked, 1 << 20, 2, &h);
    HOLDS(asked == bench_rmax_cases(1 << 20, 2) && asked == 21);
    HOLDS(h.r_inf_words == 1 << 20 && h.r_inf > 125.9 && h.r_inf < 126);
    asked = 0;
    bench_nhalf(hockney, &asked, 1 << 20, &h);
    HOLDS(h.words == 22 && close_to(h.rate, 63));
    HOLDS(asked <= bench_nhalf_cases(1 << 20));
}

/* Fastest between two of the sizes that the first search asks about. */
static double peak(void *arg, long words)
{
    (void)arg;
    return words < 16 ? (double)words : words < 32 ? 100.0 : 60.0;
}

static void test_late_peak(void)
{
    struct bench_nhalf h;

    bench_rmax(peak, NULL, 4096, 8, &h);
    HOLDS(h.r_inf == 60 && h.r_inf_words == 64);
    bench_nhalf(peak, NULL, 4096, &h);
    HOLDS(h.r_inf == 100 && h.r_inf_words == 16);
    HOLDS(h.words == 16 && h.rate == 100);
}

static bool spin_ns(int64_t ns)
{
    const int64_t end = bench_now() + ns;

    while (bench_now() < end)
        continue;
    return true;
}

static void spin_body(void *arg, long reps)
{
    for (long i = 0; i < reps; i++)
        spin_ns(*(int64_t *)arg);
}

static void test_sampler(void)
{
    static struct bench_series s;
    int64_t ns = 2000;
    enum bench_stop stop;
    double shortest;

    bench_measure(spin_body, NULL, &ns, 100e6, &s);
    shortest = bench_stats(&s).min;
    HOLDS(s.n >= 5);
    HOLDS(shortest >= 2000 && shortest < 4000);
    ns = 20000000; /* a fifth of the budget: no batches, and few samples */
    stop = bench_measure(spin_body, NULL, &ns, 100e6, &s);
    HOLDS(s.n >= 3 && s.n <= 6);
    HOLDS(bench_stats(&s).min >= 20e6);
    HOLDS(s.n >= BENCH_LEAST_SAMPLES || stop == BENCH_STOP_BUDGET); /* no interval, whatever the samples are */
    HOLDS(bench_timer_cost() > 0 && bench_timer_cost() < 1e5);
}

/* Where there is room for no more samples, these decide: full is only said of those that are not enough. */
static void test_full(void)
{
    static struct bench_series s;
    int64_t ns = 2000;
    enum bench_stop stop;

    bench_plan_begin(1, 100);
    bench_plan_insist(BENCH_MAX_SAMPLES);
    stop = bench_measure(spin_body, NULL, &ns, 1e9, &s);
    bench_plan_begin(0, 0);
    HOLDS(s.n == BENCH_MAX_SAMPLES);
    HOLDS(stop == (bench_stats(&s).ci_high - bench_stats(&s).ci_low <= 0.04 * bench_stats(&s).median
                       ? BENCH_STOP_CI
                       : BENCH_STOP_FULL));
}

static void quick_body(void *arg, long reps)
{
    *(long *)arg += reps;
    spin_ns(3000000);
}

/* A case with no time left still gets the samples insisted on, but not when the program is far too late. */
static void test_insisting(void)
{
    static struct bench_series s;
    long done = 0;

    bench_plan_begin(1, 100);
    bench_measure(quick_body, NULL, &done, 1e6, &s);
    HOLDS(s.n >= 3 && s.n < 15);
    bench_plan_insist(15);
    bench_measure(quick_body, NULL, &done, 1e6, &s);
    HOLDS(s.n >= 15);
    bench_plan_begin(1, 0.001);
    bench_plan_insist(1000);
    bench_measure(quick_body, NULL, &done, 1e6, &s);
    HOLDS(s.n >= 3 && s.n < 15);
}

static void test_sizes(void)
{
    HOLDS(bench_next_size(8, 64) == 16 && bench_next_size(32, 48) == 48 && bench_next_size(64, 64) == 0);
    bench_options.quick = true;
    HOLDS(bench_next_size(8, 4096) == 64 && bench_next_size(512, 1024) == 1024 && bench_next_size(1024, 1024) == 0);
    bench_options.quick = false;
}

static void test_json(void)
{
    char *text = NULL;
    size_t size = 0;
    struct bench_json j = {.f = open_memstream(&text, &size)};

    bench_json_open(&j, NULL, '{');
    bench_json_text(&j, "a\"b", "c\\d\n");
    bench_json_open(&j, "list", '[');
    bench_json_number(&j, NULL, 0.5);
    bench_json_number(&j, NULL, NAN);
    bench_json_close(&j, ']');
    bench_json_integer(&j, "i", -3);
    bench_json_bool(&j, "yes", true);
    bench_json_close(&j, '}');
    fclose(j.f);
    HOLDS(strcmp(text, "{\"a\\\"b\":\"c\\\\d\\u000a\",\"list\":[0.5,null],\"i\":-3,\"yes\":true}") == 0);
    free(text);
}

/* The line of a record of n samples 0.1, 1.1, … */
static void written(size_t n, char line[65536])
{
    static struct bench_series s;
    static const struct bench_params none;
    char path[] = "/tmp/bench_record_XXXXXX";
    const int fd = mkstemp(path);
    FILE *f;

    bench_series_clear(&s);
    for (size_t i = 0; i < n; i++)
        bench_series_add(&s, 0.1 + (double)i);
    HOLDS(fd >= 0 && bench_report_open(path, "none", "this test") == 0);
    bench_report_write(&(struct bench_record){.test = "t", .metric = "m", .unit = "us", .params = &none, .series = &s});
    HOLDS(bench_report_close() == 0);
    f = fopen(path, "r");
    HOLDS(f && fgets(line, 65536, f));
    fclose(f);
    close(fd);
    unlink(path);
}

/* Of which kind the PEs are is in each record from then on. */
static void test_tasks_in_records(void)
{
    static char line[65536];

    written(1, line);
    HOLDS(!strstr(line, "\"pes\""));
    bench_report_tasks(3);
    written(1, line);
    HOLDS(strstr(line, "\"params\":{\"pes\":\"tasks\",\"processes\":3}"));
    bench_report_tasks(0);
    written(1, line);
    HOLDS(strstr(line, "\"params\":{\"pes\":\"tasks\"}"));
}

/* The first PE of each process, and what this one takes. */
static void test_footprint(void)
{
    const double processes[] = {7, 7, 9, 7, 9, 4};
    struct bench_footprint f;
    long first[6];

    bench_footprint_firsts(processes, 6, first);
    HOLDS(first[0] && !first[1] && first[2] && !first[3] && !first[4] && first[5]);
    HOLDS(bench_footprint_look(&f) && f.memory > 50e3 && f.memory < 1e9 && f.page_tables >= 4096);
    HOLDS(bench_process() == bench_process() && bench_process() < 1ull << 53);
}

static size_t commas(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == ',';
    return n;
}

/* Every sample up to the bound; beyond it as many, over all of the time, and how many there were. */
static void test_samples(void)
{
    static char line[65536];

    written(1000, line);
    HOLDS(strstr(line, "\"n\":1000,") && !strstr(line, "samples_of"));
    HOLDS(commas(strstr(line, "\"samples\":[")) == 999 && strstr(line, ",123.1,") && strstr(line, ",999.1]"));
    written(2 * BENCH_KEPT_SAMPLES, line);
    HOLDS(strstr(line, "\"n\":2048,") && strstr(line, "\"samples_of\":2048,"));
    HOLDS(commas(strstr(line, "\"samples\":[")) == BENCH_KEPT_SAMPLES - 1 && strstr(line, "[0.1,2.1,4.1,") &&
          strstr(line, ",2046.1]"));
}

static void test_cpu_list(void)
{
    bool has[200] = {false};
    char text[12];

    bench_cpu_list(has, 200, text, sizeof text);
    HOLDS(strcmp(text, "") == 0);
    has[0] = has[1] = has[2] = has[5] = has[7] = has[8] = true;
    bench_cpu_list(has, 200, text, sizeof text);
    HOLDS(strcmp(text, "0-2,5,7-8") == 0);
    has[150] = has[151] = has[160] = true; /* no room */
    bench_cpu_list(has, 200, text, sizeof text);
    HOLDS(strcmp(text, "0-2,5,7-8+") == 0);
}

/* A process beside this one on its CPU takes half of the time, and both counts see it. */
static void test_toll(void)
{
    struct bench_place place;
    struct bench_toll toll;
    cpu_set_t before, one;

    HOLDS(sched_getaffinity(0, sizeof before, &before) == 0);
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    HOLDS(sched_setaffinity(0, sizeof one, &one) == 0);
    bench_place_look(&place, true);
    HOLDS(place.cpu >= 0 && atoi(place.allowed) == place.cpu && isnan(place.detour));
    if (fork() == 0) {
        spin_ns(600000000);
        _exit(0);
    }
    spin_ns(400000000);
    bench_toll_look(&toll, false);
    HOLDS(isnan(toll.waited) || (toll.waited > 10 && toll.waited <= 100));
    HOLDS(toll.detour > 10 && toll.stolen >= 0 && toll.involuntary > 0);
    wait(NULL);
    HOLDS(sched_setaffinity(0, sizeof before, &before) == 0);
}

static void test_options(void)
{
    long cpu = -1;
    const struct bench_option own[] = {{"cpu", BENCH_LONG, &cpu, "a CPU"}, {NULL, BENCH_FLAG, NULL, NULL}};
    char *good[] = {"x", "--cpu=3", "--target", "heap", "--quick", "--max-seconds", "1.5", NULL};
    char *unknown[] = {"x", "--quik", NULL}, *no_value[] = {"x", "--cpu", NULL};
    char *no_number[] = {"x", "--cpu", "3x", NULL}, *no_target[] = {"x", "--target=stack", NULL};
    char why[128];

    HOLDS(bench_options_parse(7, good, own, why, sizeof why) == 0);
    HOLDS(cpu == 3 && strcmp(bench_options.target, "heap") == 0);
    HOLDS(bench_options.quick && bench_options.max_seconds == 1.5 && !bench_options.progress);
    HOLDS(bench_options_parse(2, unknown, own, why, sizeof why) == -1 && strstr(why, "--quik"));
    HOLDS(bench_options_parse(2, no_value, own, why, sizeof why) == -1 && strstr(why, "--cpu"));
    HOLDS(bench_options_parse(3, no_number, own, why, sizeof why) == -1 && strstr(why, "3x"));
    HOLDS(bench_options_parse(2, no_target, own, why, sizeof why) == -1 && strstr(why, "stack"));
}

static void test_cache_options(void)
{
    char *rotate[] = {"x", "--cache", "rotate", NULL}, *wrong[] = {"x", "--cache=warm", NULL};
    char why[128];

    HOLDS(bench_caches(1, 7, 7) == 7);
    bench_options.quick = true;
    HOLDS(bench_caches(1, 7, 7) == 1);
    bench_options.quick = false;
    HOLDS(bench_options_parse(3, rotate, NULL, why, sizeof why) == 0);
    HOLDS(bench_caches(1, 7, 7) == 1 << BENCH_ROTATING && bench_caches(1, 5, 5) == 1 << BENCH_HOT);
    HOLDS(bench_options_parse(2, wrong, NULL, why, sizeof why) == -1 && strstr(why, "warm"));
    bench_options.cache = NULL;
    HOLDS(bench_cache_set("all") == BENCH_ALL_CACHES && bench_cache_set("flush") == 1 << BENCH_FLUSHED);
    HOLDS(bench_caches_count(BENCH_ALL_CACHES) == 4 && bench_caches_count(1 << BENCH_FLUSHED) == 1);
    HOLDS(bench_cache_set("written") == 1 << BENCH_WRITTEN && strcmp(bench_cache_name(BENCH_WRITTEN), "written") == 0);
    HOLDS(bench_caches_count(BENCH_UNTOUCHED) == 3 && !(BENCH_UNTOUCHED & 1 << BENCH_WRITTEN));
    HOLDS(strcmp(bench_cache_name(BENCH_ROTATING), "rotating") == 0);
}

/* Hot: one place. Rotating: each place once, in whole lines, until all the room was used; and on from there. */
static void test_buffers(void)
{
    const size_t room = 1000, largest = 100;
    struct bench_buffers b;
    size_t end = 0;

    bench_buffers_begin(&b, BENCH_HOT, 100, room, 256);
    for (int i = 0; i < 3; i++)
        HOLDS(bench_buffers_next(&b) == 0);
    HOLDS(bench_buffers_position(&b) == 256); /* kept for the next that rotates */
    bench_buffers_begin(&b, BENCH_ROTATING, 100, room, 0);
    do {
        HOLDS(bench_buffers_next(&b) == end);
        end += 128;
    } while (bench_buffers_position(&b) != 0);
    HOLDS(bench_buffers_lap(&b) == (long)(end / 128));
    HOLDS(end >= room && end <= bench_buffers_bytes(room, largest));
    bench_buffers_next(&b);
    bench_buffers_next(&b);
    bench_buffers_begin(&b, BENCH_ROTATING, 8, room, bench_buffers_position(&b));
    HOLDS(bench_buffers_next(&b) == 256 && bench_buffers_next(&b) == 320);
    bench_buffers_begin(&b, BENCH_ROTATING, 0, 64, 1 << 20); /* past the end: from the beginning */
    HOLDS(bench_buffers_next(&b) == 0 && bench_buffers_next(&b) == 0);
}

/* Enough for the largest cache, but no more than a quarter of the memory, and one unit to spare, however many share it.
 */
static void test_rotation(void)
{
    const size_t unit = 1 << 20, one = bench_rotation(1), many = bench_rotation(1000);

    HOLDS(one <= bench_last_cache() + unit);
    HOLDS(one > bench_last_cache() || one > bench_free_memory() / 16);
    HOLDS(many >= unit && 1000 * 2 * (many - unit) <= bench_free_memory() / 2); /* what is free changes meanwhile */
}

static void count_body(void *arg, long reps)
{
    HOLDS(reps == 1);
    ++*(long *)arg;
}

static void test_cold(void)
{
    static struct bench_series s;
    char place[1000];
    long done = 0;

    HOLDS(!bench_cold());
    memset(place, 7, sizeof place);
    bench_cold_add(place, sizeof place);
    HOLDS(bench_cold());
    bench_measure(count_body, NULL, &done, 1e6, &s);
    HOLDS(done > (long)s.n && s.n >= 5 && place[999] == 7);
    bench_cold_clear();
    HOLDS(!bench_cold());
}

static void test_patterns(void)
{
    char a[100], b[100];

    bench_pattern_fill(a, 99, bench_pattern_seed(1, 99, 0));
    HOLDS(bench_pattern_check(a, 99, bench_pattern_seed(1, 99, 0)));
    HOLDS(!bench_pattern_check(a, 99, bench_pattern_seed(2, 99, 0)));
    HOLDS(!bench_pattern_check(a, 99, bench_pattern_seed(1, 99, 1)));
    memcpy(b, a + 8, 90); /* shifted by a word */
    HOLDS(!bench_pattern_check(b, 90, bench_pattern_seed(1, 99, 0)));
    a[98] ^= 1;
    HOLDS(!bench_pattern_check(a, 99, bench_pattern_seed(1, 99, 0)));
}

/* Ten pages: more than one group of those that are copied side by side, and a rest. */
static void test_copies(void)
{
    const size_t n = 10 * 4096;
    char *from = aligned_alloc(4096, n), *to = aligned_alloc(4096, n + 4096);
    int methods = 0;

    bench_pattern_fill(from, n, 5);
    for (const struct bench_copy *c = bench_copies; c->name; c++) {
        if (!c->usable())
            continue;
        methods++;
        memset(to, 0x55, n + 4096);
        c->copy(to, from, n);
        HOLDS(bench_pattern_check(to, n, 5));
        HOLDS(to[n] == 0x55);
    }
    HOLDS(methods >= 2);
    free(from);
    free(to);
}

/* A true line is found by both; the relative fit keeps the start-up that one wrong long message costs the plain one. */
static void test_fit(void)
{
    const struct bench_point one[] = {{8, 2}, {8, 3}}, falling[] = {{0, 2}, {8, 1}};
    struct bench_point points[8];
    struct bench_line plain, relative;

    for (int i = 0; i < 8; i++) {
        const double bytes = i == 0 ? 0 : pow(10, i);

        points[i] = (struct bench_point){bytes, 2 + bytes / 500};
    }
    for (int w = BENCH_PLAIN; w <= BENCH_RELATIVE; w++) {
        const struct bench_line line = bench_fit(points, 8, (enum bench_weights)w);

        HOLDS(fabs(line.t0 - 2) < 1e-6 && fabs(line.r_inf - 500) < 1e-6 && fabs(line.n_half - 1000) < 1e-3);
        HOLDS(isnan(bench_fit(one, 2, (enum bench_weights)w).r_inf));
        HOLDS(isnan(bench_fit(falling, 2, (enum bench_weights)w).r_inf));
        HOLDS(isnan(bench_fit(points, 0, (enum bench_weights)w).t0));
    }
    points[7].us *= 1.1;
    plain = bench_fit(points, 8, BENCH_PLAIN);
    relative = bench_fit(points, 8, BENCH_RELATIVE);
    HOLDS(plain.t0 < 0 && fabs(plain.r_inf / (500 / 1.1) - 1) < 0.01);
    HOLDS(fabs(relative.t0 - 2) < 0.1 && relative.r_inf > 480 && relative.r_inf < 500);
}

/* Two lines are found where the second begins; one line stays one, a few per cent of noise or not. */
static void test_pieces(void)
{
    struct bench_point one[12], two[12];
    struct bench_pieces found;

    for (int i = 0; i < 12; i++) {
        const double bytes = i == 0 ? 0 : 8 << i, noise = i % 2 ? 1.02 : 0.98;

        one[i] = (struct bench_point){bytes, (2 + bytes / 500) * noise};
        two[i] = (struct bench_point){bytes, i < 6 ? 1 + bytes / 100 : 9 + bytes / 1000};
    }
    found = bench_fit_pieces(one, 12);
    HOLDS(found.split == 0 && fabs(found.low.t0 - 2) < 0.1 && fabs(found.low.r_inf / 500 - 1) < 0.05);
    found = bench_fit_pieces(two, 12);
    HOLDS(found.split == 6 && fabs(found.low.r_inf - 100) < 1e-6 && fabs(found.high.r_inf - 1000) < 1e-3);
    HOLDS(fabs(found.low.t0 - 1) < 1e-6 && fabs(found.high.t0 - 9) < 1e-3);
    HOLDS(bench_fit_pieces(two, 5).split == 0 && isnan(bench_fit_pieces(two, 1).low.r_inf));
}

int main(void)
{
    test_statistics();
    test_nhalf();
    test_fit();
    test_pieces();
    test_late_peak();
    test_sampler();
    test_full();
    test_insisting();
    test_sizes();
    test_json();
    test_samples();
    test_footprint();
    test_cpu_list();
    test_toll();
    test_patterns();
    test_copies();
    test_cache_options();
    test_buffers();
    test_rotation();
    test_cold();
    test_options();
    test_tasks_in_records(); /* last: all records after it say so */
    return check_verdict();
}
