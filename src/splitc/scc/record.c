/* SPDX-License-Identifier: BSD-3-Clause
 *
 * struct, union and enum specifiers (C17 6.7.2.1, 6.7.2.2) with GNU's additions. */
#include "parse.h"

static struct scc_type *new_record(struct scc_parser *p, int kind, struct scc_name *tag)
{
    struct scc_type *t = scc_new_type(p->unit, kind);
    t->record = scc_alloc(p->unit, sizeof *t->record);
    t->record->tag = tag;
    t->record->type = t;
    return t;
}

/* The type a tag means here; a body or a lone `struct s;` makes a new one in an inner scope. */
static struct scc_type *tagged(struct scc_parser *p, int kind, struct scc_name *tag, uint32_t token)
{
    if (tag == NULL)
        return new_record(p, kind, NULL);
    struct scc_symbol *old = tag->tag;
    bool fresh = scc_at(p, P_LBRACE) || scc_at(p, P_SEMICOLON);
    if (old != NULL && (old->depth == p->depth || !fresh)) {
        bool redefined = scc_at(p, P_LBRACE) && old->type->record->complete;
        if (old->type->kind != kind || redefined) {
            scc_error(p->unit, token, "'%s' is defined already as %s", tag->text, scc_type_name(p->unit, old->type));
            return new_record(p, kind, NULL);
        }
        return old->type;
    }
    struct scc_type *t = new_record(p, kind, tag);
    scc_declare_tag(p, tag, t, token);
    return t;
}

static void add_member(struct scc_member ***tail, struct scc_member *m)
{
    **tail = m;
    *tail = &m->next;
}

static struct scc_node *bits(struct scc_parser *p, struct scc_member *m)
{
    struct scc_node *n = scc_node(p, N_BITS);
    n->first++;
    p->pos++;
    struct scc_node *width = scc_add(n, scc_conditional(p));
    bool good = width->constant && width->value >= 0 && width->value <= 128;
    m->bits = good ? (int)width->value : 0;
    return scc_close(p, n);
}

static void member(struct scc_parser *p, struct scc_node *decl, struct scc_specs *specs, struct scc_member *m)
{
    struct scc_attributes a = specs->attributes;
    m->bits = -1;
    if (scc_at(p, P_COLON)) {
        m->node = scc_node(p, N_DECLARATOR);
        m->node->type = m->type = specs->type;
    } else {
        struct scc_declared d = scc_declarator(p, specs->type, DECL_NAMED);
        m->node = d.node;
        m->name = d.name;
        m->type = d.type;
        if (d.type->kind == TY_FUNCTION)
            scc_error(p->unit, d.node->first, "a member cannot be a function");
        if (scc_is_spread_array(d.type))
            scc_error(p->unit, d.node->first, "a member cannot be a spread array; use a spread pointer");
    }
    if (scc_at(p, P_COLON))
        scc_add(m->node, bits(p, m));
    scc_attribute_list(p, m->node, &a);
    m->type = scc_apply_attributes(p, m->type, &(struct scc_attributes){.mode = a.mode, .vector = a.vector});
    m->align = a.align;
    m->node->member = m;
    m->node->type = m->type;
    if (m->node->child != NULL)
        scc_close(p, m->node);
    scc_add(decl, m->node);
}

static void member_declaration(struct scc_parser *p, struct scc_node *body, struct scc_member ***tail)
{
    if (scc_at_keyword(p, KW_STATIC_ASSERT)) {
        scc_add(body, scc_static_assert(p));
        return;
    }
    if (scc_peek(p, 0)->kind == TK_PRAGMA || scc_at(p, P_SEMICOLON)) {
        p->pos++;
        return;
    }
    struct scc_node *decl = scc_node(p, N_DECL);
    struct scc_specs specs = scc_specifiers(p, false);
    scc_add(decl, specs.node);
    if (scc_at(p, P_SEMICOLON) && scc_is_record(specs.type)) { /* anonymous */
        struct scc_member *m = scc_alloc(p->unit, sizeof *m);
        *m = (struct scc_member){.type = specs.type, .bits = -1};
        add_member(tail, m);
    }
    while (!scc_at(p, P_SEMICOLON) && !scc_at(p, P_RBRACE)) {
        struct scc_member *m = scc_alloc(p->unit, sizeof *m);
        member(p, decl, &specs, m);
        add_member(tail, m);
        if (!scc_accept(p, P_COMMA))
            break;
    }
    if (!scc_at(p, P_RBRACE))
        scc_expect(p, P_SEMICOLON, "after a member");
    scc_add(body, scc_close(p, decl));
}

struct scc_type *scc_record_specifier(struct scc_parser *p, struct scc_node *specs)
{
    struct scc_node *n = scc_node(p, N_RECORD);
    bool is_union = scc_at_keyword(p, KW_UNION);
    struct scc_attributes a = {0};
    p->pos++;
    scc_attribute_list(p, n, &a);
    const struct scc_token *t = scc_peek(p, 0);
    struct scc_name *tag = t->kind == TK_IDENT ? t->name : NULL;
    uint32_t token = p->pos;
    p->pos += tag != NULL;
    if (tag == NULL && !scc_at(p, P_LBRACE))
        scc_syntax(p, "expected a tag or '{' after %s", is_union ? "union" : "struct");
    n->type = tagged(p, is_union ? TY_UNION : TY_STRUCT, tag, token);
    if (!scc_at(p, P_LBRACE))
        return n->type;
    scc_enter(p);
    p->pos++;
    struct scc_record *record = n->type->record;
    struct scc_member **tail = &record->members;
    record->members = NULL; /* an error may have left some of an earlier try */
    record->node = n;
    while (!scc_accept(p, P_RBRACE))
        member_declaration(p, n, &tail);
    scc_attribute_list(p, n, &a);
    scc_layout(p, record, is_union, &a);
    scc_leave(p);
    scc_add(specs, scc_close(p, n));
    return n->type;
}

static void enumerator(struct scc_parser *p, struct scc_node *n, int64_t *value, bool *wide)
{
    const struct scc_token *t = scc_peek(p, 0);
    uint32_t token = p->pos;
    if (t->kind != TK_IDENT)
        scc_syntax(p, "expected an enumerator");
    struct scc_name *name = t->name;
    p->pos++;
    scc_attribute_list(p, n, NULL);
    struct scc_type *type = p->basic[TY_INT];
    if (scc_accept(p, P_ASSIGN)) {
        struct scc_node *e = scc_add(n, scc_conditional(p));
        if (e->constant) {
            *value = e->value;
            if (scc_size_of(e->type) == 8 && *value != (int32_t)*value)
                type = e->type;
        }
    }
    if (*value != (int32_t)*value && type->kind == TY_INT)
        type = p->basic[*value == (int64_t)(uint32_t)*value ? TY_UINT : TY_LONG];
    *wide |= scc_size_of(type) == 8;
    struct scc_symbol *s = scc_declare(p, name, SY_ENUMERATOR, type, token);
    s->value = *value;
    *value = (int64_t)((uint64_t)*value + 1);
}

/* Enumerators that do not fit int have the type the whole enum turned out to need. */
static void widen(struct scc_parser *p, struct scc_type *underlying, int count)
{
    for (struct scc_symbol *s = p->scope->symbols; s != NULL && count-- > 0; s = s->scope_next)
        if (s->kind == SY_ENUMERATOR && s->type->kind != TY_INT)
            s->type = underlying;
}

struct scc_type *scc_enum_specifier(struct scc_parser *p, struct scc_node *specs)
{
    struct scc_node *n = scc_node(p, N_ENUM);
    struct scc_attributes a = {0};
    p->pos++;
    scc_attribute_list(p, n, &a);
    const struct scc_token *t = scc_peek(p, 0);
    struct scc_name *tag = t->kind == TK_IDENT ? t->name : NULL;
    uint32_t token = p->pos;
    p->pos += tag != NULL;
    if (tag == NULL && !scc_at(p, P_LBRACE))
        scc_syntax(p, "expected a tag or '{' after enum");
    n->type = tagged(p, TY_ENUM, tag, token);
    if (!scc_accept(p, P_LBRACE))
        return n->type;
    int64_t value = 0, least = 0;
    bool wide = false;
    int count = 0;
    while (!scc_accept(p, P_RBRACE)) {
        enumerator(p, n, &value, &wide);
        count++;
        int64_t newest = (int64_t)((uint64_t)value - 1);
        least = newest < least ? newest : least;
        if (!scc_accept(p, P_COMMA) && !scc_at(p, P_RBRACE))
            scc_syntax(p, "expected ',' or '}' after an enumerator");
    }
    scc_attribute_list(p, n, &a);
    struct scc_record *record = n->type->record;
    int kind = wide        ? (least < 0 ? TY_LONG : TY_ULONG)
               : a.packed  ? (least < 0 ? TY_SCHAR : TY_UCHAR)
               : least < 0 ? TY_INT
                           : TY_UINT;
    record->underlying = p->basic[kind];
    widen(p, record->underlying, count);
    record->complete = true;
    record->node = n;
    scc_add(specs, scc_close(p, n));
    return n->type;
}
