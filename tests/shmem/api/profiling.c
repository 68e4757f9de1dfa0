/* SPDX-License-Identifier: BSD-3-Clause */
/* A profiler: the program's own shmem_putmem, shmem_long_p, shmem_barrier_all and shmem_pcontrol stand before the
 * library's, count, and call the library by the names with a p. pshmem.h keeps the calls from being inlined. */
#include <pshmem.h>

#include "check.h"

static int puts_seen, words_seen, barriers_seen, last_level;
static long box[8];

void shmem_putmem(void *dest, const void *source, size_t nelems, int pe)
{
    puts_seen++;
    pshmem_putmem(dest, source, nelems, pe);
}

void shmem_long_p(long *dest, long value, int pe)
{
    words_seen++;
    pshmem_long_p(dest, value, pe);
}

void shmem_barrier_all(void)
{
    barriers_seen++;
    pshmem_barrier_all();
}

void shmem_pcontrol(int level, ...)
{
    last_level = level;
}

int main(void)
{
    long out[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    check_start();

    shmem_pcontrol(2);
    out[0] = check_me;
    barriers_seen = 0;
    shmem_putmem(box, out, sizeof out, check_next());
    shmem_fence(); /* the next two go to the same place */
    shmem_long_p(&box[7], 80, check_next());
    pshmem_putmem(&box[6], &out[0], sizeof out[0], check_next());
    shmem_barrier_all();
    CHECK(puts_seen == 1, "the profiler saw %d puts, expected 1", puts_seen);
    CHECK(words_seen == 1, "the profiler saw %d words, expected 1", words_seen);
    CHECK(barriers_seen == 1, "the profiler saw %d barriers, expected 1", barriers_seen);
    CHECK(last_level == 2, "the profiler saw level %d, expected 2", last_level);
    CHECK(box[0] == check_previous() && box[1] == 2 && box[6] == check_previous() && box[7] == 80,
          "box is %ld %ld .. %ld %ld, expected %d 2 .. %d 80", box[0], box[1], box[6], box[7], check_previous(),
          check_previous());
    return check_finish();
}
