/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses preprocessed text and prints it again through the tree: every node's own tokens and its children
 * in turn, as the translator does. Whatever the tree misplaces or drops shows as a difference.
 * roundtrip [-q | -t] file.i: -q parses only, -t turns each
 * expression statement into an assertion about its type and value for cc to check. Exit status 1 after errors, 2 if the
 * tree is malformed. */
#include "ast.h"

#include <stdlib.h>
#include <string.h>

static bool bad;

static void malformed(const struct scc_node *n, const char *what)
{
    fprintf(stderr, "malformed tree: %s (kind %u, tokens %u-%u)\n", what, n->kind, n->first, n->last);
    bad = true;
}

static bool show_types;

/* -t: `e;` becomes an assertion that cc gives e the type found here. */
static bool type_assertion(FILE *out, struct scc_unit *u, const struct scc_node *n)
{
    const struct scc_node *e = n->child;
    if (!show_types || n->kind != S_EXPR || n->splitc || e->type->kind == TY_ERROR || u->tokens[n->first].system)
        return false;
    scc_print_white(out, u, n->first);
    fputs("_Static_assert(__builtin_types_compatible_p(__typeof__(", out);
    scc_print_tokens(out, u, e->first, e->last, false);
    fprintf(out, "), %s), \"type\");", scc_type_name(u, e->type));
    if (e->constant) {
        fputs("_Static_assert((", out);
        scc_print_tokens(out, u, e->first, e->last, false);
        fprintf(out, ") == (%s)%lldll, \"value\");", scc_type_name(u, e->type), (long long)e->value);
    }
    return true;
}

static uint32_t print_until(FILE *out, const struct scc_unit *u, uint32_t from, uint32_t to)
{
    if (from < to)
        scc_print_tokens(out, u, from, to - 1, true);
    return from < to ? to : from;
}

static void walk(FILE *out, struct scc_unit *u, const struct scc_node *n)
{
    if (type_assertion(out, u, n))
        return;
    uint32_t at = n->first;
    if (n->kind >= X_FIRST && n->type == NULL)
        malformed(n, "an expression without a type");
    for (const struct scc_node *kid = n->child; kid != NULL; kid = kid->next) {
        if (scc_is_empty(kid))
            continue;
        if (kid->first < at || kid->last > n->last)
            malformed(kid, "a child outside its parent or out of order");
        if (kid->splitc && !n->splitc)
            malformed(kid, "Split-C below a node not marked");
        at = print_until(out, u, at, kid->first);
        walk(out, u, kid);
        at = kid->last + 1;
    }
    print_until(out, u, at, n->last + 1);
}

static char *read_all(const char *name, size_t *len)
{
    FILE *in = fopen(name, "rb");
    size_t capacity = 1 << 16, used = 0, got = 0;
    char *text = malloc(capacity + 1);
    if (in == NULL || text == NULL) {
        fprintf(stderr, "cannot read %s\n", name);
        exit(3);
    }
    while ((got = fread(text + used, 1, capacity - used, in)) > 0) {
        used += got;
        if (used == capacity) {
            capacity *= 2;
            char *more = realloc(text, capacity + 1);
            if (more == NULL)
                exit(3);
            text = more;
        }
    }
    fclose(in);
    text[used] = 0;
    *len = used;
    return text;
}

int main(int argc, char **argv)
{
    bool quiet = argc > 2 && strcmp(argv[1], "-q") == 0;
    show_types = argc > 2 && strcmp(argv[1], "-t") == 0;
    if (argc < 2) {
        fputs("usage: roundtrip [-q | -t] file.i\n", stderr);
        return 3;
    }
    size_t len = 0;
    char *text = read_all(argv[argc - 1], &len);
    struct scc_unit *u = scc_parse(text, len, argv[argc - 1], SCC_TARGET, NULL);
    int errors = u->errors;
    FILE *out = quiet ? fopen("/dev/null", "w") : stdout;
    if (u->root != NULL && out != NULL)
        walk(out, u, u->root);
    scc_free(u);
    free(text);
    return bad ? 2 : errors != 0;
}
