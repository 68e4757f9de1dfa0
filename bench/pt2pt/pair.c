/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measuring by two processes, which agree by the numbers that they tell each other.
 */
#include "pair.h"

#include <string.h>

const struct face_way *pair_ways(const struct face_way *way)
{
    for (way = way ? way + 1 : face_ways; way->call; way++)
        if (way->brief || !bench_options.quick)
            return way;
    return NULL;
}

bool pair_has_me(const struct pair *p)
{
    return face.me == p->first || face.me == p->second;
}

int pair_other(const struct pair *p)
{
    return face.me == p->first ? p->second : p->first;
}

void pair_echo(void *pair, long reps)
{
    struct pair *const p = pair;
    const int other = pair_other(p), mine = face.me == p->first ? 0 : 1;

    for (long i = 0; i < reps; i++) {
        p->round++;
        for (int way = 0; way < 2; way++)
            if (way == mine) {
                face_write(p->bytes, p->round);
                face_send(p->way, other, p->bytes);
            } else {
                face_receive_and_read(p->way, other, p->bytes, p->round);
            }
    }
}

void pair_stream(void *pair, long reps)
{
    const struct pair *const p = pair;

    if (face.me == p->first) {
        for (long i = 0; i < reps; i++)
            face_send(p->way, p->second, p->bytes);
        face_told(p->second);
    } else {
        for (long i = 0; i < reps; i++)
            face_receive(p->way, p->first, p->bytes);
        face_tell(p->first, reps);
    }
}

enum bench_stop pair_measure(struct pair *p, double budget_ns, struct bench_series *out)
{
    struct bench_sampler sampler;
    const bool first = face.me == p->first;

    bench_sampler_begin(&sampler, out, budget_ns);
    for (;;) {
        long reps = first ? bench_sampler_next(&sampler) : 0;
        int64_t t0;

        if (first)
            face_tell(p->second, reps);
        else
            reps = face_told(p->first);
        if (reps > 0)
            bench_cold_flush();
        /* The second is ready before the first begins, or begins with something else. */
        if (first)
            face_told(p->second);
        else
            face_tell(p->first, 0);
        if (reps == 0)
            break;
        t0 = bench_now();
        p->body(p, reps);
        if (first)
            bench_sampler_give(&sampler, (double)(bench_now() - t0));
    }
    return sampler.stop;
}

bool pair_right(const struct pair *p)
{
    const size_t bytes = (size_t)p->bytes;
    const int other = pair_other(p);
    struct pair copy = *p;
    bool right = true;

    face_fresh(false);
    for (int round = 1; round <= 2; round++) {
        const char *const came = face_in(other);

        memset(face_in(other), 0, bytes);
        face_tell(other,
                  round); /* the place is empty: what comes now is the message. And what was sent before has left */
        face_told(other);
        bench_pattern_fill(face_out(), bytes, bench_pattern_seed(face.me, bytes, round));
        pair_echo(&copy, 1);
        right = bench_pattern_check(came, bytes, bench_pattern_seed(other, bytes, round)) && right;
    }
    face_fresh(true);
    return right;
}

void pair_collect(struct bench_series *s, enum bench_stop *stop, int from)
{
    const struct face_way *const way = &face_ways[0];

    if (from == 0)
        return;
    if (face.me == from) {
        memcpy(face_out(), s->v, s->n * sizeof s->v[0]);
        face_tell(0, (long)s->n);
        face_send(way, 0, (long)(s->n * sizeof s->v[0]));
        face_told(0);
        face_tell(0, *stop);
    } else if (face.me == 0) {
        s->n = (size_t)face_told(from);
        face_receive(way, from, (long)(s->n * sizeof s->v[0]));
        memcpy(s->v, face_in(from), s->n * sizeof s->v[0]);
        face_tell(from, 0);
        *stop = (enum bench_stop)face_told(from);
    }
}
