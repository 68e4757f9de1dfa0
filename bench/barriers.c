/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Barriers by algorithm, each written here with SHMEM's own calls: a central counter, a fetch-and-increment register,
 * dissemination, a tree, and a queue of sleepers as the J90's barsync; beside them the library's own. Waiting is the
 * library's, or a look again and again with the processor given away between (yield) or kept (spin).
 */
#define _GNU_SOURCE 1
#include "common/job_barrier.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STAGES 16 /* of dissemination: 65536 PEs */
#define LATE_NS 200000

/* One PE's words, each written by one other PE only, and PE 0's shared ones; no two in one cache line or its neighbour.
 */
struct word {
    long value;
    char apart[128 - sizeof(long)];
};

static struct area {
    struct word counter, ticket, release; /* the first two: on PE 0 */
    struct word stage[STAGES];
    struct word child[2];
    struct {
        int came, generation;
        char apart[120];
    } queue; /* on PE 0 */
} *area;

static long epoch; /* of the running algorithm: barriers so far, the same on all PEs */
static enum waiting { BY_LIBRARY, BY_YIELD, BY_SPIN, BY_SLEEP } waiting;
enum { LIBRARY = 1 << BY_LIBRARY, YIELD = 1 << BY_YIELD, SPIN = 1 << BY_SPIN, SLEEP = 1 << BY_SLEEP };
static const char *const names[] = {"wait_until", "yield", "spin", "futex"};

/* Own words only grow, so that one that is already ahead is no harm. */
static void await(long *word, long value)
{
    if (waiting == BY_LIBRARY) {
        shmem_long_wait_until(word, SHMEM_CMP_GE, value);
        return;
    }
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) < value)
        if (waiting == BY_YIELD)
            sched_yield();
}

/* Arrivals are counted on PE 0, which then tells each PE in turn. */
static void counter(void)
{
    shmem_long_atomic_inc(&area->counter.value, 0);
    if (bench_job.me != 0) {
        await(&area->release.value, epoch);
        return;
    }
    await(&area->counter.value, epoch * bench_job.npes);
    for (int pe = 1; pe < bench_job.npes; pe++)
        shmem_long_p(&area->release.value, epoch, pe);
}

/* All take a number at PE 0's register, and look there until the last number of this barrier has been taken. */
static void ticket(void)
{
    const long last = epoch * bench_job.npes - 1;

    if (shmem_long_atomic_fetch_inc(&area->ticket.value, 0) == last)
        return;
    while (shmem_long_atomic_fetch(&area->ticket.value, 0) <= last)
        if (waiting != BY_SPIN)
            sched_yield();
}

/* In stage k each PE tells the one 2^k further on, and hears from the one as far behind. */
static void dissemination(void)
{
    for (int k = 0, distance = 1; distance < bench_job.npes; k++, distance *= 2) {
        shmem_long_p(&area->stage[k].value, epoch, (bench_job.me + distance) % bench_job.npes);
        await(&area->stage[k].value, epoch);
    }
}

/* A binary tree: up when all below have come, and down again. */
static void tree(void)
{
    const int me = bench_job.me, first = 2 * me + 1;

    for (int child = first; child < first + 2 && child < bench_job.npes; child++)
        await(&area->child[child - first].value, epoch);
    if (me > 0) {
        shmem_long_p(&area->child[(me - 1) % 2].value, epoch, (me - 1) / 2);
        await(&area->release.value, epoch);
    }
    for (int child = first; child < first + 2 && child < bench_job.npes; child++)
        shmem_long_p(&area->release.value, epoch, child);
}

/* All but the last comer sleep in the kernel's queue, from which the last one wakes them. */
static void queue(void)
{
    struct area *const on0 = shmem_ptr(area, 0);
    const int before = __atomic_load_n(&on0->queue.generation, __ATOMIC_ACQUIRE);

    if (__atomic_add_fetch(&on0->queue.came, 1, __ATOMIC_ACQ_REL) == bench_job.npes) {
        __atomic_store_n(&on0->queue.came, 0, __ATOMIC_RELAXED); /* the release below makes it seen first */
        __atomic_store_n(&on0->queue.generation, before + 1, __ATOMIC_RELEASE);
        syscall(SYS_futex, &on0->queue.generation, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        return;
    }
    while (__atomic_load_n(&on0->queue.generation, __ATOMIC_ACQUIRE) == before)
        syscall(SYS_futex, &on0->queue.generation, FUTEX_WAIT, before, NULL, NULL, 0);
}

static const struct algorithm {
    const char *name, *call;
    void (*body)(void);  /* NULL: shmem_barrier_all itself */
    unsigned waits, far; /* bits by enum waiting; where not all memory is near */
} algorithms[] = {
    {"library", "shmem_barrier_all", NULL, LIBRARY, LIBRARY},
    {"central counter", "shmem_long_atomic_inc, shmem_long_p", counter, LIBRARY | YIELD | SPIN, LIBRARY},
    {"fetch-and-increment register", "shmem_long_atomic_fetch_inc, shmem_long_atomic_fetch", ticket, YIELD | SPIN,
     YIELD | SPIN},
    {"dissemination", "shmem_long_p", dissemination, LIBRARY | YIELD | SPIN, LIBRARY},
    {"tree", "shmem_long_p", tree, LIBRARY | YIELD | SPIN, LIBRARY},
    {"barsync queue", "shmem_ptr", queue, SLEEP, 0},
};
#define ALGORITHMS (int)(sizeof algorithms / sizeof *algorithms)

/* As shmem_barrier_all, each also completes the puts before it. */
static void barriers(void *arg, long reps)
{
    const struct algorithm *const a = arg;

    for (long i = 0; i < reps; i++) {
        if (!a->body) {
            shmem_barrier_all();
            continue;
        }
        shmem_quiet();
        epoch++;
        a->body();
    }
}

/* Nobody may leave before all have come, whoever comes last: all tell each other before the barrier and look behind it.
 */
static bool check(const struct algorithm *a, long *arrived)
{
    struct algorithm copy = *a;
    const int rounds = bench_options.quick ? 4 : bench_job.npes + 1;
    bool right = true;

    for (int round = 1; round <= rounds; round++) {
        if ((round - 1) % bench_job.npes == bench_job.me)
            bench_linger(LATE_NS);
        for (int pe = 0; pe < bench_job.npes; pe++)
            shmem_long_p(arrived + bench_job.me, round, pe);
        barriers(&copy, 1);
        for (int pe = 0; pe < bench_job.npes; pe++)
            right = right && ((volatile long *)arrived)[pe] >= round;
        shmem_barrier_all();
    }
    memset(arrived, 0, (size_t)bench_job.npes * sizeof *arrived);
    shmem_barrier_all();
    return bench_agree_right(right);
}

static void run(const struct algorithm *a, long *arrived)
{
    static struct bench_series samples;
    const double budget = bench_agree_budget(bench_plan_next("%s, %s", a->name, names[waiting]));
    struct bench_params p = bench_job_params();
    struct algorithm copy = *a;
    enum bench_stop stop;
    bool right;

    epoch = 0;
    memset(area, 0, sizeof *area);
    shmem_barrier_all();
    right = check(a, arrived);
    stop = bench_measure_together(barriers, &copy, budget, BENCH_PE0, &samples, NULL);
    bench_series_scale(&samples, &samples, 1e-3);
    bench_param_text(&p, "algorithm", a->name);
    bench_param_text(&p, "call", a->call);
    if (a->body)
        bench_param_text(&p, "wait", names[waiting]);
    bench_emit("barrier algorithms", &p, "barrier_time", "us", &samples, right, bench_stop_name(stop));
}

/* Whether each PE reaches all others' memory itself. Else a transport may only move when the library is called. */
static bool near(void)
{
    bool mine = true;

    for (int pe = 0; pe < bench_job.npes; pe++)
        mine = mine && shmem_ptr(area, pe);
    area->release.value = mine;
    shmem_barrier_all();
    for (int pe = 0; pe < bench_job.npes; pe++)
        mine = mine && shmem_long_g(&area->release.value, pe);
    shmem_barrier_all();
    return mine;
}

/*
 * The ways of waiting of an algorithm. In a short run nobody spins on a core that another PE needs: that takes seconds.
 * No task sleeps in the kernel: the others of its process, which might wake it, would sleep with it.
 */
static unsigned waits_of(const struct algorithm *a, bool all_near)
{
    const bool shared = bench_job.npes > bench_cores_of_job(), tasks = bench_job.processes < bench_job.npes;
    const unsigned waits = (all_near ? a->waits : a->far) & ~(tasks ? 1u << BY_SLEEP : 0);

    return bench_options.quick && bench_agree(shared) ? waits & ~(unsigned)SPIN : waits;
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"barriers", "time of a barrier by algorithm", NULL, 1, 20, 2};
    unsigned waits[ALGORITHMS];
    long *arrived;
    int cases = 0;
    bool all_near;

    bench_job_start(argc, argv, &program);
    arrived = shmem_calloc((size_t)bench_job.npes, sizeof *arrived);
    area = shmem_align(128, sizeof *area);
    if (!arrived || !area)
        bench_job_fatal("the symmetric heap is too small");
    shmem_barrier_all(); /* in some libraries a PE leaves the allocation before another has cleared its part */
    all_near = near();
    for (int i = 0; i < ALGORITHMS; i++) {
        waits[i] = waits_of(&algorithms[i], all_near);
        cases += __builtin_popcount(waits[i]);
    }
    bench_plan_begin(cases, bench_options.max_seconds);
    for (int i = 0; i < ALGORITHMS; i++)
        for (waiting = BY_LIBRARY; waiting <= BY_SLEEP; waiting++)
            if (waits[i] & 1u << waiting)
                run(&algorithms[i], arrived);
    return bench_job_finish();
}
