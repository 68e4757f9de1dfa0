/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Declarations and function definitions (C17 6.7, 6.9), prototypes and K&R alike. */
#include "parse.h"

struct scc_node *scc_pragma(struct scc_parser *p)
{
    struct scc_node *n = scc_node(p, N_EMPTY);
    p->pos++;
    return scc_close(p, n);
}

struct scc_node *scc_static_assert(struct scc_parser *p)
{
    struct scc_node *n = scc_node(p, N_STATIC_ASSERT);
    p->pos++;
    if (!scc_at(p, P_LPAREN))
        scc_syntax(p, "expected '(' after _Static_assert");
    p->pos++;
    scc_add(n, scc_conditional(p));
    while (!scc_at(p, P_RPAREN)) {
        if (scc_peek(p, 0)->kind == TK_EOF || scc_at(p, P_SEMICOLON))
            scc_syntax(p, "expected ')'");
        p->pos++;
    }
    p->pos++;
    scc_expect(p, P_SEMICOLON, "after _Static_assert");
    return scc_close(p, n);
}

static struct scc_symbol *declare(struct scc_parser *p, const struct scc_specs *specs, struct scc_declared *d)
{
    int kind = specs->storage == ST_TYPEDEF ? SY_TYPEDEF : d->type->kind == TY_FUNCTION ? SY_FUNCTION : SY_VARIABLE;
    struct scc_symbol *s = scc_declare(p, d->name, kind, d->type, d->name_token);
    s->storage = (uint8_t)specs->storage;
    s->thread |= specs->thread;
    s->inlined |= specs->inlined;
    s->internal |= specs->storage == ST_STATIC;
    s->node = d->node;
    d->node->symbol = s;
    if (kind == SY_TYPEDEF && d->type->name == NULL) {
        struct scc_type *t = scc_alloc(p->unit, sizeof *t);
        *t = *d->type;
        t->name = s;
        if (t->variable && t->plain == d->type)
            t->plain = t; /* its sizes were taken here: only the name stands for them */
        s->type = t;
    }
    return s;
}

static void initializer(struct scc_parser *p, struct scc_declared *d, struct scc_symbol *s, bool auto_type)
{
    struct scc_node *n = scc_node(p, N_INIT);
    n->first++;
    p->pos++;
    struct scc_type *type = d->type;
    struct scc_node *value = scc_add(n, scc_initializer(p, &type));
    if (auto_type)
        type = scc_value_type(p->unit, value);
    n->type = type;
    n->splitc |= scc_involves_splitc(type);
    s->type = d->type = d->node->type = type;
    d->node->splitc |= n->splitc;
    s->defined = true;
    scc_add(d->node, scc_close(p, n));
}

static void finish_declarator(struct scc_parser *p, struct scc_node *decl, struct scc_specs *specs,
                              struct scc_declared *d)
{
    struct scc_attributes a = specs->attributes;
    scc_asm_label(p, d->node);
    scc_attribute_list(p, d->node, &a);
    scc_asm_label(p, d->node);
    d->type = scc_apply_attributes(p, d->type, &a);
    d->node->type = d->type;
    if (d->type->kind == TY_VOID && specs->storage != ST_TYPEDEF && specs->storage != ST_EXTERN)
        scc_error(p->unit, d->name_token, "'%s' is declared void", d->name->text);
    struct scc_symbol *s = declare(p, specs, d);
    if (scc_at(p, P_ASSIGN))
        initializer(p, d, s, specs->auto_type);
    scc_attribute_list(p, d->node, NULL);
    scc_close(p, d->node);
    scc_add(decl, d->node);
}

/* The parameters of a definition, put back into the scope of its body. */
static void enter_parameters(struct scc_parser *p, struct scc_node *params)
{
    for (struct scc_node *n = params; n != NULL; n = n->next) {
        if (n->kind != N_PARAM || n->symbol == NULL || n->symbol->name->symbol == n->symbol) /* named twice */
            continue;
        struct scc_symbol *s = n->symbol;
        s->outer = s->name->symbol;
        s->depth = p->depth;
        s->scope_next = p->scope->symbols;
        p->scope->symbols = s;
        s->name->symbol = s;
    }
}

static void knr_declarations(struct scc_parser *p, struct scc_node *function, struct scc_type *type)
{
    while (!scc_at(p, P_LBRACE)) {
        struct scc_node *decl = scc_node(p, N_DECL);
        struct scc_specs specs = scc_specifiers(p, true);
        if (specs.node->last < specs.node->first)
            scc_syntax(p, "expected a declaration of a parameter or '{'");
        scc_add(decl, specs.node);
        while (!scc_at(p, P_SEMICOLON)) {
            struct scc_declared d = scc_declarator(p, specs.type, DECL_NAMED);
            struct scc_symbol *s = d.name->symbol;
            bool ours = s != NULL && s->kind == SY_PARAM && s->depth == p->depth;
            if (!ours)
                scc_error(p->unit, d.name_token, "'%s' is not a parameter", d.name->text);
            struct scc_type *t = d.type;
            if (t->kind == TY_ARRAY && !t->spread)
                t = scc_pointer_to(p->unit, t->base, PK_LOCAL);
            if (ours) {
                s->type = t;
                d.node->symbol = s;
            }
            scc_add(decl, d.node);
            if (!scc_accept(p, P_COMMA))
                break;
        }
        scc_expect(p, P_SEMICOLON, "after a parameter's declaration");
        scc_add(function, scc_close(p, decl));
    }
    for (struct scc_param *a = type->params; a != NULL; a = a->next) {
        if (a->symbol == NULL)
            continue;
        struct scc_type *t = a->symbol->type;
        a->type = scc_is_spread_array(t) ? scc_pointer_to(p->unit, scc_block_type(t), PK_SPREAD) : t;
    }
}

static struct scc_node *definition(struct scc_parser *p, struct scc_node *n, struct scc_specs *specs,
                                   struct scc_declared *d)
{
    n->kind = N_FUNCTION;
    if (p->function != NULL)
        scc_syntax(p, "a function inside a function is not supported");
    n->symbol = declare(p, specs, d);
    n->symbol->defined = true;
    n->type = d->type;
    scc_add(n, d->node);
    scc_push_scope(p);
    enter_parameters(p, d->params);
    if (d->type->old_style)
        knr_declarations(p, n, d->type);
    p->function = n->symbol;
    p->result = d->type->base;
    scc_add(n, scc_compound(p, false));
    p->function = NULL;
    scc_pop_scope(p);
    return scc_close(p, n);
}

static bool starts_body(struct scc_parser *p, const struct scc_declared *d)
{
    if (d->function == NULL)
        return false;
    if (scc_at(p, P_LBRACE))
        return true;
    return d->type->old_style && d->type->params != NULL && scc_at_declaration(p) && !scc_at_attribute(p);
}

static struct scc_node *declarators(struct scc_parser *p, struct scc_node *n, struct scc_specs *specs)
{
    bool first = true;
    while (!scc_at(p, P_SEMICOLON)) {
        struct scc_declared d = scc_declarator(p, specs->type, DECL_NAMED);
        if (first && starts_body(p, &d) && specs->storage != ST_TYPEDEF)
            return definition(p, n, specs, &d);
        finish_declarator(p, n, specs, &d);
        first = false;
        if (!scc_accept(p, P_COMMA))
            break;
        scc_attribute_list(p, n, &specs->attributes);
    }
    scc_expect(p, P_SEMICOLON, "after a declaration");
    return scc_close(p, n);
}

struct scc_node *scc_declaration(struct scc_parser *p)
{
    if (scc_at_keyword(p, KW_STATIC_ASSERT))
        return scc_static_assert(p);
    struct scc_node *n = scc_node(p, N_DECL);
    struct scc_specs specs = scc_specifiers(p, true);
    bool named = scc_peek(p, 0)->kind == TK_IDENT || scc_at(p, P_STAR) || scc_at(p, P_LPAREN);
    if (scc_is_empty(specs.node) && !(p->function == NULL && named))
        scc_syntax(p, "expected a declaration");
    scc_add(n, specs.node);
    return declarators(p, n, &specs);
}

struct scc_node *scc_external(struct scc_parser *p)
{
    const struct scc_token *t = scc_peek(p, 0);
    if (t->kind == TK_PRAGMA || t->punct == P_SEMICOLON)
        return scc_pragma(p);
    if (scc_at_keyword(p, KW_ASM))
        return scc_asm(p);
    /* A word that is no type, then another: most likely a misspelt or missing typedef. */
    bool unknown = t->kind == TK_IDENT && !scc_is_typedef_name(p, 0) &&
                   (scc_peek(p, 1)->kind == TK_IDENT || scc_peek(p, 1)->punct == P_STAR);
    if (unknown) {
        scc_error(p->unit, p->pos, "unknown type name '%s'", t->name->text);
        scc_bail(p);
    }
    return scc_declaration(p);
}
