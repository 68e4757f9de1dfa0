/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls, whose arguments become what the prototype wants, and the operations whose
 * type follows their argument's: tolocal(), toglobal(), tospread(), toproc().
 */
#include "gen.h"

#include <string.h>

/* The library's calls that all processors make together; it is told where they stand. */
bool gen_is_collective(const struct scc_node *call)
{
    static const char *const beginnings[] = {"barrier", "all_", "sc_all_"};
    const struct scc_symbol *symbol = call->kind == X_CALL ? call->child->symbol : NULL;
    if (!symbol || symbol->kind != SY_FUNCTION)
        return false;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (!strncmp(symbol->name->text, beginnings[i], strlen(beginnings[i])))
            return true;
    return false;
}

void gen_call(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *function = node->child;
    bool collective = gen_is_collective(node);
    const struct scc_type *type = scc_value_type(g->unit, function);
    if (type->kind == TY_POINTER)
        type = type->base;
    const struct scc_param *p = type->kind == TY_FUNCTION ? type->params : NULL;
    bool library = function->symbol && function->symbol->system;
    if (gen_kind(g, function) > PK_LOCAL) {
        scc_error(g->unit, node->first, "a function cannot be called through a global pointer; use atomic()");
        return;
    }
    if (collective) /* the line breaks before the name come after this */
        gen_put(g, " (sc_at(__builtin_FILE(), %u), ", g->unit->tokens[node->first].line);
    gen_value(g, function);
    uint32_t at = function->last + 1;
    for (struct scc_node *arg = function->next; arg; arg = arg->next) {
        gen_verbatim(g, at, arg->first - 1);
        at = arg->last + 1;
        if (!p && library && gen_kind(g, arg) > PK_LOCAL)
            scc_error(g->unit, arg->first, "passing a global or spread pointer to %s(); use tolocal() or toproc()",
                      function->symbol->name->text);
        else if (!p || p->type->kind == TY_ERROR)
            gen_value(g, arg);
        else if (check_convert(g, arg, p->type, "passing"))
            gen_as(g, arg, p->type);
        p = p ? p->next : NULL;
    }
    gen_verbatim(g, at, node->last);
    if (collective)
        gen_put(g, ")");
}

static struct scc_type *global_char(struct scc_gen *g)
{
    return scc_pointer_to(g->unit, scc_basic_type(TY_VOID), PK_GLOBAL);
}

/* The argument as a struct sc_global: a pointer of any kind, or an element itself. */
static void as_global(struct scc_gen *g, struct scc_node *arg)
{
    if (gen_remote(arg) && gen_kind(g, arg) <= PK_LOCAL)
        gen_global_address(g, arg);
    else
        gen_as(g, arg, global_char(g));
}

static void to_local(struct scc_gen *g, struct scc_node *node, struct scc_node *arg)
{
    gen_put(g, " ((%s)", gen_type(g, node->type, ""));
    if (!gen_remote(arg) && gen_kind(g, arg) == PK_LOCAL) {
        gen_value(g, arg);
        gen_put(g, ")");
        return;
    }
    gen_put(g, g->check ? "sc_check_local(" : "(");
    as_global(g, arg);
    gen_put(g, g->check ? ", __builtin_FILE(), __builtin_LINE()))" : ").addr)");
}

/* (p), or where a pointer is made also (processor, p). */
static bool fits(struct scc_gen *g, const struct scc_node *node, const struct scc_node *first,
                 const struct scc_node *second)
{
    if (node->op == SC_ATOMIC || node->op == SC_IS_LOCAL)
        return first != NULL;
    bool makes = node->op == SC_TOGLOBAL || node->op == SC_TOSPREAD;
    const struct scc_node *p = second ? second : first;
    const struct scc_token *name = &g->unit->tokens[node->first];
    if (!first || (second && (!makes || second->next)))
        scc_error(g->unit, node->first, "%.*s() wants %s", (int)name->len, name->text,
                  makes ? "a processor and a pointer" : "a pointer");
    else if (gen_kind(g, p) < 0 && !gen_remote(p) && !p->null && p->type->kind != TY_ERROR)
        scc_error(g->unit, p->first, "%.*s() of '%s', which is no pointer", (int)name->len, name->text,
                  scc_type_name(g->unit, p->type));
    else if (second && !scc_is_arithmetic(scc_value_type(g->unit, first)) && first->type->kind != TY_ERROR)
        scc_error(g->unit, first->first, "a processor's number cannot be '%s'", scc_type_name(g->unit, first->type));
    else
        return true;
    return false;
}

void gen_operation(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *first = node->child, *second = first ? first->next : NULL;
    if (!fits(g, node, first, second))
        return;
    switch (node->op) {
    case SC_TOLOCAL:
        to_local(g, node, first);
        return;
    case SC_TOPROC:
        gen_put(g, " (");
        as_global(g, first);
        gen_put(g, ").proc");
        return;
    case SC_TOGLOBAL:
    case SC_TOSPREAD:
        if (!second) {
            if (node->op == SC_TOGLOBAL)
                as_global(g, first);
            else
                gen_as(g, first, node->type);
            return;
        }
        gen_put(g, node->op == SC_TOGLOBAL ? " sc_global_of(" : " sc_spread_of(");
        gen_value(g, first);
        gen_put(g, ", (const void *)");
        if (gen_kind(g, second) > PK_LOCAL) {
            gen_put(g, "(");
            gen_value(g, second);
            gen_put(g, ").addr)");
        } else {
            gen_put(g, "(");
            gen_value(g, second);
            gen_put(g, "))");
        }
        return;
    default:
        gen_splice(g, node);
    }
}
