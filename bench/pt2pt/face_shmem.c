/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of SHMEM: a put to the place that the receiver has for its sender, and the count of messages in a word that
 * follows it.
 */
#include "face_job.h"

const char face_prefix[] = "shmem", face_library[] = "SHMEM";

enum { PUT, SIGNAL };
const struct face_way face_ways[] = {
    {"shmem_putmem, shmem_long_p", NULL, PUT, true},
#if BENCH_SHMEM(1, 5)
    {"shmem_putmem_signal", NULL, SIGNAL, false},
#endif
    {NULL, NULL, 0, false},
};

/* Counts by the other PE; `came` and what is told are symmetric. */
static long *sent, *came, *received, *numbers, *told, *tells, *heard;

void face_open(void)
{
    long **const all[] = {&sent, &came, &received, &numbers, &told, &tells, &heard};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = face_words();
}

void face_close(void) {}

void face_send(const struct face_way *way, int to, long bytes)
{
    char *const place = face_take_there(to), *const out = face_take_out();
    const long count = ++sent[to];

#if BENCH_SHMEM(1, 5)
    if (way->kind == SIGNAL) {
        shmem_putmem_signal(place, out, (size_t)bytes, (uint64_t *)&came[face.me], (uint64_t)count, SHMEM_SIGNAL_SET,
                            to);
        return;
    }
#endif
    if (way->kind == PUT && bytes > 0) {
        shmem_putmem(place, out, (size_t)bytes, to);
        shmem_fence();
    }
    shmem_long_p(&came[face.me], count, to);
}

void face_receive(const struct face_way *way, int from, long bytes)
{
    (void)way;
    (void)bytes;
    face_take_in(from);
    shmem_long_wait_until(&came[from], SHMEM_CMP_GE, ++received[from]);
}

void face_tell(int to, long value)
{
    shmem_long_p(&numbers[face.me], value, to);
    shmem_fence();
    shmem_long_p(&told[face.me], ++tells[to], to);
}

long face_told(int from)
{
    shmem_long_wait_until(&told[from], SHMEM_CMP_GE, ++heard[from]);
    return *(volatile long *)&numbers[from];
}

bool face_heard(int from)
{
    return shmem_long_test(&told[from], SHMEM_CMP_GT, heard[from]);
}

void face_told_aside(int from)
{
    face_told(from);
}
