/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPT paper's global reductions over PVM: one word sent to task 0 and the result back from it, a vector of 100,000
 * by a log2 reduction of messages, and both by pvm_reduce, whose result one task has and tells the others.
 */
#include <stdlib.h>
#include <string.h>

#include "../common/reductions.h"
#include "pvmjob.h"

enum { TAG_WORD = 1, TAG_RESULT, TAG_REDUCE, TAG_STAGE };

static struct {
    enum bench_reduction reduction;
    int encoding, root; /* instance of task 0 in the group */
    long *words, mine, result;
    double *vector, *sum, *in;
} area;
static struct bench_series samples;

static void begin(void)
{
    pvmjob_must("pvm_initsend", pvm_initsend(area.encoding));
}

/* ---- one word ---- */

static void through_0(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++) {
        if (pvmjob.rank != 0) {
            begin();
            pvm_pklong(&area.mine, 1, 1);
            pvmjob_must("pvm_send", pvm_send(pvmjob.tids[0], TAG_WORD));
            pvmjob_must("pvm_recv", pvm_recv(pvmjob.tids[0], TAG_RESULT));
            pvm_upklong(&area.result, 1, 1);
            continue;
        }
        area.words[0] = area.mine;
        for (int t = 1; t < pvmjob.size; t++) {
            pvmjob_must("pvm_recv", pvm_recv(pvmjob.tids[t], TAG_WORD));
            pvm_upklong(&area.words[t], 1, 1);
        }
        area.result = bench_reduction_of(area.reduction, area.words, pvmjob.size);
        begin();
        pvm_pklong(&area.result, 1, 1);
        pvmjob_must("pvm_mcast", pvm_mcast(pvmjob.tids + 1, pvmjob.size - 1, TAG_RESULT));
    }
}

static void land(int *type, void *x, void *y, int *count, int *info)
{
    long *const a = x;
    const long *const b = y;

    for (int i = 0; i < *count; i++)
        a[i] = a[i] && b[i];
    *info = *type == PVM_LONG ? PvmOk : PvmBadParam;
}

static void library_word(void *arg, long reps)
{
    static void (*const functions[])(int *, void *, void *, int *, int *) = {PvmSum, PvmMax, land};

    (void)arg;
    for (long i = 0; i < reps; i++) {
        area.result = area.mine;
        pvmjob_must("pvm_reduce", pvm_reduce(functions[area.reduction], &area.result, 1, PVM_LONG, TAG_REDUCE,
                                             pvmjob.group, area.root));
        if (pvmjob.rank != 0) {
            pvmjob_must("pvm_recv", pvm_recv(pvmjob.tids[0], TAG_RESULT));
            pvm_upklong(&area.result, 1, 1);
            continue;
        }
        begin();
        pvm_pklong(&area.result, 1, 1);
        pvmjob_must("pvm_bcast", pvm_bcast(pvmjob.group, TAG_RESULT));
    }
}

static bool check_word(bench_body *body)
{
    bool right = true;

    for (int round = 0; round < BENCH_WORD_ROUNDS; round++) {
        area.mine = bench_reduction_word(area.reduction, round, pvmjob.rank, pvmjob.size);
        area.result = -1;
        body(NULL, 1);
        right = right && area.result == bench_reduction_due(area.reduction, round, pvmjob.size);
    }
    return pvmjob_right(right);
}

/* ---- the vector ---- */

static void send(int stage, int to)
{
    begin();
    pvm_pkdouble(area.sum, BENCH_VECTOR, 1);
    pvmjob_must("pvm_send", pvm_send(pvmjob.tids[to], TAG_STAGE + stage));
}

static void receive(double *to, int stage, int from)
{
    pvmjob_must("pvm_recv", pvm_recv(pvmjob.tids[from], TAG_STAGE + stage));
    pvmjob_must("pvm_upkdouble", pvm_upkdouble(to, BENCH_VECTOR, 1));
}

static void add(int stage, int from)
{
    receive(area.in, stage, from);
    bench_vector_add(area.sum, area.in);
}

static void take(int stage, int from)
{
    receive(area.sum, stage, from);
}

static void log2_sum(void *arg, long reps)
{
    static const struct bench_doubling how = {send, add, take};

    (void)arg;
    for (long i = 0; i < reps; i++) {
        memcpy(area.sum, area.vector, BENCH_VECTOR * sizeof *area.sum);
        bench_doubling(&how, pvmjob.rank, pvmjob.size);
    }
}

static void library_vector(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++) {
        memcpy(area.sum, area.vector, BENCH_VECTOR * sizeof *area.sum);
        pvmjob_must("pvm_reduce",
                    pvm_reduce(PvmSum, area.sum, BENCH_VECTOR, PVM_DOUBLE, TAG_REDUCE, pvmjob.group, area.root));
        if (pvmjob.rank != 0) {
            receive(area.sum, 0, 0);
            continue;
        }
        begin();
        pvm_pkdouble(area.sum, BENCH_VECTOR, 1);
        pvmjob_must("pvm_bcast", pvm_bcast(pvmjob.group, TAG_STAGE));
    }
}

static bool check_vector(bench_body *body)
{
    bench_vector_fill(area.vector, pvmjob.rank);
    body(NULL, 1);
    return pvmjob_right(bench_vector_check(area.sum, pvmjob.size));
}

/* ---- cases ---- */

static void run(const char *what, const char *algorithm, const char *call, bench_body *body)
{
    const bool vector = body == log2_sum || body == library_vector;
    const double budget = pvmjob_case("%s, %s", what, algorithm);
    const bool right = vector ? check_vector(body) : check_word(body);
    struct bench_params p = pvmjob_params();
    enum bench_stop stop;

    stop = pvmjob_measure(body, NULL, budget, PVMJOB_RANK0, &samples);
    bench_series_scale(&samples, &samples, 1e-6);
    bench_param_text(&p, "algorithm", algorithm);
    bench_param_text(&p, "call", call);
    bench_param_text(&p, "encoding", area.encoding == PvmDataRaw ? "Raw" : "Default");
    if (vector)
        bench_param_integer(&p, "elements", BENCH_VECTOR);
    else
        bench_param_text(&p, "operation", what);
    pvmjob_emit(vector ? "global vector sum" : "one-word global reduction", &p, "time", "ms", &samples, right,
                bench_stop_name(stop));
}

int main(int argc, char **argv)
{
    static const struct pvmjob_program program = {"pvm_reduce", "global reductions of a word and of a vector", 2, 12, 1,
                                                  NULL};
    const int encodings[] = {PvmDataDefault, PvmDataRaw};

    pvmjob_start(argc, argv, &program);
    area.root = pvmjob_must("pvm_getinst", pvm_getinst(pvmjob.group, pvmjob.tids[0]));
    area.words = calloc((size_t)pvmjob.size, sizeof *area.words);
    area.vector = calloc(BENCH_VECTOR, sizeof *area.vector);
    area.sum = calloc(BENCH_VECTOR, sizeof *area.sum);
    area.in = calloc(BENCH_VECTOR, sizeof *area.in);
    if (!area.words || !area.vector || !area.sum || !area.in)
        pvmjob_fatal("pvm_reduce: out of memory");
    bench_plan_begin(2 * 2 * (BENCH_REDUCTIONS + 1), bench_options.max_seconds);
    for (int e = 0; e < 2; e++) {
        area.encoding = encodings[e];
        for (area.reduction = 0; area.reduction < BENCH_REDUCTIONS; area.reduction++) {
            run(bench_reduction_name(area.reduction), BENCH_BY_HAND, "pvm_send, pvm_mcast", through_0);
            run(bench_reduction_name(area.reduction), "library", "pvm_reduce, pvm_bcast", library_word);
        }
        run("vector sum", BENCH_LOG2, "pvm_send", log2_sum);
        run("vector sum", "library", "pvm_reduce, pvm_bcast", library_vector);
    }
    free(area.words);
    free(area.vector);
    free(area.sum);
    free(area.in);
    return pvmjob_finish();
}
