/* SPDX-License-Identifier: BSD-3-Clause */
/* On a context of a team PE numbers are the team's, for every family of operations: puts, gets, strided and block
 * forms, atomics, signals and pe_quiet. Teams of even and odd PEs, and one of all PEs backwards. */
#include "../../check.h"

static long words[64], counter;
static uint64_t signal_word;

struct group {
    shmem_team_t team;
    shmem_ctx_t ctx;
    int me, n, next, previous; /* numbers of the team */
};

static void expect(long seen, long expected, const char *what)
{
    CHECK(seen == expected, "%s: %ld, expected %ld", what, seen, expected);
}

static void put_and_get(const struct group *g)
{
    long source[8], got[8] = {0};

    for (int i = 0; i < 8; i++)
        source[i] = 100 * g->me + i;
    shmem_ctx_long_p(g->ctx, &words[0], source[7], g->next);
    shmem_ctx_long_put(g->ctx, &words[1], source, 3, g->next);
    shmem_ctx_long_put_nbi(g->ctx, &words[4], source, 2, g->next);
    shmem_ctx_long_iput(g->ctx, &words[10], source, 2, 1, 4, g->next);
    shmem_ctx_long_ibput(g->ctx, &words[20], source, 3, 2, 2, 4, g->next);
    shmem_ctx_quiet(g->ctx);
    shmem_team_sync(g->team);
    expect(words[0], 100 * g->previous + 7, "p");
    expect(words[3], 100 * g->previous + 2, "put");
    expect(words[5], 100 * g->previous + 1, "put_nbi");
    expect(words[16], 100 * g->previous + 3, "iput");
    expect(words[30], 100 * g->previous + 7, "ibput");
    expect(shmem_ctx_long_g(g->ctx, &words[0], g->next), 100 * g->me + 7, "g");
    shmem_ctx_long_get(g->ctx, got, &words[1], 3, g->next);
    expect(got[2], 100 * g->me + 2, "get");
    shmem_ctx_long_iget(g->ctx, got, &words[10], 1, 2, 4, g->next);
    expect(got[3], 100 * g->me + 3, "iget");
    shmem_ctx_getmem_nbi(g->ctx, got, &words[4], 2 * sizeof(long), g->next);
    shmem_ctx_quiet(g->ctx);
    expect(got[1], 100 * g->me + 1, "getmem_nbi");
    shmem_team_sync(g->team);
}

static void atomics(const struct group *g)
{
    long old, fetched = -1;

    counter = 5;
    shmem_team_sync(g->team);
    old = shmem_ctx_long_atomic_fetch_add(g->ctx, &counter, 10 + g->me, g->next);
    expect(old, 5, "atomic_fetch_add");
    old = shmem_ctx_long_atomic_compare_swap(g->ctx, &counter, 15 + g->me, 70 + g->me, g->next);
    expect(old, 15 + g->me, "atomic_compare_swap");
    shmem_ctx_long_atomic_inc(g->ctx, &counter, g->next);
    shmem_ctx_quiet(g->ctx);
    shmem_ctx_long_atomic_fetch_nbi(g->ctx, &fetched, &counter, g->next);
    shmem_ctx_quiet(g->ctx);
    expect(fetched, 71 + g->me, "atomic_fetch_nbi");
    shmem_team_sync(g->team);
    expect(counter, 71 + g->previous, "counter at the end");
    shmem_team_sync(g->team);
}

static void signals(const struct group *g)
{
    long source = 900 + g->me;
    int pes[2] = {g->next, g->previous};

    signal_word = 0;
    shmem_team_sync(g->team);
    shmem_ctx_long_put_signal(g->ctx, &words[40], &source, 1, &signal_word, 3, SHMEM_SIGNAL_SET, g->next);
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 3);
    expect(words[40], 900 + g->previous, "put_signal");
    shmem_team_sync(g->team);
    shmem_ctx_signal_add(g->ctx, &signal_word, 4, g->next);
    shmem_ctx_pe_quiet(g->ctx, pes, 2);
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 7);
    shmem_team_sync(g->team);
    shmem_ctx_signal_set(g->ctx, &signal_word, 1, g->next);
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 1);
    shmem_team_sync(g->team);
}

static void run(int start, int stride, int size)
{
    struct group g;
    int status;

    status = shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &g.team);
    if (g.team != SHMEM_TEAM_INVALID) {
        REQUIRE(status == 0, "split_strided(%d, %d, %d) returned %d, expected 0", start, stride, size, status);
        status = shmem_team_create_ctx(g.team, 0, &g.ctx);
        REQUIRE(status == 0, "shmem_team_create_ctx returned %d, expected 0", status);
        g.me = shmem_team_my_pe(g.team);
        g.n = shmem_team_n_pes(g.team);
        g.next = (g.me + 1) % g.n;
        g.previous = (g.me + g.n - 1) % g.n;
        memset(words, 0, sizeof words);
        shmem_team_sync(g.team);
        put_and_get(&g);
        atomics(&g);
        signals(&g);
        shmem_ctx_destroy(g.ctx);
        shmem_team_destroy(g.team);
    }
    shmem_barrier_all();
}

int main(void)
{
    check_start();
    run(0, 2, (check_npes + 1) / 2);
    if (check_npes > 1)
        run(1, 2, check_npes / 2);
    run(check_npes - 1, -1, check_npes);
    return check_finish();
}
