/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What JSON asks of those who write it by hand.
 */
#ifndef CORE_JSON_H
#define CORE_JSON_H

#include <stddef.h>
#include <stdio.h>

/* A string, in quotes: at most n bytes of it. Bytes that are not ASCII go as they are: UTF-8, as the program's source
 * is. */
static inline void core_json_text(FILE *out, const char *text, size_t n)
{
    fputc('"', out);
    for (size_t i = 0; i < n && text[i]; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

#endif
