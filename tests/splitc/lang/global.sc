/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Global pointers: dereference, members, subscripts, arithmetic, comparison,
 * conversion, compound assignment, to globals, stack and malloc memory of peers.
 */
#include "check.h"
#include <string.h>

struct point {
    int x;
    double y;
    char name[12];
    unsigned low : 3, high : 5;
    struct point *global next;
};

int number, numbers[16];
struct point place;
int *global shown[64];
long words[4];

static int first(int *global p)
{
    return *p;
}

static int *global right_number(void)
{
    return toglobal((MYPROC + 1) % PROCS, &number);
}

static void reads_and_writes(void)
{
    int right = (MYPROC + 1) % PROCS, left = (MYPROC + PROCS - 1) % PROCS;
    int *global g = toglobal(right, &number);
    number = -1;
    barrier();
    *g = 100 + MYPROC;
    barrier();
    CHECK(number == 100 + left);
    CHECK(*g == 100 + MYPROC);
    CHECK(*right_number() == 100 + MYPROC && first(g) == 100 + MYPROC);
    barrier();
    *g += 5;
    CHECK(*g == 105 + MYPROC && (*g)++ == 105 + MYPROC && ++*g == 107 + MYPROC && *g-- == 107 + MYPROC);
    g = toglobal(right, &number);
    *g <<= 1;
    CHECK(*g == 2 * (107 + MYPROC));
    *g = *g = 3;
    CHECK(first(g) == 3);
    barrier();
}

static void arithmetic(void)
{
    int right = (MYPROC + 1) % PROCS, i;
    int *global g = toglobal(right, numbers), *global h;
    for (i = 0; i < 16; i++)
        numbers[i] = 1000 * MYPROC + i;
    barrier();
    for (i = 0; i < 16; i++)
        CHECK(g[i] == 1000 * right + i && *(g + i) == g[i] && i[g] == *(i + g));
    h = g + 5;
    CHECK(h - g == 5 && h > g && g < h && h >= g && g != h && !(g == h) && h - 5 == g);
    CHECK(toproc(h) == right && tolocal(toglobal(MYPROC, numbers) + 5) == numbers + 5);
    h -= 2;
    CHECK(*h++ == 1000 * right + 3 && *h == 1000 * right + 4 && *--h == 1000 * right + 3);
    h += 1;
    CHECK(h == &g[4] && &*h == h);
    h = NULL;
    CHECK(!h && h == 0 && g && !(h && g) && (h ? 0 : 1) && (g || h));
    if (h)
        CHECK(0);
    while (h)
        CHECK(0);
    for (h = g; h < g + 3; h++)
        CHECK(*h == 1000 * right + (h - g));
    for (int *global k = g, n = 0; n < 2; n++)
        CHECK(k[n] == 1000 * right + n);
    barrier();
}

static void members(void)
{
    int right = (MYPROC + 1) % PROCS;
    struct point *global p = toglobal(right, &place), copy, *mine = &place;
    memset(&place, 0, sizeof place);
    barrier();
    p->x = MYPROC;
    p->y = 2.5;
    (*p).name[1] = 'b';
    p->name[0] = 'a';
    p->low = 9;
    p->high = 17;
    p->high++;
    p->next = mine;
    barrier();
    CHECK(place.x == (MYPROC + PROCS - 1) % PROCS && place.y == 2.5 && !strcmp(place.name, "ab"));
    CHECK(p->low == 1 && p->high == 18 && place.low == 1 && place.high == 18);
    CHECK(place.next->next->x == (place.x + 2 * PROCS - 2) % PROCS);
    copy = *p;
    CHECK(copy.x == MYPROC && copy.next == toglobal(MYPROC, &place) && copy.name[1] == p->name[1]);
    copy.x = 77;
    barrier();
    *p = copy;
    CHECK((*p).x == 77 && *(&p->x) == 77 && (&p->y)[0] == 2.5);
    p->name[0] -= 'a' - 'A';
    CHECK(p->name[0] == 'A');
    barrier();
}

static void other_memory(void)
{
    int here = 40 + MYPROC, i;
    int *block = malloc(4 * sizeof *block);
    int *global peer;
    char *global bytes;
    void *global any;
    block[2] = 7 * MYPROC;
    shown[0] = &here;
    shown[1] = block;
    barrier();
    for (i = 0; i < PROCS; i++) {
        int *global *global table = toglobal(i, shown);
        peer = table[0];
        CHECK(*peer == 40 + i && toproc(peer) == i);
        peer = *(table + 1);
        CHECK(peer[2] == 7 * i);
        any = peer;
        CHECK(((int *global)any)[2] == 7 * i && any == peer);
        bytes = (char *global)peer;
        CHECK(*(int *global)(bytes + 2 * sizeof(int)) == 7 * i);
    }
    CHECK(sizeof(int *global) == 16 && sizeof *peer == sizeof(int) && sizeof(struct point) >= 40);
    barrier();
    free(block);
}

static void phases(void)
{
    int right = (MYPROC + 1) % PROCS, got, i;
    double wide;
    int *global g = toglobal(right, numbers);
    long *global w = toglobal(right, words);
    struct point *global p = toglobal(right, &place), fetched;
    number = MYPROC;
    place.x = 5 * MYPROC;
    barrier();
    got := *toglobal(right, &number);
    fetched := *p;
    sync();
    CHECK(got == right && fetched.x == 5 * right);
    wide := *toglobal(right, &number);
    sync();
    CHECK(wide == right);
    barrier();
    for (i = 0; i < 4; i++)
        g[i] := i * i + MYPROC;
    p->x := 12;
    sync();
    barrier();
    CHECK(numbers[3] == 9 + (MYPROC + PROCS - 1) % PROCS && place.x == 12);
    barrier();
    for (i = 0; i < 4; i++)
        w[i] :- i + 10L * MYPROC;
    store_sync(4 * sizeof(long));
    CHECK(words[2] == 2 + 10L * ((MYPROC + PROCS - 1) % PROCS));
    barrier();
    reset_store_sync();
    p->y :- 8.5;
    all_store_sync();
    CHECK(place.y == 8.5);
    got = PROCS>0?1:-1; /* no store */
    switch (got) {
    case 1:-got; break;
    default:-1;
    }
    barrier();
}

const int primes[] = { 2, 3, 5, 7 };
const char *const words_of[] = { "two", "three" };

static void constants(void)
{
    int right = (MYPROC + 1) % PROCS, got;
    const int *global p = toglobal(right, primes);
    const char *global text = toglobal(right, "letters");
    const char *const *global list = toglobal(right, words_of);
    got := p[3];
    sync();
    CHECK(got == 7 && p[1] == 3 && *text == 'l' && text[6] == 's' && !strcmp(list[1], "three"));
    barrier();
}

splitc_main(int argc, char **argv)
{
    reads_and_writes();
    arithmetic();
    members();
    other_memory();
    phases();
    constants();
    on_one printf("global: right on %s\n", argc > 0 && argv[0] ? "all" : "?");
}
