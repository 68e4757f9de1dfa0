/* SPDX-License-Identifier: BSD-3-Clause
 *
 * CHARACTER arguments: a length instead of a zero at the end, and blanks behind
 * the text. Variables that were never set hold zeros, which end the text as well.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fortran.h"

void pvmf_text(struct pvmf_text *t, const char *text, size_t n)
{
    n = strnlen(text, n);
    while (n > 0 && text[n - 1] == ' ')
        n--;
    t->s = n < sizeof t->here ? t->here : malloc(n + 1);
    if (!t->s) {
        fprintf(stderr, "libfpvm: no memory for a text of %zu characters\n", n);
        abort();
    }
    memcpy(t->s, text, n);
    t->s[n] = 0;
}

void pvmf_done(struct pvmf_text *t)
{
    if (t->s != t->here)
        free(t->s);
}

void pvmf_fill(char *to, size_t n, const char *from)
{
    size_t length = strnlen(from, n);
    if (!to)
        return;
    memcpy(to, from, length);
    memset(to + length, ' ', n - length);
}
