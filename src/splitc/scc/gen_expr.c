/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The value of an expression: a read where it lies behind a global or spread
 * pointer, an address where it is an array there, a conversion where the kinds of
 * pointers differ.
 */
#include "gen.h"

#include <string.h>

bool gen_remote(const struct scc_node *node)
{
    return node->lvalue && node->place != PL_LOCAL;
}

int gen_kind(struct scc_gen *g, const struct scc_node *node)
{
    const struct scc_type *type = scc_value_type(g->unit, node);
    return type->kind == TY_POINTER ? type->pointer : -1;
}

struct scc_node *gen_strip(struct scc_node *node)
{
    for (;;) {
        bool wrap = node->kind == X_PAREN || node->kind == X_EXTENSION;
        struct scc_node *inner = wrap ? node->child : node->kind == X_GENERIC ? scc_kid(node, 1) : NULL;
        if (!inner)
            return node;
        node = inner;
    }
}

static void plain_value(struct scc_gen *g, struct scc_node *node);

/* A remote lvalue as a value: arrays are addresses, the rest is read. */
static void remote_value(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *inner = gen_strip(node);
    if (node->type->kind == TY_ARRAY) {
        if (gen_kind(g, node) == PK_SPREAD)
            gen_spread_address(g, node);
        else
            gen_global_address(g, node);
        return;
    }
    if (node->type->kind == TY_FUNCTION) {
        scc_error(g->unit, node->first, "a function cannot be called through a global pointer; use atomic()");
        return;
    }
    g->flat++;
    if (gen_bit_field(inner)) {
        gen_read_bits(g, inner);
    } else {
        gen_put(g, " SC_READ(__typeof__(%s), ", gen_type_plain(g, node->type));
        gen_checked_address(g, node);
        gen_put(g, ")");
    }
    g->flat--;
}

void gen_value(struct scc_gen *g, struct scc_node *node)
{
    if (scc_is_empty(node))
        return;
    if (!node->splitc && !gen_remote(node))
        gen_verbatim(g, node->first, node->last);
    else if (node->type && gen_remote(node))
        remote_value(g, node);
    else
        plain_value(g, node);
}

/* Text around one value whose pointers change their kind. */
static void wrapped(struct scc_gen *g, const char *before, struct scc_node *node, const char *after)
{
    gen_put(g, " %s", before);
    gen_value(g, node);
    gen_put(g, "%s", after);
}

static void null_pointer(struct scc_gen *g, const struct scc_type *to)
{
    gen_put(g, to->pointer == PK_GLOBAL ? " sc_global_of(0, (void *)0)" : " sc_spread_of(0, (void *)0)");
}

static void to_local(struct scc_gen *g, struct scc_node *node, const struct scc_type *from)
{
    if (g->check && from->kind == TY_POINTER && from->pointer != PK_LOCAL) {
        gen_put(g, " sc_check_local(");
        if (from->pointer == PK_SPREAD)
            wrapped(g, "sc_from_spread(", node, ")");
        else
            gen_value(g, node);
        gen_put(g, ", __builtin_FILE(), __builtin_LINE())");
        return;
    }
    gen_put(g, " ((void *)(");
    gen_value(g, node);
    gen_put(g, ").addr)");
}

/* The value of `node`, which is a `from`, as a `to`; the types are known to allow it. */
void gen_convert(struct scc_gen *g, struct scc_node *node, const struct scc_type *from, const struct scc_type *to)
{
    int f = from->kind == TY_POINTER ? (int)from->pointer : -1, t = to->kind == TY_POINTER ? (int)to->pointer : -1;
    bool far = t == PK_GLOBAL || t == PK_SPREAD;
    if (far && node->null && f != t) {
        null_pointer(g, to);
    } else if (f == t || (f <= PK_LOCAL && t <= PK_LOCAL)) {
        gen_value(g, node);
    } else if (far && f <= PK_LOCAL) {
        if (t == PK_GLOBAL)
            wrapped(g, "sc_toglobal((const void *)(", node, "))");
        else
            wrapped(g, "sc_spread_of(sc_job.me, (const void *)(", node, "))");
    } else if (far) {
        wrapped(g, t == PK_GLOBAL ? "sc_from_spread(" : "sc_to_spread(", node, ")");
    } else if (to->kind == TY_BOOL) {
        wrapped(g, "((", node, ").addr != 0)");
    } else {
        to_local(g, node, from);
    }
}

void gen_as(struct scc_gen *g, struct scc_node *node, const struct scc_type *type)
{
    gen_convert(g, node, scc_value_type(g->unit, node), type);
}

void gen_cond(struct scc_gen *g, struct scc_node *node)
{
    if (scc_is_empty(node))
        return;
    if (node->kind < X_FIRST)
        gen_node(g, node);
    else if (gen_kind(g, node) > PK_LOCAL)
        wrapped(g, "((", node, ").addr != 0)");
    else
        gen_value(g, node);
}

/* A spread array as a value: the pointer to its first block. */
void gen_spread_array(struct scc_gen *g, struct scc_node *node)
{
    const struct scc_symbol *symbol = node->symbol;
    const struct scc_gen_symbol *mine = symbol->gen;
    const char *name = mine && mine->renamed ? mine->renamed : symbol->name->text;
    if (symbol->kind == SY_PARAM)
        gen_put(g, " %s", name);
    else
        gen_put(g, " sc_spread_of(0, %s)", name);
}

static void conditional(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *test = scc_kid(node, 0), *yes = scc_kid(node, 1), *no = scc_kid(node, 2);
    const struct scc_type *type = scc_value_type(g->unit, node);
    if (yes->kind == N_NONE) {
        if (gen_kind(g, test) <= PK_LOCAL && gen_kind(g, no) <= PK_LOCAL) {
            gen_splice(g, node);
            return;
        }
        gen_put(g, " ({ __auto_type sc_c_ = ");
        gen_value(g, test);
        gen_put(g, "; sc_c_.addr ? sc_c_ :");
        gen_as(g, no, scc_value_type(g->unit, test));
        gen_put(g, "; })");
        return;
    }
    gen_cond(g, test);
    gen_verbatim(g, test->last + 1, yes->first - 1);
    gen_as(g, yes, type);
    gen_verbatim(g, yes->last + 1, no->first - 1);
    gen_as(g, no, type);
}

static void cast(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *operand = scc_kid(node, 1);
    const struct scc_type *from = scc_value_type(g->unit, operand), *to = node->type;
    int f = from->kind == TY_POINTER ? (int)from->pointer : -1, t = to->kind == TY_POINTER ? (int)to->pointer : -1;
    if (to->kind == TY_VOID) {
        wrapped(g, "((void)(", operand, "))");
        return;
    }
    if (t > PK_LOCAL) {
        if (f < 0 && !operand->null && !scc_is_integer(from) && from->kind != TY_ERROR)
            scc_error(g->unit, node->first, "casting '%s' to '%s': only pointers and integers can become it",
                      scc_type_name(g->unit, from), scc_type_name(g->unit, to));
        gen_put(g, "(");
        gen_convert(g, operand, from, to);
        gen_put(g, ")");
        return;
    }
    gen_put(g, "((%s)", gen_type(g, to, ""));
    if (f > PK_LOCAL)
        gen_convert(g, operand, from, to);
    else
        gen_value(g, operand);
    gen_put(g, ")");
}

static void size_of(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *what = node->child;
    if (node->op == KW_SIZEOF && what->type)
        gen_put(g, " %s", gen_size(g, what->type));
    else if (what->type)
        gen_put(g, " __alignof__(%s)", gen_type_plain(g, what->type));
    else
        gen_splice(g, node);
}

static void address_of(struct scc_gen *g, struct scc_node *node, struct scc_node *operand)
{
    bool outer = g->access;
    g->access = false; /* one past the end is allowed */
    if (!gen_remote(operand) && !scc_is_spread_array(operand->type)) {
        gen_splice(g, node);
    } else if (gen_bit_field(gen_strip(operand))) {
        scc_error(g->unit, node->first, "a bit-field has no address");
    } else if (gen_kind(g, node) == PK_SPREAD) {
        gen_spread_address(g, operand);
    } else {
        gen_global_address(g, operand);
    }
    g->access = outer;
}

static void unary(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *operand = node->child;
    switch (node->op) {
    case P_AND:
        address_of(g, node, operand);
        return;
    case P_NOT:
        if (gen_kind(g, operand) > PK_LOCAL)
            wrapped(g, "((", operand, ").addr == 0)");
        else
            gen_splice(g, node);
        return;
    case P_STAR: /* not remote, though by a pointer that is */
        if (gen_kind(g, operand) > PK_LOCAL)
            scc_error(g->unit, node->first,
                      node->type->kind == TY_FUNCTION
                          ? "a function cannot be called through a global pointer; use atomic()"
                          : "what a pointer to void leads to has no size; cast the pointer");
        else
            gen_splice(g, node);
        return;
    case P_INC:
    case P_DEC:
        gen_step(g, node, node->op, false);
        return;
    default:
        gen_splice(g, node);
    }
}

/* What this processor owns, with parts that may be Split-C. */
static void plain_value(struct scc_gen *g, struct scc_node *node)
{
    if (node->kind == X_SUBSCRIPT && scc_is_spread_array(node->type)) { /* some of several spread dimensions */
        gen_spread_address(g, node);
        return;
    }
    switch (node->kind) {
    case X_IDENT:
        if (node->symbol && node->type && scc_is_spread_array(node->type))
            gen_spread_array(g, node);
        else
            gen_verbatim(g, node->first, node->last);
        break;
    case X_PAREN:
        if (scc_is_spread_array(node->type))
            wrapped(g, "(", node->child, ")");
        else
            gen_splice(g, node);
        break;
    case X_CALL:
        gen_call(g, node);
        break;
    case X_SC_CALL:
        gen_operation(g, node);
        break;
    case X_POST:
        gen_step(g, node, node->op, true);
        break;
    case X_UNARY:
        unary(g, node);
        break;
    case X_BINARY:
        gen_binary(g, node);
        break;
    case X_ASSIGN:
        gen_assign(g, node);
        break;
    case X_COND:
        conditional(g, node);
        break;
    case X_CAST:
        cast(g, node);
        break;
    case X_SIZEOF:
        size_of(g, node);
        break;
    case X_GENERIC: /* the types of C would choose another one */
        if (scc_kid(node, 1))
            wrapped(g, "(", scc_kid(node, 1), ")");
        break;
    case X_COMPOUND:
        gen_put(g, "(%s)", gen_type(g, node->type, ""));
        gen_init(g, scc_kid(node, 1), node->type);
        break;
    default:
        gen_splice(g, node);
    }
}
