/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions are hints: between shmem_ctx_session_start and _stop every operation does what it always does, whatever was
 * promised, on the default context and on others; sessions of several contexts overlap. */
#include "../../check.h"

#define OPERATIONS 500

static uint64_t words[OPERATIONS], counter;

static void start(shmem_ctx_t ctx, int way)
{
    shmem_ctx_session_config_t config = {.total_ops = way % 2 ? OPERATIONS : 1};

    if (way < 2)
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    else if (way == 2)
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    else
        shmem_ctx_session_start(ctx, 0, &config, 0);
}

static void operate(shmem_ctx_t ctx, uint64_t base)
{
    for (uint64_t i = 0; i < OPERATIONS; i++) {
        shmem_ctx_uint64_p(ctx, &words[i], base + i, check_next());
        shmem_ctx_uint64_atomic_add(ctx, &counter, i, check_next());
    }
}

static void verify(shmem_ctx_t ctx, uint64_t base, int way)
{
    for (uint64_t i = 0; i < OPERATIONS; i += 7) {
        uint64_t seen = shmem_ctx_uint64_g(ctx, &words[i], check_next());
        if (!CHECK(seen == base + i, "way %d: word %llu is %llu, expected %llu", way, (unsigned long long)i,
                   (unsigned long long)seen, (unsigned long long)(base + i)))
            return;
    }
}

static void run(shmem_ctx_t ctx, int way, uint64_t base)
{
    start(ctx, way);
    operate(ctx, base);
    shmem_ctx_quiet(ctx);
    verify(ctx, base, way);
    shmem_ctx_session_stop(ctx);
    verify(ctx, base, way);
    operate(ctx, base + 10);
    shmem_ctx_quiet(ctx);
    verify(ctx, base + 10, way);
}

int main(void)
{
    shmem_ctx_t ctx, other;
    uint64_t expected = (uint64_t)OPERATIONS * (OPERATIONS - 1) / 2 * 2 * 4 * 2;

    check_start();
    REQUIRE(shmem_ctx_create(0, &ctx) == 0 && shmem_ctx_create(SHMEM_CTX_PRIVATE, &other) == 0, "no contexts");
    shmem_barrier_all();
    start(other, 0);
    for (int way = 0; way < 4; way++) {
        run(SHMEM_CTX_DEFAULT, way, 1000u + (uint64_t)check_me * 7919);
        run(ctx, way, 5000u + (uint64_t)check_me * 7919);
    }
    shmem_ctx_session_stop(other);
    shmem_ctx_session_start(SHMEM_CTX_INVALID, SHMEM_CTX_SESSION_BATCH, NULL, 0); /* no context, no session */
    shmem_ctx_session_stop(SHMEM_CTX_INVALID);
    shmem_barrier_all();
    CHECK(counter == expected, "the counter is %llu, expected %llu", (unsigned long long)counter,
          (unsigned long long)expected);
    shmem_ctx_destroy(other);
    shmem_ctx_destroy(ctx);
    return check_finish();
}
