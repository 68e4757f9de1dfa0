/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The front end's own state and the functions its files share, each under the file that defines it.
 * A syntax error leaves by longjmp to the statement or declaration around it, so no parse function
 * has an error path. */
#ifndef SCC_PARSE_H
#define SCC_PARSE_H

#include "ast.h"
#include "lex.h"

#include <setjmp.h>

enum { SCC_NAME_SLOTS = 16384, SCC_MAX_NESTING = 200 };

struct scc_recovery {
    struct scc_recovery *outer;
    uint16_t depth;
    int nesting, no_join;
    struct scc_symbol *function;
    jmp_buf jump;
};

struct scc_scope {
    struct scc_scope *outer;
    struct scc_symbol *symbols, *tags;
};

struct scc_parser {
    struct scc_unit *unit;
    uint32_t pos;
    uint16_t depth; /* of scopes */
    struct scc_scope *scope;
    struct scc_recovery *recovery;
    int nesting;
    int no_join; /* inside `? :` or a case label: `:-` and `:=` are not Split-C */
    struct scc_type *result;     /* of the function being parsed */
    struct scc_symbol *function; /* NULL outside functions */
    bool arm;                    /* aarch64: char and wchar_t are unsigned */
    struct scc_type *basic[TY_DECIMAL128 + 1];
    struct scc_type *va_list;
    struct scc_name *n_global, *n_spread, *n_global2, *n_spread2, *n_splitc_main;
    struct scc_name *names[SCC_NAME_SLOTS];
};

/* Attributes that change types. */
struct scc_attributes {
    bool packed, transparent;
    uint32_t align, vector;
    const struct scc_name *mode;
};

/* What declaration specifiers said. */
struct scc_specs {
    struct scc_node *node;
    struct scc_type *type; /* qualified */
    struct scc_attributes attributes;
    int storage;
    bool thread, inlined, auto_type, implicit; /* implicit: no type was written */
};

struct scc_declared {
    struct scc_node *node;
    struct scc_type *type;
    struct scc_name *name;
    uint32_t name_token;
    struct scc_node *params; /* first N_PARAM of the innermost function declarator */
    struct scc_type *function; /* its type, if the name itself is a function */
};

/* parse.c */
struct scc_token *scc_peek(struct scc_parser *p, uint32_t ahead);
bool scc_at(struct scc_parser *p, int punct);
bool scc_at_keyword(struct scc_parser *p, int keyword);
bool scc_accept(struct scc_parser *p, int punct);
bool scc_accept_keyword(struct scc_parser *p, int keyword);
void scc_expect(struct scc_parser *p, int punct, const char *where);
_Noreturn void scc_syntax(struct scc_parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void scc_bail(struct scc_parser *p); /* after an error that was said */
void scc_enter(struct scc_parser *p); /* one level deeper; refuses absurd depths */
void scc_leave(struct scc_parser *p);
struct scc_node *scc_node(struct scc_parser *p, int kind);
struct scc_node *scc_add(struct scc_node *parent, struct scc_node *kid);
struct scc_node *scc_close(struct scc_parser *p, struct scc_node *node);
struct scc_node *scc_none(struct scc_parser *p);
void scc_skip_balanced(struct scc_parser *p); /* from an opening bracket past its closing one */
void scc_resync(struct scc_parser *p, bool file_scope);

/* name.c */
void scc_intern_keywords(struct scc_unit *unit);

/* scope.c */
void scc_push_scope(struct scc_parser *p);
void scc_pop_scope(struct scc_parser *p);
void scc_pop_to(struct scc_parser *p, uint16_t depth);
struct scc_symbol *scc_declare(struct scc_parser *p, struct scc_name *name, int kind, struct scc_type *type,
                               uint32_t token);
struct scc_symbol *scc_declare_tag(struct scc_parser *p, struct scc_name *name, struct scc_type *type, uint32_t token);
bool scc_is_typedef_name(struct scc_parser *p, uint32_t ahead);

/* builtin.c */
void scc_builtins(struct scc_parser *p);
struct scc_symbol *scc_builtin(struct scc_parser *p, struct scc_name *name, uint32_t token);
int scc_operation_of(const struct scc_name *name);

/* attribute.c */
bool scc_at_attribute(struct scc_parser *p);
void scc_attribute_list(struct scc_parser *p, struct scc_node *parent, struct scc_attributes *attributes);
struct scc_type *scc_apply_attributes(struct scc_parser *p, struct scc_type *type,
                                      const struct scc_attributes *attributes);
void scc_asm_label(struct scc_parser *p, struct scc_node *parent);

/* spec.c, record.c */
bool scc_at_type(struct scc_parser *p, uint32_t ahead);
bool scc_at_declaration(struct scc_parser *p);
struct scc_specs scc_specifiers(struct scc_parser *p, bool implicit_int);
struct scc_type *scc_record_specifier(struct scc_parser *p, struct scc_node *specs);
struct scc_type *scc_enum_specifier(struct scc_parser *p, struct scc_node *specs);

/* layout.c */
void scc_layout(struct scc_parser *p, struct scc_record *record, bool is_union,
                const struct scc_attributes *attributes);

/* declarator.c */
enum { DECL_NAMED = 1, DECL_ABSTRACT = 2 };
struct scc_declared scc_declarator(struct scc_parser *p, struct scc_type *base, int mode);
struct scc_node *scc_type_name_node(struct scc_parser *p);

/* decl.c */
struct scc_node *scc_external(struct scc_parser *p);
struct scc_node *scc_declaration(struct scc_parser *p);
struct scc_node *scc_static_assert(struct scc_parser *p);
struct scc_node *scc_pragma(struct scc_parser *p);

/* init.c */
struct scc_node *scc_initializer(struct scc_parser *p, struct scc_type **type);
struct scc_node *scc_init_list(struct scc_parser *p, struct scc_type **type);

/* stmt.c */
struct scc_node *scc_compound(struct scc_parser *p, bool own_scope);
struct scc_node *scc_asm(struct scc_parser *p);

/* expr.c, primary.c */
struct scc_node *scc_expression(struct scc_parser *p);
struct scc_node *scc_assignment(struct scc_parser *p);
struct scc_node *scc_conditional(struct scc_parser *p);
struct scc_node *scc_cast(struct scc_parser *p);
struct scc_node *scc_unary(struct scc_parser *p);
struct scc_node *scc_postfix(struct scc_parser *p);
struct scc_node *scc_primary(struct scc_parser *p);
struct scc_node *scc_postfix_of(struct scc_parser *p, struct scc_node *node);
struct scc_node *scc_generic(struct scc_parser *p);
struct scc_node *scc_builtin_form(struct scc_parser *p);
bool scc_number(struct scc_parser *p, struct scc_node *node); /* number.c */
void scc_char_value(struct scc_parser *p, struct scc_node *node);
int scc_prefix_kind(const struct scc_parser *p, const char *text); /* of the elements of a literal */
uint64_t scc_string_length(struct scc_parser *p, const struct scc_token *token);

/* typing.c: fill type, lvalue, place, splitc of a node whose children are there; fold.c: its value */
void scc_type_expression(struct scc_parser *p, struct scc_node *node);
void scc_type_access(struct scc_parser *p, struct scc_node *node); /* typing_access.c: subscripts, members, *, & */
void scc_fold(struct scc_parser *p, struct scc_node *node);
int64_t scc_wrap(const struct scc_type *type, int64_t value);
struct scc_type *scc_common_type(struct scc_parser *p, struct scc_type *a, struct scc_type *b);
struct scc_type *scc_promote(struct scc_parser *p, struct scc_type *type);

/* type.c */
void scc_init_types(struct scc_parser *p);
struct scc_type *scc_new_type(struct scc_unit *unit, int kind);
struct scc_type *scc_array_of(struct scc_unit *unit, struct scc_type *base, uint64_t count);
struct scc_type *scc_function_returning(struct scc_unit *unit, struct scc_type *result);
struct scc_type *scc_vector_of(struct scc_unit *unit, struct scc_type *base, uint64_t bytes);
struct scc_type *scc_complex_of(struct scc_unit *unit, struct scc_type *base);

#endif
