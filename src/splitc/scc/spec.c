/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Declaration specifiers (C17 6.7): storage, qualifiers and the words that make up a basic type, which are
 * counted and looked up in a table. */
#include "parse.h"

enum { W_SIGNED = 1, W_UNSIGNED = 2, W_SHORT = 4, W_LONG = 8, W_LLONG = 16, W_COMPLEX = 32, W_INT = 64 };

static const struct {
    uint16_t keyword;
    uint8_t kind;
} plain_words[] = {
    {KW_VOID, TY_VOID},           {KW_BOOL, TY_BOOL},
    {KW_CHAR, TY_CHAR},           {KW_FLOAT, TY_FLOAT},
    {KW_DOUBLE, TY_DOUBLE},       {KW_INT128, TY_INT128},
    {KW_FLOAT16, TY_FLOAT16},     {KW_FLOAT32, TY_FLOAT32},
    {KW_FLOAT64, TY_FLOAT64},     {KW_FLOAT128, TY_FLOAT128},
    {KW_FLOAT32X, TY_FLOAT32X},   {KW_FLOAT64X, TY_FLOAT64X},
    {KW_BFLOAT16, TY_BFLOAT16},   {KW_DECIMAL32, TY_DECIMAL32},
    {KW_DECIMAL64, TY_DECIMAL64}, {KW_DECIMAL128, TY_DECIMAL128},
};

static const struct {
    uint16_t keyword, bit;
} modifiers[] = {
    {KW_SIGNED, W_SIGNED}, {KW_UNSIGNED, W_UNSIGNED}, {KW_SHORT, W_SHORT}, {KW_COMPLEX, W_COMPLEX}, {KW_INT, W_INT},
};

static const struct {
    uint16_t keyword;
    uint8_t storage, qual;
} words[] = {
    {KW_TYPEDEF, ST_TYPEDEF, 0},  {KW_EXTERN, ST_EXTERN, 0},     {KW_STATIC, ST_STATIC, 0},
    {KW_AUTO, ST_AUTO, 0},        {KW_REGISTER, ST_REGISTER, 0}, {KW_CONST, 0, Q_CONST},
    {KW_VOLATILE, 0, Q_VOLATILE}, {KW_RESTRICT, 0, Q_RESTRICT},
};

struct state {
    struct scc_specs *out;
    struct scc_type *type; /* struct, enum, typedef name, typeof */
    int kind;              /* plain word, or -1 */
    unsigned bits;
    int quals;
};

static bool basic_word(struct scc_parser *p, struct state *s, int keyword)
{
    for (size_t i = 0; i < sizeof plain_words / sizeof plain_words[0]; i++) {
        if (plain_words[i].keyword != keyword)
            continue;
        if (s->kind >= 0 && keyword >= KW_FLOAT16 && s->out->storage == ST_TYPEDEF)
            return false; /* `typedef float _Float32;` where a compiler lacks the type */
        if (s->kind >= 0 || s->type != NULL)
            scc_syntax(p, "two types in one declaration");
        s->kind = plain_words[i].kind;
        return true;
    }
    if (keyword == KW_LONG) {
        s->bits |= s->bits & W_LONG ? W_LLONG : W_LONG;
        return true;
    }
    for (size_t i = 0; i < sizeof modifiers / sizeof modifiers[0]; i++)
        if (modifiers[i].keyword == keyword) {
            s->bits |= modifiers[i].bit;
            return true;
        }
    return false;
}

static bool storage_word(struct state *s, int keyword)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i].keyword != keyword)
            continue;
        if (words[i].qual != 0)
            s->quals |= words[i].qual;
        else
            s->out->storage = words[i].storage;
        return true;
    }
    if (keyword == KW_INLINE)
        s->out->inlined = true;
    else if (keyword == KW_THREAD)
        s->out->thread = true;
    else
        return keyword == KW_NORETURN || keyword == KW_EXTENSION;
    return true;
}

static struct scc_node *operand(struct scc_parser *p, int kind)
{
    struct scc_node *n = scc_node(p, kind);
    p->pos++;
    scc_expect(p, P_LPAREN, "here");
    if (scc_at_type(p, 0))
        scc_add(n, scc_type_name_node(p));
    else
        scc_add(n, scc_expression(p));
    scc_expect(p, P_RPAREN, "here");
    return scc_close(p, n);
}

static struct scc_type *type_operator(struct scc_parser *p, struct scc_node *parent)
{
    struct scc_node *n = scc_add(parent, operand(p, N_TYPEOF));
    struct scc_node *of = n->child;
    n->type = of->type;
    n->splitc |= scc_involves_splitc(n->type);
    parent->splitc |= n->splitc;
    return n->type;
}

static void alignas(struct scc_parser *p, struct state *s)
{
    struct scc_node *n = scc_add(s->out->node, operand(p, N_ALIGNAS));
    struct scc_node *of = n->child;
    uint32_t align = of->kind == N_TYPENAME ? scc_align_of(of->type) : of->constant ? (uint32_t)of->value : 0;
    if (align > s->out->attributes.align && align <= 1 << 28)
        s->out->attributes.align = align;
}

static bool type_word(struct scc_parser *p, struct state *s, int keyword)
{
    struct scc_type *t = NULL;
    if (keyword == KW_STRUCT || keyword == KW_UNION)
        t = scc_record_specifier(p, s->out->node);
    else if (keyword == KW_ENUM)
        t = scc_enum_specifier(p, s->out->node);
    else if (keyword == KW_TYPEOF || (keyword == KW_ATOMIC && scc_peek(p, 1)->punct == P_LPAREN))
        t = type_operator(p, s->out->node);
    if (t == NULL)
        return false;
    if (s->type != NULL || s->kind >= 0)
        scc_syntax(p, "two types in one declaration");
    s->type = t;
    s->quals |= keyword == KW_ATOMIC ? Q_ATOMIC : 0;
    return true;
}

static struct scc_type *integer(struct scc_parser *p, unsigned bits)
{
    static const uint8_t kinds[4][2] = {
        {TY_INT, TY_UINT}, {TY_SHORT, TY_USHORT}, {TY_LONG, TY_ULONG}, {TY_LLONG, TY_ULLONG}};
    int rank = bits & W_SHORT ? 1 : bits & W_LLONG ? 3 : bits & W_LONG ? 2 : 0;
    return p->basic[kinds[rank][bits & W_UNSIGNED ? 1 : 0]];
}

static struct scc_type *basic(struct scc_parser *p, const struct state *s)
{
    struct scc_type *t = NULL;
    if (s->kind == TY_CHAR)
        t = p->basic[s->bits & W_UNSIGNED ? TY_UCHAR : s->bits & W_SIGNED ? TY_SCHAR : TY_CHAR];
    else if (s->kind == TY_INT128)
        t = p->basic[s->bits & W_UNSIGNED ? TY_UINT128 : TY_INT128];
    else if (s->kind == TY_DOUBLE && (s->bits & W_LONG))
        t = p->basic[TY_LDOUBLE];
    else if (s->kind >= 0)
        t = p->basic[s->kind];
    else if ((s->bits & ~(unsigned)W_COMPLEX) == 0 && (s->bits & W_COMPLEX))
        t = p->basic[TY_DOUBLE];
    else
        t = integer(p, s->bits);
    return s->bits & W_COMPLEX ? scc_complex_of(p->unit, t) : t;
}

static bool one_specifier(struct scc_parser *p, struct state *s)
{
    const struct scc_token *t = scc_peek(p, 0);
    if (scc_at_attribute(p)) {
        scc_attribute_list(p, s->out->node, &s->out->attributes);
        return true;
    }
    if (t->kind == TK_IDENT) {
        if (s->type != NULL || s->kind >= 0 || s->bits != 0 || s->out->auto_type || !scc_is_typedef_name(p, 0))
            return false;
        s->type = t->name->symbol->type;
        p->pos++;
        return true;
    }
    if (t->kind != TK_KEYWORD)
        return false;
    int keyword = t->name->keyword;
    if (type_word(p, s, keyword))
        return true;
    if (keyword == KW_ALIGNAS) {
        alignas(p, s);
        return true;
    }
    if (keyword == KW_ATOMIC)
        s->quals |= Q_ATOMIC;
    else if (keyword == KW_AUTO_TYPE)
        s->out->auto_type = true;
    else if (!storage_word(s, keyword) && !basic_word(p, s, keyword))
        return false;
    p->pos++;
    return true;
}

struct scc_specs scc_specifiers(struct scc_parser *p, bool implicit_int)
{
    struct scc_specs out = {.node = scc_node(p, N_SPECS)};
    struct state s = {.out = &out, .kind = -1};
    scc_enter(p);
    while (one_specifier(p, &s))
        ;
    scc_leave(p);
    if (s.type == NULL && s.kind < 0 && s.bits == 0) {
        out.implicit = !out.auto_type;
        if (out.implicit && !implicit_int)
            scc_syntax(p, "expected a type");
    }
    struct scc_type *t = out.auto_type ? p->basic[TY_ERROR] : s.type ? s.type : basic(p, &s);
    if (s.type != NULL && (s.bits & W_COMPLEX) && s.type->size)
        t = scc_complex_of(p->unit, t);
    out.type = scc_qualified(p->unit, t, t->quals | s.quals);
    scc_close(p, out.node);
    out.node->type = out.type;
    out.node->storage = (uint8_t)out.storage;
    out.node->thread = out.thread;
    out.node->inlined = out.inlined;
    return out;
}

bool scc_at_type(struct scc_parser *p, uint32_t ahead)
{
    const struct scc_token *t = scc_peek(p, ahead);
    if (t->kind == TK_IDENT)
        return scc_is_typedef_name(p, ahead);
    if (t->kind != TK_KEYWORD)
        return false;
    int k = t->name->keyword;
    if (k == KW_EXTENSION) /* of a type or of an expression: what follows decides */
        return scc_at_type(p, ahead + 1);
    return (k >= KW_INT128 && k <= KW_DECIMAL128) || k == KW_ATTRIBUTE || k == KW_TYPEOF || k == KW_BOOL ||
           k == KW_COMPLEX || k == KW_ATOMIC || k == KW_CHAR || k == KW_CONST || k == KW_DOUBLE || k == KW_ENUM ||
           k == KW_FLOAT || k == KW_INT || k == KW_LONG || k == KW_RESTRICT || k == KW_SHORT || k == KW_SIGNED ||
           k == KW_STRUCT || k == KW_UNION || k == KW_UNSIGNED || k == KW_VOID || k == KW_VOLATILE || k == KW_ALIGNAS;
}

bool scc_at_declaration(struct scc_parser *p)
{
    uint32_t ahead = 0;
    while (scc_peek(p, ahead)->kind == TK_KEYWORD && scc_peek(p, ahead)->name->keyword == KW_EXTENSION)
        ahead++;
    const struct scc_token *t = scc_peek(p, ahead);
    if (t->kind == TK_IDENT && scc_peek(p, ahead + 1)->punct == P_COLON)
        return false; /* a label hides a typedef name */
    if (scc_at_type(p, ahead))
        return true;
    if (t->kind != TK_KEYWORD)
        return false;
    int k = t->name->keyword;
    return k == KW_TYPEDEF || k == KW_EXTERN || k == KW_STATIC || k == KW_AUTO || k == KW_REGISTER || k == KW_INLINE ||
           k == KW_NORETURN || k == KW_THREAD || k == KW_STATIC_ASSERT;
}
