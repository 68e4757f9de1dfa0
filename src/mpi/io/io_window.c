/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows of collective accesses: members' pieces are put together in memory, so
 * that the file sees few large transfers. Bytes nobody gave are not written, as
 * others may write there at the same time: a map has a bit for each byte given.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/io/io_window.h"

bool mpii_io_window_new(struct mpii_io_window *w, MPI_Count n)
{
    w->bytes = malloc((size_t)n);
    w->map = malloc((size_t)(n / 64 + 1) * sizeof *w->map);
    if (w->bytes && w->map)
        return true;
    mpii_io_window_free(w);
    return false;
}

void mpii_io_window_free(struct mpii_io_window *w)
{
    free(w->bytes);
    free(w->map);
    w->bytes = NULL;
    w->map = NULL;
}

void mpii_io_window_open(struct mpii_io_window *w, MPI_Offset low, MPI_Offset high)
{
    w->low = low;
    w->high = high;
    memset(w->map, 0, (size_t)((high - low) / 64 + 1) * sizeof *w->map);
}

/* ---------------------------------------------------------------- writing -- */

static void mark(uint64_t *map, MPI_Count from, MPI_Count n)
{
    MPI_Count word = from / 64, last = (from + n - 1) / 64;
    uint64_t begin = ~0ull << (from % 64), end = ~0ull >> (63 - (from + n - 1) % 64);

    if (word == last) {
        map[word] |= begin & end;
        return;
    }
    map[word] |= begin;
    for (word++; word < last; word++)
        map[word] = ~0ull;
    map[last] |= end;
}

/* The first bit from `at` on that is `set`, or n. */
static MPI_Count find(const uint64_t *map, MPI_Count at, MPI_Count n, bool set)
{
    while (at < n) {
        uint64_t word = (set ? map[at / 64] : ~map[at / 64]) >> (at % 64);

        if (word) {
            at += __builtin_ctzll(word);
            return at < n ? at : n;
        }
        at += 64 - at % 64;
    }
    return n;
}

void mpii_io_window_put(struct mpii_io_window *w, const struct mpii_io_run *runs, MPI_Count n, const char *packed)
{
    for (MPI_Count i = 0; i < n; i++) {
        mpii_io_run_scatter(&runs[i], w->bytes, w->low, packed);
        packed += runs[i].bytes * runs[i].n;
        for (MPI_Count k = 0; k < runs[i].n; k++)
            mark(w->map, runs[i].at - w->low + k * runs[i].stride, runs[i].bytes);
    }
}

int mpii_io_window_write(struct mpii_io_window *w, int fd)
{
    MPI_Count n = w->high - w->low, end, done;
    int err = 0;

    for (MPI_Count at = find(w->map, 0, n, true); at < n && err == 0; at = find(w->map, end, n, true)) {
        end = find(w->map, at, n, false);
        err = mpii_io_file_write(fd, w->bytes + at, end - at, w->low + at, &done);
    }
    return err;
}

/* ---------------------------------------------------------------- reading -- */

int mpii_io_window_read(struct mpii_io_window *w, int fd, MPI_Offset low, MPI_Offset high)
{
    MPI_Count done = 0;
    int err = high > low ? mpii_io_file_read(fd, w->bytes + (low - w->low), high - low, low, &done) : 0;

    w->high = low + done;
    return err;
}

MPI_Count mpii_io_window_get(const struct mpii_io_window *w, const struct mpii_io_run *runs, MPI_Count n, char *packed)
{
    MPI_Count done = 0;

    for (MPI_Count i = 0; i < n; i++) {
        struct mpii_io_run run = runs[i];

        if (run.at + (run.n - 1) * run.stride + run.bytes <= w->high) {
            mpii_io_run_gather(&run, w->bytes, w->low, packed + done);
            done += run.bytes * run.n;
            continue;
        }
        for (MPI_Count k = 0; k < runs[i].n; k++) { /* the file ends here */
            MPI_Offset at = run.at + k * run.stride;
            MPI_Count left = w->high - at < run.bytes ? w->high - at : run.bytes;

            if (left <= 0)
                return done;
            memcpy(packed + done, w->bytes + (at - w->low), (size_t)left);
            done += left;
        }
    }
    return done;
}
