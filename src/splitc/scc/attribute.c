/* SPDX-License-Identifier: BSD-3-Clause
 *
 * __attribute__ and asm labels: opaque to the translation, but for the few attributes that change a
 * type's size, alignment or kind. */
#include "parse.h"

#include <string.h>

bool scc_at_attribute(struct scc_parser *p)
{
    return scc_at_keyword(p, KW_ATTRIBUTE);
}

static bool is_named(const struct scc_name *name, const char *text)
{
    const char *s = name->text;
    size_t len = name->len, want = strlen(text);
    if (len > 4 && s[0] == '_' && s[1] == '_' && s[len - 1] == '_' && s[len - 2] == '_') {
        s += 2;
        len -= 4;
    }
    return len == want && memcmp(s, text, len) == 0;
}

static uint32_t constant_argument(struct scc_parser *p, uint32_t otherwise)
{
    if (!scc_at(p, P_LPAREN))
        return otherwise;
    p->pos++;
    struct scc_node *value = scc_conditional(p);
    scc_expect(p, P_RPAREN, "after an attribute's argument");
    bool good = value->constant && value->value > 0 && value->value <= 1 << 28;
    return good ? (uint32_t)value->value : otherwise;
}

static void attribute(struct scc_parser *p, struct scc_attributes *a)
{
    const struct scc_name *name = scc_peek(p, 0)->name;
    if (name == NULL)
        scc_syntax(p, "expected an attribute's name");
    p->pos++;
    if (is_named(name, "aligned")) {
        uint32_t align = constant_argument(p, 16);
        a->align = align > a->align ? align : a->align;
    } else if (is_named(name, "vector_size")) {
        a->vector = constant_argument(p, 0);
    } else if (is_named(name, "mode") && scc_at(p, P_LPAREN) && scc_peek(p, 1)->name != NULL) {
        a->mode = scc_peek(p, 1)->name;
    }
    a->packed |= is_named(name, "packed");
    a->transparent |= is_named(name, "transparent_union");
    if (scc_at(p, P_LPAREN))
        scc_skip_balanced(p);
}

void scc_attribute_list(struct scc_parser *p, struct scc_node *parent, struct scc_attributes *attributes)
{
    struct scc_attributes ignored = {0};
    if (attributes == NULL)
        attributes = &ignored;
    while (scc_at_attribute(p)) {
        struct scc_node *n = scc_node(p, N_ATTRIBUTE);
        p->pos++;
        scc_expect(p, P_LPAREN, "after __attribute__");
        scc_expect(p, P_LPAREN, "after __attribute__(");
        while (!scc_at(p, P_RPAREN)) {
            if (scc_accept(p, P_COMMA))
                continue;
            attribute(p, attributes);
        }
        scc_expect(p, P_RPAREN, "at the end of an attribute");
        scc_expect(p, P_RPAREN, "at the end of an attribute");
        scc_add(parent, scc_close(p, n));
    }
}

void scc_asm_label(struct scc_parser *p, struct scc_node *parent)
{
    if (!scc_at_keyword(p, KW_ASM))
        return;
    struct scc_node *n = scc_node(p, N_ATTRIBUTE);
    p->pos++;
    if (!scc_at(p, P_LPAREN))
        scc_syntax(p, "expected '(' after asm");
    scc_skip_balanced(p);
    scc_add(parent, scc_close(p, n));
}

static const struct {
    const char *mode;
    uint8_t kind, unsigned_kind;
} modes[] = {
    {"QI", TY_SCHAR, TY_UCHAR},
    {"byte", TY_SCHAR, TY_UCHAR},
    {"HI", TY_SHORT, TY_USHORT},
    {"SI", TY_INT, TY_UINT},
    {"DI", TY_LONG, TY_ULONG},
    {"word", TY_LONG, TY_ULONG},
    {"pointer", TY_LONG, TY_ULONG},
    {"TI", TY_INT128, TY_UINT128},
    {"HF", TY_FLOAT16, TY_FLOAT16},
    {"SF", TY_FLOAT, TY_FLOAT},
    {"DF", TY_DOUBLE, TY_DOUBLE},
    {"XF", TY_LDOUBLE, TY_LDOUBLE},
    {"TF", TY_FLOAT128, TY_FLOAT128},
    {"SC", TY_FLOAT, 0},
    {"DC", TY_DOUBLE, 0},
    {"XC", TY_LDOUBLE, 0},
    {"TC", TY_FLOAT128, 0},
};

static struct scc_type *with_mode(struct scc_parser *p, struct scc_type *type, const struct scc_name *mode)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (!is_named(mode, modes[i].mode))
            continue;
        if (modes[i].unsigned_kind == 0)
            return scc_complex_of(p->unit, p->basic[modes[i].kind]);
        return p->basic[scc_is_unsigned(type) ? modes[i].unsigned_kind : modes[i].kind];
    }
    return type;
}

/* vector_size and mode apply to the type an object's declarator ends in. */
static struct scc_type *change_leaf(struct scc_parser *p, struct scc_type *type, const struct scc_attributes *a)
{
    if (type->kind == TY_POINTER || type->kind == TY_ARRAY || type->kind == TY_FUNCTION) {
        struct scc_type *t = scc_alloc(p->unit, sizeof *t);
        *t = *type;
        t->plain = t;
        t->base = change_leaf(p, type->base, a);
        return t;
    }
    struct scc_type *t = a->mode ? with_mode(p, type, a->mode) : type;
    if (a->vector != 0 && scc_is_arithmetic(t))
        t = scc_vector_of(p->unit, t, a->vector);
    return scc_qualified(p->unit, t, type->quals);
}

struct scc_type *scc_apply_attributes(struct scc_parser *p, struct scc_type *type, const struct scc_attributes *a)
{
    if (a->vector != 0 || a->mode != NULL)
        type = change_leaf(p, type, a);
    if (a->align != 0 && a->align != type->align) {
        struct scc_type *t = scc_alloc(p->unit, sizeof *t);
        *t = *type;
        t->align = a->align;
        type = t;
    }
    return type;
}
