/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the preprocessor says, less its warnings about strings that end with their line: in the C of the 1990s they go
 * on in the next one, and compilers have no option for that.
 */
#include "driver.h"

#include <stdlib.h>
#include <string.h>

static bool has(const char *line, size_t n, const char *word)
{
    return memmem(line, n, word, strlen(word)) != NULL;
}

static bool begins(const char *line, size_t n, const char *word)
{
    return n >= strlen(word) && !memcmp(line, word, strlen(word));
}

/* Whence a header came; said before what is wrong in it. */
static bool is_whence(const char *line, size_t n)
{
    return begins(line, n, "In file included from ") || begins(line, n, "                 from ");
}

static bool is_head(const char *line, size_t n)
{
    return has(line, n, ": warning: ") || has(line, n, ": error: ") || has(line, n, ": note: ") ||
           has(line, n, ": fatal error: ");
}

void scc_say_without_newlines(const char *text, FILE *to)
{
    const char *whence = NULL;
    bool dropped = false, any = false;
    for (const char *line = text, *next; *line; line = next) {
        next = strchrnul(line, '\n');
        next += *next != 0;
        size_t n = (size_t)(next - line);
        if (is_whence(line, n)) {
            whence = whence ? whence : line;
            continue;
        }
        if (is_head(line, n)) {
            dropped = has(line, n, "missing terminating");
            any |= dropped;
            if (whence && !dropped)
                fwrite(whence, 1, (size_t)(line - whence), to);
            whence = NULL;
        }
        if (!dropped && !(any && has(line, n, " generated.")))
            fwrite(line, 1, n, to);
    }
}
