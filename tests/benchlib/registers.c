/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The T3E's routines: gets and puts through the registers at offsets, strides and indexes, the seed's loops, long runs
 * of puts seen by another thread, and registers of a thread's own.
 */
#include <benchlib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(int right, const char *what, long a)
{
    if (!right && ++failures <= 20)
        printf("%s is wrong (%ld)\n", what, a);
}

static long least(long a, long b)
{
    return a < b ? a : b;
}

static void offsets(void)
{
    double x[480], y[480] = {0};

    for (int i = 0; i < 480; i++)
        x[i] = i;
    lgetvo(x, 1, 240, 240);
    lgetvo(x + 240, 1, 240, 0); /* the halves exchanged */
    lputv(y, 1, 480);
    for (int i = 0; i < 480; i++)
        check(y[i] == (i + 240) % 480, "lgetvo, lputv", i);
    lputvo(y, 2, 100, 380); /* what was x[140] to x[239], to every second word */
    for (int i = 0; i < 480; i++)
        check(y[i] == (i % 2 == 0 && i < 200 ? 140 + i / 2 : (i + 240) % 480), "lputvo", i);
    lgetv(x + 479, -3, 160);
    lputv(y, 1, 160);
    for (int i = 0; i < 160; i++)
        check(y[i] == 479 - 3 * i, "lgetv with a negative increment", i);
    lgetv(x, 1, 0);
    lputv(y, 1, 0);
    check(y[0] == 479, "nothing moved", 0);
}

static void indexed(void)
{
    enum { N = 300 };
    double a[N], x[N], b[N] = {0};
    int64_t index[N];

    for (int i = 0; i < N; i++)
        a[i] = 1000 + i, index[i] = i * 7 % N;
    lgath(a, index, N);
    lputv(x, 1, N);
    for (int i = 0; i < N; i++)
        check(x[i] == 1000 + i * 7 % N, "lgath", i);
    lscat(b, index, N);
    check(memcmp(a, b, sizeof a) == 0, "lscat", 0);
    lgatho(a, index + 10, 5, 470);
    lputvo(x, 1, 5, 470);
    check(x[4] == 1000 + 14 * 7 % N, "lgatho", 4);
    lscato(b, index, 5, 470);
    check(b[index[0]] == a[index[10]], "lscato", 0);
    lsetv(b, 1, N, 2.5);
    lsetv(b + N - 1, -2, N / 2, 3.5);
    for (int i = 0; i < N; i++)
        check(b[i] == (i % 2 ? 3.5 : 2.5), "lsetv", i);
}

/* Table 12's loop, by halves of the registers. */
static void transpose_in_place(void)
{
    enum { N = 301 };
    static double a[N][N];

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i * N + j;
    for (int j = 0; j < N - 1; j++)
        for (int i = 1; i < N - j; i += 240) {
            const long n = least(240, N - j - i);

            lgetvo(&a[j][j + i], 1, n, 0);
            lgetvo(&a[j + i][j], N, n, 240);
            lputvo(&a[j + i][j], N, n, 0);
            lputvo(&a[j][j + i], 1, n, 240);
        }
    check(lputp() == 0, "lputp", 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            check(a[i][j] == j * N + i, "a transpose in place", i * N + j);
}

enum { LONG_RUN = 3000000 };
static double *from, *to;
static long bad;

static void *other(void *arg)
{
    double mine[4] = {1, 2, 3, 4}, seen[4];

    (void)arg;
    for (long i = 0; i < LONG_RUN; i++)
        bad += to[i] != (double)i;
    lgetv(mine, 1, 4);
    lputv(seen, 1, 4);
    bad += memcmp(mine, seen, sizeof mine) != 0;
    return NULL;
}

/* Long enough to go past the caches; then another thread looks, and this one's registers are still its own. */
static void long_run(void)
{
    double seen[3];
    pthread_t t;

    from = malloc(LONG_RUN * sizeof *from);
    to = malloc((LONG_RUN + 1) * sizeof *to);
    if (!from || !to)
        exit(1);
    for (long i = 0; i < LONG_RUN; i++)
        from[i] = (double)i, to[i] = -1;
    to[LONG_RUN] = -1;
    for (long i = 0; i < LONG_RUN; i += 480) {
        lgetv(from + i, 1, least(480, LONG_RUN - i));
        lputv(to + i, 1, least(480, LONG_RUN - i));
        check(to[i] == (double)i, "a put seen at once", i);
    }
    check(lputp() == 0, "lputp", 1);
    lgetv(from + 7, 1, 3);
    if (pthread_create(&t, NULL, other, NULL))
        exit(1);
    pthread_join(t, NULL);
    lputv(seen, 1, 3);
    check(bad == 0, "another thread's view", bad);
    check(seen[0] == 7 && seen[2] == 9, "a thread's own registers", 0);
    check(to[LONG_RUN] == -1, "the word after a run", 0);
    free(from);
    free(to);
}

int main(void)
{
    offsets();
    indexed();
    transpose_in_place();
    long_run();
    return failures != 0;
}
