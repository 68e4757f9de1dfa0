/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Types in words, for messages: written as Split-C would declare them. */
#include "parse.h"

#include <string.h>

static const char *const basic_names[TY_DECIMAL128 + 1] = {
    "unknown type", "void",
    "_Bool",        "char",
    "signed char",  "unsigned char",
    "short",        "unsigned short",
    "int",          "unsigned int",
    "long",         "unsigned long",
    "long long",    "unsigned long long",
    "__int128",     "unsigned __int128",
    "_Float16",     "__bf16",
    "float",        "double",
    "long double",  "_Float128",
    "_Float32",     "_Float64",
    "_Float32x",    "_Float64x",
    "_Decimal32",   "_Decimal64",
    "_Decimal128",
};

static const char *record_name(struct scc_unit *unit, const struct scc_type *t)
{
    const char *what = t->kind == TY_STRUCT ? "struct" : t->kind == TY_UNION ? "union" : "enum";
    return scc_printf(unit, "%s %s", what, t->record->tag ? t->record->tag->text : "{...}");
}

static const char *quals_text(struct scc_unit *unit, int quals)
{
    return scc_printf(unit, "%s%s%s", quals & Q_CONST ? "const " : "", quals & Q_VOLATILE ? "volatile " : "",
                      quals & Q_ATOMIC ? "_Atomic " : "");
}

static const char *leaf_name(struct scc_unit *unit, const struct scc_type *t)
{
    const char *quals = quals_text(unit, t->quals);
    if (t->kind <= TY_DECIMAL128)
        return scc_printf(unit, "%s%s", quals, basic_names[t->kind]);
    if (t->kind == TY_COMPLEX)
        return scc_printf(unit, "%s_Complex %s", quals, scc_type_name(unit, t->base));
    if (t->kind == TY_VECTOR)
        return scc_printf(unit, "%s%s __attribute__((vector_size(%llu)))", quals, scc_type_name(unit, t->base),
                          (unsigned long long)t->size);
    return scc_printf(unit, "%s%s", quals, record_name(unit, t));
}

static const char *dimensions(struct scc_unit *unit, const struct scc_type **at)
{
    const char *text = "";
    bool spread = false;
    const struct scc_type *t = *at;
    for (; t->kind == TY_ARRAY; t = t->base) {
        const char *colons = spread && !t->spread ? "::" : "";
        spread = t->spread;
        bool known = !t->vla && !t->incomplete;
        const char *count = known ? scc_printf(unit, "%llu", (unsigned long long)t->count) : t->vla ? "*" : "";
        text = scc_printf(unit, "%s%s[%s]", text, colons, count);
    }
    *at = t;
    return spread ? scc_printf(unit, "%s::", text) : text;
}

static const char *parameters(struct scc_unit *unit, const struct scc_type *t)
{
    const char *text = t->params == NULL && !t->old_style && !t->variadic ? "void" : "";
    for (const struct scc_param *p = t->params; p != NULL; p = p->next)
        text = scc_printf(unit, "%s%s%s", text, p == t->params ? "" : ", ", scc_type_name(unit, p->type));
    return t->variadic ? scc_printf(unit, "%s%s...", text, t->params ? ", " : "") : text;
}

static const char *with_inner(struct scc_unit *unit, const struct scc_type *t, const char *inner)
{
    static const char *const kinds[] = {"", "global", "spread"};
    while (t->kind == TY_POINTER || t->kind == TY_ARRAY || t->kind == TY_FUNCTION) {
        if (t->kind == TY_POINTER) {
            const char *quals = quals_text(unit, t->quals);
            bool space = (kinds[t->pointer][0] || quals[0]) && inner[0] && inner[0] != ')';
            inner = scc_printf(unit, "*%s%s%s%s", quals, kinds[t->pointer], space ? " " : "", inner);
            t = t->base;
            if (t->kind == TY_ARRAY || t->kind == TY_FUNCTION)
                inner = scc_printf(unit, "(%s)", inner);
        } else if (t->kind == TY_ARRAY) {
            inner = scc_printf(unit, "%s%s", inner, dimensions(unit, &t));
        } else {
            inner = scc_printf(unit, "%s(%s)", inner, parameters(unit, t));
            t = t->base;
        }
    }
    return scc_printf(unit, "%s%s%s", leaf_name(unit, t), inner[0] ? " " : "", inner);
}

const char *scc_type_name(struct scc_unit *unit, const struct scc_type *type)
{
    return with_inner(unit, type, "");
}
