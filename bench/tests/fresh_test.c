/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of what the laboratory does around a transfer as programs do: messages that are written anew and read, the two
 * places where they come to, and the strangers that burn cores beside them.
 */
#define _GNU_SOURCE 1
#include "../../tests/harness.h"
#include "../common/bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Every byte is written and read, of any length and wherever it lies: one that is another, late or from elsewhere is
 * found. */
static void test_fresh(void)
{
    static const size_t sizes[] = {0, 1, 7, 8, 63, 64, 65, 100, 4096, 4099};
    char *const at = malloc(5000);

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t shift = 0; shift <= 8; shift += 8) {
            const size_t bytes = sizes[k];

            memset(at, 0x55, 5000);
            bench_fresh_write(at + shift, bytes, 3, 17);
            HOLDS(at[shift + bytes] == 0x55 && (shift == 0 || at[shift - 1] == 0x55));
            bench_fresh_read(at + shift, bytes, 3, 17);
            HOLDS(bench_fresh_right());
            for (size_t i = 0; i < bytes; i++) {
                at[shift + i] ^= 1;
                bench_fresh_read(at + shift, bytes, 3, 17);
                HOLDS(!bench_fresh_right());
                at[shift + i] ^= 1;
            }
        }
    bench_fresh_write(at, 4096, 3, 17);
    bench_fresh_read(at, 4096, 3, 18);
    HOLDS(!bench_fresh_right());
    bench_fresh_read(at, 4096, 2, 17);
    HOLDS(!bench_fresh_right() && bench_fresh_right()); /* told once */
    free(at);
}

/* What was added up of two processes is known, too. */
static void test_fresh_sums(void)
{
    uint64_t a[100], b[100];

    bench_fresh_fill(a, sizeof a, bench_fresh_value(0, 5));
    bench_fresh_fill(b, sizeof b, bench_fresh_value(1, 5));
    for (int i = 0; i < 100; i++)
        a[i] += b[i];
    bench_fresh_expect(a, sizeof a, bench_fresh_value(0, 5) + bench_fresh_value(1, 5), 2);
    HOLDS(bench_fresh_right());
    a[99]++;
    bench_fresh_expect(a, sizeof a, bench_fresh_value(0, 5) + bench_fresh_value(1, 5), 2);
    HOLDS(!bench_fresh_right());
}

static void test_fresh_sizes(void)
{
    size_t bytes = BENCH_FRESH_SMALLEST;
    int n = 0, asked = 0;

    bench_options.quick = true;
    for (; bytes; bytes = bench_next_fresh(bytes), n++)
        asked += bytes == 64 << 10 || bytes == 1 << 20 || bytes == 4 << 20 || bytes == 16 << 20;
    HOLDS(asked == 4 && n == bench_fresh_sizes());
    bench_options.quick = false;
}

/* In turns, neither over the other; where those that rotate go on is kept. */
static void test_two_places(void)
{
    struct bench_buffers b;

    bench_buffers_two(&b, 100, 256);
    for (int i = 0; i < 4; i++)
        HOLDS(bench_buffers_next(&b) == (i % 2 ? 128u : 0u));
    HOLDS(b.span <= 2 * bench_buffers_bytes(0, 100) && bench_buffers_position(&b) == 256);
}

/* ---- burners ---- */

#define PATIENCE_NS 10000000000 /* a process that is told to stop, or killed, must first get a core */

struct process {
    char state; /* R runs or waits for a core, T is stopped */
    long session;
};

static bool look(long pid, struct process *p)
{
    char path[64];
    bool there;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    f = fopen(path, "r");
    there = f && fscanf(f, "%*d (%*[^)]) %c %*d %*d %ld", &p->state, &p->session) == 2;
    if (f)
        fclose(f);
    return there;
}

/* Children of a process; -1 where the kernel doesn't list them. */
static int children(long pid, long *out, int most)
{
    char path[64];
    int n = 0;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", pid, pid);
    f = fopen(path, "r");
    if (!f)
        return -1;
    while (n < most && fscanf(f, "%ld", &out[n]) == 1)
        n++;
    fclose(f);
    return n;
}

static int in_state(const long *pids, int n, char state)
{
    struct process p;
    int found = 0;

    for (int i = 0; i < n; i++)
        found += look(pids[i], &p) && p.state == state;
    return found;
}

/* Soon so many of them run, and so many are stopped. */
static bool soon(const long *pids, int n, int running, int stopped)
{
    const int64_t end = bench_now() + PATIENCE_NS;

    while (in_state(pids, n, 'R') != running || in_state(pids, n, 'T') != stopped) {
        if (bench_now() > end)
            return false;
        usleep(1000);
    }
    return true;
}

/* So many burn as were asked for, in a session of their own, and none is left at the end. */
static void test_burners(void)
{
    long pids[BENCH_BURNERS];
    struct process p;
    int n;

    HOLDS(bench_burners_start(0) == -1 && bench_burners_start(BENCH_BURNERS + 1) == -1);
    HOLDS(bench_burners_start(4) == 0);
    HOLDS(bench_burners_start(1) == -1); /* they are there already */
    n = children(getpid(), pids, 1);
    if (n < 0) {
        bench_burner_stop();
        return;
    }
    HOLDS(n == 1);
    n += children(pids[0], pids + 1, BENCH_BURNERS - 1);
    HOLDS(n == 4);
    for (int i = 0; i < n; i++)
        HOLDS(look(pids[i], &p) && p.session == pids[0]);
    HOLDS(soon(pids, n, 4, 0));
    for (int wanted = 0; wanted <= 4; wanted += 2) {
        bench_burners_run(wanted);
        HOLDS(soon(pids, n, wanted, 4 - wanted));
    }
    bench_burners_run(1);
    bench_burner_stop();
    HOLDS(soon(pids, n, 0, 0));
}

int main(void)
{
    test_fresh();
    test_fresh_sums();
    test_fresh_sizes();
    test_two_places();
    test_burners();
    return check_verdict();
}
