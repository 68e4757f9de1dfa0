/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where an lvalue lies that is reached through a global or spread pointer: its
 * address as a struct sc_global or, for what a spread pointer points to, as a
 * struct sc_spread that can be counted on.
 */
#include "gen.h"

/* `*p` and `p[i]`, with the operand that is the pointer first. */
static bool pointed(struct scc_gen *g, struct scc_node *node, struct scc_node **pointer, struct scc_node **index)
{
    *index = NULL;
    if (node->kind == X_UNARY && node->op == P_STAR) {
        *pointer = node->child;
        return true;
    }
    if (node->kind != X_SUBSCRIPT)
        return false;
    *pointer = scc_kid(node, 0);
    *index = scc_kid(node, 1);
    if (gen_kind(g, *pointer) < 0) {
        struct scc_node *swap = *pointer;
        *pointer = *index;
        *index = swap;
    }
    return true;
}

static void member_offset(struct scc_gen *g, const struct scc_type *record, const struct scc_node *node)
{
    const char *name = node->member && node->member->name ? node->member->name->text : "?";
    gen_put(g, ", __builtin_offsetof(%s, %s))", gen_type_plain(g, record), name);
}

/* A lane of a vector, a part of a complex number: GNU's lvalues inside a value. */
static bool inside_value(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *whole = node->child, *index = node->kind == X_SUBSCRIPT ? whole->next : NULL;
    if (index && index->type->kind == TY_VECTOR) {
        index = whole;
        whole = node->child->next;
    }
    bool lane = index && whole->type->kind == TY_VECTOR;
    bool part = node->kind == X_UNARY && (node->op == KW_REAL || node->op == KW_IMAG);
    if (!lane && !part)
        return false;
    gen_put(g, " sc_plus(");
    gen_global_address(g, whole);
    gen_put(g, ", (long)(");
    if (lane)
        gen_value(g, index);
    else
        gen_put(g, "%d", node->op == KW_IMAG);
    gen_put(g, ") * (long)%s)", gen_size(g, node->type));
    return true;
}

/* The elements of an array, for -fcheck; of one, there may be more than it says. */
static bool is_counted(const struct scc_gen *g, struct scc_node *array)
{
    const struct scc_type *type = gen_strip(array)->type;
    return g->check && g->access && type->kind == TY_ARRAY && gen_remote(gen_strip(array)) &&
           (type->vla ? type->dim != NULL : type->count > 1);
}

/* The index, which must be below the array's outermost dimension. */
static void checked_index(struct scc_gen *g, struct scc_node *index, const struct scc_type *array,
                          const struct scc_node *name)
{
    struct scc_type outer = *array;
    outer.base = scc_basic_type(TY_INT);
    gen_put(g, "sc_check_index(");
    gen_value(g, index);
    if (array->spread)
        gen_put(g, ", %s, \"", gen_blocks(g, &outer));
    else
        gen_put(g, ", (long)(%s / %s), \"", gen_size(g, array), gen_size(g, array->base));
    for (const char *c = gen_flat(g, name->first, name->last); *c; c++)
        gen_put(g, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    gen_put(g, "\", SC_HERE)");
}

void gen_global_address(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *pointer, *index;
    node = gen_strip(node);
    if (inside_value(g, node))
        return;
    if (pointed(g, node, &pointer, &index)) {
        if (gen_kind(g, pointer) == PK_SPREAD) {
            gen_put(g, " sc_from_spread(");
            gen_spread_address(g, node);
            gen_put(g, ")");
        } else if (index && is_counted(g, pointer)) {
            gen_put(g, " sc_plus(");
            gen_value(g, pointer);
            gen_put(g, ", ");
            checked_index(g, index, gen_strip(pointer)->type, pointer);
            gen_put(g, " * (long)%s)", gen_size(g, node->type));
        } else if (index) {
            gen_pointer_sum(g, pointer, index, false);
        } else {
            gen_value(g, pointer);
        }
    } else if (node->kind == X_MEMBER && gen_remote(node)) {
        gen_put(g, " sc_plus(");
        gen_global_address(g, node->child);
        member_offset(g, node->child->type, node);
    } else if (node->kind == X_ARROW && gen_remote(node)) {
        struct scc_type *type = scc_value_type(g->unit, node->child);
        gen_put(g, " sc_plus(");
        gen_convert(g, node->child, type, scc_pointer_to(g->unit, type->base, PK_GLOBAL));
        member_offset(g, type->base, node);
    } else if (scc_is_spread_array(node->type)) {
        gen_put(g, " sc_from_spread(");
        gen_value(g, node);
        gen_put(g, ")");
    } else if (!gen_remote(node)) {
        gen_put(g, " sc_toglobal(&(");
        gen_splice(g, node);
        gen_put(g, "))");
    } else {
        scc_error(g->unit, node->first, "this global expression has no address");
    }
}

/* How many blocks lie behind one step of the index: 1, or all of the dimensions that follow. */
static void subscript_spread(struct scc_gen *g, struct scc_node *node, struct scc_node *base, struct scc_node *index)
{
    const struct scc_type *element = node->type, *block = element, *array = base->type;
    while (block->kind == TY_ARRAY && block->spread)
        block = block->base;
    gen_put(g, " sc_spread_plus(");
    gen_value(g, base);
    gen_put(g, ", ");
    if (g->check && array->kind == TY_ARRAY && array->spread) {
        checked_index(g, index, array, base);
    } else {
        gen_put(g, "(long)(");
        gen_value(g, index);
        gen_put(g, ")");
    }
    if (element != block)
        gen_put(g, " * (%s)", gen_blocks(g, element));
    gen_put(g, ", %s)", gen_size(g, block));
}

void gen_spread_address(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *pointer, *index;
    node = gen_strip(node);
    if (!pointed(g, node, &pointer, &index)) {
        if (node->kind == X_IDENT && scc_is_spread_array(node->type)) {
            gen_spread_array(g, node);
        } else if (scc_is_spread_array(node->type) && !gen_remote(node)) {
            gen_value(g, node);
        } else {
            gen_put(g, " sc_to_spread(");
            gen_global_address(g, node);
            gen_put(g, ")");
        }
        return;
    }
    if (index)
        subscript_spread(g, node, pointer, index);
    else
        gen_value(g, pointer);
}

/* The address for an access, checked if -fcheck. */
void gen_checked_address(struct scc_gen *g, struct scc_node *node)
{
    if (!g->check) {
        gen_global_address(g, node);
        return;
    }
    bool outer = g->access;
    gen_put(g, " sc_check_global(");
    g->access = true;
    gen_global_address(g, node);
    g->access = outer;
    gen_put(g, ", %s, __builtin_FILE(), __builtin_LINE())", gen_size(g, node->type));
}
