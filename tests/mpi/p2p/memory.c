/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Large blocks of malloc in an MPI program behave as malloc's always do, wherever
 * they are made: contents, alignment, realloc, calloc's zeros, threads; a forked
 * child and its parent do not see each other's changes; and they are sent.
 */
#include <errno.h>
#include <malloc.h>
#include <mcheck.h>
#include <pthread.h>
#include <sys/wait.h>

enum { SLOTS = 24, STEPS = 600, THREADS = 3, LARGE = 3 << 20 };

enum { COUNTERS = 100000 };
static int counters[COUNTERS]; /* the last page is touched by a child only */

struct slot {
    unsigned char *p;
    size_t n;
    uint64_t seed;
};

static size_t size_of(uint64_t *rng)
{
    return 1 + check_random_below(rng, check_random_below(rng, 3) ? 300000 : 2000);
}

static void check_slot(const struct slot *s, size_t n, const char *what)
{
    size_t same = check_differs(s->p, n, s->seed);

    CHECK(same == n && malloc_usable_size(s->p) >= s->n, "%s: a block of %zu bytes differs at %zu; usable %zu", what,
          s->n, same, malloc_usable_size(s->p));
}

static void take(struct slot *s, uint64_t *rng)
{
    size_t align = sizeof(void *) << check_random_below(rng, 12);
    void *p = NULL;

    s->n = size_of(rng);
    s->seed = check_random(rng);
    switch (check_random_below(rng, 4)) {
    case 0:
        s->p = calloc(s->n, 1);
        for (size_t i = 0; i < s->n; i++)
            if (s->p[i] != 0) {
                CHECK(false, "calloc(%zu): byte %zu is %u", s->n, i, s->p[i]);
                break;
            }
        break;
    case 1:
        CHECK(posix_memalign(&p, align, s->n) == 0 && (uintptr_t)p % align == 0, "posix_memalign(%zu, %zu) gives %p",
              align, s->n, p);
        s->p = p;
        break;
    case 2:
        s->p = aligned_alloc(align, (s->n + align - 1) / align * align); /* the sanitizers insist on whole multiples */
        CHECK((uintptr_t)s->p % align == 0, "aligned_alloc(%zu, %zu) gives %p", align, s->n, (void *)s->p);
        break;
    default:
        s->p = malloc(s->n);
    }
    CHECK(s->p != NULL && (uintptr_t)s->p % _Alignof(max_align_t) == 0, "%zu bytes: %p", s->n, (void *)s->p);
    check_fill(s->p, s->n, s->seed);
}

static void resize(struct slot *s, uint64_t *rng)
{
    size_t n = size_of(rng);

    s->p = realloc(s->p, n);
    check_slot(&(struct slot){s->p, n, s->seed}, n < s->n ? n : s->n, "realloc");
    s->n = n;
    check_fill(s->p, n, s->seed);
}

static void *churn(void *arg)
{
    uint64_t rng = check_seed(99 + (uint64_t)(uintptr_t)arg);
    struct slot slots[SLOTS] = {{0}};

    for (int step = 0; step < STEPS; step++) {
        struct slot *s = &slots[check_random_below(&rng, SLOTS)];

        if (!s->p) {
            take(s, &rng);
            continue;
        }
        check_slot(s, s->n, "kept");
        if (check_random_below(&rng, 2)) {
            resize(s, &rng);
        } else {
            free(s->p);
            s->p = NULL;
        }
    }
    for (int i = 0; i < SLOTS; i++)
        free(slots[i].p);
    return NULL;
}

static void threads(void)
{
    pthread_t t[THREADS];

    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&t[i], NULL, churn, (void *)i) == 0, "thread %d", (int)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
}

/* What a child finds is what was there at the fork, though the parent goes on at once. */
static void forked(void)
{
    unsigned char *full = malloc(LARGE), *untouched = malloc(LARGE), *gone = malloc(LARGE);
    int status = -1;
    pid_t child;

    check_fill(full, LARGE, 1);
    check_fill(gone, LARGE, 2);
    free(gone);
    fflush(NULL);
    child = fork();
    if (child == 0) {
        unsigned char *fresh;
        bool ok;

        usleep(20000);
        ok = check_differs(full, LARGE, 1) == LARGE;
        check_fill(full, LARGE, 3);
        check_fill(untouched, LARGE, 3);
        counters[COUNTERS - 1] = 7;
        fresh = malloc(LARGE);
        check_fill(fresh, LARGE, 4);
        free(full);
        full = realloc(untouched, 2 * LARGE);
        child = fork(); /* a child's child has the child's memory */
        if (child == 0)
            _exit(check_differs(full, LARGE, 3) == LARGE && check_differs(fresh, LARGE, 4) == LARGE &&
                          counters[COUNTERS - 1] == 7
                      ? 0
                      : 1);
        ok = ok && child > 0 && waitpid(child, &status, 0) == child && status == 0;
        ok = ok && check_differs(full, LARGE, 3) == LARGE && check_differs(fresh, LARGE, 4) == LARGE;
        _exit(ok ? 0 : 1);
    }
    CHECK(child > 0, "fork: %s", strerror(errno));
    check_fill(full, LARGE, 5);
    memset(untouched, 6, LARGE);
    CHECK(waitpid(child, &status, 0) == child && status == 0, "the child's status is %#x", status);
    CHECK(check_differs(full, LARGE, 5) == LARGE, "the child's changes are seen by the parent");
    for (size_t i = 0; i < LARGE; i++)
        if (untouched[i] != 6) {
            CHECK(false, "the child's changes are seen by the parent at %zu", i);
            break;
        }
    free(full);
    free(untouched);
}

static void extremes(void)
{
    volatile size_t most = SIZE_MAX - 5000; /* volatile: compilers know that it is too much */
    void *none = malloc(most), *product = calloc(most / 2, 4), *p = malloc(LARGE), *volatile same = p;
    char *zero = calloc(1, 64 << 20); /* what large ones hold is the system's zeros, untouched */

    CHECK(!none && !product, "more memory than there is");
    CHECK(!realloc(p, most) && malloc_usable_size(same) >= LARGE, "a block that cannot grow stays");
    CHECK(zero && zero[0] == 0 && zero[40 << 20] == 0 && zero[(64 << 20) - 1] == 0, "64 MiB of zeros");
    free(zero);
    free(same);
    free(NULL);
    p = realloc(NULL, LARGE);
    CHECK(p != NULL, "realloc of nothing");
    CHECK(posix_memalign((void **)&zero, 3, LARGE) == EINVAL, "an alignment of 3");
    free(p);
}

/* Is it where peers can read it? Not told where the process has another malloc or no peers of its node. */
static void shared(void)
{
    unsigned char *p = malloc(LARGE);
    unsigned long lo, hi;
    bool found = false;
    char line[512];
    FILE *f = fopen("/proc/self/maps", "r");

    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "%lx-%lx", &lo, &hi) == 2 && (uintptr_t)p >= lo && (uintptr_t)p < hi)
            found = strstr(line, "memfd:") != NULL;
    if (f)
        fclose(f);
    CHECK(found == (getenv("EXPECT_SHARED") && mc_size > 1), "shared: %d", found);
    free(p);
}

static void sent(void)
{
    unsigned char *out = malloc(LARGE), *in = malloc(LARGE);
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size;

    check_fill(out, LARGE, (uint64_t)mc_rank);
    OK(MPI_Sendrecv(out, LARGE, MPI_BYTE, right, 0, in, LARGE, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(check_differs(in, LARGE, (uint64_t)left) == LARGE, "the message differs at %zu",
          check_differs(in, LARGE, (uint64_t)left));
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    unsigned char *before = malloc(LARGE), *kept;

    (void)argv;
    mc_start_threads();
    check_fill(before, LARGE, 8);
    before = realloc(before, 2 * LARGE);
    CHECK(check_differs(before, LARGE, 8) == LARGE, "a block from before MPI_Init");
    free(before);
    if (argc > 1)
        shared();
    sent();
    forked();
    extremes();
    threads();
    forked();
    kept = malloc(LARGE);
    check_fill(kept, LARGE, 9);
    argc = mc_finish();
    if (check_differs(kept, LARGE, 9) != LARGE)
        return 1;
    free(kept);
    free(malloc(LARGE));
    return argc;
}
