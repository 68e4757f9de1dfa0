/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies against a byte-by-byte model: every loop this processor can run, the
 * choice among them, and strided copies; sizes round every boundary, all
 * alignments, guard bytes round the target, source unchanged.
 */
#include "core/mem/copy_loops.h"

#include <string.h>
#include <sys/mman.h>

#include "core/core.h"
#include "harness.h"

enum { AREA = 24 << 20, GUARD = 256, PAD = 0xa5 };

static unsigned char *from, *to, *model;

static void by_core(void *d, const void *s, size_t n)
{
    core_copy(d, s, n);
}

/* Copy n bytes between these misalignments and look at everything near. */
static void check(const char *name, core_copy_loop *copy, size_t n, size_t d_off, size_t s_off)
{
    unsigned char *d = to + GUARD + d_off;

    memset(to, PAD, GUARD + d_off);
    memset(d, PAD + 1, n);
    memset(d + n, PAD, GUARD);
    copy(d, from + s_off, n);
    EXPECT(memcmp(d, from + s_off, n) == 0, "%s: %zu bytes from +%zu to +%zu", name, n, s_off, d_off);
    for (unsigned char *p = to; p < d; p++)
        EXPECT(*p == PAD, "%s: %zu bytes to +%zu: byte %td before them was written", name, n, d_off, d - p);
    for (unsigned char *p = d + n; p < d + n + GUARD; p++)
        EXPECT(*p == PAD, "%s: %zu bytes to +%zu: byte %td behind them was written", name, n, d_off,
               p - d - (ptrdiff_t)n);
}

static void check_sizes(const char *name, core_copy_loop *copy, size_t least, size_t most)
{
    static const size_t round[] = {64, 128, 256, 512, 1024, 4096, 8192, 12288, 32768, 65536, 131072};
    uint64_t r = 99;

    for (size_t n = least; n < 700 && n <= most; n++)
        check(name, copy, n, check_random_below(&r, 129), check_random_below(&r, 129));
    for (unsigned i = 0; i < sizeof round / sizeof *round; i++)
        for (size_t n = round[i] - 3; n <= round[i] + 3; n++)
            if (n >= least && n <= most)
                for (int k = 0; k < 8; k++)
                    check(name, copy, n, check_random_below(&r, 4097), check_random_below(&r, 4097));
    for (size_t d = 0; d < 65 && most >= 70000; d++)
        for (size_t s = 0; s < 65; s += 1 + s % 8)
            check(name, copy, 577 + 3 * d, d, s);
}

static void check_loops(void)
{
    unsigned usable = 0;

    for (const struct core_copy_loops *l = core_copy_loops; l->name; l++) {
        if (!l->usable())
            continue;
        usable++;
        check_sizes(l->name, l->cached, 65, 200000);
        check_sizes(l->name, l->stream, 65, 200000);
        for (size_t n = 1 << 20; n < AREA / 2; n = 2 * n + 4321)
            check(l->name, l->stream, n, n % 61, n % 67);
    }
    printf("%u families of loops checked\n", usable);
}

/* Every size a program may ask for comes out right, before and after the choice is made. */
static void check_choice(void)
{
    for (int ready = 0; ready < 2; ready++) {
        for (size_t n = 0; n < 65; n++)
            for (size_t off = 0; off < 65; off++)
                check("core_copy", by_core, n, off, 64 - off);
        check_sizes("core_copy", by_core, 0, 200000);
        for (size_t n = 300000; n < AREA / 2; n += n / 3 + 1)
            check("core_copy", by_core, n, n % 64, n % 63);
        core_copy_init();
    }
}

/* ---------------------------------------------------------------- strided -- */

static void model_strided(ptrdiff_t ds, ptrdiff_t ss, size_t d_at, size_t s_at, size_t bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < bytes; b++)
            model[(ptrdiff_t)d_at + (ptrdiff_t)i * ds + (ptrdiff_t)b] =
                from[(ptrdiff_t)s_at + (ptrdiff_t)i * ss + (ptrdiff_t)b];
}

/* Place a run of n blocks so that all of it lies inside `size` bytes. */
static size_t place(uint64_t *r, ptrdiff_t stride, size_t bytes, size_t n, size_t size)
{
    size_t reach = n ? (n - 1) * (size_t)(stride < 0 ? -stride : stride) : 0;

    return check_random_below(r, size - reach - bytes) + (stride < 0 ? reach : 0);
}

static void check_strided(uint64_t *r, size_t size, ptrdiff_t ds, ptrdiff_t ss, size_t bytes, size_t n)
{
    size_t d_at = place(r, ds, bytes, n, size), s_at = place(r, ss, bytes, n, size);

    memset(to, PAD, size);
    memset(model, PAD, size);
    model_strided(ds, ss, d_at, s_at, bytes, n);
    core_copy_strided(to + d_at, ds, from + s_at, ss, bytes, n);
    EXPECT(memcmp(to, model, size) == 0, "%zu blocks of %zu bytes, strides %td from %td", n, bytes, ds, ss);
}

/* A target stride that keeps blocks apart, any sign; every third time the unit stride. */
static ptrdiff_t random_stride(uint64_t *r, size_t bytes, size_t most)
{
    ptrdiff_t s = (ptrdiff_t)(bytes + (check_random_below(r, 3) ? check_random_below(r, most) : 0));

    return check_random_below(r, 2) ? s : -s;
}

static void check_strides(void)
{
    static const size_t usual[] = {1, 2, 4, 8, 16};
    uint64_t r = 7;

    for (int k = 0; k < 20000; k++) {
        size_t bytes = k % 2 ? usual[check_random_below(&r, 5)] : check_random_below(&r, 90);
        size_t n = check_random_below(&r, 40);
        ptrdiff_t ds = random_stride(&r, bytes, k % 5 ? 40 : 2000);
        /* The source may repeat or overlap itself: stride 0 and less than a block. */
        ptrdiff_t ss = check_random_below(&r, 8) ? random_stride(&r, bytes, k % 7 ? 40 : 2000)
                                                 : (ptrdiff_t)check_random_below(&r, bytes + 1);

        check_strided(&r, 1 << 17, ds, ss, bytes, n);
    }
    for (int k = 0; k < 5; k++) { /* many blocks, and strides beyond a page */
        check_strided(&r, AREA, (ptrdiff_t)usual[k], (ptrdiff_t)usual[k] + k % 2, usual[k], 1000000);
        check_strided(&r, AREA, k % 2 ? 5000 : -5000, (ptrdiff_t)usual[k], usual[k], 4000);
        check_strided(&r, AREA, -(ptrdiff_t)usual[k], 4096 + k, usual[k], 4000);
        check_strided(&r, AREA, 8191, -8190, usual[k], 2500);
    }
    check_strided(&r, AREA, 1000000, -900000, 700000, 20);
    core_copy_strided(NULL, 8, NULL, 8, 8, 0);
    core_copy_strided(NULL, 8, NULL, 8, 0, SIZE_MAX);
}

static void *area(int flags)
{
    void *p = mmap(NULL, AREA + 2 * GUARD, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

    EXPECT(p != MAP_FAILED, "mmap");
    return p;
}

int main(void)
{
    uint64_t r = 12345;

    from = area(MAP_SHARED);
    to = area(MAP_SHARED);
    model = area(MAP_PRIVATE);
    for (size_t i = 0; i < AREA; i += 8) {
        uint64_t word = check_random(&r);

        memcpy(from + i, &word, 8);
    }
    check_choice();
    check_loops();
    check_strides();
    return 0;
}
