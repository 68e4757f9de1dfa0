/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The distance of two words, letter by letter: what is left of each prefix of one costs for each prefix of the other.
 * Three rows of the table are kept, as two letters in the wrong order are one mistake.
 */
#include "core/base/nearest.h"

#include <string.h>

enum { NEAREST_MAX = 63, BEGINNING = 3 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
    unsigned rows[3][NEAREST_MAX + 1], *before = rows[0], *last = rows[1], *now = rows[2], *free_row;

    for (size_t j = 0; j <= nb; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            now[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
        free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[nb];
}

void core_nearest_try(struct core_nearest *nearest, const char *word, size_t n)
{
    const size_t typed_n = nearest->typed_n;
    unsigned mistakes;

    if (typed_n == 0 || n == 0 || typed_n > NEAREST_MAX || n > NEAREST_MAX)
        return;
    mistakes = distance(nearest->typed, typed_n, word, n);
    if (typed_n >= BEGINNING && n > typed_n && strncmp(word, nearest->typed, typed_n) == 0)
        mistakes = 1;
    if (3 * mistakes > (typed_n > n ? typed_n : n) || (nearest->word && mistakes >= nearest->mistakes))
        return;
    nearest->word = word;
    nearest->word_n = n;
    nearest->mistakes = mistakes;
}
