/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parser's ground: looking at tokens, building nodes, leaving after a syntax error and finding a
 * place to go on. */
#include "parse.h"
#include "arena.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct scc_token *scc_peek(struct scc_parser *p, uint32_t ahead)
{
    uint32_t at = p->pos + ahead, last = p->unit->token_count - 1;
    return &p->unit->tokens[at < last ? at : last];
}

bool scc_at(struct scc_parser *p, int punct)
{
    return p->unit->tokens[p->pos].punct == punct;
}

bool scc_at_keyword(struct scc_parser *p, int keyword)
{
    const struct scc_token *t = &p->unit->tokens[p->pos];
    return t->kind == TK_KEYWORD && t->name->keyword == keyword;
}

static void advance(struct scc_parser *p)
{
    if (p->pos + 1 < p->unit->token_count)
        p->pos++;
}

bool scc_accept(struct scc_parser *p, int punct)
{
    if (!scc_at(p, punct))
        return false;
    advance(p);
    return true;
}

bool scc_accept_keyword(struct scc_parser *p, int keyword)
{
    if (!scc_at_keyword(p, keyword))
        return false;
    advance(p);
    return true;
}

void scc_expect(struct scc_parser *p, int punct, const char *where)
{
    if (!scc_accept(p, punct))
        scc_syntax(p, "expected '%s' %s", scc_operator_text(punct), where);
}

void scc_bail(struct scc_parser *p)
{
    longjmp(p->recovery->jump, 1);
}

void scc_syntax(struct scc_parser *p, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const struct scc_token *t = scc_peek(p, 0);
    int shown = t->len > 40 ? 40 : (int)t->len;
    if (t->kind == TK_EOF)
        scc_error(p->unit, p->pos, "%s at the end of the file", text);
    else if (p->pos == 0)
        scc_error(p->unit, p->pos, "%s, not '%.*s'", text, shown, t->text);
    else
        scc_error(p->unit, p->pos, "%s before '%.*s'", text, shown, t->text);
    scc_bail(p);
}

void scc_enter(struct scc_parser *p)
{
    if (++p->nesting > SCC_MAX_NESTING)
        scc_syntax(p, "nested deeper than %d levels", SCC_MAX_NESTING);
}

void scc_leave(struct scc_parser *p)
{
    p->nesting--;
}

struct scc_node *scc_node(struct scc_parser *p, int kind)
{
    struct scc_node *n = scc_arena_alloc(p->unit->arena, sizeof *n);
    n->kind = (uint16_t)kind;
    n->first = p->pos;
    n->last = p->pos;
    return n;
}

struct scc_node *scc_add(struct scc_node *parent, struct scc_node *kid)
{
    if (parent->tail != NULL)
        parent->tail->next = kid;
    else
        parent->child = kid;
    parent->tail = kid;
    parent->splitc |= kid->splitc;
    return kid;
}

struct scc_node *scc_close(struct scc_parser *p, struct scc_node *node)
{
    node->last = p->pos - 1;
    if (p->pos == 0) { /* empty, before the first token */
        node->first = 1;
        node->last = 0;
    }
    return node;
}

struct scc_node *scc_none(struct scc_parser *p)
{
    struct scc_node *n = scc_node(p, N_NONE);
    n->last = n->first - 1;
    if (n->first == 0)
        n->first = 1, n->last = 0;
    return n;
}

static int bracket(const struct scc_token *t)
{
    switch (t->punct) {
    case P_LPAREN:
    case P_LBRACE:
    case P_LBRACKET:
        return 1;
    case P_RPAREN:
    case P_RBRACE:
    case P_RBRACKET:
        return -1;
    default:
        return 0;
    }
}

void scc_skip_balanced(struct scc_parser *p)
{
    int level = 0;
    do {
        if (scc_peek(p, 0)->kind == TK_EOF)
            scc_syntax(p, "expected a closing bracket");
        level += bracket(scc_peek(p, 0));
        advance(p);
    } while (level > 0);
}

/* After an error: past the next `;` on this level, or up to the `}` that ends it. At file scope a
 * function's body counts as one thing. */
void scc_resync(struct scc_parser *p, bool file_scope)
{
    int level = 0;
    for (;; advance(p)) {
        const struct scc_token *t = scc_peek(p, 0);
        if (t->kind == TK_EOF)
            return;
        if (t->punct == P_LBRACE)
            level++;
        if (t->punct == P_RBRACE) {
            if (level == 0 && !file_scope)
                return;
            level -= level > 0;
            if (level == 0) {
                advance(p);
                return;
            }
        }
        if (t->punct == P_SEMICOLON && level == 0) {
            advance(p);
            return;
        }
    }
}

static void parse_unit(struct scc_parser *p)
{
    struct scc_node *root = scc_node(p, N_UNIT);
    struct scc_recovery here = {0};
    p->recovery = &here;
    while (scc_peek(p, 0)->kind != TK_EOF && !p->unit->stop) {
        uint32_t before = p->pos;
        if (setjmp(here.jump) == 0) {
            struct scc_node *item = scc_external(p);
            scc_add(root, item);
            continue;
        }
        p->recovery = &here;
        p->nesting = p->no_join = 0;
        p->function = NULL;
        scc_pop_to(p, 0);
        scc_resync(p, true);
        if (p->pos <= before && scc_peek(p, 0)->kind != TK_EOF)
            p->pos = before + 1;
    }
    root->first = 0;
    root->last = p->unit->token_count - 1;
    p->unit->root = root;
}

struct scc_unit *scc_parse(const char *text, size_t len, const char *name, const char *target, FILE *diagnostics)
{
    struct scc_arena *arena = scc_arena_new();
    struct scc_unit *unit = scc_arena_alloc(arena, sizeof *unit);
    struct scc_parser *p = scc_arena_alloc(arena, sizeof *p);
    *unit = (struct scc_unit){.text = text, .len = len, .arena = arena, .parser = p, .diagnostics = diagnostics};
    p->unit = unit;
    p->arm = strcmp(target, "aarch64") == 0;
    scc_intern_keywords(unit);
    p->n_global = scc_intern(unit, "global", 6);
    p->n_spread = scc_intern(unit, "spread", 6);
    p->n_global2 = scc_intern(unit, "__global", 8);
    p->n_spread2 = scc_intern(unit, "__spread", 8);
    p->n_splitc_main = scc_intern(unit, "splitc_main", 11);
    scc_lex(unit, name);
    scc_init_types(p);
    p->scope = scc_arena_alloc(arena, sizeof *p->scope);
    scc_builtins(p);
    parse_unit(p);
    return unit;
}

void scc_free(struct scc_unit *unit)
{
    free(unit->tokens);
    scc_arena_free(unit->arena);
}
