/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of the face that is the same for all interfaces.
 */
#include "face_own.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct face face;
struct face_room face_room;

static char name[64];

const char *face_name(const char *prefix, const struct face_program *p)
{
    snprintf(name, sizeof name, "%s_%s", prefix, p->name);
    return name;
}

/* Zeros, which are numbers in every encoding. */
void face_make_room(size_t bytes)
{
    face_room.bytes = bytes;
    face_room.out = malloc(bytes);
    face_room.in = malloc((size_t)face.n * bytes);
    if (!face_room.out || !face_room.in)
        face_fatal("%s: no memory for %d messages of %zu bytes", name, face.n + 1, bytes);
    memset(face_room.out, 0, bytes);
    memset(face_room.in, 0, (size_t)face.n * bytes);
}

void face_drop_room(void)
{
    free(face_room.out);
    free(face_room.in);
}

char *face_out(void)
{
    return face_room.out;
}

char *face_in(int from)
{
    return face_room.in + (size_t)from * face_room.bytes;
}

void face_fatal(const char *format, ...)
{
    char text[256];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    face_die(text);
}

double face_case(const char *format, ...)
{
    char label[128];
    va_list ap;

    va_start(ap, format);
    vsnprintf(label, sizeof label, format, ap);
    va_end(ap);
    return face_share(label);
}
