/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies into the other byte order against a byte-by-byte model: every loop this
 * processor can run, the choice among them and strides; guard bytes round the target.
 */
#include <string.h>

#include "core/core.h"
#include "core/mem/copy_loops.h"
#include "harness.h"

enum { MOST = 3000, GUARD = 128, PAD = 0xa5 };

static unsigned char from[2 * MOST], to[MOST + 4 * GUARD], model[MOST];

static void expect_swapped(const char *name, const unsigned char *d, const unsigned char *s, size_t width, size_t n,
                           size_t done)
{
    for (size_t i = 0; i < n; i++)
        model[i] = s[i - i % width + width - 1 - i % width];
    EXPECT(memcmp(d, model, done) == 0, "%s: %zu bytes of items of %zu", name, n, width);
    for (const unsigned char *p = to; p < to + sizeof to; p++)
        EXPECT(*p == PAD || (p >= d && p < d + done), "%s: byte %td from the target's begin was written", name, p - d);
}

static void check(const struct core_swap_loops *row, size_t width, size_t n, size_t d_off, size_t s_off)
{
    unsigned char *d = to + GUARD + d_off;
    const unsigned char *s = from + s_off;
    size_t done = n;

    n -= n % width;
    memset(to, PAD, sizeof to);
    if (row) {
        done = row->swap((char *)d, (const char *)s, width, n);
        EXPECT(done <= n && done % width == 0, "%s: %zu of %zu bytes done", row->name, done, n);
    } else {
        core_swap(d, s, width, n / width);
        done = n;
    }
    expect_swapped(row ? row->name : "core_swap", d, s, width, n, done);
}

static void check_sizes(const struct core_swap_loops *row, size_t width)
{
    uint64_t r = 7;

    for (size_t n = row ? 64 : 0; n < MOST; n += n < 700 ? 1 : 13)
        check(row, width, n, check_random_below(&r, 65), check_random_below(&r, 65));
    for (size_t d = 0; d < 65; d++)
        for (size_t s = 0; s < 65; s += 1 + s % 7)
            check(row, width, 1000 + d, d, s);
}

static void check_strides(size_t width)
{
    static const int strides[] = {1, 2, 3, -1, -4};

    for (unsigned i = 0; i < 25; i++)
        for (size_t n = 0; n < 40; n++) {
            ptrdiff_t ts = strides[i / 5] * (ptrdiff_t)width, fs = strides[i % 5] * (ptrdiff_t)width;
            unsigned char *d = to + sizeof to / 2, *s = from + sizeof from / 2;

            memset(to, PAD, sizeof to);
            core_swap_strided(d, ts, s, fs, width, n);
            for (size_t k = 0; k < n; k++)
                for (size_t b = 0; b < width; b++)
                    EXPECT(d[(ptrdiff_t)k * ts + (ptrdiff_t)b] == s[(ptrdiff_t)k * fs + (ptrdiff_t)(width - 1 - b)],
                           "strides %td and %td, item %zu of %zu", ts, fs, k, n);
        }
}

int main(void)
{
    uint64_t r = 3;

    for (size_t i = 0; i < sizeof from; i++) {
        from[i] = (unsigned char)check_random_below(&r, 256);
        from[i] += from[i] == PAD;
    }
    for (size_t width = 2; width <= 8; width *= 2) {
        for (const struct core_swap_loops *row = core_swap_loops; row->name; row++)
            if (row->usable())
                check_sizes(row, width);
        check_sizes(NULL, width);
        check_strides(width);
    }
    return 0;
}
