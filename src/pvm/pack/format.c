/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_packf and pvm_unpackf: packing as a format says,
 *     format: [ "%+" ] { text | "%" [count] ["." stride] { h | l | u } (c | d | f | x | s) }
 * count and stride are numbers or "*", for an int among the arguments. "%+", at the
 * beginning, takes an int: the encoding of a new send buffer.
 */
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "pvm/pack/buffer.h"

struct item {
    int type;   /* PVM_ type */
    int count, stride;
    bool array; /* count or stride are given: the argument is an address */
};

enum width { SHORT, PLAIN, LONG, WIDTHS };

static const struct {
    char letter;
    int type[2][WIDTHS]; /* [unsigned] */
} types[] = {
    {'c', {{PVM_BYTE, PVM_BYTE, PVM_BYTE}, {PVM_BYTE, PVM_BYTE, PVM_BYTE}}},
    {'d', {{PVM_SHORT, PVM_INT, PVM_LONG}, {PVM_USHORT, PVM_UINT, PVM_ULONG}}},
    {'f', {{PVM_FLOAT, PVM_FLOAT, PVM_DOUBLE}, {PVM_FLOAT, PVM_FLOAT, PVM_DOUBLE}}},
    {'x', {{PVM_CPLX, PVM_CPLX, PVM_DCPLX}, {PVM_CPLX, PVM_CPLX, PVM_DCPLX}}},
    {'s', {{PVM_STR, PVM_STR, PVM_STR}, {PVM_STR, PVM_STR, PVM_STR}}},
};

struct args { /* so that its address may be passed on */
    va_list list;
};

/* A number or "*"; `otherwise` when there is neither. */
static bool number(const char **at, struct args *args, int otherwise, int *value, bool *given)
{
    long long n = 0;
    const char *s = *at;

    *given = true;
    if (*s == '*') {
        *value = va_arg(args->list, int);
        *at = s + 1;
        return true;
    }
    for (; *s >= '0' && *s <= '9'; s++)
        if ((n = 10 * n + (*s - '0')) > INT_MAX)
            return false;
    *given = s > *at;
    *value = *given ? (int)n : otherwise;
    *at = s;
    return true;
}

/* What stands behind a "%"; *at is moved behind it. False: it means nothing. */
static bool parse(const char **at, struct args *args, struct item *item)
{
    bool count, stride = false, is_unsigned = false;
    enum width width = PLAIN;

    if (!number(at, args, 1, &item->count, &count))
        return false;
    item->stride = 1;
    if (**at == '.') {
        ++*at;
        if (!number(at, args, 1, &item->stride, &stride))
            return false;
    }
    item->array = count || stride;
    for (;; ++*at) {
        if (**at == 'u')
            is_unsigned = true;
        else if (**at == 'l')
            width = LONG; /* the stronger one */
        else if (**at == 'h')
            width = width == LONG ? LONG : SHORT;
        else
            break;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].letter == **at) {
            item->type = types[i].type[is_unsigned][width];
            ++*at;
            return true;
        }
    return false;
}

static int fail_format(const char *format, const char *at)
{
    return pvmi_fail(PvmBadParam, "format \"%s\": \"%s\" is not understood", format, at);
}

/* A value among the arguments, packed from a copy that outlives the call also in place. */
static int pack_value(struct pvmi_msg *m, int type, struct args *args)
{
    union {
        char c;
        short h;
        int d;
        long l;
        float f;
        double g;
    } value;
    void *copy;

    switch (type) {
    case PVM_BYTE:
        value.c = (char)va_arg(args->list, int);
        break;
    case PVM_SHORT:
    case PVM_USHORT:
        value.h = (short)va_arg(args->list, int);
        break;
    case PVM_LONG:
    case PVM_ULONG:
        value.l = va_arg(args->list, long);
        break;
    case PVM_FLOAT:
        value.f = (float)va_arg(args->list, double);
        break;
    case PVM_DOUBLE:
        value.g = va_arg(args->list, double);
        break;
    default:
        value.d = va_arg(args->list, int);
        break;
    }
    if (m->encoding != PvmDataInPlace)
        return pvmi_pack(m, type, &value, 1, 1);
    if (!(copy = pvmi_msg_room(m, pvmi_size_of(type))))
        return PvmNoMem;
    memcpy(copy, &value, pvmi_size_of(type));
    return PvmOk;
}

static int pack_item(struct pvmi_msg *m, const struct item *item, struct args *args)
{
    const void *p;
    int rc;

    if (!item->array && item->type != PVM_STR && item->type != PVM_CPLX && item->type != PVM_DCPLX)
        return pvmi_pack_failed(pack_value(m, item->type, args), m, 1, 1);
    p = va_arg(args->list, const void *);
    rc = item->type == PVM_STR ? pvmi_pack_string(m, p) : pvmi_pack(m, item->type, p, item->count, item->stride);
    return pvmi_pack_failed(rc, p, item->count, item->stride);
}

static int unpack_item(struct pvmi_msg *m, const struct item *item, struct args *args)
{
    void *p = va_arg(args->list, void *);
    int rc =
        item->type == PVM_STR ? pvmi_unpack_string(m, p) : pvmi_unpack(m, item->type, p, item->count, item->stride);

    return pvmi_pack_failed(rc, p, item->count, item->stride);
}

static int each(struct pvmi_msg *m, const char *format, const char *at, struct args *args,
                int do_item(struct pvmi_msg *m, const struct item *item, struct args *args))
{
    int rc = PvmOk;

    while (rc == PvmOk && (at = strchr(at, '%'))) {
        const char *start = at++;
        struct item item;

        if (!parse(&at, args, &item))
            return fail_format(format, start);
        rc = do_item(m, &item, args);
    }
    return rc;
}

/* The send buffer, a new one if the format begins by "%+". */
static struct pvmi_msg *sending(const char *format, const char **at, struct args *args, int *rc)
{
    struct pvmi_msg *m;

    *at = format;
    if (format[0] == '%' && format[1] == '+') {
        *at += 2;
        if ((*rc = pvmi_initsend(va_arg(args->list, int))) < 0)
            return NULL;
    }
    if (!(m = pvmi_sending()))
        *rc = pvmi_fail(PvmNoBuf, "there is no send buffer: pvm_initsend, pvm_setsbuf or \"%%+\" make one");
    return m;
}

int pvm_packf(const char *format, ...)
{
    int rc = pvmi_begin("pvm_packf");
    struct pvmi_msg *m;
    struct args args;
    const char *at;

    if (rc < 0)
        return rc;
    if (!format)
        return pvmi_fail(PvmBadParam, "the format is NULL");
    va_start(args.list, format);
    if ((m = sending(format, &at, &args, &rc)))
        rc = each(m, format, at, &args, pack_item);
    va_end(args.list);
    return rc;
}

int pvm_unpackf(const char *format, ...)
{
    int rc;
    struct pvmi_msg *m = pvmi_begin_unpacking("pvm_unpackf", &rc);
    struct args args;

    if (!m)
        return rc;
    if (!format)
        return pvmi_fail(PvmBadParam, "the format is NULL");
    va_start(args.list, format);
    rc = each(m, format, format, &args, unpack_item);
    va_end(args.list);
    return rc;
}
