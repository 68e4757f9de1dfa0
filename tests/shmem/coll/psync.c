/* SPDX-License-Identifier: BSD-3-Clause */
/* Active-set collectives without barriers between them: two pSync arrays and two results in turn, as programs of the
 * T3D did, on one set and on alternating overlapping sets, with random delays. A collective in which everybody needs
 * everybody's data proves, when it returns, that all have left the one before it. */
#include "typed.h"

enum { ROUNDS = 400, WORDS = 24 };

struct ring {
    struct active_set set;
    long *p_sync[2];
    long *work[2], *source[2], *dest[2];
    long calls;
};

static void ring_init(struct ring *r, int start, int log_stride, int size)
{
    *r = (struct ring){.set = {start, log_stride, size}};
    for (int i = 0; i < 2; i++) {
        r->p_sync[i] = typed_symmetric(SHMEM_REDUCE_SYNC_SIZE * sizeof(long) * 2);
        r->work[i] = typed_symmetric((WORDS + SHMEM_REDUCE_MIN_WRKDATA_SIZE) * sizeof(long));
        r->source[i] = typed_symmetric(WORDS * (size_t)check_npes * sizeof(long));
        r->dest[i] = typed_symmetric(WORDS * (size_t)check_npes * sizeof(long));
        sync_clear(r->p_sync[i], SHMEM_REDUCE_SYNC_SIZE * 2);
    }
}

static void sum(struct ring *r, int which, size_t n)
{
    long members = r->set.size, expected = 0;

    for (int m = 0; m < members; m++)
        expected += active_member(&r->set, m) + r->calls;
    for (size_t i = 0; i < n; i++)
        r->source[which][i] = check_me + r->calls;
    shmem_long_sum_to_all(r->dest[which], r->source[which], (int)n, r->set.start, r->set.log_stride, r->set.size,
                          r->work[which], r->p_sync[which]);
    for (size_t i = 0; i < n; i++)
        CHECK(r->dest[which][i] == expected, "call %ld: sum %zu of %zu is %ld, expected %ld", r->calls, i, n,
              r->dest[which][i], expected);
}

static void fcollect(struct ring *r, int which, size_t n)
{
    for (size_t i = 0; i < n; i++)
        r->source[which][i] = check_me * 100 + r->calls;
    shmem_fcollect64(r->dest[which], r->source[which], n, r->set.start, r->set.log_stride, r->set.size,
                     r->p_sync[which]);
    for (size_t k = 0; k < n * (size_t)r->set.size; k++) {
        long expected = active_member(&r->set, (int)(k / n)) * 100 + r->calls;
        CHECK(r->dest[which][k] == expected, "call %ld: word %zu collected is %ld, expected %ld", r->calls, k,
              r->dest[which][k], expected);
    }
}

static void alltoall(struct ring *r, int which, size_t n)
{
    int me = active_index(&r->set, check_me);

    for (size_t k = 0; k < n * (size_t)r->set.size; k++)
        r->source[which][k] = check_me * 10000 + (long)(k / n) * 100 + r->calls;
    shmem_alltoall64(r->dest[which], r->source[which], n, r->set.start, r->set.log_stride, r->set.size,
                     r->p_sync[which]);
    for (size_t k = 0; k < n * (size_t)r->set.size; k++) {
        long expected = active_member(&r->set, (int)(k / n)) * 10000 + me * 100 + r->calls;
        CHECK(r->dest[which][k] == expected, "call %ld: word %zu exchanged is %ld, expected %ld", r->calls, k,
              r->dest[which][k], expected);
    }
}

/* What is done depends on the set's own count of calls, equal on its members. */
static void step(struct ring *r, uint64_t *random)
{
    static void (*const kinds[])(struct ring *, int, size_t) = {sum, fcollect, alltoall};
    uint64_t common = check_mix((uint64_t)r->calls * 31 + (uint64_t)r->set.start);
    int which = (int)(r->calls % 2);

    if (active_index(&r->set, check_me) >= 0) {
        typed_delay(random);
        kinds[common % 3](r, which, 1 + common / 3 % WORDS);
    }
    r->calls++;
}

int main(void)
{
    check_start();
    int n = check_npes;
    uint64_t random = check_seed(4) + (uint64_t)check_me, common = check_seed(9);
    struct ring rings[4];

    ring_init(&rings[0], 0, 0, n);
    ring_init(&rings[1], 0, 1, (n + 1) / 2);
    ring_init(&rings[2], n / 2, 0, n - n / 2);
    ring_init(&rings[3], n - 1, 2, 1);
    shmem_barrier_all();
    for (int i = 0; i < ROUNDS; i++)
        step(&rings[0], &random);
    for (int i = 0; i < ROUNDS; i++)
        step(&rings[check_random_below(&common, 4)], &random);
    shmem_barrier_all();
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            sync_restored(rings[i].p_sync[k], SHMEM_REDUCE_SYNC_SIZE * 2, "the sequence of collectives");
    return check_finish();
}
