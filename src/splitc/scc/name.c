/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Identifiers, interned once so that the parser compares pointers, and the words of GNU C among them. */
#include "lex.h"
#include "parse.h"

#include <string.h>

static const struct {
    const char *text;
    uint16_t keyword;
} keywords[] = {
    {"auto", KW_AUTO},
    {"break", KW_BREAK},
    {"case", KW_CASE},
    {"char", KW_CHAR},
    {"const", KW_CONST},
    {"__const", KW_CONST},
    {"__const__", KW_CONST},
    {"continue", KW_CONTINUE},
    {"default", KW_DEFAULT},
    {"do", KW_DO},
    {"double", KW_DOUBLE},
    {"else", KW_ELSE},
    {"enum", KW_ENUM},
    {"extern", KW_EXTERN},
    {"float", KW_FLOAT},
    {"for", KW_FOR},
    {"goto", KW_GOTO},
    {"if", KW_IF},
    {"inline", KW_INLINE},
    {"__inline", KW_INLINE},
    {"__inline__", KW_INLINE},
    {"int", KW_INT},
    {"long", KW_LONG},
    {"register", KW_REGISTER},
    {"restrict", KW_RESTRICT},
    {"__restrict", KW_RESTRICT},
    {"__restrict__", KW_RESTRICT},
    {"return", KW_RETURN},
    {"short", KW_SHORT},
    {"signed", KW_SIGNED},
    {"__signed", KW_SIGNED},
    {"__signed__", KW_SIGNED},
    {"sizeof", KW_SIZEOF},
    {"static", KW_STATIC},
    {"struct", KW_STRUCT},
    {"switch", KW_SWITCH},
    {"typedef", KW_TYPEDEF},
    {"union", KW_UNION},
    {"unsigned", KW_UNSIGNED},
    {"void", KW_VOID},
    {"volatile", KW_VOLATILE},
    {"__volatile", KW_VOLATILE},
    {"__volatile__", KW_VOLATILE},
    {"while", KW_WHILE},
    {"_Alignas", KW_ALIGNAS},
    {"_Alignof", KW_ALIGNOF},
    {"__alignof", KW_ALIGNOF},
    {"__alignof__", KW_ALIGNOF},
    {"_Atomic", KW_ATOMIC},
    {"_Bool", KW_BOOL},
    {"_Complex", KW_COMPLEX},
    {"__complex", KW_COMPLEX},
    {"__complex__", KW_COMPLEX},
    {"_Generic", KW_GENERIC},
    {"_Noreturn", KW_NORETURN},
    {"_Static_assert", KW_STATIC_ASSERT},
    {"_Thread_local", KW_THREAD},
    {"__thread", KW_THREAD},
    {"asm", KW_ASM},
    {"__asm", KW_ASM},
    {"__asm__", KW_ASM},
    {"typeof", KW_TYPEOF},
    {"__typeof", KW_TYPEOF},
    {"__typeof__", KW_TYPEOF},
    {"__attribute", KW_ATTRIBUTE},
    {"__attribute__", KW_ATTRIBUTE},
    {"__extension__", KW_EXTENSION},
    {"__real", KW_REAL},
    {"__real__", KW_REAL},
    {"__imag", KW_IMAG},
    {"__imag__", KW_IMAG},
    {"__label__", KW_LABEL},
    {"__int128", KW_INT128},
    {"__auto_type", KW_AUTO_TYPE},
    {"_Float16", KW_FLOAT16},
    {"_Float32", KW_FLOAT32},
    {"_Float64", KW_FLOAT64},
    {"_Float128", KW_FLOAT128},
    {"__float128", KW_FLOAT128},
    {"_Float32x", KW_FLOAT32X},
    {"_Float64x", KW_FLOAT64X},
    {"__bf16", KW_BFLOAT16},
    {"_Decimal32", KW_DECIMAL32},
    {"_Decimal64", KW_DECIMAL64},
    {"_Decimal128", KW_DECIMAL128},
    {"__builtin_va_arg", KW_VA_ARG},
    {"__builtin_offsetof", KW_OFFSETOF},
    {"__builtin_types_compatible_p", KW_TYPES_COMPATIBLE},
    {"__builtin_choose_expr", KW_CHOOSE_EXPR},
    {"__builtin_convertvector", KW_CONVERTVECTOR},
    {"__builtin_has_attribute", KW_HAS_ATTRIBUTE},
    {"__func__", KW_FUNCTION_NAME},
    {"__FUNCTION__", KW_FUNCTION_NAME},
    {"__PRETTY_FUNCTION__", KW_FUNCTION_NAME},
};

static uint32_t hash(const char *text, size_t len)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

struct scc_name *scc_intern(struct scc_unit *unit, const char *text, size_t len)
{
    uint32_t h = hash(text, len);
    struct scc_name **slot = &unit->parser->names[h % SCC_NAME_SLOTS];
    for (struct scc_name *n = *slot; n != NULL; n = n->chain)
        if (n->hash == h && n->len == len && memcmp(n->text, text, len) == 0)
            return n;
    struct scc_name *n = scc_alloc(unit, sizeof *n + len + 1);
    char *copy = (char *)(n + 1);
    memcpy(copy, text, len);
    *n = (struct scc_name){.chain = *slot, .text = copy, .len = (uint32_t)len, .hash = h};
    *slot = n;
    return n;
}

void scc_intern_keywords(struct scc_unit *unit)
{
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        scc_intern(unit, keywords[i].text, strlen(keywords[i].text))->keyword = keywords[i].keyword;
}
