/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Complex Fourier transforms by FFTW, plans made by measuring and not timed. In cache the same two vectors are used
 * again; from memory each transform takes two others, and all of them together are larger than the caches.
 */
#include "libs.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#define SHORTEST 64
#define MEASURE 0u   /* FFTW's flag */
#define FORWARD (-1) /* and its sign */
#define MOST_BYTES (512ul << 20)

static struct {
    void *(*plan)(int n, double complex *in, double complex *out, int sign, unsigned flags);
    void (*execute)(const void *plan, double complex *in, double complex *out);
    void (*destroy)(void *plan);
} fftw;

struct transform {
    int n;
    void *plan;
    double complex *in, *out; /* one behind the other */
    size_t vectors, next;
};

static void transform(void *arg, long reps)
{
    struct transform *const t = arg;

    for (long i = 0; i < reps; i++) {
        const size_t at = t->next * (size_t)t->n;

        fftw.execute(t->plan, t->in + at, t->out + at);
        t->next = t->next + 1 == t->vectors ? 0 : t->next + 1;
    }
}

/* A few frequencies by the definition; the largest error against the largest possible value. */
static bool right(const struct transform *t, size_t vector)
{
    const double complex *const in = t->in + vector * (size_t)t->n, *const out = t->out + vector * (size_t)t->n;

    for (int f = 0; f < 4; f++) {
        const int frequency = f * (t->n / 3 - 1);
        double complex sum = 0;

        for (long i = 0; i < t->n; i++)
            sum += in[i] * cexp(-2 * M_PI * I * (double)(i * frequency % t->n) / t->n);
        if (!(cabs(sum - out[frequency]) <= 1e-12 * t->n))
            return false;
    }
    return true;
}

/* Twice the last cache, as far as the system tells it. */
static size_t beyond_caches(void)
{
    const long last = sysconf(_SC_LEVEL3_CACHE_SIZE), bytes = 2 * (last > 0 ? last : 32l << 20);

    return (size_t)bytes < MOST_BYTES ? (size_t)bytes : MOST_BYTES;
}

static bool load(void)
{
    void *const handle = file_open(fftw_file);

    if (!handle)
        return false;
    *(void **)&fftw.plan = dlsym(handle, "fftw_plan_dft_1d");
    *(void **)&fftw.execute = dlsym(handle, "fftw_execute_dft");
    *(void **)&fftw.destroy = dlsym(handle, "fftw_destroy_plan");
    return fftw.plan && fftw.execute && fftw.destroy;
}

static bool run_length(struct transform *t, bool from_memory)
{
    static struct bench_series times, rates;
    const double budget = bench_plan_next("FFT, n = %d, %s", t->n, from_memory ? "from memory" : "in cache");
    struct bench_params p = {0};
    enum bench_stop stop;
    bool good = true;

    t->next = 0;
    stop = bench_measure(transform, NULL, t, budget, &times);
    for (size_t v = 0; v < (from_memory ? 2u : 1u); v++) {
        t->next = v;
        transform(t, 1);
        good = good && right(t, v);
    }
    if (!good)
        fprintf(stderr, "libs: FFTW, n = %d: the result is wrong\n", t->n);
    bench_param_integer(&p, "n", t->n);
    bench_param_text(&p, "data", from_memory ? "from memory" : "in-cache");
    bench_param_text(&p, "flops", "5 n log2 n");
    bench_param_text(&p, "by", "FFTW");
    bench_series_invert(&rates, &times, 5e3 * t->n * log2(t->n));
    bench_report_write(&(struct bench_record){.test = "CCFFT",
                                              .metric = "rate",
                                              .unit = "Mflop/s",
                                              .params = &p,
                                              .series = &rates,
                                              .verified = good,
                                              .stop = bench_stop_name(stop)});
    return good;
}

static void fill(double complex *in, size_t n)
{
    for (size_t i = 0; i < n; i++)
        in[i] = (double)(i * 2654435761u % 4096) / 2048 - 1 + ((double)(i * 40503u % 8192) / 4096 - 1) * I;
}

/* Short runs leave out every other length. */
static int step(void)
{
    return bench_options.quick ? 4 : 2;
}

int fft_cases(int longest)
{
    int n = 0;

    for (int length = SHORTEST; length <= longest; length *= step())
        n += 2;
    return n;
}

bool fft_run(int longest)
{
    const size_t bytes = beyond_caches(), elements = bytes / 2 / sizeof(double complex);
    struct transform t = {.in = aligned_alloc(4096, bytes / 2 / 4096 * 4096),
                          .out = aligned_alloc(4096, bytes / 2 / 4096 * 4096)};
    bool good = true;

    if (!t.in || !t.out || !load()) {
        fprintf(stderr, "libs: FFTW: not enough memory, or its functions are not in %s\n", fftw_file);
        exit(2);
    }
    for (t.n = SHORTEST; t.n <= longest; t.n *= step()) {
        t.plan = fftw.plan(t.n, t.in, t.out, FORWARD, MEASURE);
        fill(t.in, elements / 256 * 256);
        fill(t.out, elements / 256 * 256); /* no page is met for the first time */
        t.vectors = 1;
        good = run_length(&t, false) && good;
        t.vectors = elements / (size_t)t.n - 1;
        good = run_length(&t, true) && good;
        fftw.destroy(t.plan);
    }
    free(t.in);
    free(t.out);
    return good;
}
