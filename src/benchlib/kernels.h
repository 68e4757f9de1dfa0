/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is compiled once for each instruction set: the loops, as a table. The rest of the library chooses a table
 * when the program starts and knows no instruction set.
 */
#ifndef BENCHLIB_KERNELS_H
#define BENCHLIB_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 64-bit words of any type. */
typedef uint64_t __attribute__((may_alias)) bl_word;

struct bl_kernels {
    const char *name;
    /* Past the caches; what they store is ordered for other threads only after fence(). */
    void (*copy_stream)(void *to, const void *from, size_t bytes);
    void (*set_stream)(bl_word *to, bl_word word, size_t words);
    void (*transpose_stream)(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows, size_t columns);
    void (*fence)(void);
    /* By the processor's own loops, if it has them. */
    void (*copy_string)(void *to, const void *from, size_t bytes);
    void (*set_string)(bl_word *to, bl_word word, size_t words);
    /* Through the caches. */
    void (*set)(bl_word *to, bl_word word, size_t words);
    void (*transpose)(bl_word *b, size_t ldb, const bl_word *a, size_t lda, size_t rows, size_t columns);
    void (*transpose_in_place)(bl_word *a, size_t lda, size_t n);
    void (*gather)(bl_word *x, const bl_word *a, const int64_t *index, size_t n);
    void (*gather32)(bl_word *x, const bl_word *a, const int32_t *index, size_t n);
    /* The same by ordinary loads, where the processor's gather instructions are slower. */
    void (*gather_loads)(bl_word *x, const bl_word *a, const int64_t *index, size_t n);
    void (*gather32_loads)(bl_word *x, const bl_word *a, const int32_t *index, size_t n);
    void (*get)(bl_word *x, const bl_word *a, ptrdiff_t inc, size_t n);
};

extern const struct bl_kernels bl_kernels_movdir64b, bl_kernels_avx512, bl_kernels_avx2, bl_kernels_base;

/* The table in use and the sizes, in bytes, that go with this processor's caches. */
struct bl_machine {
    const struct bl_kernels *k;
    size_t stream_min;      /* from here on copies and transposes go past the caches, */
    size_t copy_string_min; /* but from here on the processor's own loop copies */
    size_t set_stream_min;  /* from here on what only stores goes past the caches; */
    size_t set_string_min;  /* from here on up to there the processor's own loop stores */
    bool gather_by_loads;   /* k's gathers are those by loads */
};
extern struct bl_machine bl_machine;

/* Ends the program: `call` was given `what` = `value`, which is `why`. */
void bl_fatal(const char *call, const char *what, long value, const char *why) __attribute__((noreturn));

#endif
