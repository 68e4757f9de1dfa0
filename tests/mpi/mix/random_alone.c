/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The random program's work without a library: arithmetic that is long enough to be interrupted, memory and functions
 * of the C library, which other PEs of the same process use meanwhile.
 */
#include <errno.h>
#include <math.h>
#include <sched.h>

#include "random.h"

enum { STEPS = 4000, BLOCKS = 16 };

/* Two chains that do the same, by different registers; what an interruption spoils makes them differ. */
static void arithmetic(void)
{
    const long steps = random_choose(STEPS);
    uint64_t a = random_run.own, b = a;
    double x = 1, y = 1;

    for (long i = 0; i < steps; i++) {
        a = check_mix(a);
        x = x * 1.0000001 + 1e-9;
    }
    for (volatile long i = 0; i < steps; i++) {
        b = check_mix(b);
        y = y * 1.0000001 + 1e-9;
    }
    CHECK(a == b && x == y, "%ld steps are %llx and %.17g, then %llx and %.17g", steps, (unsigned long long)a, x,
          (unsigned long long)b, y);
}

/* Blocks that live for a while. */
static void memory(void)
{
    static unsigned char *block[BLOCKS];
    static size_t n[BLOCKS];
    static uint64_t seed[BLOCKS];
    const long i = random_choose(BLOCKS);

    if (block[i])
        check_verify(block[i], n[i], seed[i], "a block of malloc");
    free(block[i]);
    n[i] = (size_t)random_choose(random_choose(16) ? 400 : 40000);
    seed[i] = check_random(&random_run.own);
    block[i] = malloc(n[i] + 1);
    EXPECT(block[i], "no memory");
    check_fill(block[i], n[i], seed[i]);
}

static void text(void)
{
    const double x = (double)random_choose(1000000) / 64; /* exact in six digits */
    char line[64];
    const int n = snprintf(line, sizeof line, "%d:%.6f", mc_rank, x);

    CHECK(n > 0 && atoi(line) == mc_rank && strtod(strchr(line, ':') + 1, NULL) == x, "'%s' is not %d and %g", line,
          mc_rank, x);
}

static void gives_way(void)
{
    const int before = (int)random_choose(1000);

    errno = before;
    sched_yield();
    CHECK(errno == before, "errno was %d, is %d", before, errno);
}

void random_alone(void)
{
    switch (random_choose(4)) {
    case 0:
        arithmetic();
        break;
    case 1:
        memory();
        break;
    case 2:
        text();
        break;
    default:
        gives_way();
    }
}
