/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every form of libbenchlib that moves words, by every instruction set of this processor, at sizes on both sides of
 * each threshold, with addresses that begin anywhere in a line, against plain loops; nothing beside may change. Then
 * those of which the processor decides again the other way.
 */
#include "benchlib/kernels.h"

#include <benchlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GUARD 16 /* words before and after */
#define MARK 0xabadcafe12345678u

static int failures;

static void check(int right, const char *what, size_t a, size_t b)
{
    if (!right && ++failures <= 20)
        printf("%s: %s is wrong (%zu, %zu)\n", bl_kernels(), what, a, b);
}

static uint64_t word_of(size_t i)
{
    return (i + 1) * 0x9e3779b97f4a7c15u;
}

/* `words` words in the middle of guards, the first `shift` words past a line. */
static uint64_t *room(uint64_t **base, size_t words, size_t shift)
{
    *base = aligned_alloc(64, (words + 2 * GUARD + 8 + 7) / 8 * 64);
    if (!*base)
        exit(1);
    for (size_t i = 0; i < words + 2 * GUARD + shift; i++)
        (*base)[i] = MARK;
    return *base + GUARD + shift;
}

static int guarded(const uint64_t *p, size_t words)
{
    for (size_t i = 1; i <= GUARD; i++)
        if (p[-(ptrdiff_t)i] != MARK || p[words + i - 1] != MARK)
            return 0;
    return 1;
}

static void copies(size_t words, size_t shift)
{
    uint64_t *a, *b, *x = room(&a, words, 8 - shift), *y = room(&b, words, shift);
    int right = 1;

    for (size_t i = 0; i < words; i++)
        x[i] = word_of(i);
    bl_copy(y, x, words * 8);
    check(memcmp(x, y, words * 8) == 0 && guarded(y, words), "bl_copy", words, shift);
    if (words > 1) { /* any byte */
        bl_copy((char *)y + 3, (char *)x + 5, words * 8 - 7);
        check(memcmp((char *)y + 3, (char *)x + 5, words * 8 - 7) == 0 && guarded(y, words), "bl_copy of bytes", words,
              shift);
    }
    bl_set(y, MARK / 3, words);
    for (size_t i = 0; i < words; i++)
        right = right && y[i] == MARK / 3;
    check(right && guarded(y, words), "bl_set", words, shift);
    free(a);
    free(b);
}

static void transposes(size_t rows, size_t columns, size_t lda, size_t ldb, size_t shift)
{
    uint64_t *p, *q, *a = room(&p, rows * lda, 0), *b = room(&q, columns * ldb, shift);
    int right = 1;

    for (size_t i = 0; i < rows * lda; i++)
        a[i] = word_of(i);
    for (size_t i = 0; i < columns * ldb; i++)
        b[i] = MARK;
    bl_transpose(b, ldb, a, lda, rows, columns);
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < ldb; i++)
            right = right && b[j * ldb + i] == (i < rows ? word_of(i * lda + j) : MARK);
    check(right && guarded(b, columns * ldb), "bl_transpose", rows, columns);
    free(p);
    free(q);
}

static void in_place(size_t n, size_t lda, size_t shift)
{
    uint64_t *p, *a = room(&p, n * lda, shift);
    int right = 1;

    for (size_t i = 0; i < n * lda; i++)
        a[i] = word_of(i);
    bl_transpose_in_place(a, lda, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < lda; j++)
            right = right && a[i * lda + j] == (j < n ? word_of(j * lda + i) : word_of(i * lda + j));
    check(right && guarded(a, n * lda), "bl_transpose_in_place", n, lda);
    free(p);
}

static void gathers(size_t n)
{
    enum { TABLE = 1000 };
    uint64_t *p, *q, *r, *table = room(&p, TABLE, 3), *x = room(&q, n, 1), *back = room(&r, TABLE, 0);
    int64_t *index = calloc(n + 1, sizeof *index);
    int32_t *index32 = calloc(n + 1, sizeof *index32);
    int right = 1, right32 = 1, put = 1;

    for (size_t i = 0; i < TABLE; i++)
        table[i] = word_of(i), back[i] = MARK;
    for (size_t i = 0; i < n; i++) /* some twice, some negative seen from the middle */
        index[i] = (int64_t)(i * 7919 % TABLE) - TABLE / 2, index32[i] = (int32_t)index[i];
    bl_gather(x, table + TABLE / 2, index, n);
    for (size_t i = 0; i < n; i++)
        right = right && x[i] == word_of((size_t)(index[i] + TABLE / 2));
    check(right && guarded(x, n), "bl_gather", n, 0);
    memset(x, 0, n * 8);
    bl_gather32(x, table + TABLE / 2, index32, n);
    for (size_t i = 0; i < n; i++)
        right32 = right32 && x[i] == word_of((size_t)(index[i] + TABLE / 2));
    check(right32 && guarded(x, n), "bl_gather32", n, 0);
    for (int wide = 0; wide < 2; wide++) {
        for (size_t i = 0; i < n; i++)
            x[i] = i;
        if (wide)
            bl_scatter(back + TABLE / 2, index, x, n);
        else
            bl_scatter32(back + TABLE / 2, index32, x, n);
        for (size_t i = 0; i < n; i++) /* the last one to a place stays */
            put = put && back[index[i] + TABLE / 2] == i + (n - 1 - i) / TABLE * TABLE;
    }
    check(put && guarded(back, TABLE), "bl_scatter", n, 0);
    free(p), free(q), free(r), free(index), free(index32);
}

static void strided(size_t n, ptrdiff_t inc)
{
    const size_t span = n * (size_t)(inc < 0 ? -inc : inc) + 1;
    uint64_t *p, *q, *a = room(&p, span, 2), *x = room(&q, n, 5);
    uint64_t *first = inc < 0 ? a + span - 1 : a;
    int got = 1, put = 1;

    for (size_t i = 0; i < span; i++)
        a[i] = word_of(i);
    bl_get(x, first, inc, n);
    for (size_t i = 0; i < n; i++)
        got = got && x[i] == first[(ptrdiff_t)i * inc];
    check(got && guarded(x, n), "bl_get", n, (size_t)inc);
    for (size_t i = 0; i < n; i++)
        x[i] = ~word_of(i);
    bl_put(first, inc, x, n);
    for (size_t i = 0; i < n; i++)
        put = put && first[(ptrdiff_t)i * inc] == ~word_of(i);
    check(put && guarded(a, span), "bl_put", n, (size_t)inc);
    free(p);
    free(q);
}

static void all(void)
{
    static const size_t sizes[] = {0, 1, 2, 7, 8, 9, 31, 63, 64, 480, 4096, 4099, 200000, 262144, 700001, 3500003};
    static const size_t sides[] = {1, 2, 3, 7, 8, 9, 16, 31, 33, 65, 130};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t shift = 0; shift < 8; shift += sizes[i] > 100000 ? 5 : 1)
            copies(sizes[i], shift);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (size_t j = 0; j < sizeof sides / sizeof *sides; j++) {
            transposes(sides[i], sides[j], sides[j] + i % 3, sides[i] + j % 2, j % 8);
            in_place(sides[i], sides[i] + j % 4, j % 8);
        }
    /* Past the caches: odd rows, rows that share cache sets, whole lines, more than a panel, few rows or columns. */
    transposes(1025, 1025, 1025, 1025, 3);
    transposes(1024, 520, 520, 1024, 0);
    transposes(700, 1111, 1113, 701, 0);
    transposes(1601, 650, 651, 1603, 6);
    transposes(5, 60000, 60001, 5, 1);
    transposes(60000, 5, 5, 60003, 7);
    transposes(300, 1100, 1104, 304, 8);
    in_place(512, 512, 0);
    in_place(513, 513, 1);
    in_place(601, 607, 5);
    in_place(640, 648, 0);
    for (size_t n = 1; n <= 70; n++) /* rows of pages, a word more or less: by way of buffers when there are enough */
        for (size_t lda = 511; lda <= 513; lda++)
            in_place(n, lda, n % 8);
    in_place(97, 1024, 0);
    in_place(145, 1023, 4);
    in_place(1025, 1025, 3);
    for (size_t n = 0; n < 70; n++)
        gathers(n);
    gathers(5000);
    for (ptrdiff_t inc = -3; inc < 9; inc++)
        for (size_t n = 0; inc && n < 40; n += n < 10 ? 1 : 9)
            strided(n, inc);
}

static void all_sizes(void)
{
    for (size_t words = 0; words < 70; words++)
        copies(words, words % 8);
    copies(4099, 3);
    copies(70001, 6);
}

/* What another processor of the same instruction set would take: every loop at every size. */
static void the_other_way(void)
{
    const struct bl_machine own = bl_machine;

    bl_machine.gather_by_loads = !own.gather_by_loads;
    bl_use(bl_kernels());
    for (size_t n = 0; n < 70; n++)
        gathers(n);
    bl_machine.copy_string_min = bl_machine.set_string_min = 0;
    bl_machine.set_stream_min = SIZE_MAX;
    all_sizes();
    bl_machine.copy_string_min = bl_machine.set_string_min = SIZE_MAX;
    bl_machine.stream_min = bl_machine.set_stream_min = 0;
    all_sizes();
    transposes(33, 41, 43, 33, 5);
    for (size_t n = 49; n < 420; n += 37)
        for (size_t lda = 511; lda <= 513; lda++)
            in_place(n, lda, n % 8);
    bl_machine = own;
    bl_use(bl_kernels());
}

int main(void)
{
    static const char *const sets[] = {"movdir64b", "avx512", "avx2", "base"};

    printf("chosen: %s\n", bl_kernels());
    for (int i = 0; i < 4; i++)
        if (bl_use(sets[i]) == 0) {
            all();
            the_other_way();
        } else
            printf("not here: %s\n", sets[i]);
    check(bl_use("abacus") == -1 && strcmp(bl_kernels(), "base") == 0, "bl_use of an unknown name", 0, 0);
    return failures != 0;
}
