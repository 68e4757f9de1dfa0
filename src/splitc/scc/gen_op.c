/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums, differences and comparisons of global and spread pointers. A spread
 * pointer counts processors; a global pointer stays with its processor.
 */
#include "gen.h"

void gen_pointer_sum(struct scc_gen *g, struct scc_node *pointer, struct scc_node *index, bool minus)
{
    const struct scc_type *type = scc_value_type(g->unit, pointer);
    bool spread = type->pointer == PK_SPREAD;
    gen_put(g, spread ? " sc_spread_plus(" : " sc_plus(");
    gen_value(g, pointer);
    gen_put(g, ", %s(long)(", minus ? "-" : "");
    gen_value(g, index);
    gen_put(g, spread ? "), %s)" : ") * (long)%s)", gen_size(g, type->base));
}

static const char *comparison(int op)
{
    switch (op) {
    case P_EQUAL:
        return "==";
    case P_NOT_EQUAL:
        return "!=";
    case P_LESS:
        return "<";
    case P_GREATER:
        return ">";
    case P_LESS_EQUAL:
        return "<=";
    case P_GREATER_EQUAL:
        return ">=";
    default:
        return NULL;
    }
}

/* Both as spread pointers if neither is anything else, else both as global ones. */
static void compare(struct scc_gen *g, struct scc_node *left, struct scc_node *right, int op)
{
    int l = gen_kind(g, left), r = gen_kind(g, right);
    bool spread = (l == PK_SPREAD || left->null) && (r == PK_SPREAD || right->null);
    bool equality = op == P_EQUAL || op == P_NOT_EQUAL;
    struct scc_node *far = l > PK_LOCAL ? left : right, *other = far == left ? right : left;
    if (gen_kind(g, other) < 0 && !other->null && other->type->kind != TY_ERROR)
        scc_error(g->unit, other->first, "comparing '%s' with '%s'", scc_type_name(g->unit, left->type),
                  scc_type_name(g->unit, right->type));
    struct scc_type *type = scc_pointer_to(g->unit, scc_value_type(g->unit, far)->base, spread ? PK_SPREAD : PK_GLOBAL);
    gen_put(g, " (%s%s(", op == P_NOT_EQUAL ? "!" : "",
            spread     ? (equality ? "sc_spread_equal" : "sc_spread_compare")
            : equality ? "sc_equal"
                       : "sc_compare");
    gen_as(g, left, type);
    gen_put(g, ", ");
    gen_as(g, right, type);
    if (equality)
        gen_put(g, "))");
    else
        gen_put(g, ") %s 0)", comparison(op));
}

static void difference(struct scc_gen *g, struct scc_node *left, struct scc_node *right)
{
    const struct scc_type *l = scc_value_type(g->unit, left), *r = scc_value_type(g->unit, right);
    bool spread = l->pointer == PK_SPREAD && r->pointer == PK_SPREAD;
    struct scc_type *type = scc_pointer_to(g->unit, l->base, spread ? PK_SPREAD : PK_GLOBAL);
    gen_put(g, spread ? " (sc_spread_minus(" : " (sc_minus(");
    gen_as(g, left, type);
    gen_put(g, ", ");
    gen_as(g, right, type);
    gen_put(g, spread ? ", %s))" : ") / (long)%s)", gen_size(g, l->base));
}

static void logical(struct scc_gen *g, struct scc_node *left, struct scc_node *right)
{
    gen_cond(g, left);
    gen_verbatim(g, left->last + 1, right->first - 1);
    gen_cond(g, right);
}

void gen_binary(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *left = scc_kid(node, 0), *right = scc_kid(node, 1);
    int l = gen_kind(g, left), r = gen_kind(g, right);
    if (l <= PK_LOCAL && r <= PK_LOCAL)
        gen_splice(g, node);
    else if (node->op == P_ANDAND || node->op == P_OROR)
        logical(g, left, right);
    else if (comparison(node->op))
        compare(g, left, right, node->op);
    else if (node->op == P_MINUS && l >= 0 && r >= 0)
        difference(g, left, right);
    else if ((node->op == P_PLUS && (l < 0 || r < 0)) || (node->op == P_MINUS && l > PK_LOCAL))
        gen_pointer_sum(g, l > PK_LOCAL ? left : right, l > PK_LOCAL ? right : left, node->op == P_MINUS);
    else
        scc_error(g->unit, node->first, "'%s' and '%s' cannot be combined by '%s'", scc_type_name(g->unit, left->type),
                  scc_type_name(g->unit, right->type), scc_operator_text(node->op));
}
