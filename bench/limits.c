/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine's own limits, without any library between: how fast a cache line changes cores, how fast one
 * process copies between shared mappings, what it costs to hand a CPU to another process, and what the clock,
 * a locked add and a store cost. And what a message takes that is written, copied and read, as programs do. Every other
 * figure is to be read against these.
 */
#define _GNU_SOURCE 1
#include "common/bench.h"
#include "common/copies.h"
#include "common/written.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define COPY_MIN 4096ul
#define COPY_MAX (64ul << 20)
#define ROUNDS 3          /* methods take turns, so that a disturbance doesn't decide which is the best */
#define HANDOVER_ROUNDS 6 /* two processes at once are disturbed twice as easily */
#define MAX_COPIES 16

/*
 * How far a line has to travel depends on its address: each batch uses another of 16 places, so that the
 * median is that of an average line. The stride changes page and set.
 */
#define SPOTS 16
#define STRIDE (4096 + 320)
#define STOP (-1L)
#define MOVE (-2L) /* the next batch is at the next spot */

/* What the two processes share. Pings are written by the parent, pongs by the child; one-word methods use pings only.
 */
struct shared {
    _Alignas(4096) char ping[SPOTS * STRIDE];
    _Alignas(4096) char pong[SPOTS * STRIDE];
    _Alignas(4096) long served;
    _Alignas(4096) long scratch[512];
};

static struct shared *shared;
static int cpu_a, cpu_b;
static struct bench_series samples;
static int failures;

static void die(const char *what)
{
    fprintf(stderr, "limits: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void *share(const char *name, size_t bytes)
{
    const int fd = memfd_create(name, MFD_CLOEXEC);
    void *p;

    if (fd < 0 || ftruncate(fd, (off_t)bytes))
        die("memfd");
    p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (p == MAP_FAILED)
        die("mmap");
    close(fd);
    return p;
}

static void pin(int cpu)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set))
        die("sched_setaffinity");
}

/* ---- hand-over of a word between two processes ---- */

static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" : : : "memory");
#endif
}

/* Asks the cache to push the line outwards, where the other core finds it sooner. A no-op where it isn't known. */
static inline void demote(const long *word)
{
#if defined(__x86_64__)
    __asm__ volatile("cldemote %0" : : "m"(*word));
#else
    (void)word;
#endif
}

static long futex(long *word, int op, int value)
{
    return syscall(SYS_futex, word, op, value, NULL, NULL, 0);
}

/* The low half of a long, where futex looks: the first four bytes on the little-endian machines meant here. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "futex words are the low halves of longs");

enum wait { SPIN, PAUSE, DEMOTE, YIELD, FUTEX };

/* Acquire and release: the word stands for a payload that was written before it. */
static inline __attribute__((always_inline)) void pass(long *word, long value, enum wait how)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    if (how == DEMOTE)
        demote(word);
    if (how == FUTEX)
        futex(word, FUTEX_WAKE, 1);
}

static inline __attribute__((always_inline)) long await(long *word, long old, enum wait how)
{
    long v;

    while ((v = __atomic_load_n(word, __ATOMIC_ACQUIRE)) == old) {
        if (how == PAUSE)
            relax();
        if (how == YIELD)
            sched_yield();
        if (how == FUTEX)
            futex(word, FUTEX_WAIT, (int)old);
    }
    return v;
}

static inline long *ping_word(int spot)
{
    return (long *)(shared->ping + spot % SPOTS * STRIDE);
}

static inline long *pong_word(int spot)
{
    return (long *)(shared->pong + spot % SPOTS * STRIDE);
}

struct asker {
    enum wait how;
    int spot;
    long asked;
};

/* Sends the child to the next spot. Both words are zero there before it can look. */
static void move_on(void *arg)
{
    struct asker *a = arg;

    *ping_word(a->spot + 1) = 0;
    *pong_word(a->spot + 1) = 0;
    pass(ping_word(a->spot++), MOVE, a->how);
}

/* One word serves both ways: the parent makes it odd, the child even. */
static inline __attribute__((always_inline)) void ask(struct asker *a, long reps, bool two, enum wait how)
{
    long *const ping = ping_word(a->spot), *const pong = pong_word(a->spot);

    for (long v = 0; v < 2 * reps; v += 2) {
        pass(ping, two ? v + 2 : v + 1, how);
        if (two)
            await(pong, v, how);
        else
            await(ping, v + 1, how);
    }
    a->asked += reps;
}

static inline __attribute__((always_inline)) void answer(bool two, enum wait how)
{
    long v = 0, n = 0;

    for (int spot = 0;;) {
        const long got = await(ping_word(spot), v, how);

        if (got == STOP)
            break;
        if (got == MOVE) {
            spot++;
            v = 0;
            continue;
        }
        n++;
        v = two ? got : got + 1;
        pass(two ? pong_word(spot) : ping_word(spot), v, how);
    }
    shared->served = n;
}

#define HANDOVER(name, two, how)                 \
    static void ask_##name(void *arg, long reps) \
    {                                            \
        ask(arg, reps, two, how);                \
    }                                            \
    static void answer_##name(void)              \
    {                                            \
        answer(two, how);                        \
    }

HANDOVER(spin_one, false, SPIN)
HANDOVER(spin_two, true, SPIN)
HANDOVER(pause_one, false, PAUSE)
HANDOVER(pause_two, true, PAUSE)
HANDOVER(demote_one, false, DEMOTE)
HANDOVER(demote_two, true, DEMOTE)
HANDOVER(yield, true, YIELD)
HANDOVER(futex, true, FUTEX)

struct handover {
    const char *operation, *method, *layout;
    bool across; /* two CPUs, else both processes on one */
    enum wait how;
    bench_body *ask;
    void (*answer)(void);
};

static const struct handover handovers[] = {
    {"cacheline_handover", "plain", "one_word", true, SPIN, ask_spin_one, answer_spin_one},
    {"cacheline_handover", "plain", "two_lines", true, SPIN, ask_spin_two, answer_spin_two},
    {"cacheline_handover", "pause", "one_word", true, PAUSE, ask_pause_one, answer_pause_one},
    {"cacheline_handover", "pause", "two_lines", true, PAUSE, ask_pause_two, answer_pause_two},
    {"cacheline_handover", "cldemote", "one_word", true, DEMOTE, ask_demote_one, answer_demote_one},
    {"cacheline_handover", "cldemote", "two_lines", true, DEMOTE, ask_demote_two, answer_demote_two},
    {"yield_handover", NULL, NULL, false, YIELD, ask_yield, answer_yield},
    {"futex_handover", NULL, NULL, false, FUTEX, ask_futex, answer_futex},
    {"futex_wake", NULL, NULL, true, FUTEX, ask_futex, answer_futex},
};
#define HANDOVERS (int)(sizeof handovers / sizeof *handovers)

static void emit_handover(const struct handover *h, const char *method, const struct bench_series *s, bool right)
{
    struct bench_params p = {0};

    bench_param_text(&p, "operation", h->operation);
    if (method)
        bench_param_text(&p, "method", method);
    if (h->layout)
        bench_param_text(&p, "layout", h->layout);
    bench_report_write(&(struct bench_record){.test = "limits",
                                              .metric = "latency",
                                              .unit = "ns",
                                              .params = &p,
                                              .series = s,
                                              .verified = right,
                                              .has_pair = true,
                                              .pair = {cpu_a, h->across ? cpu_b : cpu_a}});
}

/* Half round trips, ns, into `samples`; false when the child didn't serve every request. */
static bool run_handover(const struct handover *h, double budget)
{
    struct asker a = {.how = h->how};
    pid_t child;

    memset(shared, 0, sizeof *shared);
    fflush(NULL);
    child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        pin(h->across ? cpu_b : cpu_a);
        h->answer();
        _exit(0);
    }
    bench_measure(h->ask, move_on, &a, budget, &samples);
    pass(ping_word(a.spot), STOP, FUTEX);
    waitpid(child, NULL, 0);
    bench_series_scale(&samples, &samples, 0.5);
    return shared->served == a.asked;
}

static void measure_handovers(void)
{
    static struct bench_series all[HANDOVERS];
    bool right[HANDOVERS];
    /* The best of each layout: two PEs that write each other's word can only reach that of two_lines. */
    int best[2] = {-1, -1};

    for (int round = 0; round < HANDOVER_ROUNDS; round++)
        for (int i = 0; i < HANDOVERS; i++) {
            const struct handover *h = &handovers[i];
            const double budget = bench_plan_next("%s %s", h->operation, h->method ? h->method : "");

            if (round == 0)
                right[i] = true;
            if (h->across && cpu_a == cpu_b)
                continue;
            right[i] = run_handover(h, budget) && right[i];
            bench_series_append(&all[i], &samples);
        }
    for (int i = 0; i < HANDOVERS; i++) {
        const struct handover *h = &handovers[i];
        int *b = &best[h->layout && strcmp(h->layout, "two_lines") == 0];

        if (all[i].n == 0)
            continue;
        failures += !right[i];
        emit_handover(h, h->method, &all[i], right[i]);
        if (h->method && right[i] && (*b < 0 || bench_stats(&all[i]).median < bench_stats(&all[*b]).median))
            *b = i;
    }
    for (int k = 0; k < 2; k++)
        if (best[k] >= 0)
            emit_handover(&handovers[best[k]], "best", &all[best[k]], right[best[k]]);
}

/* ---- copies ---- */

struct copy_case {
    const struct bench_copy *how;
    char *to;
    const char *from;
    size_t bytes;
};

static void copy_body(void *arg, long reps)
{
    const struct copy_case *c = arg;

    for (long i = 0; i < reps; i++) {
        c->how->copy(c->to, c->from, c->bytes);
        bench_use(c->to[0]);
    }
}

static bool copies_right(const struct copy_case *c, int round)
{
    const uint64_t seed = bench_pattern_seed(0, c->bytes, round);

    bench_pattern_fill((char *)c->from, c->bytes, seed);
    memset(c->to, 0, c->bytes);
    c->how->copy(c->to, c->from, c->bytes);
    return bench_pattern_check(c->to, c->bytes, seed);
}

static void emit_copy(const struct copy_case *c, const char *method, const struct bench_series *s, bool right,
                      const char *stop)
{
    struct bench_params p = {0};

    bench_param_text(&p, "operation", "copy");
    bench_param_text(&p, "method", method);
    bench_param_integer(&p, "message_bytes", (long)c->bytes);
    if (c->how->name != method)
        bench_param_text(&p, "best_method", c->how->name);
    bench_report_write(&(struct bench_record){.test = "limits",
                                              .metric = "bandwidth",
                                              .unit = "MB/s",
                                              .params = &p,
                                              .series = s,
                                              .verified = right,
                                              .stop = stop});
}

static void measure_copies(size_t bytes, char *to, char *from)
{
    static struct bench_series all[MAX_COPIES];
    enum bench_stop stop[MAX_COPIES];
    int best = -1;

    for (int round = 0; round < ROUNDS; round++)
        for (int m = 0; bench_copies[m].name; m++) {
            struct copy_case c = {&bench_copies[m], to, from, bytes};
            const double budget = bench_plan_next("copy %s %zu", c.how->name, bytes);

            if (round == 0)
                bench_series_clear(&all[m]);
            if (!c.how->usable())
                continue;
            stop[m] = bench_measure(copy_body, NULL, &c, budget, &samples);
            bench_series_append(&all[m], &samples);
        }
    for (int m = 0; bench_copies[m].name; m++) {
        const struct copy_case c = {&bench_copies[m], to, from, bytes};
        bool right;

        if (all[m].n == 0)
            continue;
        right = copies_right(&c, m);
        failures += !right;
        bench_series_invert(&all[m], &all[m], 1e3 * (double)bytes); /* B/ns = 1000 MB/s */
        emit_copy(&c, c.how->name, &all[m], right, bench_stop_name(stop[m]));
        if (right && (best < 0 || bench_stats(&all[m]).median > bench_stats(&all[best]).median))
            best = m;
    }
    if (best >= 0)
        emit_copy(&(struct copy_case){&bench_copies[best], to, from, bytes}, "best", &all[best], true, NULL);
}

/* ---- messages that are written and read ---- */

static void pin_which(int which)
{
    pin(which ? cpu_b : cpu_a);
}

static void measure_written(void)
{
    struct bench_written w = {
        .cpus = {cpu_a, cpu_b}, .pin = pin_which, .words = {&shared->scratch[0], &shared->scratch[256]}};

    for (int i = 0; i < 2; i++) {
        w.out[i] = share("out", BENCH_FRESH_LARGEST);
        w.in[i] = share("in", BENCH_FRESH_LARGEST);
    }
    failures += bench_written_limits(&w, ROUNDS);
}

/* ---- single instructions ---- */

/* Each counts what it did, so that it can be seen that it was done. */
struct single {
    long done;
    int64_t first, last;
};

static void timer_body(void *arg, long reps)
{
    struct single *s = arg;

    for (long i = 0; i < reps; i++)
        bench_use(s->last = bench_now());
    s->done += reps;
}

static bool timer_right(const struct single *s)
{
    return s->last > s->first;
}

static void fetch_add_body(void *arg, long reps)
{
    struct single *s = arg;
    long *const word = &shared->scratch[0];
    unsigned long sum = 0;

    for (long i = 0; i < reps; i++)
        sum += (unsigned long)__atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST);
    bench_use((long)sum);
    s->done += reps;
}

static bool fetch_add_right(const struct single *s)
{
    return shared->scratch[0] == s->done;
}

static void store_body(void *arg, long reps)
{
    struct single *s = arg;

    for (long i = 0; i < reps; i++)
        *(volatile long *)&shared->scratch[i & 511] = i;
    s->done = reps;
}

/* Of the last batch: each place holds the last number that belongs there. */
static bool store_right(const struct single *s)
{
    bool right = true;

    for (long i = s->done > 512 ? s->done - 512 : 0; i < s->done; i++)
        right = right && shared->scratch[i & 511] == i;
    return right;
}

static const struct {
    const char *operation;
    bench_body *body;
    bool (*right)(const struct single *s);
} singles[] = {{"timer", timer_body, timer_right},
               {"fetch_add", fetch_add_body, fetch_add_right},
               {"store", store_body, store_right}};
#define SINGLES (int)(sizeof singles / sizeof *singles)

static void measure_singles(void)
{
    for (int i = 0; i < SINGLES; i++) {
        const double budget = bench_plan_next("%s", singles[i].operation);
        struct single state = {.first = bench_now()};
        struct bench_params p = {0};
        enum bench_stop stop;
        bool right;

        memset(shared, 0, sizeof *shared);
        stop = bench_measure(singles[i].body, NULL, &state, budget, &samples);
        right = singles[i].right(&state);
        failures += !right;
        bench_param_text(&p, "operation", singles[i].operation);
        bench_report_write(&(struct bench_record){.test = "limits",
                                                  .metric = "time",
                                                  .unit = "ns",
                                                  .params = &p,
                                                  .series = &samples,
                                                  .verified = right,
                                                  .stop = bench_stop_name(stop)});
    }
}

/* The CPUs to use: as the options say, else the first two this process may run on. */
static void choose_cpus(long a, long b)
{
    int found[2] = {-1, -1}, n = 0;
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set))
        die("sched_getaffinity");
    for (int c = 0; c < CPU_SETSIZE && n < 2; c++)
        if (CPU_ISSET(c, &set))
            found[n++] = c;
    cpu_a = a >= 0 ? (int)a : found[0];
    cpu_b = b >= 0 ? (int)b : n == 2 ? found[1] : found[0];
    if (cpu_a == cpu_b)
        fprintf(stderr, "limits: only one CPU: nothing between two cores is measured\n");
}

int main(int argc, char **argv)
{
    static long a = -1, b = -1;
    static const struct bench_option own[] = {
        {"cpu-a", BENCH_LONG, &a, "CPU of the first process"},
        {"cpu-b", BENCH_LONG, &b, "CPU of the second process"},
        {NULL, BENCH_FLAG, NULL, NULL},
    };
    int methods = 0, sizes = 0;
    char why[128], *to, *from;

    if (bench_options_parse(argc, argv, own, why, sizeof why)) {
        fprintf(stderr, "limits: %s\n", why);
        return 2;
    }
    if (bench_options.help) {
        bench_options_help(stdout, "limits", "what the bare machine can do", own);
        return 0;
    }
    if (bench_report_open(bench_options.out, "hardware", "hardware"))
        die(bench_options.out);
    choose_cpus(a, b);
    bench_env_write(
        &(struct bench_env){.library = "hardware", .implementation = "hardware", .npes = cpu_a == cpu_b ? 1 : 2});
    pin(cpu_a);
    shared = share("limits", sizeof *shared);
    to = share("to", COPY_MAX);
    from = share("from", COPY_MAX);
    if (bench_options.burner && bench_burner_start())
        die("burner");

    while (bench_copies[methods].name)
        methods++;
    for (size_t n = COPY_MIN; n; n = bench_next_size(n, COPY_MAX))
        sizes++;
    bench_plan_begin(HANDOVERS * HANDOVER_ROUNDS + SINGLES + (sizes * methods + bench_written_cases()) * ROUNDS,
                     bench_options.max_seconds > 0 ? bench_options.max_seconds
                     : bench_options.quick         ? 5
                                                   : 20);
    measure_handovers();
    measure_singles();
    for (size_t n = COPY_MIN; n; n = bench_next_size(n, COPY_MAX))
        measure_copies(n, to, from);
    measure_written();
    bench_plan_end();
    bench_burner_stop();
    bench_env_write_end(NULL);
    return bench_report_close() ? 2 : failures ? 1 : 0;
}
