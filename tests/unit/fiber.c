/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fibers (core/wait/fiber.h): they go on where they yielded, one among many, in
 * another thread, again after their end, and keep what a function may rely on.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/wait/fiber.h"
#include "harness.h"

struct count {
    int upto, at;
    double sum;
    uintptr_t misaligned;
};

static void count(void *arg)
{
    struct count *c = arg;
    _Alignas(16) char line[64];
    double half = 0.5;

    c->misaligned |= (uintptr_t)line & 15;
    for (int i = 0; i < c->upto; i++) {
        c->at = i;
        c->sum += half * i;
        snprintf(line, sizeof line, "%d %.1f", i, half); /* uses what needs an aligned stack */
        CHECK(strlen(line) >= 5, "%s", __func__);
        core_fiber_yield();
    }
}

static void one_goes_on(void)
{
    struct core_fiber *f = core_fiber_new();

    CHECK(f != NULL, "%s", __func__);
    for (int again = 0; again < 3; again++) {
        struct count c = {.upto = 10};

        core_fiber_set(f, count, &c);
        for (int i = 0; i < 10; i++) {
            CHECK(!core_fiber_resume(f), "%s", __func__);
            CHECK(core_fiber_running() == NULL, "%s", __func__);
            CHECK(c.at == i, "%s", __func__);
        }
        CHECK(core_fiber_resume(f), "%s", __func__);
        CHECK(c.sum == 22.5 && c.misaligned == 0, "%s", __func__);
    }
    core_fiber_free(f);
}

static void many_in_turns(void)
{
    enum { N = 50 };
    struct core_fiber *f[N];
    struct count c[N];
    int ended = 0;

    for (int i = 0; i < N; i++) {
        c[i] = (struct count){.upto = i};
        f[i] = core_fiber_new();
        CHECK(f[i] != NULL, "%s", __func__);
        core_fiber_set(f[i], count, &c[i]);
    }
    for (int turn = 0; turn <= N; turn++)
        for (int i = turn; i < N; i++)
            ended += core_fiber_resume(f[i]);
    CHECK(ended == N, "%s", __func__);
    for (int i = 0; i < N; i++) {
        CHECK(c[i].sum == 0.25 * i * (i - 1), "%s", __func__);
        core_fiber_free(f[i]);
    }
}

/* Deep, but within its stack. */
static int depth(int n)
{
    volatile char room[512];

    room[0] = (char)n;
    return n == 0 ? 0 : 1 + depth(n - 1) + room[0] - (char)n;
}

static void deep(void *arg)
{
    *(int *)arg = depth(100);
    core_fiber_yield();
    *(int *)arg += depth(100);
}

static void *resume_one(void *arg)
{
    return core_fiber_resume(arg) ? arg : NULL;
}

static void in_another_thread(void)
{
    struct core_fiber *f = core_fiber_new();
    pthread_t t;
    void *ended;
    int sum = 0;

    CHECK(f != NULL, "%s", __func__);
    core_fiber_set(f, deep, &sum);
    CHECK(!core_fiber_resume(f), "%s", __func__);
    CHECK(sum == 100, "%s", __func__);
    CHECK(pthread_create(&t, NULL, resume_one, f) == 0, "%s", __func__);
    CHECK(pthread_join(t, &ended) == 0, "%s", __func__);
    CHECK(ended == f && sum == 200, "%s", __func__);
    core_fiber_free(f);
}

int main(void)
{
    one_goes_on();
    many_in_turns();
    in_another_thread();
    return check_verdict();
}
