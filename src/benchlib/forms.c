/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The forms without registers: each decides between the caches and the way past them by the size of the whole, and is
 * complete on return.
 */
#include "benchlib/kernels.h"

#include <benchlib.h>
#include <string.h>

void bl_copy(void *to, const void *from, size_t bytes)
{
    if (to == from)
        return;
    if (bytes >= bl_machine.copy_string_min) {
        bl_machine.k->copy_string(to, from, bytes);
        return;
    }
    if (bytes < bl_machine.stream_min) {
        memcpy(to, from, bytes);
        return;
    }
    bl_machine.k->copy_stream(to, from, bytes);
    bl_machine.k->fence();
}

void bl_set(void *to, uint64_t word, size_t words)
{
    if (words < bl_machine.set_string_min / 8) {
        bl_machine.k->set(to, word, words);
        return;
    }
    if (words < bl_machine.set_stream_min / 8) {
        bl_machine.k->set_string(to, word, words);
        return;
    }
    bl_machine.k->set_stream(to, word, words);
    bl_machine.k->fence();
}

void bl_transpose(void *b, size_t ldb, const void *a, size_t lda, size_t rows, size_t columns)
{
    if (lda < columns)
        bl_fatal("bl_transpose", "lda", (long)lda, "is less than the columns of a");
    if (ldb < rows)
        bl_fatal("bl_transpose", "ldb", (long)ldb, "is less than the columns of b");
    /* Streaming stores need addresses of whole words. */
    if (rows * columns < bl_machine.stream_min / 8 || (uintptr_t)b % 8) {
        bl_machine.k->transpose(b, ldb, a, lda, rows, columns);
        return;
    }
    bl_machine.k->transpose_stream(b, ldb, a, lda, rows, columns);
    bl_machine.k->fence();
}

void bl_transpose_in_place(void *a, size_t lda, size_t n)
{
    if (lda < n)
        bl_fatal("bl_transpose_in_place", "lda", (long)lda, "is less than n");
    bl_machine.k->transpose_in_place(a, lda, n);
}

void bl_gather(void *x, const void *a, const int64_t *index, size_t n)
{
    bl_machine.k->gather(x, a, index, n);
}

void bl_gather32(void *x, const void *a, const int32_t *index, size_t n)
{
    bl_machine.k->gather32(x, a, index, n);
}

/* In order of i, so that of equal indexes the last one counts: stores of single words do so by themselves. */
void bl_scatter(void *a, const int64_t *index, const void *x, size_t n)
{
    bl_word *to = a;
    const bl_word *from = x;

    for (size_t i = 0; i < n; i++)
        to[index[i]] = from[i];
}

void bl_scatter32(void *a, const int32_t *index, const void *x, size_t n)
{
    bl_word *to = a;
    const bl_word *from = x;

    for (size_t i = 0; i < n; i++)
        to[index[i]] = from[i];
}

void bl_get(void *x, const void *a, ptrdiff_t inc, size_t n)
{
    if (inc == 1)
        bl_copy(x, a, n * 8);
    else
        bl_machine.k->get(x, a, inc, n);
}

void bl_put(void *a, ptrdiff_t inc, const void *x, size_t n)
{
    bl_word *to = a;
    const bl_word *from = x;

    if (inc == 1) {
        bl_copy(a, x, n * 8);
        return;
    }
    for (size_t i = 0; i < n; i++, to += inc)
        *to = from[i];
}
