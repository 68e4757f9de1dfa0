/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages as active messages: a store, whose handler counts it, or medium requests, whose handler copies their bodies
 * to the place that the receiver has for its sender: the one copied once, the other by way of a buffer.
 */
#include <am.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "face_job.h"

const char face_prefix[] = "am", face_library[] = "AM";

enum { STORE, MEDIUM };
const struct face_way face_ways[] = {
    {"am_store", NULL, STORE, true},
    {"am_request_medium", NULL, MEDIUM, true},
    {NULL, NULL, 0, false},
};

#define ASIDE_NS 1000000000 /* at most, as another PE may need what comes to be handled */

static volatile long *came; /* pieces, by the other PE; all local but for what is told aside */
static long *due;
static struct number {
    volatile long value, count;
    long heard;
} *numbers;
static long *aside; /* symmetric: numbers told, by SHMEM */
static long *told;

static void on_store(vnn_t src, void *addr, int n, void *arg)
{
    came[src] += addr && n >= 0 && !arg;
}

static void on_medium(vnn_t src, void *body, int bytes, const am_word *words, int n)
{
    if (bytes > 0)
        memcpy(face_base(src) + words[0], body, (size_t)bytes);
    came[src] += n;
}

static void on_number(vnn_t src, am_word value)
{
    numbers[src].value = value;
    numbers[src].count++;
}

static void *zeroed(size_t size)
{
    void *const p = calloc((size_t)face.n, size);

    if (!p)
        face_fatal("out of memory");
    return p;
}

void face_open(void)
{
    came = zeroed(sizeof *came);
    due = zeroed(sizeof *due);
    told = zeroed(sizeof *told);
    numbers = zeroed(sizeof *numbers);
    aside = face_words();
    am_enable();
    shmem_barrier_all();
}

void face_close(void)
{
    am_disable();
    free((void *)(uintptr_t)came);
    free(due);
    free(told);
    free(numbers);
}

static long piece(int pe)
{
    return am_max_medium(pe);
}

void face_send(const struct face_way *way, int to, long bytes)
{
    char *const place = face_take_there(to), *const out = face_take_out();

    if (way->kind == STORE && bytes > 0) {
        am_store(to, out, place, bytes, on_store, NULL);
        return;
    }
    for (long at = 0; at == 0 || at < bytes; at += piece(to)) {
        const am_word word = place - face_base(face.me) + at;
        const long left = bytes - at;

        am_request_medium(to, on_medium, out + at, (int)(left < piece(to) ? left : piece(to)), &word, 1);
    }
}

void face_receive(const struct face_way *way, int from, long bytes)
{
    const long pieces = way->kind == STORE || bytes == 0 ? 1 : (bytes + piece(from) - 1) / piece(from);

    face_take_in(from);
    due[from] += pieces;
    am_wait_for(came[from] >= due[from]);
}

void face_tell(int to, long value)
{
    am_request_1(to, on_number, value);
    shmem_long_p(&aside[face.me], ++told[to], to);
}

bool face_heard(int from)
{
    am_poll();
    return numbers[from].count > numbers[from].heard;
}

long face_told(int from)
{
    const long n = ++numbers[from].heard;

    am_wait_for(numbers[from].count >= n);
    return numbers[from].value;
}

/* Every wait of the library handles messages, so this looks at memory alone. */
void face_told_aside(int from)
{
    const long next = ++numbers[from].heard;
    const int64_t end = bench_now() + ASIDE_NS;

    while (*(volatile long *)&aside[from] < next && bench_now() < end)
        sched_yield();
}
