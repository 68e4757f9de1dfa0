/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Types: how they are made, and what may be asked of them. Sizes are those of LP64 on x86-64 and arm64. */
#include "parse.h"

#include <string.h>

static const struct {
    uint8_t size;
} basics[TY_DECIMAL128 + 1] = {
    [TY_ERROR] = {0},     [TY_VOID] = {1},      [TY_BOOL] = {1},      [TY_CHAR] = {1},        [TY_SCHAR] = {1},
    [TY_UCHAR] = {1},     [TY_SHORT] = {2},     [TY_USHORT] = {2},    [TY_INT] = {4},         [TY_UINT] = {4},
    [TY_LONG] = {8},      [TY_ULONG] = {8},     [TY_LLONG] = {8},     [TY_ULLONG] = {8},      [TY_INT128] = {16},
    [TY_UINT128] = {16},  [TY_FLOAT16] = {2},   [TY_BFLOAT16] = {2},  [TY_FLOAT] = {4},       [TY_DOUBLE] = {8},
    [TY_LDOUBLE] = {16},  [TY_FLOAT128] = {16}, [TY_FLOAT32] = {4},   [TY_FLOAT64] = {8},     [TY_FLOAT32X] = {8},
    [TY_FLOAT64X] = {16}, [TY_DECIMAL32] = {4}, [TY_DECIMAL64] = {8}, [TY_DECIMAL128] = {16},
};

static struct scc_type basic_types[TY_DECIMAL128 + 1];

struct scc_type *scc_basic_type(int kind)
{
    struct scc_type *t = &basic_types[kind];
    t->kind = (uint8_t)kind;
    t->size = t->align = basics[kind].size;
    t->plain = t;
    return t;
}

void scc_init_types(struct scc_parser *p)
{
    for (int i = 0; i <= TY_DECIMAL128; i++)
        p->basic[i] = scc_basic_type(i);
}

struct scc_type *scc_new_type(struct scc_unit *unit, int kind)
{
    struct scc_type *t = scc_alloc(unit, sizeof *t);
    t->kind = (uint8_t)kind;
    t->plain = t;
    return t;
}

struct scc_type *scc_pointer_to(struct scc_unit *unit, struct scc_type *base, int pointer_kind)
{
    struct scc_type *t = scc_new_type(unit, TY_POINTER);
    t->base = base;
    t->pointer = (uint8_t)pointer_kind;
    t->size = pointer_kind == PK_LOCAL ? 8 : 16;
    t->align = 8;
    t->variable = base->variable;
    return t;
}

struct scc_type *scc_array_of(struct scc_unit *unit, struct scc_type *base, uint64_t count)
{
    struct scc_type *t = scc_new_type(unit, TY_ARRAY);
    t->base = base;
    t->count = count;
    t->align = scc_align_of(base);
    t->variable = base->variable;
    return t;
}

struct scc_type *scc_function_returning(struct scc_unit *unit, struct scc_type *result)
{
    struct scc_type *t = scc_new_type(unit, TY_FUNCTION);
    t->base = result;
    t->size = t->align = 1;
    return t;
}

struct scc_type *scc_vector_of(struct scc_unit *unit, struct scc_type *base, uint64_t bytes)
{
    struct scc_type *t = scc_new_type(unit, TY_VECTOR);
    uint64_t size = scc_size_of(base);
    t->base = base;
    t->size = bytes;
    t->align = (uint32_t)(bytes > 1 << 28 ? 16 : bytes);
    t->count = size ? bytes / size : 0;
    return t;
}

struct scc_type *scc_complex_of(struct scc_unit *unit, struct scc_type *base)
{
    struct scc_type *t = scc_new_type(unit, TY_COMPLEX);
    t->base = base->plain;
    t->size = 2 * base->size;
    t->align = base->align;
    return t;
}

struct scc_type *scc_qualified(struct scc_unit *unit, struct scc_type *type, int quals)
{
    if (quals == type->quals || type->kind == TY_ERROR)
        return type;
    if (quals == 0 && type->plain->align == type->align)
        return type->plain;
    struct scc_type *t = scc_alloc(unit, sizeof *t);
    *t = *type;
    t->quals = (uint8_t)quals;
    if (type->kind == TY_ARRAY) /* the element carries an array's qualifiers */
        t->base = scc_qualified(unit, type->base, type->base->quals | quals);
    return t;
}

uint64_t scc_size_of(const struct scc_type *type)
{
    switch (type->kind) {
    case TY_STRUCT:
    case TY_UNION:
        return type->record->complete ? type->record->size : 0;
    case TY_ENUM:
        return type->record->underlying ? type->record->underlying->size : 4;
    case TY_ARRAY:
        if (type->vla || type->incomplete)
            return 0;
        uint64_t size = 0;
        return __builtin_mul_overflow(scc_size_of(type->base), type->count, &size) ? 0 : size;
    default:
        return type->size;
    }
}

uint32_t scc_align_of(const struct scc_type *type)
{
    uint32_t align = type->align;
    switch (type->kind) {
    case TY_STRUCT:
    case TY_UNION:
        return align > type->record->align ? align : type->record->align ? type->record->align : 1;
    case TY_ENUM:
        return align ? align : type->record->underlying ? type->record->underlying->align : 4;
    case TY_ARRAY: {
        uint32_t base = scc_align_of(type->base);
        return align > base ? align : base;
    }
    default:
        return align ? align : 1;
    }
}

bool scc_is_integer(const struct scc_type *type)
{
    return (type->kind >= TY_BOOL && type->kind <= TY_UINT128) || type->kind == TY_ENUM;
}

bool scc_is_arithmetic(const struct scc_type *type)
{
    return (type->kind >= TY_BOOL && type->kind <= TY_DECIMAL128) || type->kind == TY_ENUM || type->kind == TY_COMPLEX;
}

bool scc_is_pointer(const struct scc_type *type, int kind)
{
    return type->kind == TY_POINTER && (kind < 0 || type->pointer == kind);
}

bool scc_is_record(const struct scc_type *type)
{
    return type->kind == TY_STRUCT || type->kind == TY_UNION;
}

bool scc_is_spread_array(const struct scc_type *type)
{
    return type->kind == TY_ARRAY && type->spread;
}

struct scc_type *scc_block_type(struct scc_type *type)
{
    while (scc_is_spread_array(type))
        type = type->base;
    return type;
}

bool scc_is_unsigned(const struct scc_type *type)
{
    switch (type->kind) {
    case TY_BOOL:
    case TY_UCHAR:
    case TY_USHORT:
    case TY_UINT:
    case TY_ULONG:
    case TY_ULLONG:
    case TY_UINT128:
        return true;
    case TY_ENUM:
        return type->record->underlying == NULL || scc_is_unsigned(type->record->underlying);
    default:
        return false;
    }
}

bool scc_involves_splitc(const struct scc_type *type)
{
    for (; type != NULL; type = type->base) {
        if (type->kind == TY_POINTER && type->pointer != PK_LOCAL)
            return true;
        if (type->kind == TY_ARRAY && type->spread)
            return true;
        if (type->kind != TY_FUNCTION)
            continue;
        for (const struct scc_param *param = type->params; param != NULL; param = param->next)
            if (scc_involves_splitc(param->type))
                return true;
    }
    return false;
}

static bool same_functions(const struct scc_type *a, const struct scc_type *b)
{
    if (!scc_same_type(a->base, b->base))
        return false;
    if (a->old_style || b->old_style)
        return true;
    const struct scc_param *x = a->params, *y = b->params;
    for (; x != NULL && y != NULL; x = x->next, y = y->next)
        if (!scc_same_type(x->type, y->type))
            return false;
    return x == y && a->variadic == b->variadic;
}

bool scc_same_type(const struct scc_type *a, const struct scc_type *b)
{
    if (a == b || a->kind == TY_ERROR || b->kind == TY_ERROR)
        return true;
    if (a->kind == TY_ENUM && b->kind != TY_ENUM)
        return (a->record->underlying ? a->record->underlying->kind : TY_UINT) == b->kind;
    if (b->kind == TY_ENUM && a->kind != TY_ENUM)
        return scc_same_type(b, a);
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case TY_STRUCT:
    case TY_UNION:
    case TY_ENUM:
        return a->record == b->record;
    case TY_POINTER:
        return a->pointer == b->pointer && a->base->quals == b->base->quals && scc_same_type(a->base, b->base);
    case TY_ARRAY:
        if (a->spread != b->spread || !scc_same_type(a->base, b->base))
            return false;
        return a->vla || b->vla || a->incomplete || b->incomplete || a->count == b->count;
    case TY_FUNCTION:
        return same_functions(a, b);
    case TY_VECTOR:
    case TY_COMPLEX:
        return a->size == b->size && scc_same_type(a->base, b->base);
    default:
        return true;
    }
}

static struct scc_type *decayed_array(struct scc_unit *unit, const struct scc_node *node)
{
    struct scc_type *t = node->type;
    if (t->spread)
        return scc_pointer_to(unit, scc_block_type(t), PK_SPREAD);
    int kind = node->lvalue && node->place != PL_LOCAL ? PK_GLOBAL : PK_LOCAL;
    return scc_pointer_to(unit, t->base, kind);
}

static bool narrow_bit_field(const struct scc_node *node)
{
    bool access = node->kind == X_MEMBER || node->kind == X_ARROW;
    return access && node->member != NULL && node->member->bits >= 0 && node->member->bits < 32 &&
           scc_is_integer(node->type);
}

struct scc_type *scc_value_type(struct scc_unit *unit, const struct scc_node *node)
{
    struct scc_type *t = node->type;
    if (narrow_bit_field(node))
        return scc_basic_type(TY_INT);
    if (t->kind == TY_ARRAY)
        return decayed_array(unit, node);
    if (t->kind == TY_FUNCTION)
        return scc_pointer_to(unit, t, PK_LOCAL);
    return t->quals ? scc_qualified(unit, t, 0) : t;
}

struct scc_member *scc_find_member(const struct scc_type *type, const struct scc_name *name, uint64_t *offset)
{
    if (!scc_is_record(type))
        return NULL;
    for (struct scc_member *m = type->record->members; m != NULL; m = m->next) {
        uint64_t inner = 0;
        struct scc_member *found = m->name == name ? m : NULL;
        if (m->name == NULL)
            found = scc_find_member(m->type, name, &inner);
        if (found == NULL)
            continue;
        if (offset != NULL)
            *offset = inner + m->offset;
        return found;
    }
    return NULL;
}
