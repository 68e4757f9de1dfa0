/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where members lie (System V x86-64 and AAPCS64 agree on all but details no program can see here):
 * offsets, bit-fields, packed and aligned. */
#include "parse.h"

struct layout {
    uint64_t bits; /* used so far */
    uint64_t bytes; /* union: the largest */
    uint32_t align;
    bool is_union, packed;
};

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return to ? (n + to - 1) / to * to : n;
}

static void bit_field(struct layout *l, struct scc_member *m)
{
    uint64_t unit = scc_size_of(m->type) * 8;
    uint32_t align = l->packed ? 1 : scc_align_of(m->type);
    if (unit == 0)
        return;
    uint64_t at = l->is_union ? 0 : l->bits;
    if (m->bits == 0) {
        l->bits = l->is_union ? 0 : round_up(at, unit);
        return;
    }
    if (!l->packed && at / unit != (at + (uint64_t)m->bits - 1) / unit)
        at = round_up(at, unit);
    m->offset = at / unit * (unit / 8);
    m->bit_offset = (int)(at % unit);
    if (l->is_union)
        l->bytes = l->bytes > unit / 8                      ? l->bytes
                   : ((uint64_t)m->bits + 7) / 8 > l->bytes ? ((uint64_t)m->bits + 7) / 8
                                                            : l->bytes;
    else
        l->bits = at + (uint64_t)m->bits;
    if (m->name != NULL && align > l->align)
        l->align = align;
}

static void place(struct layout *l, struct scc_member *m)
{
    uint32_t align = l->packed ? 1 : scc_align_of(m->type);
    if (m->align > align)
        align = m->align;
    uint64_t at = l->is_union ? 0 : round_up(round_up(l->bits, 8) / 8, align);
    uint64_t size = scc_size_of(m->type);
    m->offset = at;
    if (l->is_union)
        l->bytes = size > l->bytes ? size : l->bytes;
    else
        l->bits = (at + size) * 8;
    if (align > l->align)
        l->align = align;
}

void scc_layout(struct scc_parser *p, struct scc_record *record, bool is_union, const struct scc_attributes *attributes)
{
    (void)p;
    struct layout l = {.align = 1, .is_union = is_union, .packed = attributes->packed};
    for (struct scc_member *m = record->members; m != NULL; m = m->next) {
        if (m->bits >= 0)
            bit_field(&l, m);
        else
            place(&l, m);
        struct scc_type *block = m->type;
        while (block->kind == TY_ARRAY)
            block = block->base;
        record->splitc |= scc_is_record(block) ? block->record->splitc : scc_involves_splitc(m->type);
    }
    if (attributes->align > l.align)
        l.align = attributes->align;
    uint64_t bytes = is_union ? l.bytes : (l.bits + 7) / 8;
    record->size = round_up(bytes, l.align);
    record->align = l.align;
    record->packed = attributes->packed;
    record->transparent = attributes->transparent;
    record->complete = true;
}
