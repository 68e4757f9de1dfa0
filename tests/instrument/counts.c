/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which loads and stores are told of: sizes, kinds, addresses, nothing beside the watched memory.
 */
#include "counts.h"

#include <stdbool.h>
#include <string.h>

enum { R = CORE_WATCH_READ, W = CORE_WATCH_WRITE, V = CORE_WATCH_VOLATILE };
#define SEPARATE __attribute__((noinline))

typedef float four __attribute__((vector_size(16)));
struct odd {
    char c;
    long l;
    short s;
} __attribute__((packed));
struct large {
    char c[200];
};
struct bits {
    unsigned a : 3, b : 5;
};

static struct {
    char before[64], c[64];
    short s;
    int i;
    long l;
    four v;
    volatile int vi;
    struct odd odd;
    struct large large, other;
    struct bits bits;
    char text[64], after[64];
} m __attribute__((aligned(64)));

static volatile long sink;
SEPARATE static char load_c(char *p)
{
    return *p;
}
SEPARATE static short load_s(short *p)
{
    return *p;
}
SEPARATE static int load_i(int *p)
{
    return *p;
}
SEPARATE static long load_l(long *p)
{
    return *p;
}
SEPARATE static void load_v(four *p, four *to)
{
    *to = *p;
}
SEPARATE static int load_vi(volatile int *p)
{
    return *p;
}
SEPARATE static void store_c(char *p)
{
    *p = 1;
}
SEPARATE static void store_s(short *p)
{
    *p = 1;
}
SEPARATE static void store_i(int *p)
{
    *p = 1;
}
SEPARATE static void store_l(long *p)
{
    *p = 1;
}
SEPARATE static void store_v(four *p, four *from)
{
    *p = *from;
}
SEPARATE static void store_vi(volatile int *p)
{
    *p = 1;
}
SEPARATE static void store_odd(struct odd *p)
{
    p->l = 1;
}
SEPARATE static void copy_large(struct large *to, const struct large *from)
{
    *to = *from;
}
SEPARATE static void store_bits(struct bits *p)
{
    p->b = 7;
}
SEPARATE static void copy(void *to, const void *from, size_t n)
{
    memcpy(to, from, n);
}
SEPARATE static void move(void *to, const void *from, size_t n)
{
    memmove(to, from, n);
}
SEPARATE static void set(void *to, size_t n)
{
    memset(to, 0, n);
}
SEPARATE static void string(char *to, const char *from)
{
    strcpy(to, from);
}
SEPARATE static size_t length(const char *p)
{
    return strlen(p);
}

static void loads(void)
{
    four v;
    sink = load_c(m.c);
    expect(R, 1, 1, m.c, "load of 1 byte");
    sink = load_s(&m.s);
    expect(R, 1, 2, &m.s, "of 2");
    sink = load_i(&m.i);
    expect(R, 1, 4, &m.i, "of 4");
    sink = load_l(&m.l);
    expect(R, 1, 8, &m.l, "of 8");
    load_v(&m.v, &v);
    sink = (long)v[0];
    expect(R, 1, 16, &m.v, "of 16");
    sink = load_vi(&m.vi);
    expect(R | V, 1, 4, (void *)&m.vi, "volatile load");
}

static void stores(void)
{
    four v = {0};
    store_c(m.c);
    expect(W, 1, 1, m.c, "store of 1 byte");
    store_s(&m.s);
    expect(W, 1, 2, &m.s, "of 2");
    store_i(&m.i);
    expect(W, 1, 4, &m.i, "of 4");
    store_l(&m.l);
    expect(W, 1, 8, &m.l, "of 8");
    store_v(&m.v, &v);
    expect(W, 1, 16, &m.v, "of 16");
    store_vi(&m.vi);
    expect(W | V, 1, 4, (void *)&m.vi, "volatile store");
    store_odd(&m.odd);
    expect(W, 1, 8, &m.odd.l, "unaligned store");
    counted.n = 0;
    store_bits(&m.bits);
    if (counted.calls[W] != 1)
        exit(2);
    memset(&counted, 0, sizeof counted);
}

static void many_bytes(void)
{
    struct large here = {{1}};
    copy_large(&m.large, &here);
    expect(W, counted.n, 200, &m.large, "struct written");
    copy_large(&here, &m.large);
    expect(R, counted.n, 200, &m.large, "struct read");
    copy(m.text, here.c, 50);
    expect(W, 1, 50, m.text, "memcpy to");
    copy(here.c, m.text, 50);
    expect(R, 1, 50, m.text, "memcpy from");
    move(m.text, here.c, 50);
    expect(W, 1, 50, m.text, "memmove");
    set(m.text, 64);
    expect(W, 1, 64, m.text, "memset");
    set(m.text, 0);
    expect(W, 0, 0, m.text, "memset of nothing");
    string(m.text, "text");
    expect(W, 1, 5, m.text, "strcpy");
    sink = (long)length(m.text);
    expect(R, 1, 5, m.text, "strlen");
}

/* Watched is m without what lies before and after. */
static void beside(void)
{
    int here = 0;
    long *there = malloc(100 * sizeof *there);
    sink = load_i(&here);
    store_c(m.before);
    store_c(m.after);
    store_c(&m.before[63]);
    set(there, 100 * sizeof *there);
    copy(there, &here, sizeof here);
    set(m.before, 64);
    set(m.after, 64);
    expect(R, 0, 0, NULL, "memory beside");
    set(m.before, 70);
    expect(W, 1, 6, m.c, "memset across the lower bound");
    set(&m.text[60], 60);
    expect(W, 1, 4, &m.text[60], "memset across the upper bound");
    set(&m, sizeof m);
    expect(W, 1, (size_t)(m.after - m.c), m.c, "memset of all and more");
    free(there);
}

int main(void)
{
    sink = load_i(&m.i);
    expect(R, 0, 0, NULL, "nothing watched");
    watch(m.c, (size_t)(m.after - m.c));
    loads();
    stores();
    many_bytes();
    beside();
    sink = load_i(&m.i);
    if (counted.pc - (uintptr_t)load_i > 100)
        return 3;
    puts("counts right");
    return 0;
}
