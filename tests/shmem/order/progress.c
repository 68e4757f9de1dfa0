/* SPDX-License-Identifier: BSD-3-Clause */
/* True one-sidedness: while PE 0 computes without any library call, the others finish puts, gets, atomics, signals and
 * critical sections on its heap and its globals, and find it still computing. It goes on until its memory says that
 * all have finished, however slow the machine is. Where a library needs the target's help, they would wait until it
 * gives up. PEs on other nodes need a thread that serves them meanwhile, which starts by
 * itself unless MPT_PROGRESS_THREAD=0. */
#include "../../check.h"

#define COMPUTE 20 /* seconds, at most */
#define OPERATIONS 200
#define SECTIONS 30
#define BLOCK 4096
#define LARGEST_JOB 64

struct shared {
    long words[LARGEST_JOB], counter, inside, sections;
    uint64_t signal_word;
    unsigned char blocks[LARGEST_JOB][BLOCK];
};

static struct shared global;
static long global_lock;
static volatile long computing, finished[LARGEST_JOB];

static bool others_finished(void)
{
    for (int pe = 1; pe < check_npes; pe++)
        if (!finished[pe])
            return false;
    return true;
}

static double compute(double seconds)
{
    double end = check_seconds() + seconds, x = 1;

    do
        for (int i = 0; i < 1000; i++)
            x = x * 1.0000001 + 1e-9;
    while (check_seconds() < end && !others_finished());
    return x;
}

static void put_and_get(struct shared *s)
{
    unsigned char block[BLOCK], copy[BLOCK];
    long strided[2] = {0, 0};

    for (int i = 0; i < OPERATIONS; i++) {
        shmem_long_p(&s->words[check_me], i, 0);
        shmem_quiet();
        CHECK(shmem_long_g(&s->words[check_me], 0) == i, "g returned %ld, expected %d",
              shmem_long_g(&s->words[check_me], 0), i);
        check_fill(block, BLOCK, (uint64_t)(i + check_me));
        shmem_putmem_nbi(s->blocks[check_me], block, BLOCK, 0);
        shmem_quiet();
        shmem_getmem(copy, s->blocks[check_me], BLOCK, 0);
        check_verify(copy, BLOCK, (uint64_t)(i + check_me), "block got back");
        shmem_long_iget(strided, s->words, 1, check_me, 2, 0);
        CHECK(strided[1] == i, "iget returned %ld, expected %d", strided[1], i);
    }
}

static void atomics(struct shared *s)
{
    long last = -1;

    for (int i = 0; i < OPERATIONS; i++) {
        long old = shmem_long_atomic_fetch_inc(&s->counter, 0);
        CHECK(old > last, "fetch_inc returned %ld after %ld", old, last);
        last = old;
        shmem_signal_add(&s->signal_word, 1, 0);
    }
    shmem_quiet();
}

static void critical_sections(struct shared *s, long *lock)
{
    for (int i = 0; i < SECTIONS; i++) {
        shmem_set_lock(lock);
        CHECK(shmem_long_atomic_fetch_inc(&s->inside, 0) == 0, "another PE is inside the critical section");
        shmem_long_p(&s->sections, shmem_long_g(&s->sections, 0) + 1, 0);
        shmem_quiet();
        shmem_long_atomic_add(&s->inside, -1, 0);
        shmem_clear_lock(lock);
    }
}

static void work(struct shared *s, long *lock, const char *where)
{
    double start = check_seconds();

    put_and_get(s);
    atomics(s);
    critical_sections(s, lock);
    CHECK(shmem_long_g((const long *)&computing, 0) == 1, "%s: done after %.3f s, when PE 0 had stopped computing",
          where, check_seconds() - start);
}

static void expect(const struct shared *s, const char *where)
{
    long others = check_npes - 1;

    CHECK(s->counter == others * OPERATIONS, "%s: the counter is %ld, expected %ld", where, s->counter,
          others * OPERATIONS);
    CHECK(s->signal_word == (uint64_t)others * OPERATIONS, "%s: the signal is %llu, expected %ld", where,
          (unsigned long long)s->signal_word, others * OPERATIONS);
    CHECK(s->sections == others * SECTIONS, "%s: %ld critical sections, expected %ld", where, s->sections,
          others * SECTIONS);
}

int main(void)
{
    struct shared *heap;
    long *heap_lock;

    check_start();
    if (check_npes > LARGEST_JOB)
        check_skip("more PEs than this test has room for");
    const char *thread = getenv("MPT_PROGRESS_THREAD");
    if (check_network() && thread && strcmp(thread, "0") == 0)
        check_skip("with MPT_PROGRESS_THREAD=0 a PE that computes serves no other node");
    heap = shmem_calloc(1, sizeof *heap);
    heap_lock = shmem_calloc(1, sizeof *heap_lock);
    REQUIRE(heap && heap_lock, "no memory for %zu bytes", sizeof *heap);
    computing = 1;
    shmem_barrier_all();
    if (check_me == 0 && check_npes > 1)
        CHECK(compute(COMPUTE) > 1, "the computation went wrong");
    computing = 0;
    if (check_me != 0) {
        work(heap, heap_lock, "heap");
        work(&global, &global_lock, "globals");
        shmem_long_p((long *)&finished[check_me], 1, 0);
        shmem_quiet();
    }
    shmem_barrier_all();
    if (check_me == 0) {
        expect(heap, "heap");
        expect(&global, "globals");
    }
    shmem_free(heap_lock);
    shmem_free(heap);
    return check_finish();
}
