/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Declarations. One that declares a global or spread pointer or a spread array is
 * taken apart: each declarator is written with its own type; the others keep the
 * text they had.
 */
#include "gen.h"

#include <string.h>

/* Is it written differently in C? A typedef's name stands for what the typedef became. */
bool gen_rewrites(const struct scc_type *type)
{
    if (scc_is_spread_array(type))
        return true;
    if (type->name)
        return false;
    switch (type->kind) {
    case TY_POINTER:
        return type->pointer != PK_LOCAL || gen_rewrites(type->base);
    case TY_ARRAY:
        return gen_rewrites(type->base);
    case TY_FUNCTION:
        for (const struct scc_param *p = type->params; p; p = p->next)
            if (gen_rewrites(p->type))
                return true;
        return gen_rewrites(type->base);
    default:
        return false;
    }
}

static struct scc_node *kid_of(const struct scc_node *node, int kind)
{
    for (struct scc_node *kid = node->child; kid; kid = kid->next)
        if (kid->kind == kind)
            return kid;
    return NULL;
}

static bool storage_word(int keyword)
{
    switch (keyword) {
    case KW_STATIC:
    case KW_EXTERN:
    case KW_TYPEDEF:
    case KW_REGISTER:
    case KW_AUTO:
    case KW_INLINE:
    case KW_THREAD:
    case KW_NORETURN:
    case KW_EXTENSION:
        return true;
    default:
        return false;
    }
}

/* The specifiers that are no type: storage, inline, attributes. */
static char *storage_of(struct scc_gen *g, const struct scc_node *specs)
{
    char *text = scc_printf(g->unit, "%s", "");
    struct scc_node *kid = specs->child;
    for (uint32_t i = specs->first; i <= specs->last && !scc_is_empty(specs); i++) {
        while (kid && (scc_is_empty(kid) || kid->last < i))
            kid = kid->next;
        const struct scc_token *t = &g->unit->tokens[i];
        if (kid && i >= kid->first) {
            if (kid->kind == N_ATTRIBUTE || kid->kind == N_ALIGNAS)
                text = scc_printf(g->unit, "%s%s ", text, gen_flat(g, kid->first, kid->last));
            i = kid->last;
        } else if (t->kind == TK_KEYWORD && t->name && storage_word(t->name->keyword)) {
            text = scc_printf(g->unit, "%s%.*s ", text, (int)t->len, t->text);
        }
    }
    return text;
}

static char *attributes_of(struct scc_gen *g, const struct scc_node *declarator)
{
    char *text = scc_printf(g->unit, "%s", "");
    for (struct scc_node *kid = declarator->child; kid; kid = kid->next)
        if (kid->kind == N_ATTRIBUTE || kid->kind == N_ASM)
            text = scc_printf(g->unit, "%s %s", text, gen_flat(g, kid->first, kid->last));
    return text;
}

static const char *declared_name(const struct scc_node *d)
{
    if (d->symbol && d->symbol->name)
        return d->symbol->name->text;
    return d->member && d->member->name ? d->member->name->text : "";
}

static char *array_bytes(struct scc_gen *g, const struct scc_type *array)
{
    const struct scc_type *block = array;
    while (block->kind == TY_ARRAY && block->spread)
        block = block->base;
    return scc_printf(g->unit, "sc_rows((sc_size)(%s)) * %s", gen_blocks(g, array), gen_size(g, block));
}

static void static_array(struct scc_gen *g, const char *name, const struct scc_type *type, bool hidden)
{
    gen_put(g, " %svoid *%s; SC_STATIC_ARRAY(%s, %s)\n", hidden ? "static " : "", name, name, array_bytes(g, type));
    g->resync = true;
}

static void spread_array(struct scc_gen *g, const struct scc_node *specs, struct scc_node *d)
{
    const char *name = declared_name(d);
    int storage = specs->storage;
    if (d->symbol && d->symbol->kind == SY_PARAM) { /* of an old definition */
        gen_put(g, " struct sc_spread %s;", name);
    } else if (kid_of(d, N_INIT)) {
        scc_error(g->unit, d->first,
                  "a spread array cannot have an initialiser; each processor sets its own part when the program runs");
    } else if (storage == ST_TYPEDEF) {
        return; /* C has no use for it; sizes were kept */
    } else if (storage == ST_EXTERN) {
        gen_put(g, " extern void *%s;", name);
    } else if (d->type->incomplete) {
        scc_error(g->unit, d->first, "the spread array '%s' needs its size", name);
    } else if (g->depth == 0) {
        static_array(g, name, d->type, storage == ST_STATIC);
    } else if (storage != ST_STATIC) { /* static ones stand before the function: hoist_statics */
        gen_put(g, " void *%s SC_AUTO = (sc_at(__builtin_FILE(), %u), sc_auto(%s, \"%s\"));", name,
                g->unit->tokens[d->first].line, array_bytes(g, d->type), name);
    }
}

static bool is_late(const struct scc_gen *g, const struct scc_node *specs, const struct scc_node *d)
{
    const struct scc_node *init = kid_of(d, N_INIT);
    bool is_static = g->depth == 0 || specs->storage == ST_STATIC || specs->storage == ST_EXTERN;
    return is_static && init && init->child && gen_late(init->child, d->type);
}

/* The declarator with its own specifiers, up to its `;`. */
static void apart(struct scc_gen *g, const struct scc_node *specs, struct scc_node *d)
{
    if (g->depth > 0 && specs->storage != ST_STATIC && specs->storage != ST_EXTERN)
        gen_keep_sizes(g, d->type);
    if (scc_is_spread_array(d->type)) {
        spread_array(g, specs, d);
        return;
    }
    struct scc_node *init = kid_of(d, N_INIT), *bits = kid_of(d, N_BITS);
    bool late = is_late(g, specs, d);
    struct scc_type *type = late ? scc_qualified(g->unit, d->type, d->type->quals & ~Q_CONST) : d->type;
    gen_put(g, " %s%s%s", storage_of(g, specs), gen_type(g, type, declared_name(d)), attributes_of(g, d));
    if (bits)
        scc_error(g->unit, d->first, "a bit-field cannot be a pointer");
    if (late) {
        gen_put(g, ";");
        gen_late_init(g, declared_name(d), init->child, d->type);
        return;
    }
    if (init && init->child) {
        gen_put(g, " = ");
        gen_init(g, init->child, d->type);
    }
    gen_put(g, ";");
}

/* What stands for an initialiser that comes late; an array without a size has it from here. */
static void zeroes(struct scc_gen *g, const struct scc_node *d)
{
    if (d->type->quals & Q_CONST)
        scc_error(g->unit, d->first,
                  "a constant object of static storage cannot begin with a global or spread pointer; leave out const");
    if (d->type->kind == TY_ARRAY && d->type->count > 0)
        gen_put(g, " { [%llu] = {} }", (unsigned long long)d->type->count - 1);
    else
        gen_put(g, " {}");
}

/* A declarator whose own text stays: its initialiser may still hold Split-C. */
static void declarator_as_written(struct scc_gen *g, const struct scc_node *specs, struct scc_node *d)
{
    struct scc_node *init = kid_of(d, N_INIT);
    if (!d->splitc || !init || !init->child) {
        gen_node(g, d);
        return;
    }
    bool late = is_late(g, specs, d);
    uint32_t at = d->first;
    for (struct scc_node *kid = d->child; kid; kid = kid->next) {
        if (scc_is_empty(kid))
            continue;
        if (kid->first > at)
            gen_verbatim(g, at, kid->first - 1);
        if (kid == init && late)
            zeroes(g, d);
        else if (kid == init)
            gen_init(g, kid->child, d->type);
        else
            gen_node(g, kid);
        at = kid->last + 1;
    }
    gen_verbatim(g, at, d->last);
    if (late) {
        gen_put(g, ";");
        gen_late_init(g, declared_name(d), init->child, d->type);
    }
}

static struct scc_node *defines_record(const struct scc_node *specs)
{
    struct scc_node *record = kid_of(specs, N_RECORD);
    return record ? record : kid_of(specs, N_ENUM);
}

/* The type that the specifiers define, as a declaration of its own. */
static void body_alone(struct scc_gen *g, const struct scc_node *specs)
{
    if (!defines_record(specs))
        return;
    gen_node(g, defines_record(specs));
    gen_put(g, ";");
}

static void take_apart(struct scc_gen *g, struct scc_node *specs)
{
    bool record = defines_record(specs);
    if (gen_rewrites(specs->next->type))
        body_alone(g, specs);
    bool first = true;
    for (struct scc_node *d = specs->next; d; d = d->next, first = false) {
        if (d->kind != N_DECLARATOR)
            continue;
        if (gen_rewrites(d->type)) {
            apart(g, specs, d);
            continue;
        }
        if (record && !first)
            gen_put(g, " %s%s ", storage_of(g, specs), gen_type(g, specs->type, ""));
        else
            gen_node(g, specs);
        gen_put(g, " ");
        declarator_as_written(g, specs, d);
        gen_put(g, ";");
    }
}

static void second_names(struct scc_gen *g, const struct scc_node *node)
{
    for (const struct scc_node *d = node->child; d; d = d->next)
        if (d->kind == N_DECLARATOR && d->symbol && d->symbol->kind == SY_TYPEDEF && d->symbol->hidden &&
            !scc_is_spread_array(d->type))
            gen_put(g, " typedef %s %s;", d->symbol->name->text, gen_typedef_name(g, d->symbol));
}

static void declaration(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *specs = node->child;
    if (!specs || specs->kind != N_SPECS) {
        gen_splice(g, node);
        return;
    }
    for (struct scc_node *d = specs->next; d; d = d->next)
        if (d->kind == N_DECLARATOR && d->type && (gen_rewrites(d->type) || is_late(g, specs, d))) {
            take_apart(g, specs);
            return;
        }
    uint32_t at = node->first;
    for (struct scc_node *kid = specs; kid; kid = kid->next) {
        if (scc_is_empty(kid))
            continue;
        if (kid->first > at)
            gen_verbatim(g, at, kid->first - 1);
        if (kid->kind == N_DECLARATOR)
            declarator_as_written(g, specs, kid);
        else
            gen_node(g, kid);
        at = kid->last + 1;
    }
    gen_verbatim(g, at, node->last);
}

void gen_decl(struct scc_gen *g, struct scc_node *node)
{
    declaration(g, node);
    second_names(g, node);
}

/* Static spread arrays of a function's body are registered before the function, under names of their own. */
static void hoist_statics(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *specs = node->kind == N_DECL ? node->child : NULL;
    for (struct scc_node *d = specs && specs->storage == ST_STATIC ? specs->next : NULL; d; d = d->next) {
        if (d->kind != N_DECLARATOR || !d->symbol || !scc_is_spread_array(d->type))
            continue;
        struct scc_gen_symbol *mine = scc_alloc(g->unit, sizeof *mine);
        mine->renamed = scc_printf(g->unit, "sc_%s_%u", declared_name(d), g->serial++);
        d->symbol->gen = mine;
        static_array(g, mine->renamed, d->type, true);
    }
    for (struct scc_node *kid = node->child; kid; kid = kid->next)
        if (kid->splitc)
            hoist_statics(g, kid);
}

/* The specifiers, from where `extern` stood if that was left out. */
static uint32_t without_extern(const struct scc_gen *g, const struct scc_node *specs)
{
    for (uint32_t i = specs->first; i <= specs->last; i++) {
        const struct scc_token *t = &g->unit->tokens[i];
        if (t->kind == TK_KEYWORD && t->name->keyword == KW_EXTERN)
            return i + 1;
    }
    return specs->first;
}

static void function_head(struct scc_gen *g, struct scc_node *specs, struct scc_node *d, bool own)
{
    const struct scc_type *type = d->type;
    bool as_written = !gen_rewrites(type) || (type->old_style && !gen_rewrites(type->base));
    struct scc_node rest = *specs;
    if (!as_written)
        body_alone(g, specs);
    if (own) {
        rest.first = without_extern(g, specs);
        gen_put(g, " static ");
    }
    if (as_written) {
        for (uint32_t i = specs->first; i + 1 < rest.first; i++)
            gen_verbatim(g, i, i);
        gen_node(g, &rest);
        gen_verbatim(g, d->first, d->last);
        return;
    }
    gen_put(g, "%s%s%s", attributes_of(g, d), *attributes_of(g, d) ? " " : "", storage_of(g, &rest));
    gen_put(g, "%s", gen_function_type(g, type, declared_name(d), type->old_style));
}

/* After splitc_main: the main() that runs it, by whatever parameters it was written with. */
static void write_main(struct scc_gen *g, const struct scc_type *type)
{
    static const char *const arguments[] = {"", "argc", "argc, argv"};
    unsigned n = 0;
    for (const struct scc_param *p = type->params; p; p = p->next)
        n++;
    if (n > 2)
        n = 2;
    gen_put(g, "\nSC_MAIN_%s(splitc_main(%s))", type->base->kind == TY_VOID ? "VOID" : "INT", arguments[n]);
}

static bool old_inline(const struct scc_node *specs, const struct scc_unit *unit)
{
    return specs->inlined && specs->storage == ST_EXTERN && !scc_is_empty(specs) && !unit->tokens[specs->first].system;
}

/* gnu89's extern inline is no definition. Where none follows, and no declaration stood before that would forbid it,
 * the file has one of its own, since in programs of the 1990s there often is no other. */
static bool is_alone(const struct scc_gen *g, const struct scc_node *function, const struct scc_node *d)
{
    const struct scc_symbol *symbol = d->symbol;
    bool first = symbol && symbol->token >= d->first && symbol->token <= d->last;
    for (const struct scc_node *n = g->unit->root->child; first && n; n = n->next)
        if (n->kind == N_FUNCTION && n != function && n->symbol == symbol)
            return false;
    return first;
}

/* A definition that other files may have, too: from a header, say. */
static bool plain_inline(const struct scc_node *specs, const struct scc_node *d)
{
    return specs->inlined && specs->storage == ST_NONE && d->symbol && !d->symbol->internal;
}

bool gen_special_function(struct scc_gen *g, const struct scc_node *node)
{
    const struct scc_node *specs = scc_kid(node, 0), *d = scc_kid(node, 1);
    const char *name = d ? declared_name(d) : "";
    return d && (old_inline(specs, g->unit) || plain_inline(specs, d) || !strcmp(name, "splitc_main") ||
                 !strcmp(name, "main"));
}

/* The braces, with the sizes of parameters behind the first and a return before the last. */
static void function_body(struct scc_gen *g, const struct scc_type *type, struct scc_node *body, bool returns)
{
    struct scc_node inner = *body;
    inner.first++;
    inner.last--;
    gen_verbatim(g, body->first, body->first);
    g->depth++;
    for (struct scc_param *p = type->params; p; p = p->next)
        if (p->symbol && gen_rewrites(p->symbol->type))
            gen_keep_sizes(g, p->symbol->type);
    if (body->splitc)
        gen_splice(g, &inner);
    else
        gen_verbatim(g, inner.first, inner.last);
    g->depth--;
    if (returns)
        gen_put(g, " return 0; ");
    gen_verbatim(g, body->last, body->last);
}

void gen_function(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *specs = scc_kid(node, 0), *d = scc_kid(node, 1), *body = d;
    while (body->next)
        body = body->next;
    const struct scc_type *outer = g->result;
    if (!strcmp(declared_name(d), "main") && scc_lookup(g->unit, "splitc_main"))
        scc_error(g->unit, d->first, "a program begins with splitc_main(); it has no main()");
    bool is_main = g->depth == 0 && !strcmp(declared_name(d), "splitc_main");
    hoist_statics(g, body);
    gen_mark(g, node->first);
    bool own = old_inline(specs, g->unit) && is_alone(g, node, d);
    if (old_inline(specs, g->unit) && !own)
        gen_put(g, " __attribute__((gnu_inline, always_inline)) ");
    g->result = d->type->base;
    function_head(g, specs, d, own);
    for (struct scc_node *kid = d->next; kid && kid != body; kid = kid->next)
        gen_node(g, kid);
    gen_put(g, " ");
    function_body(g, d->type, body, is_main && d->type->base->kind != TY_VOID);
    g->result = outer;
    if (is_main)
        write_main(g, d->type);
    if (g->depth == 0 && plain_inline(specs, d))
        gen_put(g, "\nSC_SHARED(%s)", declared_name(d));
    g->resync = true;
}

void gen_typename(struct scc_gen *g, struct scc_node *node)
{
    if (node->type && gen_rewrites(node->type))
        gen_put(g, " %s", gen_type(g, node->type, ""));
    else
        gen_splice(g, node);
}

void gen_specs(struct scc_gen *g, struct scc_node *node)
{
    gen_splice(g, node);
}

/* Its own tokens, with a tag where gen_name_records wants one. */
void gen_record(struct scc_gen *g, struct scc_node *node)
{
    if (node->op != 1) {
        gen_splice(g, node);
        return;
    }
    struct scc_node rest = *node;
    rest.first++;
    gen_verbatim(g, node->first, node->first);
    gen_put(g, " sc_anonymous_%u", node->first);
    gen_splice(g, &rest);
}
