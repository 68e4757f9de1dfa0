/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Types written as C: from the inside of the declarator to its outside, as C
 * declares. A pointer that is global or spread ends the declarator, because its
 * representation does not depend on what it points to.
 */
#include "gen.h"

#include <string.h>

static const char *const basic[] = {
    [TY_ERROR] = "int",
    [TY_VOID] = "void",
    [TY_BOOL] = "_Bool",
    [TY_CHAR] = "char",
    [TY_SCHAR] = "signed char",
    [TY_UCHAR] = "unsigned char",
    [TY_SHORT] = "short",
    [TY_USHORT] = "unsigned short",
    [TY_INT] = "int",
    [TY_UINT] = "unsigned int",
    [TY_LONG] = "long",
    [TY_ULONG] = "unsigned long",
    [TY_LLONG] = "long long",
    [TY_ULLONG] = "unsigned long long",
    [TY_INT128] = "__int128",
    [TY_UINT128] = "unsigned __int128",
    [TY_FLOAT16] = "_Float16",
    [TY_BFLOAT16] = "__bf16",
    [TY_FLOAT] = "float",
    [TY_DOUBLE] = "double",
    [TY_LDOUBLE] = "long double",
    [TY_FLOAT128] = "_Float128",
    [TY_FLOAT32] = "_Float32",
    [TY_FLOAT64] = "_Float64",
    [TY_FLOAT32X] = "_Float32x",
    [TY_FLOAT64X] = "_Float64x",
    [TY_DECIMAL32] = "_Decimal32",
    [TY_DECIMAL64] = "_Decimal64",
    [TY_DECIMAL128] = "_Decimal128",
};

static const char *qualifiers(struct scc_gen *g, int quals)
{
    return scc_printf(g->unit, "%s%s%s%s", quals & Q_CONST ? "const " : "", quals & Q_VOLATILE ? "volatile " : "",
                      quals & Q_RESTRICT ? "__restrict " : "", quals & Q_ATOMIC ? "_Atomic " : "");
}

static char *join(struct scc_gen *g, const char *quals, const char *word, const char *declarator)
{
    return scc_printf(g->unit, "%s%s%s%s", quals, word, *declarator ? " " : "", declarator);
}

/* One that inner scopes hide has a second name. */
const char *gen_typedef_name(struct scc_gen *g, const struct scc_symbol *symbol)
{
    return symbol->hidden ? scc_printf(g->unit, "sc_t_%u", symbol->token) : symbol->name->text;
}

static const char *record_word(struct scc_gen *g, const struct scc_type *type)
{
    static const char *const keys[] = {[TY_ENUM] = "enum", [TY_STRUCT] = "struct", [TY_UNION] = "union"};
    const struct scc_record *record = type->record;
    if (record->tag)
        return scc_printf(g->unit, "%s %s", keys[type->kind], record->tag->text);
    if (record->node && record->node->symbol) /* a typedef that names it: gen_name_records */
        return gen_typedef_name(g, record->node->symbol);
    if (type->kind == TY_ENUM)
        return basic[type->unsigned_enum ? TY_UINT : TY_INT];
    return scc_printf(g->unit, "%s sc_anonymous_%u", keys[type->kind], record->node ? record->node->first : 0);
}

static char *dimension(struct scc_gen *g, const struct scc_type *type)
{
    if (type->dim && type->dim->kept)
        return scc_printf(g->unit, "%s", type->dim->kept);
    if (type->dim)
        return type->dim->splitc ? gen_captured(g, type->dim, gen_value)
                                 : gen_flat(g, type->dim->first, type->dim->last);
    if (type->incomplete || type->vla)
        return scc_printf(g->unit, "%s", "");
    return scc_printf(g->unit, "%llu", (unsigned long long)type->count);
}

static char *parameters(struct scc_gen *g, const struct scc_type *type, bool old_style)
{
    char *list = scc_printf(g->unit, "%s", type->params || type->old_style || old_style ? "" : "void");
    for (const struct scc_param *p = type->params; p; p = p->next) {
        const char *name = p->symbol && p->symbol->name ? p->symbol->name->text : "";
        char *one = old_style ? scc_printf(g->unit, "%s", name) : gen_type(g, p->type, name);
        list = scc_printf(g->unit, "%s%s%s", list, *list ? ", " : "", one);
    }
    return type->variadic && !old_style ? scc_printf(g->unit, "%s, ...", list) : list;
}

char *gen_function_type(struct scc_gen *g, const struct scc_type *type, const char *name, bool old_style)
{
    char *inner = scc_printf(g->unit, "%s(%s)", name, parameters(g, type, old_style));
    return gen_type(g, type->base, inner);
}

static char *pointer(struct scc_gen *g, const struct scc_type *type, const char *quals, const char *declarator)
{
    const struct scc_type *base = type->base;
    if (type->pointer != PK_LOCAL)
        return join(g, quals, type->pointer == PK_GLOBAL ? "struct sc_global" : "struct sc_spread", declarator);
    bool wrap = (base->kind == TY_ARRAY || base->kind == TY_FUNCTION) && !base->name;
    char *inner = scc_printf(g->unit, wrap ? "(*%s%s)" : "*%s%s", quals, declarator);
    return gen_type(g, base, inner);
}

char *gen_type(struct scc_gen *g, const struct scc_type *type, const char *declarator)
{
    const char *quals = qualifiers(g, type->quals);
    if (type->name && !(type->kind == TY_ARRAY && type->spread))
        return join(g, quals, gen_typedef_name(g, type->name), declarator);
    switch (type->kind) {
    case TY_POINTER:
        return pointer(g, type, quals, declarator);
    case TY_ARRAY:
        if (type->spread)
            return join(g, "", "struct sc_spread", declarator);
        return gen_type(g, type->base, scc_printf(g->unit, "%s[%s]", declarator, dimension(g, type)));
    case TY_FUNCTION:
        return gen_function_type(g, type, declarator, false);
    case TY_COMPLEX:
        return join(g, quals, scc_printf(g->unit, "_Complex %s", basic[type->base->kind]), declarator);
    case TY_VECTOR:
        return scc_printf(g->unit, "%s__attribute__((vector_size(%llu))) %s", quals, (unsigned long long)type->size,
                          gen_type(g, type->base, declarator));
    case TY_ENUM:
    case TY_STRUCT:
    case TY_UNION:
        return join(g, quals, record_word(g, type), declarator);
    default:
        return join(g, quals, basic[type->kind], declarator);
    }
}

/* What the type's sizes are now, kept in variables for its later uses (C17 6.7.6.2). */
void gen_keep_sizes(struct scc_gen *g, struct scc_type *type)
{
    for (; type && !type->name && (type->kind == TY_POINTER || type->kind == TY_ARRAY); type = type->base) {
        if (type->kind != TY_ARRAY || !type->vla || !type->dim || type->dim->kept)
            continue;
        char *name = scc_printf(g->unit, "sc_n_%u", g->serial++);
        gen_put(g, " const long %s __attribute__((unused)) = (%s);", name, dimension(g, type));
        type->dim->kept = name;
    }
}

/* A type name for a value of the type: its own qualifiers do not matter. */
char *gen_type_plain(struct scc_gen *g, const struct scc_type *type)
{
    return gen_type(g, type->plain ? type->plain : type, "");
}

char *gen_blocks(struct scc_gen *g, const struct scc_type *array)
{
    char *blocks = scc_printf(g->unit, "(long)1");
    for (; array->kind == TY_ARRAY && array->spread; array = array->base)
        blocks = scc_printf(g->unit, "%s * (%s)", blocks, dimension(g, array));
    return blocks;
}

char *gen_size(struct scc_gen *g, const struct scc_type *type)
{
    if (type->kind == TY_ARRAY && type->spread) {
        const struct scc_type *block = type;
        while (block->kind == TY_ARRAY && block->spread)
            block = block->base;
        return scc_printf(g->unit, "((unsigned long)(%s) * sizeof(%s))", gen_blocks(g, type), gen_type_plain(g, block));
    }
    if (type->kind == TY_VOID || type->kind == TY_FUNCTION)
        return scc_printf(g->unit, "1ul");
    return scc_printf(g->unit, "sizeof(%s)", gen_type_plain(g, type));
}

/* Anonymous records that are more than a member need a name when their type has to be written:
 * the typedef they were defined in gives it, the others get a tag. */
static bool name_record(struct scc_gen *g, struct scc_node *node, struct scc_node *decl)
{
    if (node->type == NULL || node->type->record == NULL || node->type->record->tag)
        return false;
    struct scc_node *specs = decl ? scc_kid(decl, 0) : NULL;
    for (struct scc_node *d = specs ? specs->next : NULL; d; d = d->next)
        if (specs->storage == ST_TYPEDEF && d->symbol && d->type && d->type->record == node->type->record) {
            node->symbol = d->symbol;
            return false;
        }
    bool member = decl && specs && !specs->next;
    if (node->kind == N_ENUM || member || g->unit->tokens[node->first].system)
        return false;
    node->splitc = true;
    node->op = 1; /* write a tag */
    return true;
}

static bool leads_far(const struct scc_type *type)
{
    while (type->kind == TY_POINTER && type->pointer == PK_LOCAL)
        type = type->base;
    return type->kind == TY_POINTER;
}

/* Does a child's value look different in C, so that even an unmarked parent must be rewritten? */
static bool has_far_child(const struct scc_node *node)
{
    if ((node->kind < S_IF && node->kind != N_INIT && node->kind != N_INIT_ITEM) || node->kind == X_PAREN)
        return false;
    for (const struct scc_node *kid = node->child; kid; kid = kid->next)
        if (kid->kind >= X_FIRST && kid->type &&
            (gen_remote(kid) || scc_is_spread_array(kid->type) || leads_far(kid->type)))
            return true;
    return false;
}

static bool hidden_typedef(const struct scc_node *decl)
{
    for (const struct scc_node *d = decl->child; d; d = d->next)
        if (d->kind == N_DECLARATOR && d->symbol && d->symbol->kind == SY_TYPEDEF && d->symbol->hidden)
            return true;
    return false;
}

static bool name_below(struct scc_gen *g, struct scc_node *node, struct scc_node *decl)
{
    bool found = has_far_child(node);
    if (node->kind == N_RECORD || node->kind == N_ENUM)
        found |= name_record(g, node, decl);
    if (node->kind == N_FUNCTION) /* looked at even without Split-C: splitc_main, gnu89's extern inline */
        found |= gen_special_function(g, node);
    if (node->kind == N_DECL)
        found |= hidden_typedef(node);
    found |= gen_is_collective(node);
    if (node->kind == N_DECL)
        decl = node;
    else if (node->kind != N_SPECS)
        decl = NULL;
    for (struct scc_node *kid = node->child; kid; kid = kid->next)
        found |= name_below(g, kid, decl);
    node->splitc |= found;
    return found;
}

void gen_name_records(struct scc_gen *g, struct scc_node *root)
{
    name_below(g, root, NULL);
}
