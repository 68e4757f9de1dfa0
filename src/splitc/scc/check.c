/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which kinds of pointers become which without being asked. An ordinary pointer
 * becomes a global one (this processor's), a spread pointer a global one; whatever
 * loses the processor, or invents a row, must be written.
 */
#include "gen.h"

static const char *const kinds[] = {"an ordinary pointer", "a global pointer", "a spread pointer"};

static const char *what(struct scc_gen *g, const struct scc_type *type)
{
    return type->kind == TY_POINTER ? kinds[type->pointer] : scc_printf(g->unit, "'%s'", scc_type_name(g->unit, type));
}

static bool refuse(struct scc_gen *g, const struct scc_node *node, const struct scc_type *to, const char *doing,
                   const char *advice)
{
    const struct scc_type *from = scc_value_type(g->unit, node);
    scc_error(g->unit, node->first, "%s %s to %s%s", doing, what(g, from), what(g, to), advice);
    return false;
}

static void check_pointee(struct scc_gen *g, const struct scc_node *node, const struct scc_type *from,
                          const struct scc_type *to, const char *doing)
{
    const struct scc_type *a = from->base, *b = to->base;
    if (a->kind == TY_VOID || b->kind == TY_VOID || a->kind == TY_ERROR || b->kind == TY_ERROR || a->variable ||
        b->variable || scc_same_type(a, b))
        return;
    scc_warning(g->unit, node->first, "%s '%s' to '%s'", doing, scc_type_name(g->unit, from),
                scc_type_name(g->unit, to));
}

/* Pointers to pointers, of which one has a processor and the other has none. */
static bool differ_below(const struct scc_type *a, const struct scc_type *b)
{
    return a->kind == TY_POINTER && b->kind == TY_POINTER &&
           (a->pointer != b->pointer || (a->pointer == PK_LOCAL && differ_below(a->base, b->base)));
}

bool check_convert(struct scc_gen *g, const struct scc_node *node, const struct scc_type *to, const char *doing)
{
    if (node->kind < X_FIRST)
        return true;
    const struct scc_type *from = scc_value_type(g->unit, node);
    int f = from->kind == TY_POINTER ? (int)from->pointer : -1, t = to->kind == TY_POINTER ? (int)to->pointer : -1;
    if (from->kind == TY_ERROR || to->kind == TY_ERROR)
        return true;
    if (f == PK_LOCAL && t == PK_LOCAL && !node->null && differ_below(from->base, to->base)) {
        scc_error(g->unit, node->first, "%s '%s' to '%s'", doing, scc_type_name(g->unit, from),
                  scc_type_name(g->unit, to));
        return false;
    }
    if (f <= PK_LOCAL && t <= PK_LOCAL)
        return true;
    if (t < 0)
        return to->kind == TY_BOOL
                   ? true
                   : refuse(g, node, to, doing, f == PK_GLOBAL || f == PK_SPREAD ? "; use tolocal() or toproc()" : "");
    if (node->null)
        return true;
    if (f < 0)
        return refuse(g, node, to, doing, "");
    if (t == PK_LOCAL)
        return refuse(g, node, to, doing, "; use tolocal()");
    if (t == PK_SPREAD && f == PK_LOCAL)
        return refuse(g, node, to, doing, "; use tospread()");
    if (t == PK_SPREAD && f == PK_GLOBAL)
        return refuse(g, node, to, doing, "; cast it if its steps are to go from processor to processor");
    check_pointee(g, node, from, to, doing);
    return true;
}
