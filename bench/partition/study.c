/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs every decomposition with every way of exchanging ghosts: checks it on a small cube against one process alone and
 * by marks on the whole one, then measures steps; at the end the ratios that the paper gives.
 */
#include "study.h"

#include <stdlib.h>
#include <string.h>

#define TEST "regular partitioning"
#define SMALL 18 /* cells a side of the cube that every process also computes alone */
#define SMALL_STEPS 4
#define MAX_WAYS 8
enum { X, Y, Z, D2, D3, DECOMPOSITIONS }; /* as in grid_decompositions */

static long side;
static const char *only;
const struct bench_option study_options[] = {
    {"n", BENCH_LONG, &side, "cells of the cube each way (256)"},
    {"only", BENCH_TEXT, &only, "one decomposition: x, y, z, 2-D or 3-D"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

/* One decomposition with one way. */
struct study {
    const struct study_library *lib;
    struct grid grid;
    struct cell *fields[2];
    int now; /* the field of the last step */
    struct bench_series initiating, exchanging, computing; /* ns, of each step */
};

static void steps(void *arg, long reps)
{
    struct study *s = arg;

    for (long i = 0; i < reps; i++) {
        const int64_t t0 = bench_now();
        int64_t t1;

        bench_series_add(&s->initiating, s->lib->exchange(&s->grid, s->fields[s->now]));
        t1 = bench_now();
        field_step(&s->grid, s->fields[s->now], s->fields[1 - s->now]);
        s->now = 1 - s->now;
        bench_series_add(&s->exchanging, (double)(t1 - t0));
        bench_series_add(&s->computing, (double)(bench_now() - t1));
    }
}

static void begin(struct study *s, int n, const int dims[3], int pe, const struct study_way *way)
{
    grid_part(&s->grid, n, dims, pe);
    s->now = 0;
    s->lib->prepare(&s->grid, way);
}

/* Parts of the small cube must have at least a cell. */
static int small_side(int npes)
{
    return npes > SMALL ? npes : SMALL;
}

static bool small_cube_right(struct study *s, const struct study_way *way, const int dims[3], int pe)
{
    bool right;

    begin(s, small_side(s->lib->npes), dims, pe, way);
    field_begin(&s->grid, s->fields[0]);
    field_begin(&s->grid, s->fields[1]);
    s->lib->right(true); /* nobody sends ghosts before they have their first values */
    steps(s, SMALL_STEPS);
    right = field_as_alone(&s->grid, s->fields[s->now], SMALL_STEPS);
    s->lib->finish();
    return s->lib->right(right);
}

/* The marks are then the values that the measured steps begin with. */
static bool marks_right(struct study *s)
{
    field_mark(&s->grid, s->fields[0]);
    s->lib->right(true); /* as above */
    s->lib->exchange(&s->grid, s->fields[0]);
    return s->lib->right(field_marks_right(&s->grid, s->fields[0]));
}

/* ---- records ---- */

struct result {
    bool known, right;
    double step, initiating; /* ms */
};
static struct result results[DECOMPOSITIONS][MAX_WAYS];

static struct bench_params params_of(const struct study_library *lib, const struct study_way *way)
{
    struct bench_params p = {0};

    bench_param_integer(&p, "npes", lib->npes);
    bench_param_integer(&p, "n", side);
    bench_param_text(&p, "method", way->method);
    if (way->mode)
        bench_param_text(&p, "mode", way->mode);
    return p;
}

static void emit(const struct bench_params *p, const char *metric, const char *unit, double value, bool right)
{
    static struct bench_series alone;

    alone.n = 1;
    alone.v[0] = value;
    bench_report_write(&(struct bench_record){.test = TEST,
                                              .metric = metric,
                                              .unit = unit,
                                              .params = p,
                                              .series = &alone,
                                              .has_value = true,
                                              .value = value,
                                              .verified = right});
}

/* The median step of each process, as the first ones meet pages that nobody has touched; the mean of all processes, ms.
 */
static double usual(const struct study *s, const struct bench_series *ns)
{
    return s->lib->mean(1e-6 * bench_stats(ns).median);
}

static void emit_case(struct study *s, const char *decomposition, const struct study_way *way,
                      struct bench_series *times, struct result *result, enum bench_stop stop)
{
    struct bench_params p = params_of(s->lib, way);
    const double initiating = usual(s, &s->initiating), exchanging = usual(s, &s->exchanging),
                 computing = usual(s, &s->computing);
    char dims[48];

    if (!s->lib->reports)
        return;
    snprintf(dims, sizeof dims, "%dx%dx%d", s->grid.dims[0], s->grid.dims[1], s->grid.dims[2]);
    bench_param_text(&p, "decomposition", decomposition);
    bench_param_text(&p, "dims", dims);
    bench_series_scale(times, times, 1e-6);
    result->known = true;
    result->step = bench_stats(times).median;
    result->initiating = initiating;
    bench_report_write(&(struct bench_record){.test = TEST,
                                              .metric = "step_time",
                                              .unit = "ms",
                                              .params = &p,
                                              .series = times,
                                              .verified = result->right,
                                              .stop = bench_stop_name(stop)});
    emit(&p, "send_initiation_time", "ms", initiating, result->right);
    emit(&p, "exchange_time", "ms", exchanging, result->right);
    emit(&p, "compute_time", "ms", computing, result->right);
}

static void emit_ratios(const struct study_library *lib)
{
    for (int w = 0; lib->reports && lib->ways[w].method; w++) {
        const struct bench_params p = params_of(lib, &lib->ways[w]);
        const struct result *x = &results[X][w], *z = &results[Z][w], *d2 = &results[D2][w], *d3 = &results[D3][w];

        if (x->known && z->known) {
            emit(&p, "speed_ratio_x_over_z_partitioning", "x", z->step / x->step, x->right && z->right);
            emit(&p, "send_initiation_time_ratio_z_over_x", "x", z->initiating / x->initiating, x->right && z->right);
        }
        if (x->known && d2->known)
            emit(&p, "gain_2d_over_1d", "%", 100 * (x->step / d2->step - 1), x->right && d2->right);
        if (d3->known && d2->known)
            emit(&p, "gain_2d_over_3d", "%", 100 * (d3->step / d2->step - 1), d3->right && d2->right);
    }
}

/* ---- all cases ---- */

/* With --quick what the paper's ratios need, of the cube that they are of. */
static bool wanted(const struct study_library *lib, int decomposition, int dims[3])
{
    if (!grid_dims(grid_decompositions[decomposition], lib->npes, dims))
        return false;
    if (only)
        return strcmp(only, grid_decompositions[decomposition]) == 0;
    return !bench_options.quick || decomposition != Y;
}

static bool wanted_way(const struct study_way *way)
{
    return way->brief || !bench_options.quick;
}

static void run_case(struct study *s, int decomposition, int w, const int dims[3], int pe)
{
    static struct bench_series times;
    const struct study_way *way = &s->lib->ways[w];
    struct result *result = &results[decomposition][w];
    enum bench_stop stop;
    char label[96];
    double budget;

    snprintf(label, sizeof label, "%s %s %s", grid_decompositions[decomposition], way->method,
             way->mode ? way->mode : "");
    budget = s->lib->budget(label);
    result->right = small_cube_right(s, way, dims, pe);
    begin(s, (int)side, dims, pe, way);
    result->right = marks_right(s) && result->right;
    bench_series_clear(&s->initiating);
    bench_series_clear(&s->exchanging);
    bench_series_clear(&s->computing);
    stop = s->lib->measure(steps, s, budget, &times);
    s->lib->finish();
    emit_case(s, grid_decompositions[decomposition], way, &times, result, stop);
}

/* Of the largest part of any decomposition, for both cubes. */
static size_t most_cells(const struct study_library *lib)
{
    size_t most = 0;
    int dims[3];

    for (int d = 0; d < DECOMPOSITIONS; d++)
        for (int cube = 0; grid_dims(grid_decompositions[d], lib->npes, dims) && cube < 2; cube++) {
            const int n = cube ? small_side(lib->npes) : (int)side;
            size_t cells = 1;

            for (int i = 0; i < 3; i++)
                cells *= (size_t)((n + dims[i] - 1) / dims[i] + 2);
            most = cells > most ? cells : most;
        }
    return most;
}

const char *study_complaint(int npes)
{
    static char why[96];
    bool known = only == NULL;

    if (side == 0)
        side = 256;
    for (int d = 0; only && d < DECOMPOSITIONS; d++)
        known = known || strcmp(only, grid_decompositions[d]) == 0;
    if (!known) {
        snprintf(why, sizeof why, "--only: '%.20s' is none of x, y, z, 2-D, 3-D", only);
        return why;
    }
    if (side >= npes && side <= 4096)
        return NULL;
    snprintf(why, sizeof why, "--n: %ld cells each way; must be %d (one a process) to 4096", side, npes);
    return why;
}

void study_run(const struct study_library *lib)
{
    static struct study s;
    int cases = 0, dims[3];

    s.lib = lib;
    for (int d = 0; d < DECOMPOSITIONS; d++)
        for (int w = 0; wanted(lib, d, dims) && lib->ways[w].method; w++)
            cases += wanted_way(&lib->ways[w]);
    bench_plan_begin(cases, bench_options.max_seconds);
    lib->begin((int)side > small_side(lib->npes) ? (int)side : small_side(lib->npes), most_cells(lib), s.fields);
    for (int d = 0; d < DECOMPOSITIONS; d++) {
        int pe;

        if (!wanted(lib, d, dims))
            continue;
        pe = lib->place(dims);
        for (int w = 0; lib->ways[w].method; w++)
            if (wanted_way(&lib->ways[w]))
                run_case(&s, d, w, dims, pe);
    }
    lib->end();
    emit_ratios(lib);
}
