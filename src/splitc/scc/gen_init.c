/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Initialisers. Values become what they initialise. An address names a processor
 * only when the program runs, so an object of static storage with such values is
 * set then, as a whole.
 */
#include "gen.h"

static bool is_aggregate(const struct scc_type *type)
{
    return type->kind == TY_ARRAY || type->kind == TY_STRUCT || type->kind == TY_UNION;
}

static bool is_far(const struct scc_type *type)
{
    return type && type->kind == TY_POINTER && type->pointer != PK_LOCAL;
}

static void one_value(struct scc_gen *g, struct scc_node *value, const struct scc_type *type)
{
    if (!type || is_aggregate(type))
        gen_value(g, value);
    else if (is_far(type) && value->null)
        gen_put(g, " { 0 }");
    else if (check_convert(g, value, type, "assigning"))
        gen_as(g, value, type);
}

/* The value of an item of a list, behind its designators. */
static struct scc_node *item_value(struct scc_node *item)
{
    struct scc_node *value = item->kind == N_INIT_ITEM ? item->child : item;
    while (value && value->next && item->kind == N_INIT_ITEM)
        value = value->next;
    return value;
}

static void list(struct scc_gen *g, struct scc_node *node, struct scc_type *type)
{
    uint32_t at = node->first;
    for (struct scc_node *item = node->child; item; item = item->next) {
        struct scc_node *value = item_value(item);
        if (!value || scc_is_empty(value))
            continue;
        gen_verbatim(g, at, value->first - 1);
        gen_init(g, value, item->kind == N_INIT_ITEM ? item->type : type);
        at = value->last + 1;
    }
    gen_verbatim(g, at, node->last);
}

void gen_init(struct scc_gen *g, struct scc_node *value, struct scc_type *type)
{
    bool far = value->kind >= X_FIRST && gen_kind(g, value) > PK_LOCAL;
    if (!value->splitc && !far && !(type && scc_involves_splitc(type)))
        gen_verbatim(g, value->first, value->last);
    else if (value->kind == N_INIT_LIST && is_far(type) && value->child) /* { value } */
        gen_init(g, item_value(value->child), type);
    else if (value->kind == N_INIT_LIST)
        list(g, value, type);
    else
        one_value(g, value, type);
}

bool gen_late(const struct scc_node *value, const struct scc_type *type)
{
    if (value->kind != N_INIT_LIST)
        return value->kind >= X_FIRST && !value->null && (is_far(type) || (value->splitc && !value->constant));
    for (struct scc_node *item = value->child; item; item = item->next) {
        const struct scc_node *of = item_value(item);
        if (of && !scc_is_empty(of) && gen_late(of, item->kind == N_INIT_ITEM ? item->type : type))
            return true;
    }
    return false;
}

/* After the object's declaration: what sets it, before splitc_main or where the program first comes by. */
void gen_late_init(struct scc_gen *g, const char *name, struct scc_node *value, struct scc_type *type)
{
    unsigned serial = g->serial++;
    if (g->depth == 0)
        gen_put(g, " static void sc_set_%u(void) {", serial);
    else
        gen_put(g, " static _Bool sc_set_%u; if (!sc_set_%u) { sc_set_%u = 1;", serial, serial, serial);
    gen_put(g, " __typeof__(%s) sc_v_ = ", name);
    g->depth++;
    gen_init(g, value, type);
    g->depth--;
    gen_put(g, "; __builtin_memcpy(&%s, &sc_v_, sizeof sc_v_); }", name);
    if (g->depth == 0)
        gen_put(g, " SC_STATIC_INIT(sc_set_%u)", serial);
    g->resync = true;
}
