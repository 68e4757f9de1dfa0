/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The graph of em3d, a function of numbers that every process can compute for any other: so each finds out by itself
 * what others need of it. For the check, process 0 computes all nodes serially, once; compared are random projections
 * of each process's values.
 */
#include "em3d.h"
#include "em3d_local.h"

#include <stdlib.h>
#include <string.h>

static long nodes, degree = 20, remote = 20, steps = 10;
struct em3d em3d;

const struct bench_option em3d_options[] = {
    {"nodes", BENCH_LONG, &nodes, "nodes of each kind on each process (default 16384, with --quick 2048)"},
    {"degree", BENCH_LONG, &degree, "neighbours of each (default 20)"},
    {"remote", BENCH_LONG, &remote, "per cent of them on other processes (default 20)"},
    {"steps", BENCH_LONG, &steps, "times that all nodes are computed in a run (default 10)"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

#define TRIALS 4

/* Of the values of one process after a run. */
struct projection {
    double of[EM3D_KINDS][TRIALS];
};

static struct projection *expected; /* on process 0, of all */

/* The e-th edge of process pe's nodes of a kind: the process and the number of the neighbour, its weight. */
struct edge {
    int pe, node;
    double weight;
};

static struct edge edge_of(enum em3d_kind kind, int pe, long e)
{
    const uint64_t r = app_mix(((uint64_t)kind << 62) + ((uint64_t)pe << 40) + (uint64_t)e);
    struct edge g = {.pe = pe, .node = (int)(r % (uint64_t)nodes), .weight = app_real(r) / (double)degree};

    if ((long)(app_mix(r) >> 8) % 100 < remote)
        g.pe = (pe + (app_mix(r) & 1 ? 1 : app_job.npes - 1)) % app_job.npes;
    return g;
}

static double initial(enum em3d_kind kind, int pe, int node)
{
    return app_real(((uint64_t)(kind + 2) << 60) + ((uint64_t)pe << 32) + (uint64_t)node);
}

/* place[i]: how many of sender's nodes of the other kind below i `receiver` needs; place[nodes] all of them. Nodes
 * needed are those where it grows. */
static void needed(enum em3d_kind kind, int receiver, int sender, int *place)
{
    int n = 0;

    memset(place, 0, sizeof *place * (size_t)(nodes + 1));
    for (long e = 0; e < nodes * degree; e++) {
        const struct edge g = edge_of(kind, receiver, e);

        if (g.pe == sender)
            place[g.node] = 1;
    }
    for (int i = 0; i <= nodes; i++) {
        const int mark = i < nodes ? place[i] : 0;

        place[i] = n;
        n += mark;
    }
}

static struct em3d_link make_link(int pe, int first, const int *place)
{
    struct em3d_link l = {
        .pe = pe, .n = place[nodes], .first = first, .node = app_alloc(sizeof(int) * (size_t)place[nodes])};
    int n = 0;

    for (int i = 0; i < nodes; i++)
        if (place[i + 1] > place[i])
            l.node[n++] = i;
    return l;
}

/* The processes that `pe` has neighbours on, in the order of its ghosts. */
static int sources(int pe, int source[2])
{
    const int n = app_job.npes;

    source[0] = (pe + 1) % n;
    source[1] = (pe + n - 1) % n;
    return n == 1 || remote == 0 ? 0 : n == 2 ? 1 : 2;
}

/* Nodes of `kind` read ghosts of the other one: links of that one in, and this process's of the other kind out. */
static void make_links(enum em3d_kind kind, int *place[2])
{
    struct em3d_side *const other = &em3d.side[!kind];
    int source[2], theirs[2], first = 0;

    other->links = sources(app_job.me, source);
    for (int i = 0; i < other->links; i++) {
        needed(kind, app_job.me, source[i], place[i]);
        other->in[i] = make_link(source[i], first, place[i]);
        first += other->in[i].n;
    }
    for (int i = 0; i < other->links; i++) { /* their sources are this process and one before or behind it */
        int *const p = app_alloc(sizeof *p * (size_t)(nodes + 1));
        int begin = 0;

        sources(source[i], theirs);
        if (theirs[0] != app_job.me) {
            needed(kind, source[i], theirs[0], p);
            begin = p[nodes];
        }
        needed(kind, source[i], app_job.me, p);
        other->out[i] = make_link(source[i], begin, p);
        free(p);
    }
}

static void make_side(enum em3d_kind kind)
{
    struct em3d_side *const s = &em3d.side[kind];
    const struct em3d_side *const other = &em3d.side[!kind];
    const size_t edges = (size_t)(nodes * degree);
    int *place[2];

    for (int i = 0; i < 2; i++)
        place[i] = app_alloc(sizeof(int) * (size_t)(nodes + 1));
    make_links(kind, place);
    s->from = app_alloc(sizeof *s->from * edges);
    s->weight = app_alloc(sizeof *s->weight * edges);
    for (size_t e = 0; e < edges; e++) {
        const struct edge g = edge_of(kind, app_job.me, (long)e);

        s->weight[e] = g.weight;
        s->from[e] = g.node;
        for (int i = 0; g.pe != app_job.me && i < other->links; i++)
            if (other->in[i].pe == g.pe)
                s->from[e] = (int)nodes + other->in[i].first + place[i][g.node];
    }
    for (int i = 0; i < 2; i++)
        free(place[i]);
}

static void project(struct projection *p, enum em3d_kind kind, const double *value)
{
    for (int t = 0; t < TRIALS; t++) {
        double sum = 0;

        for (long i = 0; i < nodes; i++)
            sum += value[i] * app_real(((uint64_t)7 << 60) + ((uint64_t)t << 40) + (uint64_t)i);
        p->of[kind][t] = sum;
    }
}

/* All processes' nodes of a kind as if on one, without ghosts: node i of process p is number p * nodes + i. */
struct whole {
    double *value, *weight;
    int *from;
};

static struct whole make_whole(enum em3d_kind kind)
{
    const size_t all = (size_t)nodes * (size_t)app_job.npes, each = (size_t)(nodes * degree),
                 edges = all * (size_t)degree;
    const struct whole w = {app_alloc(sizeof(double) * all), app_alloc(sizeof(double) * edges),
                            app_alloc(sizeof(int) * edges)};

    for (size_t i = 0; i < all; i++)
        w.value[i] = initial(kind, (int)(i / (size_t)nodes), (int)(i % (size_t)nodes));
    for (size_t e = 0; e < edges; e++) {
        const struct edge g = edge_of(kind, (int)(e / each), (long)(e % each));

        w.weight[e] = g.weight;
        w.from[e] = g.pe * (int)nodes + g.node;
    }
    return w;
}

static void solve(void)
{
    const int all = (int)nodes * app_job.npes;
    struct whole w[EM3D_KINDS];

    for (int k = 0; k < EM3D_KINDS; k++)
        w[k] = make_whole((enum em3d_kind)k);
    for (long step = 0; step < steps; step++)
        for (int k = 0; k < EM3D_KINDS; k++)
            em3d_local(all, (int)degree, w[k].value, w[!k].value, w[k].from, w[k].weight);
    expected = app_alloc(sizeof *expected * (size_t)app_job.npes);
    for (int k = 0; k < EM3D_KINDS; k++) {
        for (int pe = 0; pe < app_job.npes; pe++)
            project(&expected[pe], (enum em3d_kind)k, w[k].value + (long)pe * nodes);
        free(w[k].value);
        free(w[k].weight);
        free(w[k].from);
    }
}

const char *em3d_setup(size_t *ghosts)
{
    if (nodes == 0)
        nodes = bench_options.quick ? 2048 : 16384;
    if (nodes < 1 || nodes > 1L << 20 || degree < 1 || degree > 100 || nodes * app_job.npes >= 1L << 30)
        return "--nodes: from 1 to 1048576, --degree: from 1 to 100";
    if (remote < 0 || remote > 100 || steps < 1 || steps > 1000)
        return "--remote: from 0 to 100, --steps: from 1 to 1000";
    em3d.nodes = (int)nodes;
    em3d.degree = (int)degree;
    em3d.steps = (int)steps;
    make_side(EM3D_E);
    make_side(EM3D_H);
    *ghosts = app_job.npes == 1 ? 0 : 2 * (size_t)nodes;
    return NULL;
}

static void prepare(void)
{
    for (int k = 0; k < EM3D_KINDS; k++)
        for (int i = 0; i < em3d.nodes; i++)
            em3d.side[k].value[i] = initial((enum em3d_kind)k, app_job.me, i);
}

/* The sums are made in the same order; a compiler may fuse multiply and add in one loop and not in the other. */
static bool as_expected(const struct projection *is, const struct projection *should)
{
    for (int k = 0; k < EM3D_KINDS; k++)
        for (int t = 0; t < TRIALS; t++)
            if (!(fabs(is->of[k][t] - should->of[k][t]) <= 1e-10 * (1 + fabs(should->of[k][t]))))
                return false;
    return true;
}

static bool check(void)
{
    struct projection mine, *all = app_alloc(sizeof *all * (size_t)app_job.npes);
    bool right = true;

    for (int k = 0; k < EM3D_KINDS; k++)
        project(&mine, (enum em3d_kind)k, em3d.side[k].value);
    app_gather(&mine, sizeof mine, all);
    if (app_job.me == 0 && !expected)
        solve();
    for (int pe = 0; app_job.me == 0 && pe < app_job.npes; pe++)
        right = right && as_expected(&all[pe], &expected[pe]);
    free(all);
    return right;
}

static double work(void)
{
    return (double)EM3D_KINDS * em3d.nodes * app_job.npes * em3d.degree * em3d.steps;
}

static void params(struct bench_params *p)
{
    bench_param_integer(p, "nodes_per_pe", nodes);
    bench_param_integer(p, "degree", degree);
    bench_param_integer(p, "remote_percent", remote);
    bench_param_integer(p, "steps", steps);
}

const struct app_problem em3d_problem = {"em3d", params, prepare, check, work, "Medges/s"};
