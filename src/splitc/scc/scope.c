/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Scopes: a name points to its innermost meaning, which remembers the one outside; leaving a scope puts
 * the outer ones back. */
#include "parse.h"

#include <string.h>

void scc_push_scope(struct scc_parser *p)
{
    struct scc_scope *s = scc_alloc(p->unit, sizeof *s);
    s->outer = p->scope;
    p->scope = s;
    p->depth++;
}

void scc_pop_scope(struct scc_parser *p)
{
    for (struct scc_symbol *s = p->scope->symbols; s != NULL; s = s->scope_next)
        s->name->symbol = s->outer;
    for (struct scc_symbol *s = p->scope->tags; s != NULL; s = s->scope_next)
        s->name->tag = s->outer;
    p->scope = p->scope->outer;
    p->depth--;
}

void scc_pop_to(struct scc_parser *p, uint16_t depth)
{
    while (p->depth > depth)
        scc_pop_scope(p);
}

static struct scc_symbol *new_symbol(struct scc_parser *p, struct scc_name *name, int kind, struct scc_type *type,
                                     uint32_t token)
{
    struct scc_symbol *s = scc_alloc(p->unit, sizeof *s);
    s->name = name;
    s->kind = (uint8_t)kind;
    s->type = type;
    s->token = token;
    s->depth = p->depth;
    s->system = p->unit->tokens[token].system;
    return s;
}

/* A second declaration of an object or function at one place is the same symbol: what completes its type
 * (array bounds, a prototype) is kept. */
static bool merge(struct scc_symbol *old, int kind, struct scc_type *type)
{
    if (old->kind == SY_BUILTIN || old->kind != kind || kind == SY_ENUMERATOR)
        return false;
    if (kind == SY_TYPEDEF) {
        old->type = type;
        return true;
    }
    bool worse =
        (type->kind == TY_ARRAY && type->incomplete && !type->spread) ||
        (type->kind == TY_FUNCTION && type->old_style && old->type->kind == TY_FUNCTION && !old->type->old_style);
    if (!worse)
        old->type = type;
    return true;
}

struct scc_symbol *scc_declare(struct scc_parser *p, struct scc_name *name, int kind, struct scc_type *type,
                               uint32_t token)
{
    struct scc_symbol *old = name->symbol;
    if (old != NULL && old->depth == p->depth && merge(old, kind, type))
        return old;
    struct scc_symbol *s = new_symbol(p, name, kind, type, token);
    s->outer = old;
    if (old != NULL && old->kind == SY_TYPEDEF)
        old->hidden = true;
    s->scope_next = p->scope->symbols;
    p->scope->symbols = s;
    name->symbol = s;
    return s;
}

struct scc_symbol *scc_declare_tag(struct scc_parser *p, struct scc_name *name, struct scc_type *type, uint32_t token)
{
    struct scc_symbol *s = new_symbol(p, name, SY_TAG, type, token);
    s->outer = name->tag;
    s->scope_next = p->scope->tags;
    p->scope->tags = s;
    name->tag = s;
    return s;
}

bool scc_is_typedef_name(struct scc_parser *p, uint32_t ahead)
{
    const struct scc_token *t = scc_peek(p, ahead);
    return t->kind == TK_IDENT && t->name->symbol != NULL && t->name->symbol->kind == SY_TYPEDEF;
}

struct scc_symbol *scc_lookup(struct scc_unit *unit, const char *name)
{
    struct scc_symbol *s = scc_intern(unit, name, strlen(name))->symbol;
    while (s != NULL && s->depth > 0)
        s = s->outer;
    return s;
}
