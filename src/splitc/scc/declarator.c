/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Declarators (C17 6.7.6) and Split-C's additions to them: `*global`, `*spread` and `[n]::[q]`. A
 * declarator is read into a list of changes to the base type, since it is written inside out. */
#include "parse.h"

enum { MOD_POINTER, MOD_ARRAY, MOD_FUNCTION };

struct mod {
    struct mod *next; /* applied after this one */
    int kind, quals, pointer;
    bool spread, incomplete, star;
    struct scc_node *dim;
    struct scc_type *function; /* result still open */
};

struct reader {
    struct scc_parser *p;
    struct scc_node *node;
    int mode;
    struct scc_name *name;
    uint32_t name_token;
    struct scc_node *params;
    struct scc_attributes attributes;
};

static struct mod *read_declarator(struct reader *r);

/* Where a name must come, does one follow the word, or is the word the name itself? */
static bool is_name(struct scc_parser *p)
{
    switch (scc_peek(p, 1)->punct) {
    case P_COMMA:
    case P_RPAREN:
    case P_COLON:
        return true;
    case P_LPAREN:
        return scc_peek(p, 2)->punct == P_RPAREN || scc_at_type(p, 2);
    default:
        return false;
    }
}

static int pointer_word(struct reader *r)
{
    struct scc_parser *p = r->p;
    const struct scc_token *t = scc_peek(p, 0);
    if (t->kind != TK_IDENT)
        return PK_LOCAL;
    int kind = t->name == p->n_global || t->name == p->n_global2   ? PK_GLOBAL
               : t->name == p->n_spread || t->name == p->n_spread2 ? PK_SPREAD
                                                                   : PK_LOCAL;
    bool ordinary = t->name == p->n_global || t->name == p->n_spread;
    int after = scc_peek(p, 1)->punct;
    if (ordinary && r->mode == DECL_NAMED && is_name(p))
        return PK_LOCAL;
    if (ordinary && (t->system || after == P_SEMICOLON || after == P_ASSIGN || after == P_LBRACKET))
        return PK_LOCAL; /* a name */
    return kind;
}

static void pointer_qualifiers(struct reader *r, struct mod *m)
{
    struct scc_parser *p = r->p;
    for (;; p->pos++) {
        if (scc_at_attribute(p)) {
            scc_attribute_list(p, r->node, &r->attributes);
            p->pos--;
            continue;
        }
        int kind = pointer_word(r);
        if (kind != PK_LOCAL && m->pointer != PK_LOCAL && is_name(p))
            return;
        if (kind != PK_LOCAL && m->pointer != PK_LOCAL)
            scc_syntax(p, "a pointer is either global or spread, once");
        if (kind != PK_LOCAL)
            m->pointer = kind;
        else if (scc_at_keyword(p, KW_CONST))
            m->quals |= Q_CONST;
        else if (scc_at_keyword(p, KW_VOLATILE))
            m->quals |= Q_VOLATILE;
        else if (scc_at_keyword(p, KW_RESTRICT))
            m->quals |= Q_RESTRICT;
        else if (scc_at_keyword(p, KW_ATOMIC))
            m->quals |= Q_ATOMIC;
        else
            return;
    }
}

static bool nested(struct reader *r)
{
    struct scc_parser *p = r->p;
    if (!scc_at(p, P_LPAREN))
        return false;
    const struct scc_token *t = scc_peek(p, 1);
    if (t->punct == P_STAR || t->punct == P_LPAREN || t->punct == P_LBRACKET || t->punct == P_XOR)
        return true;
    if (t->kind == TK_KEYWORD && t->name->keyword == KW_ATTRIBUTE)
        return true;
    return (r->mode & DECL_NAMED) && t->kind == TK_IDENT && (!scc_is_typedef_name(p, 1) || !(r->mode & DECL_ABSTRACT));
}

static struct mod *array_suffix(struct reader *r)
{
    struct scc_parser *p = r->p;
    struct mod *m = scc_alloc(p->unit, sizeof *m);
    m->kind = MOD_ARRAY;
    scc_expect(p, P_LBRACKET, "here");
    for (;; p->pos++) { /* parameters: static and qualifiers */
        if (scc_at_keyword(p, KW_CONST) || scc_at_keyword(p, KW_VOLATILE) || scc_at_keyword(p, KW_RESTRICT))
            continue;
        if (!scc_at_keyword(p, KW_STATIC))
            break;
    }
    if (scc_at(p, P_RBRACKET)) {
        m->incomplete = true;
    } else if (scc_at(p, P_STAR) && scc_peek(p, 1)->punct == P_RBRACKET) {
        m->star = true;
        p->pos++;
    } else {
        int saved = p->no_join;
        p->no_join = 0;
        m->dim = scc_node(p, N_DIM);
        scc_add(m->dim, scc_assignment(p));
        scc_add(r->node, scc_close(p, m->dim));
        p->no_join = saved;
    }
    scc_expect(p, P_RBRACKET, "after an array's size");
    return m;
}

static struct scc_type *parameter_type(struct scc_parser *p, struct scc_type *t)
{
    if (scc_is_spread_array(t))
        return scc_pointer_to(p->unit, scc_block_type(t), PK_SPREAD);
    if (t->kind == TY_ARRAY)
        return scc_pointer_to(p->unit, t->base, PK_LOCAL);
    if (t->kind == TY_FUNCTION)
        return scc_pointer_to(p->unit, t, PK_LOCAL);
    return t;
}

static void parameter(struct reader *r, struct scc_param ***tail)
{
    struct scc_parser *p = r->p;
    struct scc_node *n = scc_node(p, N_PARAM);
    struct scc_specs specs = scc_specifiers(p, true);
    if (specs.implicit && specs.node->last < specs.node->first)
        scc_syntax(p, "expected a parameter");
    scc_add(n, specs.node);
    struct scc_declared d = scc_declarator(p, specs.type, DECL_NAMED | DECL_ABSTRACT);
    scc_attribute_list(p, d.node, &specs.attributes);
    d.type = scc_apply_attributes(p, d.type, &specs.attributes);
    if (d.node->child != NULL)
        scc_close(p, d.node);
    scc_add(n, d.node);
    n->type = d.node->type = d.type;
    struct scc_param *param = scc_alloc(p->unit, sizeof *param);
    param->type = parameter_type(p, d.type);
    if (d.name != NULL) {
        struct scc_type *own = scc_is_spread_array(d.type) ? d.type : param->type;
        n->symbol = d.node->symbol = param->symbol = scc_declare(p, d.name, SY_PARAM, own, d.name_token);
        param->symbol->node = n;
    }
    n->splitc |= scc_involves_splitc(d.type);
    scc_add(r->node, scc_close(p, n));
    if (r->params == NULL)
        r->params = n;
    **tail = param;
    *tail = &param->next;
}

/* K&R: names only. Their types come after the `)`. */
static void identifiers(struct reader *r, struct scc_param ***tail)
{
    struct scc_parser *p = r->p;
    do {
        const struct scc_token *t = scc_peek(p, 0);
        if (t->kind != TK_IDENT)
            scc_syntax(p, "expected a parameter's name");
        struct scc_node *n = scc_node(p, N_PARAM);
        struct scc_param *param = scc_alloc(p->unit, sizeof *param);
        param->type = n->type = p->basic[TY_INT];
        n->symbol = param->symbol = scc_declare(p, t->name, SY_PARAM, param->type, p->pos);
        param->symbol->node = n;
        p->pos++;
        scc_add(r->node, scc_close(p, n));
        if (r->params == NULL)
            r->params = n;
        **tail = param;
        *tail = &param->next;
    } while (scc_accept(p, P_COMMA));
}

static struct mod *function_suffix(struct reader *r)
{
    struct scc_parser *p = r->p;
    struct mod *m = scc_alloc(p->unit, sizeof *m);
    m->kind = MOD_FUNCTION;
    m->function = scc_function_returning(p->unit, p->basic[TY_INT]);
    scc_expect(p, P_LPAREN, "here");
    r->params = NULL;
    struct scc_param **tail = &m->function->params;
    scc_push_scope(p);
    bool only_void = scc_at_keyword(p, KW_VOID) && scc_peek(p, 1)->punct == P_RPAREN;
    if (scc_at(p, P_RPAREN)) {
        m->function->old_style = true;
    } else if (only_void) {
        p->pos++;
    } else if (scc_peek(p, 0)->kind == TK_IDENT && !scc_is_typedef_name(p, 0)) {
        m->function->old_style = true;
        identifiers(r, &tail);
    } else {
        do {
            if (scc_accept(p, P_ELLIPSIS)) {
                m->function->variadic = true;
                break;
            }
            parameter(r, &tail);
        } while (scc_accept(p, P_COMMA));
    }
    scc_pop_scope(p);
    scc_expect(p, P_RPAREN, "after the parameters");
    return m;
}

/* The suffixes of one level, last first (that is the order they apply in). */
static struct mod *suffixes(struct reader *r)
{
    struct scc_parser *p = r->p;
    struct mod *list = NULL;
    bool spread_seen = false;
    for (int count = 0;; count++) {
        struct mod *m = NULL;
        if (count > SCC_MAX_NESTING)
            scc_syntax(p, "more than %d dimensions", SCC_MAX_NESTING);
        if (scc_at(p, P_LBRACKET)) {
            m = array_suffix(r);
        } else if (scc_at(p, P_LPAREN)) {
            m = function_suffix(r);
        } else if (scc_at(p, P_COLON) && scc_peek(p, 1)->punct == P_COLON && list != NULL && !spread_seen) {
            for (m = list; m != NULL; m = m->next) {
                if (m->kind != MOD_ARRAY)
                    scc_syntax(p, "'::' follows the spread dimensions of an array");
                m->spread = true;
                if (m->dim != NULL)
                    m->dim->op = 1;
            }
            p->pos += 2;
            r->node->splitc = spread_seen = true;
            continue;
        } else {
            return list;
        }
        m->next = list;
        list = m;
    }
}

static struct mod *join(struct mod *first, struct mod *then)
{
    if (first == NULL)
        return then;
    struct mod *at = first;
    while (at->next != NULL)
        at = at->next;
    at->next = then;
    return first;
}

static bool at_name(struct scc_parser *p)
{
    const struct scc_token *t = scc_peek(p, 0);
    return t->kind == TK_IDENT ||
           (t->kind == TK_KEYWORD && t->name->keyword >= KW_FLOAT16 && t->name->keyword <= KW_FLOAT64X);
}

static struct mod *read_declarator(struct reader *r)
{
    struct scc_parser *p = r->p;
    struct mod *pointers = NULL, *inner = NULL;
    scc_enter(p);
    scc_attribute_list(p, r->node, &r->attributes);
    for (int count = 0; scc_at(p, P_STAR) || scc_at(p, P_XOR); count++) {
        if (count > SCC_MAX_NESTING)
            scc_syntax(p, "more than %d levels of pointers", SCC_MAX_NESTING);
        if (scc_at(p, P_XOR))
            scc_syntax(p, "blocks ('^') are not supported");
        struct mod *m = scc_alloc(p->unit, sizeof *m);
        p->pos++;
        pointer_qualifiers(r, m);
        pointers = join(pointers, m);
    }
    if (nested(r)) {
        p->pos++;
        inner = read_declarator(r);
        scc_expect(p, P_RPAREN, "in a declarator");
    } else if (at_name(p) && (r->mode & DECL_NAMED)) {
        r->name = scc_peek(p, 0)->name;
        r->name_token = p->pos++;
    } else if (!(r->mode & DECL_ABSTRACT)) {
        scc_syntax(p, "expected a name");
    }
    struct scc_node *inner_params = r->params;
    struct mod *after = suffixes(r);
    if (inner != NULL && inner_params != NULL)
        r->params = inner_params;
    scc_leave(p);
    return join(join(pointers, after), inner);
}

static struct scc_type *array(struct reader *r, struct scc_type *base, const struct mod *m)
{
    struct scc_parser *p = r->p;
    struct scc_node *size = m->dim ? m->dim->child : NULL;
    bool known = size != NULL && size->constant;
    if (base->kind == TY_FUNCTION || base->kind == TY_VOID)
        scc_error(p->unit, r->node->first, "an array of %s", scc_type_name(p->unit, base));
    if (known && size->value < 0)
        scc_error(p->unit, m->dim->first, "an array's size is negative");
    struct scc_type *t = scc_array_of(p->unit, base, known && size->value >= 0 ? (uint64_t)size->value : 0);
    t->vla = (size != NULL && !known) || m->star;
    t->incomplete = m->incomplete;
    t->spread = m->spread;
    t->dim = size;
    t->variable |= t->vla;
    return t;
}

static struct scc_type *apply(struct reader *r, struct scc_type *type, const struct mod *m)
{
    struct scc_parser *p = r->p;
    for (; m != NULL; m = m->next) {
        if (m->kind == MOD_POINTER) {
            if (scc_is_spread_array(type))
                scc_error(p->unit, r->node->first, "a pointer to a spread array; use a spread pointer to its block");
            type = scc_pointer_to(p->unit, type, m->pointer);
            type = scc_qualified(p->unit, type, m->quals);
        } else if (m->kind == MOD_ARRAY) {
            if (scc_is_spread_array(type) && !m->spread)
                scc_error(p->unit, r->node->first, "an array of spread arrays");
            type = array(r, type, m);
        } else {
            if (type->kind == TY_ARRAY || type->kind == TY_FUNCTION)
                scc_error(p->unit, r->node->first, "a function cannot return %s", scc_type_name(p->unit, type));
            m->function->base = type;
            type = m->function;
        }
    }
    return type;
}

struct scc_declared scc_declarator(struct scc_parser *p, struct scc_type *base, int mode)
{
    struct reader r = {.p = p, .node = scc_node(p, N_DECLARATOR), .mode = mode};
    struct mod *mods = read_declarator(&r);
    struct scc_type *type = apply(&r, base, mods);
    type = scc_apply_attributes(p, type, &r.attributes);
    scc_close(p, r.node);
    r.node->type = type;
    r.node->name = r.name;
    r.node->splitc |= scc_involves_splitc(type);
    struct mod *last = mods;
    while (last != NULL && last->next != NULL)
        last = last->next;
    bool function = last != NULL && last->kind == MOD_FUNCTION;
    return (struct scc_declared){.node = r.node,
                                 .type = type,
                                 .name = r.name,
                                 .name_token = r.name_token,
                                 .params = r.params,
                                 .function = function ? type : NULL};
}

struct scc_node *scc_type_name_node(struct scc_parser *p)
{
    struct scc_node *n = scc_node(p, N_TYPENAME);
    struct scc_specs specs = scc_specifiers(p, false);
    scc_add(n, specs.node);
    struct scc_declared d = scc_declarator(p, specs.type, DECL_ABSTRACT);
    d.type = scc_apply_attributes(p, d.type, &specs.attributes);
    scc_add(n, d.node);
    n->type = d.node->type = d.type;
    n->splitc |= scc_involves_splitc(d.type);
    return scc_close(p, n);
}
