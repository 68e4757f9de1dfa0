/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lexer: cuts preprocessed text into tokens that remember where they stood in the source (line marks
 * of the preprocessor) and how they were written. It never fails: what is no token of C becomes TK_OTHER. */
#include "lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct lexer {
    struct scc_unit *unit;
    const char *at, *end;
    const char *line_start; /* columns count from here */
    uint32_t file, line;
    bool system;
    size_t capacity, file_capacity;
};

/* Longest first within a first character. */
static const struct {
    const char *text;
    uint8_t len, punct;
} puncts[] = {
    {"...", 3, P_ELLIPSIS},
    {"<<=", 3, P_LSHIFT_ASSIGN},
    {">>=", 3, P_RSHIFT_ASSIGN},
    {"->", 2, P_ARROW},
    {"++", 2, P_INC},
    {"--", 2, P_DEC},
    {"<<", 2, P_LSHIFT},
    {">>", 2, P_RSHIFT},
    {"<=", 2, P_LESS_EQUAL},
    {">=", 2, P_GREATER_EQUAL},
    {"==", 2, P_EQUAL},
    {"!=", 2, P_NOT_EQUAL},
    {"&&", 2, P_ANDAND},
    {"||", 2, P_OROR},
    {"*=", 2, P_MUL_ASSIGN},
    {"/=", 2, P_DIV_ASSIGN},
    {"%=", 2, P_MOD_ASSIGN},
    {"+=", 2, P_ADD_ASSIGN},
    {"-=", 2, P_SUB_ASSIGN},
    {"&=", 2, P_AND_ASSIGN},
    {"^=", 2, P_XOR_ASSIGN},
    {"|=", 2, P_OR_ASSIGN},
    {"##", 2, P_HASHHASH},
    {"<%", 2, P_LBRACE},
    {"%>", 2, P_RBRACE},
    {"<:", 2, P_LBRACKET},
    {":>", 2, P_RBRACKET},
    {"[", 1, P_LBRACKET},
    {"]", 1, P_RBRACKET},
    {"(", 1, P_LPAREN},
    {")", 1, P_RPAREN},
    {"{", 1, P_LBRACE},
    {"}", 1, P_RBRACE},
    {".", 1, P_DOT},
    {"&", 1, P_AND},
    {"*", 1, P_STAR},
    {"+", 1, P_PLUS},
    {"-", 1, P_MINUS},
    {"~", 1, P_TILDE},
    {"!", 1, P_NOT},
    {"/", 1, P_SLASH},
    {"%", 1, P_PERCENT},
    {"<", 1, P_LESS},
    {">", 1, P_GREATER},
    {"^", 1, P_XOR},
    {"|", 1, P_OR},
    {"?", 1, P_QUESTION},
    {":", 1, P_COLON},
    {";", 1, P_SEMICOLON},
    {"=", 1, P_ASSIGN},
    {",", 1, P_COMMA},
    {"#", 1, P_HASH},
};
enum { PUNCTS = sizeof puncts / sizeof puncts[0] };

const char *scc_operator_text(int op)
{
    if (op == P_GETPUT)
        return ":=";
    if (op == P_STORE)
        return ":-";
    for (int i = 0; i < PUNCTS; i++)
        if (puncts[i].punct == op && strchr("%:", puncts[i].text[puncts[i].len - 1]) == NULL)
            return puncts[i].text;
    return op == P_COLON ? ":" : op == P_PERCENT ? "%" : "?";
}

static bool is_name_char(unsigned char c)
{
    return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

static struct scc_token *new_token(struct lexer *l, int kind, const char *start)
{
    struct scc_unit *u = l->unit;
    if (u->token_count + 1 >= l->capacity) {
        l->capacity = l->capacity ? l->capacity * 2 : l->unit->len / 4 + 64;
        u->tokens = realloc(u->tokens, l->capacity * sizeof *u->tokens);
        if (u->tokens == NULL) {
            fputs("scc: out of memory\n", stderr);
            exit(1);
        }
    }
    const struct scc_token *before = u->token_count ? &u->tokens[u->token_count - 1] : NULL;
    const char *white = before ? before->src + before->src_len : u->text;
    ptrdiff_t column = start - l->line_start + 1;
    struct scc_token *t = &u->tokens[u->token_count++];
    *t = (struct scc_token){.text = start,
                            .src = start,
                            .kind = (uint8_t)kind,
                            .file = l->file,
                            .line = l->line,
                            .column = (uint16_t)(column > 65535 ? 65535 : column),
                            .space = start > white,
                            .system = l->system};
    return t;
}

static void finish(struct lexer *l, struct scc_token *t)
{
    t->len = t->src_len = (uint32_t)(l->at - t->src);
}

static uint32_t find_file(struct lexer *l, const char *name, size_t len)
{
    struct scc_unit *u = l->unit;
    for (uint32_t i = u->file_count; i-- > 0;)
        if (strlen(u->files[i].name) == len && memcmp(u->files[i].name, name, len) == 0)
            return i;
    if (u->file_count == l->file_capacity) {
        struct scc_file *old = u->files;
        l->file_capacity = l->file_capacity ? l->file_capacity * 2 : 64;
        u->files = scc_alloc(u, l->file_capacity * sizeof *u->files);
        if (old != NULL)
            memcpy(u->files, old, u->file_count * sizeof *old);
    }
    char *copy = scc_alloc(u, len + 1);
    memcpy(copy, name, len);
    u->files[u->file_count].name = copy;
    return u->file_count++;
}

/* `# 12 "file" 1 3`: flag 3 is a system header; ours are none. */
static bool line_mark(struct lexer *l, const char *eol)
{
    const char *p = l->at + 1;
    while (p < eol && (*p == ' ' || *p == '\t'))
        p++;
    if (eol - p > 4 && memcmp(p, "line", 4) == 0)
        for (p += 4; p < eol && (*p == ' ' || *p == '\t');)
            p++;
    if (p == eol || !isdigit((unsigned char)*p))
        return false;
    uint64_t line = 0;
    for (; p < eol && isdigit((unsigned char)*p); p++)
        line = (line * 10 + (uint64_t)(*p - '0')) & 0x7fffffff;
    while (p < eol && *p == ' ')
        p++;
    l->line = (uint32_t)line - 1; /* the newline at the mark's end adds one */
    if (p == eol || *p != '"')
        return true;
    const char *name = ++p;
    while (p < eol && *p != '"')
        p++;
    l->file = find_file(l, name, (size_t)(p - name));
    l->system = false;
    for (p += p < eol; p < eol; p++)
        l->system |= *p == '3';
    const char *path = l->unit->files[l->file].name;
    if (strstr(path, "split-c/") != NULL)
        l->system = false;
    return true;
}

/* A line that begins with `#`: a mark is white space, a pragma a token. */
static void directive(struct lexer *l)
{
    const char *eol = memchr(l->at, '\n', (size_t)(l->end - l->at));
    if (eol == NULL)
        eol = l->end;
    bool mark = line_mark(l, eol);
    struct scc_token *t = mark ? NULL : new_token(l, TK_PRAGMA, l->at);
    l->at = eol;
    if (t != NULL)
        finish(l, t);
}

/* Raw newlines in a string (the dialect of the 1990s) become `\n\` and a newline: same text, same lines. */
static void patch_string(struct lexer *l, struct scc_token *t, unsigned newlines)
{
    char *text = scc_alloc(l->unit, t->src_len + 3 * newlines + 1), *to = text;
    for (uint32_t i = 0; i < t->src_len; i++) {
        if (t->src[i] == '\n' && i > 0 && t->src[i - 1] != '\\') {
            memcpy(to, "\\n\\", 3);
            to += 3;
        }
        *to++ = t->src[i];
    }
    t->text = text;
    t->len = (uint32_t)(to - text);
}

static void string(struct lexer *l, const char *start)
{
    char quote = *l->at++;
    const char *body = l->at;
    unsigned newlines = 0;
    struct scc_token *t = new_token(l, quote == '"' ? TK_STRING : TK_CHAR, start);
    while (l->at < l->end && *l->at != quote && (quote == '"' || *l->at != '\n')) {
        if (*l->at == '\\' && l->at + 1 < l->end)
            l->at++;
        if (*l->at++ == '\n') {
            newlines++;
            l->line++;
            l->line_start = l->at;
        }
    }
    if (l->at < l->end && *l->at == quote) {
        l->at++;
    } else { /* unterminated: give up the one character */
        l->at = body;
        l->line -= newlines;
        newlines = 0;
        t->kind = TK_OTHER;
    }
    finish(l, t);
    if (newlines > 0)
        patch_string(l, t, newlines);
}

static void number(struct lexer *l)
{
    struct scc_token *t = new_token(l, TK_NUMBER, l->at);
    while (l->at < l->end) {
        char c = *l->at;
        bool sign = (c == '+' || c == '-') && strchr("eEpP", l->at[-1]) != NULL && l->at > t->src;
        bool hex = l->at - t->src > 1 && (t->src[1] == 'x' || t->src[1] == 'X');
        if (sign && hex && strchr("eE", l->at[-1]) != NULL)
            break;
        if (!sign && c != '.' && !is_name_char((unsigned char)c))
            break;
        l->at++;
    }
    finish(l, t);
}

static void word(struct lexer *l)
{
    const char *start = l->at;
    while (l->at < l->end && is_name_char((unsigned char)*l->at))
        l->at++;
    size_t len = (size_t)(l->at - start);
    bool prefix = (len == 1 && strchr("LuU", *start) != NULL) || (len == 2 && memcmp(start, "u8", 2) == 0);
    if (prefix && l->at < l->end && (*l->at == '"' || *l->at == '\'')) {
        string(l, start);
        return;
    }
    struct scc_token *t = new_token(l, TK_IDENT, start);
    finish(l, t);
    t->name = scc_intern(l->unit, start, len);
    if (t->name->keyword != 0)
        t->kind = TK_KEYWORD;
}

static void punct(struct lexer *l)
{
    size_t left = (size_t)(l->end - l->at);
    for (int i = 0; i < PUNCTS; i++) {
        if (puncts[i].text[0] != *l->at || puncts[i].len > left || memcmp(puncts[i].text, l->at, puncts[i].len) != 0)
            continue;
        struct scc_token *t = new_token(l, TK_PUNCT, l->at);
        t->punct = puncts[i].punct;
        l->at += puncts[i].len;
        finish(l, t);
        return;
    }
    struct scc_token *t = new_token(l, TK_OTHER, l->at++);
    finish(l, t);
}

static void skip_white(struct lexer *l, bool *line_begins)
{
    for (; l->at < l->end; l->at++) {
        if (*l->at == '\n') {
            l->line++;
            l->line_start = l->at + 1;
            *line_begins = true;
        } else if (*l->at != ' ' && *l->at != '\t' && *l->at != '\r' && *l->at != '\f' && *l->at != '\v') {
            return;
        }
    }
}

void scc_lex(struct scc_unit *unit, const char *name)
{
    struct lexer l = {
        .unit = unit, .at = unit->text, .end = unit->text + unit->len, .line_start = unit->text, .line = 1};
    l.file = find_file(&l, name, strlen(name));
    bool line_begins = true;
    for (;;) {
        skip_white(&l, &line_begins);
        if (l.at >= l.end)
            break;
        unsigned char c = (unsigned char)*l.at;
        bool digit = isdigit(c) || (c == '.' && l.at + 1 < l.end && isdigit((unsigned char)l.at[1]));
        if (c == '#' && line_begins)
            directive(&l);
        else if (digit)
            number(&l);
        else if (is_name_char(c))
            word(&l);
        else if (c == '"' || c == '\'')
            string(&l, l.at);
        else
            punct(&l);
        line_begins = false;
    }
    new_token(&l, TK_EOF, l.end);
}
