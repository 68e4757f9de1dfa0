/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The symmetric heap's allocator against a model: who owns each grain. Random
 * steps, exhaustion, wrong pointers, threads, and two processes whose private
 * memory differs but whose answers must not.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/core.h"
#include "harness.h"

enum {
    GRAIN = 64,
    HEAP = 64 << 20,
    GRAINS = HEAP / GRAIN,
    BASE_ALIGN = 2 << 20,
    LIVE = 4096, /* blocks in use at most */
#ifdef __SANITIZE_THREAD__ /* every access is checked: fifty times slower */
    STEPS = 50000,
#else
    STEPS = 1000000,
#endif
    THREADS = 4,
};

struct live {
    unsigned char *p;
    size_t n; /* as asked for */
    unsigned char stamp;
};

static unsigned char *base;
static struct live live[LIVE];
static unsigned count;
static uint16_t owner[GRAINS]; /* index in live[] + 1, 0: free */
static uint64_t offsets_hash = 0xcbf29ce484222325u;

static void note_offset(const void *p)
{
    offsets_hash = (offsets_hash ^ (p ? (uint64_t)((const unsigned char *)p - base) : 1)) * 0x100000001b3u;
}

static void *aligned_area(size_t n)
{
    char *p = mmap(NULL, n + BASE_ALIGN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    EXPECT(p != MAP_FAILED, "mmap");
    return p + (-(uintptr_t)p & (BASE_ALIGN - 1));
}

static size_t grains(size_t n)
{
    return (n + GRAIN - 1) / GRAIN;
}

static void stamp(const struct live *b)
{
    b->p[0] = b->p[b->n / 2] = b->p[b->n - 1] = b->stamp;
}

static void verify(const struct live *b, size_t upto)
{
    EXPECT(b->p[0] == b->stamp, "first byte of a block of %zu bytes", b->n);
    EXPECT(b->n / 2 >= upto || b->p[b->n / 2] == b->stamp, "middle of a block of %zu bytes", b->n);
    EXPECT(b->n - 1 >= upto || b->p[b->n - 1] == b->stamp, "last byte of a block of %zu bytes", b->n);
}

static void own(unsigned i, bool take)
{
    size_t first = (size_t)(live[i].p - base) / GRAIN, n = grains(live[i].n);

    EXPECT(live[i].p >= base && live[i].p + live[i].n <= base + HEAP, "block of %zu bytes outside the heap", live[i].n);
    for (size_t g = first; g < first + n; g++) {
        EXPECT(owner[g] == (take ? 0 : i + 1), "grain %zu belongs to block %d", g, owner[g] - 1);
        owner[g] = take ? (uint16_t)(i + 1) : 0;
    }
}

/* Does the model know a place for n bytes? */
static bool has_room(size_t n, size_t align)
{
    size_t run = 0, step = align > GRAIN ? align / GRAIN : 1;

    for (size_t g = 0; g < GRAINS; g++) {
        if (owner[g] || (run == 0 && g % step != 0))
            run = 0;
        else if (++run == grains(n))
            return true;
    }
    return false;
}

static size_t random_size(uint64_t *r)
{
    unsigned kind = (unsigned)check_random_below(r, 100);

    if (kind < 70)
        return 1 + check_random_below(r, 2048);
    return 1 + check_random_below(r, kind < 98 ? 32768 : 1 << 20);
}

static void step_alloc(uint64_t *r)
{
    size_t n = random_size(r), align = check_random_below(r, 4) ? 0 : 1ul << check_random_below(r, 17);
    unsigned char *p = core_heap_alloc(n, align);

    note_offset(p);
    if (!p) {
        EXPECT(!has_room(n, align), "%zu bytes aligned to %zu not found, though there is room", n, align);
        return;
    }
    EXPECT((uintptr_t)p % 16 == 0 && (align == 0 || (uintptr_t)p % align == 0), "%p for alignment %zu", (void *)p,
           align);
    EXPECT(core_heap_size_of(p) >= n, "size_of %zu for %zu bytes", core_heap_size_of(p), n);
    live[count] = (struct live){p, n, (unsigned char)check_random(r)};
    own(count, true);
    stamp(&live[count]);
    count++;
}

static void step_free(uint64_t *r)
{
    unsigned i = (unsigned)check_random_below(r, count);

    verify(&live[i], SIZE_MAX);
    own(i, false);
    EXPECT(core_heap_free(live[i].p) == 0, "free of block %u", i);
    EXPECT(core_heap_free(live[i].p) == -EINVAL, "second free of block %u", i);
    if (i != --count) {
        own(count, false);
        live[i] = live[count];
        own(i, true);
    }
}

static void step_resize(uint64_t *r)
{
    unsigned i = (unsigned)check_random_below(r, count);
    struct live *b = &live[i];
    size_t n = check_random_below(r, 3) ? 1 + check_random_below(r, 2 * b->n) : random_size(r);
    unsigned char *p = core_heap_resize(b->p, n);

    note_offset(p);
    if (!p) {
        EXPECT(n > b->n, "no room to shrink from %zu to %zu", b->n, n);
        verify(b, SIZE_MAX);
        return;
    }
    own(i, false);
    b->p = p;
    verify(b, n);
    b->n = n;
    own(i, true);
    stamp(b);
}

static void expect_one_free_block(void)
{
    size_t used, largest, total;

    core_heap_stat(&used, &largest, &total);
    EXPECT(used == 0 && largest == HEAP && total == HEAP, "used %zu, largest %zu of %zu after all was freed", used,
           largest, total);
}

static void random_steps(uint64_t seed, unsigned steps)
{
    uint64_t r = seed;
    size_t used, largest, total, model = 0;

    EXPECT(core_heap_init(base, HEAP) == 0, "init");
    for (unsigned s = 0; s < steps; s++) {
        unsigned what = (unsigned)check_random_below(&r, 10);
        /* Fill for a while, empty for a while: both full and fragmented are visited. */
        unsigned fill = s / 100000 % 2 ? 4 : 6;

        if (count == 0 || (what < fill && count < LIVE))
            step_alloc(&r);
        else if (what < 8)
            step_free(&r);
        else
            step_resize(&r);
    }
    for (unsigned i = 0; i < count; i++)
        model += grains(live[i].n) * GRAIN;
    core_heap_stat(&used, &largest, &total);
    EXPECT(used == model && total == HEAP, "used %zu, the model says %zu", used, model);
    while (count)
        step_free(&r);
    expect_one_free_block();
}

/* The same steps in another process, at another address and with other private memory. */
static uint64_t hash_elsewhere(unsigned noise, unsigned steps)
{
    uint64_t hash;
    int fd[2];
    pid_t pid;

    EXPECT(pipe(fd) == 0, "pipe");
    pid = fork();
    if (pid == 0) {
        for (unsigned i = 0; i < noise; i++)
            *(volatile char *)malloc(100 + 1000 * i) = 1;
        base = aligned_area(HEAP);
        random_steps(42, steps);
        exit(write(fd[1], &offsets_hash, sizeof offsets_hash) != sizeof offsets_hash);
    }
    close(fd[1]);
    EXPECT(read(fd[0], &hash, sizeof hash) == sizeof hash, "process with noise %u failed", noise);
    close(fd[0]);
    waitpid(pid, NULL, 0);
    return hash;
}

static void test_determinism(void)
{
    uint64_t a = hash_elsewhere(0, STEPS / 5), b = hash_elsewhere(57, STEPS / 5);

    EXPECT(a == b, "two processes got different offsets");
    EXPECT(a != offsets_hash, "the hash tells nothing");
}

static void test_wrong_pointers(void)
{
    char *p, *q;
    int other;

    core_heap_init(base, HEAP);
    p = core_heap_alloc(100, 0);
    q = core_heap_alloc(100, 0);
    EXPECT(p && q && p != q, "two blocks");
    EXPECT(core_heap_free(p + 16) == -EINVAL && core_heap_free(p + GRAIN) == -EINVAL, "free inside a block");
    EXPECT(core_heap_free(NULL) == -EINVAL && core_heap_free(&other) == -EINVAL, "free of a foreign pointer");
    EXPECT(core_heap_free(base - GRAIN) == -EINVAL && core_heap_free(base + HEAP) == -EINVAL, "free outside");
    EXPECT(core_heap_free(base + HEAP / 2) == -EINVAL, "free of free memory");
    EXPECT(core_heap_size_of(p + GRAIN) == 0 && core_heap_size_of(NULL) == 0, "size of no block");
    EXPECT(!core_heap_resize(&other, 8) && !core_heap_resize(q + 1, 8), "resize of no block");
    EXPECT(core_heap_free(p) == 0 && core_heap_free(p) == -EINVAL, "double free");
    EXPECT(!core_heap_alloc(0, 0), "no bytes");
    EXPECT(!core_heap_alloc(8, 1ul << 62), "more than the base's alignment");
    EXPECT(core_heap_free(q) == 0, "free");
    expect_one_free_block();
}

static void test_exhaustion(void)
{
    char *p, *first = NULL, *last = NULL;
    size_t n = 0;

    core_heap_init(base, HEAP);
    EXPECT(!core_heap_alloc(HEAP + 1, 0) && !core_heap_alloc(SIZE_MAX, 0), "more than there is");
    p = core_heap_alloc(HEAP, 0);
    EXPECT(p == (char *)base && !core_heap_alloc(1, 0) && core_heap_free(p) == 0, "the whole heap");
    while ((p = core_heap_alloc(GRAIN, 0))) {
        first = first ? first : p;
        last = p;
        n++;
    }
    EXPECT(n == GRAINS, "%zu blocks of one grain in %d", n, GRAINS);
    EXPECT(core_heap_free(last - GRAIN) == 0 && core_heap_resize(last - 2 * GRAIN, 2 * GRAIN) == last - 2 * GRAIN,
           "growth into the free grain behind");
    EXPECT(!core_heap_resize(first, 2 * GRAIN) && core_heap_resize(first, 1) == first, "no growth when full");
    EXPECT(core_heap_free(last - 2 * GRAIN) == 0, "free");
    EXPECT(!core_heap_alloc(2 * GRAIN, 2 * GRAIN) && core_heap_alloc(2 * GRAIN, 0) == last - 2 * GRAIN,
           "a hole that fits exactly");
    for (p = (char *)base; p < (char *)base + HEAP; p += GRAIN)
        if (p != last - GRAIN)
            EXPECT(core_heap_free(p) == 0, "free of grain %zu", (size_t)(p - (char *)base) / GRAIN);
    expect_one_free_block();
}

/* A smaller hole that is the best fit is taken before the large rest, also behind an alignment. */
static void test_fit(void)
{
    char *a, *b, *hole;

    core_heap_init(base, HEAP);
    a = core_heap_alloc(GRAIN, 0);
    hole = core_heap_alloc(50000, 0);
    b = core_heap_alloc(GRAIN, 0);
    core_heap_free(hole);
    EXPECT(core_heap_alloc(49999, 0) == hole, "the hole fits best");
    core_heap_free(hole);
    hole = core_heap_alloc(8192, 8192);
    EXPECT(hole > a && hole < b && (uintptr_t)hole % 8192 == 0, "an aligned block inside the hole");
    EXPECT(core_heap_resize(hole, 100) == hole && core_heap_resize(hole, 8192) == hole, "shrink and grow in place");
    core_heap_free(hole);
    core_heap_free(a);
    core_heap_free(b);
    expect_one_free_block();
}

/* A block that fits is found behind any number that are nearly large enough. */
static void test_crowd(void)
{
    enum { HOLES = 100, SMALL = 64 * GRAIN, LARGE = 65 * GRAIN };
    char *hole[HOLES];

    core_heap_init(base, HEAP);
    for (int i = 0; i < HOLES; i++) {
        hole[i] = core_heap_alloc(i ? SMALL : LARGE, 0);
        EXPECT(hole[i] && core_heap_alloc(1, 0), "hole %d and its wall", i);
    }
    for (size_t n = HEAP; n >= GRAIN; n /= 2)
        while (core_heap_alloc(n, 0))
            continue;
    for (int i = 0; i < HOLES; i++)
        EXPECT(core_heap_free(hole[i]) == 0, "hole %d", i);
    EXPECT(core_heap_alloc(LARGE, 0) == hole[0], "the one hole that is large enough");
    EXPECT(!core_heap_alloc(LARGE, 0) && core_heap_alloc(SMALL, 0), "only smaller ones are left");
}

static void *hammer(void *arg)
{
    enum { MINE = 64, ROUNDS = 200000 };
    uint64_t r = 1 + (uintptr_t)arg;
    struct live mine[MINE] = {0};

    for (int round = 0; round < ROUNDS; round++) {
        struct live *b = &mine[check_random_below(&r, MINE)];

        if (b->p) {
            verify(b, SIZE_MAX);
            EXPECT(core_heap_free(b->p) == 0, "free in a thread");
            b->p = NULL;
        } else {
            *b = (struct live){core_heap_alloc(1000, 0), 1 + check_random_below(&r, 1000),
                               (unsigned char)check_random(&r)};
            EXPECT(b->p, "alloc in a thread");
            b->p = core_heap_resize(b->p, b->n);
            EXPECT(b->p, "resize in a thread");
            stamp(b);
        }
    }
    for (int i = 0; i < MINE; i++)
        if (mine[i].p)
            core_heap_free(mine[i].p);
    return NULL;
}

static void test_threads(void)
{
    pthread_t t[THREADS];

    core_heap_init(base, HEAP);
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, hammer, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    expect_one_free_block();
}

int main(void)
{
    double start;

    base = aligned_area(HEAP);
    test_wrong_pointers();
    test_exhaustion();
    test_fit();
    test_crowd();
    test_determinism();
    test_threads();
    start = check_seconds();
    random_steps(20240229, STEPS);
    printf("%d random steps with their model in %.2f s\n", STEPS, check_seconds() - start);
    return 0;
}
