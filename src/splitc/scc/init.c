/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Initialisers (C17 6.7.9). Their values are typed; the one thing needed from the aggregate rules is the
 * length of an array that has none. */
#include "parse.h"

struct cursor {
    struct scc_type *type;
    struct scc_member *member; /* of a record: the next one */
    uint64_t index, largest;
    uint64_t scalars; /* leaves filled without braces in the element at `index` */
};

static void designators(struct scc_parser *p, struct scc_node *item, struct cursor *c)
{
    bool first = true;
    struct scc_type *at = c->type;
    while (scc_at(p, P_LBRACKET) || scc_at(p, P_DOT)) {
        if (scc_accept(p, P_DOT)) {
            const struct scc_token *t = scc_peek(p, 0);
            if (t->name == NULL)
                scc_syntax(p, "expected a member's name");
            struct scc_member *m = scc_find_member(at, t->name, NULL);
            if (first)
                c->member = m;
            at = m ? m->type : p->basic[TY_ERROR];
            p->pos++;
        } else {
            p->pos++;
            struct scc_node *index = scc_add(item, scc_conditional(p));
            index->op = 1;
            if (scc_accept(p, P_ELLIPSIS))
                index = scc_add(item, scc_conditional(p));
            scc_expect(p, P_RBRACKET, "after a designator");
            if (first && index->constant)
                c->index = (uint64_t)index->value;
            at = at->kind == TY_ARRAY ? at->base : p->basic[TY_ERROR];
        }
        first = false;
    }
    if (!first) {
        c->scalars = 0;
        scc_accept(p, P_ASSIGN); /* GNU: `[3] value` */
    }
    item->type = first ? NULL : at;
}

static uint64_t leaves(const struct scc_type *t)
{
    uint64_t n = 0;
    if (t->kind == TY_ARRAY)
        return __builtin_mul_overflow(leaves(t->base), t->count, &n) ? 1 : n;
    if (t->kind != TY_STRUCT)
        return 1;
    for (struct scc_member *m = t->record->members; m != NULL; m = m->next)
        n += m->name != NULL || m->bits < 0 ? leaves(m->type) : 0;
    return n ? n : 1;
}

/* Step past one value: a braced one or one of the element's own type fills the element, another only one
 * leaf of it. */
static void step(struct cursor *c, const struct scc_node *value)
{
    uint64_t need = c->type->kind == TY_ARRAY ? leaves(c->type->base) : 1;
    bool aggregate = value->kind != N_INIT_LIST && c->type->kind == TY_ARRAY &&
                     (c->type->base->kind == TY_ARRAY || scc_is_record(c->type->base));
    bool whole = !aggregate || scc_same_type(value->type, c->type->base) ||
                 (value->kind == X_STRING && c->type->base->kind == TY_ARRAY && scc_is_integer(c->type->base->base));
    if (c->index + 1 > c->largest)
        c->largest = c->index + 1;
    c->scalars = whole ? need : c->scalars + 1;
    if (c->scalars >= need) {
        c->index++;
        c->scalars = 0;
    }
    if (c->member != NULL)
        c->member = c->member->next;
}

static struct scc_type *element(struct scc_parser *p, const struct cursor *c)
{
    if (c->type->kind == TY_ARRAY || c->type->kind == TY_VECTOR)
        return c->type->base;
    return c->member ? c->member->type : scc_is_record(c->type) ? p->basic[TY_ERROR] : c->type;
}

static struct scc_node *item(struct scc_parser *p, struct cursor *c)
{
    struct scc_node *n = scc_node(p, N_INIT_ITEM);
    const struct scc_token *t = scc_peek(p, 0);
    if (t->kind == TK_IDENT && scc_peek(p, 1)->punct == P_COLON) { /* GNU: `member: value` */
        c->member = scc_find_member(c->type, t->name, NULL);
        p->pos += 2;
    } else {
        designators(p, n, c);
    }
    struct scc_type *type = n->type ? n->type : element(p, c);
    struct scc_node *value = scc_add(n, scc_initializer(p, &type));
    n->type = type;
    n->splitc |= scc_involves_splitc(type);
    step(c, value);
    return scc_close(p, n);
}

struct scc_node *scc_init_list(struct scc_parser *p, struct scc_type **type)
{
    struct scc_node *n = scc_node(p, N_INIT_LIST);
    struct cursor c = {.type = *type};
    int saved = p->no_join;
    p->no_join = 0;
    scc_enter(p);
    if (scc_is_record(*type))
        c.member = (*type)->record->members;
    scc_expect(p, P_LBRACE, "here");
    while (!scc_accept(p, P_RBRACE)) {
        scc_add(n, item(p, &c));
        if (!scc_accept(p, P_COMMA) && !scc_at(p, P_RBRACE))
            scc_syntax(p, "expected ',' or '}' in an initialiser");
    }
    if ((*type)->kind == TY_ARRAY && (*type)->incomplete) {
        struct scc_node *only = n->child && !n->child->next ? n->child->tail : NULL;
        bool text = only && only->kind == X_STRING && scc_is_integer((*type)->base);
        uint64_t count = text ? only->type->count : c.largest;
        struct scc_type *full = scc_array_of(p->unit, (*type)->base, count);
        *type = full;
    }
    n->type = *type;
    scc_leave(p);
    p->no_join = saved;
    return scc_close(p, n);
}

struct scc_node *scc_initializer(struct scc_parser *p, struct scc_type **type)
{
    if (scc_at(p, P_LBRACE))
        return scc_init_list(p, type);
    struct scc_node *value = scc_assignment(p);
    const struct scc_node *text = value;
    while (text->kind == X_PAREN || text->kind == X_EXTENSION)
        text = text->child;
    if ((*type)->kind == TY_ARRAY && (*type)->incomplete && text->type->kind == TY_ARRAY)
        *type = scc_array_of(p->unit, (*type)->base, text->type->count);
    return value;
}
