/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The T3E's routines: gets into a thread's "E-registers" and puts from them. The registers are 3,840 bytes that stay
 * in the first level cache, so that a get and a put of a block together cost one pass over memory.
 */
#include "benchlib/kernels.h"

#include <benchlib.h>
#include <string.h>

enum { LINE = 64 };

/* A thread's registers, and the run of consecutive puts it is in. */
static _Thread_local struct {
    _Alignas(LINE) bl_word word[BENCHLIB_REGISTERS];
    const bl_word *next; /* where the run goes on */
    size_t run;          /* its length so far, bytes */
    const bl_word *next_get; /* and the run of gets */
} e;

static void check(const char *call, long n, long offset)
{
    if (n < 0)
        bl_fatal(call, "n", n, "is negative");
    if (offset < 0)
        bl_fatal(call, "offset", offset, "is negative");
    if (offset > BENCHLIB_REGISTERS || n > BENCHLIB_REGISTERS - offset)
        bl_fatal(call, "offset + n", offset + n, "is past the last of the 480 registers");
}

/* A run of gets will go on: the words after these are asked for on the way, line by line. */
static void get_run(bl_word *to, const bl_word *x, long n)
{
    const bool goes_on = x == e.next_get;

    e.next_get = x + n;
    if (!goes_on) {
        memcpy(to, x, (size_t)n * 8);
        return;
    }
    for (; n >= LINE / 8; n -= LINE / 8, to += LINE / 8, x += LINE / 8) {
        __builtin_prefetch(x + BENCHLIB_REGISTERS, 0, 3);
        memcpy(to, x, LINE);
    }
    memcpy(to, x, (size_t)n * 8);
}

static void get(const char *call, const bl_word *x, long inc, long n, long offset)
{
    check(call, n, offset);
    if (inc == 1)
        get_run(e.word + offset, x, n);
    else
        bl_machine.k->get(e.word + offset, x, inc, (size_t)n);
}

/* How long a run will become nobody says. So it begins in the caches, and leaves them once it has outgrown them. */
static void put_run(bl_word *y, size_t bytes, const bl_word *from)
{
    e.run = y == e.next ? e.run + bytes : bytes;
    e.next = y + bytes / 8;
    if (e.run < bl_machine.stream_min || (uintptr_t)y % 8)
        memcpy(y, from, bytes);
    else
        bl_machine.k->copy_stream(y, from, bytes);
}

static void put(const char *call, bl_word *y, long inc, long n, long offset)
{
    const bl_word *from = e.word + offset;

    check(call, n, offset);
    if (inc == 1) {
        put_run(y, (size_t)n * 8, from);
        return;
    }
    for (long i = 0; i < n; i++, y += inc)
        *y = from[i];
}

void lgetv(const void *x, long inc, long n)
{
    get("lgetv", x, inc, n, 0);
}

void lgetvo(const void *x, long inc, long n, long offset)
{
    get("lgetvo", x, inc, n, offset);
}

void lputv(void *y, long inc, long n)
{
    put("lputv", y, inc, n, 0);
}

void lputvo(void *y, long inc, long n, long offset)
{
    put("lputvo", y, inc, n, offset);
}

void lgath(const void *a, const int64_t *index, long n)
{
    check("lgath", n, 0);
    bl_machine.k->gather(e.word, a, index, (size_t)n);
}

void lgatho(const void *a, const int64_t *index, long n, long offset)
{
    check("lgatho", n, offset);
    bl_machine.k->gather(e.word + offset, a, index, (size_t)n);
}

void lscat(void *a, const int64_t *index, long n)
{
    check("lscat", n, 0);
    bl_scatter(a, index, e.word, (size_t)n);
}

void lscato(void *a, const int64_t *index, long n, long offset)
{
    check("lscato", n, offset);
    bl_scatter(a, index, e.word + offset, (size_t)n);
}

void lsetv(void *x, long inc, long n, double value)
{
    bl_word *to = x, word;

    if (n < 0)
        bl_fatal("lsetv", "n", n, "is negative");
    memcpy(&word, &value, sizeof word);
    if (inc == 1) {
        bl_set(to, word, (size_t)n);
        return;
    }
    for (long i = 0; i < n; i++, to += inc)
        *to = word;
}

long lputp(void)
{
    bl_machine.k->fence();
    e.next = NULL;
    return 0;
}
