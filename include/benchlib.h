/* SPDX-License-Identifier: BSD-3-Clause
 *
 * benchlib: moving 64-bit words within a processor's own memory, past its caches where that pays. The T3E's
 * routines of that name, written for the processors of today, and under bl_ what one would call instead now.
 * Link with -lbenchlib (pkg-config benchlib). Guide: docs/benchlib.md.
 */
#ifndef BENCHLIB_H
#define BENCHLIB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * ---- the T3E's routines ----
 *
 * Each thread has BENCHLIB_REGISTERS words of "E-registers". A get brings words from memory into them, a put sends them
 * from there to memory, so what was got may be overwritten before it is put (transposing in place relies on it).
 * Increments and indexes count 64-bit words; increments may be negative, then `x` is still the first word moved.
 * A run of puts to consecutive addresses that outgrows the second level cache goes past the caches; other threads see
 * it for certain once lputp() has returned 0. This thread sees every put at once.
 * Counts below 0 or past the last register end the program with a message.
 */
enum { BENCHLIB_REGISTERS = 480 };

void lgetv(const void *x, long inc, long n);               /* register i <- x[i * inc], i < n */
void lgetvo(const void *x, long inc, long n, long offset); /* register offset + i */
void lputv(void *y, long inc, long n);                     /* y[i * inc] <- register i */
void lputvo(void *y, long inc, long n, long offset);
void lgath(const void *a, const int64_t *index, long n);   /* register i <- a[index[i]]; index 0 is a itself */
void lgatho(const void *a, const int64_t *index, long n, long offset);
void lscat(void *a, const int64_t *index, long n);         /* a[index[i]] <- register i, in order of i */
void lscato(void *a, const int64_t *index, long n, long offset);
void lsetv(void *x, long inc, long n, double value);       /* x[i * inc] <- value; n has no limit */
long lputp(void);                                          /* puts still on their way: completes them, so 0 */

/*
 * ---- the same without registers ----
 *
 * Complete on return, for all threads. Source and target must not overlap, except that they may be the same for
 * bl_copy. Addresses are those of 64-bit words (bl_copy: any). The transposes take up to 250 KiB of stack.
 */
void bl_copy(void *to, const void *from, size_t bytes);
void bl_set(void *to, uint64_t word, size_t words);
/* b[j * ldb + i] <- a[i * lda + j] for i < rows, j < columns; lda >= columns, ldb >= rows. */
void bl_transpose(void *b, size_t ldb, const void *a, size_t lda, size_t rows, size_t columns);
void bl_transpose_in_place(void *a, size_t lda, size_t n);
void bl_gather(void *x, const void *a, const int64_t *index, size_t n); /* x[i] <- a[index[i]] */
void bl_gather32(void *x, const void *a, const int32_t *index, size_t n);
void bl_scatter(void *a, const int64_t *index, const void *x, size_t n); /* a[index[i]] <- x[i], in order of i */
void bl_scatter32(void *a, const int32_t *index, const void *x, size_t n);
void bl_get(void *x, const void *a, ptrdiff_t inc, size_t n); /* x[i] <- a[i * inc] */
void bl_put(void *a, ptrdiff_t inc, const void *x, size_t n); /* a[i * inc] <- x[i] */

/* The instruction set in use: "movdir64b", "avx512", "avx2" or "base". */
const char *bl_kernels(void);
/* Takes another one from here on. Returns 0, or -1 when this processor or build has it not. For tests and comparisons.
 */
int bl_use(const char *name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
