/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pack and unpack in the external32 representation (5.3): the typed program is
 * walked, and its elements are converted.
 */
#include <string.h>

#include "mpi/type/pack.h"

struct conversion {
    struct mpii_walk walk; /* packed: in the external representation */
    void (*convert)(char *to, const char *from, MPI_Count n, const struct mpii_basic *row);
    bool out;
};

static bool visit_convert(struct mpii_walk *w, uintptr_t memory, MPI_Aint stride, MPI_Count bytes, MPI_Count n,
                          const struct mpii_type *basic)
{
    struct conversion *c = (struct conversion *)w;
    const struct mpii_basic *row = mpii_basic_row(basic);
    MPI_Count elements = bytes / basic->size;

    for (; n > 0; n--, memory += (uintptr_t)stride, w->packed += elements * row->parts * row->external) {
        if (c->out)
            mpii_convert_out(w->packed, (const char *)memory, elements, row);
        else
            mpii_convert_in((char *)memory, w->packed, elements, row);
    }
    return true;
}

/* Packed bytes here of the first `external` bytes there. */
static MPI_Count native_in(const struct mpii_type_program *p, MPI_Count external)
{
    MPI_Count native = 0;

    for (MPI_Count i = 0; i < p->nsteps && external > 0; i++) {
        const struct mpii_step *s = &p->steps[i];
        const struct mpii_basic *row = s->body ? NULL : mpii_basic_row(s->basic);
        MPI_Count element = row ? row->parts * row->external : 0;
        MPI_Count each = row ? s->bytes / s->basic->size * element : s->body->external;
        MPI_Count whole = external / each < s->n ? external / each : s->n;

        native += whole * s->bytes;
        external -= whole * each;
        if (whole < s->n && external > 0)
            return native + (row ? external / element * s->basic->size : native_in(s->body, external));
    }
    return native;
}

static MPI_Count native_of(const struct mpii_type_program *p, MPI_Count external)
{
    return external / p->external * p->size + native_in(p, external % p->external);
}

static bool convert(void *buf, MPI_Count count, const struct mpii_type *t, MPI_Count offset, void *packed, MPI_Count n,
                    bool out)
{
    const struct mpii_type_program *p = mpii_type_typed(t);
    struct conversion c = {.walk = {.visit = visit_convert, .packed = packed}, .out = out};
    struct mpii_step step;

    if (!p)
        return false;
    if (n <= 0 || count <= 0 || p->size == 0)
        return true;
    mpii_program_repeat((struct mpii_type_program *)(uintptr_t)p, t->extent, count, &step);
    return mpii_walk_step(&c.walk, &step, (uintptr_t)buf, native_of(p, offset), native_of(p, offset + n));
}

bool mpii_external_size(const struct mpii_type *t, MPI_Count *bytes)
{
    const struct mpii_type_program *p = mpii_type_typed(t);

    *bytes = p ? p->external : 0;
    return p != NULL;
}

bool mpii_external_pack(void *to, const void *buf, MPI_Count count, const struct mpii_type *t, MPI_Count offset,
                        MPI_Count n)
{
    return convert((void *)(uintptr_t)buf, count, t, offset, to, n, true);
}

bool mpii_external_unpack(void *buf, MPI_Count count, const struct mpii_type *t, MPI_Count offset, const void *from,
                          MPI_Count n)
{
    return convert(buf, count, t, offset, (void *)(uintptr_t)from, n, false);
}

/* ------------------------------------------------------------------- the calls -- */

/* Checks all but the buffers; *n: external bytes of count elements. */
static int check(const char *datarep, MPI_Count count, const char *arg, MPI_Datatype datatype, struct mpii_type **t,
                 MPI_Count *n, const char *call)
{
    MPI_Count one;

    MPII_TRY(mpii_check_type(NULL, datatype, t, "datatype", call));
    MPII_TRY(mpii_check_count(NULL, count, arg, call));
    MPII_TRY(mpii_check_pointer(NULL, datarep, "datarep", call));
    if (strcmp(datarep, "external32") != 0)
        return mpii_error(NULL, MPI_ERR_ARG, call, "datarep is \"%s\"; expected \"external32\"", datarep);
    if (!mpii_external_size(*t, &one))
        return mpii_error(NULL, MPI_ERR_NO_MEM, call, "out of memory for the datatype's layout");
    if (__builtin_mul_overflow(count, one, n))
        return mpii_error(NULL, MPI_ERR_VALUE_TOO_LARGE, call, "%s is %lld: in bytes that does not fit 63 bits", arg,
                          (long long)count);
    return MPI_SUCCESS;
}

/* Sizes and positions are of 64 bits in both forms. */
_Static_assert(sizeof(MPI_Aint) == sizeof(MPI_Count), "one width");
enum { WIDE = 1 };

int mpii_Pack_external(const char datarep[], const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf,
                       MPI_Count outsize, void *position, int wide)
{
    struct mpii_type *t;
    MPI_Count n, *at = position;

    (void)wide;
    MPII_TRY(check(datarep, incount, "incount", datatype, &t, &n, __func__));
    MPII_TRY(mpii_pack_place(NULL, outsize, position, n, "outsize", WIDE, __func__));
    if (n == 0)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_buffer(NULL, inbuf, incount, t, "inbuf", __func__));
    MPII_TRY(mpii_check_pointer(NULL, outbuf, "outbuf", __func__));
    mpii_external_pack((char *)outbuf + *at, inbuf, incount, t, 0, n);
    *at += n;
    return MPI_SUCCESS;
}

int mpii_Unpack_external(const char datarep[], const void *inbuf, MPI_Count insize, void *position, void *outbuf,
                         MPI_Count outcount, MPI_Datatype datatype, int wide)
{
    struct mpii_type *t;
    MPI_Count n, *at = position;

    (void)wide;
    MPII_TRY(check(datarep, outcount, "outcount", datatype, &t, &n, __func__));
    MPII_TRY(mpii_pack_place(NULL, insize, position, n, "insize", WIDE, __func__));
    if (n == 0)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_buffer(NULL, outbuf, outcount, t, "outbuf", __func__));
    MPII_TRY(mpii_check_pointer(NULL, inbuf, "inbuf", __func__));
    mpii_external_unpack(outbuf, outcount, t, 0, (const char *)inbuf + *at, n);
    *at += n;
    return MPI_SUCCESS;
}

int mpii_Pack_external_size(const char datarep[], MPI_Count incount, MPI_Datatype datatype, void *size, int wide)
{
    struct mpii_type *t;
    MPI_Count n;

    (void)wide;
    MPII_TRY(check(datarep, incount, "incount", datatype, &t, &n, __func__));
    MPII_TRY(mpii_check_pointer(NULL, size, "size", __func__));
    *(MPI_Count *)size = n;
    return MPI_SUCCESS;
}
