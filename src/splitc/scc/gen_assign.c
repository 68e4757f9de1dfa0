/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Assignments: blocking, split-phase (:=) and storing (:-), to where this
 * processor may not own what is written; and steps of global and spread pointers.
 */
#include "gen.h"

#include <string.h>

/* sc_w_, declared as the right side's value, if there is one. */
void gen_operand(struct scc_gen *g, struct scc_node *right)
{
    if (!right) {
        gen_put(g, "(void)0");
        return;
    }
    const struct scc_type *type = scc_value_type(g->unit, right);
    if (scc_is_arithmetic(type)) /* bit-fields cannot be __auto_type */
        gen_put(g, "%s = (", gen_type(g, type, "sc_w_"));
    else
        gen_put(g, "__auto_type sc_w_ = (");
    gen_value(g, right);
    gen_put(g, ")");
}

/* macro(type, address, value) */
static void transfer(struct scc_gen *g, const char *macro, struct scc_node *left, struct scc_node *right)
{
    gen_put(g, " %s(__typeof__(%s), ", macro, gen_type_plain(g, left->type));
    g->flat++;
    gen_checked_address(g, left);
    gen_put(g, ", (");
    gen_as(g, right, left->type);
    g->flat--;
    gen_put(g, "))");
}

/* sc_old_ changed by `op`= sc_w_, as an expression. */
static char *changed(struct scc_gen *g, const struct scc_type *type, const char *op, const char *by)
{
    char sign = *op;
    if (type->kind == TY_POINTER && type->pointer == PK_SPREAD)
        return scc_printf(g->unit, "sc_spread_plus(sc_old_, %c(long)%s, %s)", sign, by, gen_size(g, type->base));
    if (type->kind == TY_POINTER && type->pointer == PK_GLOBAL)
        return scc_printf(g->unit, "sc_plus(sc_old_, %c(long)%s * (long)%s)", sign, by, gen_size(g, type->base));
    return scc_printf(g->unit, "sc_old_ %.*s %s", (int)strcspn(op, "="), op, by);
}

static bool can_step(struct scc_gen *g, const struct scc_node *node, const struct scc_type *type, const char *op)
{
    if (type->kind != TY_POINTER || *op == '+' || *op == '-')
        return true;
    scc_error(g->unit, node->first, "'%s' cannot change a pointer", op);
    return false;
}

/* A read, a change and a write of what may be another processor's. NULL right: by 1. */
static void update(struct scc_gen *g, struct scc_node *left, struct scc_node *right, const char *op, bool old)
{
    g->flat++;
    if (gen_bit_field(gen_strip(left))) {
        gen_update_bits(g, gen_strip(left), right, op, old);
    } else {
        gen_put(g, " SC_UPDATE%s(__typeof__(%s), ", old ? "_OLD" : "", gen_type_plain(g, left->type));
        gen_checked_address(g, left);
        gen_put(g, ", ");
        gen_operand(g, right);
        gen_put(g, ", %s)", changed(g, left->type, op, right ? "sc_w_" : "1"));
    }
    g->flat--;
}

/* A global or spread pointer of this processor's own is moved. */
static void move(struct scc_gen *g, struct scc_node *left, struct scc_node *right, const char *op, bool old)
{
    gen_put(g, " ({ __auto_type sc_m_ = &(");
    gen_value(g, left);
    gen_put(g, "); ");
    if (right) {
        gen_put(g, "long sc_w_ = (");
        gen_value(g, right);
        gen_put(g, "); ");
    }
    bool global = left->type->pointer == PK_GLOBAL; /* stays on its processor: only the address is written */
    gen_put(g, "__auto_type sc_old_ = *sc_m_; %s = %s%s; %s; })", global ? "sc_m_->addr" : "*sc_m_",
            changed(g, left->type, op, right ? "sc_w_" : "1"), global ? ".addr" : "", old ? "sc_old_" : "*sc_m_");
}

static bool can_change(struct scc_gen *g, const struct scc_node *node)
{
    const char *fault = NULL;
    if (node->type->kind == TY_VOID)
        fault = "what a pointer to void leads to has no size; cast the pointer";
    else if (!node->lvalue && node->type->kind != TY_ERROR)
        fault = "this is a value, no object that can be changed";
    else if (gen_remote(node) && node->type->quals & Q_CONST)
        fault = "this object is constant";
    if (fault)
        scc_error(g->unit, node->first, "%s", fault);
    return !fault;
}

void gen_step(struct scc_gen *g, struct scc_node *node, int op, bool post)
{
    struct scc_node *operand = node->child;
    const char *text = op == P_INC ? "+=" : "-=";
    if (scc_is_spread_array(operand->type))
        scc_error(g->unit, node->first, "a spread array cannot be changed");
    else if (!can_change(g, operand))
        return;
    else if (gen_remote(operand))
        update(g, operand, NULL, text, post);
    else if (gen_kind(g, operand) > PK_LOCAL)
        move(g, operand, NULL, text, post);
    else
        gen_splice(g, node);
}

static void split_phase(struct scc_gen *g, struct scc_node *left, struct scc_node *right)
{
    struct scc_node *from = gen_strip(right);
    bool bits = gen_bit_field(gen_strip(left)) || gen_bit_field(from); /* done at once */
    if (gen_remote(left) && gen_bit_field(gen_strip(left))) {
        update(g, left, right, "=", false);
    } else if (gen_remote(left)) {
        transfer(g, "SC_PUT", left, right);
    } else if (gen_remote(from) && !bits && from->type->kind != TY_ARRAY && scc_same_type(left->type, from->type)) {
        gen_put(g, " SC_GET(__typeof__(%s), &(", gen_type_plain(g, left->type));
        g->flat++;
        gen_value(g, left);
        gen_put(g, "), ");
        gen_checked_address(g, from);
        g->flat--;
        gen_put(g, ")");
    } else { /* nothing remote, or a conversion that needs the value now */
        gen_value(g, left);
        gen_put(g, " = (");
        gen_as(g, right, left->type);
        gen_put(g, ")");
    }
}

static void store(struct scc_gen *g, struct scc_node *node, struct scc_node *left, struct scc_node *right)
{
    if (!gen_remote(left))
        scc_error(g->unit, node->first,
                  "the left side of ':-' must be reached through a global or spread pointer, or be an element of a "
                  "spread array");
    else if (gen_bit_field(gen_strip(left)))
        scc_error(g->unit, node->first, "':-' cannot store a bit-field; use '='");
    else
        transfer(g, "SC_STORE", left, right);
}

static void plain(struct scc_gen *g, struct scc_node *left, struct scc_node *right)
{
    if (gen_remote(left)) {
        if (gen_bit_field(gen_strip(left)))
            update(g, left, right, "=", false);
        else
            transfer(g, "SC_WRITE", left, right);
        return;
    }
    gen_value(g, left);
    gen_verbatim(g, left->last + 1, right->first - 1);
    gen_as(g, right, left->type);
}

void gen_assign(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *left = scc_kid(node, 0), *right = scc_kid(node, 1);
    if (gen_remote(left) && left->type->kind == TY_ARRAY) {
        scc_error(g->unit, node->first, "an array cannot be assigned to; use bulk_write() or bulk_put()");
        return;
    }
    if (scc_is_spread_array(left->type)) {
        scc_error(g->unit, node->first, "a spread array cannot be assigned to");
        return;
    }
    if (!can_change(g, left))
        return;
    bool simple = node->op == P_ASSIGN || node->op == P_GETPUT || node->op == P_STORE;
    if (simple && !check_convert(g, right, left->type, "assigning"))
        return;
    const char *op = scc_operator_text(node->op);
    if (node->op == P_GETPUT)
        split_phase(g, left, right);
    else if (node->op == P_STORE)
        store(g, node, left, right);
    else if (node->op == P_ASSIGN)
        plain(g, left, right);
    else if (!can_step(g, node, left->type, op))
        return;
    else if (gen_remote(left))
        update(g, left, right, op, false);
    else if (gen_kind(g, left) > PK_LOCAL)
        move(g, left, right, op, false);
    else
        gen_splice(g, node);
}
