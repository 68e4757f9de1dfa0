/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages: file, line and column as in the source the user wrote, the line and a caret. Macro expansion
 * moves columns, so the token is looked up in the source line again (the same occurrence of its text). */
#include "ast.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void read_file(struct scc_unit *unit, struct scc_file *file)
{
    enum { LIMIT = 64 << 20 };
    file->tried = true;
    FILE *in = file->name[0] == '<' ? NULL : fopen(file->name, "rb");
    if (in == NULL)
        return;
    size_t size = 0;
    if (fseek(in, 0, SEEK_END) == 0 && ftell(in) > 0 && ftell(in) < LIMIT)
        size = (size_t)ftell(in);
    rewind(in);
    if (size > 0) {
        file->text = scc_alloc(unit, size + 1);
        file->len = fread(file->text, 1, size, in);
    }
    fclose(in);
}

static const char *source_line(struct scc_unit *unit, const struct scc_token *t, size_t *len)
{
    struct scc_file *file = &unit->files[t->file];
    if (!file->tried)
        read_file(unit, file);
    const char *at = file->text, *end = at ? at + file->len : NULL;
    for (uint32_t line = 1; at != NULL && line < t->line; line++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at != NULL && at + 1 < end ? at + 1 : NULL;
    }
    if (at == NULL)
        return NULL;
    const char *eol = memchr(at, '\n', (size_t)(end - at));
    *len = (size_t)((eol ? eol : end) - at);
    return at;
}

static bool word_at(const char *line, size_t len, size_t i, const struct scc_token *t)
{
    if (i + t->src_len > len || memcmp(line + i, t->src, t->src_len) != 0)
        return false;
    if (t->name == NULL)
        return true;
    bool left = i > 0 && (isalnum((unsigned char)line[i - 1]) || line[i - 1] == '_');
    size_t j = i + t->src_len;
    bool right = j < len && (isalnum((unsigned char)line[j]) || line[j] == '_');
    return !left && !right;
}

/* The column in the source line of the token's n-th occurrence, n as in the preprocessed line. */
static size_t source_column(const struct scc_unit *unit, const struct scc_token *t, const char *line, size_t len)
{
    const char *start = t->src;
    while (start > unit->text && start[-1] != '\n')
        start--;
    size_t offset = (size_t)(t->src - start), nth = 0, found = 0, column = 0;
    if (t->src_len == 0)
        return len;
    for (size_t i = 0; i < offset; i++)
        nth += word_at(start, offset, i, t);
    for (size_t i = 0; i < len && found <= nth; i++)
        if (word_at(line, len, i, t)) {
            column = i;
            found++;
        }
    if (found > 0)
        return column;
    while (column < len && isspace((unsigned char)line[column]))
        column++;
    return column;
}

__attribute__((format(printf, 4, 0))) static void report(struct scc_unit *unit, uint32_t token, const char *kind,
                                                         const char *format, va_list args)
{
    FILE *out = unit->diagnostics ? unit->diagnostics : stderr;
    if (token >= unit->token_count)
        token = unit->token_count - 1;
    if (unit->tokens[token].kind == TK_EOF && token > 0)
        token--;
    const struct scc_token *t = &unit->tokens[token];
    size_t len = 0;
    const char *line = source_line(unit, t, &len);
    size_t column = line ? source_column(unit, t, line, len) : t->column - 1u;
    fprintf(out, "%s:%u:%zu: %s: ", unit->files[t->file].name, t->line, column + 1, kind);
    if (format != NULL) /* never; a sanitizer's own check for it makes GCC warn */
        vfprintf(out, format, args);
    fputc('\n', out);
    if (line == NULL)
        return;
    fprintf(out, "%5u | %.*s\n      | ", t->line, (int)len, line);
    for (size_t i = 0; i < column && i < len; i++)
        fputc(line[i] == '\t' ? '\t' : ' ', out);
    fputs("^\n", out);
}

#define REPORT(kind)                             \
    do {                                         \
        va_list args;                            \
        va_start(args, format);                  \
        report(unit, token, kind, format, args); \
        va_end(args);                            \
    } while (0)

void scc_error(struct scc_unit *unit, uint32_t token, const char *format, ...)
{
    if (unit->errors >= SCC_MAX_ERRORS) {
        if (!unit->stop)
            fprintf(unit->diagnostics ? unit->diagnostics : stderr, "scc: too many errors, stopped\n");
        unit->stop = true;
        return;
    }
    unit->errors++;
    REPORT("error");
}

void scc_warning(struct scc_unit *unit, uint32_t token, const char *format, ...)
{
    unit->warnings++;
    REPORT("warning");
}

void scc_note(struct scc_unit *unit, uint32_t token, const char *format, ...)
{
    REPORT("note");
}

void scc_print_white(FILE *out, const struct scc_unit *unit, uint32_t token)
{
    const struct scc_token *t = &unit->tokens[token];
    const char *start = token > 0 ? t[-1].src + t[-1].src_len : unit->text;
    fwrite(start, 1, (size_t)(t->src - start), out);
}

void scc_print_tokens(FILE *out, const struct scc_unit *unit, uint32_t first, uint32_t last, bool white_first)
{
    for (uint32_t i = first; i <= last && i < unit->token_count; i++) {
        if (i > first || white_first)
            scc_print_white(out, unit, i);
        fwrite(unit->tokens[i].text, 1, unit->tokens[i].len, out);
    }
}
