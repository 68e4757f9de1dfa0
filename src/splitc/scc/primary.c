/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Primary and postfix expressions (C17 6.5.1, 6.5.2) and the forms of GNU C that look like calls. */
#include "parse.h"

static struct scc_node *finish(struct scc_parser *p, struct scc_node *n)
{
    scc_close(p, n);
    scc_type_expression(p, n);
    return n;
}

static struct scc_node *in_parentheses(struct scc_parser *p)
{
    struct scc_node *n = scc_node(p, X_PAREN);
    int saved = p->no_join;
    p->no_join = 0;
    scc_expect(p, P_LPAREN, "here");
    if (scc_at(p, P_LBRACE)) {
        if (p->function == NULL)
            scc_syntax(p, "a statement expression outside a function");
        n->kind = X_STATEMENT;
        scc_add(n, scc_compound(p, true));
    } else {
        scc_add(n, scc_expression(p));
    }
    scc_expect(p, P_RPAREN, "here");
    p->no_join = saved;
    return finish(p, n);
}

static struct scc_node *identifier(struct scc_parser *p)
{
    struct scc_node *n = scc_node(p, X_IDENT);
    struct scc_token *t = scc_peek(p, 0);
    struct scc_name *name = t->name;
    uint32_t token = p->pos++;
    n->symbol = name->symbol ? name->symbol : scc_builtin(p, name, token);
    if (n->symbol == NULL && scc_at(p, P_LPAREN) && scc_operation_of(name) == SC_NONE) {
        struct scc_type *type = scc_function_returning(p->unit, p->basic[TY_INT]); /* C89: implicit declaration */
        type->old_style = true;
        n->symbol = scc_declare(p, name, SY_FUNCTION, type, token);
        n->symbol->implicit = true;
    }
    n->name = NULL;
    if (n->symbol == NULL && !scc_at(p, P_LPAREN)) {
        scc_error(p->unit, token, "'%s' is not declared", name->text);
        n->symbol = scc_declare(p, name, SY_VARIABLE, p->basic[TY_ERROR], token); /* say it once */
    }
    return finish(p, n);
}

struct scc_node *scc_primary(struct scc_parser *p)
{
    const struct scc_token *t = scc_peek(p, 0);
    if (t->punct == P_LPAREN)
        return in_parentheses(p);
    if (t->kind == TK_IDENT)
        return identifier(p);
    struct scc_node *n = scc_node(p, X_NUMBER);
    if (t->kind == TK_NUMBER) {
        p->pos++;
        if (!scc_number(p, n))
            scc_error(p->unit, n->first, "'%.*s' is not a number", (int)(t->len > 40 ? 40 : t->len), t->text);
        return scc_close(p, n);
    }
    if (t->kind == TK_CHAR) {
        n->kind = X_CHAR;
        p->pos++;
        scc_char_value(p, n);
        return scc_close(p, n);
    }
    if (t->kind == TK_STRING) {
        n->kind = X_STRING;
        while (scc_peek(p, 0)->kind == TK_STRING)
            p->pos++;
        return finish(p, n);
    }
    if (t->kind == TK_KEYWORD && t->name->keyword == KW_FUNCTION_NAME) {
        n->kind = X_STRING;
        p->pos++;
        return finish(p, n);
    }
    if (t->kind == TK_KEYWORD && t->name->keyword == KW_GENERIC)
        return scc_generic(p);
    if (t->kind == TK_KEYWORD && t->name->keyword >= KW_VA_ARG && t->name->keyword <= KW_HAS_ATTRIBUTE)
        return scc_builtin_form(p);
    scc_syntax(p, "expected an expression");
}

/* _Generic: the chosen value is parsed for its type, the others are parsed too (they may hold anything
 * legal) but are no children: cc chooses again among the printed tokens. */
struct scc_node *scc_generic(struct scc_parser *p)
{
    struct scc_node *n = scc_node(p, X_GENERIC), *chosen = NULL, *fallback = NULL;
    int saved = p->no_join;
    p->no_join = 0;
    p->pos++;
    scc_expect(p, P_LPAREN, "after _Generic");
    struct scc_node *control = scc_add(n, scc_assignment(p));
    const struct scc_type *type = scc_value_type(p->unit, control);
    while (scc_accept(p, P_COMMA)) {
        bool is_default = scc_accept_keyword(p, KW_DEFAULT);
        struct scc_node *name = is_default ? NULL : scc_type_name_node(p);
        scc_expect(p, P_COLON, "in _Generic");
        struct scc_node *value = scc_assignment(p);
        n->splitc |= value->splitc || (name != NULL && name->splitc);
        bool match = name != NULL && name->type->quals == type->quals && type->kind != TY_ERROR &&
                     scc_same_type(name->type, type);
        if (is_default)
            fallback = value;
        else if (match && chosen == NULL)
            chosen = value;
    }
    scc_expect(p, P_RPAREN, "at the end of _Generic");
    p->no_join = saved;
    if (chosen == NULL)
        chosen = fallback;
    if (chosen != NULL)
        scc_add(n, chosen);
    return finish(p, n);
}

static void offsetof_path(struct scc_parser *p, struct scc_node *n)
{
    while (!scc_at(p, P_RPAREN)) {
        if (scc_accept(p, P_LBRACKET)) {
            scc_add(n, scc_expression(p));
            scc_expect(p, P_RBRACKET, "in offsetof");
        } else if (scc_peek(p, 0)->kind == TK_IDENT || scc_at(p, P_DOT) || scc_at(p, P_ARROW)) {
            p->pos++;
        } else {
            scc_syntax(p, "expected a member in offsetof");
        }
    }
}

struct scc_node *scc_builtin_form(struct scc_parser *p)
{
    struct scc_node *n = scc_node(p, X_BUILTIN);
    int saved = p->no_join;
    p->no_join = 0;
    n->op = scc_peek(p, 0)->name->keyword;
    p->pos++;
    scc_expect(p, P_LPAREN, "after a builtin");
    do {
        if (n->op == KW_OFFSETOF && n->child != NULL)
            offsetof_path(p, n);
        else if (scc_at_type(p, 0))
            scc_add(n, scc_type_name_node(p));
        else
            scc_add(n, scc_assignment(p));
    } while (scc_accept(p, P_COMMA));
    scc_expect(p, P_RPAREN, "at the end of a builtin");
    p->no_join = saved;
    return finish(p, n);
}

static void arguments(struct scc_parser *p, struct scc_node *n)
{
    int saved = p->no_join;
    p->no_join = 0;
    p->pos++;
    while (!scc_at(p, P_RPAREN)) {
        scc_add(n, scc_assignment(p));
        if (!scc_accept(p, P_COMMA))
            break;
    }
    scc_expect(p, P_RPAREN, "after the arguments");
    p->no_join = saved;
}

static struct scc_node *call(struct scc_parser *p, struct scc_node *function)
{
    struct scc_node *n = scc_node(p, X_CALL);
    n->first = function->first;
    const struct scc_name *name = p->unit->tokens[function->first].name;
    if (function->kind == X_IDENT && function->symbol == NULL) {
        n->kind = X_SC_CALL;
        n->op = (uint16_t)scc_operation_of(name);
    } else {
        scc_add(n, function);
    }
    arguments(p, n);
    return finish(p, n);
}

static struct scc_node *subscript(struct scc_parser *p, struct scc_node *base)
{
    struct scc_node *n = scc_node(p, X_SUBSCRIPT);
    int saved = p->no_join;
    p->no_join = 0;
    n->first = base->first;
    scc_add(n, base);
    p->pos++;
    scc_add(n, scc_expression(p));
    scc_expect(p, P_RBRACKET, "after a subscript");
    p->no_join = saved;
    return finish(p, n);
}

static struct scc_node *member(struct scc_parser *p, struct scc_node *of)
{
    struct scc_node *n = scc_node(p, scc_at(p, P_DOT) ? X_MEMBER : X_ARROW);
    n->first = of->first;
    scc_add(n, of);
    p->pos++;
    if (scc_peek(p, 0)->name == NULL)
        scc_syntax(p, "expected a member's name");
    n->name = scc_peek(p, 0)->name;
    p->pos++;
    return finish(p, n);
}

struct scc_node *scc_postfix_of(struct scc_parser *p, struct scc_node *n)
{
    for (;;) {
        switch (scc_peek(p, 0)->punct) {
        case P_LBRACKET:
            n = subscript(p, n);
            break;
        case P_LPAREN:
            n = call(p, n);
            break;
        case P_DOT:
        case P_ARROW:
            n = member(p, n);
            break;
        case P_INC:
        case P_DEC: {
            struct scc_node *post = scc_node(p, X_POST);
            post->first = n->first;
            post->op = scc_peek(p, 0)->punct;
            scc_add(post, n);
            p->pos++;
            n = finish(p, post);
            break;
        }
        default:
            return n;
        }
    }
}

struct scc_node *scc_postfix(struct scc_parser *p)
{
    return scc_postfix_of(p, scc_primary(p));
}
