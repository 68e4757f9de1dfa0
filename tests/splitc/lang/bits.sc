/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-fields behind global pointers: every width and place, packed or not, and
 * neighbours that other processors change meanwhile.
 */
#include "check.h"
#include <string.h>

enum hue { RED, GREEN, BLUE };
struct mixed {
    char c;
    int a : 3;
    unsigned b : 30;
    long d : 40;
    _Bool f : 1;
    enum hue e : 2;
    unsigned long w : 61;
    short : 0;
    union {
        struct {
            signed char low : 4, high : 4;
        };
        unsigned char both;
    };
    int last;
};
struct tight {
    char c;
    unsigned a : 7, b : 19;
    long long d : 45;
    unsigned char e : 5;
    int last;
} __attribute__((packed));
struct shared {
    unsigned before : 8, mine : 8, after : 16;
};

struct mixed mixed;
struct tight tight;
struct shared shared;

static void values(void)
{
    int right = (MYPROC + 1) % PROCS, left = (MYPROC + PROCS - 1) % PROCS;
    struct mixed *global m = toglobal(right, &mixed);
    struct tight *global t = toglobal(right, &tight);
    struct mixed mine = { .a = 2 };
    m->a = -3;
    m->b = 0x2abcdef0u + MYPROC;
    m->d = -0x7654321098 + MYPROC;
    m->f = 4;
    m->e = BLUE;
    m->w = 0x1fedcba987654321ul;
    m->low = 7;
    (*m).high = -8;
    t->a = 100;
    t->b = 0x7abcd;
    t->d = -0xfedcba98765;
    t->e = 21;
    barrier();
    CHECK(mixed.a == -3 && mixed.b == 0x2abcdef0u + left && mixed.d == -0x7654321098 + left && mixed.f && mixed.e == BLUE);
    CHECK(mixed.w == 0x1fedcba987654321ul && mixed.low == 7 && mixed.high == -8 && mixed.both == 0x87 && mixed.c == 0 && mixed.last == 0);
    CHECK(tight.a == 100 && tight.b == 0x7abcd && tight.d == -0xfedcba98765 && tight.e == 21 && tight.c == 0 && tight.last == 0);
    CHECK(m->a == -3 && m->b == 0x2abcdef0u + MYPROC && m->d < 0 && m->f == 1 && m->e == BLUE && m->w >> 32 == 0x1fedcba9ul);
    CHECK(m->low + m->high == -1 && t->a == 100 && t->b == 0x7abcd && t->d == -0xfedcba98765 && t->e == 21);
    CHECK(m->b - m->b - 1 < 0 && -t->a < 0 && m->w - m->w - 1 > 0); /* narrow ones are int */
    barrier();
    CHECK((m->a = 9) == 1 && m->a++ == 1 && ++m->a == 3 && (m->a += 1) == -4 && m->a-- == -4 && m->a == 3);
    m->a = mine.a;
    m->b -= mine.a;
    t->e |= m->low;
    CHECK(m->a == 2 && m->b == 0x2abcdef0u + MYPROC - 2 && t->e == 23 && (m->f ? m->e : RED) == BLUE);
    m->a := mine.a + 1;
    sync();
    CHECK(m->a == 3);
    mine.a := m->a;
    sync();
    CHECK(mine.a == 3);
    mine.a = t->e;
    CHECK(mine.a == -1 && (m->f ^= 1) == 0 && !m->f);
    barrier();
}

/* All processors count in processor 0's struct, each in a byte of its own. */
static void neighbours(void)
{
    struct shared *global s = toglobal(0, &shared);
    int i;
    for (i = 0; i < 20000; i++)
        if (MYPROC == 0)
            s->before++;
        else if (MYPROC == 1)
            s->mine++;
        else if (MYPROC == 2)
            s->after++;
    barrier();
    CHECK(s->before == 20000 % 256 && s->mine == (PROCS > 1 ? 20000 % 256 : 0) && s->after == (PROCS > 2 ? 20000 : 0));
    barrier();
}

splitc_main()
{
    values();
    neighbours();
    on_one printf("bits: right\n");
}
