# SPDX-License-Identifier: BSD-3-Clause
"""Programs of random statements, each made three times: on a plain pointer, on a global pointer and on an element of a
spread array (`@` becomes n, g, A[e]). After each one all three structures must be the same."""

import random
import re

HEAD = """#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum hue { RED, GREEN, BLUE };
typedef int quad __attribute__((vector_size(16)));
struct part { short s; int i; unsigned char u; };
struct all {
    char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l; unsigned long ul;
    long long ll; unsigned long long ull; __int128 q; _Bool b; enum hue h; float f; double d; long double x;
    _Complex double z; int f3 : 3; unsigned f9 : 9; long f40 : 40; _Bool f1 : 1; int a[8]; short m[3][4];
    struct part p[4]; union { int ui; unsigned char bytes[4]; }; int *to; quad v;
};
static int pool[8] = { 3, -1, 4, 1, -5, 9, 2, 6 };
struct all F[4], A[PROCS]::[4], near[4];
static void init(struct all *p)
{
    for (int k = 0; k < 4; k++) {
        memset(&p[k], 0, sizeof p[k]);
        p[k].c = 'a' + k, p[k].sc = -3 * k, p[k].uc = 200 + k, p[k].s = -300 * k, p[k].us = 60000 + k;
        p[k].i = -70000 * k;
        p[k].u = 4000000000u + k, p[k].l = -1l << (40 + k), p[k].ul = ~0ul - k, p[k].ll = 5 - k;
        p[k].ull = ~0ull / (k + 3);
        p[k].q = ((__int128)7 << 70) - k, p[k].b = k & 1, p[k].h = BLUE, p[k].f = 0.5f * k, p[k].d = 1.25 - k;
        p[k].x = 3.5l * k;
        p[k].f3 = k, p[k].f9 = 500 + k, p[k].f40 = -99999 * k, p[k].ui = 0x1020304 * k, p[k].to = pool + k;
        for (int j = 0; j < 8; j++)
            p[k].a[j] = 100 * k - j, p[k].m[j % 3][j % 4] = j * k, p[k].p[j % 4].i = j - k;
    }
}
static double clamp(double d) { return d > -1e6 && d < 1e6 ? d : 0.5; }
static int half(int i) { return i / 2; }
static struct part made(int i) { return (struct part){ .i = i, .u = i }; }
static int taken(struct part p, int n) { return p.i + p.s * n; }
#define EQ(m) memcmp(&a->m, &b->m, sizeof a->m)
static int differ(const struct all *a, const struct all *b)
{
    if (EQ(c) || EQ(sc) || EQ(uc) || EQ(s) || EQ(us) || EQ(i) || EQ(u) || EQ(l) || EQ(ul) || EQ(ll)) return 1;
    if (EQ(ull) || EQ(q)) return 1;
    if (EQ(b) || EQ(h) || EQ(f) || EQ(d) || EQ(z) || EQ(a) || EQ(m) || EQ(ui) || EQ(to) || EQ(v)) return 1;
    if (memcmp(&a->x, &b->x, 10)) return 1;
    for (int k = 0; k < 4; k++)
        if (EQ(p[k].s) || EQ(p[k].i) || EQ(p[k].u)) return 1;
    return a->f3 != b->f3 || a->f9 != b->f9 || a->f40 != b->f40 || a->f1 != b->f1;
}
static void same(const struct all *n, const struct all *global g, int line)
{
    struct all got[4];
    bulk_read(got, g, sizeof got);
    for (int k = 0; k < 4; k++)
        if (differ(&n[k], &got[k])) {
            fprintf(stderr, "line %d: processor %d: element %d differs\\n", line, MYPROC, k);
            exit(1);
        }
}
"""
TAIL = """splitc_main()
{
    int e = (MYPROC + 1) % PROCS;
    init(F), init(near), init(tolocal(A[MYPROC]));
    barrier();
    work(near, toglobal(e, F), e);
    barrier();
    on_one printf("same\\n");
}
"""
FIELDS = "c sc uc s us i u l ul ll ull q b h f3 f9 f1 ui".split()
KINDS = (
    "int: 1, unsigned: 2, long: 3, unsigned long: 4, long long: 5, unsigned long long: 6, float: 7, double: 8, "
    "long double: 9"
)
# <x> is any of the lines of x. At depth 0 those of x0 are taken where there are any.
GRAMMAR = {
    "base": ["@->", "@->", "(*@).", "@[<to3>].", "(@ + <to3>)->", "(&@[2])[-1]."],
    "base0": ["@->", "(*@).", "@[1].", "(@ + 2)->"],
    "to1": ["0", "1", "(<int> & 1)"],
    "to3": ["0", "1", "2", "3", "(<int> & 3)"],
    "to7": ["0", "4", "7", "(<int> & 7)"],
    "to10": ["0", "1"],
    "to30": ["0", "2", "3"],
    "to70": ["1", "6"],
    "field": [*FIELDS, "f40"],
    "real_field": ["f", "d", "x"],
    "part_field": ["s", "i", "u"],
    "type": [
        "char",
        "signed char",
        "unsigned char",
        "short",
        "unsigned short",
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "__int128",
        "_Bool",
        "enum hue",
    ],
    "real_type": ["float", "double", "long double"],
    "literal": ["<sign><digits><suffix>"],
    "sign": ["", "-"],
    "suffix": ["", "", "u", "l", "ul", "ll"],
    "digits": ["0", "1", "2", "7", "100", "255", "65535", "2147483647", "4294967295", "123456789012"],
    "lvalue": [
        "(<base><field>)",
        "(<base><field>)",
        "(<base>a[<to7>])",
        "(*(<base>a + <to7>))",
        "(<base>m[<to1>][<to3>])",
        "(*(<base>m[2] + <to3>))",
        "(<base>p[<to3>].<part_field>)",
        "((<base>p + 1)->i)",
        "(*&<base>l)",
        "(<base>bytes[<to3>])",
        "(<to3>[<base>a])",
        "((*&<base>m)[1][2])",
        "(<base>v[<to3>])",
    ],
    "real_lvalue": ["<base><real_field>"],
    "int": [
        "(<int> <arithmetic> <int>)",
        "(<int> <arithmetic> <int>)",
        "(<int> <comparison> <int>)",
        "(<int> <division> ((<int> & 15) + 1))",
        "(<int> <shift> (<int> & 7))",
        "(<int> <logical> <int>)",
        "<unary><int>",
        "(<int> ? <int> : <int>)",
        "(<type>)<int>",
        "(<int>, <int>)",
        "half(<int>)",
        "(<int> ?: <int>)",
        "<lvalue>",
        "(<real> <comparison> <real>)",
        "(long)clamp(<real>)",
        "(int)sizeof(<int> + 0)",
        "(int)sizeof <base>p",
        f"_Generic(<kind>, {KINDS}, default: 0)",
        "({ int t = <int>; t + 1; })",
        "(int)(&<base>a[<to7>] - <base>a)",
        "(&<base>a[<to7>] <comparison> &<base>a[<to7>])",
        "<base>to[<to3>]",
        "*<base>to",
        "taken(<base>p[<to3>], <int>)",
        "(&<base>i == &<base>i)",
        "(int)(<base>v + <base>v)[<to3>]",
    ],
    "int0": ["<literal>", "<lvalue>", "k"],
    "arithmetic": ["+", "-", "*", "&", "|", "^"],
    "division": ["/", "%"],
    "shift": ["<<", ">>"],
    "logical": ["&&", "||"],
    "comparison": ["<", ">", "<=", ">=", "==", "!="],
    "unary": ["- ", "~", "!", "+ "],
    # What _Generic may ask for; not the field of 40 bits, for which GCC has a type of its own.
    "kind": [
        "<literal>",
        "<base>c + 0",
        "+ <base>a[<to7>]",
        "<base>ull + <base>f9",
        "(<kind>) * (<kind>)",
        "- (<kind>)",
        "<base><real_field> + 1",
        "(<int>) ? (<kind>) : (<kind>)",
        "<base>l - 1u",
    ],
    "kind0": ["<literal>", "+ <base>us", "<base>ll + 0", "<base>f * 1"],
    "real": [
        "(<real> + <real>)",
        "(<real> - <real>)",
        "(<real> * <real>)",
        "(- <real>)",
        "(<real_type>)<real>",
        "(<int> ? <real> : <real>)",
        "(<real> / (clamp(<real>) * clamp(<real>) + 1))",
        "(<real> * (int)(<int>))",
        "__real__ <base>z",
        "__imag__ <base>z",
        "<real_lvalue>",
    ],
    "real0": ["0.5", "3.25f", "-2.0l", "1e3", "<real_lvalue>"],
    "simple": [
        "<lvalue> = <int>;",
        "<lvalue> = <int>;",
        "<lvalue> <arithmetic>= <int>;",
        "<lvalue> <division>= ((<int> & 7) + 1);",
        "<lvalue> <shift>= (<int> & 3);",
        "<lvalue>++;",
        "--<lvalue>;",
        "@->ul = (<lvalue> = <int>);",
        "@->ll = @->s-- + k;",
        "@[3].q = (<base>u += <int>) + 1;",
        "<real_lvalue> = clamp(<real>);",
        "@->d = clamp(@->d += <real>);",
        "<base>z = clamp(<real>) + clamp(<real>) * 1.0i;",
        "__imag__ <base>z = clamp(<real>);",
        "<base>p[<to3>] = <base>p[<to3>];",
        "<base>p[1] = made(<int>);",
        "@[<to3>] = @[<to3>];",
        "{ struct part t = <base>p[2]; t.i += k; <base>p[0] = t; }",
        "<lvalue> := <int>; sync();",
        "<base>f := @->d; sync();",
        "<base>to = pool + <to3>;",
        "<base>to = <base>to == pool ? pool + 4 : pool;",
        "<base>v = @->v + 3;",
        "<base>v ^= @->v + 1;",
        "<base>h = <int> ? GREEN : <base>h;",
        "<base>f9 = <base>f3 = <int>;",
        "(<int>, <base>a[2]) ? (void)(<base>i = 4) : (void)(<base>i--);",
    ],
    "statement": [
        "<simple>",
        "<simple>",
        "<simple>",
        "if (<int>) { <simple> } else { <simple> }",
        "for (k = 0; k < 3; k++) { <simple> }",
        "k = 4; while (k-- && <lvalue>) { <simple> }",
        "k = 3; do { <simple> } while (--k && <lvalue>);",
        "switch (<int> & 3) { case 0: <simple> break; case 1 ... 2: <simple> default: ; }",
    ],
}
PER_FUNCTION = 8


def expand(rng, name, depth):
    lines = GRAMMAR[name + "0"] if depth <= 0 and name + "0" in GRAMMAR else GRAMMAR[name]
    return re.sub(r"<(\w+)>", lambda m: expand(rng, m[1], depth - 1), rng.choice(lines))


def function(rng, name):
    text = f"static void {name}(struct all *n, struct all *global g, int e)\n{{\n    long k = 1;\n"
    for _ in range(PER_FUNCTION):
        statement = expand(rng, "statement", 4)
        text += "".join(f"    {statement.replace('@', pointer)} k = 1;\n" for pointer in ("n", "g", "A[e]"))
        text += "    same(n, g, __LINE__); same(n, A[e], __LINE__);\n"
    return text + "}\n"


def program(seed, statements):
    rng = random.Random(seed)
    names = [f"part_{i}" for i in range(0, statements, PER_FUNCTION)]
    calls = "".join(f"    {name}(n, g, e);\n" for name in names)
    return (
        HEAD
        + "".join(function(rng, name) for name in names)
        + "static void work(struct all *n, struct all *global g, int e)\n{\n"
        + calls
        + "}\n"
        + TAIL
    )
