/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions of libraries that look at memory for the program (memory.def). Compilers do not tell of what these do;
 * calls come here because the assembler takes their names for ours (CMakeLists.txt writes what tells it so). Clang from
 * 15 on has names of its own for three.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/look.h"

#define READS(at, n) instrument_look_range(at, n, CORE_WATCH_READ, INSTRUMENT_PC)
#define WRITES(at, n) instrument_look_range(at, n, CORE_WATCH_WRITE, INSTRUMENT_PC)
/* `name`: of the library; ours is told apart by its beginning. */
#define OURS(result, name, ...)          \
    result mptcheck_##name(__VA_ARGS__); \
    result mptcheck_##name(__VA_ARGS__)

OURS(void *, memcpy, void *to, const void *from, size_t n)
{
    READS(from, n);
    WRITES(to, n);
    return memcpy(to, from, n);
}

OURS(void *, memmove, void *to, const void *from, size_t n)
{
    READS(from, n);
    WRITES(to, n);
    return memmove(to, from, n);
}

OURS(void *, memset, void *to, int byte, size_t n)
{
    WRITES(to, n);
    return memset(to, byte, n);
}

void *__tsan_memcpy(void *to, const void *from, size_t n) __attribute__((alias("mptcheck_memcpy")));
void *__tsan_memmove(void *to, const void *from, size_t n) __attribute__((alias("mptcheck_memmove")));
void *__tsan_memset(void *to, int byte, size_t n) __attribute__((alias("mptcheck_memset")));

/* All of both must be there, whatever is looked at. But that is not known to be read, so only the first bytes are. */
OURS(int, memcmp, const void *a, const void *b, size_t n)
{
    READS(a, n > 0);
    READS(b, n > 0);
    return memcmp(a, b, n);
}

OURS(void *, memchr, const void *at, int byte, size_t n)
{
    const char *found = memchr(at, byte, n);

    READS(at, found ? (size_t)(found - (const char *)at) + 1 : n);
    return (void *)found;
}

OURS(char *, strcpy, char *to, const char *from)
{
    size_t n = strlen(from) + 1;

    READS(from, n);
    WRITES(to, n);
    return memcpy(to, from, n);
}

OURS(char *, strncpy, char *to, const char *from, size_t n)
{
    size_t length = strnlen(from, n);

    READS(from, length + (length < n));
    WRITES(to, n);
    return strncpy(to, from, n);
}

OURS(char *, strcat, char *to, const char *from)
{
    size_t had = strlen(to), n = strlen(from) + 1;

    READS(from, n);
    READS(to, had + 1);
    WRITES(to + had, n);
    memcpy(to + had, from, n);
    return to;
}

OURS(size_t, strlen, const char *at)
{
    size_t n = strlen(at);

    READS(at, n + 1);
    return n;
}

/* Bytes that are the same, and the next. */
static size_t compared(const char *a, const char *b, size_t n)
{
    size_t i = 0;

    while (i < n && a[i] == b[i] && a[i])
        i++;
    return i + (i < n);
}

OURS(int, strcmp, const char *a, const char *b)
{
    if (mpt_watch.n > 0) {
        size_t n = compared(a, b, SIZE_MAX);
        READS(a, n);
        READS(b, n);
    }
    return strcmp(a, b);
}

OURS(int, strncmp, const char *a, const char *b, size_t n)
{
    if (mpt_watch.n > 0) {
        size_t seen = compared(a, b, n);
        READS(a, seen);
        READS(b, seen);
    }
    return strncmp(a, b, n);
}

OURS(size_t, fread, void *to, size_t size, size_t n, FILE *f)
{
    size_t got = fread(to, size, n, f);

    WRITES(to, got * size);
    return got;
}

OURS(size_t, fwrite, const void *from, size_t size, size_t n, FILE *f)
{
    READS(from, size * n);
    return fwrite(from, size, n, f);
}

OURS(void, qsort, void *at, size_t n, size_t size, int (*order)(const void *, const void *))
{
    WRITES(at, n * size);
    qsort(at, n, size, order);
}

/* ---- with -D_FORTIFY_SOURCE: the same, with the room that the compiler knows of ---- */

#define CHECKED(result, name, ...) \
    result name(__VA_ARGS__);      \
    OURS(result, name, __VA_ARGS__)

CHECKED(void *, __memcpy_chk, void *to, const void *from, size_t n, size_t room)
{
    READS(from, n);
    WRITES(to, n);
    return __memcpy_chk(to, from, n, room);
}

CHECKED(void *, __memmove_chk, void *to, const void *from, size_t n, size_t room)
{
    READS(from, n);
    WRITES(to, n);
    return __memmove_chk(to, from, n, room);
}

CHECKED(void *, __memset_chk, void *to, int byte, size_t n, size_t room)
{
    WRITES(to, n);
    return __memset_chk(to, byte, n, room);
}

CHECKED(char *, __strcpy_chk, char *to, const char *from, size_t room)
{
    size_t n = strlen(from) + 1;

    READS(from, n);
    WRITES(to, n);
    return __strcpy_chk(to, from, room);
}

CHECKED(char *, __strncpy_chk, char *to, const char *from, size_t n, size_t room)
{
    size_t length = strnlen(from, n);

    READS(from, length + (length < n));
    WRITES(to, n);
    return __strncpy_chk(to, from, n, room);
}

CHECKED(char *, __strcat_chk, char *to, const char *from, size_t room)
{
    size_t had = strlen(to), n = strlen(from) + 1;

    READS(from, n);
    READS(to, had + 1);
    WRITES(to + had, n);
    return __strcat_chk(to, from, room);
}
