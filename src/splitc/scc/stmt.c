/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Statements (C17 6.8) and asm. A syntax error inside a block is reported and the block goes on after
 * the statement it was in. */
#include "parse.h"

static struct scc_node *statement(struct scc_parser *p);

static void asm_operands(struct scc_parser *p, struct scc_node *n)
{
    while (scc_at(p, P_LBRACKET) || scc_peek(p, 0)->kind == TK_STRING) {
        if (scc_at(p, P_LBRACKET))
            scc_skip_balanced(p);
        while (scc_peek(p, 0)->kind == TK_STRING)
            p->pos++;
        if (scc_accept(p, P_LPAREN)) {
            scc_add(n, scc_expression(p));
            scc_expect(p, P_RPAREN, "after an asm operand");
        }
        if (!scc_accept(p, P_COMMA))
            return;
    }
}

struct scc_node *scc_asm(struct scc_parser *p)
{
    struct scc_node *n = scc_node(p, N_ASM);
    p->pos++;
    while (scc_peek(p, 0)->kind == TK_KEYWORD) /* volatile, inline, goto */
        p->pos++;
    scc_expect(p, P_LPAREN, "after asm");
    while (scc_peek(p, 0)->kind == TK_STRING)
        p->pos++;
    while (scc_accept(p, P_COLON)) {
        asm_operands(p, n);
        while (scc_peek(p, 0)->kind == TK_IDENT) { /* labels of asm goto */
            p->pos++;
            scc_accept(p, P_COMMA);
        }
    }
    scc_expect(p, P_RPAREN, "at the end of asm");
    scc_expect(p, P_SEMICOLON, "after asm");
    return scc_close(p, n);
}

static struct scc_node *in_parens(struct scc_parser *p, const char *what)
{
    scc_expect(p, P_LPAREN, what);
    struct scc_node *e = scc_expression(p);
    scc_expect(p, P_RPAREN, what);
    return e;
}

static void if_statement(struct scc_parser *p, struct scc_node *n)
{
    n->kind = S_IF;
    scc_add(n, in_parens(p, "in an if statement"));
    scc_add(n, statement(p));
    bool otherwise = scc_accept_keyword(p, KW_ELSE);
    scc_add(n, otherwise ? statement(p) : scc_none(p));
}

static void while_statement(struct scc_parser *p, struct scc_node *n)
{
    n->kind = S_WHILE;
    scc_add(n, in_parens(p, "in a while statement"));
    scc_add(n, statement(p));
}

static void do_statement(struct scc_parser *p, struct scc_node *n)
{
    n->kind = S_DO;
    scc_add(n, statement(p));
    if (!scc_accept_keyword(p, KW_WHILE))
        scc_syntax(p, "expected 'while' after the body of do");
    scc_add(n, in_parens(p, "in a do statement"));
    scc_expect(p, P_SEMICOLON, "after a do statement");
}

static struct scc_node *optional(struct scc_parser *p, int end)
{
    return scc_at(p, end) ? scc_none(p) : scc_expression(p);
}

static void for_statement(struct scc_parser *p, struct scc_node *n)
{
    n->kind = S_FOR;
    scc_push_scope(p);
    scc_expect(p, P_LPAREN, "after for");
    if (scc_at_declaration(p)) {
        scc_add(n, scc_declaration(p));
    } else {
        scc_add(n, optional(p, P_SEMICOLON));
        scc_expect(p, P_SEMICOLON, "in a for statement");
    }
    scc_add(n, optional(p, P_SEMICOLON));
    scc_expect(p, P_SEMICOLON, "in a for statement");
    scc_add(n, optional(p, P_RPAREN));
    scc_expect(p, P_RPAREN, "in a for statement");
    scc_add(n, statement(p));
    scc_pop_scope(p);
}

static void switch_statement(struct scc_parser *p, struct scc_node *n)
{
    n->kind = S_SWITCH;
    scc_add(n, in_parens(p, "in a switch statement"));
    scc_add(n, statement(p));
}

/* What a label stands before: a statement, or nothing at a block's end (C23), or a declaration. */
static struct scc_node *labelled(struct scc_parser *p)
{
    if (scc_at(p, P_RBRACE))
        return scc_none(p);
    return scc_at_declaration(p) ? scc_declaration(p) : statement(p);
}

static void case_label(struct scc_parser *p, struct scc_node *n)
{
    n->kind = S_CASE;
    p->no_join++;
    scc_add(n, scc_conditional(p));
    if (scc_accept(p, P_ELLIPSIS))
        scc_add(n, scc_conditional(p));
    p->no_join--;
    scc_expect(p, P_COLON, "after a case label");
    scc_add(n, labelled(p));
}

static void default_label(struct scc_parser *p, struct scc_node *n)
{
    n->kind = S_DEFAULT;
    scc_expect(p, P_COLON, "after default");
    scc_add(n, labelled(p));
}

static void goto_statement(struct scc_parser *p, struct scc_node *n)
{
    n->kind = S_GOTO;
    if (scc_at(p, P_STAR)) {
        scc_add(n, scc_expression(p));
    } else {
        const struct scc_token *t = scc_peek(p, 0);
        if (t->kind != TK_IDENT)
            scc_syntax(p, "expected a label");
        n->name = t->name;
        p->pos++;
    }
    scc_expect(p, P_SEMICOLON, "after goto");
}

static void return_statement(struct scc_parser *p, struct scc_node *n)
{
    n->kind = S_RETURN;
    n->type = p->result ? p->result : p->basic[TY_INT];
    struct scc_node *value = scc_add(n, optional(p, P_SEMICOLON));
    n->splitc |= value->kind != N_NONE && scc_is_pointer(n->type, -1) && n->type->pointer != PK_LOCAL;
    scc_expect(p, P_SEMICOLON, "after return");
}

static void break_statement(struct scc_parser *p, struct scc_node *n)
{
    n->kind = S_BREAK;
    scc_expect(p, P_SEMICOLON, "after break");
}

static void continue_statement(struct scc_parser *p, struct scc_node *n)
{
    n->kind = S_CONTINUE;
    scc_expect(p, P_SEMICOLON, "after continue");
}

static void local_labels(struct scc_parser *p, struct scc_node *n)
{
    n->kind = S_LOCAL_LABELS;
    while (scc_peek(p, 0)->kind == TK_IDENT || scc_at(p, P_COMMA))
        p->pos++;
    scc_expect(p, P_SEMICOLON, "after __label__");
}

static const struct {
    uint16_t keyword;
    void (*parse)(struct scc_parser *p, struct scc_node *n);
} statements[] = {
    {KW_IF, if_statement},       {KW_WHILE, while_statement},       {KW_DO, do_statement},
    {KW_FOR, for_statement},     {KW_SWITCH, switch_statement},     {KW_CASE, case_label},
    {KW_DEFAULT, default_label}, {KW_GOTO, goto_statement},         {KW_RETURN, return_statement},
    {KW_BREAK, break_statement}, {KW_CONTINUE, continue_statement}, {KW_LABEL, local_labels},
};

static bool keyword_statement(struct scc_parser *p, struct scc_node *n)
{
    const struct scc_token *t = scc_peek(p, 0);
    if (t->kind != TK_KEYWORD)
        return false;
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (statements[i].keyword == t->name->keyword) {
            p->pos++;
            statements[i].parse(p, n);
            return true;
        }
    return false;
}

/* `name:` is a label; but `x := y` is an assignment, and so is `x :- y` if x is a variable (it will be an
 * error that says what is wrong, where a label before `-y` would be useless). */
static bool at_label(struct scc_parser *p)
{
    const struct scc_token *t = scc_peek(p, 0), *next = scc_peek(p, 2);
    if (t->kind != TK_IDENT || scc_peek(p, 1)->punct != P_COLON)
        return false;
    if (next->space)
        return true;
    bool variable = t->name->symbol != NULL && t->name->symbol->kind != SY_TYPEDEF;
    return !(next->punct == P_ASSIGN || (next->punct == P_MINUS && variable));
}

static struct scc_node *statement_body(struct scc_parser *p)
{
    if (scc_at(p, P_LBRACE))
        return scc_compound(p, true);
    struct scc_node *n = scc_node(p, S_EXPR);
    const struct scc_token *t = scc_peek(p, 0);
    if (t->punct == P_SEMICOLON || t->kind == TK_PRAGMA)
        return scc_pragma(p);
    if (scc_at_keyword(p, KW_ASM))
        return scc_asm(p);
    if (keyword_statement(p, n))
        return scc_close(p, n);
    if (at_label(p)) {
        n->kind = S_LABEL;
        n->name = t->name;
        p->pos += 2;
        if (scc_at_attribute(p))
            scc_attribute_list(p, n, NULL);
        scc_add(n, labelled(p));
        return scc_close(p, n);
    }
    if (t->kind == TK_IDENT && scc_peek(p, 1)->kind == TK_IDENT) {
        scc_error(p->unit, p->pos, "unknown type name '%s'", t->name->text);
        scc_bail(p);
    }
    scc_add(n, scc_expression(p));
    scc_expect(p, P_SEMICOLON, "after an expression");
    return scc_close(p, n);
}

static struct scc_node *statement(struct scc_parser *p)
{
    scc_enter(p);
    int saved = p->no_join;
    p->no_join = 0;
    struct scc_node *n = scc_at_attribute(p) ? scc_declaration(p) : statement_body(p);
    p->no_join = saved;
    scc_leave(p);
    return n;
}

static struct scc_node *block_item(struct scc_parser *p)
{
    return scc_at_declaration(p) ? scc_declaration(p) : statement(p);
}

/* Parse one item; after an error inside go on behind it. */
static void guarded_item(struct scc_parser *p, struct scc_node *block)
{
    struct scc_recovery here = {
        .outer = p->recovery, .depth = p->depth, .nesting = p->nesting, .no_join = p->no_join, .function = p->function};
    uint32_t before = p->pos;
    p->recovery = &here;
    if (setjmp(here.jump) == 0) {
        struct scc_node *item = block_item(p);
        scc_add(block, item);
        p->recovery = here.outer;
        return;
    }
    p->recovery = here.outer;
    if (p->unit->stop)
        scc_bail(p);
    scc_pop_to(p, here.depth);
    p->nesting = here.nesting;
    p->no_join = here.no_join;
    p->function = here.function;
    scc_resync(p, false);
    if (p->pos <= before && !scc_at(p, P_RBRACE) && scc_peek(p, 0)->kind != TK_EOF)
        p->pos = before + 1;
}

struct scc_node *scc_compound(struct scc_parser *p, bool own_scope)
{
    struct scc_node *n = scc_node(p, S_COMPOUND);
    scc_expect(p, P_LBRACE, "here");
    scc_enter(p);
    if (own_scope)
        scc_push_scope(p);
    while (!scc_at(p, P_RBRACE)) {
        if (scc_peek(p, 0)->kind == TK_EOF)
            scc_syntax(p, "expected '}'");
        guarded_item(p, n);
    }
    p->pos++;
    if (own_scope)
        scc_pop_scope(p);
    scc_leave(p);
    return scc_close(p, n);
}
