/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Constants: numbers with GNU's suffixes, characters and the lengths of strings (C17 6.4.4, 6.4.5). */
#include "parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *suffix;
    uint8_t kind;
} float_suffixes[] = {
    {"", TY_DOUBLE},       {"f", TY_FLOAT},      {"l", TY_LDOUBLE},     {"f16", TY_FLOAT16},
    {"f32", TY_FLOAT32},   {"f64", TY_FLOAT64},  {"f128", TY_FLOAT128}, {"f32x", TY_FLOAT32X},
    {"f64x", TY_FLOAT64X}, {"q", TY_FLOAT128},   {"w", TY_LDOUBLE},     {"d", TY_DOUBLE},
    {"df", TY_DECIMAL32},  {"dd", TY_DECIMAL64}, {"dl", TY_DECIMAL128}, {"bf16", TY_BFLOAT16},
};

static bool strip_imaginary(char *suffix)
{
    char *at = strpbrk(suffix, "ijIJ");
    if (at == NULL)
        return false;
    memmove(at, at + 1, strlen(at));
    return true;
}

static bool float_constant(struct scc_parser *p, struct scc_node *n, char *text, bool hex)
{
    char *s = text + (hex ? 2 : 0);
    for (; *s != 0; s++) {
        bool exponent = hex ? (*s == 'p' || *s == 'P') : (*s == 'e' || *s == 'E');
        if (exponent && (s[1] == '+' || s[1] == '-' || isdigit((unsigned char)s[1]))) {
            for (s += 2; isdigit((unsigned char)*s); s++)
                ;
            break;
        }
        if (!(hex ? isxdigit((unsigned char)*s) : isdigit((unsigned char)*s)) && *s != '.')
            break;
    }
    bool imaginary = strip_imaginary(s);
    for (size_t i = 0; i < sizeof float_suffixes / sizeof float_suffixes[0]; i++) {
        if (strcasecmp(s, float_suffixes[i].suffix) != 0)
            continue;
        n->type = p->basic[float_suffixes[i].kind];
        if (imaginary)
            n->type = scc_complex_of(p->unit, n->type);
        return true;
    }
    return false;
}

/* The first type of C17 6.4.4.1 that holds the value. */
static int integer_kind(uint64_t value, bool decimal, bool is_unsigned, int longs)
{
    static const uint8_t kinds[3][2] = {{TY_INT, TY_UINT}, {TY_LONG, TY_ULONG}, {TY_LLONG, TY_ULLONG}};
    for (int rank = longs; rank < 3; rank++) {
        uint64_t top = rank == 0 ? 0x7fffffff : 0x7fffffffffffffff;
        if (!is_unsigned && value <= top)
            return kinds[rank][0];
        if ((is_unsigned || !decimal) && value <= 2 * top + 1)
            return kinds[rank][1];
    }
    return TY_ULLONG;
}

static bool integer_constant(struct scc_parser *p, struct scc_node *n, char *text, int base)
{
    char *s = text + (base == 16 || base == 2 ? 2 : 0), *end = s;
    unsigned long long value = strtoull(s, &end, base);
    if (end == s)
        return false;
    bool imaginary = strip_imaginary(end), is_unsigned = false;
    int longs = 0;
    for (; *end != 0; end++) {
        bool u = *end == 'u' || *end == 'U', l = *end == 'l' || *end == 'L';
        if ((!u && !l) || (u && is_unsigned) || (l && longs == 2))
            return false;
        is_unsigned |= u;
        longs += l;
    }
    n->type = p->basic[integer_kind(value, base == 10, is_unsigned, longs)];
    if (imaginary) {
        n->type = scc_complex_of(p->unit, n->type);
        return true;
    }
    n->constant = true;
    n->null = value == 0;
    n->value = (int64_t)value;
    return true;
}

bool scc_number(struct scc_parser *p, struct scc_node *n)
{
    const struct scc_token *t = &p->unit->tokens[n->first];
    char text[512];
    size_t len = t->len < sizeof text - 1 ? t->len : sizeof text - 1;
    memcpy(text, t->text, len);
    text[len] = 0;
    n->type = p->basic[TY_INT];
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    bool binary = text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
    bool real = strpbrk(text, hex ? ".pP" : ".eE") != NULL;
    bool suffix = !hex && !binary && strpbrk(text, "fFdDqQwW") != NULL;
    if (real || suffix)
        return float_constant(p, n, text, hex);
    return integer_constant(p, n, text, hex ? 16 : binary ? 2 : text[0] == '0' ? 8 : 10);
}

/* One character of a literal, escapes read; *at moves past it. */
static int64_t one_character(const char **at, const char *end)
{
    static const char names[] = "abfnrtve", values[] = "\a\b\f\n\r\t\v\033";
    const char *s = *at;
    int64_t value = (unsigned char)*s++;
    if (value == '\\' && s < end) {
        const char *named = *s ? strchr(names, *s) : NULL;
        int base = *s == 'x' ? 16 : *s >= '0' && *s <= '7' ? 8 : 0;
        value = named ? values[named - names] : (unsigned char)*s;
        int digits = base == 8 ? 3 : 16;
        s += base != 8;
        for (value = base ? 0 : value; base && digits-- > 0 && s < end && isxdigit((unsigned char)*s); s++) {
            int d = isdigit((unsigned char)*s) ? *s - '0' : tolower((unsigned char)*s) - 'a' + 10;
            if (d >= base)
                break;
            value = (int64_t)((uint64_t)value * (uint64_t)base + (uint64_t)d);
        }
    }
    *at = s;
    return value;
}

int scc_prefix_kind(const struct scc_parser *p, const char *text)
{
    if (text[0] == 'L') /* wchar_t */
        return p->arm ? TY_UINT : TY_INT;
    return text[0] == 'U' ? TY_UINT : text[0] == 'u' && text[1] != '8' ? TY_USHORT : TY_CHAR;
}

void scc_char_value(struct scc_parser *p, struct scc_node *n)
{
    const struct scc_token *t = &p->unit->tokens[n->first];
    int kind = scc_prefix_kind(p, t->text);
    const char *end = t->text + t->len - 1, *s = memchr(t->text, '\'', t->len);
    n->type = p->basic[kind == TY_CHAR ? TY_INT : kind];
    uint32_t value = 0;
    int count = 0;
    for (s++; s < end; count++) {
        int64_t c = one_character(&s, end);
        value = kind == TY_CHAR ? value << 8 | ((uint32_t)c & 0xff) : (uint32_t)c;
    }
    n->constant = kind == TY_CHAR || (unsigned char)t->text[t->len - 2] < 0x80;
    n->value = count == 1 && kind == TY_CHAR && !p->arm ? (signed char)value
               : kind == TY_UINT || kind == TY_USHORT   ? (int64_t)value
                                                        : (int32_t)value;
}

uint64_t scc_string_length(struct scc_parser *p, const struct scc_token *t)
{
    const char *s = memchr(t->text, '"', t->len), *end = t->text + t->len - 1;
    bool wide = scc_prefix_kind(p, t->text) != TY_CHAR;
    uint64_t count = 0;
    if (s == NULL)
        return 0;
    for (s++; s < end; count++) {
        if (s[0] == '\\' && s + 1 < end && s[1] == '\n') {
            s += 2;
            count--;
            continue;
        }
        bool universal = s[0] == '\\' && s + 1 < end && (s[1] == 'u' || s[1] == 'U');
        one_character(&s, end);
        if (universal && s < end) {
            s += s[-1] == 'u' ? 4 : 8;
            s = s > end ? end : s;
        }
        while (wide && s < end && ((unsigned char)*s & 0xc0) == 0x80)
            s++;
    }
    return count;
}
