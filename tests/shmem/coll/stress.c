/* SPDX-License-Identifier: BSD-3-Clause */
/* A random sequence of all team collectives over overlapping teams with random sizes, roots and delays, each result
 * compared with its model. CHECK_SEED repeats a run. */
#include "typed.h"

enum { STEPS = 1200, MOST = 3000, TEAMS = 5 };

static const size_t sizes[] = {1, 2, 5, 8, 33, 128, 129, 700, MOST};
static long *source, *dest;

/* Element i of what `pe` gives in step `step`. */
static long give(int pe, size_t i, long step)
{
    return (long)(check_mix((uint64_t)step * 65537 + (uint64_t)pe * 257 + i) & 0xffff) - 0x8000;
}

struct step {
    shmem_team_t team;
    int members, me;
    int pe[512];
    long number;
    size_t n;
};

static void expect(const struct step *s, size_t at, long expected, const char *what)
{
    CHECK(dest[at] == expected, "step %ld: %s of %zu over %d PEs: element %zu is %ld, expected %ld", s->number, what,
          s->n, s->members, at, dest[at], expected);
}

static void reduce(const struct step *s)
{
    shmem_long_sum_reduce(s->team, dest, source, s->n);
    for (size_t i = 0; i < s->n; i++) {
        long sum = 0;
        for (int m = 0; m < s->members; m++)
            sum += give(s->pe[m], i, s->number);
        expect(s, i, sum, "sum");
    }
}

static void scan(const struct step *s)
{
    shmem_long_sum_exscan(s->team, dest, source, s->n);
    for (size_t i = 0; i < s->n; i++) {
        long sum = 0;
        for (int m = 0; m < s->me; m++)
            sum += give(s->pe[m], i, s->number);
        expect(s, i, sum, "exscan");
    }
}

static void broadcast(const struct step *s)
{
    int root = (int)(s->number % s->members);

    shmem_long_broadcast(s->team, dest, source, s->n, root);
    for (size_t i = 0; i < s->n; i++)
        expect(s, i, give(s->pe[root], i, s->number), "broadcast");
}

static void collect(const struct step *s)
{
    size_t at = 0;

    shmem_long_collect(s->team, dest, source, s->n - (size_t)check_me % (s->n + 1) % 3 * (s->n > 2));
    for (int m = 0; m < s->members; m++) {
        size_t theirs = s->n - (size_t)s->pe[m] % (s->n + 1) % 3 * (s->n > 2);
        for (size_t i = 0; i < theirs; i++)
            expect(s, at++, give(s->pe[m], i, s->number), "collect");
    }
}

static void alltoall(const struct step *s)
{
    size_t each = s->n / (size_t)s->members;

    shmem_long_alltoall(s->team, dest, source, each);
    for (size_t k = 0; k < each * (size_t)s->members; k++)
        expect(s, k, give(s->pe[k / each], (size_t)s->me * each + k % each, s->number), "alltoall");
}

static void maximum(const struct step *s)
{
    shmem_long_max_reduce(s->team, source, source, s->n);
    memcpy(dest, source, s->n * sizeof *dest);
    for (size_t i = 0; i < s->n; i++) {
        long most = give(s->pe[0], i, s->number);
        for (int m = 1; m < s->members; m++)
            most = give(s->pe[m], i, s->number) > most ? give(s->pe[m], i, s->number) : most;
        expect(s, i, most, "max in place");
    }
}

static void (*const kinds[])(const struct step *) = {reduce, scan, broadcast, collect, alltoall, maximum};

static void take(struct step *s, uint64_t *common, uint64_t *mine)
{
    size_t kind = check_random_below(common, CHECK_COUNT(kinds));

    s->n = sizes[check_random_below(common, CHECK_COUNT(sizes))];
    if (s->team == SHMEM_TEAM_INVALID)
        return;
    for (size_t i = 0; i < s->n; i++)
        source[i] = give(check_me, i, s->number);
    typed_delay(mine);
    shmem_team_sync(s->team);
    kinds[kind](s);
}

int main(void)
{
    check_start();
    int n = check_npes, half = n / 2;
    const int triplets[TEAMS][3] = {{0, 1, n}, {n - 1, -1, n}, {0, 2, (n + 1) / 2}, {half, 1, n - half}, {n - 1, 1, 1}};
    uint64_t common = check_seed(17), mine = check_seed(17) + 1 + (uint64_t)check_me;
    struct step s[TEAMS];

    source = typed_symmetric(MOST * sizeof *source);
    dest = typed_symmetric(MOST * sizeof *dest * (size_t)n);
    for (int t = 0; t < TEAMS; t++) {
        const int *a = triplets[t];
        REQUIRE(shmem_team_split_strided(SHMEM_TEAM_WORLD, a[0], a[1], a[2], NULL, 0, &s[t].team) == 0, "team %d", t);
        s[t].members = a[2];
        s[t].me = shmem_team_my_pe(s[t].team);
        for (int m = 0; m < a[2]; m++)
            s[t].pe[m] = a[0] + m * a[1];
    }
    for (long i = 0; i < STEPS; i++) {
        struct step *now = &s[check_random_below(&common, TEAMS)];
        now->number = i;
        take(now, &common, &mine);
    }
    for (int t = 0; t < TEAMS; t++)
        shmem_team_destroy(s[t].team);
    return check_finish();
}
