/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts: every option, hundreds alive at once, destroyed in another order; each carries all kinds of operations,
 * and destroying one completes what is still under way on it. */
#include "../../check.h"

#define MANY 200

static long words[MANY], sum;
static uint64_t flag;

static const long options[] = {
    0,
    SHMEM_CTX_SERIALIZED,
    SHMEM_CTX_PRIVATE,
    SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE,
};

static shmem_ctx_t create(long option)
{
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    int status = shmem_ctx_create(option, &ctx);

    REQUIRE(status == 0, "shmem_ctx_create(%ld) returned %d, expected 0", option, status);
    CHECK(ctx != SHMEM_CTX_INVALID && ctx != SHMEM_CTX_DEFAULT, "shmem_ctx_create(%ld) gave a handle in use", option);
    return ctx;
}

static void use(shmem_ctx_t ctx, int i, int pe)
{
    long got = -1;

    shmem_ctx_quiet(ctx);
    shmem_ctx_fence(ctx);
    shmem_ctx_long_p(ctx, &words[i], 1000 + i, pe);
    shmem_ctx_quiet(ctx);
    CHECK(shmem_ctx_long_g(ctx, &words[i], pe) == 1000 + i, "context %d: get returned %ld, expected %d", i,
          shmem_ctx_long_g(ctx, &words[i], pe), 1000 + i);
    shmem_ctx_long_get_nbi(ctx, &got, &words[i], 1, pe);
    shmem_ctx_quiet(ctx);
    CHECK(got == 1000 + i, "context %d: get_nbi brought %ld, expected %d", i, got, 1000 + i);
    shmem_ctx_long_atomic_add(ctx, &sum, i, pe);
    shmem_ctx_quiet(ctx);
}

static void many_at_once(void)
{
    shmem_ctx_t contexts[MANY];

    sum = 0;
    shmem_barrier_all();
    for (int i = 0; i < MANY; i++)
        contexts[i] = create(options[i % CHECK_COUNT(options)]);
    for (int i = 0; i < MANY; i++)
        for (int j = 0; j < i; j++)
            CHECK(contexts[i] != contexts[j], "contexts %d and %d are one", i, j);
    for (int i = 0; i < MANY; i++)
        use(contexts[i], i, check_next());
    for (int i = 0; i < MANY; i++)
        shmem_ctx_destroy(contexts[(i * 7) % MANY]);
    shmem_barrier_all();
    CHECK(sum == MANY * (MANY - 1) / 2, "the sum is %ld, expected %d", sum, MANY * (MANY - 1) / 2);
    shmem_barrier_all();
}

/* NOSTORE contexts only read. */
static void read_only(void)
{
    shmem_ctx_t ctx = create(SHMEM_CTX_NOSTORE);

    words[1] = 50 + check_me;
    shmem_barrier_all();
    CHECK(shmem_ctx_long_g(ctx, &words[1], check_next()) == 50 + check_next(), "NOSTORE context: %ld, expected %d",
          shmem_ctx_long_g(ctx, &words[1], check_next()), 50 + check_next());
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
}

static void destroy_completes(void)
{
    static long source[MANY];

    for (int i = 0; i < MANY; i++)
        source[i] = 7 * i + check_me;
    shmem_barrier_all();
    for (int round = 1; round <= 50; round++) {
        shmem_ctx_t ctx = create(0);
        shmem_ctx_long_put_nbi(ctx, words, source, MANY, check_next());
        shmem_ctx_destroy(ctx);
        shmem_uint64_p(&flag, (uint64_t)round, check_next());
        shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, (uint64_t)round);
        for (int i = 0; i < MANY; i++)
            if (!CHECK(words[i] == 7 * i + check_previous(), "after shmem_ctx_destroy word %d is %ld, expected %d", i,
                       words[i], 7 * i + check_previous()))
                break;
        shmem_barrier_all();
        memset(words, 0, sizeof words);
        shmem_barrier_all();
    }
}

static void create_and_destroy(void)
{
    for (int i = 0; i < 2000; i++)
        shmem_ctx_destroy(create(options[i % CHECK_COUNT(options)]));
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
}

int main(void)
{
    check_start();
    many_at_once();
    read_only();
    destroy_completes();
    create_and_destroy();
    return check_finish();
}
