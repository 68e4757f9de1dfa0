/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Initialisers (C17 6.7.9): which part each value initialises, with and without its braces, and the length of an
 * array that has none. */
#include "parse.h"

enum { LEVELS = 64 };

/* Where the next value goes: level 0 is what the braces initialise, the others are parts of it whose own braces were
 * left out, or which a designator chose. */
struct level {
    struct scc_type *type;
    struct scc_member *member; /* of a record; NULL: past its end */
    uint64_t index;            /* of an array or vector */
};

struct cursor {
    struct level level[LEVELS];
    int top;
    uint64_t largest; /* elements of level 0 */
};

static bool is_row(const struct scc_type *t)
{
    return t->kind == TY_ARRAY || t->kind == TY_VECTOR;
}

static struct scc_member *named(struct scc_member *m)
{
    while (m != NULL && m->name == NULL && m->bits >= 0)
        m = m->next;
    return m;
}

static struct level begin(struct scc_type *t)
{
    return (struct level){.type = t, .member = scc_is_record(t) ? named(t->record->members) : NULL};
}

static struct scc_type *current(struct scc_parser *p, const struct cursor *c)
{
    const struct level *l = &c->level[c->top];
    if (is_row(l->type))
        return l->type->base;
    if (scc_is_record(l->type))
        return l->member ? l->member->type : p->basic[TY_ERROR];
    return l->type;
}

static bool go_into(struct scc_parser *p, struct cursor *c)
{
    struct scc_type *t = current(p, c);
    bool parts = is_row(t) ? t->count > 0 : scc_is_record(t) && named(t->record->members) != NULL;
    if (!parts || c->top + 1 == LEVELS)
        return false;
    c->level[++c->top] = begin(t);
    return true;
}

/* The level's member of that name, through anonymous members. */
static void choose_member(struct scc_parser *p, struct cursor *c, const struct scc_name *name)
{
    struct level *l = &c->level[c->top];
    struct scc_member *m = scc_is_record(l->type) ? l->type->record->members : NULL;
    for (; m != NULL; m = m->next) {
        bool inside = m->name == NULL && m->bits < 0 && scc_find_member(m->type, name, NULL) != NULL;
        if (m->name != name && !inside)
            continue;
        l->member = m;
        if (inside && go_into(p, c))
            choose_member(p, c, name);
        return;
    }
    l->member = NULL;
}

static void index_designator(struct scc_parser *p, struct scc_node *item, struct cursor *c)
{
    p->pos++;
    struct scc_node *index = scc_add(item, scc_conditional(p));
    index->op = 1;
    if (scc_accept(p, P_ELLIPSIS))
        index = scc_add(item, scc_conditional(p));
    scc_expect(p, P_RBRACKET, "after a designator");
    if (index->constant)
        c->level[c->top].index = (uint64_t)index->value;
}

static void designators(struct scc_parser *p, struct scc_node *item, struct cursor *c)
{
    for (bool first = true; scc_at(p, P_LBRACKET) || scc_at(p, P_DOT); first = false) {
        if (first)
            c->top = 0;
        else if (!go_into(p, c))
            scc_syntax(p, "a designator of what has no parts");
        if (scc_at(p, P_LBRACKET)) {
            index_designator(p, item, c);
            continue;
        }
        p->pos++;
        if (scc_peek(p, 0)->name == NULL)
            scc_syntax(p, "expected a member's name");
        if (is_row(c->level[c->top].type))
            scc_syntax(p, "a member's name in the initialiser of an array");
        choose_member(p, c, scc_peek(p, 0)->name);
        p->pos++;
    }
}

/* An expression initialises a part of its own type, or a string an array of characters; else the braces of an
 * aggregate were left out. */
static bool fills(const struct scc_node *value, const struct scc_type *t)
{
    while (value->kind == X_PAREN || value->kind == X_EXTENSION)
        value = value->child;
    if (t->kind == TY_ARRAY && value->kind == X_STRING && scc_is_integer(t->base))
        return true;
    return (!is_row(t) && !scc_is_record(t)) || scc_same_type(value->type, t);
}

static void step(struct cursor *c)
{
    if (c->level[0].index + 1 > c->largest)
        c->largest = c->level[0].index + 1;
    for (;; c->top--) {
        struct level *l = &c->level[c->top];
        l->index++;
        l->member = l->member && l->type->kind == TY_STRUCT ? named(l->member->next) : NULL;
        if (c->top == 0 || (is_row(l->type) ? l->index < l->type->count : l->member != NULL))
            return;
    }
}

static struct scc_node *item(struct scc_parser *p, struct cursor *c)
{
    struct scc_node *n = scc_node(p, N_INIT_ITEM);
    const struct scc_token *t = scc_peek(p, 0);
    if (t->kind == TK_IDENT && scc_peek(p, 1)->punct == P_COLON) { /* GNU: `member: value` */
        c->top = 0;
        choose_member(p, c, t->name);
        p->pos += 2;
    } else if (scc_at(p, P_LBRACKET) || scc_at(p, P_DOT)) {
        designators(p, n, c);
        scc_accept(p, P_ASSIGN); /* GNU: `[3] value` */
    }
    bool braces = scc_at(p, P_LBRACE);
    struct scc_type *type = current(p, c);
    struct scc_node *value = scc_add(n, scc_initializer(p, &type));
    while (!braces && !fills(value, current(p, c)) && go_into(p, c))
        ;
    n->type = braces ? type : current(p, c);
    n->splitc |= scc_involves_splitc(n->type);
    step(c);
    return scc_close(p, n);
}

struct scc_node *scc_init_list(struct scc_parser *p, struct scc_type **type)
{
    struct scc_node *n = scc_node(p, N_INIT_LIST);
    struct cursor c = {.level = {begin(*type)}};
    int saved = p->no_join;
    p->no_join = 0;
    scc_enter(p);
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
