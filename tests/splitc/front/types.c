/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Expressions whose types, values, sizes and offsets the front end must know as cc does: roundtrip -t turns
 * every expression statement below into a static assertion, which cc then checks. */
#include <complex.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct bits { char c; int a : 3; unsigned b : 30; long d : 40; short : 0; char e; };
struct packed { char c; int i; double d; } __attribute__((packed));
struct aligned { char c; int i __attribute__((aligned(32))); };
struct nested { struct { int x; union { int y; double z; }; }; struct bits in[3]; char tail[]; };
union mixed { char c[13]; short s; struct packed p; };
enum small { ONE = 1, TWO };
enum negative { MINUS = -1, PLUS };
enum wide { BIG = 0x100000000 };
typedef int vec4 __attribute__((vector_size(16)));
typedef int byte_mode __attribute__((mode(QI)));
typedef int word_mode __attribute__((mode(DI)));
typedef struct nested nested_t;
int unsized[] = {[5] = 1, 2, 3};
char text[] = "abc" "de\x41\n\101";
struct pair { int a, b; } pairs[] = {1, 2, 3, 4, {5}, 6, 7};
wchar_t wide_text[] = L"\u00e9t";

int main(void)
{
    char c = 0; signed char sc = 0; unsigned char uc = 0; short s = 0; unsigned short us = 0; int i = 0; unsigned u = 0;
    long l = 0; unsigned long ul = 0; long long ll = 0; unsigned long long ull = 0; float f = 0; double d = 0; long double ld = 0;
    float complex fc = 0; double complex dc = 0; _Bool b = 0; __int128 big = 0;
    enum small es = ONE; enum negative en = MINUS; enum wide ew = BIG; vec4 v = {0}; byte_mode bm = 0; word_mode wm = 0;
    int a[4][5]; int (*pa)[5] = a; const char *cp = text; void *vp = &i; int (*fp)(void) = main; struct nested *np = 0;
    const struct pair *pp = pairs; struct bits bf = {0};
    c + c; sc + uc; us + s; u + i; l + u; ul + l; ll + ul; ull + ll; ll + l; f + i; d + f; ld + d; fc + d; dc + f; fc * ld;
    b + b; big + ull; es + en; ew + i; v + v; v == v; -v; bm + bm; wm; es; en; ew;
    -c; ~us; !d; +b; -u; -l; ~c; !fp; c << l; ul >> i; s << ull; big << 3;
    a; a + 1; *a; **a; a[1]; &a; &a[1]; a[1][2]; &a[1][2]; 2[a]; pa; pa + 1; *pa; (*pa)[2]; pa - pa; &a[3] - &a[1]; *(&a);
    cp; *cp; cp + 1; cp++; &cp; &*cp; vp; fp(); *fp; **fp; (*fp)(); &main; main; np->x; np->y; np->z; np->in; np->in[1].e;
    np->tail; &np->in[2]; pp->a; &pp->b; pp[1]; *pp; bf.a + 1; bf.b + 1; bf.e; vp == cp; 1 ? vp : cp;
    1 ? cp : 0; 1 ? (void *)0 : cp; 1 ? 0 : cp; 1 ? i : d; 1 ? c : s; i ?: l; i = d; d += i; cp += 3; (c, d); (char)d; (void *)cp;
    sizeof(struct bits); sizeof(struct packed); sizeof(struct aligned); sizeof(nested_t); sizeof(union mixed); sizeof(vec4);
    sizeof a; sizeof a[0]; sizeof unsized; sizeof text; sizeof pairs; sizeof wide_text; sizeof(struct stat); sizeof ld;
    sizeof(double complex); sizeof(char[7][3]); sizeof(enum wide); sizeof(FILE); sizeof main; sizeof(void); sizeof big; sizeof __func__;
    _Alignof(struct aligned); _Alignof(double); _Alignof(vec4); _Alignof(a);
    offsetof(struct bits, e); offsetof(struct packed, d); offsetof(struct aligned, i); offsetof(nested_t, z); offsetof(nested_t, tail);
    1; 1u; 1l; 1ul; 1ll; 1ull; 0x7fffffff; 0x80000000; 2147483648; 0xffffffffffffffff; 010; 0b101; 1.0; 1.0f; 1.0l; 1e3; 0x1p3; 1.0i;
    0xe + 1; 'a'; '\n'; '\377'; L'x'; u'x'; U'x'; 'ab'; "abc"; L"abc"; u8"abc"; u"ab"; U"a"; "a" "b"; ONE; MINUS; BIG; TWO;
    3 / 2; -7 % 3; 7u - 8; 1 << 30; ~0u; -1 < 0u; 5 > 3 && 0; 1 || 0; (char)300; (char)200; (char)-1; (unsigned char)-1; 1 ? 2 : 3; !5; (long)-1; 'a' == 97;
    ({ int z = 3; z + 1.0f; }); ({ ; }); (struct pair){1, 2}; (int[]){1, 2, 3}; (struct pair){.b = 3}.b; &(int){3};
    _Generic(c, int: 1.0f, char: 2.0, default: 3); _Generic(cp, const char *: 1l, default: 2); _Generic(i + l, int: 1, long: 1ull, default: 0);
    __builtin_choose_expr(1, f, d); __builtin_types_compatible_p(int, enum negative); __builtin_types_compatible_p(int[], int[3]);
    __builtin_expect(i, 0); __builtin_strlen(cp); __builtin_popcount(3u); __real__ dc; __imag__ fc; &&here; __extension__ 3l;
    (__typeof__(a[0]) *)0; (__typeof__(i + l))0; strlen(cp); strchr(cp, 3); printf("x"); (unsigned)-1 > 0; sizeof(int) - 5 > 0;
    c ? s : (float)i; v[1]; &v; es ? ONE : TWO; (const int)i; *(const int *)vp; *(volatile struct pair *)vp; ((volatile struct pair *)vp)->a;
    &((const struct pair *)vp)->a; (int (*)[3])vp; (int (*(*)(void))[3])vp; (double (*)(int, char *, ...))vp; (int *const *)vp; *(int *const *)vp;
here:
    return 0;
}
