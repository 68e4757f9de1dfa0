/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * IS: ranks of integer keys. The PEs tell each other how many keys they have by leading bits and so agree on who ranks
 * which range; each puts its keys of a range where the range's owner counts them. A few PEs count their keys in place
 * and put these counts instead, which are fewer than the keys.
 */
#include "common/npb.h"

#include <stdlib.h>
#include <string.h>

#define ITERATIONS 10
#define TESTS 5
#define BUCKET_BITS 10
#define BUCKETS (1 << BUCKET_BITS)
#define STREAMS 64 /* that keys are ordered into; with more, a store too often meets a load the CPU did too early */
#define STREAMS_MOST 256 /* and PEs */
#define PARTS 4 /* of the keys, which are gone through at once: counting one key waits for the same counter's last */
#define IN_PLACE 4 /* PEs at most; all their counts of a range take less room than its keys */
#define IN_CACHE 21 /* bits of keys whose counts, of several PEs, the caches of today hold */
#define CHANGED (2 * ITERATIONS + 1) /* the first keys, which the iterations change */

static const struct facts {
    int log2_keys, log2_most;
    long index[TESTS], rank[TESTS];
    /* The rank expected at iteration it is rank + sign * (it - less). */
    int sign[TESTS], less[TESTS];
} classes[NPB_CLASSES] = {
    [NPB_S] = {16, 11, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}, {1, 1, 1, -1, -1}, {0}},
    [NPB_W] = {20,
               16,
               {357773, 934767, 875723, 898999, 404505},
               {1249, 11698, 1039987, 1043896, 1048018},
               {1, 1, -1, -1, -1},
               {2, 2}},
    [NPB_A] = {23,
               19,
               {2112377, 662041, 5336171, 3642833, 4250760},
               {104, 17523, 123928, 8288932, 8388264},
               {1, 1, 1, -1, -1},
               {1, 1, 1, 1, 1}},
    [NPB_B] = {25,
               21,
               {41869, 812306, 5102857, 18232239, 26860214},
               {33422937, 10244, 59149, 33135281, 99},
               {-1, 1, 1, -1, 1},
               {0}},
    [NPB_C] = {27,
               23,
               {44172927, 72999161, 74326391, 129606274, 21736814},
               {61147, 882988, 266290, 133997595, 133525895},
               {1, 1, 1, -1, -1},
               {0}},
};

/* What each PE tells all others before the keys move. */
struct notice {
    int32_t count[BUCKETS];
    int32_t key[TESTS]; /* of the test keys it has, else -1 */
};

static struct {
    const struct facts *f;
    long n, most;  /* keys of all PEs, and the value all keys are below */
    long mine, from;
    int shift;     /* a key's bucket is key >> shift */
    int32_t *keys; /* mine */
    int32_t first[CHANGED]; /* the first of them as they were */
    int32_t *ordered;       /* mine, by stream */
    int32_t parts[PARTS][BUCKETS]; /* how many keys of each part are in each bucket */
    bool in_place;
    int32_t *received;      /* symmetric: keys of my range from the other PEs, or their counts, PE by PE */
    long room;
    struct notice *notices; /* symmetric: by PE; one half is told while a slow PE still reads the other */
    int turn;
    int32_t total[BUCKETS], before[BUCKETS]; /* keys of all PEs in each bucket, and of those below me */
    uint8_t stream[BUCKETS]; /* of each bucket; a range is some whole streams */
    int *low;               /* PE p's range are buckets low[p] to low[p + 1] - 1 */
    int32_t *count; /* of each key of my range, in place of all; then how many keys of my range are up to it */
    long in_range, below; /* keys of my range, keys of lower ranges */
    const int32_t *own; /* my own keys of my range, and how many */
    long owned;
    long failures;
} is;

static inline struct notice *notice_of(int pe)
{
    return &is.notices[is.turn * bench_job.npes + pe];
}

static void make_keys(void)
{
    uint64_t x = npb_random_skip(NPB_RANDOM_SEED, 4 * (uint64_t)is.from);

    for (long i = 0; i < is.mine; i++) {
        uint64_t sum = 0;

        for (int r = 0; r < 4; r++)
            sum += x = npb_random_times(NPB_RANDOM_A, x);
        is.keys[i] = (int32_t)(sum >> (46 + 2 - is.f->log2_most));
    }
}

static void setup(enum npb_class c)
{
    const int npes = bench_job.npes;

    is.f = &classes[c];
    is.n = 1l << is.f->log2_keys;
    is.most = 1l << is.f->log2_most;
    is.shift = is.f->log2_most - BUCKET_BITS;
    is.mine = npb_part(is.n, npes, bench_job.me, &is.from);
    is.keys = npb_private((size_t)is.mine * sizeof *is.keys);
    is.ordered = npb_private((size_t)is.mine * sizeof *is.ordered);
    /* A range is at most a bucket larger than its share, and no bucket has a hundredth of the keys. */
    is.room = is.n / npes + is.n / 100 + 1;
    is.received = npb_symmetric((size_t)is.room * sizeof *is.received);
    is.notices = npb_symmetric(2 * (size_t)npes * sizeof *is.notices);
    is.low = npb_private((size_t)(npes + 1) * sizeof *is.low);
    is.count = npb_private((size_t)is.most * sizeof *is.count);
    is.in_place = npes == 1 || (npes <= IN_PLACE && is.f->log2_most <= IN_CACHE);
    make_keys();
    if (bench_job.me == 0)
        memcpy(is.first, is.keys, sizeof is.first);
}

static const char *unfit(enum npb_class c, int npes)
{
    return (1l << classes[c].log2_keys) / npes >= CHANGED && npes <= STREAMS_MOST ? NULL
                                                                                  : "too many PEs for so few keys";
}

static void prepare(void)
{
    is.failures = 0;
    if (bench_job.me == 0)
        memcpy(is.keys, is.first, sizeof is.first);
}

static void count_keys(const int32_t *keys, long n, int32_t *count)
{
    for (long i = 0; i < n; i++)
        count[keys[i]]++;
}

static long part_of_keys(void)
{
    return is.mine / PARTS;
}

/* The keys beyond PARTS equal parts are the last part's. */
static void count_parts(void)
{
    const long n = part_of_keys();
    const int32_t *const keys = is.keys;
    const int shift = is.shift;

    memset(is.parts, 0, sizeof is.parts);
    for (long i = 0; i < n; i++)
        for (int part = 0; part < PARTS; part++)
            is.parts[part][keys[part * n + i] >> shift]++;
    for (long i = PARTS * n; i < is.mine; i++)
        is.parts[PARTS - 1][keys[i] >> shift]++;
}

static void count_buckets(int32_t buckets[BUCKETS])
{
    if (!is.in_place) {
        count_parts();
        for (int b = 0; b < BUCKETS; b++) {
            buckets[b] = 0;
            for (int part = 0; part < PARTS; part++)
                buckets[b] += is.parts[part][b];
        }
        return;
    }
    memset(is.count, 0, (size_t)is.most * sizeof *is.count);
    count_keys(is.keys, is.mine, is.count);
    for (int b = 0; b < BUCKETS; b++) {
        const int32_t *const counts = is.count + ((long)b << is.shift);
        int32_t sum = 0;

        for (long k = 0; k < 1l << is.shift; k++)
            sum += counts[k];
        buckets[b] = sum;
    }
}

/* How many keys each bucket gets, to all PEs. */
static void tell_counts(void)
{
    struct notice *const mine = notice_of(bench_job.me);

    count_buckets(mine->count);
    for (int t = 0; t < TESTS; t++) {
        const long at = is.f->index[t] - is.from;

        mine->key[t] = at >= 0 && at < is.mine ? is.keys[at] : -1;
    }
    for (int i = 1; i < bench_job.npes; i++)
        shmem_putmem_nbi(mine, mine, sizeof *mine, (bench_job.me + i) % bench_job.npes);
}

static void add_notices(void)
{
    memset(is.total, 0, sizeof is.total);
    for (int pe = 0; pe < bench_job.npes; pe++) {
        const int32_t *const count = notice_of(pe)->count;

        if (pe == bench_job.me)
            memcpy(is.before, is.total, sizeof is.before);
        for (int b = 0; b < BUCKETS; b++)
            is.total[b] += count[b];
    }
}

/* The same answer on all PEs: a range ends where its last key is closest beyond its share. */
static void choose_ranges(void)
{
    const int npes = bench_job.npes;
    long sum = 0;
    int pe = 0;

    add_notices();
    is.low[0] = 0;
    for (int b = 0; b < BUCKETS; b++) {
        while (pe + 1 < npes && sum >= is.n * (pe + 1) / npes)
            is.low[++pe] = b;
        sum += is.total[b];
    }
    while (pe < npes)
        is.low[++pe] = BUCKETS;
}

/* Each range becomes about as many streams. Returns how many there are. */
static int choose_streams(void)
{
    const int npes = bench_job.npes, each = STREAMS / npes > 0 ? STREAMS / npes : 1;
    int stream = 0;

    for (int pe = 0; pe < npes; pe++) {
        const int buckets = is.low[pe + 1] - is.low[pe], wide = (buckets + each - 1) / each;

        for (int b = 0; b < buckets; b++)
            is.stream[is.low[pe] + b] = (uint8_t)(stream + b / wide);
        stream += buckets > 0 ? (buckets + wide - 1) / wide : 0;
    }
    return stream;
}

/* Part by part within a stream. */
static void order_keys(void)
{
    const int streams = choose_streams(), shift = is.shift;
    const long n = part_of_keys();
    const int32_t *const keys = is.keys;
    int32_t count[PARTS][STREAMS_MOST] = {{0}}, next[PARTS][STREAMS_MOST], at = 0;

    for (int part = 0; part < PARTS; part++)
        for (int b = 0; b < BUCKETS; b++)
            count[part][is.stream[b]] += is.parts[part][b];
    for (int s = 0; s < streams; s++)
        for (int part = 0; part < PARTS; part++) {
            next[part][s] = at;
            at += count[part][s];
        }
    for (long i = 0; i < n; i++)
        for (int part = 0; part < PARTS; part++) {
            const int32_t key = keys[part * n + i];

            is.ordered[next[part][is.stream[key >> shift]]++] = key;
        }
    for (long i = PARTS * n; i < is.mine; i++)
        is.ordered[next[PARTS - 1][is.stream[keys[i] >> shift]]++] = keys[i];
}

/* Keys of buckets `low` to `high` - 1. */
static long keys_between(const int32_t *count, int low, int high)
{
    long sum = 0;

    for (int b = low; b < high; b++)
        sum += count[b];
    return sum;
}

/* Each PE's keys for an owner come after those of the lower PEs; the owner's own stay where they are. */
static void move_keys(void)
{
    const int me = bench_job.me, npes = bench_job.npes;
    const int32_t *part = is.ordered;

    order_keys();
    for (int to = 0; to < npes; to++) {
        const int low = is.low[to], high = is.low[to + 1];
        const long n = keys_between(notice_of(me)->count, low, high);
        const long at =
            keys_between(is.before, low, high) - (to < me ? keys_between(notice_of(to)->count, low, high) : 0);

        if (to == me) {
            is.own = part;
            is.owned = n;
        } else if (at + n > is.room) {
            bench_job_fatal("IS: PE %d: %ld keys for PE %d, room for %ld", me, at + n, to, is.room);
        } else if (n > 0) {
            shmem_putmem_nbi(is.received + at, part, (size_t)n * sizeof *part, to);
        }
        part += n;
    }
}

static long first_key(int pe)
{
    return (long)is.low[pe] << is.shift;
}

/* My counts of each other range to its owner, behind those of the PEs below me. */
static void send_counts(void)
{
    const int me = bench_job.me, npes = bench_job.npes;

    for (int to = 0; to < npes; to++) {
        const long n = first_key(to + 1) - first_key(to), place = me < to ? me : me - 1;

        if (n * (npes - 1) > is.room)
            bench_job_fatal("IS: %ld counts for PE %d, room for %ld", n * (npes - 1), to, is.room);
        if (to != me && n > 0)
            shmem_putmem_nbi(is.received + place * n, is.count + first_key(to), (size_t)n * sizeof *is.count, to);
    }
}

static void add_counts(long low, long high)
{
    const int32_t *theirs = is.received;

    for (int pe = 1; pe < bench_job.npes; pe++, theirs += high - low)
        for (long k = low; k < high; k++)
            is.count[k] += theirs[k - low];
}

static void rank_keys(void)
{
    const int me = bench_job.me;
    const long low = first_key(me), high = first_key(me + 1);
    int32_t sum = 0;

    is.in_range = keys_between(is.total, is.low[me], is.low[me + 1]);
    is.below = keys_between(is.total, 0, is.low[me]);
    if (is.in_place) {
        add_counts(low, high);
    } else {
        memset(is.count + low, 0, (size_t)(high - low) * sizeof *is.count);
        count_keys(is.own, is.owned, is.count);
        count_keys(is.received, is.in_range - is.owned, is.count);
    }
    for (long k = low; k < high; k++)
        is.count[k] = sum += is.count[k];
}

/* Ranks of the test keys that are in my range. */
static void check_tests(int iteration)
{
    const int me = bench_job.me;

    for (int t = 0; t < TESTS; t++) {
        const int pe = npb_part_of(is.n, bench_job.npes, is.f->index[t]);
        const long key = notice_of(pe)->key[t], low = first_key(me);
        const long expected = is.f->rank[t] + is.f->sign[t] * (iteration - is.f->less[t]);
        long rank;

        if (key < low || key >= first_key(me + 1))
            continue;
        rank = is.below + (key > low ? is.count[key - 1] : 0);
        if (rank == expected)
            continue;
        is.failures++;
        fprintf(stderr, "IS: iteration %d: key %ld has rank %ld, not %ld\n", iteration, key, rank, expected);
    }
}

static void run(void)
{
    for (int it = 1; it <= ITERATIONS; it++) {
        if (bench_job.me == 0) {
            is.keys[it] = it;
            is.keys[it + ITERATIONS] = (int32_t)is.most - it;
        }
        is.turn ^= 1;
        tell_counts();
        shmem_barrier_all(); /* also: all have counted what they had received */
        choose_ranges();
        if (is.in_place)
            send_counts();
        else
            move_keys();
        shmem_barrier_all();
        rank_keys();
        check_tests(it);
    }
}

/* Puts each key at its rank; then none may be larger than the next, nor than the next PE's first. */
static bool verify(void)
{
    static long first[2];
    int32_t *const sorted = npb_private((size_t)(is.in_range + 1) * sizeof *sorted);
    const int me = bench_job.me, npes = bench_job.npes;
    long wrong = 0, last = -1;

    if (is.in_place) {
        count_parts();
        move_keys();
        shmem_barrier_all();
    }
    memset(sorted, 0xff, (size_t)(is.in_range + 1) * sizeof *sorted);
    for (long i = 0; i < is.in_range; i++) {
        const int32_t key = i < is.owned ? is.own[i] : is.received[i - is.owned];

        sorted[--is.count[key]] = key;
    }
    for (long i = 0; i < is.in_range; i++) {
        wrong += sorted[i] < 0 || sorted[i] < last;
        last = sorted[i];
    }
    first[0] = is.in_range > 0 ? sorted[0] : last;
    shmem_barrier_all();
    if (me > 0)
        shmem_long_put(&first[1], &first[0], 1, me - 1);
    shmem_barrier_all();
    wrong += me + 1 < npes && is.in_range > 0 && first[1] >= 0 && last > first[1];
    wrong += npb_sum1((double)is.in_range) != (double)is.n;
    if (wrong)
        fprintf(stderr, "IS: PE %d: %ld keys out of order\n", me, wrong);
    free(sorted);
    return wrong == 0 && is.failures == 0;
}

static double operations(enum npb_class c)
{
    return ITERATIONS * exp2(classes[c].log2_keys);
}

int main(int argc, char **argv)
{
    static const struct npb_kernel kernel = {
        .name = "IS",
        .purpose = "NAS parallel benchmark IS: ranks of integer keys, all to all",
        .quick = NPB_W,
        .usual = NPB_A,
        .unfit = unfit,
        .setup = setup,
        .prepare = prepare,
        .run = run,
        .verify = verify,
        .operations = operations,
    };

    return npb_main(argc, argv, &kernel);
}
