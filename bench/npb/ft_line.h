/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fourier transforms of eight lines side by side: real and imaginary parts apart, each element a vector of eight, one
 * of each line. Lengths are powers of two.
 */
#ifndef NPB_FT_LINE_H
#define NPB_FT_LINE_H

#define FT_LINES 8
#define FT_LONGEST 512

struct ft_plan {
    int n;
    int from[FT_LONGEST]; /* where element k of the result is */
    double re[FT_LONGEST], im[FT_LONGEST]; /* exp(-2 pi i k / n) */
};

void ft_plan_make(struct ft_plan *p, int n);

/* A line element at base + k * stride words, eight lines beside each other. */
struct ft_strided {
    double *re, *im;
    long stride;
};

/* Transforms eight lines: those of `from`, each element times `scale[k]` and `lane` where they are given, into the rows
 * to_re[k] + offset and to_im[k] + offset. With re and im exchanged, the transform is the inverse, times n. */
void ft_line_strided(const struct ft_plan *p, const struct ft_strided *from, const double *scale, const double *lane,
                     double *const *to_re, double *const *to_im, long offset);
/* The lines are rows of `from`, `stride` words apart; the result is a column of eight in each row of `to`. */
void ft_line_rows(const struct ft_plan *p, const struct ft_strided *from, double *const *to_re, double *const *to_im,
                  long offset);

#endif
