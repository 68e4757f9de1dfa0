/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A transform happens in place in a buffer that the first-level cache holds, by decimation in frequency: steps of four,
 * before them one of two where the length needs it. The digits that are then reversed are put right on the way out.
 */
#include "ft_line.h"

#include "common/turn.h"

#include <math.h>

static npb_vector buffer_re[FT_LONGEST], buffer_im[FT_LONGEST];

void ft_plan_make(struct ft_plan *p, int n)
{
    int first = 4;

    for (int m = n; m > 1; m /= 4)
        if (m == 2)
            first = 2;
    p->n = n;
    for (int k = 0; k < n; k++) {
        int at = 0, rest = k, length = n;

        for (int radix = first; length > 1; radix = 4) {
            length /= radix;
            at += rest % radix * length;
            rest /= radix;
        }
        p->from[k] = at;
        p->re[k] = cos(2 * M_PI * k / n);
        p->im[k] = -sin(2 * M_PI * k / n);
    }
}

NPB_INLINE void split_in_two(const struct ft_plan *p, npb_vector *restrict re, npb_vector *restrict im)
{
    const int half = p->n / 2;

    for (int j = 0; j < half; j++) {
        const npb_vector a = re[j], b = im[j], c = re[j + half], d = im[j + half], x = a - c, y = b - d;

        re[j] = a + c;
        im[j] = b + d;
        re[j + half] = x * p->re[j] - y * p->im[j];
        im[j + half] = x * p->im[j] + y * p->re[j];
    }
}

/* One butterfly: elements at distance `quarter`; with twiddles k, 2 k, 3 k. */
NPB_INLINE void butterfly(const struct ft_plan *p, npb_vector *restrict re, npb_vector *restrict im, int quarter, int k)
{
    const npb_vector a = re[0], b = re[quarter], c = re[2 * quarter], d = re[3 * quarter];
    const npb_vector e = im[0], f = im[quarter], g = im[2 * quarter], h = im[3 * quarter];
    const npb_vector even_re = a + c, even_im = e + g, odd_re = b + d, odd_im = f + h;
    const npb_vector minus_re = a - c, minus_im = e - g, turn_re = f - h, turn_im = d - b; /* -i (second - fourth) */
    const npb_vector one_re = minus_re + turn_re, one_im = minus_im + turn_im;
    const npb_vector two_re = even_re - odd_re, two_im = even_im - odd_im;
    const npb_vector three_re = minus_re - turn_re, three_im = minus_im - turn_im;

    re[0] = even_re + odd_re;
    im[0] = even_im + odd_im;
    if (k == 0) {
        re[quarter] = one_re;
        im[quarter] = one_im;
        re[2 * quarter] = two_re;
        im[2 * quarter] = two_im;
        re[3 * quarter] = three_re;
        im[3 * quarter] = three_im;
        return;
    }
    re[quarter] = one_re * p->re[k] - one_im * p->im[k];
    im[quarter] = one_re * p->im[k] + one_im * p->re[k];
    re[2 * quarter] = two_re * p->re[2 * k] - two_im * p->im[2 * k];
    im[2 * quarter] = two_re * p->im[2 * k] + two_im * p->re[2 * k];
    re[3 * quarter] = three_re * p->re[3 * k] - three_im * p->im[3 * k];
    im[3 * quarter] = three_re * p->im[3 * k] + three_im * p->re[3 * k];
}

NPB_INLINE void transform(const struct ft_plan *p, npb_vector *restrict re, npb_vector *restrict im)
{
    int length = p->n;

    for (int m = p->n; m > 1; m /= 4)
        if (m == 2) {
            split_in_two(p, re, im);
            length = p->n / 2;
        }
    for (; length > 1; length /= 4) {
        const int quarter = length / 4, step = p->n / length;

        for (int at = 0; at < p->n; at += length)
            butterfly(p, re + at, im + at, quarter, 0);
        for (int j = 1; j < quarter; j++)
            for (int at = j; at < p->n; at += length)
                butterfly(p, re + at, im + at, quarter, j * step);
    }
}

NPB_INLINE void put_out(const struct ft_plan *p, double *const *to_re, double *const *to_im, long offset)
{
    for (int k = 0; k < p->n; k++) {
        *(npb_vector *)(to_re[k] + offset) = buffer_re[p->from[k]];
        *(npb_vector *)(to_im[k] + offset) = buffer_im[p->from[k]];
    }
}

NPB_CLONES void ft_line_strided(const struct ft_plan *p, const struct ft_strided *from, const double *scale,
                                const double *lane, double *const *to_re, double *const *to_im, long offset)
{
    const double *re = from->re, *im = from->im;

    for (int k = 0; k < p->n; k++, re += from->stride, im += from->stride) {
        buffer_re[k] = *(const npb_vector *)re;
        buffer_im[k] = *(const npb_vector *)im;
    }
    if (scale) {
        const npb_vector lanes = *(const npb_vector *)lane;

        for (int k = 0; k < p->n; k++) {
            const npb_vector factor = lanes * scale[k];

            buffer_re[k] *= factor;
            buffer_im[k] *= factor;
        }
    }
    transform(p, buffer_re, buffer_im);
    put_out(p, to_re, to_im, offset);
}

NPB_CLONES void ft_line_rows(const struct ft_plan *p, const struct ft_strided *from, double *const *to_re,
                             double *const *to_im, long offset)
{
    for (int k = 0; k < p->n; k += FT_LINES) {
        npb_turn(from->re + k, from->stride, (double *)(buffer_re + k), FT_LINES);
        npb_turn(from->im + k, from->stride, (double *)(buffer_im + k), FT_LINES);
    }
    transform(p, buffer_re, buffer_im);
    put_out(p, to_re, to_im, offset);
}
