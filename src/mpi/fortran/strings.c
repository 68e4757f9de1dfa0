/* SPDX-License-Identifier: BSD-3-Clause
 *
 * CHARACTER arguments: a length instead of a zero at the end, and blanks behind
 * the text (19.1.5 of the standard tells which blanks belong to it).
 */
#include "fortran.h"

static char *copy(const char *text, size_t n)
{
    char *s = malloc(n + 1);

    if (!s)
        return NULL;
    memcpy(s, text, n);
    s[n] = 0;
    return s;
}

static size_t without_blanks(const char *text, size_t n)
{
    while (n > 0 && text[n - 1] == ' ')
        n--;
    return n;
}

char *mpif_string(const char *text, size_t n)
{
    return copy(text, without_blanks(text, n));
}

char *mpif_trimmed(const char *text, size_t n)
{
    n = without_blanks(text, n);
    while (n > 0 && *text == ' ') {
        text++;
        n--;
    }
    return copy(text, n);
}

void mpif_string_out(char *to, size_t n, const char *from)
{
    size_t length = strnlen(from, n);

    memcpy(to, from, length);
    memset(to + length, ' ', n - length);
}
