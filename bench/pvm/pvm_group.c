/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time to join a group and leave it again: by one task while the others rest, with the group new each time and with one
 * that has another member, and by all tasks at once, each a group of its own or all the same one.
 */
#include "pvmjob.h"

static const struct scene {
    const char *contention, *members;
    bool all, kept, own;
} scenes[] = {
    {"none", "none", false, false, false},
    {"none", "one", false, true, false},
    {"all", "none", true, false, true},
    {"all", "one", true, true, false},
};
#define SCENES (int)(sizeof scenes / sizeof *scenes)

struct visit {
    bool goes;
    int fault;
    char group[32];
};
static struct bench_series samples;

static void join_and_leave(void *arg, long reps)
{
    struct visit *v = arg;

    for (long i = 0; v->goes && i < reps; i++) {
        const int instance = pvm_joingroup(v->group), left = pvm_lvgroup(v->group);

        if ((instance < 0 || left < 0) && !v->fault)
            v->fault = instance < 0 ? instance : left;
    }
}

/* Joined, the group counts its member and knows its instance; left, it doesn't. */
static bool check(struct visit *v)
{
    int before, instance, here, after;
    const int level = pvm_setopt(PvmAutoErr, 0),
              tid = pvm_mytid(); /* of a group without members the size is an error */
    bool right;

    before = pvm_gsize(v->group);
    instance = pvm_joingroup(v->group);
    here = pvm_gsize(v->group);
    right = instance >= 0 && here == (before > 0 ? before : 0) + 1 && pvm_getinst(v->group, tid) == instance &&
            pvm_gettid(v->group, instance) == tid;
    right = pvm_lvgroup(v->group) >= 0 && right;
    after = pvm_gsize(v->group);
    pvm_setopt(PvmAutoErr, level);
    return right && (after > 0 ? after : 0) == (before > 0 ? before : 0);
}

/* The last task is the other member, and doesn't take part. */
static void run(const struct scene *s)
{
    const int keeper = s->kept ? pvmjob.size - 1 : -1;
    const double budget = pvmjob_case("contention %s, other members %s", s->contention, s->members);
    struct bench_params p = pvmjob_params();
    struct visit v = {.goes = pvmjob.rank != keeper && (s->all || pvmjob.rank == 0)};
    bool right = true;
    const char *stop;

    snprintf(v.group, sizeof v.group, "visited%d", s->own ? pvmjob.rank : 0);
    if (pvmjob.rank == keeper)
        pvmjob_must("pvm_joingroup", pvm_joingroup(v.group));
    pvmjob_barrier();
    for (int i = 0; i < pvmjob.size; i++) { /* one after the other: the sizes are known */
        if (i == pvmjob.rank && v.goes)
            right = check(&v);
        pvmjob_barrier();
    }
    stop = bench_stop_name(pvmjob_measure(join_and_leave, &v, budget, PVMJOB_LONGEST, &samples));
    if (v.fault)
        fprintf(stderr, "task %d: group %s: code %d\n", pvmjob.rank, v.group, v.fault);
    right = pvmjob_right(right && !v.fault);
    if (pvmjob.rank == keeper)
        pvmjob_must("pvm_lvgroup", pvm_lvgroup(v.group));
    pvmjob_barrier();
    bench_series_scale(&samples, &samples, 1e-3);
    bench_param_text(&p, "contention", s->contention);
    bench_param_text(&p, "other_members", s->members);
    pvmjob_emit("pvm_group", &p, "join_leave", "us", &samples, right, stop);
}

int main(int argc, char **argv)
{
    static const struct pvmjob_program program = {"pvm_group", "time to join a group and leave it", 2, 4, 1, NULL};

    pvmjob_start(argc, argv, &program);
    bench_plan_begin(SCENES, bench_options.max_seconds);
    for (int i = 0; i < SCENES; i++)
        run(&scenes[i]);
    return pvmjob_finish();
}
