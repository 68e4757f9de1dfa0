/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The walk over declarations and statements. White space, line marks included,
 * comes out with the token behind it; inside the arguments of rep.h's macros line
 * marks are left out, and the next statement says again which line it is.
 */
#include "gen.h"
#include "driver.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void gen_put(struct scc_gen *g, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(g->out, format, args);
    va_end(args);
}

/* Where the white space before a token begins. */
static const char *white_of(const struct scc_gen *g, uint32_t token, const char **end)
{
    const struct scc_token *t = &g->unit->tokens[token];
    *end = t->src;
    if (token == g->placed)
        return t->src;
    return token ? t[-1].src + t[-1].src_len : g->unit->text;
}

void gen_mark(struct scc_gen *g, uint32_t token)
{
    const struct scc_token *t = &g->unit->tokens[token];
    if (!g->resync || g->flat)
        return;
    g->resync = false;
    g->placed = token;
    gen_put(g, "\n# %u \"", t->line);
    for (const char *c = g->unit->files[t->file].name; *c; c++)
        fputs(*c == '"' || *c == '\\' ? (char[]){'\\', *c, 0} : (char[]){*c, 0}, g->out);
    gen_put(g, "\"%s\n%*s", t->system ? " 3" : "", t->column > 1 ? t->column - 1 : 0, "");
}

/* White space with its line marks, less their flags for entering and leaving a file, which would have to nest. */
static void write_white(struct scc_gen *g, const char *white, const char *end)
{
    while (white < end) {
        const char *stop = memchr(white, '\n', (size_t)(end - white));
        stop = stop ? stop + 1 : end;
        const char *quote = *white == '#' ? memrchr(white, '"', (size_t)(stop - white)) : NULL;
        if (quote) {
            fwrite(white, 1, (size_t)(quote + 1 - white), g->out);
            for (white = quote + 1; white < stop; white++)
                if (*white == '3' || *white == '4' || *white == '\n')
                    fprintf(g->out, *white == '\n' ? "\n" : " %c", *white);
        } else {
            fwrite(white, 1, (size_t)(stop - white), g->out);
        }
        white = stop;
    }
}

static void token_text(struct scc_gen *g, uint32_t token, bool flat)
{
    const struct scc_token *t = &g->unit->tokens[token];
    const char *end, *white = white_of(g, token, &end);
    if (!flat)
        write_white(g, white, end);
    else if (t->space || end > white)
        fputc(' ', g->out);
    fwrite(t->text, 1, t->len, g->out);
}

void gen_verbatim(struct scc_gen *g, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i <= last && i < g->unit->token_count - 1; i++) {
        const char *end, *white = white_of(g, i, &end);
        bool flat = g->flat && memchr(white, '#', (size_t)(end - white));
        g->resync |= flat;
        token_text(g, i, flat);
        g->resync |= *g->unit->tokens[i].text == '#'; /* a pragma ends with its line */
    }
}

char *gen_flat(struct scc_gen *g, uint32_t first, uint32_t last)
{
    char *text = NULL;
    size_t size;
    FILE *out = g->out;
    g->out = open_memstream(&text, &size);
    for (uint32_t i = first; i <= last; i++)
        token_text(g, i, true);
    fclose(g->out);
    g->out = out;
    char *kept = scc_printf(g->unit, "%s", text + (*text == ' '));
    free(text);
    return kept;
}

char *gen_captured(struct scc_gen *g, struct scc_node *node, void (*emit)(struct scc_gen *, struct scc_node *))
{
    char *text = NULL;
    size_t size;
    FILE *out = g->out;
    g->out = open_memstream(&text, &size);
    g->flat++;
    emit(g, node);
    g->flat--;
    fclose(g->out);
    g->out = out;
    char *kept = scc_printf(g->unit, "%s", text);
    free(text);
    return kept;
}

/* The node's own tokens as they were, its children as they become. */
void gen_splice(struct scc_gen *g, struct scc_node *node)
{
    uint32_t at = node->first;
    for (struct scc_node *kid = node->child; kid; kid = kid->next) {
        if (scc_is_empty(kid))
            continue;
        if (kid->first > at)
            gen_verbatim(g, at, kid->first - 1);
        gen_node(g, kid);
        at = kid->last + 1;
    }
    if (at <= node->last)
        gen_verbatim(g, at, node->last);
}

/* As gen_splice, with the wanted children as conditions. */
static void with_conditions(struct scc_gen *g, struct scc_node *node, unsigned which)
{
    uint32_t at = node->first;
    unsigned i = 0;
    for (struct scc_node *kid = node->child; kid; kid = kid->next, i++) {
        if (scc_is_empty(kid))
            continue;
        if (kid->first > at)
            gen_verbatim(g, at, kid->first - 1);
        if (which >> i & 1)
            gen_cond(g, kid);
        else
            gen_node(g, kid);
        at = kid->last + 1;
    }
    if (at <= node->last)
        gen_verbatim(g, at, node->last);
}

static void gen_return(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *value = node->child;
    const struct scc_type *result = node->type ? node->type : g->result;
    if (!value || scc_is_empty(value) || !result || result->kind == TY_VOID) {
        gen_splice(g, node);
        return;
    }
    gen_verbatim(g, node->first, value->first - 1);
    gen_put(g, " ");
    if (check_convert(g, value, result, "returning"))
        gen_as(g, value, result);
    gen_verbatim(g, value->last + 1, node->last);
}

static void gen_compound(struct scc_gen *g, struct scc_node *node)
{
    g->depth++;
    gen_splice(g, node);
    g->depth--;
}

static bool is_statement(int kind)
{
    return (kind >= S_COMPOUND && kind <= S_LOCAL_LABELS) || kind == N_DECL || kind == N_FUNCTION;
}

/* Declarations that were taken apart do not fit into a for's head: they come before it, in a block. */
static void gen_for(struct scc_gen *g, struct scc_node *node)
{
    struct scc_node *init = scc_kid(node, 0);
    if (init->kind != N_DECL || !init->splitc) {
        with_conditions(g, node, 2);
        return;
    }
    struct scc_node rest = *node;
    rest.child = init->next;
    rest.first = init->last + 1;
    gen_put(g, " {");
    g->depth++;
    gen_decl(g, init);
    gen_put(g, " for (;");
    with_conditions(g, &rest, 1);
    g->depth--;
    gen_put(g, " }");
}

static void gen_typeof(struct scc_gen *g, struct scc_node *node)
{
    if (node->child && node->child->type)
        gen_put(g, " __typeof__(%s)", gen_type(g, node->child->type, ""));
    else
        gen_splice(g, node);
}

static void rewritten(struct scc_gen *g, struct scc_node *node)
{
    switch (node->kind) {
    case N_DECL:
        gen_decl(g, node);
        break;
    case N_FUNCTION:
        gen_function(g, node);
        break;
    case N_SPECS:
        gen_specs(g, node);
        break;
    case N_RECORD:
        gen_record(g, node);
        break;
    case N_TYPENAME:
        gen_typename(g, node);
        break;
    case S_COMPOUND:
        gen_compound(g, node);
        break;
    case S_IF:
    case S_WHILE:
        with_conditions(g, node, 1);
        break;
    case S_DO:
        with_conditions(g, node, 2);
        break;
    case S_FOR:
        gen_for(g, node);
        break;
    case N_TYPEOF:
        gen_typeof(g, node);
        break;
    case S_RETURN:
        gen_return(g, node);
        break;
    default:
        if (node->kind >= X_FIRST)
            gen_value(g, node);
        else
            gen_splice(g, node);
    }
}

void gen_node(struct scc_gen *g, struct scc_node *node)
{
    if (scc_is_empty(node))
        return;
    bool statement = is_statement(node->kind);
    if (statement)
        gen_mark(g, node->first);
    if (statement && node->splitc && !g->flat) { /* its first token may go, the lines before it stay */
        const char *end, *white = white_of(g, node->first, &end);
        write_white(g, white, end);
        g->placed = node->first;
    }
    if (node->splitc)
        rewritten(g, node);
    else
        gen_verbatim(g, node->first, node->last);
    if (statement && node->splitc && node->kind != S_COMPOUND)
        g->resync = true;
}

static char *read_all(const char *name, size_t *len)
{
    FILE *f = fopen(name, "rb");
    char *text = NULL;
    size_t room = 0, n;
    *len = 0;
    if (!f)
        return NULL;
    do {
        if (room - *len < 65536) {
            room = room ? 2 * room : 262144;
            char *more = realloc(text, room);
            if (!more) {
                free(text);
                fclose(f);
                return NULL;
            }
            text = more;
        }
        n = fread(text + *len, 1, room - *len - 1, f);
        *len += n;
    } while (n > 0);
    fclose(f);
    text[*len] = 0;
    return text;
}

static int write_c(struct scc_unit *unit, const char *out, bool check)
{
    struct scc_gen g = {.unit = unit, .check = check, .resync = true, .placed = UINT32_MAX};
    g.out = strcmp(out, "-") ? fopen(out, "w") : stdout;
    if (!g.out) {
        fprintf(stderr, "scc: error: cannot write %s: %s\n", out, strerror(errno));
        return 1;
    }
    gen_put(&g, "#include <split-c/rep.h>");
    gen_name_records(&g, unit->root);
    for (struct scc_node *kid = unit->root->child; kid && !unit->stop; kid = kid->next) {
        gen_mark(&g, kid->first);
        gen_node(&g, kid);
    }
    gen_put(&g, "\n");
    int bad = ferror(g.out);
    if (g.out != stdout)
        bad |= fclose(g.out);
    if (bad)
        fprintf(stderr, "scc: error: cannot write %s\n", out);
    return bad != 0;
}

int scc_translate(const char *in, const char *out, bool check)
{
    size_t len;
    char *text = read_all(in, &len);
    if (!text) {
        fprintf(stderr, "scc: error: cannot read %s: %s\n", in, strerror(errno));
        return 1;
    }
    struct scc_unit *unit = scc_parse(text, len, in, SCC_TARGET, stderr);
    int errors = unit->errors;
    if (!errors && unit->root) {
        errors = write_c(unit, out, check);
        errors += unit->errors;
    }
    if (!unit->root && !errors)
        errors = 1;
    scc_free(unit);
    free(text);
    return errors;
}
