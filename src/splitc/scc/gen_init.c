/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Initialisers. Values become what they initialise; a global or spread pointer
 * with static storage can only begin as NULL, since an address names a processor
 * only when the program runs.
 */
#include "gen.h"

static void one_value(struct scc_gen *g, struct scc_node *value, const struct scc_type *type, bool is_static)
{
    bool far = type && type->kind == TY_POINTER && type->pointer != PK_LOCAL;
    if (!type || type->kind == TY_ARRAY || type->kind == TY_STRUCT || type->kind == TY_UNION) {
        gen_value(g, value);
        return;
    }
    if (!check_convert(g, value, type, "assigning"))
        return;
    if (!far || !is_static) {
        gen_as(g, value, type);
        return;
    }
    if (value->null)
        gen_put(g, "{ 0 }");
    else
        scc_error(g->unit, value->first, "a global or spread pointer of static storage can only begin as NULL; assign to it when the program runs");
}

/* The member that a designator names, alone; members of anonymous members are not looked for. */
static struct scc_member *designated(struct scc_gen *g, const struct scc_node *item, const struct scc_type *type)
{
    const struct scc_token *t = &g->unit->tokens[item->first];
    if ((type->kind != TY_STRUCT && type->kind != TY_UNION) || t[1].kind != TK_IDENT || t[2].punct != P_ASSIGN)
        return NULL;
    struct scc_member *m = type->record->members;
    while (m && m->name != t[1].name)
        m = m->next;
    return m;
}

/* What the item initialises: where its designator says, else the next in turn. */
static struct scc_type *item_type(struct scc_gen *g, struct scc_node *item, struct scc_type *type, struct scc_member **next)
{
    const struct scc_token *t = &g->unit->tokens[item->first];
    if (item->kind == N_INIT_ITEM && t->kind == TK_PUNCT && t->punct == P_DOT) {
        struct scc_member *m = designated(g, item, type);
        *next = m ? m->next : NULL;
        return m ? m->type : NULL;
    }
    if (type->kind == TY_ARRAY)
        return type->base;
    while (*next && (*next)->bits >= 0 && !(*next)->name)
        *next = (*next)->next;
    struct scc_type *found = *next ? (*next)->type : NULL;
    if (*next)
        *next = (*next)->next;
    return found;
}

static void list(struct scc_gen *g, struct scc_node *node, struct scc_type *type, bool is_static)
{
    bool record = type && (type->kind == TY_STRUCT || type->kind == TY_UNION);
    bool aggregate = record || (type && type->kind == TY_ARRAY);
    struct scc_member *next = record && type->record ? type->record->members : NULL;
    uint32_t at = node->first;
    for (struct scc_node *item = node->child; item; item = item->next) {
        struct scc_node *value = item->kind == N_INIT_ITEM ? item->child : item;
        while (value && value->next && item->kind == N_INIT_ITEM)
            value = value->next;
        if (!value || scc_is_empty(value))
            continue;
        struct scc_type *wanted = aggregate ? item_type(g, item, type, &next) : type;
        gen_verbatim(g, at, value->first - 1);
        if (value->splitc || wanted)
            gen_init(g, value, wanted, is_static);
        else
            gen_node(g, value);
        at = value->last + 1;
    }
    gen_verbatim(g, at, node->last);
}

void gen_init(struct scc_gen *g, struct scc_node *value, struct scc_type *type, bool is_static)
{
    bool far = value->kind >= X_FIRST && gen_kind(g, value) > PK_LOCAL;
    if (!value->splitc && !far && !(type && scc_involves_splitc(type)))
        gen_verbatim(g, value->first, value->last);
    else if (value->kind == N_INIT_LIST)
        list(g, value, type, is_static);
    else
        one_value(g, value, type, is_static);
}
