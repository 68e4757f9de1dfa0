/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The random program's operations of SHMEM. Each PE has a slot at each other one, which nobody else writes, so that it
 * knows what is in there; sums and bits that all change are compared when accounts are settled.
 */
#include "random.h"

static struct {
    char *slots;       /* of all PEs, here */
    uint64_t *signals; /* from each PE */
    struct {
        uint64_t seed;
        size_t n;
    } *written; /* what is in this PE's slot at each */
    uint64_t added, flipped, locked; /* by this PE, to whomever */
} s;
static uint64_t counter, bits, guarded; /* symmetric; the last one is PE 0's */
static long lock;

void random_shmem_start(void)
{
    memset(&s, 0, sizeof s);
    counter = bits = guarded = 0;
    s.slots = shmem_calloc((size_t)mc_size, RANDOM_SLOT);
    s.signals = shmem_calloc((size_t)mc_size, sizeof *s.signals);
    s.written = calloc((size_t)mc_size, sizeof *s.written);
    EXPECT(s.slots && s.signals && s.written, "no memory");
}

static char *slot(void)
{
    return s.slots + (size_t)mc_rank * RANDOM_SLOT;
}

static void put(int pe)
{
    static char from[RANDOM_SLOT];
    const size_t n = 1 + (size_t)random_choose(RANDOM_SLOT);

    s.written[pe].seed = check_random(&random_run.own);
    s.written[pe].n = n;
    check_fill(from, n, s.written[pe].seed);
    shmem_fence(); /* after an earlier one to the same slot */
    switch (random_choose(3)) {
    case 0:
        shmem_putmem(slot(), from, n, pe);
        break;
    case 1:
        shmem_putmem_nbi(slot(), from, n, pe);
        shmem_quiet(); /* `from` is used again */
        break;
    default:
        shmem_putmem_signal(slot(), from, n, &s.signals[mc_rank], 1, SHMEM_SIGNAL_ADD, pe);
        random_run.to[pe].signals++;
    }
}

static void get(int pe)
{
    char to[RANDOM_SLOT];

    shmem_quiet(); /* this PE's last put */
    shmem_getmem(to, slot(), s.written[pe].n, pe);
    check_verify(to, s.written[pe].n, s.written[pe].seed, "what a put left");
}

static void change(int pe)
{
    const uint64_t v = check_random(&random_run.own);
    uint64_t old, seen;

    switch (random_choose(4)) {
    case 0:
        shmem_uint64_atomic_add(&counter, v, pe);
        s.added += v;
        break;
    case 1:
        shmem_uint64_atomic_fetch_add(&counter, v, pe);
        s.added += v;
        break;
    case 2:
        for (old = shmem_uint64_atomic_fetch(&counter, pe);; old = seen)
            if ((seen = shmem_uint64_atomic_compare_swap(&counter, old, old + v, pe)) == old)
                break;
        s.added += v;
        break;
    default:
        shmem_uint64_atomic_xor(&bits, v, pe);
        s.flipped ^= v;
    }
}

/* A change that is not atomic. */
static void under_lock(void)
{
    if (random_choose(8) == 0) {
        if (shmem_test_lock(&lock) != 0)
            return;
    } else {
        shmem_set_lock(&lock);
    }
    shmem_uint64_p(&guarded, shmem_uint64_g(&guarded, 0) + 1, 0);
    shmem_quiet();
    shmem_clear_lock(&lock);
    s.locked++;
}

void random_shmem_one(int pe)
{
    const long what = random_choose(64);

    if (what == 0)
        under_lock();
    else if (what <= 20)
        put(pe);
    else if (what <= 40)
        get(pe);
    else
        change(pe);
}

void random_shmem_settle(void)
{
    uint64_t sums[4] = {s.added, counter, s.locked, guarded}, flips[2] = {s.flipped, bits};

    for (int pe = 0; pe < mc_size; pe++) {
        const uint64_t due = (uint64_t)random_run.due[pe].signals;

        shmem_signal_wait_until(&s.signals[pe], SHMEM_CMP_GE, due);
        CHECK(s.signals[pe] == due, "%llu signals of PE %d, not %llu", (unsigned long long)s.signals[pe], pe,
              (unsigned long long)due);
    }
    OK(MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD));
    OK(MPI_Allreduce(MPI_IN_PLACE, flips, 2, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD));
    CHECK(sums[0] == sums[1], "the counters are %llx, not %llx", (unsigned long long)sums[1],
          (unsigned long long)sums[0]);
    CHECK(sums[2] == sums[3], "%llu changes under the lock, not %llu", (unsigned long long)sums[3],
          (unsigned long long)sums[2]);
    CHECK(flips[0] == flips[1], "the bits are %llx, not %llx", (unsigned long long)flips[1],
          (unsigned long long)flips[0]);
}

void random_shmem_end(void)
{
    shmem_barrier_all();
    shmem_free(s.slots);
    shmem_free(s.signals);
    free(s.written);
}
