/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Expressions down to unary operators (C17 6.5), and the two assignments of Split-C. */
#include "parse.h"

/* Rows from the loosest: a table of precedence instead of ten functions. */
static const uint8_t precedence[] = {
    [P_OROR] = 1,          [P_ANDAND] = 2,    [P_OR] = 3,       [P_XOR] = 4,     [P_AND] = 5,
    [P_EQUAL] = 6,         [P_NOT_EQUAL] = 6, [P_LESS] = 7,     [P_GREATER] = 7, [P_LESS_EQUAL] = 7,
    [P_GREATER_EQUAL] = 7, [P_LSHIFT] = 8,    [P_RSHIFT] = 8,   [P_PLUS] = 9,    [P_MINUS] = 9,
    [P_STAR] = 10,         [P_SLASH] = 10,    [P_PERCENT] = 10, [P_STORE] = 0, /* the last: sizes the table */
};

static struct scc_node *finish(struct scc_parser *p, struct scc_node *n)
{
    scc_close(p, n);
    scc_type_expression(p, n);
    return n;
}

static struct scc_node *over(struct scc_parser *p, int kind, struct scc_node *left, int op)
{
    struct scc_node *n = scc_node(p, kind);
    n->first = left->first;
    n->op = (uint16_t)op;
    scc_add(n, left);
    return n;
}

static struct scc_node *binary(struct scc_parser *p, int least)
{
    struct scc_node *left = scc_cast(p);
    for (;;) {
        int op = scc_peek(p, 0)->punct, level = precedence[op];
        if (level == 0 || level < least)
            return left;
        struct scc_node *n = over(p, X_BINARY, left, op);
        p->pos++;
        scc_add(n, binary(p, level + 1));
        left = finish(p, n);
    }
}

struct scc_node *scc_conditional(struct scc_parser *p)
{
    struct scc_node *left = binary(p, 1);
    if (!scc_at(p, P_QUESTION))
        return left;
    scc_enter(p);
    struct scc_node *n = over(p, X_COND, left, P_QUESTION);
    p->pos++;
    p->no_join++;
    scc_add(n, scc_at(p, P_COLON) ? scc_none(p) : scc_expression(p));
    p->no_join--;
    scc_expect(p, P_COLON, "in a conditional expression");
    scc_add(n, scc_conditional(p));
    scc_leave(p);
    return finish(p, n);
}

/* An assignment operator here, and how many tokens it has; the joined ones need their parts to touch. */
static int assignment_operator(struct scc_parser *p, uint32_t *tokens)
{
    int op = scc_peek(p, 0)->punct;
    *tokens = 1;
    if (op >= P_ASSIGN && op <= P_OR_ASSIGN)
        return op;
    if (op != P_COLON || p->no_join > 0 || scc_peek(p, 1)->space)
        return P_NONE;
    *tokens = 2;
    int next = scc_peek(p, 1)->punct;
    return next == P_ASSIGN ? P_GETPUT : next == P_MINUS ? P_STORE : P_NONE;
}

struct scc_node *scc_assignment(struct scc_parser *p)
{
    struct scc_node *left = scc_conditional(p);
    uint32_t tokens = 0;
    int op = assignment_operator(p, &tokens);
    if (op == P_NONE)
        return left;
    scc_enter(p);
    struct scc_node *n = over(p, X_ASSIGN, left, op);
    p->pos += tokens;
    scc_add(n, scc_assignment(p));
    scc_leave(p);
    return finish(p, n);
}

struct scc_node *scc_expression(struct scc_parser *p)
{
    struct scc_node *left = scc_assignment(p);
    while (scc_at(p, P_COMMA)) {
        struct scc_node *n = over(p, X_COMMA, left, P_COMMA);
        p->pos++;
        scc_add(n, scc_assignment(p));
        left = finish(p, n);
    }
    return left;
}

/* After `( type )`: a compound literal if a brace follows. */
static struct scc_node *cast_or_literal(struct scc_parser *p, bool literal_only)
{
    struct scc_node *n = scc_node(p, X_CAST);
    p->pos++;
    struct scc_node *name = scc_add(n, scc_type_name_node(p));
    scc_expect(p, P_RPAREN, "after a type");
    if (!scc_at(p, P_LBRACE)) {
        if (literal_only)
            scc_syntax(p, "expected '{'");
        scc_add(n, scc_cast(p));
        return finish(p, n);
    }
    n->kind = X_COMPOUND;
    n->type = name->type;
    scc_add(n, scc_init_list(p, &n->type));
    finish(p, n);
    return scc_postfix_of(p, n);
}

struct scc_node *scc_cast(struct scc_parser *p)
{
    scc_enter(p);
    bool cast = scc_at(p, P_LPAREN) && scc_at_type(p, 1);
    struct scc_node *n = cast ? cast_or_literal(p, false) : scc_unary(p);
    scc_leave(p);
    return n;
}

static struct scc_node *size_of(struct scc_parser *p)
{
    struct scc_node *n = scc_node(p, X_SIZEOF);
    n->op = scc_peek(p, 0)->name->keyword;
    p->pos++;
    if (!scc_at(p, P_LPAREN) || !scc_at_type(p, 1)) {
        scc_add(n, scc_unary(p));
        return finish(p, n);
    }
    uint32_t at = p->pos++;
    struct scc_node *name = scc_type_name_node(p);
    scc_expect(p, P_RPAREN, "after a type");
    if (!scc_at(p, P_LBRACE)) {
        scc_add(n, name);
        return finish(p, n);
    }
    struct scc_node *literal = scc_node(p, X_COMPOUND);
    literal->first = at;
    literal->type = name->type;
    scc_add(literal, name);
    scc_add(literal, scc_init_list(p, &literal->type));
    finish(p, literal);
    scc_add(n, scc_postfix_of(p, literal));
    return finish(p, n);
}

static struct scc_node *label_address(struct scc_parser *p)
{
    struct scc_node *n = scc_node(p, X_LABEL);
    p->pos++;
    if (scc_peek(p, 0)->kind != TK_IDENT)
        scc_syntax(p, "expected a label after &&");
    n->name = scc_peek(p, 0)->name;
    p->pos++;
    return finish(p, n);
}

static struct scc_node *prefix(struct scc_parser *p, int kind, int op, bool unary)
{
    struct scc_node *n = scc_node(p, kind);
    n->op = (uint16_t)op;
    p->pos++;
    scc_add(n, unary ? scc_unary(p) : scc_cast(p));
    return finish(p, n);
}

static struct scc_node *unary(struct scc_parser *p)
{
    const struct scc_token *t = scc_peek(p, 0);
    switch (t->punct) {
    case P_INC:
    case P_DEC:
        return prefix(p, X_UNARY, t->punct, true);
    case P_PLUS:
    case P_MINUS:
    case P_NOT:
    case P_TILDE:
    case P_STAR:
    case P_AND:
        return prefix(p, X_UNARY, t->punct, false);
    case P_ANDAND:
        return label_address(p);
    default:
        break;
    }
    switch (t->kind == TK_KEYWORD ? t->name->keyword : 0) {
    case KW_SIZEOF:
    case KW_ALIGNOF:
        return size_of(p);
    case KW_EXTENSION:
        return prefix(p, X_EXTENSION, 0, false);
    case KW_REAL:
    case KW_IMAG:
        return prefix(p, X_UNARY, t->name->keyword, false);
    default:
        return scc_postfix(p);
    }
}

struct scc_node *scc_unary(struct scc_parser *p)
{
    scc_enter(p);
    struct scc_node *n = unary(p);
    scc_leave(p);
    return n;
}
