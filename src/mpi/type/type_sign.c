/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a type consists of: counting basic elements, and a hash of their
 * sequence. The hash is a polynomial over the elements, so that sequences are
 * joined and repeated without going through them: 10 x (2 ints) equals 20 ints.
 */
#include "mpi/type/type.h"

static const uint64_t BASE = 0x9e3779b97f4a7c15u;

struct sequence {
    uint64_t hash, power; /* power: BASE to the number of elements */
};

static struct sequence join(struct sequence a, struct sequence b)
{
    return (struct sequence){a.hash * b.power + b.hash, a.power * b.power};
}

static struct sequence repeat(struct sequence s, MPI_Count n)
{
    struct sequence all = {0, 1};

    for (; n > 0; n >>= 1) {
        if (n & 1)
            all = join(all, s);
        s = join(s, s);
    }
    return all;
}

/* Types of the same nature and size count as equal: MPI_LONG and MPI_INT64_T. */
static uint64_t element_code(const struct mpii_basic *row)
{
    uint64_t x = ((uint64_t)row->class << 16 | (uint64_t)row->parts << 8 | row->size) * 0xd6e8feb86659fd93u;

    return x ^ x >> 32;
}

static struct sequence sign_step(const struct mpii_step *s)
{
    struct sequence one;

    if (s->body) {
        one = (struct sequence){s->body->hash, s->body->power};
    } else {
        const struct mpii_basic *row = mpii_basic_row(s->basic);

        one = repeat((struct sequence){element_code(row), BASE}, s->bytes / s->basic->size);
    }
    return repeat(one, s->n);
}

static MPI_Count external_bytes(const struct mpii_step *s)
{
    const struct mpii_basic *row = mpii_basic_row(s->basic);

    return s->bytes / s->basic->size * row->parts * row->external;
}

void mpii_program_sign(struct mpii_type_program *p)
{
    struct sequence all = {0, 1};

    for (MPI_Count i = 0; i < p->nsteps; i++) {
        const struct mpii_step *s = &p->steps[i];

        all = join(all, sign_step(s));
        p->elements += s->n * (s->body ? s->body->elements : s->bytes / s->basic->size);
        p->external += s->n * (s->body ? s->body->external : external_bytes(s));
        p->foreign |= s->body ? s->body->foreign : s->basic->handle == MPI_PACKED;
    }
    p->hash = all.hash;
    p->power = all.power;
}

uint64_t mpii_signature(const struct mpii_type *t, MPI_Count count)
{
    const struct mpii_type_program *p = mpii_type_typed(t);
    struct sequence all;

    if (!p || p->foreign)
        return 0;
    all = repeat((struct sequence){p->hash, p->power}, count);
    return (all.hash ^ all.power) | 1;
}

/* Of the first n packed bytes of p, less than all. False: they end inside an element. */
static bool sign_part(const struct mpii_type_program *p, MPI_Count n, struct sequence *all)
{
    while (n > 0) {
        const struct mpii_type_program *body = NULL;

        for (MPI_Count i = 0; i < p->nsteps && n > 0 && !body; i++) {
            struct mpii_step s = p->steps[i];
            MPI_Count whole = n / s.bytes < s.n ? n / s.bytes : s.n;
            bool last = whole < s.n && n > whole * s.bytes;

            n -= whole * s.bytes;
            s.n = whole;
            *all = join(*all, sign_step(&s));
            if (!last)
                continue;
            if (!s.body && n % s.basic->size != 0)
                return false;
            if (!s.body) {
                s.n = 1;
                s.bytes = n;
                *all = join(*all, sign_step(&s));
                return true;
            }
            body = s.body;
        }
        if (!body)
            return true;
        p = body;
    }
    return true;
}

uint64_t mpii_signature_of_bytes(const struct mpii_type *t, MPI_Count n)
{
    const struct mpii_type_program *p = mpii_type_typed(t);
    struct sequence all;

    if (!p || p->foreign)
        return 0;
    if (t->size == 0)
        return n == 0 ? 1 : MPII_SIGNATURE_NONE;
    all = repeat((struct sequence){p->hash, p->power}, n / t->size);
    return sign_part(p, n % t->size, &all) ? (all.hash ^ all.power) | 1 : MPII_SIGNATURE_NONE;
}

struct mpii_type *mpii_type_element(const struct mpii_type *t)
{
    return t->element;
}

/* ------------------------------------------------------------------- elements -- */

/* Elements in the first n packed bytes of p; -1: n ends inside one. */
static MPI_Count elements_in(const struct mpii_type_program *p, MPI_Count n)
{
    MPI_Count elements = 0;

    while (n > 0) {
        const struct mpii_type_program *body = NULL;

        for (MPI_Count i = 0; i < p->nsteps && n > 0; i++) {
            const struct mpii_step *s = &p->steps[i];
            MPI_Count whole = n / s->bytes < s->n ? n / s->bytes : s->n;

            elements += whole * (s->body ? s->body->elements : s->bytes / s->basic->size);
            n -= whole * s->bytes;
            if (whole == s->n || n == 0)
                continue;
            if (!s->body)
                return n % s->basic->size ? -1 : elements + n / s->basic->size;
            body = s->body;
            break;
        }
        if (!body)
            break;
        p = body;
    }
    return elements;
}

MPI_Count mpii_elements(const struct mpii_type *t, MPI_Count n)
{
    const struct mpii_type_program *p = mpii_type_typed(t);
    MPI_Count rest;

    if (t->size == 0)
        return n == 0 ? 0 : MPI_UNDEFINED;
    if (!p)
        return MPI_UNDEFINED;
    rest = elements_in(p, n % t->size);
    return rest < 0 ? MPI_UNDEFINED : n / t->size * p->elements + rest;
}

/* Packed bytes of the first n elements of p, n <= p->elements. */
static MPI_Count bytes_of(const struct mpii_type_program *p, MPI_Count n)
{
    MPI_Count bytes = 0;

    for (MPI_Count i = 0; i < p->nsteps && n > 0; i++) {
        const struct mpii_step *s = &p->steps[i];
        MPI_Count each = s->body ? s->body->elements : s->bytes / s->basic->size;
        MPI_Count whole = n / each < s->n ? n / each : s->n;

        bytes += whole * s->bytes;
        n -= whole * each;
        if (whole < s->n && n > 0)
            return bytes + (s->body ? bytes_of(s->body, n) : n * s->basic->size);
    }
    return bytes;
}

MPI_Count mpii_elements_bytes(const struct mpii_type *t, MPI_Count n)
{
    const struct mpii_type_program *p = mpii_type_typed(t);

    if (n == 0)
        return 0;
    if (!p || p->elements == 0)
        return MPI_UNDEFINED;
    return n / p->elements * t->size + bytes_of(p, n % p->elements);
}
