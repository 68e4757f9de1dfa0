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

int face_caches = 1 << BENCH_HOT;
bool face_is_fresh;

#define PAGE 4096ul

static char name[64];

/* The turns of messages sent, by the place they come to, and received. */
static struct {
    struct bench_buffers out, *there, *in;
    size_t part; /* of `in`, from one source's places to the next one's */
    bool one_source;
    bool written;
} turns;

const char *face_name(const char *prefix, const struct face_program *p)
{
    snprintf(name, sizeof name, "%s_%s", prefix, p->name);
    return name;
}

static void size_room(void)
{
    const size_t rotating = bench_buffers_bytes(face_room.rotates, face_room.bytes),
                 all = (size_t)face.n * face_room.landing;

    face_room.out_bytes = face_room.rotates ? rotating : face_room.bytes;
    face_room.in_bytes = face_room.rotates && rotating > all ? rotating : all;
}

void face_plan_room(const struct face_program *p, size_t bytes)
{
    if (p->caches)
        face_caches = bench_caches(p->quick_caches, p->caches, BENCH_ALL_CACHES);
    face_room.bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    face_room.landing = (face_caches & 1 << BENCH_WRITTEN ? 2 : 1) * face_room.bytes;
    if (face_caches & 1 << BENCH_ROTATING)
        face_room.rotates = (size_t)face_agree((long)bench_rotation(face.n));
    size_room();
}

bool face_halve_room(void)
{
    face_room.rotates = face_room.rotates / 2 / PAGE * PAGE;
    size_room();
    return face_room.rotates > 0;
}

void face_open_room(void)
{
    turns.in = calloc((size_t)face.n, sizeof *turns.in);
    turns.there = calloc((size_t)face.n, sizeof *turns.there);
    if (!turns.in || !turns.there)
        face_fatal("%s: out of memory", name);
    turns.part = face_room.landing;
}

/* Zeros, which are numbers in every encoding. */
void face_make_room(const struct face_program *p, size_t bytes)
{
    face_plan_room(p, bytes);
    face_room.out = malloc(face_room.out_bytes);
    face_room.in = malloc(face_room.in_bytes);
    if (!face_room.out || !face_room.in)
        face_fatal("%s: no memory for messages of %zu and %zu bytes", name, face_room.out_bytes, face_room.in_bytes);
    memset(face_room.out, 0, face_room.out_bytes);
    memset(face_room.in, 0, face_room.in_bytes);
    face_open_room();
}

void face_drop_room(void)
{
    free(face_room.out);
    free(face_room.in);
    free(turns.in);
    free(turns.there);
}

/* In `in`, what is left of a part when its last place has room for a message is what a source's messages rotate over.
 */
void face_cache(enum bench_cache cache, long bytes, bool one_source)
{
    const long position = face_agree(bench_buffers_position(&turns.out));
    const size_t whole = face_room.in_bytes / (one_source ? 1 : (size_t)face.n) / PAGE * PAGE;
    const size_t lines = bench_buffers_bytes(0, (size_t)bytes);

    turns.part = cache == BENCH_ROTATING ? whole : face_room.landing;
    turns.written = face_is_fresh = cache == BENCH_WRITTEN;
    turns.one_source = one_source;
    bench_buffers_begin(&turns.out, cache, (size_t)bytes, face_room.rotates, position);
    for (int i = 0; i < face.n; i++) {
        if (cache == BENCH_WRITTEN)
            bench_buffers_two(&turns.in[i], (size_t)bytes, position);
        else
            bench_buffers_begin(&turns.in[i], cache, (size_t)bytes, turns.part - lines, position);
        turns.there[i] = turns.in[i];
    }
    bench_cold_clear();
    if (cache != BENCH_FLUSHED)
        return;
    bench_cold_add(face_room.out, (size_t)bytes);
    for (int i = 0; i < (one_source ? 1 : face.n); i++)
        bench_cold_add(face_base(i), (size_t)bytes);
}

long face_lap(void)
{
    return bench_buffers_lap(&turns.out);
}

void face_param_cache(struct bench_params *p, enum bench_cache cache)
{
    bench_param_cache(p, cache, 2 * face_room.rotates);
}

void face_fresh(bool on)
{
    face_is_fresh = on && turns.written;
}

char *face_base(int from)
{
    return face_room.in + (turns.one_source ? 0 : (size_t)from * turns.part);
}

char *face_out_ahead(int messages)
{
    const size_t at = turns.out.at + (size_t)messages * turns.out.step;

    return face_room.out + (turns.out.span ? at % turns.out.span : at);
}

char *face_out(void)
{
    return face_room.out + turns.out.at;
}

char *face_in(int from)
{
    return face_base(from) + turns.in[from].at;
}

char *face_take_out(void)
{
    return face_room.out + bench_buffers_next(&turns.out);
}

char *face_take_there(int to)
{
    return face_base(face.me) + bench_buffers_next(&turns.there[to]);
}

char *face_take_in(int from)
{
    return face_base(from) + bench_buffers_next(&turns.in[from]);
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
